//! Every rule against a reply that breaks it, and honest replies against all rules.

mod copies;
mod tampered;

use std::collections::BTreeSet;

use serde_json::json;

use super::{Rule, verify};
use crate::engine::reply_of;
use crate::model::{NodeIx, Slot};
use crate::wire::*;
use copies::COPIES;
use tampered::TAMPERED;

/// t1 on n1:6700 {1, 2}, n1:6701 {3} and n2:6700 {4}; t2 on n3:6700 {1}. 2.8, 0.4 and 0.8 of 4 cores.
fn request() -> Request {
    let node = |id: &str| json!({"id": id, "host": id, "cpu_cores": 4.0, "memory_mib": 1000.0, "ports": [6700, 6701]});
    let bolt = |id: &str| json!({"id": id, "kind": "bolt", "onheap_request_mib": 100.0});
    let at = |task: i32, node: &str, port: u16, cores: f64| {
        json!({"tasks": [task, task], "component": "b", "node": node, "port": port,
               "cpu_cores": cores, "uptime_secs": 1000.0})
    };
    let request = json!({
        "ballast": "snapshot", "version": 1, "generation": 7, "settings": {"load.distance.max": 0.2},
        "nodes": [node("n1"), node("n2"), node("n3")],
        "topologies": [
            {"id": "t1", "name": "t1", "workers": 3, "worker_heap_max_mib": 300.0, "components": [bolt("b")],
             "executors": [at(1, "n1", 6700, 1.0), at(2, "n1", 6700, 1.0), at(3, "n1", 6701, 0.8),
                           at(4, "n2", 6700, 0.4)]},
            {"id": "t2", "name": "t2", "workers": 1, "components": [bolt("b")],
             "executors": [at(1, "n3", 6700, 0.8)]}]
    });
    serde_json::from_value(request).unwrap()
}

/// The same with an executor 5 of t1 that has no slot.
fn with_homeless() -> Request {
    let mut request = request();
    let executor = &mut request.topologies[0].executors;
    executor.push(Executor { tasks: TaskRange(5, 5), node: None, port: None, ..executor[0].clone() });
    request.topologies[0].workers = 4;
    request
}

fn put(request: &Request, places: &[(usize, usize, u16)]) -> Reply {
    reply_of(request, |problem, placement| {
        for (executor, node, port) in places {
            let executor = problem.executor_ids().nth(*executor).unwrap();
            placement.put(executor, Slot { node: NodeIx::from_at(*node), port: *port });
        }
    })
}

/// Worker n1:6701 goes to n2:6701: load distance 0.367 to 0.167.
fn moved() -> (Request, Reply) {
    let request = request();
    let reply = put(&request, &[(2, 1, 6701)]);
    assert_eq!(reply.verdict, Verdict::Improved);
    (request, reply)
}

/// Executor 5 gets n3:6701.
fn placed() -> (Request, Reply) {
    let request = with_homeless();
    let reply = put(&request, &[(4, 2, 6701)]);
    assert_eq!(reply.verdict, Verdict::Placed);
    (request, reply)
}

/// A third of the capacity is used, so one node is to be drained; t1 should have five executors.
fn scaled() -> (Request, Reply) {
    let mut request = request();
    for (key, value) in [("scale.in.load", 0.4), ("load.distance.max", 0.2)] {
        request.settings.insert(key.to_owned(), json!(value));
    }
    request.settings.insert("scale.in.rounds".to_owned(), json!(1));
    let tasks = &mut request.topologies[0].executors[3].tasks;
    *tasks = TaskRange(4, 9);
    let reply = crate::engine::answer(&request);
    let scaling = reply.scaling.as_ref().unwrap();
    assert_eq!(scaling.verdict, ScalingVerdict::In, "{}", scaling.because);
    assert_eq!(scaling.parallelism.len(), 1, "{:?}", scaling.parallelism);
    (request, reply)
}

fn scaling(reply: &mut Reply) -> &mut Scaling {
    reply.scaling.as_mut().unwrap()
}

