//! Ruin and recreate on the restarted workers: put a few of them back, repair with noise, keep what is not worse.
//!
//! Single moves get nearly nowhere here, since half of a good plan is a bad one; taking some restarts back and spending
//! them anew does.

use super::field::NONE;
use super::moves::{Move, apply};
use super::polish::clean;
use super::repair::{Repair, violation};
use super::state::State;
use crate::solve::Budget;
use crate::solve::band::Band;

/// A neighborhood search for one band.
pub(super) struct Ruin<'a> {
    pub(super) band: &'a Band,
    /// Restarts the whole placement may cost.
    pub(super) restarts: usize,
    pub(super) random: &'a mut fastrand::Rng,
}

impl Ruin<'_> {
    /// Searches from `state` until everything is in the band, or `rounds` went by without any progress, or the budget
    /// is spent. The state ends as the best one seen; returned is its violation. A state of too many restarts counts
    /// as worse than any other.
    pub(super) fn run(&mut self, state: &mut State, rounds: usize, budget: &mut Budget) -> i64 {
        let too_dear = state.dirty > self.restarts;
        let mut left = if too_dear { i64::MAX } else { violation(state, self.band) };
        let mut best = (left, state.clone());
        let mut idle = 0;
        while best.0 > 0 && idle < rounds && budget.step() {
            idle += 1;
            state.keep();
            let mark = state.mark();
            let now = if self.ruin(state) { self.repair(state, budget) } else { i64::MAX };
            // A little worse is let through now and then, less and less the longer nothing was gained.
            let slack = best.0 / 32 / (1 + idle as i64 / 64);
            let affordable = state.dirty <= self.restarts && state.bytes_left() >= 0;
            if affordable && now <= left.max(best.0.saturating_add(slack)) {
                left = now;
                if now < best.0 {
                    best.0 = now;
                    best.1.become_like(state);
                    idle = 0;
                }
            } else {
                state.undo(mark);
            }
        }
        state.become_like(&best.1);
        best.0
    }

    fn repair(&mut self, state: &mut State, budget: &mut Budget) -> i64 {
        let noise = Some(&mut *self.random);
        Repair { band: self.band, restarts: self.restarts, noise, least_cut: 0 }.run(state, budget)
    }

    /// Puts one to ten restarted workers back: any, those on nodes outside the band, or those of one topology.
    fn ruin(&mut self, state: &mut State) -> bool {
        let mut dirty: Vec<u32> =
            (0..state.node.len() as u32).filter(|worker| state.is_dirty(*worker)).collect();
        if self.random.u8(..4) == 0 {
            self.kick(state);
        }
        if dirty.is_empty() {
            return true;
        }
        let outside = |worker: &u32| {
            let node = state.node[*worker as usize] as usize;
            self.band.violation(node, state.load[node]) > 0
        };
        match self.random.u8(..4) {
            0 => {
                let topology = state.field.pieces[dirty[self.random.usize(..dirty.len())] as usize].topology;
                dirty.retain(|worker| state.field.pieces[*worker as usize].topology == topology);
            }
            1 if dirty.iter().any(outside) => dirty.retain(outside),
            2 => {
                let node = state.node[dirty[self.random.usize(..dirty.len())] as usize];
                let from = |worker: &u32| {
                    state.field.pieces[*worker as usize]
                        .home
                        .is_some_and(|slot| slot.node.at() as u32 == node)
                };
                dirty.retain(|worker| state.node[*worker as usize] == node || from(worker));
            }
            _ => {}
        }
        let count = 1 + self.random.usize(..dirty.len().min(10));
        for _ in 0..count {
            let at = self.random.usize(..dirty.len());
            let worker = dirty.swap_remove(at);
            if state.is_dirty(worker) && !clean(state, worker) {
                return false;
            }
        }
        true
    }

    /// One move for no reason: a worker to a node, or against a worker there. What blocks a slot goes out of the way.
    fn kick(&mut self, state: &mut State) {
        let worker = self.random.usize(..state.node.len()) as u32;
        let to = self.random.usize(..state.load.len());
        if state.node[worker as usize] == NONE || state.node[worker as usize] == to as u32 {
            return;
        }
        let left = self.restarts.saturating_sub(state.dirty);
        if state.fits(worker, to) && state.price(worker) <= left {
            state.send(worker, to as u32);
        } else if let Some(other) = self.random.choice(&state.on[to]).copied()
            && state.may_swap(worker, other)
            && state.price(worker) + state.price(other) <= left
        {
            apply(state, &Move::Swap { one: worker, other });
        }
    }
}
