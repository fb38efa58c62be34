//! Lower bounds of the load distance that a budget allows, without any search.
//!
//! For a trial distance every host above its window must give the excess away and every host below it must receive the
//! shortfall; what that costs at least is compared with the budget. What a distance costs never rises with it, so the
//! bound is found by bisection, in the integers in which distances are measured: a plan that reaches it is optimal.

mod count;
mod drained;
mod facts;
mod pattern;
mod price;
mod room;
mod windows;

use facts::Facts;
use price::Prices;
use windows::Windows;

use super::Instance;
use crate::solve::Budget;
use crate::units::{Load, Share};

/// A lower bound of the load distance within the budgets. It never exceeds the present distance.
pub(super) fn bound(instance: &Instance) -> Share {
    let facts = Facts::of(instance);
    let present = instance.distance_of(&facts.load, facts.mean);
    let enough = instance.budget_moves.checked_div(fewest_moves(instance)).unwrap_or(u64::MAX);
    let by_count = smallest(&facts, Share(-1), present, |windows| {
        count::least(&facts, windows, enough).is_some_and(|count| count <= enough)
    });
    let by_moves = match moves(&facts) {
        Some(prices) => smallest(&facts, Share(by_count.0 - 1), present, |windows| {
            prices.are_within(&facts, windows, instance.budget_moves.min(i64::MAX as u64) as i64)
        }),
        None => by_count,
    };
    match instance.budget_bytes {
        Some(budget) if !instance.bytes.is_empty() => {
            let prices = bytes(&facts);
            smallest(&facts, Share(by_moves.0 - 1), present, |windows| {
                prices.are_within(&facts, windows, budget)
            })
        }
        _ => by_moves,
    }
}

/// A dearer lower bound, from one already known up to the distance of the best plan known, while the budget lasts.
///
/// A step costs a few milliseconds at most. What it can still prove grows with the steps, for some hundreds of them.
pub fn sharpen(instance: &Instance, from: Share, best_known: Share, budget: &mut Budget) -> Share {
    if from >= best_known || instance.groups() > pattern::MOST_GROUPS {
        return from;
    }
    pattern::sharpen(&Facts::of(instance), from, best_known, budget)
}

/// A lower bound of the moves that a load distance costs, whatever the budget; none when no number of moves reaches it.
pub(super) fn moves_needed(instance: &Instance, distance: Share) -> Option<u64> {
    let facts = Facts::of(instance);
    let windows = Windows::around(instance, facts.mean, distance);
    let by_count = count::least(&facts, &windows, u64::MAX)?.saturating_mul(fewest_moves(instance));
    let by_moves = moves(&facts).map(|prices| prices.least(&facts, &windows));
    Some(by_count.max(by_moves.map_or(Some(0), |least| least.map(|least| least as u64))?))
}

/// A lower bound of the bytes that a load distance costs to ship, whatever the budget; none when nothing reaches it.
pub fn bytes_needed(instance: &Instance, distance: Share) -> Option<i64> {
    let facts = Facts::of(instance);
    let windows = Windows::around(instance, facts.mean, distance);
    count::least(&facts, &windows, u64::MAX)?;
    bytes(&facts).least(&facts, &windows)
}

/// A lower bound of the load left on draining hosts by a plan within the budgets that reaches a load distance; none
/// when none reaches it.
pub fn drained_at_least(instance: &Instance, distance: Share) -> Option<Load> {
    let facts = Facts::of(instance);
    let windows = Windows::around(instance, facts.mean, distance);
    let fewest = fewest_moves(instance);
    let needed = count::least(&facts, &windows, u64::MAX)?.saturating_mul(fewest);
    (needed <= instance.budget_moves).then(|| Load(drained::least(&facts, &windows, fewest)))
}

/// The smallest distance above `low` that is possible; what is possible stays possible at a larger one, and `high` is.
fn smallest(facts: &Facts, low: Share, high: Share, mut is_possible: impl FnMut(&Windows) -> bool) -> Share {
    let mut windows = Windows::default();
    let (mut low, mut high) = (low.0, high.0);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        windows.set(facts.instance, facts.mean, Share(middle));
        if is_possible(&windows) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Share(high)
}

/// Prices in moves, where groups count unlike numbers of them.
fn moves(facts: &Facts) -> Option<Prices> {
    let fewest = fewest_moves(facts.instance);
    let unlike = facts.instance.moves.iter().any(|moves| u64::from(*moves) != fewest);
    unlike.then(|| Prices::new(facts, |group| facts.instance.moves_of(group) as i64))
}

/// Prices in bytes, wherever a group is cheapest.
fn bytes(facts: &Facts) -> Prices {
    Prices::new(facts, |group| facts.instance.least_bytes(group))
}

/// Moves that any group counts at least.
fn fewest_moves(instance: &Instance) -> u64 {
    instance.moves.iter().min().map_or(1, |moves| u64::from(*moves))
}
