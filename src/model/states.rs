//! States of executors, and the copies of them that checkpoints advise on.

use super::{ExecutorIx, NodeIx};
use crate::units::Size;

/// The state of an executor, of a topology whose states outlive their workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Whose state.
    pub executor: ExecutorIx,
    /// Its size: measured or estimated.
    pub size: Size,
    /// Nobody measured it.
    pub estimated: bool,
    /// Nodes that hold a copy, or are advised to, the restart target first; none twice, and none that is not listed.
    pub copies: Vec<NodeIx>,
}
