//! Placement on random clusters: the judge finds nothing, nothing running moves, order changes nothing, and what is
//! left out really fits nowhere.

use ballast::engine::answer;
use ballast::verify::verify;
use ballast::wire::{Reply, Request, Verdict};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Numbers drawn from a list that proptest shrinks; zeros when it ends.
struct Draws(std::vec::IntoIter<u32>);

impl Draws {
    fn below(&mut self, end: u32) -> u32 {
        self.0.next().unwrap_or(0) % end
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == n - 1
    }
}

fn cluster(draws: Vec<u32>) -> Request {
    let mut draws = Draws(draws.into_iter());
    let nodes: Vec<Value> = (0..1 + draws.below(5)).map(|at| node(&mut draws, at)).collect();
    // Each slot is at most one topology's.
    let mut slots: Vec<(Value, Value)> = Vec::new();
    for node in &nodes {
        let ports = node["ports"].as_array().into_iter().flatten();
        slots.extend(ports.map(|port| (node["id"].clone(), port.clone())));
    }
    let topologies: Vec<Value> =
        (0..1 + draws.below(4)).map(|at| topology(&mut draws, at, &mut slots)).collect();
    let request = json!({"ballast": "snapshot", "version": 1, "ask": "place", "generation": 3,
                         "nodes": nodes, "topologies": topologies});
    serde_json::from_value(request).expect("a request by the contract")
}

fn node(draws: &mut Draws, at: u32) -> Value {
    let ports: Vec<u32> = (0..1 + draws.below(4)).map(|port| 6700 + port).collect();
    let mut node = json!({"id": format!("n{at}"), "host": format!("h{at}"), "ports": ports,
                          "cpu_cores": f64::from(draws.below(5)), "rack": format!("r{}", at % 2)});
    if draws.one_in(3) {
        node["memory_mib"] = json!(100 * (1 + draws.below(10)));
    }
    if draws.one_in(5) {
        node["seen_rounds"] = json!(1);
    }
    if draws.one_in(5) {
        node["avoid_ports"] = json!([6700]);
    }
    node["state"] = json!(["active", "active", "active", "unusable", "draining"][draws.below(5) as usize]);
    node
}

fn topology(draws: &mut Draws, at: u32, slots: &mut Vec<(Value, Value)>) -> Value {
    let packs = draws.one_in(2);
    let components: Vec<Value> = (0..1 + draws.below(3))
        .map(|c| {
            let mut component = json!({"id": format!("c{c}"), "kind": "bolt"});
            if packs {
                component["onheap_request_mib"] = json!(50 * draws.below(4));
                component["cpu_request_pcore"] = json!(30 * draws.below(4));
            }
            if c > 0 {
                component["inputs"] =
                    json!([{"from": format!("c{}", c - 1), "stream": "default", "grouping": "shuffle"}]);
            }
            component
        })
        .collect();
    let mut own: Vec<(Value, Value)> = Vec::new();
    let executors: Vec<Value> = (0..draws.below(12))
        .map(|task| {
            let component = format!("c{}", draws.below(components.len() as u32));
            let mut executor = json!({"tasks": [task, task], "component": component,
                                      "cpu_cores": f64::from(draws.below(50)) / 50.0});
            if draws.one_in(2) {
                executor["received_per_sec"] = json!(draws.below(100));
            }
            if draws.one_in(3) {
                if !slots.is_empty() && (own.is_empty() || draws.one_in(3)) {
                    own.push(slots.swap_remove(draws.below(slots.len() as u32) as usize));
                }
                if !own.is_empty() {
                    let (node, port) = &own[draws.below(own.len() as u32) as usize];
                    (executor["node"], executor["port"]) = (node.clone(), port.clone());
                }
            } else if draws.one_in(3) {
                executor["last_node"] = json!(format!("n{}", draws.below(6)));
                executor["last_port"] = json!(6700 + draws.below(5));
            }
            executor
        })
        .collect();
    let mut topology = json!({"id": format!("t{at}"), "name": format!("t{at}"), "workers": draws.below(6),
                              "components": components, "executors": executors, "enabled": !draws.one_in(8),
                              "priority": draws.below(3)});
    if packs {
        topology["worker_heap_max_mib"] = json!(100 * (1 + draws.below(4)));
    }
    topology
}

fn turned(request: &Request) -> Request {
    let mut turned = request.clone();
    turned.nodes.reverse();
    turned.topologies.reverse();
    for topology in &mut turned.topologies {
        topology.components.reverse();
        topology.executors.reverse();
    }
    turned
}

/// What is carried out of a reply, and why the rest is not.
fn result(reply: &Reply) -> Value {
    json!([reply.assignments, reply.moves, reply.notes, reply.after])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn placement_keeps_every_rule(draws in prop::collection::vec(any::<u32>(), 0..160)) {
        let request = cluster(draws);
        let reply = answer(&request);
        prop_assert_ne!(reply.verdict, Verdict::Refused, "{:?}", reply.refusal);
        prop_assert_eq!(verify(&request, &reply), []);
        prop_assert!(reply.moves.iter().all(|step| step.from.is_none()), "{:?}", reply.moves);
        prop_assert_eq!(result(&answer(&turned(&request))), result(&reply));
    }

    #[test]
    fn a_free_slot_without_limits_leaves_nobody_homeless(draws in prop::collection::vec(any::<u32>(), 0..160)) {
        let mut request = cluster(draws);
        for node in &mut request.nodes {
            (node.memory_mib, node.state) = (None, ballast::wire::NodeState::Active);
        }
        request.topologies.truncate(1);
        request.topologies[0].worker_heap_max_mib = None;
        request.topologies[0].enabled = true;
        prop_assert_ne!(answer(&request).verdict, Verdict::Unsatisfied);
    }
}
