//! The UI's answers, as far as they are read. Storm writes them in `org.apache.storm.daemon.ui.UIHelpers`, the methods
//! named at each type; a field not listed here is not read.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::lenient::{Flag, Num, Text, list};

/// `getPrettifiedSupervisorMap`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Supervisor {
    pub(super) id: Text,
    pub(super) host: Text,
    pub(super) slots_total: Num,
    /// MiB.
    pub(super) total_mem: Num,
    /// Percent of a core.
    pub(super) total_cpu: Num,
    pub(super) blacklisted: Flag,
}

/// `getSupervisorSummary`, and `getSupervisorPageInfo`, which has workers too.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Supervisors {
    #[serde(deserialize_with = "list")]
    pub(super) supervisors: Vec<Supervisor>,
    #[serde(deserialize_with = "list")]
    pub(super) workers: Vec<Worker>,
}

/// `getWorkerSummaryMap`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Worker {
    pub(super) supervisor_id: Text,
    pub(super) host: Text,
    pub(super) port: Num,
    pub(super) topology_id: Text,
    pub(super) topology_name: Text,
    /// System executors too, whatever `sys` was.
    pub(super) executors_total: Num,
    /// Tasks by component; system components only with `sys=true`.
    pub(super) component_num_tasks: BTreeMap<String, Num>,
    /// 0: Nimbus has no heartbeat of it.
    pub(super) uptime_seconds: Num,
}

/// `getAllTopologiesSummary`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Topologies {
    #[serde(deserialize_with = "list")]
    pub(super) topologies: Vec<Listed>,
}

/// `getTopologyMap`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Listed {
    pub(super) id: Text,
    pub(super) name: Text,
    pub(super) executors_total: Num,
}

/// `unpackTopologyInfo` and `getTopologySummary`; the `metrics` of a topology are the same page.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct TopologyPage {
    pub(super) id: Text,
    pub(super) name: Text,
    pub(super) status: Text,
    pub(super) window: Text,
    pub(super) tasks_total: Num,
    pub(super) executors_total: Num,
    pub(super) workers_total: Num,
    #[serde(deserialize_with = "list")]
    pub(super) spouts: Vec<Counted>,
    #[serde(deserialize_with = "list")]
    pub(super) bolts: Vec<Counted>,
    #[serde(deserialize_with = "list")]
    pub(super) workers: Vec<Worker>,
    /// The topology's configuration; another type than an object has no keys.
    pub(super) configuration: Value,
}

impl TopologyPage {
    /// A key of the configuration.
    pub(super) fn configured(&self, key: &str) -> Option<&Value> {
        self.configuration.get(key)
    }
}

/// A component on its topology's page: `getTopologySpoutAggStatsMap`, `getTopologyBoltAggStatsMap`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Counted {
    #[serde(rename = "boltId", alias = "spoutId")]
    pub(super) id: Text,
    pub(super) executors: Num,
    pub(super) tasks: Num,
    /// Bolts; of the page's window.
    pub(super) executed: Num,
    /// Bolts; the largest of its executors over the last 10 minutes, whatever the window.
    pub(super) capacity: Num,
    /// Percent of a core, of one executor.
    pub(super) requested_cpu: Num,
}

/// `getComponentPage`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct ComponentPage {
    pub(super) id: Text,
    pub(super) topology_id: Text,
    pub(super) component_type: Text,
    pub(super) window: Text,
    pub(super) executors: Num,
    pub(super) tasks: Num,
    pub(super) requested_cpu: Num,
    #[serde(deserialize_with = "list")]
    pub(super) executor_stats: Vec<ExecutorStats>,
    #[serde(deserialize_with = "list")]
    pub(super) input_stats: Vec<StreamStats>,
    #[serde(deserialize_with = "list")]
    pub(super) output_stats: Vec<StreamStats>,
    #[serde(deserialize_with = "list")]
    pub(super) bolt_stats: Vec<WindowStats>,
}

/// `getBoltExecutorStats`, `getSpoutExecutorStats`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ExecutorStats {
    /// `[first-last]`.
    pub(super) id: Text,
    pub(super) host: Text,
    pub(super) port: Num,
    /// 0: Nimbus has no heartbeat of its worker.
    pub(super) uptime_seconds: Num,
    /// Of the page's window.
    pub(super) emitted: Num,
    /// Bolts; of the page's window.
    pub(super) executed: Num,
    /// Bolts; of the last 10 minutes, whatever the window.
    pub(super) capacity: Num,
}

/// `getBoltInputStats`, `getBoltOutputStats`, `getSpoutOutputStats`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct StreamStats {
    /// Inputs: the sender.
    pub(super) component: Text,
    pub(super) stream: Text,
    /// Inputs.
    pub(super) executed: Num,
    /// Outputs.
    pub(super) emitted: Num,
}

/// `getBoltAggStatsMap`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct WindowStats {
    pub(super) window: Text,
    pub(super) executed: Num,
}

/// A component in `getVisualizationData`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Drawn {
    /// `spout` or `bolt`; no other answer has this key.
    #[serde(rename = ":type")]
    _kind: Text,
    /// Page of the component, which names the topology.
    #[serde(rename = ":link", default)]
    pub(super) link: Text,
    #[serde(rename = ":inputs", default, deserialize_with = "list")]
    pub(super) inputs: Vec<DrawnInput>,
}

/// `getInputMap`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct DrawnInput {
    #[serde(rename = ":component")]
    pub(super) component: Text,
    #[serde(rename = ":stream")]
    pub(super) stream: Text,
    #[serde(rename = ":grouping")]
    pub(super) grouping: Text,
}

/// `getVisualizationData`, by component.
pub(crate) type Drawing = BTreeMap<String, Drawn>;
