//! What must hold for every request: the judge finds nothing, nothing gets worse, order means nothing.

use std::collections::BTreeSet;

use ballast::bench;
use ballast::engine::{answer, answer_bytes};
use ballast::verify::verify;
use ballast::wire::{LoadSource, Reply, Request, TaskRange, WorkerCpu};
use fastrand::Rng;
use proptest::prelude::*;
use serde_json::{Value, json};

const NODES: std::ops::Range<usize> = 1..7;
const TOPOLOGIES: std::ops::Range<usize> = 1..5;

/// A request with a bit of everything that a cluster may hold.
fn request(nodes: usize, topologies: usize, seed: u64, strategy: &str) -> Request {
    let mut random = Rng::with_seed(seed);
    let memory = random.bool();
    let node_list: Vec<Value> = (0..nodes).map(|at| node(&mut random, at, memory)).collect();
    let mut slots: Vec<(String, u16)> = node_list
        .iter()
        .flat_map(|node| {
            let ports = node["ports"].as_array().expect("a list");
            ports
                .iter()
                .map(|port| (node["id"].as_str().unwrap_or("").to_owned(), port.as_u64().unwrap_or(0) as u16))
        })
        .collect();
    // A port nobody offers, and a node nobody lists.
    slots.push(("n0".to_owned(), 9999));
    slots.push(("gone".to_owned(), 6700));
    random.shuffle(&mut slots);
    let settings = settings(&mut random, nodes, strategy);
    let topology_list: Vec<Value> =
        (0..topologies).map(|at| topology(&mut random, at, &mut slots, memory)).collect();
    let request = json!({
        "ballast": "snapshot", "version": 1, "generation": seed % 1000, "settings": settings,
        "low_rounds": random.u32(..3),
        "nodes": node_list, "topologies": topology_list,
    });
    let mut request = serde_json::from_value(request).expect("a request");
    measure_workers(&mut request, &mut Rng::with_seed(!seed));
    request
}

/// CPU of processes, in half of the topologies: more or less than their executors' loads add up to.
fn measure_workers(request: &mut Request, random: &mut Rng) {
    for topology in &mut request.topologies {
        if random.bool() {
            continue;
        }
        let mut slots = BTreeSet::new();
        for executor in &mut topology.executors {
            executor.load_source =
                [None, None, Some(LoadSource::Hook), Some(LoadSource::History)][random.usize(..4)];
            executor.swing_cores = random.bool().then(|| f64::from(random.u32(..10)) / 100.0);
            executor.uptime_secs = (random.u8(..16) == 0).then_some(5.0);
            slots.extend(executor.node.clone().zip(executor.port));
        }
        for (node, port) in slots {
            let cpu_cores = f64::from(random.u32(..200)) / 100.0;
            let overhead_cores = random.bool().then(|| f64::from(random.u32(..30)) / 100.0);
            let uptime_secs = random.bool().then(|| [40.0, 299.0, 300.0][random.usize(..3)]);
            topology.worker_cpu.push(WorkerCpu { node, port, cpu_cores, overhead_cores, uptime_secs });
        }
        random.shuffle(&mut topology.worker_cpu);
    }
}

fn settings(random: &mut Rng, nodes: usize, strategy: &str) -> Value {
    let drained: Vec<String> =
        if random.u8(..4) == 0 { vec![format!("n{}", random.usize(..nodes))] } else { Vec::new() };
    let distance = [0.0, 0.05, 0.2][random.usize(..3)];
    let gain = [0.0, 0.01, 0.1][random.usize(..3)];
    let (in_load, out_load) = ([0.1, 0.3, 0.6][random.usize(..3)], [0.7, 0.9][random.usize(..2)]);
    json!({
        "strategy": strategy,
        "budget.restarts": random.u32(..8),
        "load.distance.max": distance,
        "gain.min": gain,
        "load.floor.cores": 0.0,
        "place": if random.bool() { "native" } else { "delegate" },
        "drain.nodes": drained,
        "scale.mode": if random.bool() { "apply" } else { "advise" },
        "scale.in.load": in_load,
        "scale.in.rounds": random.u32(1..4),
        "scale.out.load": out_load,
        "budget.state.mib": if random.bool() { json!(random.u32(..64)) } else { Value::Null },
        "cost.remote.tuple.us": if random.bool() { json!(random.u32(..2000)) } else { Value::Null },
        "cost.restart.mib": if random.bool() { json!(random.u32(..64)) } else { Value::Null },
        "solver.steps": 600, "solver.time.ms": 600_000,
    })
}

