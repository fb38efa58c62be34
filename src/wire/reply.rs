//! The reply: a plan, what it costs and why, or why there is none.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Checkpoints, Refusal, TaskRange};

/// The answer to one request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// Always `plan`.
    pub ballast: String,
    /// Version of the wire.
    pub version: u32,
    /// Generation of the request.
    pub generation: u64,
    /// Hash of request and plan.
    pub id: String,
    /// Seconds after which the plan must not be applied any more.
    pub expires_after_secs: f64,
    /// What the plan amounts to.
    pub verdict: Verdict,
    /// Every worker of each topology the plan changes.
    pub assignments: Vec<Assignment>,
    /// The steps from the present placement to the planned one.
    pub moves: Vec<Move>,
    /// Price of the plan.
    pub cost: Cost,
    /// Balance now; absent when refused.
    pub before: Option<Balance>,
    /// Balance after the plan; absent when refused.
    pub after: Option<Balance>,
    /// How many loads are measured; absent when refused.
    pub coverage: Option<Coverage>,
    /// How far from the best the plan can be; absent when no optional move was considered.
    pub certificate: Option<Certificate>,
    /// Whether nodes or executors should be more or fewer; absent when no optional move was considered.
    pub scaling: Option<Scaling>,
    /// Where copies of the executors' states should lie; absent when no plan was asked for, or nothing has a state.
    pub checkpoints: Option<Checkpoints>,
    /// What was assumed and why something was not done.
    pub notes: Vec<Note>,
    /// Why there is no plan.
    pub refusal: Option<Refusal>,
}

/// What a plan amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Only homeless executors got a slot.
    Placed,
    /// Optional moves make it better.
    Improved,
    /// Nothing changes; the reason is in the notes.
    Unchanged,
    /// The best found still breaks a limit.
    Unsatisfied,
    /// No plan; see the refusal.
    Refused,
}

/// Every worker of one topology.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assignment {
    /// Topology id.
    pub topology: String,
    /// Its workers by node and port.
    pub workers: Vec<WorkerAssignment>,
}

/// One worker: a slot and its executors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerAssignment {
    /// Supervisor id.
    pub node: String,
    /// Port.
    pub port: u16,
    /// Executors by first task.
    pub executors: Vec<TaskRange>,
}

/// A slot by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotRef {
    /// Supervisor id.
    pub node: String,
    /// Port.
    pub port: u16,
}

impl fmt::Display for SlotRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.node, self.port)
    }
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Topology id.
    pub topology: String,
    /// What is moved.
    pub kind: MoveKind,
    /// Executors that change their slot.
    pub executors: Vec<TaskRange>,
    /// Where they are; absent for homeless ones.
    pub from: Option<SlotRef>,
    /// Where they go.
    pub to: SlotRef,
    /// Why, in one sentence with values.
    pub because: String,
}

/// Kinds of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveKind {
    /// Homeless executors get a slot.
    Place,
    /// All executors of a worker go to a slot that was free.
    RelocateWorker,
    /// A whole worker goes to a slot another worker leaves.
    SwapWorkers,
    /// Executors go to another worker of their topology.
    MoveExecutors,
    /// Executors leave their worker for a slot that was free.
    OpenWorker,
}

/// Price of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Running workers whose executor set or slot changes.
    pub restarts: u32,
    /// Workers newly opened.
    pub starts: u32,
    /// Workers given up.
    pub stops: u32,
    /// Running executors that pause.
    pub executors_paused: u32,
    /// State of the executors that pause, to be read again or shipped, in bytes; absent when none of them tells its size.
    pub shipped_bytes: Option<u64>,
    /// Pause to expect, in seconds: the restarts one after the other.
    pub pause_secs_estimate: f64,
}

/// Balance of one placement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Balance {
    /// Largest distance of a utilisation from the mean, as a fraction of capacity.
    pub load_distance: f64,
    /// Sum over nodes of the utilisation above the limit `overload`.
    pub overload: f64,
    /// Load of all listed nodes over the capacity of those not draining.
    pub mean: f64,
    /// Load on draining nodes, in cores.
    pub drained_cores: f64,
    /// Load on nodes that are not listed, in cores.
    pub unlisted_cores: f64,
    /// Further resources by name.
    pub resources: Vec<ResourceBalance>,
    /// Traffic between executors; absent where nothing is known of any.
    pub traffic: Option<TrafficBalance>,
    /// Listed nodes by id.
    pub nodes: Vec<NodeBalance>,
}

/// Balance of one resource beside CPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResourceBalance {
    /// Its name.
    pub name: String,
    /// Largest distance of a node's use from the mean, as a fraction of capacity.
    pub load_distance: f64,
    /// Use on all listed nodes over the capacity of those not draining.
    pub mean: f64,
}

