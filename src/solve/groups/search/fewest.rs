//! A target that can be reached is reached with as few moves as possible.

use super::Search;
use super::bands::Bands;
use super::chain::{Aim, Course};
use super::shed::Last;
use super::state::State;
use crate::solve::Budget;
use crate::solve::groups::moves_needed;
use crate::wire::StoppedBy;

/// Moves allowed beyond those needed, in 64ths of them, from one try to the next.
const BEYOND: [u64; 10] = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256];

/// Where a chain of a try begins.
#[derive(Clone, Copy)]
enum Start {
    /// At what the greedy makes of so many moves.
    Greedy,
    /// At the best plan, less what hurts least.
    Best,
}

/// Starts and heats of the chains of one try, in 64ths of the average load of a group, and their steps.
const TRIES: [(Start, i64); 6] = [
    (Start::Greedy, 1),
    (Start::Best, 1),
    (Start::Best, 16),
    (Start::Greedy, 16),
    (Start::Best, 64),
    (Start::Best, 4),
];
const CHAIN: i64 = 60;

/// Times that fewer moves are tried, with chains four times as long each.
const ROUNDS: i64 = 3;

impl Search<'_> {
    /// Tries ever more moves until the target is reached, then fewer ones again while that works.
    pub(super) fn reach_target(&mut self, budget: &mut Budget) {
        let target = self.field.instance.target;
        let Some(needed) = moves_needed(self.field.instance, target) else { return };
        let mut bands = Bands::around(self.field, target);
        if self.score.drained > 0 && self.is_close() {
            bands.drain(self.field);
        }
        let aim = Aim::Bands(bands);
        for beyond in BEYOND {
            let most = needed + needed * beyond / 64;
            if self.is_cheap(most) || most > self.field.instance.budget_moves {
                break;
            }
            self.within(&aim, most, CHAIN, budget);
        }
        // What failed may succeed with longer chains.
        for doublings in 0..ROUNDS {
            let mut failed = needed.saturating_sub(1);
            while self.is_close() && self.score.moves > failed + 1 && budget.spent() == StoppedBy::Done {
                let most = failed + (self.score.moves - failed) / 2;
                if !self.within(&aim, most, CHAIN << (2 * doublings), budget) {
                    failed = most;
                }
            }
        }
    }

    /// True when the target is reached with so many moves or fewer.
    fn is_cheap(&self, moves: u64) -> bool {
        self.is_close() && self.score.moves <= moves
    }

    /// Looks for a plan that is in its bands with so many moves, by chains of so many steps.
    fn within(&mut self, aim: &Aim, most: u64, chain: i64, budget: &mut Budget) -> bool {
        let Aim::Bands(bands) = aim else { return false };
        self.state.most_moves = most;
        let mut found = false;
        for (start, heat) in TRIES {
            match start {
                Start::Greedy => {
                    self.greedy(bands, Last::Smallest, budget);
                }
                Start::Best => {
                    self.state.become_like(&self.best);
                    trim(&mut self.state, bands);
                }
            }
            let course = Course { heat: self.field.average * heat / 64, steps: self.steps(chain) };
            self.chain(aim, course, budget);
            found = self.is_cheap(most);
            if found || budget.spent() != StoppedBy::Done {
                break;
            }
        }
        self.state.most_moves = self.field.instance.budget_moves;
        found
    }
}

/// Takes groups back home until the limits of moves and bytes are kept, those first that hurt the least.
pub(super) fn trim(state: &mut State, bands: &Bands) {
    let is_over = |state: &State| state.moves > state.most_moves || state.bytes > state.most_bytes;
    if !is_over(state) {
        return;
    }
    let adds = |host: u32, more: i64| {
        let (range, load) = (&bands.0[host as usize], state.load[host as usize]);
        range.violation(load + more) - range.violation(load)
    };
    let hurts = |group: u32| {
        let load = state.field.load(group);
        adds(state.field.home(group), load) + adds(state.host[group as usize], -load)
    };
    let mut away: Vec<(i64, u32)> = state.away.iter().map(|group| (hurts(*group), *group)).collect();
    away.sort_unstable();
    for (_, group) in away {
        if !is_over(state) {
            break;
        }
        if state.fits(group, state.field.home(group)) {
            state.send(group, state.field.home(group));
        }
    }
}
