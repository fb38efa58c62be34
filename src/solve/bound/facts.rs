//! What the bound needs to know of a problem, sorted once.

use std::collections::BTreeMap;

use crate::model::{Problem, Worker};

/// A worker that a plan may restart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Movable {
    pub(super) node: usize,
    pub(super) topology: usize,
    /// Its load, in millionths of a core.
    pub(super) load: i64,
}

/// A topology as far as its movable workers go.
#[derive(Debug, Clone, Default)]
pub(super) struct Pool {
    /// Loads of its movable workers, rising.
    pub(super) workers: Vec<i64>,
    /// Load of its heaviest movable executor.
    pub(super) heaviest: i64,
    /// Workers it may open.
    pub(super) openable: usize,
    /// Executors beyond one a worker: what can be dealt at all.
    pub(super) spare: usize,
    /// The most load that one of its workers can end with: all others keep one executor each.
    pub(super) most_in_one: i64,
}

/// What the bound needs.
#[derive(Debug)]
pub(super) struct Facts {
    /// Load of every node.
    pub(super) load: Vec<i64>,
    /// Movable workers of every node, the heaviest first.
    pub(super) on: Vec<Vec<Movable>>,
    /// Nodes that may receive.
    pub(super) takes: Vec<bool>,
    /// Nodes with a free slot.
    pub(super) has_slot: Vec<bool>,
    /// Listed nodes.
    pub(super) listed: Vec<bool>,
    /// Topologies with movable workers.
    pub(super) pools: Vec<Pool>,
    /// All movable workers, the heaviest first.
    pub(super) all: Vec<Movable>,
    /// Sums of the largest loads that single workers can end with: entry k is that of the k + 1 largest.
    pub(super) brought: Vec<i64>,
    /// Workers that may be opened, over all topologies.
    pub(super) openable: usize,
}

impl Facts {
    pub(super) fn of(problem: &Problem) -> Self {
        let workers = problem.present.workers(problem);
        let nodes = problem.nodes.len();
        let mut facts = Self {
            load: problem.present.node_loads(problem).iter().map(|load| load.0).collect(),
            on: vec![Vec::new(); nodes],
            takes: problem.nodes.iter().map(|node| node.takes_moves()).collect(),
            has_slot: has_slot(problem, &workers),
            listed: problem.nodes.iter().map(|node| node.state.listed()).collect(),
            pools: vec![Pool::default(); problem.topologies.len()],
            all: Vec::new(),
            brought: Vec::new(),
            openable: 0,
        };
        let mut running = vec![0; problem.topologies.len()];
        let mut executors: Vec<Vec<i64>> = vec![Vec::new(); problem.topologies.len()];
        for worker in &workers {
            running[worker.topology.at()] += 1;
            if problem.may_move(worker) {
                let loads = worker.executors.iter().map(|e| problem.executor(*e).load.0);
                executors[worker.topology.at()].extend(loads.clone());
                let (node, topology, load) = (worker.slot.node.at(), worker.topology.at(), loads.sum());
                facts.all.push(Movable { node, topology, load });
                facts.pools[topology].workers.push(load);
            }
        }
        for (at, mut loads) in executors.into_iter().enumerate() {
            facts.add_pool(problem, at, running[at], &mut loads);
        }
        facts.all.sort_by_key(|worker| std::cmp::Reverse(worker.load));
        for worker in &facts.all {
            facts.on[worker.node].push(*worker);
        }
        facts.sum_brought();
        facts
    }

    /// Whether nothing can be dealt or opened, so that whole workers are all that moves.
    pub(super) fn is_of_single_executors(&self) -> bool {
        self.openable == 0 && self.pools.iter().all(|pool| pool.spare == 0)
    }

    fn add_pool(&mut self, problem: &Problem, at: usize, running: usize, loads: &mut [i64]) {
        let (topology, pool) = (&problem.topologies[at], &mut self.pools[at]);
        loads.sort_unstable_by_key(|load| std::cmp::Reverse(*load));
        pool.workers.sort_unstable();
        pool.spare = loads.len() - pool.workers.len();
        let asked = if topology.movable { topology.missing_workers(running) } else { 0 };
        pool.openable = asked.min(pool.spare);
        pool.heaviest = loads.first().copied().unwrap_or(0);
        pool.most_in_one = loads.iter().take(pool.spare + 1).sum();
        self.openable += pool.openable;
    }

    fn sum_brought(&mut self) {
        let mut brought: Vec<i64> = Vec::new();
        for pool in &self.pools {
            if pool.spare == 0 {
                // With one executor a worker, a worker brings its own load and no more.
                brought.extend(&pool.workers);
            } else {
                brought.extend(std::iter::repeat_n(pool.most_in_one, pool.workers.len() + pool.openable));
            }
        }
        brought.sort_unstable_by_key(|load| std::cmp::Reverse(*load));
        let mut sum = 0;
        self.brought = brought
            .into_iter()
            .map(|load| {
                sum += load;
                sum
            })
            .collect();
    }
}

fn has_slot(problem: &Problem, workers: &[Worker]) -> Vec<bool> {
    let mut used: BTreeMap<usize, usize> = BTreeMap::new();
    for worker in workers {
        let node = problem.node(worker.slot.node);
        if node.ports.binary_search(&worker.slot.port).is_ok() {
            *used.entry(worker.slot.node.at()).or_default() += 1;
        }
    }
    let free = problem.nodes.iter().enumerate();
    free.map(|(at, node)| node.ports.len() > used.get(&at).copied().unwrap_or(0)).collect()
}
