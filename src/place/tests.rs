//! Placement through the engine, judge included: the cases of the field that concern it, and what they do not cover.

mod packing;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::engine::answer;
use crate::wire::{NoteCode, Reply, Request, Verdict};

/// A node of four cores.
fn node(id: &str, ports: &[u16]) -> Value {
    json!({"id": id, "host": id, "cpu_cores": 4.0, "ports": ports})
}

/// A homeless executor of one task with its own component, and its load in percent of a core.
fn executor(task: i32, points: f64) -> Value {
    json!({"tasks": [task, task], "component": format!("c{task}"), "cpu_cores": points / 100.0})
}

fn at(mut executor: Value, node: &str, port: u16) -> Value {
    executor["node"] = json!(node);
    executor["port"] = json!(port);
    executor
}

fn last(mut executor: Value, node: &str, port: u16) -> Value {
    executor["last_node"] = json!(node);
    executor["last_port"] = json!(port);
    executor
}

fn of(mut executor: Value, component: &str) -> Value {
    executor["component"] = json!(component);
    executor
}

/// A topology with the components its executors name, all bolts.
fn topology(id: &str, workers: u32, executors: Vec<Value>) -> Value {
    let named: BTreeSet<String> =
        executors.iter().map(|e| e["component"].as_str().unwrap().to_owned()).collect();
    let bolts: Vec<Value> = named.iter().map(|id| json!({"id": id, "kind": "bolt"})).collect();
    json!({"id": id, "name": id, "workers": workers, "components": bolts, "executors": executors})
}

fn request(nodes: Vec<Value>, topologies: Vec<Value>) -> Request {
    let request = json!({"ballast": "snapshot", "version": 1, "ask": "place", "generation": 1,
                         "nodes": nodes, "topologies": topologies});
    serde_json::from_value(request).unwrap()
}

/// Slot to first tasks, of one topology, after the reply.
fn workers(request: &Request, reply: &Reply, topology: &str) -> BTreeMap<String, Vec<i32>> {
    assert_ne!(reply.verdict, Verdict::Refused, "{:?}", reply.refusal);
    let mut workers = BTreeMap::<String, Vec<i32>>::new();
    match reply.assignments.iter().find(|assignment| assignment.topology == topology) {
        Some(assignment) => {
            for worker in &assignment.workers {
                let tasks = worker.executors.iter().map(|tasks| tasks.0).collect();
                workers.insert(format!("{}:{}", worker.node, worker.port), tasks);
            }
        }
        None => {
            let there = request.topologies.iter().find(|t| t.id == topology).unwrap();
            for executor in &there.executors {
                if let (Some(node), Some(port)) = (&executor.node, executor.port) {
                    workers.entry(format!("{node}:{port}")).or_default().push(executor.tasks.0);
                }
            }
        }
    }
    workers
}

/// What is expected of a topology, slot by slot.
fn expect(request: &Request, topology: &str, expected: &[(&str, &[i32])]) -> Reply {
    let reply = answer(request);
    let expected: BTreeMap<String, Vec<i32>> =
        expected.iter().map(|(slot, tasks)| ((*slot).to_owned(), tasks.to_vec())).collect();
    assert_eq!(workers(request, &reply, topology), expected, "{:?}", reply.notes);
    reply
}

fn points(reply: &Reply) -> Vec<i64> {
    let nodes = &reply.after.as_ref().unwrap().nodes;
    nodes.iter().map(|node| (node.load_cores * 100.0).round() as i64).collect()
}

fn notes(reply: &Reply, code: NoteCode) -> Vec<&str> {
    reply.notes.iter().filter(|note| note.code == code).map(|note| note.detail.as_str()).collect()
}

