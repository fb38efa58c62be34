//! What a replay found: the one object behind its table, its JSON and its page.

use serde::Serialize;

use crate::ingest::{Format, Remark};
use crate::wire::{MoveKind, NoteCode, TaskRange};

/// All of it. Times are seconds since the epoch, loads cores, utilizations and load distances fractions of capacity.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// What was read.
    pub inputs: Vec<Input>,
    /// Ends of the first and the last window.
    pub from: i64,
    /// See `from`.
    pub to: i64,
    /// Windows stepped through.
    pub windows: u64,
    /// Those of them in which not one load was measured: young topologies, or a cluster without statistics. Policies
    /// step through them, and their restarts count, but load distance, overload and traffic are those of the other
    /// windows; where there are no others, all figures rest on guesses.
    pub windows_unmeasured: u64,
    /// Windows that no plan could be made for.
    pub windows_refused: u64,
    /// Which and why, the first of them.
    pub refused: Vec<String>,
    /// Executors with a measured load over all that count, mean over the windows; absent where none counts.
    pub coverage: Option<f64>,
    /// Where the loads come from: executors of all windows by source.
    pub sources: Vec<LoadSources>,
    /// What was noticed in the recordings.
    pub remarks: Vec<Remark>,
    /// Utilization above which a node counts as overloaded: the setting `overload`.
    pub overload: f64,
    /// Seconds a restarted worker is assumed to pause: the setting `cost.pause.secs`.
    pub pause_secs: f64,
    /// Settings changed on the command line, as KEY=VALUE, and other what-ifs in words.
    pub what_if: Vec<String>,
    /// One a policy: `recorded`, what really was, first.
    pub policies: Vec<PolicyOutcome>,
}

/// A recording that was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Input {
    /// File or folder as it was named.
    pub name: String,
    /// What it is.
    pub format: Format,
    /// Windows in it.
    pub windows: u64,
}

/// Executors whose load comes from one kind of source, summed over the windows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoadSources {
    /// `hook`, `stats`, `worker`, `request`, `estimate`, or `none` where nothing is known.
    pub source: String,
    /// How many.
    pub executors: u64,
}

/// What one policy would have made of the windows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PolicyOutcome {
    /// Its name: `recorded`, or a strategy of the registry.
    pub policy: String,
    /// The figures it is judged by.
    pub figures: Figures,
    /// The same over time.
    pub series: Series,
    /// Utilization of each node over time.
    pub heat: HeatMap,
    /// Moves, the first of them.
    pub moves: Vec<MoveMade>,
    /// Moves beyond those.
    pub moves_left_out: u64,
    /// What its replies noted: what was assumed, and why something was not done.
    pub notes: Vec<NoteSeen>,
    /// Placement in the first window.
    pub before: Vec<NodePlaced>,
    /// Placement after the last.
    pub after: Vec<NodePlaced>,
}

/// Figures over all windows; see [`Outcome::windows_unmeasured`] for those that have no load distance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Mean load distance.
    pub load_distance_mean: f64,
    /// Load distance that 95 of 100 windows stay within.
    pub load_distance_p95: f64,
    /// The worst.
    pub load_distance_worst: f64,
    /// Mean of the lower bounds: no placement at all, however many workers were restarted for it, is nearer.
    pub bound_mean: f64,
    /// Mean of load distance less bound: how far from the best it was.
    pub gap_mean: f64,
    /// Seconds in which a node was above the setting `overload`, the nodes added up.
    pub overload_secs: f64,
    /// Mean tuples a second between nodes; absent where no traffic is known.
    pub cross_node_tuples_per_sec: Option<f64>,
    /// Workers restarted.
    pub restarts: u64,
    /// Executors moved.
    pub executors_moved: u64,
    /// Bytes of states read again or shipped.
    pub shipped_bytes: u64,
    /// Executor seconds without work: executors paused, times the pause of a restart.
    pub paused_executor_secs: f64,
    /// Plans carried out.
    pub plans: u64,
}

/// Figures over time; one entry a stretch of time, so that a long recording stays a page. All lists are of one length.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Series {
    /// End of each stretch.
    pub at: Vec<i64>,
    /// Worst load distance in it.
    pub load_distance: Vec<f64>,
    /// Lower bound of that window.
    pub bound: Vec<f64>,
    /// Mean tuples a second between nodes in it; absent where none is known.
    pub cross_node_tuples_per_sec: Vec<Option<f64>>,
    /// Workers restarted in it.
    pub restarts: Vec<u64>,
}

/// Utilization of nodes over time.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct HeatMap {
    /// Ends of the stretches.
    pub at: Vec<i64>,
    /// Hosts or supervisor ids.
    pub nodes: Vec<String>,
    /// By node, by stretch: worst utilization; absent where the node was not there.
    pub utilization: Vec<Vec<Option<f64>>>,
}

/// A move a policy made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoveMade {
    /// Window it was decided on.
    pub at: i64,
    /// Topology id.
    pub topology: String,
    /// The executors that moved.
    pub executors: Vec<TaskRange>,
    /// Their components, by name, each once.
    pub components: Vec<String>,
    /// How.
    pub kind: MoveKind,
    /// `node:port` it left; absent where it had none.
    pub from: Option<String>,
    /// `node:port` it went to.
    pub to: String,
    /// Why.
    pub because: String,
    /// Load distance that the plan it is part of wins, before less after.
    pub load_distance_gain: f64,
}

/// A note, and how often it was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NoteSeen {
    /// What kind of note; `src/wire/README.md` tells what it means.
    pub code: NoteCode,
    /// Windows it was made on.
    pub windows: u64,
    /// What it said the last time.
    pub detail: String,
}

/// A node and its workers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodePlaced {
    /// Supervisor id.
    pub node: String,
    /// Host.
    pub host: String,
    /// Load over capacity; absent where the capacity is unknown.
    pub utilization: Option<f64>,
    /// Its workers, by port.
    pub workers: Vec<WorkerPlaced>,
}

/// A worker.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorkerPlaced {
    /// Port.
    pub port: u16,
    /// Topology id.
    pub topology: String,
    /// Components with the number of their executors, by name.
    pub components: Vec<(String, u64)>,
    /// Load in cores, as far as it is known.
    pub cpu_cores: f64,
}
