//! Which executors a worker should hand to another of its topology so that about a given load changes hands.

use super::state::{Need, State};

/// Executors that change hands between two workers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Deal {
    /// From the giver to the taker.
    pub(super) there: Vec<u32>,
    /// Back from the taker to the giver.
    pub(super) back: Vec<u32>,
    /// Load that changes hands in all.
    pub(super) amount: i64,
}

/// The loads wanted to change hands: any from the first to the second is equally good.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted(pub(super) i64, pub(super) i64);

impl Wanted {
    fn misses(self, amount: i64) -> i64 {
        (self.0 - amount).max(amount - self.1).max(0)
    }
}

/// Two workers of one topology and the node of the taker, which may not be open yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) giver: u32,
    pub(super) taker: u32,
    pub(super) node: usize,
}

/// The deal that comes closest to what is wanted.
///
/// Executors by falling load while they fit, then one exchange that mends the rest, or one exchange alone: pairs were
/// enough in every measurement, exact partition gains nothing.
pub(super) fn deal(state: &State, pair: Pair, wanted: Wanted) -> Option<Deal> {
    let mut given = sorted(state, pair.giver);
    let held = sorted(state, pair.taker);
    given.retain(|executor| state.may_hold(pair.taker, pair.node, *executor));
    let filled = fill(state, &given, pair, wanted);
    let topped = top_up(state, &filled, &given, &held, pair, wanted);
    let alone = top_up(state, &Deal::default(), &given, &held, pair, wanted);
    [Some(filled), topped, alone]
        .into_iter()
        .flatten()
        .filter(|deal| !deal.there.is_empty())
        .min_by_key(|deal| (wanted.misses(deal.amount), deal.there.len() + deal.back.len()))
}

fn sorted(state: &State, worker: u32) -> Vec<u32> {
    let mut executors = state.executors[worker as usize].clone();
    executors.sort_unstable_by_key(|executor| (-state.load_of(*executor), *executor));
    executors
}

fn fill(state: &State, given: &[u32], pair: Pair, wanted: Wanted) -> Deal {
    let mut deal = Deal::default();
    let mut need = Need::default();
    // A worker without an executor would be given up, and the delegate scheduler would open it again.
    let most = state.executors[pair.giver as usize].len() - 1;
    for executor in given {
        if deal.amount >= wanted.0 || deal.there.len() == most {
            break;
        }
        let load = state.load_of(*executor);
        let more = need.plus(Need::of(state, *executor));
        if load > 0 && deal.amount + load <= wanted.1 && state.bears(pair.taker, pair.node, more) {
            need = more;
            deal.there.push(*executor);
            deal.amount += load;
        }
    }
    deal
}

/// A deal with one more exchange: the pair whose difference comes closest to what is still missing.
fn top_up(
    state: &State,
    deal: &Deal,
    given: &[u32],
    held: &[u32],
    pair: Pair,
    wanted: Wanted,
) -> Option<Deal> {
    let rest = wanted.0 - deal.amount;
    let sum = deal.there.iter().fold(Need::default(), |sum, e| sum.plus(Need::of(state, *e)));
    let mut best = (wanted.misses(deal.amount), None);
    let mut low = 0;
    // Both lists fall, so the held executor that fits a given one only ever moves down the list.
    for one in given.iter().filter(|executor| !deal.there.contains(executor)) {
        while low < held.len() && state.load_of(*one) - state.load_of(held[low]) < rest {
            low += 1;
        }
        for other in held[low.saturating_sub(1)..].iter().take(2) {
            let amount = deal.amount + state.load_of(*one) - state.load_of(*other);
            let misses = wanted.misses(amount);
            if misses < best.0 && may_exchange(state, pair, sum, *one, *other) {
                best = (misses, Some((*one, *other, amount)));
            }
        }
    }
    let (one, other, amount) = best.1?;
    let mut topped = deal.clone();
    topped.there.push(one);
    topped.back.push(other);
    topped.amount = amount;
    Some(topped)
}

/// True when giver and taker and their nodes bear the deal with this exchange as a whole.
fn may_exchange(state: &State, pair: Pair, given: Need, one: u32, other: u32) -> bool {
    let home = state.node[pair.giver as usize] as usize;
    let net = given.plus(Need::of(state, one)).minus(Need::of(state, other));
    state.may_hold(pair.giver, home, other)
        && state.bears(pair.taker, pair.node, net)
        && state.bears(pair.giver, home, Need::default().minus(net))
}