#[test]
fn a02_a_node_just_seen_takes_homeless_executors_only_if_no_settled_one_has_a_slot() {
    let mut flapping = node("sC", &[6700]);
    flapping["seen_rounds"] = json!(1);
    let homeless = || topology("t1", 2, vec![executor(1, 50.0), executor(2, 50.0)]);
    let with_slot = request(vec![node("sA", &[6700]), flapping.clone()], vec![homeless()]);
    expect(&with_slot, "t1", &[("sA:6700", &[1, 2])]);
    let taken = topology("t0", 1, vec![at(executor(1, 50.0), "sA", 6700)]);
    let without = request(vec![node("sA", &[6700]), flapping.clone()], vec![homeless(), taken]);
    expect(&without, "t1", &[("sC:6700", &[1, 2])]);
    let returning = topology("t1", 1, vec![last(executor(1, 50.0), "sC", 6700)]);
    let back = request(vec![node("sA", &[6700]), flapping], vec![returning]);
    expect(&back, "t1", &[("sA:6700", &[1])]);
}

#[test]
fn a04_heavy_executors_do_not_meet_by_their_order() {
    let loads = [90.0, 10.0, 10.0, 90.0, 10.0, 10.0];
    let executors = (1..).zip(loads).map(|(task, load)| executor(task, load)).collect();
    let nodes = ["n1", "n2", "n3"].map(|id| node(id, &[6700])).to_vec();
    let reply = answer(&request(nodes, vec![topology("t1", 3, executors)]));
    let mut points = points(&reply);
    points.sort_unstable();
    assert_eq!(points, [40, 90, 90]);
}

#[test]
fn a05_survivors_stay_and_take_in_the_lost_ones_evenly() {
    let executors = (1..=10).map(|task| match task {
        1 | 4 | 7 | 10 => at(executor(task, 20.0), "n1", 6700),
        2 | 5 | 8 => at(executor(task, 20.0), "n2", 6700),
        _ => last(executor(task, 20.0), "n3", 6700),
    });
    let request =
        request(vec![node("n1", &[6700]), node("n2", &[6700])], vec![topology("t1", 3, executors.collect())]);
    let reply = answer(&request);
    assert_eq!((points(&reply), reply.cost.restarts), (vec![100, 100], 2));
    let workers = workers(&request, &reply, "t1");
    assert!([1, 4, 7, 10].iter().all(|task| workers["n1:6700"].contains(task)), "{workers:?}");
    assert!([2, 5, 8].iter().all(|task| workers["n2:6700"].contains(task)), "{workers:?}");
}

#[test]
fn a07_no_more_workers_than_executors() {
    let nodes = vec![node("n1", &[6700, 6701, 6702]), node("n2", &[6700, 6701, 6702])];
    let executors = (1..=4).map(|task| executor(task, 10.0)).collect();
    let request = request(nodes, vec![topology("t1", 10, executors)]);
    assert_eq!(workers(&request, &answer(&request), "t1").len(), 4);
}

#[test]
fn a09_a_hidden_slot_does_not_pull_its_executors_to_the_other_node() {
    let executors = vec![
        at(executor(1, 10.0), "n1", 6700),
        last(executor(2, 10.0), "n2", 6700),
        at(executor(3, 10.0), "n1", 6700),
        last(executor(4, 10.0), "n2", 6700),
    ];
    let nodes = vec![node("n1", &[6700, 6701]), node("n2", &[6701])];
    let request = request(nodes, vec![topology("t1", 2, executors)]);
    let reply = expect(&request, "t1", &[("n1:6700", &[1, 3]), ("n2:6701", &[2, 4])]);
    assert_eq!(reply.cost.restarts, 0);
}

#[test]
fn a10_a_slot_that_another_topology_has_now_is_left_to_it() {
    let t1 = topology("t1", 1, vec![at(executor(1, 10.0), "n1", 6700), at(executor(2, 10.0), "n1", 6700)]);
    let t2 = topology("t2", 2, vec![last(executor(1, 10.0), "n1", 6700), at(executor(2, 10.0), "n1", 6701)]);
    let request = request(vec![node("n1", &[6700, 6701, 6702])], vec![t1, t2]);
    let reply = expect(&request, "t2", &[("n1:6701", &[2]), ("n1:6702", &[1])]);
    assert_eq!(reply.assignments.len(), 1);
    assert_eq!(notes(&reply, NoteCode::LastHomeTaken), ["[1, 1] of t2: n1:6700 is t1's now"]);
}

