//! Growing and shrinking over 200 periods: no flapping, no overload that balancing avoids, drains as fast as the budget.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use ballast::bench::{Effort, Elastic, ElasticRun, Policy, elastic};

const SET_UP: Elastic =
    Elastic { nodes: 8, per_node: 6, mean: 0.45, periods: 200, delivery: 3, budget: 6, seed: 0 };
const EFFORT: Effort = Effort { steps: 1_000, time_ms: 600_000 };

fn live(policy: Policy, seed: u64) -> ElasticRun {
    elastic(&Elastic { seed, ..SET_UP }, policy, EFFORT).unwrap()
}

#[test]
fn two_hundred_periods_of_doubling_and_halving_lead_to_no_flapping() {
    for seed in 1..=6 {
        let run = live(Policy::Scale, seed);
        assert_eq!(run.avoidable, 0, "{run:?}");
        assert!(run.changes <= run.shocks, "more changes than reasons: {run:?}");
        assert!(run.drain_delay <= 1, "{run:?}");
    }
}

#[test]
fn scaling_saves_nodes_and_overloads_that_balance_alone_does_not() {
    let mut drains = 0;
    for seed in 1..=3 {
        let (scaled, balanced) = (live(Policy::Scale, seed), live(Policy::Balance, seed));
        assert!(scaled.overloads < balanced.overloads, "{scaled:?} {balanced:?}");
        drains += scaled.drains;
    }
    assert!(drains > 0, "nothing was ever drained");
}
