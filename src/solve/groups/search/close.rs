//! Closes the gap between the greedy plan and the bound.

use super::Search;
use super::chain::{Aim, Course};
use crate::solve::Budget;
use crate::units::Share;
use crate::wire::StoppedBy;

/// A gap that is not worth a chain: a millionth of a node.
const NEGLIGIBLE: Share = Share(1_000);

/// Where in the gap between aim and best a chain aims, in 16 parts.
const PARTS: [i64; 3] = [15, 8, 0];

/// Chains without progress after which annealing is given up, and the steps of the first of them.
const CHAINS: usize = 150;
const CHAIN: i64 = 100;

impl Search<'_> {
    /// Chains of annealing while the gap is open: cool ones first, since most gaps are small, but only heat of the size
    /// of the largest group crosses all hills.
    pub(super) fn close(&mut self, budget: &mut Budget) {
        let (average, largest) = (self.field.average, self.field.largest);
        let heats = [average / 64, average / 4, average, average / 16, largest / 2, 2 * largest];
        let mut idle = 0;
        let is_open = |search: &Self| {
            let worth = search.score.load_distance > search.aim + NEGLIGIBLE;
            !search.is_close() && (worth || search.score.overload > Share::ZERO)
        };
        while is_open(self) && idle < CHAINS && budget.spent() == StoppedBy::Done {
            let aim = Aim::Nearer(PARTS[idle % PARTS.len()]);
            let heat = heats[idle / PARTS.len() % heats.len()];
            let steps = self.steps(CHAIN) << (idle / (PARTS.len() * heats.len())).min(8);
            self.state.become_like(&self.best);
            idle = if self.chain(&aim, Course { heat, steps }, budget) { 0 } else { idle + 1 };
        }
    }
}
