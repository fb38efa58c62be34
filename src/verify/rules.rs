//! The rules a reply must keep, each with its code.

use std::fmt;

use thiserror::Error;

/// A rule that a reply breaks.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{rule}: {detail}")]
pub struct Violation {
    /// Which rule.
    pub rule: Rule,
    /// What breaks it, where, with the values.
    pub detail: String,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// Rules of a reply.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[$doc])* $name,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Rule] = &[$(Rule::$name,)*];

            /// Its code, as `ballast check` prints it.
            pub fn code(self) -> &'static str {
                match self {
                    $(Rule::$name => $code,)*
                }
            }
        }
    };
}

rules! {
    /// Kind, version and generation are those of the request; id and expiry are given.
    Envelope = "envelope",
    /// The verdict says what the plan does, and what it needs to be believed is there.
    Verdict = "verdict",
    /// An assignment names a topology of the request, once.
    UnknownTopology = "unknown-topology",
    /// An assignment names no topology that opted out.
    DisabledTopology = "disabled-topology",
    /// An assignment names only topologies that change.
    UnchangedTopology = "unchanged-topology",
    /// An assignment names only executors of its topology.
    UnknownExecutor = "unknown-executor",
    /// An executor is in one worker only, and no worker is empty or listed twice.
    ExecutorTwice = "executor-twice",
    /// An executor that runs keeps a slot.
    ExecutorLost = "executor-lost",
    /// A homeless executor gets a slot, or the verdict and a note say that it could not.
    ExecutorHomeless = "executor-homeless",
    /// One slot, one topology.
    SlotShared = "slot-shared",
    /// What is on an unlisted node or an unoffered port stays as it is, and nothing comes to it.
    SlotNotOffered = "slot-not-offered",
    /// An unusable node keeps what it has and gets nothing.
    NodeUnusable = "node-unusable",
    /// Nothing comes to a draining node.
    NodeDraining = "node-draining",
    /// No optional move ends on a node that is not settled.
    NodeUnsettled = "node-unsettled",
    /// A worker's heap is within `worker_heap_max_mib`, or no worse than it was.
    WorkerHeap = "worker-heap",
    /// A node's memory is within `memory_mib`, or no worse than it was.
    NodeMemory = "node-memory",
    /// No more workers than asked for or present, unless the heap demands them.
    TooManyWorkers = "too-many-workers",
    /// No fewer workers than asked for or present.
    TooFewWorkers = "too-few-workers",
    /// The moves are exactly the difference between the present slots and the assignments.
    Moves = "moves",
    /// A move's kind is what the contract calls it.
    MoveKind = "move-kind",
    /// Restarts, starts, stops, executors paused, the state they read again and the pause are those of the assignments.
    Cost = "cost",
    /// Restarts beyond those that homeless executors force are within `budget.restarts`, and the state that their
    /// executors read again is within `budget.state.mib`.
    Budget = "budget",
    /// `before` and `after` are what the loads of the request give.
    Balance = "balance",
    /// The traffic of `before` and `after` is what the rates and groupings of the request give.
    Traffic = "traffic",
    /// Coverage is what the request's measured loads give.
    Coverage = "coverage",
    /// Bound, gap and proof agree with the load distance reached.
    Certificate = "certificate",
    /// Advice on scaling names nodes that it may name, keeps to the limits and the rounds of the settings, and its figures
    /// are those of the request.
    Scaling = "scaling",
    /// Copies of states lie where they may, within room and budget, and their figures are those of the request.
    Checkpoints = "checkpoints",
    /// Optional moves never raise the load distance unless overload, drained load or a broken limit is mended, or less
    /// traffic leaves its node and the load distance stays within `load.distance.max`.
    LoadDistance = "load-distance",
    /// Optional moves only where they were asked for and nothing forbids them: `freeze`, coverage, `settle.rounds`,
    /// `load.floor.cores`.
    OptionalMoves = "optional-moves",
    /// No optional move of a topology that cools down or whose homeless executors are the delegate's.
    TopologyHeld = "topology-held",
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