#[test]
fn a11_a_blacklisted_host_gives_no_slot() {
    let unusable = |id: &str, port: u16| {
        let mut node = node(id, &[port]);
        (node["host"], node["state"]) = (json!("h1"), json!("unusable"));
        node
    };
    let nodes = vec![unusable("n1a", 6700), unusable("n1b", 6800), node("n2", &[6700])];
    let executors = vec![executor(1, 10.0), executor(2, 10.0)];
    expect(&request(nodes, vec![topology("t1", 2, executors)]), "t1", &[("n2:6700", &[1, 2])]);
}

#[test]
fn a13_system_components_are_spread_like_any_other() {
    let mut executors: Vec<Value> = (1..=4).map(|task| of(executor(task, 20.0), "spout")).collect();
    executors.extend((5..=8).map(|task| of(executor(task, 30.0), "bolt")));
    executors.extend((9..=12).map(|task| of(executor(task, 10.0), "__acker")));
    let nodes = ["n1", "n2", "n3", "n4"].map(|id| node(id, &[6700])).to_vec();
    let request = request(nodes, vec![topology("t1", 4, executors)]);
    let reply = answer(&request);
    assert_eq!(points(&reply), [60, 60, 60, 60]);
    for (slot, tasks) in workers(&request, &reply, "t1") {
        assert_eq!(tasks.iter().filter(|task| **task >= 9).count(), 1, "ackers of {slot}: {tasks:?}");
    }
}

#[test]
fn a18_nothing_goes_to_a_node_that_is_not_listed() {
    let executors = vec![
        at(executor(1, 10.0), "n1", 6700),
        at(executor(2, 10.0), "nX", 6700),
        last(executor(3, 10.0), "nX", 6700),
        at(executor(4, 10.0), "n1", 6703),
    ];
    let request = request(vec![node("n1", &[6700, 6701])], vec![topology("t1", 4, executors)]);
    let slots: &[(&str, &[i32])] =
        &[("n1:6700", &[1]), ("n1:6701", &[3]), ("n1:6703", &[4]), ("nX:6700", &[2])];
    expect(&request, "t1", slots);
}

#[test]
fn c04_after_a_false_alarm_everybody_goes_back_to_the_very_slot() {
    let executors: Vec<Value> = (1..=20)
        .map(|task| {
            let (node, port) = (if task % 2 == 0 { "n1" } else { "n2" }, 6700 + (task % 4) as u16);
            let executor = executor(task, 10.0);
            if task < 3 { last(executor, node, port) } else { at(executor, node, port) }
        })
        .collect();
    let mut nodes = [node("n1", &[6700, 6701, 6702, 6703]), node("n2", &[6700, 6701, 6702, 6703])];
    nodes.iter_mut().for_each(|node| node["seen_rounds"] = json!(1));
    let request = request(nodes.to_vec(), vec![topology("t1", 4, executors)]);
    let workers = workers(&request, &answer(&request), "t1");
    assert!(workers["n2:6701"].contains(&1) && workers["n1:6702"].contains(&2), "{workers:?}");
}

#[test]
fn c06_a_slot_of_a_vanished_topology_is_used_last() {
    let mut ghost = node("n1", &[6700, 6701]);
    ghost["avoid_ports"] = json!([6700]);
    let new = || topology("new", 1, vec![executor(1, 10.0)]);
    let none = json!({"id": "none", "name": "none", "workers": 0, "components": [], "executors": []});
    expect(&request(vec![ghost.clone()], vec![new(), none]), "new", &[("n1:6701", &[1])]);
    let taken = topology("old", 1, vec![at(executor(1, 10.0), "n1", 6701)]);
    expect(&request(vec![ghost], vec![new(), taken]), "new", &[("n1:6700", &[1])]);
}