/// Traffic of one placement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrafficBalance {
    /// Tuples a second between executors.
    pub tuples_per_sec: f64,
    /// Those of them that leave their worker: serialized, and deserialized again.
    pub cross_worker_per_sec: f64,
    /// Those of them that leave their node.
    pub cross_node_per_sec: f64,
    /// Cores that those cost because they leave it, by `cost.remote.tuple.us`; none where that is not known.
    pub remote_cores: Option<f64>,
    /// Part of the traffic whose two ends are on one node.
    pub collocation_factor: f64,
    /// Part of the traffic that was estimated and not measured.
    pub estimated: f64,
}

/// Load of one node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeBalance {
    /// Supervisor id.
    pub id: String,
    /// Sum of its executors' loads, in cores.
    pub load_cores: f64,
    /// Load over capacity.
    pub utilisation: f64,
    /// Use over capacity of further resources by name.
    pub resources: BTreeMap<String, f64>,
    /// Workers on it.
    pub workers: u32,
    /// Executors on it.
    pub executors: u32,
}

/// How many executors have a measured load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// Executors measured.
    pub measured: u32,
    /// Executors that statistics can measure.
    pub expected: u32,
    /// Measured over expected; absent when none are expected.
    pub fraction: Option<f64>,
    /// Whether it reaches the setting `load.coverage.min`.
    pub sufficient: bool,
    /// Components that lack measurements.
    pub missing: Vec<MissingLoad>,
}

/// A component some of whose executors were not measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MissingLoad {
    /// Topology id.
    pub topology: String,
    /// Component id.
    pub component: String,
    /// How many of its executors.
    pub executors: u32,
}

/// Advice on the number of nodes and executors: the adaptation framework of ALBIC (ICDE 2017).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scaling {
    /// What is advised.
    pub verdict: ScalingVerdict,
    /// Utilization of the fullest node after a plan that knows no scaling.
    pub peak: f64,
    /// Mean utilization, backlog included.
    pub mean: f64,
    /// True when the cluster could do with fewer nodes this round; `low_rounds` of the request counts these.
    pub low: bool,
    /// Nodes to add.
    pub nodes: u32,
    /// Cores of each node to add; absent when none is.
    pub node_cores: Option<f64>,
    /// Supervisors to drain from now on.
    pub drain: Vec<String>,
    /// Supervisors drained for scaling that are needed again.
    pub keep: Vec<String>,
    /// Draining supervisors that are empty and may be shut down.
    pub release: Vec<String>,
    /// Components whose number of executors does not fit their load.
    pub parallelism: Vec<Parallelism>,
    /// Why, in one sentence with values.
    pub because: String,
}

/// What scaling amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScalingVerdict {
    /// The nodes are as many as are needed.
    None,
    /// More nodes are needed.
    Out,
    /// Fewer nodes will do.
    In,
    /// Fewer nodes would do by load, but what has to leave fits nowhere.
    Blocked,
    /// Too little is known of the load to say.
    Unknown,
}

/// Advice on one component's number of executors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parallelism {
    /// Topology id.
    pub topology: String,
    /// Component id.
    pub component: String,
    /// Executors it has.
    pub executors: u32,
    /// Executors it should have and can have by `storm rebalance -e`: never more than its tasks.
    pub advised: u32,
    /// Tasks it has; more executors than these need the topology submitted anew.
    pub tasks: u32,
    /// Cores one executor uses, of the one that a thread can.
    pub busy: f64,
    /// Why, in one sentence with values.
    pub because: String,
}

/// How far from the best a plan can be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Strategy that made the plan.
    pub strategy: String,
    /// No plan within the budget has a smaller load distance.
    pub lower_bound: f64,
    /// Load distance reached minus the lower bound.
    pub gap: f64,
    /// True only when proved.
    pub optimal: bool,
    /// Search steps done.
    pub steps: u64,
    /// What ended the search.
    pub stopped_by: StoppedBy,
}

/// What ended a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StoppedBy {
    /// The bound was met.
    Proved,
    /// The step budget was spent.
    Steps,
    /// The time was up: a repeat on another machine may give another plan.
    Time,
    /// Nothing was left to try.
    Done,
}

/// Something the reader should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// What kind of note.
    pub code: NoteCode,
    /// One sentence with names and values.
    pub detail: String,
}

impl Note {
    /// A note with its detail.
    pub fn new(code: NoteCode, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }
}

/// Codes of notes; their meaning stands in `src/wire/README.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum NoteCode {
    Frozen,
    Balanced,
    GainTooSmall,
    NoBetterPlan,
    CoverageLow,
    NotSettled,
    BelowFloor,
    Cooldown,
    NodeUnsettled,
    TopologyDisabled,
    LeftToDelegate,
    NoSlot,
    LastHomeTaken,
    LoadMean,
    LoadRequested,
    LoadAssumed,
    LoadYoung,
    LoadScaled,
    LoadShared,
    LoadWarming,
    TrafficEstimated,
    CapacityAssumed,
    UnlistedNode,
    UnofferedPort,
    DrainUnknown,
    DrainBlocked,
    TasksLimit,
    MilpOff,
    MilpFailed,
    StateEstimated,
    StateLost,
    CopyLost,
    CopiesFewer,
    CopyNoRoom,
}
