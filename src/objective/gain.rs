//! What a plan gains, and whether that is worth its restarts.

use super::swing::swing;
use super::{Balance, Collocation, Migration};
use crate::model::{Placement, Problem};
use crate::units::Share;

/// Overload that no measurement tells apart, a ten-thousandth of a node: sums of rounded utilisations may differ by less.
const SAME_OVERLOAD: Share = Share(100_000);

/// What going to a placement gains over staying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gain {
    /// It mends what must be mended whatever the price: overload, load on draining nodes, workers that are missing.
    pub mends: bool,
    /// How much nearer all nodes together come to the mean, as far as they are beyond `load.distance.max`; less than zero
    /// where they go away from it.
    pub nearer: Share,
    /// How much the nodes come and go by themselves, as their loads swing.
    pub swing: Share,
    /// Part of all traffic kept on nodes in addition; zero where it is less, since balance comes first.
    pub kept: Share,
    /// Running workers restarted.
    pub restarts: usize,
}

impl Gain {
    /// Gain of a placement.
    pub fn of(problem: &Problem, placement: &Placement) -> Self {
        let before = Balance::of(problem, &problem.present);
        let after = Balance::of(problem, placement);
        let limit = problem.limits.distance_max;
        let workers = |placement: &Placement| placement.workers(problem).len();
        let factor = |placement| Collocation::of(problem, placement).map_or(0.0, |traffic| traffic.factor());
        Self {
            mends: after.overload + SAME_OVERLOAD < before.overload
                || after.drained < before.drained
                || workers(placement) > workers(&problem.present),
            nearer: before.beyond(limit) - after.beyond(limit),
            swing: swing(problem),
            kept: Share::from_fraction((factor(placement) - factor(&problem.present)).max(0.0)),
            restarts: Migration::between(problem, &problem.present, placement).restarts,
        }
    }

    /// True when it brings the nodes nearer by no more than they come and go by themselves.
    pub fn drowns(&self) -> bool {
        self.nearer > Share::ZERO && self.nearer <= self.swing
    }

    /// True when it mends something, or each restart gains at least `gain.min`; what drowns is no gain.
    pub fn is_worth_it(&self, problem: &Problem) -> bool {
        let least = Share(problem.limits.gain_min.0.saturating_mul(self.restarts as i64));
        self.mends
            || match self.drowns() {
                true => self.kept > Share::ZERO && self.kept >= least,
                false => self.nearer + self.kept >= least,
            }
    }
}
