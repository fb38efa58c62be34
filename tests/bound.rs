//! The lower bound and the search against every placement there is, on instances small enough to try them all.

use std::time::Duration;

use ballast::model::{ExecutorIx, Placement, Problem, Slot};
use ballast::objective::{Balance, Migration};
use ballast::settings;
use ballast::snapshot;
use ballast::solve::{self, Budget, bound, restarts_needed, sharpen};
use ballast::units::Share;
use fastrand::Rng;
use serde_json::{Value, json};

/// Two or three nodes, one of them sometimes draining, unusable or unsettled, and one or two topologies.
fn problem(seed: u64, per_worker: usize) -> Problem {
    let mut random = Rng::with_seed(seed);
    let nodes: Vec<Value> = (0..random.usize(2..4))
        .map(|at| {
            let state = ["active", "active", "active", "draining", "unusable"][random.usize(..5)];
            json!({ "id": format!("n{at}"), "host": "h", "cpu_cores": if random.bool() { 2.0 } else { 4.0 },
                    "ports": [1, 2], "state": if at == 0 { "active" } else { state },
                    "seen_rounds": if at > 0 && random.u8(..6) == 0 { json!(0) } else { Value::Null } })
        })
        .collect();
    let mut slots: Vec<(usize, u16)> = (0..nodes.len()).flat_map(|node| [(node, 1), (node, 2)]).collect();
    random.shuffle(&mut slots);
    let mut left = 6;
    let topologies: Vec<Value> = (0..random.usize(1..3))
        .map(|at| {
            let own: Vec<(usize, u16)> = (0..random.usize(1..3)).filter_map(|_| slots.pop()).collect();
            let mut executors = Vec::new();
            for (node, port) in &own {
                for _ in 0..random.usize(1..=per_worker) {
                    if left > 0 {
                        left -= 1;
                        let task = executors.len();
                        let load = f64::from(random.u32(1..100)) / 100.0;
                        executors.push(json!({ "tasks": [task, task], "component": "b", "cpu_cores": load,
                                               "node": format!("n{node}"), "port": port }));
                    }
                }
            }
            json!({ "id": format!("t{at}"), "name": "t", "workers": own.len() + random.usize(..2),
                    "enabled": random.u8(..8) != 0,
                    "components": [{ "id": "b", "kind": "bolt" }], "executors": executors })
        })
        .collect();
    let settings = json!({ "budget.restarts": random.u32(..5), "load.distance.max": 0.0, "overload": 1.0 });
    let request = json!({ "ballast": "snapshot", "version": 1, "generation": 1, "settings": settings,
                          "nodes": nodes, "topologies": topologies });
    let request = serde_json::from_value(request).expect("a request");
    let checked = settings::check(&serde_json::Map::clone(settings.as_object().expect("a map")), &["search"]);
    let mut problem = snapshot::take(&request, &checked.settings).expect("a sound request").problem;
    // Overload comes before balance; here only balance is looked at.
    problem.limits.overload = Share::from_fraction(1e3);
    problem
}

/// Slots that an executor may have: its own, and those of nodes that take moves.
fn choices(problem: &Problem, executor: ExecutorIx) -> Vec<Slot> {
    let own = problem.present.slot(executor).expect("nothing is homeless");
    let state = problem.node(own.node).state;
    let movable = problem.topology(problem.executor(executor).topology).movable;
    if !movable || state == ballast::model::NodeState::Unusable {
        return vec![own];
    }
    let open = problem.node_ids().filter(|ix| problem.node(*ix).takes_moves());
    let slots =
        open.flat_map(|node| problem.node(node).ports.iter().map(move |port| Slot { node, port: *port }));
    let mut slots: Vec<Slot> = slots.filter(|slot| *slot != own).collect();
    slots.push(own);
    slots
}

/// Whether slots are not shared and the number of workers of every topology is right.
fn is_sound(problem: &Problem, placement: &Placement) -> bool {
    let workers = placement.workers(problem);
    let before = problem.present.workers(problem);
    let shared = workers
        .iter()
        .any(|worker| worker.executors.iter().any(|e| problem.executor(*e).topology != worker.topology));
    !shared
        && (0..problem.topologies.len()).all(|at| {
            let count = |of: &[ballast::model::Worker]| of.iter().filter(|w| w.topology.at() == at).count();
            let (was, is, asked) = (count(&before), count(&workers), problem.topologies[at].workers);
            is >= was && is <= was.max(asked)
        })
}

