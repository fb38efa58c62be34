//! Traffic that was not measured pair by pair: estimated from what executors emit and receive, by hand-computed figures.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use ballast::engine::answer;
use ballast::wire::{NoteCode, Reply, Request, TrafficBalance};
use serde_json::{Value, json};

/// `s`: tasks 1 on n1:6700, 2 on n2:6700. `b`: task 3 in 1's worker, task 4 alone on n1:6701, tasks 5 and 6 as one
/// executor alone on n2:6701.
fn request(grouping: &str, input: Value, rates: &[(usize, Value)]) -> Request {
    let mut edge = json!({"from": "s", "stream": "default", "grouping": grouping});
    edge.as_object_mut().unwrap().extend(input.as_object().unwrap().clone());
    let at = |tasks: [i32; 2], component: &str, node: &str, port: u16| json!({"tasks": tasks, "component": component, "node": node, "port": port, "cpu_cores": 0.5});
    let mut executors = vec![
        at([1, 1], "s", "n1", 6700),
        at([2, 2], "s", "n2", 6700),
        at([3, 3], "b", "n1", 6700),
        at([4, 4], "b", "n1", 6701),
        at([5, 6], "b", "n2", 6701),
    ];
    for (executor, said) in rates {
        executors[*executor].as_object_mut().unwrap().extend(said.as_object().unwrap().clone());
    }
    let node = |id: &str| json!({"id": id, "host": id, "cpu_cores": 4.0, "ports": [6700, 6701, 6702]});
    serde_json::from_value(json!({
        "ballast": "snapshot", "version": 1, "generation": 1, "settings": {"freeze": true},
        "nodes": [node("n1"), node("n2")],
        "topologies": [{"id": "t", "name": "t", "workers": 4,
            "components": [{"id": "s", "kind": "spout"}, {"id": "b", "kind": "bolt", "inputs": [edge]}],
            "executors": executors}],
    }))
    .unwrap()
}

fn answered(request: &Request) -> Reply {
    let reply = answer(request);
    assert!(reply.refusal.is_none(), "the judge counts the same: {:?}", reply.refusal);
    reply
}

fn traffic(request: &Request) -> TrafficBalance {
    answered(request).before.unwrap().traffic.expect("traffic is known")
}

/// Rate, across workers, across nodes.
fn figures(request: &Request) -> [f64; 3] {
    let traffic = traffic(request);
    assert_eq!(traffic.estimated, 1.0);
    let expected = 1.0 - traffic.cross_node_per_sec / traffic.tuples_per_sec;
    assert!((traffic.collocation_factor - expected).abs() < 1e-12);
    [traffic.tuples_per_sec, traffic.cross_worker_per_sec, traffic.cross_node_per_sec]
}

fn assert_close(found: [f64; 3], expected: [f64; 3]) {
    let close = found.iter().zip(&expected).all(|(one, other)| (one - other).abs() <= 0.002);
    assert!(close, "{found:?}, not {expected:?}");
}

/// Executor 1 emits three times what 2 emits; 4 receives half, 3 and 5-6 a quarter each.
fn rates() -> Vec<(usize, Value)> {
    vec![
        (0, json!({"emitted_per_sec": 300.0})),
        (1, json!({"emitted_per_sec": 100.0})),
        (2, json!({"received_per_sec": 100.0})),
        (3, json!({"received_per_sec": 200.0})),
        (4, json!({"received_per_sec": 100.0})),
    ]
}

#[test]
fn shuffle_reaches_every_task_alike() {
    // n1 has 2 of 4 tasks, worker n1:6700 one of 4. Kept on nodes: 3/4 x 1/2 + 1/4 x 1/2; in workers: 3/4 x 1/4.
    for grouping in ["shuffle", "none"] {
        assert_close(figures(&request(grouping, json!({}), &rates())), [400.0, 325.0, 200.0]);
    }
}

#[test]
fn fields_reach_whom_they_were_measured_to_reach() {
    // n1 receives 3/4: kept on nodes 3/4 x 3/4 + 1/4 x 1/4; in workers 3/4 x 1/4.
    assert_close(figures(&request("fields", json!({}), &rates())), [400.0, 325.0, 150.0]);
}

#[test]
fn global_reaches_the_lowest_task() {
    // All of it task 3: what 1 sends stays in its worker.
    assert_close(figures(&request("global", json!({}), &rates())), [400.0, 100.0, 100.0]);
}

#[test]
fn local_or_shuffle_stays_in_the_worker_where_it_can() {
    // 1 sends to 3 only; 2 has no receiver in its worker and sends to all four tasks, two of them on n2.
    assert_close(figures(&request("local_or_shuffle", json!({}), &rates())), [400.0, 100.0, 50.0]);
}

#[test]
fn all_reaches_every_task_with_every_tuple() {
    // Nothing received is measured: what is emitted arrives once a task.
    let emitted = &rates()[..2];
    assert_close(figures(&request("all", json!({}), emitted)), [1600.0, 1300.0, 800.0]);
    assert_close(figures(&request("shuffle", json!({}), emitted)), [400.0, 325.0, 200.0]);
}

#[test]
fn the_rate_of_a_stream_is_measured_or_received_or_emitted_in_this_order() {
    let measured = request("shuffle", json!({"tuples_per_sec": 80.0}), &rates());
    assert_close(figures(&measured), [80.0, 65.0, 40.0]);
    let mut received = rates();
    received[2].1 = json!({"received_per_sec": 500.0});
    assert_eq!(traffic(&request("shuffle", json!({}), &received)).tuples_per_sec, 800.0);
}

