//! Rounds of drift: loads change, the planner levels them, and the copies are mended within a budget.

use std::time::Instant;

use serde::Serialize;

use super::plan::{Sight, carry_out, plan, problem};
use crate::checkpoint::{Allocation, Instance, Strategy, bounds, losses};
use crate::generate::{Drifting, Stateful};
use crate::units::Share;

/// What the rounds are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rounds {
    /// Their number.
    pub rounds: u32,
    /// Bytes of copies that may be laid elsewhere in a round, as a fraction of all states.
    pub budget: f64,
}

/// What became of one cluster under one strategy. Shares are fractions of capacity, bytes fractions of all states.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DriftRun {
    /// Its name.
    pub strategy: &'static str,
    /// How much fuller than the bound the worst loss of a node leaves a node, mean over the rounds.
    pub gap_node: f64,
    /// The same in the worst round.
    pub gap_node_max: f64,
    /// The same for a rack; absent without racks.
    pub gap_rack: Option<f64>,
    /// The same in the worst round.
    pub gap_rack_max: Option<f64>,
    /// Largest load distance that a plan left.
    pub distance_max: f64,
    /// Groups moved by the plans, in all.
    pub moves: u64,
    /// Bytes shipped by their moves, a round.
    pub migrated: f64,
    /// Bytes of copies laid elsewhere, a round.
    pub mended: f64,
    /// The most in a round.
    pub mended_max: f64,
    /// Bytes of copies that were missing after a move and laid anew, a round.
    pub missing: f64,
    /// Time of the bounds and the allocation from scratch, in milliseconds.
    pub scratch_ms: f64,
    /// The same in a round, the median.
    pub round_ms: f64,
}

/// Lets a strategy live through the rounds.
pub fn drift(cluster: &Stateful, strategy: &dyn Strategy, rounds: Rounds) -> DriftRun {
    let mut instance = cluster.instance();
    let states = instance.state.iter().sum::<i64>() as f64;
    let loads = Drifting::new(&instance.load, cluster.seed);
    let (mut allocation, scratch_ms, _) = timed(&instance, strategy);
    instance.budget = (rounds.budget * states) as i64;
    let mut run = DriftRun {
        strategy: strategy.name(),
        gap_node: 0.0,
        gap_node_max: 0.0,
        gap_rack: (instance.racks > 0).then_some(0.0),
        gap_rack_max: (instance.racks > 0).then_some(0.0),
        distance_max: 0.0,
        moves: 0,
        migrated: 0.0,
        mended: 0.0,
        mended_max: 0.0,
        missing: 0.0,
        scratch_ms,
        round_ms: 0.0,
    };
    let part = 1.0 / f64::from(rounds.rounds.max(1));
    let mut times = Vec::new();
    for loads in loads.take(rounds.rounds as usize) {
        change(&mut instance, loads);
        let plan = plan(&problem(&instance, &allocation, Sight::Aware));
        carry_out(&mut instance, &allocation, &plan.hosts);
        run.distance_max = run.distance_max.max(plan.distance);
        run.moves += plan.moves;
        run.migrated += plan.bytes as f64 / states * part;
        let (next, ms, (node, rack)) = timed(&instance, strategy);
        let shipped = next.shipped(&instance);
        let mended = shipped.moved as f64 / states;
        run.mended += mended * part;
        run.mended_max = run.mended_max.max(mended);
        run.missing += shipped.missing as f64 / states * part;
        run.gap_node += node * part;
        run.gap_node_max = run.gap_node_max.max(node);
        run.gap_rack = run.gap_rack.map(|sum| sum + rack * part);
        run.gap_rack_max = run.gap_rack_max.map(|max| max.max(rack));
        times.push(ms);
        allocation = next;
    }
    times.sort_unstable_by(f64::total_cmp);
    run.round_ms = times.get(times.len() / 2).copied().unwrap_or(0.0);
    run
}

/// Gives the groups other loads.
pub(super) fn change(instance: &mut Instance, loads: Vec<i64>) {
    for (group, load) in loads.into_iter().enumerate() {
        instance.nodes[instance.home[group] as usize].load += load - instance.load[group];
        instance.load[group] = load;
    }
}

/// An allocation, the milliseconds that it and its bounds took, and its gaps of a node and of a rack.
fn timed(instance: &Instance, strategy: &dyn Strategy) -> (Allocation, f64, (f64, f64)) {
    let start = Instant::now();
    let bounds = bounds(instance);
    let allocation = strategy.allocate(instance, &bounds);
    let ms = start.elapsed().as_secs_f64() * 1e3;
    let (node, rack) = losses(instance, &allocation).gaps(&bounds);
    let or_none = |gap: Option<Share>| gap.map_or(0.0, Share::fraction);
    (allocation, ms, (or_none(node), or_none(rack)))
}