fn node(random: &mut Rng, at: usize, memory: bool) -> Value {
    let ports: Vec<u16> = (6700..6700 + random.u16(1..5)).collect();
    let avoid: Vec<u16> = ports.iter().copied().filter(|_| random.u8(..8) == 0).collect();
    let state = ["active", "active", "active", "active", "active", "draining", "unusable"][random.usize(..7)];
    let cores = [2.0, 4.0, 4.0, 8.0][random.usize(..4)];
    json!({
        "id": format!("n{at}"), "host": format!("n{at}"), "cpu_cores": cores,
        "memory_mib": if memory { json!(random.u32(300..3000)) } else { Value::Null },
        "ports": ports, "avoid_ports": avoid, "state": state, "scaled_in": state == "draining" && random.bool(),
        "seen_rounds": if random.u8(..8) == 0 { json!(1) } else { Value::Null },
        "resources": if random.u8(..4) == 0 { json!({ "network.mbps": 100 * random.u32(1..10) }) } else { json!({}) },
    })
}

fn topology(random: &mut Rng, at: usize, slots: &mut Vec<(String, u16)>, memory: bool) -> Value {
    let own: Vec<(String, u16)> = (0..random.usize(1..5)).filter_map(|_| slots.pop()).collect();
    let told = random.bool();
    let executors: Vec<Value> = (0..random.i32(1..12))
        .map(|task| {
            let home = if own.is_empty() || random.u8(..16) == 0 {
                None
            } else {
                Some(&own[random.usize(..own.len())])
            };
            let component = ["a", "b", "__acker"][random.usize(..3)];
            let load =
                if random.u8(..32) == 0 { Value::Null } else { json!(f64::from(random.u32(..100)) / 100.0) };
            json!({
                "tasks": [task, task], "component": component, "cpu_cores": load,
                "node": home.map(|(node, _)| node), "port": home.map(|(_, port)| port),
                "received_per_sec": rate(random, told), "emitted_per_sec": rate(random, told),
                "resources": if random.u8(..4) == 0 { json!({ "network.mbps": random.u32(..200) }) } else { json!({}) },
                "state_bytes": if random.bool() { json!(random.u64(..20 << 20)) } else { Value::Null },
            })
        })
        .collect();
    let tasks = executors.len() as i32;
    let pairs: Vec<Value> = (0..[0, 0, tasks][if told { random.usize(..3) } else { 0 }])
        .map(|_| {
            let (from, to) = (random.i32(0..tasks), random.i32(0..tasks));
            json!({ "from": [from, from], "to": [to, to], "tuples_per_sec": random.u32(..1000) })
        })
        .collect();
    let copies: Vec<Value> = (0..[0, tasks][random.usize(..2)])
        .map(|task| {
            let (node, delta) = (format!("n{}", random.usize(..7)), random.u64(..2 << 20));
            json!({ "executor": [task, task], "node": node, "bytes": 10 << 20, "delta_bytes": delta })
        })
        .collect();
    let backlogs = [(0.0, 90.0), (0.0, 90.0), (1e4, 100.0), (10.0, 150.0)];
    let backlog = backlogs.get(random.usize(..16)).map(|(tuples, arrived)| {
        json!({ "tuples": tuples, "arrived_per_sec": arrived, "processed_per_sec": 100.0 })
    });
    let input = |random: &mut Rng, from: &str| {
        let grouping = ["shuffle", "fields", "all", "global", "local_or_shuffle"][random.usize(..5)];
        json!({ "from": from, "stream": "default", "grouping": grouping, "tuples_per_sec": rate(random, told) })
    };
    let heap = |random: &mut Rng| if memory { json!(random.u32(32..256)) } else { Value::Null };
    json!({
        "id": format!("t{at}"), "name": format!("t{at}"), "workers": random.u32(1..6),
        "enabled": random.u8(..8) != 0,
        "worker_heap_max_mib": if memory && random.bool() { json!(random.u32(256..1024)) } else { Value::Null },
        "last_change_secs": if random.u8(..8) == 0 { json!(10.0) } else { Value::Null },
        "components": [
            { "id": "a", "kind": "bolt", "onheap_request_mib": heap(random), "offheap_request_mib": heap(random) },
            { "id": "b", "kind": "bolt", "onheap_request_mib": heap(random), "cpu_request_pcore": 20.0,
              "inputs": [input(random, "a"), input(random, "b")] },
            { "id": "__acker", "kind": "system", "inputs": [input(random, "a"), input(random, "gone")] },
        ],
        "executors": executors, "checkpoints": copies, "backlog": backlog, "traffic": pairs,
    })
}