fn broken(request: &Request, reply: &Reply) -> BTreeSet<Rule> {
    verify(request, reply).into_iter().map(|violation| violation.rule).collect()
}

type Case = (&'static str, Fixture, Tamper, &'static [Rule]);
type Fixture = fn() -> (Request, Reply);
type Tamper = fn(&mut Request, &mut Reply);

fn worker(topology: &str, node: &str, port: u16, tasks: &[i32]) -> Assignment {
    let executors = tasks.iter().map(|task| TaskRange(*task, *task)).collect();
    let workers = vec![WorkerAssignment { node: node.to_owned(), port, executors }];
    Assignment { topology: topology.to_owned(), workers }
}

fn unmeasure(request: &mut Request) {
    request.topologies[0].executors[0].cpu_cores = None;
    request.topologies[0].executors[1].cpu_cores = None;
}

fn lag(request: &mut Request) {
    let backlog = Backlog { tuples: 0.0, arrived_per_sec: 1.1, processed_per_sec: 1.0 };
    // The mean it foretells is a violation of its own, so that topology has no load to speak of.
    request.topologies.push(Topology {
        id: "t3".to_owned(),
        executors: Vec::new(),
        backlog: Some(backlog),
        ..request.topologies[1].clone()
    });
}

fn freeze(request: &mut Request, reply: &mut Reply) {
    request.settings.insert("freeze".to_owned(), json!(true));
    let unmoved = crate::engine::answer(request);
    *reply = Reply { scaling: reply.scaling.take(), ..unmoved };
}

/// The executor that moves has so much state, which its reply says; 2 MiB may be shipped.
fn ship(request: &mut Request, reply: &mut Reply, bytes: u64) {
    request.settings.insert("budget.state.mib".to_owned(), json!(2.0));
    request.topologies[0].executors[2].state_bytes = Some(bytes);
    reply.cost.shipped_bytes = Some(bytes);
}

/// The light worker of n2 goes to the full n1.
fn worse() -> (Request, Reply) {
    let mut request = request();
    request.nodes[0].ports.push(6702);
    let reply = put(&request, &[(3, 0, 6702)]);
    (request, reply)
}

/// Worker n1:6701 goes to n2:6701, where what it sends to executor 4 stays; what it gets from 1 and 2 leaves n1.
fn collocated() -> (Request, Reply) {
    let mut request = request();
    let pair = |from: i32, to: i32, tuples_per_sec: f64| Traffic {
        from: TaskRange(from, from),
        to: TaskRange(to, to),
        tuples_per_sec,
        bytes_per_sec: None,
    };
    request.topologies[0].traffic = vec![pair(3, 4, 70.0), pair(1, 3, 20.0), pair(2, 3, 10.0)];
    let reply = put(&request, &[(2, 1, 6701)]);
    let traffic = |balance: &Option<Balance>| balance.as_ref().unwrap().traffic.clone().unwrap();
    let (before, after) = (traffic(&reply.before), traffic(&reply.after));
    assert_eq!((before.collocation_factor, after.collocation_factor), (0.3, 0.7));
    assert_eq!((before.cross_worker_per_sec, after.cross_node_per_sec), (100.0, 30.0));
    (request, reply)
}

/// A running executor moves, the homeless one is left.
fn moved_beside_homeless() -> (Request, Reply) {
    let request = with_homeless();
    let reply = put(&request, &[(2, 1, 6701)]);
    (request, reply)
}

#[test]
fn a_tampered_reply_is_caught_by_exactly_its_rules() {
    for (what, fixture, tamper, expected) in TAMPERED.iter().chain(COPIES) {
        let (mut request, mut reply) = fixture();
        tamper(&mut request, &mut reply);
        let expected: BTreeSet<Rule> = expected.iter().copied().collect();
        assert_eq!(broken(&request, &reply), expected, "{what}: {:#?}", verify(&request, &reply));
    }
}

