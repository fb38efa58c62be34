//! Gain: the best pairs first, pinned together while budget and limits allow.
//!
//! ALBIC (ICDE 2017) takes the pairs to be gained in the order of their traffic. What is compared here is the worth of
//! a whole step, a worker's going to a host: traffic it keeps from the network, less what its restart must gain, and
//! load it brings back into its range. Of a pair either end may move; the one that suits the balance does.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::solve::Budget;
use crate::solve::traffic::{NONE, State};

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Pairs that talk: ALBIC's.
    Talking,
    /// All traffic, estimated streams too.
    All,
}

/// Hosts of a stream that its groups are tried on: where most of it is.
const HOSTS: usize = 8;

/// Passes over groups that did not fit at first.
const PASSES: usize = 16;

/// Groups looked at that make one step of the budget.
const LOOKED_AT: u64 = 64;

/// Sends groups where more of their traffic stays on a node, as long as that is worth a restart and no host is pushed
/// farther out of its range.
pub(super) fn gain(state: &mut State, scope: Scope, budget: &mut Budget) {
    let mut gain = Gain { scope, centers: centers(state, scope), looked_at: 0 };
    let mut waiting: Vec<u32> = (0..state.host.len() as u32).collect();
    for _ in 0..PASSES {
        if gain.pass(state, &mut waiting, budget).is_none_or(|applied| applied == 0) {
            break;
        }
    }
}

/// The most traffic that the moves left can keep in addition, where that is easily told: every group has traffic with
/// one other at most, so that a move gains one pair. None elsewhere.
pub(super) fn most_gained(state: &State) -> Option<i64> {
    let field = state.field;
    if !field.links.streams.is_empty() || !field.instance().moves.is_empty() {
        return None;
    }
    let mut rates = Vec::new();
    for group in 0..field.groups() as u32 {
        let link = match field.links.pairs(group) {
            [] => continue,
            [link] if link.group != NONE => link,
            _ => return None,
        };
        let apart = state.host_of(link) != state.host[group as usize];
        if apart && link.group > group && link.rate > field.least {
            rates.push(link.rate);
        }
    }
    rates.sort_unstable_by(|a, b| b.cmp(a));
    let left = field.instance().budget_moves.saturating_sub(state.moves) as usize;
    Some(rates.iter().take(left).sum())
}

/// A step: what it is worth, and how well it suits the balance.
#[derive(Debug, Clone, Copy)]
struct Step {
    worth: i64,
    lean: f64,
    group: u32,
    to: u32,
}

struct Gain {
    scope: Scope,
    /// By stream: the hosts that most of it is on.
    centers: Vec<Vec<u32>>,
    looked_at: u64,
}

impl Gain {
    /// One pass over groups; those that had no step are left in `waiting`. None when the budget is spent.
    fn pass(&mut self, state: &mut State, waiting: &mut Vec<u32>, budget: &mut Budget) -> Option<usize> {
        let mut heap: BinaryHeap<(i64, Reverse<u32>)> = BinaryHeap::new();
        let mut left = Vec::new();
        for group in waiting.drain(..) {
            match self.best(state, group) {
                Some(step) => heap.push((step.worth, Reverse(group))),
                None => left.push(group),
            }
        }
        let mut applied = 0;
        while let Some((worth, Reverse(group))) = heap.pop() {
            self.looked_at += 1;
            if self.looked_at.is_multiple_of(LOOKED_AT) && !budget.step() {
                return None;
            }
            let Some(step) = self.best(state, group) else {
                left.push(group);
                continue;
            };
            if step.worth < worth {
                heap.push((step.worth, Reverse(group)));
                continue;
            }
            let step = self.other_end(state, step);
            state.send(step.group, step.to);
            applied += 1;
            heap.extend(self.around(state, step.group));
        }
        left.sort_unstable();
        left.dedup();
        *waiting = left;
        Some(applied)
    }

    /// The groups that a moved group talks with, and itself: what they are worth has changed.
    fn around(&self, state: &State, group: u32) -> Vec<(i64, Reverse<u32>)> {
        let others = state.field.links.pairs(group).iter().map(|link| link.group);
        let again = others.filter(|other| *other != NONE).chain([group]);
        again.filter_map(|other| Some((self.best(state, other)?.worth, Reverse(other)))).collect()
    }

    /// The best step of a group, if any is worth it.
    fn best(&self, state: &State, group: u32) -> Option<Step> {
        let field = state.field;
        let mut best: Option<Step> = None;
        let mut consider = |to: u32| {
            if let Some(step) = step(state, group, to)
                && best.is_none_or(|held| (step.worth, held.lean) > (held.worth, step.lean))
            {
                best = Some(step);
            }
        };
        for link in field.links.pairs(group) {
            if link.talks || self.scope == Scope::All {
                consider(state.host_of(link));
            }
        }
        if self.scope == Scope::All {
            for part in field.links.parts(group) {
                self.centers[part.stream as usize].iter().for_each(|host| consider(*host));
            }
        }
        if state.is_away(group) {
            consider(field.instance().home[group as usize]);
        }
        best
    }

    /// The same pair gained by its other end, where that is worth as much and suits the balance better.
    fn other_end(&self, state: &State, chosen: Step) -> Step {
        let from = state.host[chosen.group as usize];
        let others = state.field.links.pairs(chosen.group).iter().filter(|link| link.group != NONE);
        let there = others.filter(|link| state.host[link.group as usize] == chosen.to);
        let Some(partner) = there.max_by_key(|link| (link.rate, Reverse(link.group))) else { return chosen };
        match step(state, partner.group, from) {
            Some(other) if (other.worth, chosen.lean) > (chosen.worth, other.lean) => other,
            _ => chosen,
        }
    }
}

/// A group's going to a host, if that is worth it and within all limits.
fn step(state: &State, group: u32, to: u32) -> Option<Step> {
    let field = state.field;
    let from = state.host[group as usize];
    if from == to || !state.fits(group, to) {
        return None;
    }
    let strain = state.strain(group, to);
    let worth =
        state.gain(group, to) - field.least * state.price(group, to) - (field.weight * strain as f64) as i64;
    (strain <= 0 && worth > 0).then(|| Step { worth, lean: lean(state, group, to), group, to })
}

/// How far a group's going to a host takes the two hosts from the mean: change of the sum of capacity x deviation^2.
fn lean(state: &State, group: u32, to: u32) -> f64 {
    let (field, from) = (state.field, state.host[group as usize]);
    let load = field.instance().load[group as usize] as f64;
    let mean = field.mean.fraction();
    let change = |host: u32, more: f64| {
        let capacity = field.instance().hosts[host as usize].capacity.max(1) as f64;
        let above = state.loads[0][host as usize] as f64 / capacity - mean;
        more * (2.0 * above + more / capacity)
    };
    change(from, -load) + change(to, load)
}

/// By stream, the hosts that most of it is on.
fn centers(state: &State, scope: Scope) -> Vec<Vec<u32>> {
    if scope == Scope::Talking {
        return Vec::new();
    }
    let streams = 0..state.field.links.streams.len() as u32;
    streams
        .map(|stream| {
            let mut hosts: Vec<(Reverse<i64>, u32)> = state
                .hosts_of(stream)
                .map(|(host, [sent, received])| (Reverse(sent + received), host))
                .collect();
            hosts.sort_unstable();
            hosts.into_iter().take(HOSTS).map(|(_, host)| host).collect()
        })
        .collect()
}
