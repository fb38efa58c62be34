//! Each baseline does what its paper says, on clusters small enough to count.

use ballast::engine::answer;
use ballast::wire::{Reply, Request};
use serde_json::{Value, json};

/// Nodes of 10 cores and 6 slots, each with workers of one executor of the given loads on ports from 6700 on.
fn cluster(strategy: &str, budget: u32, loads: &[&[f64]]) -> Request {
    let nodes: Vec<Value> = (0..loads.len())
        .map(|at| {
            let ports: Vec<u16> = (6700..6706).collect();
            json!({ "id": format!("n{at}"), "host": format!("n{at}"), "cpu_cores": 10.0, "ports": ports })
        })
        .collect();
    let mut executors = Vec::new();
    for (at, node) in loads.iter().enumerate() {
        for (port, load) in node.iter().enumerate() {
            let task = executors.len() + 1;
            executors.push(json!({ "tasks": [task, task], "component": "b", "node": format!("n{at}"),
                "port": 6700 + port, "cpu_cores": load }));
        }
    }
    let request = json!({
        "ballast": "snapshot", "version": 1, "generation": 1, "nodes": nodes,
        "settings": { "strategy": strategy, "budget.restarts": budget, "gain.min": 0.0,
            "load.distance.max": 0.0, "load.floor.cores": 0.0, "overload": 1.0 },
        "topologies": [ { "id": "t", "name": "t", "workers": executors.len(),
            "components": [ { "id": "b", "kind": "bolt" } ], "executors": executors } ],
    });
    serde_json::from_value(request).expect("a request")
}

/// Moves as (port on its node, node left, node reached), by topology and slot left.
fn moves(reply: &Reply) -> Vec<(String, u16, String)> {
    let step = |step: &ballast::wire::Move| {
        let from = step.from.clone().expect("nobody is homeless");
        (from.node, from.port, step.to.node.clone())
    };
    reply.moves.iter().map(step).collect()
}

fn step(from: &str, port: u16, to: &str) -> (String, u16, String) {
    (from.to_owned(), port, to.to_owned())
}

#[test]
fn even_levels_the_number_of_workers_and_takes_the_last_dealt() {
    let reply = answer(&cluster("even", 9, &[&[1.0, 1.0, 1.0, 1.0], &[1.0], &[1.0]]));
    assert_eq!(moves(&reply), [step("n0", 6702, "n2"), step("n0", 6703, "n1")]);
    assert_eq!(reply.certificate.expect("it was planned").strategy, "even");
}

#[test]
fn even_moves_nothing_for_load_alone() {
    let reply = answer(&cluster("even", 9, &[&[4.0, 4.0], &[0.5, 0.5]]));
    assert_eq!(moves(&reply), []);
}

#[test]
fn even_gives_up_what_would_be_worse_by_load() {
    // The node with the most workers is the one with the least load.
    let reply = answer(&cluster("even", 9, &[&[0.1, 0.1, 0.1, 0.1], &[8.0], &[1.0]]));
    assert_eq!(moves(&reply), []);
}

#[test]
fn even_keeps_within_the_budget() {
    let reply = answer(&cluster("even", 1, &[&[1.0, 1.0, 1.0, 1.0], &[1.0], &[1.0]]));
    assert_eq!(moves(&reply), [step("n0", 6703, "n1")]);
}

#[test]
fn flux_pairs_the_nodes_from_both_ends_and_moves_the_largest_that_helps() {
    // n0 8.0 with n3 1.0: all but 7.5 would help, the largest of them is 0.5; n1 6.0 with n2 2.0: 3.0 helps.
    let reply = answer(&cluster("flux", 2, &[&[7.5, 0.5], &[3.0, 2.0, 1.0], &[2.0], &[1.0]]));
    assert_eq!(moves(&reply), [step("n0", 6701, "n3"), step("n1", 6700, "n2")]);
}

#[test]
fn flux_goes_on_in_rounds_until_no_pair_gains() {
    let reply = answer(&cluster("flux", 9, &[&[1.0, 1.0, 1.0, 1.0], &[]]));
    assert_eq!(moves(&reply).len(), 2);
    assert_eq!(reply.after.expect("not refused").load_distance, 0.0);
}

#[test]
fn flux_stops_at_the_budget() {
    let reply = answer(&cluster("flux", 1, &[&[1.0, 1.0, 1.0, 1.0], &[]]));
    assert_eq!(moves(&reply).len(), 1);
}

#[test]
fn potc_leaves_the_most_loaded_node_for_one_of_two_and_never_overfills_it() {
    let loads: [&[f64]; 5] = [&[1.5, 1.4, 1.3, 1.2, 1.1, 1.0], &[1.0], &[0.5], &[0.7], &[0.2]];
    let reply = answer(&cluster("potc", 3, &loads));
    let gone = moves(&reply);
    assert!((1..=3).contains(&gone.len()) && gone.iter().all(|(from, ..)| from == "n0"), "{gone:?}");
    let top = |of: &ballast::wire::Balance| of.nodes.iter().map(|node| node.utilisation).fold(0.0, f64::max);
    assert!(top(&reply.after.expect("not refused")) < top(&reply.before.expect("not refused")));
}

#[test]
fn potc_gives_a_worker_the_same_two_nodes_wherever_it_runs() {
    let reached: std::collections::BTreeSet<String> = (0..6)
        .flat_map(|home| {
            let mut loads: [&[f64]; 6] = [&[]; 6];
            loads[home] = &[5.0, 0.1];
            moves(&answer(&cluster("potc", 1, &loads)))
        })
        .filter_map(|(_, port, to)| (port == 6700).then_some(to))
        .collect();
    assert_eq!(reached.len(), 2, "{reached:?}");
}
