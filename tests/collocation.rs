//! One-to-one jobs over periods: ALBIC collocates every pair in the fewest periods, within maxLD; COLA at once, for a
//! move of nearly everything.

use ballast::bench::{CollocationRun, Drift, Effort, collocation};
use ballast::engine::answer;
use ballast::generate::{Cluster, OneToOne};
use ballast::wire::{Input, Verdict};

const EFFORT: Effort = Effort { steps: 20_000, time_ms: 600_000 };

fn job(nodes: usize, pairs: usize, budget: u32, distance_max: f64, seed: u64) -> OneToOne {
    OneToOne { nodes, pairs, variation: 0.5, paired: 1.0, budget, distance_max, seed }
}

fn run(job: OneToOne, drift: f64, periods: u32, strategy: &str) -> CollocationRun {
    collocation(job, Drift { share: drift, seed: job.seed }, periods, strategy, EFFORT).expect("a sound job")
}

#[test]
fn every_pair_is_collocated_in_the_least_periods_with_the_least_moves() {
    for seed in 0..2 {
        let found = run(job(20, 200, 20, 0.10, seed), 0.03, 13, "albic");
        assert!(found.factor_before < 0.1, "{found:?}");
        assert_eq!(found.periods_to_all, Some(found.least_periods), "{found:?}");
        assert_eq!(found.moves, found.least_moves, "{found:?}");
        assert_eq!((found.moves_after, found.overload_periods), (0, 0), "{found:?}");
    }
}

#[test]
fn within_five_points_a_drift_costs_few_moves_more_and_no_period_above() {
    let found = run(job(20, 200, 20, 0.05, 2), 0.05, 11, "albic");
    assert_eq!(found.factor_best, 1.0, "{found:?}");
    assert!(f64::from(found.moves) <= 1.05 * f64::from(found.least_moves), "{found:?}");
    assert_eq!(found.avoidable_periods, 0, "{found:?}");
}

#[test]
fn large_groups_are_collocated_where_no_pair_can_be_gained_alone() {
    // A group is 8 % of a node and no node may be more than 5 % off: only rings of moves are left.
    let found = run(OneToOne { variation: 0.0, ..job(20, 60, 10, 0.05, 3) }, 0.0, 9, "albic");
    assert!(found.factor >= 0.95, "{found:?}");
    assert_eq!(found.overload_periods, 0, "{found:?}");
}

#[test]
fn cola_moves_nearly_all_at_once() {
    let found = run(job(20, 200, 20, 0.10, 0), 0.05, 4, "cola");
    assert!(found.factor > 0.9, "{found:?}");
    assert!(found.moves > 300, "{found:?}");
}

#[test]
fn cola_keeps_a_budget_it_is_given() {
    let mut request = job(20, 200, 20, 0.10, 0).request();
    request.settings.insert("strategy".to_owned(), "cola".into());
    let reply = answer(&request);
    assert_eq!(reply.verdict, Verdict::Improved, "{:?} {:?}", reply.refusal, reply.notes);
    assert!(reply.cost.restarts > 0 && reply.cost.restarts <= 20);
}

#[test]
fn balance_alone_collocates_nothing() {
    let found = run(job(20, 200, 20, 0.05, 0), 0.03, 4, "search");
    assert!(found.factor < 0.2, "{found:?}");
}

#[test]
fn a_plan_for_traffic_says_so_of_every_move_and_must_be_worth_its_restarts() {
    let mut request = job(4, 20, 5, 0.10, 1).request();
    let reply = answer(&request);
    assert_eq!(reply.verdict, Verdict::Improved, "{:?}", reply.notes);
    assert!(reply.moves.iter().all(|step| step.because.contains("need no network")), "{:?}", reply.moves);
    // Each move keeps a twentieth of all traffic.
    request.settings.insert("gain.min".to_owned(), 0.049.into());
    assert_eq!(answer(&request).verdict, Verdict::Improved);
    request.settings.insert("gain.min".to_owned(), 0.051.into());
    let reply = answer(&request);
    assert_eq!(reply.verdict, Verdict::Unchanged, "{:?}", reply.moves);
}

#[test]
fn traffic_is_gained_where_balance_is_not_worth_its_restarts() {
    // Node 0 is 5.4 points above a mean of 50 %, and what a restart can mend of that is not worth 5 points.
    let mut request = OneToOne { variation: 0.0, ..job(4, 20, 2, 0.05, 1) }.request();
    let full: Vec<usize> = (0..40)
        .filter(|at| request.topologies[0].executors[*at].node.as_deref() == Some("node-00000"))
        .collect();
    for executor in full {
        let cores = &mut request.topologies[0].executors[executor].cpu_cores;
        *cores = cores.map(|cores| cores + 0.72);
    }
    request.settings.insert("gain.min".to_owned(), 0.03.into());
    let reply = answer(&request);
    let [before, after] = [&reply.before, &reply.after].map(|balance| balance.as_ref().expect("not refused"));
    assert!(before.load_distance > 0.05, "{}", before.load_distance);
    let factor =
        |balance: &ballast::wire::Balance| balance.traffic.as_ref().expect("known").collocation_factor;
    assert!(factor(after) > factor(before) + 0.04, "{:?} {:?}", reply.notes, reply.moves);
}

#[test]
fn traffic_takes_nothing_from_a_balance_that_has_to_be_mended() {
    let cluster = Cluster { nodes: 12, slots: 8, topologies: 16, mean: 0.5, budget: 4, seed: 1 };
    let mut request = cluster.request();
    for topology in &mut request.topologies {
        for at in 1..topology.components.len() {
            let from = topology.components[at - 1].id.clone();
            let (stream, grouping) = ("default".to_owned(), "shuffle".to_owned());
            topology.components[at].inputs.push(Input { from, stream, grouping, tuples_per_sec: None });
        }
        for executor in &mut topology.executors {
            executor.emitted_per_sec = executor.cpu_cores.map(|cores| cores * 1000.0);
        }
    }
    request.settings.insert("load.distance.max".to_owned(), 0.05.into());
    request.settings.insert("solver.time.ms".to_owned(), 600_000.into());
    let mut reached = |strategy: &str| {
        request.settings.insert("strategy".to_owned(), strategy.into());
        let reply = answer(&request);
        let [before, after] =
            [&reply.before, &reply.after].map(|b| b.as_ref().expect("not refused").load_distance);
        assert!(after < before && before > 0.05, "{strategy}: {before} to {after}");
        after
    };
    let (albic, search) = (reached("albic"), reached("search"));
    assert!(albic <= search, "albic leaves {albic}, search {search}");
}
