//! The table of all keys.

/// One key of storm.yaml, without the prefix `ballast.`.
#[derive(Debug)]
pub struct Spec {
    /// Name without the prefix.
    pub name: &'static str,
    /// Values it takes.
    pub takes: Takes,
    /// Default as JSON text.
    pub default: &'static str,
    /// Unit, empty where there is none.
    pub unit: &'static str,
    /// What it does, in one sentence.
    pub meaning: &'static str,
}

/// Values a key takes.
#[derive(Debug)]
pub enum Takes {
    /// true or false.
    Switch,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number from the first to the second, both included.
    Whole(u64, u64),
    /// A number from the first to the second, both included.
    Number(f64, f64),
    /// Any text.
    Text,
    /// A list of texts.
    Texts,
}

const fn spec(
    name: &'static str,
    takes: Takes,
    default: &'static str,
    unit: &'static str,
    meaning: &'static str,
) -> Spec {
    Spec { name, takes, default, unit, meaning }
}

/// All keys, sorted by name. A default of `null` means: not set.
pub const SPECS: &[Spec] = &[
    spec(
        "advice.dir",
        Takes::Text,
        "null",
        "path",
        "folder for the newest advice on copies of states, a file a topology",
    ),
    spec(
        "budget.restarts",
        Takes::Whole(0, 1_000_000),
        "2",
        "workers a round",
        "running workers one plan may restart",
    ),
    spec(
        "budget.state.mib",
        Takes::Number(0.0, 1e12),
        "null",
        "MiB a round",
        "state that the executors restarted by one plan may have to read again",
    ),
    spec(
        "checkpoint.budget.mib",
        Takes::Number(0.0, 1e12),
        "null",
        "MiB a round",
        "copies of states that may be laid elsewhere in a round; not set: 0.25 % of all states",
    ),
    spec(
        "checkpoint.copies",
        Takes::Whole(0, 16),
        "1",
        "copies",
        "copies of every state on nodes other than its own; 0: no advice on them",
    ),
    spec(
        "checkpoint.held",
        Takes::Switch,
        "false",
        "",
        "whoever stores the states keeps copies where the newest advice says, so that moves there ship deltas",
    ),
    spec(
        "checkpoint.loss.slack",
        Takes::Number(0.0, 1.0),
        "0.005",
        "fraction of capacity",
        "how much fuller than unavoidable the loss of a node may make another, before anything else counts (tau)",
    ),
    spec(
        "checkpoint.strategy",
        Takes::Word(&["dealt", "copysets", "milp", "random", "ring", "roundrobin"]),
        "\"dealt\"",
        "",
        "how copies of states are placed",
    ),
    spec(
        "collocate.score.factor",
        Takes::Number(0.0, 1e6),
        "1.5",
        "",
        "a pair counts as talking when its traffic is more than this times the average of its sender (s_F)",
    ),
    spec(
        "cooldown.secs",
        Takes::Number(0.0, 1e9),
        "300",
        "s",
        "pause between optional plans for one topology",
    ),
    spec(
        "cost.pause.secs",
        Takes::Number(0.0, 1e6),
        "10",
        "s a restart",
        "how long a restarted worker is assumed to pause",
    ),
    spec(
        "cost.remote.tuple.us",
        Takes::Number(0.0, 1e4),
        "null",
        "us a tuple",
        "CPU that a tuple costs in addition where it leaves its worker, sender and receiver together",
    ),
    spec(
        "cost.restart.mib",
        Takes::Number(0.0, 1e6),
        "null",
        "MiB",
        "state that a restarted worker is worth: more restarts that ship less by that much each are preferred",
    ),
    spec(
        "delegate.scheduler",
        Takes::Text,
        "\"org.apache.storm.scheduler.DefaultScheduler\"",
        "class",
        "Storm's own scheduler, the net below",
    ),
    spec("drain.nodes", Takes::Texts, "[]", "supervisor ids or hosts", "nodes to be emptied"),
    spec("freeze", Takes::Switch, "false", "", "no optional move at all"),
    spec(
        "gain.min",
        Takes::Number(0.0, 1.0),
        "0.01",
        "load distance, or part of all traffic, a restart",
        "a plan must gain at least this much balance or keep this much traffic from the network, the two added",
    ),
    spec(
        "load.coverage.min",
        Takes::Number(0.0, 1.0),
        "0.8",
        "fraction of executors",
        "with fewer measured loads no optional move",
    ),
    spec(
        "load.distance.max",
        Takes::Number(0.0, 1.0),
        "0.05",
        "fraction of capacity",
        "inside it balance is good enough (maxLD)",
    ),
    spec("load.floor.cores", Takes::Number(0.0, 1e6), "0.2", "cores a node", "with less load no balancing"),
    spec(
        "load.warm.secs",
        Takes::Number(0.0, 1e6),
        "300",
        "s",
        "a worker younger than this is charged no more overhead than warm ones; 0: never",
    ),
    spec(
        "load.young.secs",
        Takes::Number(0.0, 1e6),
        "60",
        "s",
        "an executor younger than this counts as not measured",
    ),
    spec(
        "mode",
        Takes::Word(&["advise", "apply"]),
        "\"advise\"",
        "",
        "advise: plans are only logged and shown; apply: they are carried out",
    ),
    spec("native.path", Takes::Text, "null", "path", "library to load instead of the one in the jar"),
    spec(
        "native.retry.secs",
        Takes::Number(0.0, 1e9),
        "300",
        "s",
        "how long the library is left alone after repeated failures",
    ),
    spec(
        "native.timeout.ms",
        Takes::Whole(1, 600_000),
        "5000",
        "ms",
        "how long one scheduling round waits for the library",
    ),
    spec("overload", Takes::Number(0.0, 1.0), "0.8", "utilisation", "above it a node is overloaded"),
    spec(
        "partition.load.max",
        Takes::Number(0.0, 1.0),
        "0.5",
        "utilization of one node",
        "largest load that is moved as one to keep talking executors together (maxPL)",
    ),
    spec("period.secs", Takes::Number(0.1, 1e6), "60", "s", "one planning round"),
    spec(
        "place",
        Takes::Word(&["native", "delegate"]),
        "\"native\"",
        "",
        "who gives homeless executors their slots",
    ),
    spec(
        "plan.expires.secs",
        Takes::Number(0.1, 1e6),
        "60",
        "s",
        "age at which a plan must not be applied any more",
    ),
    spec(
        "record.dir",
        Takes::Text,
        "null",
        "path",
        "folder for the requests and replies of the planning rounds",
    ),
    spec("record.files", Takes::Whole(1, 1_000_000), "100", "rounds", "newest recordings to keep"),
    spec(
        "scale.in.load",
        Takes::Number(0.0, 1.0),
        "0.3",
        "utilization",
        "mean utilization of a balanced plan under which nodes may be drained",
    ),
    spec(
        "scale.in.rounds",
        Takes::Whole(1, 1_000_000),
        "10",
        "rounds",
        "planning rounds in a row under scale.in.load before a node is drained",
    ),
    spec(
        "scale.mode",
        Takes::Word(&["advise", "apply"]),
        "\"advise\"",
        "",
        "advise: nodes to drain are only named; apply: they are drained",
    ),
    spec(
        "scale.out.load",
        Takes::Number(0.0, 1.0),
        "0.8",
        "utilization",
        "utilization of the fullest node of a balanced plan above which more nodes are asked for",
    ),
    spec(
        "scale.parallelism.load",
        Takes::Number(0.01, 1.0),
        "0.7",
        "cores an executor",
        "how busy an executor should be at most, of the one core its thread can use",
    ),
    spec(
        "settle.rounds",
        Takes::Whole(1, 1_000_000),
        "3",
        "rounds",
        "planning rounds with enough measured loads, and scheduling rounds a node was seen, before optional moves",
    ),
    spec("solver.milp", Takes::Switch, "true", "", "the MILP solver CBC may be used"),
    spec(
        "solver.steps",
        Takes::Whole(0, u64::MAX),
        "20000",
        "steps",
        "search steps of one plan, each the best move of one node or 256 random ones; the clock only cuts",
    ),
    spec("solver.time.ms", Takes::Whole(1, 600_000), "1000", "ms", "time after which a search is cut"),
    spec(
        "strategy",
        Takes::Text,
        "\"albic\"",
        "name",
        "planner, one of those that `ballast strategies` lists",
    ),
    spec(
        "telemetry.enabled",
        Takes::Switch,
        "false",
        "",
        "workers that run the telemetry hook report to Nimbus",
    ),
    spec(
        "telemetry.host",
        Takes::Text,
        "null",
        "address",
        "where Nimbus listens for reports; not set: everywhere",
    ),
    spec(
        "telemetry.period.secs",
        Takes::Number(0.1, 600.0),
        "10",
        "s",
        "time between two reports of a worker",
    ),
    spec(
        "telemetry.port",
        Takes::Whole(1, 65_535),
        "6630",
        "port",
        "where workers report to the leader of Nimbus",
    ),
    spec(
        "telemetry.secret.hours",
        Takes::Number(0.01, 1e6),
        "24",
        "h",
        "age at which the secret a topology signs its reports with is replaced",
    ),
];