/// Mostly not measured, and never where nothing is told of a topology.
fn rate(random: &mut Rng, told: bool) -> Value {
    if random.u8(..3) == 0 && told { json!(random.u32(..1000)) } else { Value::Null }
}

fn shuffled(request: &Request, seed: u64) -> Request {
    let mut random = Rng::with_seed(seed);
    let mut other = request.clone();
    random.shuffle(&mut other.nodes);
    random.shuffle(&mut other.topologies);
    for topology in &mut other.topologies {
        random.shuffle(&mut topology.components);
        random.shuffle(&mut topology.executors);
        random.shuffle(&mut topology.traffic);
        random.shuffle(&mut topology.worker_cpu);
        topology.components.iter_mut().for_each(|component| random.shuffle(&mut component.inputs));
    }
    other
}

/// What a plan says, the id aside: that one names the bytes of the request.
fn without_id(mut reply: Reply) -> Reply {
    reply.id.clear();
    reply
}

fn moved(reply: &Reply) -> usize {
    reply.moves.iter().filter(|step| step.from.is_some()).map(|step| step.executors.len()).sum()
}

/// Every strategy of the registry but CBC's, which takes seconds where the others take milliseconds.
fn strategies() -> impl Iterator<Item = &'static str> {
    bench::strategies().into_iter().filter(|name| *name != "milp")
}

/// What a plan is worth, the goals in their order; less is better.
fn worth(reply: &Reply) -> (f64, f64, f64) {
    let after = reply.after.as_ref().expect("not refused");
    (after.overload, after.load_distance.max(0.2), after.drained_cores)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn the_judge_finds_nothing(nodes in NODES, topologies in TOPOLOGIES, seed: u64) {
        for strategy in strategies() {
            let request = request(nodes, topologies, seed, strategy);
            let reply = answer(&request);
            prop_assert!(reply.refusal.is_none(), "{strategy}: {:?}", reply.refusal);
            let violations = verify(&request, &reply);
            prop_assert!(violations.is_empty(), "{strategy}: {violations:?}");
            if reply.moves.is_empty() {
                prop_assert!(!reply.notes.is_empty(), "{strategy}: a round without a move says why");
            }
        }
    }

    #[test]
    fn order_means_nothing(nodes in NODES, topologies in TOPOLOGIES, seed: u64) {
        for strategy in strategies() {
            let request = request(nodes, topologies, seed, strategy);
            let one = without_id(answer(&request));
            let other = without_id(answer(&shuffled(&request, seed ^ 1)));
            prop_assert_eq!(one, other);
        }
    }

    #[test]
    fn never_worse_than_to_stay(nodes in NODES, topologies in TOPOLOGIES, seed: u64) {
        // Where scaling acts, each plans a cluster of its own, since what it drains depends on the plan before.
        let advised = |strategy| {
            let mut request = request(nodes, topologies, seed, strategy);
            request.settings.insert("scale.mode".to_owned(), json!("advise"));
            answer(&request)
        };
        let stayed = advised("stay");
        prop_assert_eq!(moved(&stayed), 0);
        for strategy in strategies() {
            let planned = advised(strategy);
            prop_assert!(
                worth(&planned) <= worth(&stayed),
                "{strategy}: {:?} after {:?}", worth(&planned), worth(&stayed)
            );
        }
    }

    #[test]
    fn the_same_bytes_give_the_same_bytes(nodes in NODES, topologies in TOPOLOGIES, seed: u64) {
        for strategy in strategies() {
            let bytes = serde_json::to_vec(&request(nodes, topologies, seed, strategy)).expect("a request");
            prop_assert_eq!(answer_bytes(&bytes), answer_bytes(&bytes));
        }
    }
}

