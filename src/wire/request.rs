//! The request: a snapshot of `Topologies` and `Cluster` with the loads known of them.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One snapshot of the cluster and what is asked about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Always `snapshot`.
    pub ballast: String,
    /// Version of the wire the sender speaks.
    pub version: u32,
    /// What is wanted.
    #[serde(default)]
    pub ask: Ask,
    /// Number of the snapshot; comes back in the reply.
    pub generation: u64,
    /// When the snapshot was taken, RFC 3339 in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_at: Option<String>,
    /// Statistics window of the loads, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_secs: Option<f64>,
    /// Earlier planning rounds in a row with sufficient load coverage; absent means enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered_rounds: Option<u32>,
    /// Earlier planning rounds in a row whose `scaling.low` was true; absent means none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low_rounds: Option<u32>,
    /// Settings by name, without the prefix `ballast.`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub settings: Map<String, Value>,
    /// Supervisors.
    pub nodes: Vec<Node>,
    /// Topologies.
    pub topologies: Vec<Topology>,
}

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ask {
    /// Only give homeless executors a slot.
    Place,
    /// That, and then the optional moves.
    #[default]
    Plan,
}

/// A supervisor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Supervisor id.
    pub id: String,
    /// Host name; several supervisors may share one.
    pub host: String,
    /// Rack of the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack: Option<String>,
    /// Capacity in cores; absent, zero or negative means unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_cores: Option<f64>,
    /// Memory for workers in MiB; absent means no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<f64>,
    /// Capacity in further resources by name, in the unit of the name, for instance `network.mbps`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub resources: BTreeMap<String, f64>,
    /// Every port offered this round.
    pub ports: Vec<u16>,
    /// Room for copies of states in MiB; absent: what a node would hold if all held alike, and 30 % or the largest more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint_storage_mib: Option<f64>,
    /// Copies it can take in a round, in MiB; absent means no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint_network_mib: Option<f64>,
    /// Ports that are free by the books but may still be in use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoid_ports: Vec<u16>,
    /// Whether it may be used.
    #[serde(default)]
    pub state: NodeState,
    /// Draining because an earlier reply's `scaling.drain` named it, not because an operator did.
    #[serde(default, skip_serializing_if = "is_false")]
    pub scaled_in: bool,
    /// Scheduling rounds in a row the node was seen; absent means settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_rounds: Option<u32>,
}

/// Whether a node may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeState {
    /// In use.
    #[default]
    Active,
    /// To be emptied: the paper's kill = 1.
    Draining,
    /// Blacklisted or dead: neither source nor target of an optional move.
    Unusable,
}

/// A topology.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topology {
    /// Storm's topology id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Workers asked for, `topology.workers`.
    pub workers: u32,
    /// Storm's priority: the lower the earlier.
    #[serde(default = "default_priority")]
    pub priority: i32,
    /// False when it opted out by `topology.ballast.enabled`.
    #[serde(default = "default_true")]
    pub enabled: bool,
    /// Largest sum of on-heap requests in one worker, in MiB; absent means no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker_heap_max_mib: Option<f64>,
    /// Seconds since Ballast last moved it; absent means never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_change_secs: Option<f64>,
    /// Spouts, bolts and system components.
    pub components: Vec<Component>,
    /// Executors of all components.
    pub executors: Vec<Executor>,
    /// False when a restarted worker's state is lost: Storm's in-memory state provider.
    #[serde(default = "default_true", skip_serializing_if = "is_true")]
    pub state_survives: bool,
    /// Measured traffic between pairs of executors; what is not listed is estimated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traffic: Vec<Traffic>,
    /// CPU that the processes of its workers used; of a worker not listed it was not measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worker_cpu: Vec<WorkerCpu>,
    /// Copies of executors' state that lie on nodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checkpoints: Vec<Checkpoint>,
    /// What waits before its spouts; absent where nobody measured it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backlog: Option<Backlog>,
}

fn default_priority() -> i32 {
    29
}

