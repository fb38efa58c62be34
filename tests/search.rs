//! What the strategy `search` finds on small cases worked out by hand.

use std::collections::BTreeMap;

use ballast::engine::answer;
use ballast::wire::{NoteCode, Reply, Request, Verdict};
use serde_json::{Value, json};

/// A cluster in points (percent of one core): nodes with capacity and number of slots, workers by node and slot.
#[derive(Clone)]
struct Case {
    nodes: Vec<(&'static str, f64, u16)>,
    asked: u32,
    workers: Vec<(&'static str, u16, Vec<f64>)>,
    settings: Value,
}

impl Case {
    fn request(&self) -> Request {
        let mut tasks = 0;
        let executors: Vec<Value> = self
            .workers
            .iter()
            .flat_map(|(node, slot, loads)| loads.iter().map(move |load| (*node, *slot, *load)))
            .map(|(node, slot, load)| {
                tasks += 1;
                json!({ "tasks": [tasks, tasks], "component": "b", "node": node, "port": 6700 + slot,
                        "cpu_cores": load / 100.0 })
            })
            .collect();
        let nodes: Vec<Value> = self
            .nodes
            .iter()
            .map(|(id, capacity, slots)| {
                let ports: Vec<u16> = (6700..6700 + slots).collect();
                json!({ "id": id, "host": id, "cpu_cores": capacity / 100.0, "ports": ports })
            })
            .collect();
        let request = json!({ "ballast": "snapshot", "version": 1, "generation": 1, "settings": self.settings,
            "nodes": nodes,
            "topologies": [{ "id": "t1", "name": "t1", "workers": self.asked,
                "components": [{ "id": "b", "kind": "bolt" }], "executors": executors }] });
        serde_json::from_value(request).expect("the case is a request")
    }

    fn answer(&self) -> Reply {
        answer(&self.request())
    }
}

fn loads(reply: &Reply) -> Vec<i64> {
    let nodes = &reply.after.as_ref().expect("a plan").nodes;
    nodes.iter().map(|node| (node.load_cores * 100.0).round() as i64).collect()
}

/// The same request after the plan was carried out.
fn carried_out(request: &Request, reply: &Reply) -> Request {
    let mut next = request.clone();
    let mut slots = BTreeMap::new();
    for assignment in &reply.assignments {
        for worker in &assignment.workers {
            for tasks in &worker.executors {
                slots.insert((assignment.topology.clone(), *tasks), (worker.node.clone(), worker.port));
            }
        }
    }
    for topology in &mut next.topologies {
        for executor in &mut topology.executors {
            if let Some((node, port)) = slots.get(&(topology.id.clone(), executor.tasks)) {
                (executor.node, executor.port) = (Some(node.clone()), Some(*port));
            }
        }
    }
    next
}

fn empty_node() -> Case {
    let worker = |node, slot| (node, slot, vec![50.0, 50.0]);
    Case {
        nodes: vec![("sA", 400.0, 4), ("sB", 400.0, 4), ("sC", 400.0, 4)],
        asked: 6,
        workers: vec![
            worker("sA", 0),
            worker("sA", 1),
            worker("sA", 2),
            worker("sB", 0),
            worker("sB", 1),
            worker("sB", 2),
        ],
        settings: json!({ "budget.restarts": 2 }),
    }
}

#[test]
fn an_empty_node_gets_one_worker_of_each_full_one() {
    let reply = empty_node().answer();
    assert_eq!((loads(&reply), reply.cost.restarts, reply.moves.len()), (vec![200, 200, 200], 2, 2));
    assert_eq!(reply.cost.executors_paused, 4);
    let certificate = reply.certificate.unwrap();
    assert!(certificate.optimal, "{certificate:?}");
}

#[test]
fn one_restart_a_round_fills_the_empty_node_in_two() {
    let mut case = empty_node();
    case.settings = json!({ "budget.restarts": 1 });
    let mut request = case.request();
    let mut seen = Vec::new();
    for _ in 0..3 {
        let reply = answer(&request);
        let mut sorted = loads(&reply);
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        seen.push((sorted, reply.cost.restarts));
        request = carried_out(&request, &reply);
    }
    let level = vec![200, 200, 200];
    assert_eq!(seen, [(vec![300, 200, 100], 1), (level.clone(), 1), (level, 0)]);
}

#[test]
fn more_budget_than_needed_is_not_spent() {
    let mut case = empty_node();
    case.settings = json!({ "budget.restarts": 6 });
    assert_eq!(case.answer().cost.restarts, 2);
}

#[test]
fn two_restarts_exchange_what_one_node_has_too_much_of() {
    let mut case = Case {
        nodes: vec![("n1", 400.0, 1), ("n2", 400.0, 1), ("n3", 400.0, 1)],
        asked: 3,
        workers: vec![("n1", 0, vec![90.0, 90.0]), ("n2", 0, vec![10.0, 10.0]), ("n3", 0, vec![10.0, 10.0])],
        settings: json!({ "budget.restarts": 2 }),
    };
    let reply = case.answer();
    assert_eq!((loads(&reply).into_iter().max(), reply.cost.restarts), (Some(100), 2), "{reply:?}");
    case.settings = json!({ "budget.restarts": 3, "load.distance.max": 0.0 });
    let reply = case.answer();
    assert_eq!((loads(&reply).into_iter().max(), reply.cost.restarts), (Some(90), 3), "{reply:?}");
}

/// One worker on each of two nodes, four asked for, and one restart a round.
fn two_workers_short() -> Case {
    Case {
        nodes: vec![("n1", 400.0, 2), ("n2", 400.0, 2)],
        asked: 4,
        workers: vec![("n1", 0, vec![50.0; 4]), ("n2", 0, vec![50.0; 4])],
        settings: json!({ "budget.restarts": 1 }),
    }
}

#[test]
fn a_missing_worker_is_opened_on_the_same_node_one_restart_a_round() {
    let mut request = two_workers_short().request();
    for round in 0..3 {
        let reply = answer(&request);
        let changed = u32::from(round < 2);
        assert_eq!((reply.cost.restarts, reply.cost.starts), (changed, changed), "round {round}: {reply:?}");
        assert_eq!(loads(&reply), [200, 200]);
        request = carried_out(&request, &reply);
    }
    let mut sizes = BTreeMap::new();
    for executor in &request.topologies[0].executors {
        *sizes.entry((executor.node.clone(), executor.port)).or_insert(0) += 1;
    }
    assert_eq!(sizes.into_values().collect::<Vec<_>>(), [2, 2, 2, 2]);
}

#[test]
fn where_the_heap_decides_no_worker_is_missing() {
    let mut request = two_workers_short().request();
    request.topologies[0].worker_heap_max_mib = Some(768.0);
    let reply = answer(&request);
    assert_eq!((reply.verdict, reply.cost.restarts), (Verdict::Unchanged, 0), "{reply:?}");
}

#[test]
fn workers_beyond_the_executors_are_never_opened() {
    let case = Case {
        nodes: vec![("n1", 400.0, 5), ("n2", 400.0, 5)],
        asked: 10,
        workers: vec![
            ("n1", 0, vec![50.0]),
            ("n1", 1, vec![50.0]),
            ("n2", 0, vec![50.0]),
            ("n2", 1, vec![50.0]),
        ],
        settings: json!({ "budget.restarts": 4 }),
    };
    let reply = case.answer();
    assert_eq!((reply.verdict, reply.moves.len()), (Verdict::Unchanged, 0));
}

#[test]
fn ackers_in_one_worker_are_dealt_out() {
    let mut case = Case {
        nodes: vec![("n1", 400.0, 1), ("n2", 400.0, 1), ("n3", 400.0, 1), ("n4", 400.0, 1)],
        asked: 4,
        workers: vec![
            ("n1", 0, vec![20.0, 30.0, 10.0, 10.0, 10.0, 10.0]),
            ("n2", 0, vec![20.0, 30.0]),
            ("n3", 0, vec![20.0, 30.0]),
            ("n4", 0, vec![20.0, 30.0]),
        ],
        settings: json!({ "budget.restarts": 2, "load.distance.max": 0.0 }),
    };
    let sorted = |reply: &Reply| {
        let mut sorted = loads(reply);
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        sorted
    };
    assert_eq!(sorted(&case.answer()), [70, 70, 50, 50]);
    case.settings = json!({ "budget.restarts": 4, "load.distance.max": 0.0 });
    assert_eq!(sorted(&case.answer()), [60, 60, 60, 60]);
}

#[test]
fn unequal_nodes_are_balanced_by_utilisation() {
    let case = Case {
        nodes: vec![("n1", 1600.0, 1), ("n2", 400.0, 1)],
        asked: 2,
        workers: vec![("n1", 0, vec![50.0; 10]), ("n2", 0, vec![50.0; 10])],
        settings: json!({ "budget.restarts": 2 }),
    };
    assert_eq!(loads(&case.answer()), [800, 200]);
}

#[test]
fn a_node_that_joins_gets_its_share_and_no_more() {
    let case = Case {
        nodes: vec![("n1", 400.0, 1), ("n2", 400.0, 1), ("n3", 400.0, 1), ("n4", 400.0, 1)],
        asked: 4,
        workers: vec![("n1", 0, vec![40.0; 6]), ("n2", 0, vec![40.0; 6]), ("n3", 0, vec![40.0; 6])],
        settings: json!({ "budget.restarts": 4 }),
    };
    let reply = case.answer();
    let mut sorted = loads(&reply);
    sorted.sort_unstable();
    assert_eq!(sorted, [160, 160, 200, 200]);
    assert_eq!(loads(&reply)[3], 160, "four to the new node");
    let carried: usize = reply.moves.iter().map(|m| m.executors.len()).sum();
    assert_eq!(carried, 4);
    assert!(reply.moves.iter().all(|m| m.to.node == "n4"));
    assert_eq!((reply.cost.restarts, reply.cost.starts), (3, 1));
}

#[test]
fn an_emptied_node_attracts_its_share_only() {
    let workers = |node, first: u16| (first..first + 9).map(move |slot| (node, slot - first, vec![40.0]));
    let case = Case {
        nodes: vec![("n1", 400.0, 10), ("n2", 400.0, 10), ("n3", 400.0, 10)],
        asked: 18,
        workers: workers("n1", 0).chain(workers("n2", 0)).collect(),
        settings: json!({ "budget.restarts": 6 }),
    };
    let reply = case.answer();
    assert_eq!((loads(&reply), reply.cost.restarts), (vec![240, 240, 240], 6));
}

#[test]
fn nothing_is_moved_where_nothing_is_gained() {
    let with = |nodes: Vec<(&'static str, f64, u16)>, workers: Vec<(&'static str, u16, Vec<f64>)>| Case {
        asked: workers.len() as u32,
        nodes,
        workers,
        settings: json!({ "budget.restarts": 4 }),
    };
    let five = ["n1", "n2", "n3", "n4", "n5"];
    let cases = [
        with(
            five.map(|id| (id, 400.0, 3)).to_vec(),
            five.iter().flat_map(|id| [(*id, 0, vec![50.0]), (*id, 1, vec![50.0])]).collect(),
        ),
        with(
            vec![("n1", 400.0, 3), ("n2", 400.0, 3)],
            vec![("n1", 0, vec![100.0]), ("n1", 1, vec![100.0]), ("n2", 0, vec![100.0])],
        ),
        with(vec![("n1", 400.0, 3)], vec![("n1", 0, vec![100.0, 50.0])]),
        with(vec![("n1", 400.0, 2), ("n2", 400.0, 2)], vec![("n1", 0, vec![52.0]), ("n2", 0, vec![48.0])]),
        with(vec![("n1", 400.0, 2), ("n2", 400.0, 2)], vec![("n1", 0, vec![2.0, 2.0]), ("n2", 0, vec![2.0])]),
    ];
    for (at, case) in cases.iter().enumerate() {
        let reply = case.answer();
        assert!(reply.moves.is_empty(), "case {at}: {reply:?}");
        assert!(!reply.notes.is_empty(), "case {at} says why");
    }
}

#[test]
fn a_plan_that_is_not_enough_says_so() {
    let case = Case {
        nodes: vec![("n1", 400.0, 10), ("n2", 400.0, 10)],
        asked: 10,
        workers: (0..9).map(|slot| ("n1", slot, vec![40.0])).chain([("n2", 0, vec![40.0])]).collect(),
        settings: json!({ "budget.restarts": 1, "load.distance.max": 0.15 }),
    };
    let reply = case.answer();
    assert_eq!((loads(&reply), reply.verdict), (vec![320, 80], Verdict::Unsatisfied));
    let said = reply.notes.iter().find(|note| note.code == NoteCode::NoBetterPlan);
    assert!(said.is_some_and(|note| note.detail.contains("2 more")), "{:?}", reply.notes);
}

#[cfg(feature = "cbc")]
#[test]
fn cbc_relocates_the_same_two_workers() {
    let mut case = empty_node();
    case.settings = json!({ "budget.restarts": 2, "strategy": "milp" });
    let reply = case.answer();
    assert_eq!((loads(&reply), reply.cost.restarts), (vec![200, 200, 200], 2), "{reply:?}");
    assert_eq!(reply.certificate.expect("a strategy ran").strategy, "milp");
}

#[cfg(feature = "cbc")]
#[test]
fn without_the_milp_the_search_plans_and_says_so() {
    let mut case = empty_node();
    case.settings = json!({ "budget.restarts": 2, "strategy": "milp", "solver.milp": false });
    let reply = case.answer();
    assert_eq!(loads(&reply), [200, 200, 200]);
    assert!(reply.notes.iter().any(|note| note.code == NoteCode::MilpOff), "{:?}", reply.notes);
}

/// Nodes that leave pay with restarts too: the budget's worth a round, until nothing is left on them.
#[test]
fn a_draining_node_is_emptied_in_as_many_rounds_as_the_budget_takes() {
    let case = Case {
        nodes: vec![("n1", 400.0, 6), ("n2", 400.0, 6), ("n3", 400.0, 6), ("n4", 400.0, 6)],
        asked: 12,
        workers: ["n1", "n2", "n3", "n4"]
            .into_iter()
            .flat_map(|node| (0..3).map(move |slot| (node, slot, vec![50.0])))
            .collect(),
        settings: json!({ "budget.restarts": 2, "drain.nodes": ["n4"] }),
    };
    let mut request = case.request();
    let mut left = Vec::new();
    for _ in 0..3 {
        let reply = answer(&request);
        left.push(loads(&reply)[3]);
        request = carried_out(&request, &reply);
    }
    assert_eq!(left, [50, 0, 0]);
    assert_eq!(loads(&answer(&request)), [200, 200, 200, 0]);
}

#[test]
fn one_topology_too_large_for_any_node_does_not_hide_the_others() {
    // The single worker on n1 cannot be made lighter, so the load distance cannot fall; n2 can still give to n3.
    let mut workers = vec![("n1", 0, vec![390.0])];
    workers.extend((0..6).map(|slot| ("n2", slot, vec![40.0])));
    let case = Case {
        nodes: vec![("n1", 400.0, 8), ("n2", 400.0, 8), ("n3", 400.0, 8)],
        asked: 7,
        workers,
        settings: json!({ "budget.restarts": 4, "overload": 1.0 }),
    };
    assert_eq!(loads(&case.answer()), [390, 120, 120]);
}
