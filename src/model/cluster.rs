//! Nodes and slots.

use super::NodeIx;
use crate::units::{Load, Share, Size};

/// A supervisor.
#[derive(Debug, Clone)]
pub struct Node {
    /// Supervisor id.
    pub id: String,
    /// Host name.
    pub host: String,
    /// What sentences call it: its host, with the beginning of its id where several supervisors share the host.
    pub name: String,
    /// Rack of the host, empty where none is known.
    pub rack: String,
    /// CPU capacity, positive on every listed node.
    pub capacity: Load,
    /// Memory for workers; none means no limit.
    pub memory: Option<Size>,
    /// Room for copies of states; none means as much as is fair.
    pub checkpoint_storage: Option<Size>,
    /// Copies it can take in a round; none means no limit.
    pub checkpoint_network: Option<Size>,
    /// Ports offered, sorted.
    pub ports: Vec<u16>,
    /// Those of them to be used only when nothing else is free, sorted.
    pub avoid_ports: Vec<u16>,
    /// Whether it may be used.
    pub state: NodeState,
    /// Draining because scaling chose it and not an operator: it may be kept after all.
    pub scaled_in: bool,
    /// Seen long enough to receive optional moves.
    pub settled: bool,
}

impl Node {
    /// True for a port to be used only when nothing else is free.
    pub fn avoids(&self, port: u16) -> bool {
        self.avoid_ports.binary_search(&port).is_ok()
    }

    /// Ports that an optional move may use: offered and not to be avoided. Ascending; used ones are among them.
    pub fn plain_ports(&self) -> impl Iterator<Item = u16> + '_ {
        self.ports.iter().copied().filter(|port| !self.avoids(*port))
    }

    /// True where homeless executors may be placed.
    pub fn takes_homeless(&self) -> bool {
        self.state == NodeState::Active
    }

    /// True where optional moves may go.
    pub fn takes_moves(&self) -> bool {
        self.state == NodeState::Active && self.settled
    }
}

/// A resource beside CPU that is balanced like it.
#[derive(Debug, Clone)]
pub struct Resource {
    /// Its name.
    pub name: String,
    /// Capacity of every node in millionths of its unit, positive on listed nodes.
    pub capacity: Vec<Load>,
    /// What every executor uses of it, in the same unit.
    pub usage: Vec<Load>,
}

impl Resource {
    /// What is used on all listed nodes over the capacity of those that last, given the use on every node.
    pub fn mean(&self, problem: &super::Problem, used: &[Load]) -> Share {
        let sum = |of: &[Load], wanted: fn(NodeState) -> bool| -> Load {
            problem
                .nodes
                .iter()
                .zip(of)
                .filter(|(node, _)| wanted(node.state))
                .map(|(_, amount)| *amount)
                .sum()
        };
        let capacity = sum(&self.capacity, NodeState::lasts);
        if capacity > Load::ZERO { sum(used, NodeState::listed).over(capacity) } else { Share::ZERO }
    }
}

/// Whether a node may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeState {
    /// In use.
    Active,
    /// To be emptied: the paper's kill = 1.
    Draining,
    /// Neither source nor target of an optional move; its load counts.
    Unusable,
    /// Named by an executor but not listed by the cluster: what is there stays there, and counts nowhere else.
    Unlisted,
}

impl NodeState {
    /// True for nodes that the mean is taken over.
    pub fn lasts(self) -> bool {
        matches!(self, Self::Active | Self::Unusable)
    }

    /// True for nodes whose load is compared with the mean.
    pub fn listed(self) -> bool {
        self != Self::Unlisted
    }
}

/// A worker slot: `org.apache.storm.scheduler.WorkerSlot`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Node.
    pub node: NodeIx,
    /// Port.
    pub port: u16,
}
