//! Topologies, components and executors with their loads and demands.

use std::ops::Range;

use super::{ComponentIx, ExecutorIx, NodeIx, Slot, TopologyIx};
use crate::units::{Load, Share, Size};
use crate::wire::{ComponentKind, LoadSource, TaskRange};

/// A topology.
#[derive(Debug, Clone)]
pub struct Topology {
    /// Storm's topology id.
    pub id: String,
    /// Workers asked for, at least 1.
    pub workers: usize,
    /// Storm's priority: the lower the earlier.
    pub priority: i32,
    /// Not opted out: Ballast may place its homeless executors.
    pub enabled: bool,
    /// Ballast may move it in this round: enabled, no cooldown, nothing homeless left to the delegate.
    pub movable: bool,
    /// How much of its load is yet to come: arrivals over what it takes, at least 1. What a plan moves is the load
    /// measured; only scaling goes by what is to be expected.
    pub demand: Share,
    /// Its input lags: no time to take anything away from it.
    pub lags: bool,
    /// Largest sum of heap in one worker; none means no limit. Where there is one, more workers than asked for may be
    /// opened if the heap demands it, as ResourceAwareScheduler does.
    pub worker_heap_max: Option<Size>,
    /// Positions of its executors in the problem.
    pub executors: Range<usize>,
    /// Positions of its components in the problem.
    pub components: Range<usize>,
}

impl Topology {
    /// Workers it asked for beyond those that run. None where the heap decides how many there are:
    /// ResourceAwareScheduler, which packs by heap, does not look at `topology.workers`.
    pub fn missing_workers(&self, running: usize) -> usize {
        if self.worker_heap_max.is_some() { 0 } else { self.workers.saturating_sub(running) }
    }
}

/// A component.
#[derive(Debug, Clone)]
pub struct Component {
    /// Its topology.
    pub topology: TopologyIx,
    /// Component id.
    pub id: String,
    /// What it is.
    pub kind: ComponentKind,
    /// Components it reads from, with the grouping of each stream.
    pub inputs: Vec<Edge>,
}

/// A stream from one component to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The component that emits.
    pub from: ComponentIx,
    /// Storm's grouping in lower case.
    pub grouping: String,
}

/// A copy of an executor's state on a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Copy {
    /// Whose state.
    pub executor: ExecutorIx,
    /// Where it lies.
    pub node: NodeIx,
    /// What changed since: all that is shipped when the executor restarts there.
    pub delta: Size,
}

/// An executor.
#[derive(Debug, Clone)]
pub struct Executor {
    /// Its topology.
    pub topology: TopologyIx,
    /// Its component.
    pub component: ComponentIx,
    /// Its task range.
    pub tasks: TaskRange,
    /// Its load: measured, requested or estimated.
    pub load: Load,
    /// Standard deviation of the load; zero where nobody measured it.
    pub swing: Load,
    /// Where the load comes from.
    pub source: LoadSource,
    /// CPU it requested; zero where it requested none.
    pub cpu_request: Load,
    /// Heap it requested.
    pub onheap: Size,
    /// Memory it requested outside the heap.
    pub offheap: Size,
    /// Size of its state; none where nobody tells.
    pub state: Option<Size>,
    /// The slot it had before it became homeless, on a node that is still listed.
    pub last: Option<Slot>,
}

impl Executor {
    /// All memory it requested.
    pub fn memory(&self) -> Size {
        self.onheap + self.offheap
    }
}
