//! The loads that a threshold allows each node.

use crate::model::{NodeState, Problem};
use crate::units::Share;

/// Allowed load of every node, in millionths of a core: from `low` to `high`, both included.
///
/// Integer on purpose: a node is inside its band exactly when its utilisation, rounded as a reply shows it, is no
/// farther from the mean than the threshold.
#[derive(Debug, Clone)]
pub(super) struct Band {
    /// Least load; zero on draining and unlisted nodes.
    pub(super) low: Vec<i64>,
    /// Most load.
    pub(super) high: Vec<i64>,
    /// Price of a unit of load outside the band.
    pub(super) weight: Vec<i64>,
}

/// What counts more than anything a node with weight 1 can gain from one move.
const HEAVY: i64 = 64;

impl Band {
    /// Loads no farther than `distance` from the mean: load distance as ALBIC (ICDE 2017) defines it.
    pub(super) fn around(problem: &Problem, mean: Share, distance: Share) -> Self {
        let nodes = problem.nodes.iter();
        let range = nodes.map(|node| match node.state {
            NodeState::Unlisted => (0, i64::MAX / 4),
            NodeState::Draining => (0, (mean + distance).most(node.capacity).0),
            NodeState::Active | NodeState::Unusable => {
                ((mean - distance).least(node.capacity).0, (mean + distance).most(node.capacity).0)
            }
        });
        let (low, high): (Vec<i64>, Vec<i64>) = range.unzip();
        let weight = vec![1; low.len()];
        Self { low, high, weight }
    }

    /// Loads that overload no node, whatever the balance.
    pub(super) fn below_overload(problem: &Problem) -> Self {
        let mut band = Self::around(problem, Share::ZERO, Share::from_fraction(1e3));
        band.low.fill(0);
        band.cap_at_overload(problem);
        band
    }

    /// Lowers the upper ends to the overload limit where they are above it.
    pub(super) fn cap_at_overload(&mut self, problem: &Problem) {
        for ((high, low), node) in self.high.iter_mut().zip(&self.low).zip(&problem.nodes) {
            if node.state.listed() {
                *high = (*high).min(problem.limits.overload.most(node.capacity).0).max(*low);
            }
        }
    }

    /// Wants draining nodes empty; leaving the band elsewhere costs more than any load drained is worth.
    pub(super) fn drain(&mut self, problem: &Problem) {
        for (at, node) in problem.nodes.iter().enumerate() {
            if node.state == NodeState::Draining {
                self.high[at] = 0;
            } else {
                self.weight[at] = HEAVY;
            }
        }
    }

    /// Load of a node outside its band, by its price.
    pub(super) fn violation(&self, node: usize, load: i64) -> i64 {
        self.weight[node] * (load - self.high[node]).max(self.low[node] - load).max(0)
    }
}
