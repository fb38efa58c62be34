//! Whole workers and the nodes that may take them: what the strategies of the papers move.
//!
//! In the papers a key group migrates by itself. In Storm the unit that restarts is the worker, so here a unit is a
//! worker with all its executors; where each has one, it is a key group. A unit moves once a plan at most and costs one
//! restart. What a node takes (slots, memory, settled, not draining) and the state that may be read again holds at every step, so no order of moves breaks
//! a limit.

use std::collections::BTreeMap;

use super::search::relocated;
use super::{Budget, Outcome};
use crate::model::{ExecutorIx, NodeIx, NodeState, Problem, Slot};
use crate::units::{Load, Share, Size};
use crate::wire::StoppedBy;

/// A worker that may move.
pub(super) struct Unit {
    /// Where it runs now.
    pub(super) home: Slot,
    /// Where it is in the plan.
    pub(super) node: NodeIx,
    /// Sum of its executors' loads.
    pub(super) load: Load,
    /// The first of its executors: a name that outlives its slot.
    pub(super) name: String,
    memory: Size,
    leaves_a_slot: bool,
    executors: Vec<ExecutorIx>,
}

impl Unit {
    fn has_moved(&self) -> bool {
        self.node != self.home.node
    }
}

/// Units, nodes and what is left of the budget.
pub(super) struct Fleet<'p> {
    pub(super) problem: &'p Problem,
    /// Units by slot.
    pub(super) units: Vec<Unit>,
    /// Workers on every node, those that may not move among them.
    pub(super) workers: Vec<usize>,
    /// Free slots of every node, ports to be avoided not among them.
    pub(super) free: Vec<usize>,
    load: Vec<Load>,
    memory: Vec<Size>,
    restarts_left: u32,
    /// State that may still be read again; none means no limit.
    state_left: Option<Size>,
}

impl<'p> Fleet<'p> {
    /// Everything where it is now.
    pub(super) fn of(problem: &'p Problem) -> Self {
        let nodes = problem.nodes.len();
        let mut fleet = Self {
            problem,
            units: Vec::new(),
            workers: vec![0; nodes],
            free: Vec::new(),
            load: problem.present.node_loads(problem),
            memory: vec![Size::ZERO; nodes],
            restarts_left: problem.limits.restarts,
            state_left: problem.limits.state,
        };
        let mut used: BTreeMap<NodeIx, Vec<u16>> = BTreeMap::new();
        for worker in problem.present.workers(problem) {
            let (node, executors) = (worker.slot.node, worker.executors.iter());
            let memory = executors.clone().map(|executor| problem.executor(*executor).memory()).sum();
            fleet.workers[node.at()] += 1;
            fleet.memory[node.at()] += memory;
            used.entry(node).or_default().push(worker.slot.port);
            if problem.may_move(&worker) {
                let first = problem.executor(worker.executors[0]).tasks;
                fleet.units.push(Unit {
                    home: worker.slot,
                    node,
                    load: executors.map(|executor| problem.executor(*executor).load).sum(),
                    name: format!("{}/{}", problem.topology(worker.topology).id, first.0),
                    memory,
                    leaves_a_slot: !problem.node(node).avoids(worker.slot.port),
                    executors: worker.executors,
                });
            }
        }
        fleet.free = problem.node_ids().map(|node| free_slots(problem, node, used.get(&node))).collect();
        fleet
    }

    /// Utilization of a node, and with so much more; zero on unlisted nodes.
    pub(super) fn utilization(&self, node: NodeIx, more: Load) -> Share {
        let info = self.problem.node(node);
        if info.state.listed() { (self.load[node.at()] + more).over(info.capacity) } else { Share::ZERO }
    }

    /// True while a restart is left to spend.
    pub(super) fn may_spend(&self) -> bool {
        self.restarts_left > 0
    }

    /// True on a node that is to be emptied.
    pub(super) fn is_draining(&self, node: NodeIx) -> bool {
        self.problem.node(node).state == NodeState::Draining
    }

    /// Units that may still move, of one node.
    pub(super) fn movable_on(&self, node: NodeIx) -> impl Iterator<Item = usize> + '_ {
        let here = move |unit: &&Unit| unit.node == node && !unit.has_moved();
        self.units.iter().enumerate().filter(move |(_, unit)| here(unit)).map(|(at, _)| at)
    }

    /// True when a node takes a unit within all limits.
    pub(super) fn fits(&self, unit: usize, to: NodeIx) -> bool {
        let (unit, node) = (&self.units[unit], self.problem.node(to));
        self.state_left.is_none_or(|left| self.ships(unit, to) <= left)
            && node.takes_moves()
            && self.free[to.at()] > 0
            && !unit.has_moved()
            && unit.node != to
            && node.memory.is_none_or(|limit| self.memory[to.at()] + unit.memory <= limit)
    }

    /// State that the executors of a unit read again on a node.
    fn ships(&self, unit: &Unit, to: NodeIx) -> Size {
        unit.executors.iter().filter_map(|executor| self.problem.shipped(*executor, to)).sum()
    }

    /// Sends a unit to a node that it fits on, for one restart.
    pub(super) fn send(&mut self, unit: usize, to: NodeIx) {
        debug_assert!(self.fits(unit, to) && self.may_spend(), "whoever sends has asked");
        if let Some(left) = self.state_left {
            self.state_left = Some(left - self.ships(&self.units[unit], to));
        }
        let unit = &mut self.units[unit];
        let from = unit.node.at();
        self.load[from] -= unit.load;
        self.memory[from] -= unit.memory;
        self.workers[from] -= 1;
        self.free[from] += usize::from(unit.leaves_a_slot);
        self.load[to.at()] += unit.load;
        self.memory[to.at()] += unit.memory;
        self.workers[to.at()] += 1;
        self.free[to.at()] -= 1;
        unit.node = to;
        self.restarts_left -= 1;
    }

    /// The placement that came of it, or the present one where that is no worse.
    pub(super) fn outcome(self, budget: &Budget) -> Outcome {
        let moved = self.units.iter().filter(|unit| unit.has_moved());
        let chosen: Vec<(Slot, NodeIx)> = moved.map(|unit| (unit.home, unit.node)).collect();
        let unchanged = Outcome::unchanged(self.problem);
        if chosen.is_empty() {
            return Outcome { stopped_by: budget.spent(), ..unchanged };
        }
        let placement = relocated(self.problem, &chosen).expect("every step kept the limits");
        let stopped_by = if self.restarts_left == 0 { StoppedBy::Done } else { budget.spent() };
        Outcome { placement, stopped_by, ..unchanged }
    }
}

fn free_slots(problem: &Problem, node: NodeIx, used: Option<&Vec<u16>>) -> usize {
    let is_used = |port: &u16| used.is_some_and(|used| used.binary_search(port).is_ok());
    problem.node(node).plain_ports().filter(|port| !is_used(port)).count()
}
