//! What does not change while a plan is sought: which workers may be touched, and what limits them.

use std::collections::BTreeMap;

use crate::model::{ExecutorIx, NodeIx, Problem, Slot};
use crate::objective::Balance;
use crate::units::Share;

/// Stands for "no worker" and "no node".
pub(super) const NONE: u32 = u32::MAX;

/// A worker that may be restarted, or one that may be opened.
#[derive(Debug)]
pub(super) struct Piece {
    /// Position of its topology.
    pub(super) topology: usize,
    /// Its slot; none for a worker that does not run yet.
    pub(super) home: Option<Slot>,
    /// Its slot is of use to others once it has left: offered, and not to be avoided.
    pub(super) leaves_a_slot: bool,
    /// Most heap its executors may ask for together, in bytes.
    pub(super) heap_limit: i64,
}

/// The fixed part of a search.
#[derive(Debug)]
pub(super) struct Field<'p> {
    /// The problem.
    pub(super) problem: &'p Problem,
    /// Mean utilisation; no move changes it.
    pub(super) mean: Share,
    /// Nodes that may receive.
    pub(super) takes: Vec<bool>,
    /// Memory limit of every node in bytes: what it offers, or what is asked of it now where that is already more.
    pub(super) memory_limit: Vec<i64>,
    /// Memory asked of every node at present, in bytes.
    pub(super) memory: Vec<i64>,
    /// Load of every node at present, in millionths of a core.
    pub(super) load: Vec<i64>,
    /// Free slots of every node that optional moves may use at present. Ports to be avoided are never used for those:
    /// a worker may still run there, and no optional move is worth that risk.
    pub(super) free: Vec<i32>,
    /// Workers that may be touched, by slot; then those that may be opened, by topology.
    pub(super) pieces: Vec<Piece>,
    /// Positions in `pieces` by topology.
    pub(super) by_topology: Vec<Vec<u32>>,
    /// Worker of every executor at present; `NONE` for executors that stay where they are.
    pub(super) home: Vec<u32>,
    /// Executors of every worker at present, where any state is known of; empty where none is.
    pub(super) own: Vec<Vec<u32>>,
    /// Workers that may be restarted.
    pub(super) restarts: usize,
    /// Bytes of state that the executors of restarted workers may have to read again.
    pub(super) bytes: i64,
}

impl<'p> Field<'p> {
    /// The fixed part of a search from the present placement.
    pub(super) fn of(problem: &'p Problem) -> Self {
        let balance = Balance::of(problem, &problem.present);
        let mut field = Self {
            problem,
            mean: balance.mean,
            takes: problem.nodes.iter().map(|node| node.takes_moves()).collect(),
            memory_limit: Vec::new(),
            memory: vec![0; problem.nodes.len()],
            load: balance.nodes.iter().map(|node| node.load.0).collect(),
            free: Vec::new(),
            pieces: Vec::new(),
            by_topology: vec![Vec::new(); problem.topologies.len()],
            home: vec![NONE; problem.executors.len()],
            own: Vec::new(),
            restarts: problem.limits.restarts as usize,
            bytes: problem.limits.state.map_or(i64::MAX, |limit| limit.0),
        };
        let workers = problem.present.workers(problem);
        let mut running = vec![0; problem.topologies.len()];
        let mut used: BTreeMap<usize, Vec<u16>> = BTreeMap::new();
        for worker in &workers {
            running[worker.topology.at()] += 1;
            used.entry(worker.slot.node.at()).or_default().push(worker.slot.port);
            field.add(worker);
        }
        field.count_free(&used);
        field.add_unopened(&running);
        field.list_own();
        field.memory_limit = problem
            .nodes
            .iter()
            .zip(&field.memory)
            .map(|(node, now)| node.memory.map_or(i64::MAX, |limit| limit.0.max(*now)))
            .collect();
        field
    }

    fn add(&mut self, worker: &crate::model::Worker) {
        let problem = self.problem;
        let node = problem.node(worker.slot.node);
        let memory: i64 = worker.executors.iter().map(|e| problem.executor(*e).memory().0).sum();
        self.memory[worker.slot.node.at()] += memory;
        let topology = problem.topology(worker.topology);
        if !problem.may_move(worker) {
            return;
        }
        let at = self.pieces.len() as u32;
        for executor in &worker.executors {
            self.home[executor.at()] = at;
        }
        let heap: i64 = worker.executors.iter().map(|e| problem.executor(*e).onheap.0).sum();
        self.by_topology[worker.topology.at()].push(at);
        self.pieces.push(Piece {
            topology: worker.topology.at(),
            home: Some(worker.slot),
            leaves_a_slot: !node.avoids(worker.slot.port),
            heap_limit: topology.worker_heap_max.map_or(i64::MAX, |limit| limit.0.max(heap)),
        });
    }

    fn count_free(&mut self, used: &BTreeMap<usize, Vec<u16>>) {
        let none = Vec::new();
        let free = self.problem.nodes.iter().enumerate().map(|(at, node)| {
            let used = used.get(&at).unwrap_or(&none);
            node.plain_ports().filter(|port| used.binary_search(port).is_err()).count() as i32
        });
        self.free = free.collect();
    }

    /// Workers a topology asked for and does not have; never more than its executors can fill.
    fn add_unopened(&mut self, running: &[usize]) {
        for (at, topology) in self.problem.topologies.iter().enumerate() {
            let placed = topology.executors.clone().filter(|e| self.home[*e] != NONE).count();
            let touchable = self.by_topology[at].len();
            let missing = topology.missing_workers(running[at]).min(placed - touchable);
            for _ in 0..if topology.movable { missing } else { 0 } {
                self.by_topology[at].push(self.pieces.len() as u32);
                self.pieces.push(Piece {
                    topology: at,
                    home: None,
                    leaves_a_slot: true,
                    heap_limit: topology.worker_heap_max.map_or(i64::MAX, |limit| limit.0),
                });
            }
        }
    }

    fn list_own(&mut self) {
        let problem = self.problem;
        if problem.copies.is_empty() && problem.executors.iter().all(|executor| executor.state.is_none()) {
            return;
        }
        self.own = vec![Vec::new(); self.pieces.len()];
        for (executor, worker) in self.home.iter().enumerate().filter(|(_, worker)| **worker != NONE) {
            self.own[*worker as usize].push(executor as u32);
        }
    }

    /// Bytes an executor reads from elsewhere when it restarts on a node; 0 where nobody tells.
    pub(super) fn shipped(&self, executor: u32, node: u32) -> i64 {
        let (executor, node) = (ExecutorIx::from_at(executor as usize), NodeIx::from_at(node as usize));
        self.problem.shipped(executor, node).unwrap_or_default().0
    }

    /// Bytes of an executor's state; 0 where nobody tells.
    pub(super) fn state(&self, executor: u32) -> i64 {
        self.problem.executors[executor as usize].state.unwrap_or_default().0
    }

    /// True when every worker is one executor, as in experiments with key groups: then there is nothing to deal.
    pub(super) fn is_of_single_executors(&self) -> bool {
        let touchable = self.home.iter().filter(|worker| **worker != NONE).count();
        touchable == self.pieces.iter().filter(|piece| piece.home.is_some()).count()
    }

    /// True when nothing could ever be moved.
    pub(super) fn is_stuck(&self) -> bool {
        self.restarts == 0 || self.pieces.iter().all(|piece| piece.home.is_none())
    }
}
