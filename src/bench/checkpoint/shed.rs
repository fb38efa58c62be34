//! What it takes to level a skew, with copies where a strategy put them.

use serde::Serialize;

use super::drift::change;
use super::plan::{Plan, Sight, plan, problem};
use crate::checkpoint::{Allocation, Instance, Strategy, bounds};
use crate::generate::{Skew, Stateful};
use crate::solve::groups;

/// What one placement of copies makes of one skew. Distances are fractions of capacity.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShedRun {
    /// The strategy that placed the copies.
    pub strategy: &'static str,
    /// Bytes that the plan ships over those that a planner blind to copies does.
    pub fraction: f64,
    /// The same for the least that any plan with any placement ships.
    pub bound_fraction: f64,
    /// Bytes of the plan.
    pub bytes: i64,
    /// Bytes of the blind planner's.
    pub bytes_blind: i64,
    /// Moves of the plan.
    pub moves: u64,
    /// Moves of the blind planner's.
    pub moves_blind: u64,
    /// Moves to a copy over all moves.
    pub to_copies: f64,
    /// Load distance that the skew makes.
    pub distance_before: f64,
    /// Load distance that the plan leaves.
    pub distance: f64,
    /// Load distance that the blind planner's leaves.
    pub distance_blind: f64,
}

/// Has the planner level a skew with the copies of every strategy, and without looking at any.
pub fn shed(cluster: &Stateful, skew: Skew, strategies: &[&dyn Strategy]) -> Vec<ShedRun> {
    let before = cluster.instance();
    let mut after = before.clone();
    change(&mut after, skew.loads(&before, cluster.seed));
    let bounds = bounds(&before);
    let blind_problem = problem(&after, &Allocation::empty(&after), Sight::Blind);
    let blind = plan(&blind_problem);
    let anywhere = groups::Instance { bytes: after.delta.clone(), ..blind_problem };
    let least = groups::bytes_needed(&anywhere, after.distance).unwrap_or(0) as f64;
    let of_blind = |bytes: f64| if blind.bytes > 0 { bytes / blind.bytes as f64 } else { 1.0 };
    let run = |strategy: &&dyn Strategy| {
        let allocation = strategy.allocate(&before, &bounds);
        let plan = plan(&problem(&after, &allocation, Sight::Aware));
        ShedRun {
            strategy: strategy.name(),
            fraction: of_blind(plan.bytes as f64),
            bound_fraction: of_blind(least),
            bytes: plan.bytes,
            bytes_blind: blind.bytes,
            moves: plan.moves,
            moves_blind: blind.moves,
            to_copies: to_copies(&after, &allocation, &plan),
            distance_before: anywhere.load_distance(&after.home).fraction(),
            distance: plan.distance,
            distance_blind: blind.distance,
        }
    };
    strategies.iter().map(run).collect()
}

fn to_copies(instance: &Instance, allocation: &Allocation, plan: &Plan) -> f64 {
    let moved = (0..instance.groups()).filter(|group| plan.hosts[*group] != instance.home[*group]);
    let to_copies = moved.filter(|group| allocation.placed(*group).any(|copy| copy == plan.hosts[*group]));
    to_copies.count() as f64 / plan.moves.max(1) as f64
}
