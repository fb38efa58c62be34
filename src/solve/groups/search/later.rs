//! Goals after the load distance: draining hosts get empty, and then the other hosts come nearer.

use super::Search;
use super::bands::{Bands, Range};
use super::chain::{Aim, Course};
use super::greedy::Greedy;
use super::shed::Last;
use crate::solve::Budget;
use crate::units::{Load, Share};
use crate::wire::StoppedBy;

/// Stages of leximax: hosts pinned or brought nearer.
const LEVELS: usize = 24;

/// Moves up to which spent ones are dealt anew for a later goal, and the stages of that.
const FEW: usize = 64;
const FEW_LEVELS: usize = 4;

/// Chains without progress after which draining goes no further, and the steps of one; those of a stage of leximax.
const CHAINS: usize = 8;
const CHAIN: i64 = 60;
const STAGE: i64 = 20;

impl Search<'_> {
    /// Least drained load at the load distance reached.
    pub(super) fn drain(&mut self, budget: &mut Budget) {
        if self.score.drained == 0 {
            return;
        }
        let reached = self.score.load_distance.max(self.field.instance.target);
        let mut bands = Bands::around(self.field, reached);
        bands.drain(self.field);
        for last in [Last::Smallest, Last::Largest] {
            self.greedy(&bands, last, budget);
            self.state.become_like(&self.best);
            Greedy { bands: &bands, last }.run(&mut self.state, budget);
            self.offer();
        }
        let aim = Aim::Bands(bands);
        let mut idle = 0;
        while self.score.drained > 0 && idle < CHAINS && budget.spent() == StoppedBy::Done {
            let heat = self.field.average << (idle % 4) >> 3;
            self.state.become_like(&self.best);
            let course = Course { heat, steps: self.steps(CHAIN) };
            idle = if self.chain(&aim, course, budget) { 0 } else { idle + 1 };
        }
    }

    /// Leximax: hosts that cannot come nearer are pinned where they are, the farthest of the others is brought nearer.
    pub(super) fn level(&mut self, budget: &mut Budget) {
        let target = self.field.instance.target;
        let mut pinned = 1;
        for level in 0..LEVELS {
            // With many moves and all of them spent, trying takes long and gains next to nothing.
            let is_spent = self.score.moves >= self.field.instance.budget_moves;
            if budget.spent() != StoppedBy::Done
                || (is_spent && (level == FEW_LEVELS || self.best.len() > FEW))
            {
                break;
            }
            let Some(farthest) = self.score.beyond.get(pinned).copied() else { break };
            let held = self.score.beyond[pinned - 1];
            let nearer =
                [target, target + Share((farthest - target).0 / 2), Share(farthest.0 - farthest.0 / 16 - 1)];
            let reached = nearer.into_iter().any(|aim| self.stage(held, aim.max(target), budget));
            pinned += usize::from(!reached);
        }
    }

    /// Brings all hosts but those held to a distance.
    fn stage(&mut self, held: Share, aim: Share, budget: &mut Budget) -> bool {
        self.state.become_like(&self.best);
        let mut bands = Bands::around(self.field, aim);
        for (row, range) in bands.0.iter_mut().enumerate() {
            let load = self.state.load[row];
            if self.field.instance.hosts[self.field.host_of(row)].draining {
                range.high = range.high.min(load);
            } else if self.distance(row) >= held {
                *range = Range { low: range.low.min(load), high: range.high.max(load), ..*range };
            }
        }
        Greedy { bands: &bands, last: Last::Smallest }.run(&mut self.state, budget);
        if self.offer() {
            return true;
        }
        let course = Course { heat: self.field.average / 16, steps: self.steps(STAGE) };
        self.chain(&Aim::Bands(bands), course, budget)
    }

    /// Distance of a row of the state from the mean.
    fn distance(&self, row: usize) -> Share {
        let info = &self.field.instance.hosts[self.field.host_of(row)];
        if !info.listed {
            return Share::ZERO;
        }
        let utilization = Load(self.state.load[row]).over(self.field.capacity_of(row));
        utilization.distance_from(self.field.mean_of(row), info.draining)
    }
}
