//! The potential plan: what balancing can reach if it is given time.
//!
//! Budgets and cooldowns spread a plan over rounds, and a node that has just come settles; none of them is a reason to
//! ask for another node. So here every enabled topology may move, nodes settle at once and restarts are no object.

use super::demand::Demand;
use crate::model::{Node, NodeIx, NodeState, Problem, Slot};
use crate::place;
use crate::settings::Settings;
use crate::solve::{self, Budget};
use crate::units::{Load, Share};

/// The strategy that looks for it, whichever plans: a node must not be asked for because a baseline does not find it.
const STRATEGY: &str = "search";

/// A plan that nothing holds back.
pub(super) struct Potential {
    /// The problem it is of, in the plan's placement.
    pub(super) reached: Demand,
}

impl Potential {
    /// The best plan found within the search's budget from a placement after `change`.
    pub(super) fn of(
        from: &Demand,
        settings: &Settings,
        change: impl FnOnce(&mut Problem),
        budget: &mut Budget,
    ) -> Self {
        let mut problem = from.problem.clone();
        change(&mut problem);
        for topology in &mut problem.topologies {
            topology.movable = topology.enabled;
        }
        for node in problem.nodes.iter_mut().filter(|node| node.state == NodeState::Active) {
            node.settled = true;
        }
        let mut placement = problem.present.clone();
        place::homeless(&problem, &mut placement, &mut Vec::new());
        problem.present = placement;
        problem.limits.restarts = problem.present.workers(&problem).len() as u32;
        problem.limits.state = None;
        problem.limits.overload = settings.scale_out_load;
        let strategy = solve::by_name(STRATEGY).expect("the registry has it");
        let bound = solve::bound(&problem);
        if let Ok(outcome) = strategy.solve(&problem, bound, budget) {
            problem.present = outcome.placement;
        }
        Self { reached: from.then(problem) }
    }

    /// Utilization of its fullest node.
    pub(super) fn peak(&self) -> Share {
        self.reached.peak()
    }

    /// True when no node is too full and every executor has a slot.
    pub(super) fn fits(&self, settings: &Settings) -> bool {
        self.peak() <= settings.scale_out_load && self.reached.homeless == 0
    }
}

/// A node that is not there yet, of a size and with as many ports as the others have.
pub(super) fn new_node(problem: &Problem, number: usize, capacity: Load) -> Node {
    let in_use = || problem.nodes.iter().filter(|node| node.state.lasts());
    let ports = in_use().map(|node| node.ports.len()).max().unwrap_or(1).max(1);
    let memory = in_use().map(|node| node.memory).max().flatten();
    Node {
        id: format!("new node {number}"),
        host: format!("new node {number}"),
        name: format!("new node {number}"),
        rack: String::new(),
        capacity,
        memory,
        checkpoint_storage: None,
        checkpoint_network: None,
        ports: (0..ports as u16).collect(),
        avoid_ports: Vec::new(),
        state: NodeState::Active,
        scaled_in: false,
        settled: true,
    }
}

/// Free slots of every node that optional moves may use.
pub(super) fn free_slots(problem: &Problem) -> Vec<usize> {
    let mut used: Vec<Slot> = problem.executor_ids().filter_map(|e| problem.present.slot(e)).collect();
    used.sort_unstable();
    used.dedup();
    let free = |node: NodeIx| {
        let taken = |port: &u16| used.binary_search(&Slot { node, port: *port }).is_ok();
        problem.node(node).plain_ports().filter(|port| !taken(port)).count()
    };
    problem.node_ids().map(free).collect()
}
