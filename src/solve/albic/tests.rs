//! The pieces of ALBIC against cases worked out by hand.

use std::time::Duration;

use serde_json::{Value, json};

use super::gain::{Scope, gain};
use super::{balance, keep, walk, worth::Worth};
use crate::generate::OneToOne;
use crate::model::Problem;
use crate::objective::{Balance, Collocation, restarts};
use crate::settings;
use crate::snapshot;
use crate::solve::traffic::{Field, State, talking};
use crate::solve::{self, Budget};
use crate::units::Share;
use crate::wire::Request;

fn problem(request: &Request) -> Problem {
    let checked = settings::check(&request.settings, &solve::names());
    assert!(checked.problems.is_empty(), "{:?}", checked.problems);
    snapshot::take(request, &checked.settings).unwrap().problem
}

fn budget() -> Budget {
    Budget::new(100_000, Duration::from_secs(3600))
}

/// One worker an executor: node and load in cores of each, on nodes of 10 cores. Pairs of tasks talk. A task under 100
/// is one of component `a`, the others are of `b`, which reads from `a`.
fn job(nodes: usize, executors: &[(i32, usize, f64)], pairs: &[(i32, i32, f64)], settings: Value) -> Problem {
    let mut ports = vec![6700; nodes];
    let executors: Vec<Value> = executors
        .iter()
        .map(|(task, node, cores)| {
            ports[*node] += 1;
            let component = if *task < 100 { "a" } else { "b" };
            json!({"tasks": [task, task], "component": component, "node": format!("n{node}"),
                   "port": ports[*node] - 1, "cpu_cores": cores})
        })
        .collect();
    let nodes: Vec<Value> = (0..nodes)
        .map(|at| {
            let ports: Vec<u16> = (6700..6720).collect();
            json!({"id": format!("n{at}"), "host": format!("n{at}"), "cpu_cores": 10.0, "ports": ports})
        })
        .collect();
    let traffic: Vec<Value> = pairs
        .iter()
        .map(|(from, to, rate)| json!({"from": [from, from], "to": [to, to], "tuples_per_sec": rate}))
        .collect();
    let mut all = json!({"gain.min": 0.0, "overload": 1.0, "budget.restarts": 10});
    all.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    let request = json!({
        "ballast": "snapshot", "version": 1, "generation": 1, "settings": all, "nodes": nodes,
        "topologies": [{"id": "t", "name": "t", "workers": executors.len(), "executors": executors,
            "components": [{"id": "a", "kind": "bolt"}, {"id": "b", "kind": "bolt",
                "inputs": [{"from": "a", "stream": "default", "grouping": "fields"}]}],
            "traffic": traffic}],
    });
    problem(&serde_json::from_value(request).unwrap())
}

/// Group of the worker that a task is alone in.
fn group_of(field: &Field, task: i32) -> u32 {
    let is_task = |executor: &crate::model::ExecutorIx| field.problem.executor(*executor).tasks.0 == task;
    field.workers.workers.iter().position(|worker| worker.executors.iter().any(is_task)).unwrap() as u32
}

#[test]
fn a_pair_talks_when_it_has_more_than_its_share_of_what_its_sender_sends() {
    let executors = [(1, 0, 1.0), (2, 0, 1.0), (101, 0, 1.0), (102, 1, 1.0), (103, 1, 1.0)];
    // 1 sends 90 to three: 30 on average, 45 is the limit. 2 sends to one of three only: 2 on average.
    let pairs = [(1, 101, 46.0), (1, 102, 44.0), (2, 103, 6.0)];
    let problem = job(2, &executors, &pairs, json!({}));
    assert_eq!(talking(&problem), [true, false, true]);
    let stricter = job(2, &executors, &pairs, json!({"collocate.score.factor": 1.6}));
    assert_eq!(talking(&stricter), [false, false, true]);
}

#[test]
fn a_component_of_one_executor_is_no_choice_and_nobody_talks_to_it() {
    let problem = job(2, &[(1, 0, 1.0), (101, 1, 1.0)], &[(1, 101, 50.0)], json!({}));
    assert_eq!(talking(&problem), [false]);
}

/// 1-101-2-102 in a chain on one node, 101-2 the weakest of its links; 3 and 103 are apart.
fn chain(settings: Value) -> Problem {
    let executors =
        [(1, 0, 1.0), (101, 0, 1.0), (2, 0, 1.0), (102, 0, 1.0), (3, 0, 1.0), (103, 1, 5.0), (104, 1, 1.0)];
    let pairs = [(1, 101, 50.0), (2, 101, 30.0), (2, 102, 40.0), (3, 103, 50.0)];
    let all = json!({"collocate.score.factor": 1.0});
    let mut all = all.as_object().unwrap().clone();
    all.extend(settings.as_object().unwrap().clone());
    job(2, &executors, &pairs, Value::Object(all))
}

