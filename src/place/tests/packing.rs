//! Where memory and heap are to be honored.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{at, executor, expect, last, node, notes, of, request, topology, workers};
use crate::engine::answer;
use crate::wire::{NoteCode, Reply, Verdict};

/// Every component requests the same.
fn requesting(mut topology: Value, heap: f64, offheap: f64, cpu: f64, heap_max: f64) -> Value {
    topology["worker_heap_max_mib"] = json!(heap_max);
    for component in topology["components"].as_array_mut().unwrap() {
        component["onheap_request_mib"] = json!(heap);
        component["offheap_request_mib"] = json!(offheap);
        component["cpu_request_pcore"] = json!(cpu);
    }
    topology
}

#[test]
fn the_heap_opens_more_workers_than_asked_for_and_no_more_than_it_demands() {
    let executors: Vec<Value> = (1..=9).map(|task| executor(task, 10.0)).collect();
    let packed = requesting(topology("t1", 1, executors), 100.0, 0.0, 10.0, 300.0);
    let nodes = vec![node("n1", &[6700, 6701, 6702, 6703]), node("n2", &[6700, 6701, 6702, 6703])];
    let request = request(nodes, vec![packed]);
    let workers = workers(&request, &answer(&request), "t1");
    assert_eq!(workers.values().map(Vec::len).collect::<Vec<_>>(), [3, 3, 3]);
}

#[test]
fn memory_is_never_exceeded_and_cpu_only_when_nothing_else_is_left() {
    let executors = || (1..=6).map(|task| executor(task, 10.0)).collect();
    let small = |id: &str| {
        let mut node = node(id, &[6700, 6701, 6702]);
        (node["memory_mib"], node["cpu_cores"]) = (json!(400.0), json!(1.0));
        node
    };
    // Two executors of half a core a node by CPU, three of 128 MiB by memory.
    let packed = |heap, cpu| requesting(topology("t1", 1, executors()), heap, 28.0, cpu, 1000.0);
    let three = request(["n1", "n2", "n3"].map(small).to_vec(), vec![packed(100.0, 50.0)]);
    let by_node = |reply: &Reply| -> Vec<u32> {
        reply.after.as_ref().unwrap().nodes.iter().map(|node| node.executors).collect()
    };
    assert_eq!(by_node(&answer(&three)), [2, 2, 2]);
    let two = request(["n1", "n2"].map(small).to_vec(), vec![packed(100.0, 50.0)]);
    let reply = answer(&two);
    assert_eq!((by_node(&reply), reply.verdict), (vec![3, 3], Verdict::Placed));
    let heavy = request(["n1", "n2"].map(small).to_vec(), vec![packed(300.0, 10.0)]);
    let reply = answer(&heavy);
    assert_eq!((by_node(&reply), reply.verdict), (vec![1, 1], Verdict::Unsatisfied));
    let said = notes(&reply, NoteCode::NoSlot);
    let missing = "needs 328 MiB, the most that a node with a free slot has left is 72 MiB";
    assert_eq!(said, [format!("4 executors of t1 (first [3, 3]): {missing}")]);
}

#[test]
fn a_full_cluster_takes_executors_into_running_workers_with_room() {
    let mut executors: Vec<Value> = (1..=2).map(|task| at(executor(task, 10.0), "n1", 6700)).collect();
    executors.extend((3..=5).map(|task| executor(task, 10.0)));
    let packed = requesting(topology("t1", 1, executors), 100.0, 0.0, 10.0, 400.0);
    let request = request(vec![node("n1", &[6700])], vec![packed]);
    let reply = answer(&request);
    assert_eq!(reply.verdict, Verdict::Unsatisfied);
    assert_eq!(workers(&request, &reply, "t1")["n1:6700"].len(), 4);
    assert_eq!(notes(&reply, NoteCode::NoSlot).len(), 1);
}

#[test]
fn components_joined_by_a_stream_share_a_node_and_topologies_a_rack() {
    let node = |id: &str, rack: &str| {
        let mut node = node(id, &[6700, 6701, 6702, 6703]);
        (node["rack"], node["memory_mib"]) = (json!(rack), json!(1000.0));
        node
    };
    let nodes = vec![node("n1", "r1"), node("n2", "r2"), node("n3", "r1"), node("n4", "r2")];
    // a feeds b, c feeds d; each pair fills one node.
    let component = |task: i32| ["a", "c", "b", "d"][(task % 4) as usize];
    let executors = (0..16).map(|task| of(executor(task, 50.0), component(task))).collect();
    let mut packed = requesting(topology("t1", 1, executors), 100.0, 0.0, 50.0, 800.0);
    for (to, from) in [(1, "a"), (3, "c")] {
        packed["components"][to]["inputs"] =
            json!([{"from": from, "stream": "default", "grouping": "shuffle"}]);
    }
    let request = request(nodes, vec![packed]);
    let workers = workers(&request, &answer(&request), "t1");
    assert_eq!(workers.len(), 2, "{workers:?}");
    let racks: BTreeSet<bool> =
        workers.keys().map(|slot| slot.starts_with("n1") || slot.starts_with("n3")).collect();
    assert_eq!(racks.len(), 1, "{workers:?}");
    for tasks in workers.values() {
        let pair: BTreeSet<i32> = tasks.iter().map(|task| task % 2).collect();
        assert_eq!(pair.len(), 1, "{workers:?}");
    }
}

#[test]
fn a_lost_node_of_a_packed_topology_comes_back_worker_by_worker() {
    let mut executors: Vec<Value> = (1..=4).map(|task| at(executor(task, 10.0), "n1", 6700)).collect();
    executors.extend((5..=6).map(|task| last(executor(task, 10.0), "n2", 6700)));
    executors.extend((7..=8).map(|task| last(executor(task, 10.0), "n2", 6701)));
    let packed = requesting(topology("t1", 1, executors), 100.0, 0.0, 10.0, 400.0);
    let nodes = vec![node("n1", &[6700, 6701]), node("n2", &[6700, 6701])];
    let slots: &[(&str, &[i32])] = &[("n1:6700", &[1, 2, 3, 4]), ("n2:6700", &[5, 6]), ("n2:6701", &[7, 8])];
    expect(&request(nodes, vec![packed]), "t1", slots);
}