#[test]
fn an_executor_without_figures_counts_as_the_mean_of_the_others() {
    // 2 is taken to emit as much as 1; 4 and 5-6 as 3.
    let some = [(0, json!({"emitted_per_sec": 300.0})), (2, json!({"received_per_sec": 100.0}))];
    // n1 receives 2/3: kept 1/2 x 2/3 + 1/2 x 1/3 of 300; in the worker 1/2 x 1/3.
    assert_close(figures(&request("fields", json!({}), &some)), [300.0, 250.0, 150.0]);
}

#[test]
fn inputs_share_what_is_received_by_what_their_senders_emit() {
    let mut request = request("shuffle", json!({}), &rates());
    // b also reads itself, its executors emit 800 in all, and so gets twice as much from there as from s.
    let own = json!({"from": "b", "stream": "default", "grouping": "global"});
    request.topologies[0].components[1].inputs.push(serde_json::from_value(own).unwrap());
    for executor in &mut request.topologies[0].executors[2..] {
        executor.emitted_per_sec = Some(800.0 / 3.0);
    }
    // From b 266.67 to task 3: 1/3 of it its own. From s 133.33, half of it across nodes, 13/16 across workers.
    let third = 400.0 / 3.0;
    assert_close(
        figures(&request),
        [400.0, third * 13.0 / 16.0 + third * 4.0 / 3.0, third / 2.0 + third * 2.0 / 3.0],
    );
}

#[test]
fn measured_pairs_speak_for_all_that_their_sender_sends() {
    let mut request = request("shuffle", json!({}), &rates());
    request.topologies[0].traffic = serde_json::from_value(json!([
        {"from": [1, 1], "to": [4, 4], "tuples_per_sec": 30.0},
        {"from": [2, 2], "to": [3, 3], "tuples_per_sec": 10.0},
        {"from": [1, 1], "to": [4, 4], "tuples_per_sec": 30.0},
    ]))
    .unwrap();
    let traffic = traffic(&request);
    assert_eq!((traffic.tuples_per_sec, traffic.estimated), (70.0, 0.0));
    assert_eq!((traffic.cross_worker_per_sec, traffic.cross_node_per_sec), (70.0, 10.0));
}

/// Tasks 1 and 2 talk in one worker on n1; n2 has a worker that does next to nothing. Balance alone would part them.
fn talking(settings: Value) -> Request {
    let executor = |task: i32, component: &str, node: &str, cores: f64| json!({"tasks": [task, task], "component": component, "node": node, "port": 6700, "cpu_cores": cores});
    let node = |id: &str| json!({"id": id, "host": id, "cpu_cores": 4.0, "ports": [6700]});
    let mut request = json!({
        "ballast": "snapshot", "version": 1, "generation": 1, "settings": {"strategy": "search"},
        "nodes": [node("n1"), node("n2")],
        "topologies": [{"id": "t", "name": "t", "workers": 2,
            "components": [{"id": "a", "kind": "spout"}, {"id": "b", "kind": "bolt", "inputs": [{"from": "a", "stream": "default", "grouping": "shuffle"}]}],
            "executors": [executor(1, "a", "n1", 1.0), executor(2, "b", "n1", 1.0), executor(3, "b", "n2", 0.2)],
            "traffic": [{"from": [1, 1], "to": [2, 2], "tuples_per_sec": 10_000.0}]}],
    });
    request["settings"].as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    serde_json::from_value(request).unwrap()
}

#[test]
fn executors_that_talk_are_parted_only_where_that_costs_less_than_it_gains() {
    let remote = |reply: &Reply| reply.after.as_ref().unwrap().traffic.as_ref().unwrap().remote_cores;
    let apart = answered(&talking(json!({})));
    assert_eq!((apart.cost.restarts, remote(&apart)), (2, None), "{:?}", apart.notes);
    // 10,000 tuples a second of 2 us are 0.02 core of the eight there are, of 400 us half of them.
    let cheap = answered(&talking(json!({"cost.remote.tuple.us": 2.0})));
    assert_eq!((cheap.cost.restarts, remote(&cheap)), (2, Some(0.02)));
    let dear = answered(&talking(json!({"cost.remote.tuple.us": 400.0})));
    assert_eq!((dear.cost.restarts, remote(&dear)), (0, Some(0.0)));
    let note = dear.notes.iter().find(|note| note.code == NoteCode::GainTooSmall).expect("it says why");
    assert!(
        note.detail.contains("tuples between workers take 0.500 of the capacity more"),
        "{}",
        note.detail
    );
}

#[test]
fn nothing_known_is_no_traffic_and_not_zero_traffic() {
    let reply = answered(&request("shuffle", json!({}), &[]));
    assert_eq!(reply.before.unwrap().traffic, None);
    assert!(reply.notes.iter().all(|note| note.code != NoteCode::TrafficEstimated));
    let estimated = answered(&request("shuffle", json!({}), &rates()));
    assert!(estimated.notes.iter().any(|note| note.code == NoteCode::TrafficEstimated));
}

#[test]
fn a_thousand_executors_that_all_talk_take_no_million_pairs() {
    let mut request = request("shuffle", json!({}), &rates());
    let executors = &mut request.topologies[0].executors;
    let (spout, bolt) = (executors[0].clone(), executors[2].clone());
    executors.clear();
    for at in 0..2000 {
        let mut executor = if at < 1000 { spout.clone() } else { bolt.clone() };
        executor.tasks = ballast::wire::TaskRange(at, at);
        executors.push(executor);
    }
    let checked = ballast::settings::check(&request.settings, &ballast::solve::names());
    let problem = ballast::snapshot::take(&request, &checked.settings).unwrap().problem;
    assert!(problem.traffic.pairs.is_empty());
    let numbers: usize =
        problem.traffic.streams.iter().map(|stream| stream.senders.len() + stream.receivers.len()).sum();
    assert_eq!(numbers, 2000);
}