fn kept(problem: &Problem, most: f64) -> Vec<Vec<i32>> {
    let field = Field::of(problem);
    let task = |group: &u32| problem.executor(field.workers.workers[*group as usize].executors[0]).tasks.0;
    let partitions = keep::partitions(&field, Share::from_fraction(most));
    let mut tasks: Vec<Vec<i32>> =
        partitions.iter().map(|partition| partition.iter().map(task).collect()).collect();
    tasks.iter_mut().for_each(|partition| partition.sort_unstable());
    tasks.sort_unstable();
    tasks
}

#[test]
fn overlapping_pairs_on_one_node_are_one_partition() {
    assert_eq!(kept(&chain(json!({})), 0.5), [vec![1, 2, 101, 102], vec![3], vec![103], vec![104]]);
}

#[test]
fn a_set_too_heavy_or_too_dear_is_cut_where_least_traffic_is() {
    let cut = [vec![1, 101], vec![2, 102], vec![3], vec![103], vec![104]];
    assert_eq!(kept(&chain(json!({})), 0.25), cut);
    assert_eq!(kept(&chain(json!({"budget.restarts": 2})), 0.5), cut);
    assert!(kept(&chain(json!({})), 0.0).iter().all(|partition| partition.len() == 1));
}

#[test]
fn balance_moves_a_pair_as_one_and_falls_back_to_its_halves() {
    // Either pair levels the nodes; one worker alone would be cheaper and part a pair.
    let executors = [(1, 0, 1.0), (101, 0, 1.0), (2, 0, 1.0), (102, 0, 1.0), (103, 1, 0.5)];
    let pairs = [(1, 101, 10.0), (2, 102, 10.0)];
    let whole = job(2, &executors, &pairs, json!({"load.distance.max": 0.09}));
    let field = Field::of(&whole);
    let mut plan = balance(&field, &mut budget());
    plan.sort_unstable();
    assert_eq!(plan.len(), 2);
    let mut state = State::at_home(&field);
    state.become_like(&plan);
    assert_eq!((state.violation, state.kept), (0, 20_000));
    // Pairs of 2 cores leave 2.5 and 2.0, or 4.0 and 0.5; with 0.5 more on one worker only halves come nearer.
    let executors = [(1, 0, 1.0), (101, 0, 1.0), (103, 1, 0.0)];
    let halves = job(2, &executors, &pairs[..1], json!({"load.distance.max": 0.05}));
    let field = Field::of(&halves);
    let plan = balance(&field, &mut budget());
    assert_eq!(plan.len(), 1, "one of the two goes alone: {plan:?}");
}

#[test]
fn the_best_pairs_are_gained_first_and_from_the_end_that_suits_the_balance() {
    // Node 0 has 3 cores, node 1 has 1.
    let executors = [(1, 0, 1.0), (2, 0, 1.0), (103, 0, 1.0), (101, 1, 0.5), (102, 1, 0.5)];
    let pairs = [(1, 101, 10.0), (2, 102, 20.0)];
    let settings = json!({"budget.restarts": 1, "load.distance.max": 0.2});
    let problem = job(2, &executors, &pairs, settings);
    let field = Field::of(&problem);
    let mut state = State::at_home(&field);
    gain(&mut state, Scope::Talking, &mut budget());
    // 2 comes to 102, the heavier pair; 102's going to 2 would empty node 1.
    assert_eq!(state.plan(), [(group_of(&field, 2), 1)]);
    assert_eq!(state.kept, 20_000);
}

#[test]
fn a_pair_is_not_gained_where_that_breaks_the_balance_or_is_not_worth_a_restart() {
    let executors = [(1, 0, 2.0), (101, 1, 2.0), (102, 1, 0.0)];
    let pairs = [(1, 101, 10.0)];
    for settings in [json!({"load.distance.max": 0.1}), json!({"load.distance.max": 0.3, "gain.min": 1.0})] {
        let problem = job(2, &executors, &pairs, settings);
        let field = Field::of(&problem);
        let mut state = State::at_home(&field);
        gain(&mut state, Scope::All, &mut budget());
        assert_eq!(state.plan(), []);
    }
}

#[test]
fn the_walk_makes_room_where_no_pair_can_be_gained_alone() {
    // Three equal nodes within 1 %: only three moves in a ring gain anything.
    let executors = [(1, 0, 2.0), (101, 1, 2.0), (2, 1, 2.0), (102, 2, 2.0), (3, 2, 2.0), (103, 0, 2.0)];
    let pairs = [(1, 101, 10.0), (2, 102, 10.0), (3, 103, 10.0)];
    let settings = json!({"budget.restarts": 3, "load.distance.max": 0.01});
    let problem = job(3, &executors, &pairs, settings);
    let field = Field::of(&problem);
    let mut state = State::at_home(&field);
    gain(&mut state, Scope::All, &mut budget());
    assert_eq!(state.kept, 0, "one by one there is no way");
    walk(&mut state, &mut budget(), &mut fastrand::Rng::with_seed(1));
    assert_eq!((state.kept, state.violation, state.moves), (30_000, 0, 3));
}

