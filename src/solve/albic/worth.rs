//! What makes one plan better than another: the goals in their order.

use crate::model::{Placement, Problem};
use crate::objective::{Balance, Collocation, restarts};
use crate::units::{Load, Rate, Share};

/// Goals of a plan, the first one first; less is better.
///
/// Balance inside `load.distance.max` is good enough, and there traffic counts; no traffic makes up for balance beyond.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Worth {
    overload: Share,
    /// Load distance, no less than the limit.
    distance: Share,
    drained: Load,
    /// Distances beyond the limit, the largest first.
    beyond: Vec<Share>,
    /// Workers asked for and not open.
    unopened: usize,
    /// Traffic that leaves its node, and for every restart what it must keep from leaving: `gain.min` of all.
    cross_node: Rate,
    cross_worker: Rate,
    restarts: usize,
}

impl Worth {
    pub(super) fn of(problem: &Problem, placement: &Placement, least: i64) -> Self {
        let (balance, limit) = (Balance::of(problem, placement), problem.limits.distance_max);
        let mut beyond: Vec<Share> =
            balance.nodes.iter().map(|node| node.distance).filter(|distance| *distance > limit).collect();
        beyond.sort_unstable_by(|a, b| b.cmp(a));
        let mut open = vec![0; problem.topologies.len()];
        placement.workers(problem).iter().for_each(|worker| open[worker.topology.at()] += 1);
        let topologies = problem.topologies.iter().zip(open);
        let traffic = Collocation::of(problem, placement);
        let restarts = restarts(problem, &problem.present, placement);
        Self {
            overload: balance.overload,
            distance: balance.load_distance.max(limit),
            drained: balance.drained,
            beyond,
            unopened: topologies.map(|(topology, open)| topology.missing_workers(open)).sum(),
            cross_node: traffic.map_or(Rate::ZERO, |traffic| traffic.cross_node)
                + Rate(least.saturating_mul(restarts as i64)),
            cross_worker: traffic.map_or(Rate::ZERO, |traffic| traffic.cross_worker),
            restarts,
        }
    }

    /// True where nothing but traffic is left to be made better.
    pub(super) fn is_calm(&self, limit: Share) -> bool {
        self.overload == Share::ZERO
            && self.distance <= limit
            && self.drained == Load::ZERO
            && self.unopened == 0
    }
}
