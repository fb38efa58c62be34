//! What a plan gains, and whether that is worth its restarts.

use super::swing::swing;
use super::{Balance, Collocation, Migration};
use crate::model::{Placement, Problem};
use crate::units::{Load, Share};

/// Overload that no measurement tells apart, a ten-thousandth of a node: sums of rounded utilizations may differ by less.
const SAME_OVERLOAD: Share = Share(100_000);

/// What going to a placement gains over staying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gain {
    /// Less load is left on draining nodes, which is to be done whatever the price.
    pub drains: bool,
    /// Workers are opened that were missing.
    pub opens: bool,
    /// How much less all nodes together are above the setting `overload`.
    pub relieved: Share,
    /// How much nearer all nodes together come to the mean, as far as they are beyond `load.distance.max`; less than zero
    /// where they go away from it.
    pub nearer: Share,
    /// The farthest node goes farther from the mean, beyond `load.distance.max`: only a drain and less overload are worth
    /// that.
    pub farther: bool,
    /// How much the nodes come and go by themselves, as their loads swing.
    pub swing: Share,
    /// Part of all traffic kept on nodes in addition; zero where it is less, since balance comes first.
    pub kept: Share,
    /// CPU that tuples cost no more because they stay in their worker, over the capacity that lasts; less than zero where
    /// more of them leave it, and zero where nobody knows what a tuple costs.
    pub saved: Share,
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
        let traffic = |placement| Collocation::of(problem, placement);
        let (present, planned) = (traffic(&problem.present), traffic(placement));
        let factor = |traffic: Option<Collocation>| traffic.map_or(0.0, |traffic| traffic.factor());
        let remote = |traffic: Option<Collocation>| {
            traffic.and_then(|traffic| traffic.remote_load(problem)).unwrap_or(Load::ZERO)
        };
        let capacity = problem.lasting_capacity();
        let saved = remote(present) - remote(planned);
        Self {
            drains: after.drained < before.drained,
            opens: workers(placement) > workers(&problem.present),
            relieved: before.overload - after.overload,
            nearer: before.beyond(limit) - after.beyond(limit),
            farther: after.load_distance > before.load_distance.max(limit),
            swing: swing(problem),
            kept: Share::from_fraction((factor(planned) - factor(present)).max(0.0)),
            saved: if capacity > Load::ZERO { saved.over(capacity) } else { Share::ZERO },
            restarts: Migration::between(problem, &problem.present, placement).restarts,
        }
    }

    /// True when it brings the nodes nearer by no more than they come and go by themselves.
    pub fn drowns(&self) -> bool {
        self.nearer > Share::ZERO && self.nearer <= self.swing
    }

    /// Balance, unless it drowns, traffic and CPU together.
    pub fn sum(&self) -> Share {
        let nearer = if self.drowns() { Share::ZERO } else { self.nearer };
        nearer + self.kept + self.saved
    }

    /// True when it empties a node or each restart takes at least `gain.min` of overload, which outweigh what else becomes
    /// worse; or when it opens workers, or each restart gains as much of all the rest, and no node goes farther for it.
    pub fn is_worth_it(&self, problem: &Problem) -> bool {
        let least = Share(problem.limits.gain_min.0.saturating_mul(self.restarts as i64));
        let gains = self.sum() >= least && !(self.drowns() && self.sum() <= Share::ZERO);
        self.drains || self.relieved > SAME_OVERLOAD.max(least) || !self.farther && (self.opens || gains)
    }
}