fn default_true() -> bool {
    true
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_true(flag: &bool) -> bool {
    *flag
}

/// A spout, a bolt or a system component.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Component id.
    pub id: String,
    /// What it is.
    pub kind: ComponentKind,
    /// It keeps state: `org.apache.storm.topology.IStatefulBolt`, or windows that persist.
    #[serde(default, skip_serializing_if = "is_false")]
    pub stateful: bool,
    /// Requested CPU of one executor in percent of a core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_request_pcore: Option<f64>,
    /// Requested heap of one executor in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub onheap_request_mib: Option<f64>,
    /// Requested memory outside the heap of one executor in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offheap_request_mib: Option<f64>,
    /// Streams it reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
}

/// Kind of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ComponentKind {
    /// Source of tuples; Storm's statistics give it no execute latency.
    Spout,
    /// Consumer of tuples.
    Bolt,
    /// A component of Storm's own, its id begins with `__`.
    System,
}

/// A stream a component reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Component that emits it.
    pub from: String,
    /// Stream id.
    pub stream: String,
    /// Storm's grouping in lower case.
    pub grouping: String,
    /// Tuples a second that the component received over it, all executors together; absent: not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuples_per_sec: Option<f64>,
}

/// First and last task of an executor, both included: `org.apache.storm.scheduler.ExecutorDetails`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TaskRange(pub i32, pub i32);

impl fmt::Display for TaskRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.0, self.1)
    }
}

/// An executor, where it is and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Executor {
    /// Its task range.
    pub tasks: TaskRange,
    /// Its component.
    pub component: String,
    /// Supervisor it runs on; absent means homeless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Port it runs on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// Supervisor it ran on before it became homeless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_node: Option<String>,
    /// Port it ran on before it became homeless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_port: Option<u16>,
    /// Seconds since its worker started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uptime_secs: Option<f64>,
    /// Measured load in cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_cores: Option<f64>,
    /// Standard deviation of the load over the last minutes, in cores; absent: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swing_cores: Option<f64>,
    /// Where the load comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_source: Option<LoadSource>,
    /// Measured use of further resources by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub resources: BTreeMap<String, f64>,
    /// Tuples a second it received; absent: not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received_per_sec: Option<f64>,
    /// Tuples a second it emitted, over all streams; absent: not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emitted_per_sec: Option<f64>,
    /// Bytes of its state; absent: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_bytes: Option<u64>,
    /// Bytes of it that change between two checkpoints; absent: not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta_bytes: Option<u64>,
}

/// Measured traffic from one executor to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traffic {
    /// The executor that emits.
    pub from: TaskRange,
    /// The executor that receives.
    pub to: TaskRange,
    /// Tuples a second.
    pub tuples_per_sec: f64,
    /// Serialized bytes a second; absent: not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_sec: Option<f64>,
}

/// CPU that the process of a worker used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerCpu {
    /// Supervisor id of its slot.
    pub node: String,
    /// Port of its slot.
    pub port: u16,
    /// Cores that the whole process kept busy.
    pub cpu_cores: f64,
    /// Cores of it that no executor's thread used: messaging, garbage collection, compilation. Absent: not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead_cores: Option<f64>,
    /// Seconds that the process has lived; absent: longer than `load.warm.secs`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uptime_secs: Option<f64>,
}

/// A copy of an executor's state on a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Whose state.
    pub executor: TaskRange,
    /// Supervisor id of the node it lies on.
    pub node: String,
    /// Bytes of the copy.
    pub bytes: u64,
    /// Bytes changed since: what is shipped when the executor moves there. Absent: not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta_bytes: Option<u64>,
    /// Its place among the copies of its executor, the restart target first; absent: the last, by node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u32>,
    /// False: only advised so far. Advice keeps to it, but a move ships all of the state.
    #[serde(default = "default_true", skip_serializing_if = "is_true")]
    pub held: bool,
}

/// What waits before the spouts of a topology.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backlog {
    /// Tuples that wait, for instance the lag of a Kafka spout.
    pub tuples: f64,
    /// Tuples a second that arrive at the source.
    pub arrived_per_sec: f64,
    /// Tuples a second that the topology takes from it.
    pub processed_per_sec: f64,
}

/// Where a load comes from, in falling order of trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadSource {
    /// Thread CPU time by Ballast's task hook.
    Hook,
    /// What the hook measured before its worker was restarted.
    History,
    /// Nimbus statistics: executed x execute latency over the window.
    Stats,
    /// A share of its worker's CPU.
    Worker,
    /// The CPU it requested.
    Request,
    /// Inferred from other executors, or assumed.
    Estimate,
}
