//! A placement: which slot each executor has.

use super::{ExecutorIx, Problem, Slot, TopologyIx};
use crate::units::Load;

/// A state, not a plan: the slot of every executor, none for the homeless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    slots: Vec<Option<Slot>>,
}

/// A non-empty slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Where it is.
    pub slot: Slot,
    /// Whose it is.
    pub topology: TopologyIx,
    /// Its executors, sorted.
    pub executors: Vec<ExecutorIx>,
}

impl Placement {
    /// A placement from the slot of each executor, in the order of the problem.
    pub fn new(slots: Vec<Option<Slot>>) -> Self {
        Self { slots }
    }

    /// The slot of an executor.
    pub fn slot(&self, executor: ExecutorIx) -> Option<Slot> {
        self.slots[executor.at()]
    }

    /// Gives an executor a slot.
    pub fn put(&mut self, executor: ExecutorIx, slot: Slot) {
        self.slots[executor.at()] = Some(slot);
    }

    /// Executors without a slot.
    pub fn homeless(&self) -> impl Iterator<Item = ExecutorIx> + '_ {
        let homeless = self.slots.iter().enumerate().filter(|(_, slot)| slot.is_none());
        homeless.map(|(position, _)| ExecutorIx::from_at(position))
    }

    /// Non-empty slots by node and port.
    pub fn workers(&self, problem: &Problem) -> Vec<Worker> {
        let mut placed: Vec<(Slot, ExecutorIx)> =
            problem.executor_ids().filter_map(|e| Some((self.slot(e)?, e))).collect();
        placed.sort_unstable();
        placed
            .chunk_by(|a, b| a.0 == b.0)
            .map(|worker| Worker {
                slot: worker[0].0,
                topology: problem.executor(worker[0].1).topology,
                executors: worker.iter().map(|(_, executor)| *executor).collect(),
            })
            .collect()
    }

    /// Load of every node, in the order of the problem.
    pub fn node_loads(&self, problem: &Problem) -> Vec<Load> {
        self.sums(problem, |executor| problem.executor(executor).load)
    }

    /// Sum of a figure of the executors on every node, in the order of the problem.
    pub fn sums(&self, problem: &Problem, of: impl Fn(ExecutorIx) -> Load) -> Vec<Load> {
        let mut sums = vec![Load::ZERO; problem.nodes.len()];
        for executor in problem.executor_ids() {
            if let Some(slot) = self.slot(executor) {
                sums[slot.node.at()] += of(executor);
            }
        }
        sums
    }
}
