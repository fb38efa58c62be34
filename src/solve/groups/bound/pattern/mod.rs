//! The pattern bound: every host takes the cheapest sets that leave it and come to it at one price a group.
//!
//! A group that moves leaves one host and comes to another. Of its cost m_k a part p_k is charged where it leaves and
//! m_k - p_k where it comes; then each host is settled alone, by sets that end exactly inside its window, and what all
//! hosts cost together is never more than what any plan costs, whatever the prices are (Lagrangian relaxation of "who
//! comes has left"). Its subgradient is, for each group, how often it leaves less how often it comes.

mod ascent;
mod host;
mod knapsack;
mod model;

use ascent::Ascent;
use model::{Model, Spending};

pub(super) use model::MOST_GROUPS;

use super::facts::Facts;
use crate::solve::Budget;
use crate::units::Share;

/// Cells of a grid and the pace of the steps on it, one after the other: most is gained on a coarse grid, at a quarter
/// of the time a step; what a fast pace ran past, a slow one may find.
const PASSES: [(usize, f64); 3] = [(1024, 0.3), (4096, 0.3), (1024, 0.1)];

/// A lower bound between `from`, which is one already, and `best_known`.
pub(super) fn sharpen(facts: &Facts, from: Share, best_known: Share, budget: &mut Budget) -> Share {
    let mut bound = from;
    for spending in spendings(facts) {
        let mut prices = None;
        for (cells, pace) in PASSES {
            let Some(model) = Model::new(facts, spending, best_known, cells) else { continue };
            let mut ascent = Ascent::new(model, pace, bound, best_known);
            match prices.take() {
                Some(prices) => ascent.resume(prices, budget),
                None => ascent.start(budget),
            }
            ascent.run(budget);
            bound = ascent.bound;
            prices = Some(ascent.proved);
        }
    }
    bound
}

/// Budgets that bind at all, each alone and both together.
fn spendings(facts: &Facts) -> Vec<Spending> {
    let instance = facts.instance;
    let groups = 0..instance.groups() as u32;
    let moves: u64 = groups.clone().map(|group| instance.moves_of(group)).sum();
    let bytes: i64 = groups.map(|group| instance.least_bytes(group)).sum();
    let by_moves = instance.budget_moves > 0 && instance.budget_moves < moves;
    let by_bytes = instance.budget_bytes.is_some_and(|budget| budget > 0 && budget < bytes);
    let candidates = [(by_moves, 1.0, 0.0), (by_bytes, 0.0, 1.0), (by_moves && by_bytes, 0.5, 0.5)];
    let binding = candidates.into_iter().filter(|(binds, ..)| *binds);
    binding.map(|(_, moves, bytes)| Spending { moves, bytes }).collect()
}
