//! Lower bounds of the load distance that a budget allows, without any search.
//!
//! For a trial distance every host above its window must give the excess away and every host below it must receive the
//! shortfall; what that costs at least is compared with the budget. What a distance costs never rises with it, so the
//! bound is found by bisection, in the integers in which distances are measured: a plan that reaches it is optimal.

mod count;
mod facts;
mod room;
mod windows;

use facts::Facts;
use windows::Windows;

use super::Instance;
use crate::units::Share;

/// A lower bound of the load distance within the budgets. It never exceeds the present distance.
pub fn bound(instance: &Instance) -> Share {
    let facts = Facts::of(instance);
    let mut windows = Windows::default();
    // The smallest distance nothing speaks against; what is possible stays possible at a larger one.
    let (mut low, mut high) = (-1, windows::distance(instance, &facts.load, facts.mean).0);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        windows.set(instance, facts.mean, Share(middle));
        if is_affordable(&facts, &windows) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Share(high)
}

/// A lower bound of the moves that a load distance costs, whatever the budget; none when no number of moves reaches it.
pub fn moves_needed(instance: &Instance, distance: Share) -> Option<u64> {
    let facts = Facts::of(instance);
    let windows = Windows::around(instance, facts.mean, distance);
    Some(count::least(&facts, &windows)?.saturating_mul(fewest_moves(instance)))
}

fn is_affordable(facts: &Facts, windows: &Windows) -> bool {
    let fewest = fewest_moves(facts.instance);
    count::least(facts, windows)
        .is_some_and(|count| count.saturating_mul(fewest) <= facts.instance.budget_moves)
}

/// Moves that any group counts at least.
fn fewest_moves(instance: &Instance) -> u64 {
    instance.moves.iter().min().map_or(1, |moves| u64::from(*moves))
}
