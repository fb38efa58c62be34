//! Load as it is to be expected: measured, times what the backlog foretells of the topology.

use crate::model::{NodeState, Placement, Problem};
use crate::units::{Load, Share};

/// A problem with the loads to be expected, seen in one placement of it.
#[derive(Debug)]
pub(super) struct Demand {
    /// The problem; its present placement is the one that is looked at.
    pub(super) problem: Problem,
    /// Load of every node.
    pub(super) loads: Vec<Load>,
    /// All load but what is on unlisted nodes; that of homeless executors belongs to it.
    pub(super) total: Load,
    /// The total over the capacity of the nodes that stay in use.
    pub(super) mean: Share,
    /// Executors of enabled topologies that have no slot; none where placing them is the delegate scheduler's.
    pub(super) homeless: usize,
    places: bool,
}

impl Demand {
    /// The expected loads of a problem in a placement; `places` where homeless executors are ours to place.
    pub(super) fn of(problem: &Problem, placement: &Placement, places: bool) -> Self {
        let mut problem = problem.clone();
        problem.present = placement.clone();
        for executor in &mut problem.executors {
            let demand = problem.topologies[executor.topology.at()].demand;
            executor.load = demand.of(executor.load).max(executor.load);
        }
        Self::seen(problem, places)
    }

    /// What became of it: a problem made of this one, in its present placement.
    pub(super) fn then(&self, problem: Problem) -> Self {
        Self::seen(problem, self.places)
    }

    fn seen(problem: Problem, places: bool) -> Self {
        let loads = problem.present.node_loads(&problem);
        let homeless: Vec<_> = problem.present.homeless().map(|e| problem.executor(e)).collect();
        let on_nodes = problem.nodes.iter().zip(&loads).filter(|(node, _)| node.state.listed());
        let total: Load = on_nodes.map(|(_, load)| *load).chain(homeless.iter().map(|e| e.load)).sum();
        let capacity = problem.lasting_capacity();
        let enabled = homeless.iter().filter(|e| problem.topology(e.topology).enabled).count();
        Self {
            total,
            mean: if capacity > Load::ZERO { total.over(capacity) } else { Share::ZERO },
            homeless: if places { enabled } else { 0 },
            places,
            loads,
            problem,
        }
    }

    /// Utilization of the fullest listed node.
    pub(super) fn peak(&self) -> Share {
        let nodes = self.problem.nodes.iter().zip(&self.loads).filter(|(node, _)| node.state.listed());
        nodes.map(|(node, load)| load.over(node.capacity)).max().unwrap_or_default()
    }

    /// Position of the fullest listed node.
    pub(super) fn fullest(&self) -> Option<usize> {
        let listed = (0..self.loads.len()).filter(|at| self.problem.nodes[*at].state.listed());
        listed
            .max_by_key(|at| (self.loads[*at].over(self.problem.nodes[*at].capacity), std::cmp::Reverse(*at)))
    }

    /// Load on draining nodes.
    pub(super) fn drained(&self) -> Load {
        let nodes = self.problem.nodes.iter().zip(&self.loads);
        nodes.filter(|(node, _)| node.state == NodeState::Draining).map(|(_, load)| *load).sum()
    }
}