#[cfg(feature = "cbc")]
proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn the_judge_finds_nothing_in_what_cbc_placed(nodes in NODES, topologies in TOPOLOGIES, seed: u64) {
        let request = request(nodes, topologies, seed, "milp");
        let reply = answer(&request);
        prop_assert!(reply.refusal.is_none(), "{:?}", reply.refusal);
        prop_assert!(verify(&request, &reply).is_empty());
        // Where scaling acts, each plans a cluster of its own.
        let mut request = request;
        request.settings.insert("scale.mode".to_owned(), json!("advise"));
        let mut stayed = request.clone();
        stayed.settings.insert("strategy".to_owned(), json!("stay"));
        prop_assert!(worth(&answer(&request)) <= worth(&answer(&stayed)));
    }
}

#[test]
fn the_requests_are_worth_judging() {
    let replies: Vec<Reply> = (0..200).map(|seed| answer(&request(4, 3, seed, "search"))).collect();
    assert!(replies.iter().filter(|reply| moved(reply) > 0).count() > 40);
    let kinds: std::collections::BTreeSet<String> =
        replies.iter().flat_map(|reply| &reply.moves).map(|step| format!("{:?}", step.kind)).collect();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
    let traffic = |reply: &Reply| reply.before.as_ref().and_then(|before| before.traffic.clone());
    let known: Vec<_> = replies.iter().filter_map(traffic).collect();
    assert!(known.len() > 100 && known.len() < 200, "{} with traffic", known.len());
    assert!(known.iter().filter(|traffic| traffic.estimated > 0.0 && traffic.estimated < 1.0).count() > 20);
    assert!(replies.iter().flat_map(|r| &r.moves).any(|m| m.executors.contains(&TaskRange(1, 1))));
    let scaling = || replies.iter().filter_map(|reply| reply.scaling.as_ref());
    for verdict in ["None", "Out", "In"] {
        let given = scaling().filter(|scaling| format!("{:?}", scaling.verdict) == verdict).count();
        assert!(given > 0, "{verdict} is never advised");
    }
    assert!(scaling().any(|scaling| !scaling.keep.is_empty()), "nothing is ever kept");
    let ships = |reply: &&Reply| reply.cost.shipped_bytes.is_some_and(|bytes| bytes > 0);
    assert!(replies.iter().filter(ships).count() > 20);
}

/// Requests whose plan moves something, of 200.
fn moving(strategy: &str) -> usize {
    let requests = (0..200).map(|seed| request(4, 3, seed, strategy));
    requests.filter(|request| moved(&answer(request)) > 0).count()
}

#[test]
fn every_baseline_moves_something_worth_judging() {
    let moving: Vec<(&str, usize)> =
        ["cola", "even", "flux", "potc"].into_iter().map(|strategy| (strategy, moving(strategy))).collect();
    assert!(moving.iter().all(|(_, requests)| *requests >= 10), "{moving:?}");
}
