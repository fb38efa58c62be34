//! Load distance, overload and drained load.
//!
//! Load distance: the largest |u_i - mean| over listed nodes, where u_i = load_i / capacity_i and mean = load of all
//! listed nodes / capacity of those that are not draining; a draining node counts only above the mean. ALBIC
//! (ICDE 2017), section on load balance: kill_i = 1 lifts the lower bound of node i. Unit: fraction of capacity. With
//! several resources there is a u_i and a mean for each, and the largest distance of all is the load distance.

use super::rows::{Choices, Milp};
use crate::model::{NodeState, Placement, Problem, Resource};
use crate::units::{Load, Share};

/// Weights of the paper's objective: the distance, and how far the two sides stay inside it.
const DISTANCE: f64 = 1.0;
const INSIDE: f64 = 1e-3;

/// Utilisations stand in the rows in per cent.
const PERCENT: f64 = 100.0;

/// Load and utilisation of a listed node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeLoad {
    /// Sum of its executors' loads.
    pub load: Load,
    /// Load over capacity.
    pub utilisation: Share,
    /// Distance from the mean, the largest of all resources; of a draining node only above it.
    pub distance: Share,
}

/// Balance of one resource beside CPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceBalance {
    /// Largest distance from the mean.
    pub load_distance: Share,
    /// Use on listed nodes over lasting capacity.
    pub mean: Share,
    /// Use over capacity per node of the problem; zero on unlisted ones.
    pub utilisation: Vec<Share>,
}

/// Balance of one placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// Largest distance from the mean.
    pub load_distance: Share,
    /// Sum of utilisation above the overload limit.
    pub overload: Share,
    /// Load of listed nodes over lasting capacity.
    pub mean: Share,
    /// Load on draining nodes.
    pub drained: Load,
    /// Load on unlisted nodes.
    pub unlisted: Load,
    /// Per node of the problem; unlisted ones have utilisation zero.
    pub nodes: Vec<NodeLoad>,
    /// Per resource of the problem.
    pub resources: Vec<ResourceBalance>,
}

impl Balance {
    /// Balance of a placement, computed from nothing but it and the problem.
    pub fn of(problem: &Problem, placement: &Placement) -> Self {
        let loads = placement.node_loads(problem);
        let by_state = |wanted: fn(NodeState) -> bool| -> Load {
            problem.nodes.iter().zip(&loads).filter(|(n, _)| wanted(n.state)).map(|(_, load)| *load).sum()
        };
        let capacity = problem.lasting_capacity();
        let mean =
            if capacity > Load::ZERO { by_state(NodeState::listed).over(capacity) } else { Share::ZERO };
        let mut balance = Self {
            load_distance: Share::ZERO,
            overload: Share::ZERO,
            mean,
            drained: by_state(|state| state == NodeState::Draining),
            unlisted: by_state(|state| state == NodeState::Unlisted),
            nodes: Vec::with_capacity(loads.len()),
            resources: Vec::with_capacity(problem.resources.len()),
        };
        for (node, load) in problem.nodes.iter().zip(loads) {
            let utilisation = if node.state.listed() { load.over(node.capacity) } else { Share::ZERO };
            let mut distance = Share::ZERO;
            if node.state.listed() {
                balance.overload += (utilisation - problem.limits.overload).max(Share::ZERO);
                distance = self::distance(node.state, utilisation, mean);
                balance.load_distance = balance.load_distance.max(distance);
            }
            balance.nodes.push(NodeLoad { load, utilisation, distance });
        }
        for resource in &problem.resources {
            balance.add(
                problem,
                resource,
                &placement.sums(problem, |executor| resource.usage[executor.at()]),
            );
        }
        balance
    }

    /// Adds a resource of which so much is used on every node.
    fn add(&mut self, problem: &Problem, resource: &Resource, used: &[Load]) {
        let mean = resource.mean(problem, used);
        let mut of_all = ResourceBalance { load_distance: Share::ZERO, mean, utilisation: Vec::new() };
        for (at, (node, used)) in problem.nodes.iter().zip(used).enumerate() {
            let utilisation =
                if node.state.listed() { used.over(resource.capacity[at]) } else { Share::ZERO };
            of_all.utilisation.push(utilisation);
            if node.state.listed() {
                self.overload += (utilisation - problem.limits.overload).max(Share::ZERO);
                let distance = self::distance(node.state, utilisation, mean);
                self.nodes[at].distance = self.nodes[at].distance.max(distance);
                of_all.load_distance = of_all.load_distance.max(distance);
            }
        }
        self.load_distance = self.load_distance.max(of_all.load_distance);
        self.resources.push(of_all);
    }

    /// Adds the load distance d to a MILP and returns its column, in per cent: u_i <= mean + d - d_u for every listed
    /// node, u_i >= mean - d + d_l for those that are not draining, d_u and d_l at most d, and
    /// `DISTANCE` x d - `INSIDE` x (d_u + d_l) in the objective.
    pub fn rows(problem: &Problem, choices: &Choices, milp: &mut Milp) -> usize {
        let (d, upper, lower) =
            (milp.column(false, DISTANCE), milp.column(false, -INSIDE), milp.column(false, -INSIDE));
        milp.row(vec![(upper, 1.0), (d, -1.0)], f64::NEG_INFINITY, 0.0);
        milp.row(vec![(lower, 1.0), (d, -1.0)], f64::NEG_INFINITY, 0.0);
        Self::rows_within(problem, choices, milp, [d, upper, lower]);
        for resource in &problem.resources {
            Self::rows_within(&problem.seen_by(resource), choices, milp, [d, upper, lower]);
        }
        d
    }

    /// Adds what keeps the load of every node within the columns of d, d_u and d_l.
    fn rows_within(problem: &Problem, choices: &Choices, milp: &mut Milp, [d, upper, lower]: [usize; 3]) {
        let present = Self::of(problem, &problem.present);
        let load = |worker: &crate::model::Worker| -> Load {
            worker.executors.iter().map(|executor| problem.executor(*executor).load).sum()
        };
        let mut fixed: Vec<Load> = present.nodes.iter().map(|node| node.load).collect();
        for unit in &choices.units {
            fixed[unit.worker.slot.node.at()] -= load(&unit.worker);
        }
        let mean = present.mean.fraction() * PERCENT;
        for ix in problem.node_ids().filter(|ix| problem.node(*ix).state.listed()) {
            let (node, at) = (problem.node(ix), ix.at());
            let percent = |load: Load| load.0 as f64 / node.capacity.0 as f64 * PERCENT;
            let utilisation = choices.on_node(ix, |unit| percent(load(&unit.worker)));
            let rest = mean - percent(fixed[at]);
            let mut above = utilisation.clone();
            above.extend([(d, -1.0), (upper, 1.0)]);
            milp.row(above, f64::NEG_INFINITY, rest);
            if node.state != NodeState::Draining {
                let mut below = utilisation;
                below.extend([(d, 1.0), (lower, -1.0)]);
                milp.row(below, rest, f64::INFINITY);
            }
        }
    }

    /// Sum of the distances beyond a limit. Unlike the load distance it falls when any node comes nearer, so that a
    /// node nobody can help does not make every gain look like none.
    pub fn beyond(&self, limit: Share) -> Share {
        self.nodes.iter().map(|node| (node.distance - limit).max(Share::ZERO)).sum()
    }
}

/// Distance of one node's utilisation from the mean; a draining node has none below it.
pub(crate) fn distance(state: NodeState, utilisation: Share, mean: Share) -> Share {
    utilisation.distance_from(mean, state == NodeState::Draining)
}
