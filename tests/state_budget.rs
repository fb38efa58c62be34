//! The state that restarted executors read again: counted as it is, and never more than `budget.state.mib`.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use ballast::bench;
use ballast::engine::answer;
use ballast::verify::verify;
use ballast::wire::{NoteCode, Reply, Request, Verdict};
use serde_json::{Value, json};

const MIB: u64 = 1 << 20;

/// Two nodes, one executor a worker: six of 0.5 cores on n1, none on n2, with so many MiB of state each.
fn uneven(strategy: &str, mib: [u64; 6], limit: Value) -> Request {
    let executors: Vec<Value> = (0..6)
        .map(|at| {
            json!({ "tasks": [at, at], "component": "b", "node": "n1", "port": 6700 + at, "cpu_cores": 0.5,
                    "state_bytes": mib[at] * MIB })
        })
        .collect();
    let node = |id: &str| json!({ "id": id, "host": id, "cpu_cores": 4.0, "ports": [6700, 6701, 6702, 6703, 6704, 6705] });
    let request = json!({
        "ballast": "snapshot", "version": 1, "generation": 1,
        "settings": { "strategy": strategy, "budget.restarts": 6, "budget.state.mib": limit, "load.distance.max": 0.0 },
        "nodes": [node("n1"), node("n2")],
        "topologies": [{ "id": "t", "name": "t", "workers": 6, "components": [{ "id": "b", "kind": "bolt" }],
                         "executors": executors }],
    });
    serde_json::from_value(request).unwrap()
}

fn judged(request: &Request) -> Reply {
    let reply = answer(request);
    assert_eq!(reply.refusal, None);
    assert_eq!(verify(request, &reply), []);
    reply
}

/// Strategies that move by load: `stay` never moves, and `cola` only where executors talk.
fn movers() -> impl Iterator<Item = &'static str> {
    bench::strategies().into_iter().filter(|name| !["stay", "cola"].contains(name))
}

#[test]
fn no_strategy_ships_more_state_than_its_budget() {
    for strategy in movers() {
        let free = judged(&uneven(strategy, [100; 6], Value::Null));
        assert!(free.cost.shipped_bytes >= Some(200 * MIB), "{strategy}: {:?}", free.cost);
        let held = judged(&uneven(strategy, [100; 6], json!(199)));
        assert_eq!(held.cost.shipped_bytes, Some(100 * MIB), "{strategy}: {:?}", held.cost);
        assert_eq!(held.verdict, Verdict::Unsatisfied, "{strategy}");
        let none = judged(&uneven(strategy, [100; 6], json!(99)));
        assert_eq!((none.cost.restarts, none.cost.shipped_bytes), (0, None), "{strategy}");
        assert!(none.notes.iter().any(|note| note.code == NoteCode::NoBetterPlan), "{strategy}");
    }
}

#[test]
fn of_plans_alike_in_balance_the_one_that_ships_least_is_made() {
    let reply = judged(&uneven("search", [100, 1, 200, 3, 2, 300], Value::Null));
    assert_eq!((reply.cost.restarts, reply.cost.shipped_bytes), (3, Some(6 * MIB)), "{:?}", reply.moves);
}

/// Field case D14: A 50 pt with 8 GB, B 50 pt with 10 MB and C 50 pt without state share a worker of n1.
fn d14() -> Request {
    let executor = |task: i32, node: &str, state: u64| {
        json!({ "tasks": [task, task], "component": "b", "node": node, "port": 6700, "cpu_cores": 0.5,
                "state_bytes": state })
    };
    let node = |id: &str| json!({ "id": id, "host": id, "cpu_cores": 4.0, "ports": [6700] });
    let request = json!({
        "ballast": "snapshot", "version": 1, "generation": 1,
        "settings": { "budget.restarts": 2, "load.distance.max": 0.0 },
        "nodes": [node("n1"), node("n2")],
        "topologies": [{ "id": "t", "name": "t", "workers": 2, "components": [{ "id": "b", "kind": "bolt" }],
            "executors": [executor(1, "n1", 8_000_000_000), executor(2, "n1", 10_000_000), executor(3, "n1", 0),
                          executor(4, "n2", 0)] }],
    });
    serde_json::from_value(request).unwrap()
}

#[test]
fn whoever_leaves_a_worker_the_others_of_it_read_their_state_again() {
    let reply = judged(&d14());
    assert_eq!(reply.cost.restarts, 2);
    assert_eq!(reply.cost.shipped_bytes, Some(8_010_000_000));
}

#[test]
fn a_copy_on_the_node_where_an_executor_restarts_leaves_only_what_changed_to_ship() {
    let mut request = d14();
    let copy = json!([{ "executor": [1, 1], "node": "n1", "bytes": 8_000_000_000_u64, "delta_bytes": 5_000 },
                      { "executor": [1, 1], "node": "elsewhere", "bytes": 1, "delta_bytes": 0 }]);
    request.topologies[0].checkpoints = serde_json::from_value(copy).unwrap();
    let reply = judged(&request);
    assert!(!reply.moves.iter().any(|step| step.executors[0].0 == 1), "it is cheapest where its copy is");
    assert_eq!(reply.cost.shipped_bytes, Some(10_005_000));
}

#[test]
fn nothing_is_said_of_state_that_nobody_measured() {
    let mut request = d14();
    request.topologies[0].executors.iter_mut().for_each(|executor| executor.state_bytes = None);
    let reply = judged(&request);
    assert_eq!((reply.cost.restarts, reply.cost.shipped_bytes), (2, None));
}

#[test]
fn a_restart_with_a_price_is_spent_where_it_saves_more_state_than_that() {
    let planned = |price: Value| {
        let mut request = uneven("search", [1000, 1, 1, 1, 1, 0], Value::Null);
        for (executor, cores) in
            request.topologies[0].executors.iter_mut().zip([1.0, 0.5, 0.5, 0.5, 0.5, 0.0])
        {
            executor.cpu_cores = Some(cores);
        }
        request.settings.insert("cost.restart.mib".to_owned(), price);
        let reply = judged(&request);
        assert!(reply.after.unwrap().load_distance < 1e-6);
        (reply.cost.restarts, reply.cost.shipped_bytes.unwrap() / MIB)
    };
    assert_eq!(planned(Value::Null), (2, 1001));
    assert_eq!(planned(json!(10)), (3, 3));
    assert_eq!(planned(json!(2000)), (2, 1001));
}
