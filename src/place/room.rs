//! What is free, and what a topology has: the books that every step of placing keeps.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ExecutorIx, NodeIx, Placement, Problem, Slot, TopologyIx};
use crate::units::{Load, Size};

/// How readily a free slot is used, the first the most readily.
pub(super) const TIERS: [Tier; 4] = [
    Tier { settled: true, avoided: false },
    Tier { settled: false, avoided: false },
    Tier { settled: true, avoided: true },
    Tier { settled: false, avoided: true },
];

/// A kind of free slots: on nodes seen long enough or not, on ports to be avoided or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tier {
    settled: bool,
    avoided: bool,
}

/// A worker of a topology and what it holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worker {
    pub(super) slot: Slot,
    pub(super) heap: Size,
    pub(super) load: Load,
    pub(super) executors: usize,
    /// Opened by this placing; filling it up restarts nothing.
    pub(super) opened: bool,
}

/// What is left of a node.
#[derive(Debug, Clone)]
pub(super) struct NodeRoom {
    /// Capacity less the demand of what is there; negative where that is more.
    pub(super) cpu: Load,
    /// None: no limit.
    pub(super) memory: Option<Size>,
    pub(super) load: Load,
    /// Homeless executors may go there.
    pub(super) usable: bool,
    settled: bool,
    /// Highest first, so that the lowest is taken from the end.
    plain: Vec<u16>,
    avoided: Vec<u16>,
}

pub(super) struct Room<'p> {
    pub(super) problem: &'p Problem,
    placement: &'p mut Placement,
    nodes: Vec<NodeRoom>,
    workers: Vec<BTreeMap<Slot, Worker>>,
    owners: BTreeMap<Slot, TopologyIx>,
    /// Number of each node's rack.
    racks: Vec<usize>,
}

impl<'p> Room<'p> {
    pub(super) fn of(problem: &'p Problem, placement: &'p mut Placement) -> Self {
        let running = placement.workers(problem);
        let used: BTreeSet<Slot> = running.iter().map(|worker| worker.slot).collect();
        let nodes = problem.node_ids().map(|ix| {
            let node = problem.node(ix);
            let free = |wanted: bool| -> Vec<u16> {
                let ports = node.ports.iter().rev().copied();
                ports
                    .filter(|port| node.avoids(*port) == wanted)
                    .filter(|port| !used.contains(&Slot { node: ix, port: *port }))
                    .collect()
            };
            NodeRoom {
                cpu: node.capacity,
                memory: node.memory,
                load: Load::ZERO,
                usable: node.takes_homeless(),
                settled: node.settled,
                plain: free(false),
                avoided: free(true),
            }
        });
        let mut room = Room {
            problem,
            nodes: nodes.collect(),
            workers: vec![BTreeMap::new(); problem.topologies.len()],
            owners: BTreeMap::new(),
            racks: rack_numbers(problem),
            placement,
        };
        for worker in running {
            room.add_worker(worker.topology, worker.slot, false);
            worker.executors.iter().for_each(|executor| room.count(*executor, worker.slot));
        }
        room
    }

    pub(super) fn node(&self, ix: NodeIx) -> &NodeRoom {
        &self.nodes[ix.at()]
    }

    /// Number of a node's rack, by the order of their names.
    pub(super) fn rack(&self, node: NodeIx) -> usize {
        self.racks[node.at()]
    }

    /// Workers of a topology by slot.
    pub(super) fn workers(&self, topology: TopologyIx) -> impl ExactSizeIterator<Item = &Worker> {
        self.workers[topology.at()].values()
    }

    /// The worker of a topology in a slot.
    pub(super) fn worker(&self, topology: TopologyIx, slot: Slot) -> Option<&Worker> {
        self.workers[topology.at()].get(&slot)
    }

    /// Workers of a topology on one node.
    pub(super) fn workers_on(&self, topology: TopologyIx, node: NodeIx) -> impl Iterator<Item = &Worker> {
        let (from, to) = (Slot { node, port: 0 }, Slot { node, port: u16::MAX });
        self.workers[topology.at()].range(from..=to).map(|(_, worker)| worker)
    }

    pub(super) fn owner(&self, slot: Slot) -> Option<TopologyIx> {
        self.owners.get(&slot).copied()
    }

