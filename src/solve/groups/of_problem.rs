//! Whole workers as groups: a problem of Storm's levels seen as the papers' problem, and a plan of it as a placement.
//!
//! Where every worker is one executor, as in experiments with key groups, nothing is lost by it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Copies, Host, Instance, Resource};
use crate::model::{Copy, ExecutorIx, NodeIx, Placement, Problem, Slot, Worker};
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
            budget_bytes: problem.limits.state.map(|limit| limit.0),
            move_price: problem.limits.restart_price.map(|price| price.0),
            resources: problem
                .resources
                .iter()
                .map(|resource| Resource {
                    capacity: resource.capacity.iter().map(|capacity| capacity.0).collect(),
                    fixed: vec![0; problem.nodes.len()],
                    load: Vec::new(),
                })
                .collect(),
            target: problem.limits.distance_max,
            overload: problem.limits.overload,
            ..Instance::default()
        };
        let (mut workers, mut used) = (Vec::new(), BTreeMap::<NodeIx, Vec<u16>>::new());
        let mut copies = Vec::new();
        for worker in problem.present.workers(problem) {
            let (node, executors) = (worker.slot.node, worker.executors.iter().map(|e| problem.executor(*e)));
            let load: i64 = executors.clone().map(|executor| executor.load.0).sum();
            let memory: i64 = executors.map(|executor| executor.memory().0).sum();
            used.entry(node).or_default().push(worker.slot.port);
            let host = &mut instance.hosts[node.at()];
            if host.memory != i64::MAX {
                host.memory -= memory;
            }
            for (of, resource) in instance.resources.iter_mut().zip(&problem.resources) {
                let used: i64 = worker.executors.iter().map(|executor| resource.usage[executor.at()].0).sum();
                if problem.may_move(&worker) {
                    of.load.push(used);
                } else {
                    of.fixed[node.at()] += used;
                }
            }
            if problem.may_move(&worker) {
                instance.load.push(load);
                instance.home.push(node.at() as u32);
                instance.memory.push(memory);
                instance.leaves_slot.push(!problem.node(node).avoids(worker.slot.port));
                instance.bytes.push(most_bytes(problem, &worker));
                copies.extend(bytes_with_copies(problem, &worker, workers.len() as u32));
                workers.push(worker);
            } else {
                host.fixed += load;
            }
        }
        instance.copies = Copies::new(copies);
        for (at, host) in instance.hosts.iter_mut().enumerate() {
            let node = NodeIx::from_at(at);
            let used = used.get(&node).map_or(&[][..], |ports| ports);
            let free = |port: &u16| used.binary_search(port).is_err();
            host.slots = problem.node(node).plain_ports().filter(free).count() as i64;
            host.memory = host.memory.max(0);
        }
        Self { instance, workers }
    }

    /// The instance that bounds are taken of. A plan has to take it that a worker may read as much again as anywhere; no
    /// bound may, and where nobody tells the size of a state it may be nothing.
    pub fn at_best(problem: &Problem) -> Instance {
        let Self { mut instance, workers } = Self::of(problem);
        let mut copies = Vec::new();
        for (group, worker) in (0_u32..).zip(&workers) {
            let told = worker.executors.iter().filter_map(|executor| problem.executor(*executor).state);
            let elsewhere = told.map(|size| size.0).sum();
            instance.bytes[group as usize] = elsewhere;
            let with_copies = bytes_with_copies(problem, worker, group);
            copies.extend(with_copies.map(|(group, node, bytes)| (group, node, bytes.min(elsewhere))));
        }
        instance.copies = Copies::new(copies);
        instance
    }

    /// The placement that has every worker on the host of its group; the present one if that is no worse.
    pub fn placement(&self, problem: &Problem, hosts: &[u32]) -> Placement {
        relocated(problem, &self.chosen(hosts)).expect("a plan of groups keeps the limits of their workers")
    }

    /// The workers that move, by their slots, and the nodes they go to.
    pub(in crate::solve) fn chosen(&self, hosts: &[u32]) -> Vec<(Slot, NodeIx)> {
        let all = self.workers.iter().zip(hosts.iter().zip(&self.instance.home));
        all.filter(|(_, (host, home))| host != home)
            .map(|(worker, (host, _))| (worker.slot, NodeIx::from_at(*host as usize)))
            .collect()
    }
}

/// Most bytes that the executors of a worker read again wherever it restarts: all of their state, or what a copy lacks
/// where nobody tells the size or that is even more.
fn most_bytes(problem: &Problem, worker: &Worker) -> i64 {
    let of = |executor: &ExecutorIx| {
        let copies = copies_of(problem, *executor).iter().map(|copy| copy.delta);
        problem.executor(*executor).state.into_iter().chain(copies).max().unwrap_or_default().0
    };
    worker.executors.iter().map(of).sum()
}

/// Nodes with a copy of some executor's state, and the bytes that all executors of the worker read again there.
fn bytes_with_copies<'p>(
    problem: &'p Problem,
    worker: &'p Worker,
    group: u32,
) -> impl Iterator<Item = (u32, u32, i64)> + 'p {
    let nodes: BTreeSet<NodeIx> =
        worker.executors.iter().flat_map(|e| copies_of(problem, *e)).map(|copy| copy.node).collect();
    nodes.into_iter().map(move |node| {
        let known = worker.executors.iter().filter_map(|executor| problem.shipped(*executor, node));
        (group, node.at() as u32, known.map(|size| size.0).sum())
    })
}

fn copies_of(problem: &Problem, executor: ExecutorIx) -> &[Copy] {
    let from = problem.copies.partition_point(|copy| copy.executor < executor);
    let to = problem.copies.partition_point(|copy| copy.executor <= executor);
    &problem.copies[from..to]
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
