//! Executors as a component's page shows them: where they are, what they are worth.
//!
//! A bolt's load is the sum over its executors of `capacity`, which is executed tuples times execute latency over the
//! last 10 minutes, or over the executor's life if that is shorter, whatever window was asked for; so it is in cores.
//! (`StatsUtil.computeExecutorCapacity`; the topology's page has only the largest of them.) Spouts have no such figure,
//! and system components are Storm's own: the engine weighs both by what they request, and says so.

use super::rates::{counted_secs, rate};
use super::shapes::{ComponentPage, ExecutorStats, TopologyPage};
use super::slots::Slots;
use crate::ingest::{RemarkCode, Remarks, quoted};
use crate::wire::{ComponentKind, Executor, LoadSource, TaskRange};

/// Default of `executor.metrics.frequency.secs`: younger executors have sent no statistics yet.
pub(super) const METRICS_SECS: f64 = 60.0;

/// Below this uptime a figure means little; default of the setting `load.young.secs`, which decides.
const YOUNG_SECS: f64 = 60.0;

/// More than this no single thread is believed to do, in cores. Sampling, and latencies that are mostly waiting, make
/// more than 1 legal.
const MOST_CORES: f64 = 100.0;

/// Largest task id: sums of ids stay far from the end of their type.
const LAST_TASK: i32 = 100_000_000;

/// The executors of a component, by tasks.
pub(super) fn executors(
    page: &ComponentPage,
    of: &TopologyPage,
    kind: ComponentKind,
    slots: &Slots,
    remarks: &mut Remarks,
) -> Vec<Executor> {
    let metrics_secs = of.configured("executor.metrics.frequency.secs").and_then(serde_json::Value::as_f64);
    let contradicted = contradicted(page, of, remarks);
    let mut all: Vec<Executor> = Vec::new();
    for stats in &page.executor_stats {
        let Some(tasks) = tasks(&stats.id.0) else {
            remarks.add(RemarkCode::Unknown, || {
                format!("{}: \"{}\" is no executor", quoted(&page.id.0), quoted(&stats.id.0))
            });
            continue;
        };
        let name = || format!("executor {tasks} of {}", quoted(&page.id.0));
        let slot = stats.port.port().and_then(|port| Some((slots.node(&stats.host.0, port, remarks)?, port)));
        let secs = counted_secs(page, stats);
        let uptime = stats.uptime_seconds.positive().filter(|secs| *secs > 0.0);
        if uptime.is_none() {
            remarks.add(RemarkCode::NoHeartbeat, || {
                let port = stats.port.port().unwrap_or_default();
                format!("{}: Nimbus has no heartbeat of {}:{port}", name(), quoted(&stats.host.0))
            });
        }
        let seen = Seen { kind, stats, uptime, metrics_secs: metrics_secs.unwrap_or(METRICS_SECS) };
        let known = !contradicted && seen.counted();
        let cpu_cores = if known { seen.load(name, remarks) } else { None };
        if cpu_cores.is_some() && uptime.is_some_and(|secs| secs < YOUNG_SECS) {
            remarks.add(RemarkCode::Young, || format!("{} is {} s old", name(), uptime.unwrap_or_default()));
        }
        let takes = kind != ComponentKind::Spout && known && !seen.executed_is_blank();
        let received_per_sec =
            takes.then(|| rate(stats.executed, secs, || format!("{}: executed", name()), remarks)).flatten();
        let emitted_per_sec = seen
            .counted()
            .then(|| rate(stats.emitted, secs, || format!("{}: emitted", name()), remarks))
            .flatten();
        all.push(Executor {
            node: slot.as_ref().map(|(node, _)| node.clone()),
            port: slot.map(|(_, port)| port),
            uptime_secs: uptime,
            cpu_cores,
            load_source: cpu_cores.map(|_| LoadSource::Stats),
            received_per_sec,
            emitted_per_sec,
            ..Executor::blank(tasks, &page.id.0)
        });
    }
    all.sort_by_key(|executor| executor.tasks);
    all
}

/// `[first-last]`, as `UIHelpers.prettyExecutorInfo` writes it.
fn tasks(id: &str) -> Option<TaskRange> {
    let (first, last) = id.strip_prefix('[')?.strip_suffix(']')?.split_once('-')?;
    let range = TaskRange(first.parse().ok()?, last.parse().ok()?);
    (0 <= range.0 && range.0 <= range.1 && range.1 <= LAST_TASK).then_some(range)
}

/// One executor's figures and what they are to be measured by.
struct Seen<'a> {
    kind: ComponentKind,
    stats: &'a ExecutorStats,
    uptime: Option<f64>,
    metrics_secs: f64,
}

impl Seen<'_> {
    /// Whether its figures mean something: there is a heartbeat, and zero throughout comes from an executor that has had
    /// the time to say so.
    fn counted(&self) -> bool {
        let anything = [self.stats.executed, self.stats.emitted, self.stats.capacity]
            .iter()
            .any(|figure| figure.0.is_some_and(|n| n != 0.0));
        self.uptime.is_some_and(|secs| anything || secs > 2.0 * self.metrics_secs)
    }

    /// It emits and says that it executed nothing: without ackers older versions leave that blank.
    fn executed_is_blank(&self) -> bool {
        let zero = self.stats.executed.positive().is_none_or(|n| n == 0.0);
        zero && self.stats.emitted.positive().is_some_and(|n| n > 0.0)
    }

    /// Cores; absent where nothing was measured.
    fn load(&self, name: impl Fn() -> String, remarks: &mut Remarks) -> Option<f64> {
        if self.kind != ComponentKind::Bolt || self.executed_is_blank() {
            return None;
        }
        let capacity = self.stats.capacity;
        if capacity.negative() {
            remarks.add(RemarkCode::Negative, || {
                format!("{}: capacity {}", name(), capacity.0.unwrap_or_default())
            });
        }
        let cores = capacity.positive()?;
        if cores > MOST_CORES {
            remarks.add(RemarkCode::Unbelievable, || format!("{}: capacity {cores}", name()));
            return None;
        }
        Some(cores)
    }
}

/// The component executed tuples and none of its executors did: their figures are blank, not zero.
fn contradicted(page: &ComponentPage, of: &TopologyPage, remarks: &mut Remarks) -> bool {
    let beating = |stats: &&ExecutorStats| stats.uptime_seconds.positive().is_some_and(|secs| secs > 0.0);
    let alive: Vec<&ExecutorStats> = page.executor_stats.iter().filter(beating).collect();
    let own: f64 = alive.iter().filter_map(|stats| stats.executed.positive()).sum();
    if alive.is_empty() || own > 0.0 {
        return false;
    }
    let of_page =
        page.bolt_stats.iter().find(|stats| stats.window == page.window).map(|stats| stats.executed);
    let of_topology = of.bolts.iter().find(|bolt| bolt.id == page.id && of.window == page.window);
    let all = [of_page, of_topology.map(|bolt| bolt.executed)];
    let Some(all) = all.into_iter().flatten().filter_map(|n| n.positive()).find(|n| *n > 0.0) else {
        return false;
    };
    remarks.add(RemarkCode::Contradiction, || {
        let (name, count) = (quoted(&page.id.0), alive.len());
        format!("{name} executed {all} tuples and its {count} executors none: their loads are not known")
    });
    true
}