    /// Nodes that homeless executors may go to.
    pub(super) fn usable(&self) -> impl Iterator<Item = NodeIx> + '_ {
        self.problem.node_ids().filter(|node| self.node(*node).usable)
    }

    /// True for a worker that homeless executors may join: its node may be used and still offers its port. A worker on
    /// an unlisted node, an unusable one or an unoffered port stays as it is.
    pub(super) fn joinable(&self, worker: &Worker) -> bool {
        let ports = &self.problem.node(worker.slot.node).ports;
        self.node(worker.slot.node).usable && ports.binary_search(&worker.slot.port).is_ok()
    }

    /// Number of free slots of a tier on a node.
    pub(super) fn free(&self, node: NodeIx, tier: Tier) -> usize {
        let node = self.node(node);
        match (node.usable && node.settled == tier.settled, tier.avoided) {
            (false, _) => 0,
            (true, false) => node.plain.len(),
            (true, true) => node.avoided.len(),
        }
    }

    /// Number of free slots of a tier.
    pub(super) fn free_everywhere(&self, tier: Tier) -> usize {
        self.problem.node_ids().map(|node| self.free(node, tier)).sum()
    }

    /// True for a node with a free slot of any tier.
    pub(super) fn has_free_slot(&self, node: NodeIx) -> bool {
        TIERS.iter().any(|tier| self.free(node, *tier) > 0)
    }

    /// The lowest free port of a tier on a node.
    pub(super) fn next_slot(&self, node: NodeIx, tier: Tier) -> Option<Slot> {
        if self.free(node, tier) == 0 {
            return None;
        }
        let room = self.node(node);
        let ports = if tier.avoided { &room.avoided } else { &room.plain };
        ports.last().map(|port| Slot { node, port: *port })
    }

    /// True for a free slot that is offered, not to be avoided, and on a node that may be used.
    pub(super) fn is_free(&self, slot: Slot) -> bool {
        let node = self.node(slot.node);
        node.usable && node.plain.contains(&slot.port)
    }

    /// True for an executor that fits into a worker of the topology at this slot, by memory and heap.
    pub(super) fn takes(&self, slot: Slot, heap_used: Size, executor: ExecutorIx) -> bool {
        let state = self.problem.executor(executor);
        let limit = self.problem.topology(state.topology).worker_heap_max;
        limit.is_none_or(|limit| heap_used + state.onheap <= limit)
            && self.node(slot.node).memory.is_none_or(|free| state.memory() <= free)
    }

    /// Opens a worker in a free slot.
    pub(super) fn open(&mut self, topology: TopologyIx, slot: Slot) {
        let node = &mut self.nodes[slot.node.at()];
        node.plain.retain(|port| *port != slot.port);
        node.avoided.retain(|port| *port != slot.port);
        self.add_worker(topology, slot, true);
    }

    /// Gives back the slots of opened workers that nothing went to.
    pub(super) fn close_empty(&mut self, topology: TopologyIx) {
        let empty = |worker: &&Worker| worker.executors == 0;
        let slots: Vec<Slot> = self.workers(topology).filter(empty).map(|worker| worker.slot).collect();
        for slot in slots {
            self.workers[topology.at()].remove(&slot);
            self.owners.remove(&slot);
            let avoided = self.problem.node(slot.node).avoids(slot.port);
            let node = &mut self.nodes[slot.node.at()];
            let ports = if avoided { &mut node.avoided } else { &mut node.plain };
            ports.push(slot.port);
            ports.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    /// Puts an executor into a worker of its topology.
    pub(super) fn put(&mut self, executor: ExecutorIx, slot: Slot) {
        self.placement.put(executor, slot);
        self.count(executor, slot);
    }

    fn add_worker(&mut self, topology: TopologyIx, slot: Slot, opened: bool) {
        let worker = Worker { slot, heap: Size::ZERO, load: Load::ZERO, executors: 0, opened };
        self.workers[topology.at()].insert(slot, worker);
        self.owners.insert(slot, topology);
    }

    fn count(&mut self, executor: ExecutorIx, slot: Slot) {
        let state = self.problem.executor(executor);
        let worker = self.workers[state.topology.at()].get_mut(&slot).expect("the worker was opened");
        worker.heap += state.onheap;
        worker.load += state.load;
        worker.executors += 1;
        let node = &mut self.nodes[slot.node.at()];
        node.cpu -= super::cpu_demand(state);
        node.load += state.load;
        if let Some(free) = &mut node.memory {
            *free -= state.memory();
        }
    }
}

fn rack_numbers(problem: &Problem) -> Vec<usize> {
    let names: BTreeSet<&str> = problem.nodes.iter().map(|node| node.rack.as_str()).collect();
    let numbers: BTreeMap<&str, usize> = names.into_iter().zip(0..).collect();
    problem.nodes.iter().map(|node| numbers[node.rack.as_str()]).collect()
}