/// The smallest load distance of all placements, by restarts spent: entry k holds that of at most k.
fn by_trying_all(problem: &Problem) -> Vec<Share> {
    let all: Vec<Vec<Slot>> = problem.executor_ids().map(|e| choices(problem, e)).collect();
    let mut least = vec![Share(i64::MAX); 7];
    let mut at = vec![0; all.len()];
    let mut placement = problem.present.clone();
    loop {
        for (executor, slots) in problem.executor_ids().zip(&all) {
            placement.put(executor, slots[at[executor.at()]]);
        }
        if is_sound(problem, &placement) {
            let restarts = Migration::between(problem, &problem.present, &placement).restarts;
            let distance = Balance::of(problem, &placement).load_distance;
            for entry in &mut least[restarts..] {
                *entry = (*entry).min(distance);
            }
        }
        let Some(next) = (0..all.len()).find(|executor| at[*executor] + 1 < all[*executor].len()) else {
            return least;
        };
        at[..next].fill(0);
        at[next] += 1;
    }
}

fn searched(problem: &Problem) -> Share {
    let mut budget = Budget::new(20_000, Duration::from_secs(600));
    let search = solve::by_name("search").expect("it is registered");
    let outcome = search.solve(problem, bound(problem), &mut budget).expect("it never fails");
    Balance::of(problem, &outcome.placement).load_distance
}

#[test]
fn no_placement_beats_the_bound_and_the_search_seldom_misses_the_best() {
    let (mut missed, mut exact, mut count) = (0, 0, 0);
    for seed in 0..150 {
        let problem = problem(seed, 3);
        let least = by_trying_all(&problem);
        let restarts = problem.limits.restarts as usize;
        let (bound, best, found) = (bound(&problem), least[restarts], searched(&problem));
        assert!(bound <= best, "seed {seed}: bound {bound:?}, yet {best:?} is possible");
        assert!(best <= found, "seed {seed}: {found:?} is better than the best of all placements, {best:?}");
        for (spent, distance) in least.iter().enumerate().filter(|(_, distance)| distance.0 < i64::MAX) {
            let needed = restarts_needed(&problem, *distance);
            assert!(
                needed.is_some_and(|n| n <= spent),
                "seed {seed}: {needed:?} for {distance:?}, {spent} do"
            );
        }
        count += 1;
        missed += usize::from(found > best);
        exact += usize::from(bound == best);
    }
    assert!(missed * 20 <= count, "missed the best {missed} of {count} times");
    assert!(exact * 2 >= count, "the bound is exact {exact} of {count} times");
}

#[test]
fn with_one_executor_a_worker_the_bound_counts_single_groups() {
    for seed in 0..60 {
        let problem = problem(seed, 1);
        let all = by_trying_all(&problem);
        let least = all[problem.limits.restarts as usize];
        assert!(bound(&problem) <= least, "seed {seed}");
        assert_eq!(searched(&problem), least, "seed {seed}");
        for (restarts, reached) in all.iter().enumerate() {
            let needed = restarts_needed(&problem, *reached);
            assert!(
                needed.is_some_and(|needed| needed <= restarts),
                "seed {seed}: {needed:?} for {restarts}"
            );
        }
    }
}

#[test]
fn a_dearer_proof_closes_part_of_the_gap_that_search_leaves() {
    use ballast::generate::{Groups, Shares};
    let mut sharper = 0;
    for seed in 0..4 {
        let groups = Groups {
            nodes: 10,
            per_node: 10,
            variation: 0.4,
            shares: Shares::Zipf,
            budget: 5,
            seed,
            state: None,
            target: 0.0,
        };
        let request = groups.request();
        let checked = settings::check(&request.settings, &solve::names());
        let problem = snapshot::take(&request, &checked.settings).expect("a sound request").problem;
        let (cheap, reached) = (bound(&problem), searched(&problem));
        let sharp = sharpen(&problem, cheap, reached, &mut Budget::new(100, Duration::from_secs(600)));
        assert!(cheap <= sharp && sharp <= reached, "seed {seed}: {cheap:?}, {sharp:?}, {reached:?}");
        sharper += usize::from(sharp > cheap);
    }
    assert!(sharper > 0);
}

#[cfg(feature = "cbc")]
#[test]
fn search_finds_what_cbc_finds_where_whole_workers_are_all_there_is() {
    use ballast::generate::{Groups, Shares};
    for seed in 0..12 {
        let groups = Groups {
            nodes: 4,
            per_node: 4,
            variation: 0.6,
            shares: Shares::Uniform,
            budget: 3,
            seed,
            target: 0.0,
            state: None,
        };
        let request = groups.request();
        let checked = settings::check(&request.settings, &solve::names());
        let problem = snapshot::take(&request, &checked.settings).expect("a sound request").problem;
        let solved = solve::milp::relocations(&problem, 60.0).expect("CBC solves it");
        assert!(solved.closed, "seed {seed}");
        let by_cbc = Balance::of(&problem, &solved.placement).load_distance;
        let by_search = searched(&problem);
        // CBC stops within a ten-thousandth of its bound.
        assert!(
            (by_search - by_cbc).abs() <= Share(by_cbc.0 / 5_000 + 1),
            "seed {seed}: search {by_search}, CBC {by_cbc}"
        );
        assert!(solved.lower_bound <= by_cbc.fraction() + 1e-6, "seed {seed}: {solved:?}");
    }
}