/// Topologies of estimated streams of all groupings beside a job with measured pairs.
fn mixed(seed: u64) -> Request {
    let job =
        OneToOne { nodes: 5, pairs: 10, variation: 0.5, paired: 0.7, budget: 6, distance_max: 0.1, seed };
    let mut request = job.request();
    for (at, grouping) in ["shuffle", "fields", "global", "all", "local_or_shuffle"].into_iter().enumerate() {
        let mut other = request.topologies[0].clone();
        other.traffic.clear();
        (other.id, other.name) = (format!("t{at}"), format!("t{at}"));
        other.components[1].inputs[0].grouping = grouping.to_owned();
        for (task, executor) in other.executors.iter_mut().enumerate() {
            // Workers of two executors, so that some have both a sender and a receiver.
            executor.port = Some(7000 + 20 * at as u16 + (executor.port.unwrap() - 6700) / 2);
            executor.emitted_per_sec = Some((task * 7 % 13) as f64);
            executor.received_per_sec = Some((task * 5 % 11) as f64);
        }
        request.topologies.push(other);
    }
    for node in &mut request.nodes {
        node.ports.extend(7000..7200);
    }
    request
}

#[test]
fn sums_kept_up_to_date_are_those_counted_anew() {
    for seed in 0..20 {
        let problem = problem(&mixed(seed));
        let field = Field::of(&problem);
        let mut random = fastrand::Rng::with_seed(seed);
        let mut state = State::at_home(&field);
        let fixed = Collocation::of(&problem, &problem.present).unwrap();
        let (at_home, kept_at_home) = (fixed.rate.0 - fixed.cross_node.0, state.kept);
        for step in 0..60 {
            let (group, to) = (random.u32(..field.groups() as u32), random.u32(..5));
            if state.host[group as usize] == to {
                continue;
            }
            let (gain, strain, price) =
                (state.gain(group, to), state.strain(group, to), state.price(group, to));
            let before = (state.kept, state.violation, state.moves as i64);
            state.send(group, to);
            assert_eq!(state.kept - before.0, gain);
            assert_eq!((state.violation - before.1, state.moves as i64 - before.2), (strain, price));
            let placement = field.placement(&state.host);
            let counted = Collocation::of(&problem, &placement).unwrap();
            let kept = counted.rate.0 - counted.cross_node.0;
            assert_eq!(kept - at_home, state.kept - kept_at_home, "seed {seed}, step {step}");
            let loads: Vec<i64> = placement.node_loads(&problem).iter().map(|load| load.0).collect();
            assert_eq!(loads, state.loads[0]);
            assert_eq!(restarts(&problem, &problem.present, &placement) as u64, state.moves);
        }
        state.become_like(&[]);
        assert_eq!((state.kept, state.moves), (kept_at_home, 0));
    }
}

#[test]
fn plans_of_mixed_jobs_gain_traffic_within_the_budget_and_the_distance() {
    for seed in 0..6 {
        let problem = problem(&mixed(seed));
        let albic = solve::by_name("albic").unwrap();
        let found = albic.solve(&problem, solve::bound(&problem), &mut budget()).unwrap().placement;
        let traffic = |placement| Collocation::of(&problem, placement).unwrap().cross_node;
        assert!(traffic(&found) < traffic(&problem.present), "seed {seed}");
        assert!(restarts(&problem, &problem.present, &found) <= 6);
        let distance = |placement| Balance::of(&problem, placement).load_distance;
        assert!(distance(&found) <= distance(&problem.present).max(Share::from_fraction(0.1)));
        assert!(Worth::of(&problem, &found, 1) < Worth::of(&problem, &problem.present, 1));
    }
}

#[test]
fn where_no_traffic_is_known_albic_is_search() {
    let mut request = mixed(1);
    request.topologies[0].traffic.clear();
    for executor in request.topologies.iter_mut().flat_map(|topology| &mut topology.executors) {
        (executor.emitted_per_sec, executor.received_per_sec) = (None, None);
    }
    request.settings.insert("load.distance.max".to_owned(), json!(0.0));
    let problem = problem(&request);
    let bound = solve::bound(&problem);
    let plan = |name: &str| solve::by_name(name).unwrap().solve(&problem, bound, &mut budget()).unwrap();
    let (albic, search) = (plan("albic"), plan("search"));
    assert_eq!(albic.placement, search.placement);
    assert_ne!(search.placement, problem.present);
}
