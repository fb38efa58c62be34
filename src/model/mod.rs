//! The problem in dense ids and integers: nodes, workload and placement.
//!
//! Invariants: every vector is sorted by the name it stands for (nodes by id, topologies by id, components by
//! topology and id, executors by topology and first task), so that the order of the request changes nothing; every
//! listed node has a positive capacity.

mod cluster;
mod ids;
mod placement;
mod states;
mod traffic;
mod workload;

pub use cluster::{Node, NodeState, Resource, Slot};
pub use ids::{ComponentIx, ExecutorIx, NodeIx, TopologyIx};
pub use placement::{Placement, Worker};
pub use states::State;
pub use traffic::{Pair, Stream, Traffic, WHOLE};
pub use workload::{Component, Copy, Edge, Executor, Topology};

use crate::units::{Load, Share, Size, TupleCost};

/// What a plan may spend and what it is measured against; from the settings.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Running workers that may be restarted.
    pub restarts: u32,
    /// State that the executors of restarted workers may have to read again; none means no limit.
    pub state: Option<Size>,
    /// CPU of a tuple that leaves its worker; none: not known.
    pub remote_tuple: Option<TupleCost>,
    /// State that a restart is worth beside what it ships; none: a restart is worth more than any.
    pub restart_price: Option<Size>,
    /// Load distance that is good enough.
    pub distance_max: Share,
    /// Utilisation above which a node is overloaded.
    pub overload: Share,
    /// What a restart must at least gain: distance from the mean over all nodes, or part of all traffic.
    pub gain_min: Share,
    /// A pair of executors counts as talking when its traffic is more than this times its sender's average (s_F).
    pub score_factor: f64,
    /// Largest load, as a fraction of a node's capacity, that is moved as one to keep talking executors together (maxPL).
    pub partition_load_max: Share,
    /// The MILP solver may be used.
    pub milp: bool,
}

/// Everything a strategy may look at.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Nodes by id, unlisted ones included.
    pub nodes: Vec<Node>,
    /// Topologies by id.
    pub topologies: Vec<Topology>,
    /// Components by topology and id.
    pub components: Vec<Component>,
    /// Executors by topology and first task.
    pub executors: Vec<Executor>,
    /// What executors send each other; empty where nothing is known.
    pub traffic: Traffic,
    /// Copies of executors' states by executor and node, one each.
    pub copies: Vec<Copy>,
    /// States that are to have copies, by executor.
    pub states: Vec<State>,
    /// Resources beside CPU by name.
    pub resources: Vec<Resource>,
    /// Where the executors are now.
    pub present: Placement,
    /// Budget and limits.
    pub limits: Limits,
}

impl Problem {
    /// A node by its id.
    pub fn node(&self, ix: NodeIx) -> &Node {
        &self.nodes[ix.at()]
    }

    /// A topology by its id.
    pub fn topology(&self, ix: TopologyIx) -> &Topology {
        &self.topologies[ix.at()]
    }

    /// An executor by its id.
    pub fn executor(&self, ix: ExecutorIx) -> &Executor {
        &self.executors[ix.at()]
    }

    /// Ids of all executors.
    pub fn executor_ids(&self) -> impl ExactSizeIterator<Item = ExecutorIx> + use<> {
        (0..self.executors.len()).map(ExecutorIx::from_at)
    }

    /// Ids of all nodes.
    pub fn node_ids(&self) -> impl ExactSizeIterator<Item = NodeIx> + use<> {
        (0..self.nodes.len()).map(NodeIx::from_at)
    }

    /// The problem as if a resource beside CPU were the load and nothing else mattered.
    pub fn seen_by(&self, resource: &Resource) -> Self {
        let mut seen = Self { resources: Vec::new(), ..self.clone() };
        for (node, capacity) in seen.nodes.iter_mut().zip(&resource.capacity) {
            node.capacity = *capacity;
        }
        for (executor, usage) in seen.executors.iter_mut().zip(&resource.usage) {
            (executor.load, executor.swing) = (*usage, Load::ZERO);
        }
        seen
    }

    /// True when a worker may leave its slot: its topology may be moved now, its node is in use or being drained, and
    /// its port is one the node offers.
    pub fn may_move(&self, worker: &Worker) -> bool {
        let node = self.node(worker.slot.node);
        self.topology(worker.topology).movable
            && matches!(node.state, NodeState::Active | NodeState::Draining)
            && node.ports.binary_search(&worker.slot.port).is_ok()
    }

    /// State that an executor restarted on a node has to read from elsewhere: what changed since the copy that lies
    /// there, else all of it. None where its size is not known.
    pub fn shipped(&self, executor: ExecutorIx, node: NodeIx) -> Option<Size> {
        let key = (executor, node);
        match self.copies.binary_search_by_key(&key, |copy| (copy.executor, copy.node)) {
            Ok(at) => Some(self.copies[at].delta),
            Err(_) => self.executor(executor).state,
        }
    }

    /// Capacity of the nodes that stay in use: listed and not draining. What the mean is taken over.
    pub fn lasting_capacity(&self) -> Load {
        self.nodes.iter().filter(|n| n.state.lasts()).map(|n| n.capacity).sum()
    }
}
