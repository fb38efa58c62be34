//! The part of a reply that says where copies of states should lie.

use serde::{Deserialize, Serialize};

use super::TaskRange;

/// Where copies of states should lie after the plan: checkpoint allocation (CIKM 2015), formulation ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoints {
    /// Strategy that placed them.
    pub strategy: String,
    /// Copies of every state, fewer than asked for where nodes or racks do not suffice.
    pub copies: u32,
    /// The copies of every executor with a state.
    pub replicas: Vec<Replicas>,
    /// The worst loss of one node; absent where no other is left.
    pub node_loss: Option<Loss>,
    /// The worst loss of one rack; absent where there are no two racks.
    pub rack_loss: Option<Loss>,
    /// Bytes of copies that did not lie anywhere before: new states, lost nodes.
    pub missing_bytes: u64,
    /// Bytes of copies that lie elsewhere than before; within the budget.
    pub moved_bytes: u64,
    /// Bytes that may be moved in this round.
    pub budget_bytes: u64,
    /// The copies' side of every node.
    pub nodes: Vec<CheckpointNode>,
}

/// Where the copies of one executor's state should lie.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replicas {
    /// Topology id.
    pub topology: String,
    /// Whose state.
    pub executor: TaskRange,
    /// Supervisor ids, the restart target first; fewer than `copies` where nothing else has room.
    pub nodes: Vec<String>,
    /// Bytes of the state.
    pub state_bytes: u64,
    /// Nobody measured `state_bytes`.
    pub estimated: bool,
}

/// The worst that the loss of one node or rack does to the others, all restart targets followed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loss {
    /// Utilization of the fullest node that is left.
    pub worst: f64,
    /// No allocation has a smaller one.
    pub lower_bound: f64,
    /// The difference.
    pub gap: f64,
}

/// What a node does for the copies, and they for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckpointNode {
    /// Supervisor id.
    pub id: String,
    /// Part of its excess, were its load to double, that could leave at the price of deltas, 0 to 1.
    pub readiness: f64,
    /// Utilization of the fullest other node after its loss; absent where there is none.
    pub loss: Option<f64>,
    /// Copies that should lie on it, and their bytes.
    pub copies: u32,
    #[allow(missing_docs)]
    pub stored_bytes: u64,
    /// Bytes of those that do not lie on it yet.
    pub taken_bytes: u64,
}
