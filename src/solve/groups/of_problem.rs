//! Whole workers as groups: a problem of Storm's levels seen as the papers' problem, and a plan of it as a placement.
//!
//! Where every worker is one executor, as in experiments with key groups, nothing is lost by it.

use std::collections::BTreeMap;

use super::{Host, Instance};
use crate::model::{NodeIx, Placement, Problem, Slot, Worker};
use crate::solve::search::relocated;

/// Workers that may move, as the groups of an instance.
#[derive(Debug)]
pub struct Workers {
    /// The papers' problem; a group is a worker.
    pub instance: Instance,
    /// The worker of every group, by slot.
    pub workers: Vec<Worker>,
}

impl Workers {
    /// The workers of the present placement that may move; the others are load that stays.
    pub fn of(problem: &Problem) -> Self {
        let mut instance = Instance {
            hosts: hosts(problem),
            budget_moves: u64::from(problem.limits.restarts),
            target: problem.limits.distance_max,
            overload: problem.limits.overload,
            ..Instance::default()
        };
        let (mut workers, mut used) = (Vec::new(), BTreeMap::<NodeIx, Vec<u16>>::new());
        for worker in problem.present.workers(problem) {
            let (node, executors) = (worker.slot.node, worker.executors.iter().map(|e| problem.executor(*e)));
            let load: i64 = executors.clone().map(|executor| executor.load.0).sum();
            let memory: i64 = executors.map(|executor| executor.memory().0).sum();
            used.entry(node).or_default().push(worker.slot.port);
            let host = &mut instance.hosts[node.at()];
            if host.memory != i64::MAX {
                host.memory -= memory;
            }
            if problem.may_move(&worker) {
                instance.load.push(load);
                instance.home.push(node.at() as u32);
                instance.memory.push(memory);
                instance.leaves_slot.push(!problem.node(node).avoids(worker.slot.port));
                workers.push(worker);
            } else {
                host.fixed += load;
            }
        }
        for (at, host) in instance.hosts.iter_mut().enumerate() {
            let node = NodeIx::from_at(at);
            let used = used.get(&node).map_or(&[][..], |ports| ports);
            let free = |port: &u16| used.binary_search(port).is_err();
            host.slots = problem.node(node).plain_ports().filter(free).count() as i64;
            host.memory = host.memory.max(0);
        }
        Self { instance, workers }
    }

    /// The placement that has every worker on the host of its group; the present one if that is no worse.
    pub fn placement(&self, problem: &Problem, hosts: &[u32]) -> Placement {
        let moved = self.workers.iter().zip(hosts.iter().zip(&self.instance.home));
        let chosen: Vec<(Slot, NodeIx)> = moved
            .filter(|(_, (host, home))| host != home)
            .map(|(worker, (host, _))| (worker.slot, NodeIx::from_at(*host as usize)))
            .collect();
        relocated(problem, &chosen).expect("a plan of groups keeps the limits of their workers")
    }
}

/// All nodes; load, slots and memory of the workers on them come later.
fn hosts(problem: &Problem) -> Vec<Host> {
    let host = |node: &crate::model::Node| Host {
        capacity: node.capacity.0,
        fixed: 0,
        takes: node.takes_moves(),
        draining: node.state == crate::model::NodeState::Draining,
        listed: node.state.listed(),
        slots: 0,
        memory: node.memory.map_or(i64::MAX, |limit| limit.0),
    };
    problem.nodes.iter().map(host).collect()
}