#[test]
fn c07_nodes_of_unknown_capacity_take_their_share() {
    let mut nodes = ["n1", "n2", "n3"].map(|id| node(id, &[6700]));
    nodes[0]["cpu_cores"] = json!(0.0);
    nodes[1]["cpu_cores"] = json!(-0.01);
    let executors = (1..=6).map(|task| executor(task, 50.0)).collect();
    assert_eq!(
        points(&answer(&request(nodes.to_vec(), vec![topology("t1", 3, executors)]))),
        [100, 100, 100]
    );
}

#[test]
fn d01_load_goes_by_capacity_not_by_number() {
    let mut large = node("n1", &[6700]);
    large["cpu_cores"] = json!(16.0);
    let executors = (1..=20).map(|task| executor(task, 50.0)).collect();
    let request = request(vec![large, node("n2", &[6700])], vec![topology("t1", 2, executors)]);
    assert_eq!(points(&answer(&request)), [800, 200]);
}

#[test]
fn a_topology_that_opted_out_is_not_placed() {
    let mut out = topology("t1", 1, vec![executor(1, 10.0)]);
    out["enabled"] = json!(false);
    assert_eq!(answer(&request(vec![node("n1", &[6700])], vec![out])).assignments, []);
}

#[test]
fn urgent_topologies_are_placed_first_and_nobody_is_left_without_a_slot() {
    let mut urgent = topology("z", 1, vec![executor(1, 10.0)]);
    urgent["priority"] = json!(0);
    let greedy = topology("a", 3, vec![executor(1, 10.0), executor(2, 10.0), executor(3, 10.0)]);
    let one_slot = request(vec![node("n1", &[6700])], vec![greedy.clone(), urgent.clone()]);
    let reply = expect(&one_slot, "z", &[("n1:6700", &[1])]);
    assert_eq!(reply.verdict, Verdict::Unsatisfied);
    let said = notes(&reply, NoteCode::NoSlot);
    assert_eq!(said, ["3 executors of a (first [1, 1]): no node has a free slot"]);
    urgent["priority"] = json!(30);
    let three_slots = request(vec![node("n1", &[6700, 6701, 6702])], vec![greedy, urgent]);
    let reply = answer(&three_slots);
    assert_eq!(reply.verdict, Verdict::Placed);
    assert_eq!(workers(&three_slots, &reply, "a").len(), 2);
}

#[test]
fn few_running_workers_restart_for_many_small_executors() {
    let mut executors: Vec<Value> = (1..=8)
        .map(|task| at(executor(task, 50.0), ["n1", "n2", "n3", "n4"][task as usize % 4], 6700))
        .collect();
    executors.extend((9..=12).map(|task| executor(task, 2.0)));
    let nodes = ["n1", "n2", "n3", "n4"].map(|id| node(id, &[6700])).to_vec();
    let reply = answer(&request(nodes, vec![topology("t1", 4, executors)]));
    assert_eq!((reply.verdict, reply.cost.restarts), (Verdict::Placed, 1));
}

#[test]
fn an_even_spread_honors_memory_too() {
    let mut tight = node("n1", &[6700, 6701]);
    tight["memory_mib"] = json!(150.0);
    let executors = (1..=4).map(|task| executor(task, 10.0)).collect();
    let mut asking = topology("t1", 2, executors);
    for component in asking["components"].as_array_mut().unwrap() {
        component["offheap_request_mib"] = json!(100.0);
    }
    let mut roomy = node("n2", &[6700]);
    (roomy["memory_mib"], roomy["seen_rounds"]) = (json!(1000.0), json!(1));
    let request = request(vec![tight, roomy], vec![asking]);
    let reply = answer(&request);
    assert_eq!(reply.verdict, Verdict::Placed, "{:?}", reply.notes);
    let workers = workers(&request, &reply, "t1");
    assert_eq!((workers["n1:6700"].len(), workers["n2:6700"].len()), (1, 3), "{workers:?}");
}
