//! States: what a restart costs, what a copy spares, and what Storm's in-memory state provider loses.

use ballast::engine::answer;
use ballast::wire::{MoveKind, NoteCode, Reply, Request, Verdict};
use serde_json::{Value, json};

/// D14: A 50 pt with 8 GB, B 50 pt with 10 MB and C 50 pt without state share a worker of n1, D is on n2.
fn d14() -> Value {
    let at = |task: i32, component: &str, node: &str, bytes: Option<u64>| {
        let mut executor = json!({"tasks": [task, task], "component": component, "node": node, "port": 6700,
            "cpu_cores": 0.5, "uptime_secs": 1000.0});
        if let Some(bytes) = bytes {
            executor["state_bytes"] = json!(bytes);
        }
        executor
    };
    let bolt = |id: &str, stateful: bool| json!({"id": id, "kind": "bolt", "stateful": stateful});
    let node = |id: &str| json!({"id": id, "host": id, "cpu_cores": 4.0, "ports": [6700, 6701]});
    json!({"ballast": "snapshot", "version": 1, "generation": 1, "settings": {"load.distance.max": 0.01},
        "nodes": [node("n1"), node("n2")],
        "topologies": [{"id": "t1", "name": "t1", "workers": 2,
            "components": [bolt("A", true), bolt("B", true), bolt("C", false), bolt("D", false)],
            "executors": [at(1, "A", "n1", Some(8_000_000_000)), at(2, "B", "n1", Some(10_000_000)),
                at(3, "C", "n1", None), at(4, "D", "n2", None)]}]})
}

fn asked(request: Value) -> Reply {
    let request: Request = serde_json::from_value(request).unwrap();
    let reply = answer(&request);
    assert_eq!(reply.refusal, None);
    reply
}

fn note(reply: &Reply, code: NoteCode) -> Option<&str> {
    reply.notes.iter().find(|note| note.code == code).map(|note| note.detail.as_str())
}

#[test]
fn d14_what_leaves_is_what_has_no_state_and_the_worker_reads_the_rest_again() {
    let reply = asked(d14());
    assert_eq!(reply.verdict, Verdict::Improved);
    let moved: Vec<i32> = reply.moves.iter().flat_map(|step| &step.executors).map(|tasks| tasks.0).collect();
    assert_eq!(moved, [3], "C has no state");
    assert_eq!(reply.cost.shipped_bytes, Some(8_010_000_000), "A and B restart with their worker");
    assert_eq!(note(&reply, NoteCode::StateLost), None);
    let advice = reply.checkpoints.as_ref().expect("there are states");
    let states: Vec<_> = advice.replicas.iter().map(|one| (one.executor.0, one.nodes.clone())).collect();
    assert_eq!(states, [(1, vec!["n2".to_owned()]), (2, vec!["n2".to_owned()])]);
}

#[test]
fn d14_with_the_in_memory_provider_the_reply_says_whose_state_is_lost() {
    let mut request = d14();
    request["topologies"][0]["state_survives"] = json!(false);
    let reply = asked(request.clone());
    let lost = note(&reply, NoteCode::StateLost).expect("A and B restart");
    assert!(lost.contains("this plan's restarts lose the state of t1/A [1, 1], t1/B [2, 2]"), "{lost}");
    assert!(lost.contains("topology.state.provider"), "{lost}");
    assert_eq!(reply.checkpoints, None, "no copy could be read");
    // Nothing moves: the risk is told all the same.
    request["settings"]["freeze"] = json!(true);
    let quiet = asked(request);
    assert!(note(&quiet, NoteCode::StateLost).unwrap().contains("a restart would lose the state of t1/A"));
}

/// Four nodes, one executor a worker, n1 too full: a budget of 1 MiB of state allows the move to where a copy lies alone.
fn budgeted(held: bool) -> Value {
    let at = |task: i32, node: &str, port: u16, cores: f64, bytes: u64| {
        json!({"tasks": [task, task], "component": "A", "node": node, "port": port, "cpu_cores": cores,
            "uptime_secs": 1000.0, "state_bytes": bytes})
    };
    let node = |id: &str| json!({"id": id, "host": id, "cpu_cores": 4.0, "ports": [6700, 6701, 6702]});
    json!({"ballast": "snapshot", "version": 1, "generation": 1,
        "settings": {"budget.state.mib": 1, "budget.restarts": 1, "load.distance.max": 0.05},
        "nodes": [node("n1"), node("n2"), node("n3")],
        "topologies": [{"id": "t1", "name": "t1", "workers": 4,
            "components": [{"id": "A", "kind": "bolt", "stateful": true}],
            "executors": [at(1, "n1", 6700, 1.0, 9_000_000), at(2, "n1", 6701, 1.0, 9_000_000),
                at(3, "n2", 6700, 0.5, 9_000_000), at(4, "n3", 6700, 0.5, 9_000_000)],
            "checkpoints": [{"executor": [2, 2], "node": "n3", "bytes": 9_000_000, "delta_bytes": 500_000,
                "slot": 0, "held": held}]}]})
}

#[test]
fn a_copy_makes_a_move_possible_that_the_budget_forbids_otherwise_and_the_reason_says_so() {
    let reply = asked(budgeted(true));
    assert_eq!(reply.cost.shipped_bytes, Some(500_000));
    let step = &reply.moves[0];
    assert_eq!((step.executors[0].0, step.to.node.as_str()), (2, "n3"));
    assert!(step.because.contains("possible only because copies lie there"), "{}", step.because);
    // What it leaves is a copy now, and costs nothing.
    let advice = reply.checkpoints.unwrap();
    assert_eq!(advice.replicas[1].nodes, ["n1"]);
    // The states of the three others have none yet.
    assert_eq!((advice.missing_bytes, advice.moved_bytes), (27_000_000, 0));

    let only_advised = asked(budgeted(false));
    assert!(only_advised.moves.is_empty(), "{:?}", only_advised.moves);
}

#[test]
fn after_the_loss_of_a_node_a_state_restarts_where_its_copy_lies() {
    let mut request = budgeted(true);
    request["ask"] = json!("place");
    // n1 is gone: executor 2 had a copy on n3, which is no emptier than n2.
    request["nodes"].as_array_mut().unwrap().remove(0);
    request["topologies"][0]["workers"] = json!(3);
    request["topologies"][0]["executors"].as_array_mut().unwrap().remove(0);
    let executor = &mut request["topologies"][0]["executors"][0];
    executor.as_object_mut().unwrap().retain(|key, _| key != "node" && key != "port" && key != "uptime_secs");
    let placed = |request: &Value| {
        let reply = asked(request.clone());
        assert_eq!((reply.verdict, reply.moves[0].kind), (Verdict::Placed, MoveKind::Place));
        (reply.moves[0].to.node.clone(), reply.moves[0].because.clone())
    };
    let (node, because) = placed(&request);
    assert_eq!(node, "n3");
    assert!(because.contains("copies lie there"), "{because}");
    request["topologies"][0]["checkpoints"] = json!([]);
    assert_eq!(placed(&request).0, "n2");
}