#[test]
fn every_rule_has_a_reply_that_breaks_it() {
    let tested: BTreeSet<Rule> =
        TAMPERED.iter().chain(COPIES).flat_map(|(_, _, _, rules)| rules.iter().copied()).collect();
    let all: BTreeSet<Rule> = Rule::ALL.iter().copied().collect();
    assert_eq!(tested, all);
}

#[test]
fn honest_replies_pass() {
    for (request, reply) in [moved(), placed(), collocated()] {
        assert_eq!(verify(&request, &reply), []);
    }
    let request = request();
    let refusal = Refusal::new(RefusalCode::BadValue, "what", "advice");
    let reply = crate::engine::answer_bytes(b"{");
    let mut reply = decode_reply(&reply).unwrap();
    (reply.generation, reply.refusal) = (request.generation, Some(refusal));
    assert_eq!(verify(&request, &reply), []);
}

#[test]
fn workers_beyond_those_asked_for_are_fine_where_the_heap_demands_them() {
    let mut request = with_homeless();
    request.topologies[0].workers = 3;
    request.topologies[0].worker_heap_max_mib = Some(200.0);
    let reply = put(&request, &[(4, 2, 6701)]);
    assert_eq!(verify(&request, &reply), []);
    // Two new workers on one node that would fit into one.
    let mut homeless = request.topologies[0].executors[4].clone();
    homeless.tasks = TaskRange(6, 6);
    request.topologies[0].executors.push(homeless);
    request.nodes[2].ports.push(6702);
    let reply = put(&request, &[(4, 2, 6701), (5, 2, 6702)]);
    assert_eq!(broken(&request, &reply), BTreeSet::from([Rule::TooManyWorkers]));
}

#[test]
fn a_restart_that_a_homeless_executor_forces_is_not_the_budgets() {
    let mut request = with_homeless();
    request.settings.insert("budget.restarts".to_owned(), json!(0));
    let reply = put(&request, &[(4, 1, 6700)]);
    assert_eq!(reply.cost.restarts, 1);
    assert_eq!(verify(&request, &reply), []);
}

#[test]
fn a_draining_node_may_be_left_for_a_worse_distance() {
    let mut request = request();
    request.nodes[1].state = NodeState::Draining;
    let reply = put(&request, &[(3, 2, 6701)]);
    assert_eq!(verify(&request, &reply), []);
}

#[test]
fn collocating_may_raise_a_load_distance_that_stays_good_enough() {
    let mut request = request();
    request.nodes[0].ports.push(6702);
    request.topologies[0].traffic = collocated().0.topologies[0].traffic.clone();
    // The light worker of n2 goes to the full n1, where its sender is: load distance 0.367 to 0.467.
    let reply = put(&request, &[(3, 0, 6702)]);
    assert_eq!(broken(&request, &reply), BTreeSet::from([Rule::LoadDistance]));
    request.settings.insert("load.distance.max".to_owned(), json!(0.5));
    let reply = put(&request, &[(3, 0, 6702)]);
    assert_eq!(broken(&request, &reply), BTreeSet::new());
}

#[test]
fn a_broken_heap_may_move_as_a_whole_but_not_grow() {
    let mut request = request();
    request.topologies[0].worker_heap_max_mib = Some(150.0);
    let whole = put(&request, &[(0, 1, 6701), (1, 1, 6701)]);
    assert_eq!(broken(&request, &whole), BTreeSet::new());
    let grown = put(&request, &[(2, 0, 6700)]);
    assert!(broken(&request, &grown).contains(&Rule::WorkerHeap));
}

#[test]
fn all_violations_are_found_not_the_first_only() {
    let (mut request, mut reply) = moved();
    request.nodes[1].state = NodeState::Unusable;
    reply.generation = 9;
    reply.cost.restarts = 5;
    let rules = BTreeSet::from([Rule::Envelope, Rule::NodeUnusable, Rule::Cost]);
    assert_eq!(broken(&request, &reply), rules);
    let said = verify(&request, &reply)[0].to_string();
    assert_eq!(said, "envelope: generation 9 answers generation 7");
}
