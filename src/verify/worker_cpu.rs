//! Loads of a worker's executors against what its process used, by the rule of the wire contract, in floating point.

use std::collections::HashMap;

use super::scene::Executor;
use crate::wire::{self, LoadSource, TaskRange, Topology, WorkerCpu};

/// Ages from which an executor's load counts, and a worker is warm.
#[derive(Clone, Copy)]
pub(super) struct Ages {
    pub(super) young_secs: f64,
    pub(super) warm_secs: f64,
}

/// Changes the loads of a topology's executors, which are in the order of `members`.
pub(super) fn fit(topology: &Topology, members: &[Executor], ages: Ages, loads: &mut [f64]) {
    if topology.worker_cpu.is_empty() {
        return;
    }
    let said: HashMap<TaskRange, &wire::Executor> = topology.executors.iter().map(|e| (e.tasks, e)).collect();
    let median = warm_overhead(topology, ages.warm_secs);
    for worker in &topology.worker_cpu {
        let on = |e: &wire::Executor| e.node.as_ref() == Some(&worker.node) && e.port == Some(worker.port);
        let own: Vec<(usize, &wire::Executor)> =
            members.iter().enumerate().map(|(at, m)| (at, said[&m.tasks])).filter(|(_, e)| on(e)).collect();
        if own.is_empty() || own.iter().any(|(_, e)| young(e, ages.young_secs)) {
            continue;
        }
        let hook = |e: &wire::Executor| e.cpu_cores.is_some() && e.load_source == Some(LoadSource::Hook);
        let total = |of: &dyn Fn(&wire::Executor) -> bool| -> f64 {
            own.iter().filter(|(_, e)| of(e)).map(|(at, _)| loads[*at]).sum()
        };
        let fixed = total(&hook);
        let statistics = total(&|e| e.cpu_cores.is_some() && !hook(e));
        let guesses = total(&|e| e.cpu_cores.is_none());
        let used = overhead_of(worker).unwrap_or(0.0);
        let of_executors = worker.cpu_cores - used;
        let warm = worker.uptime_secs.is_none_or(|secs| secs >= ages.warm_secs);
        let overhead = if warm { used } else { median.map_or(used, |median| used.min(median)) };
        if own.iter().any(|(_, e)| past(e) && e.cpu_cores.is_some()) {
            own.iter().for_each(|(at, _)| loads[*at] += overhead / own.len() as f64);
            continue;
        }
        let left = (of_executors - fixed).max(0.0);
        let known = statistics + guesses;
        let shrink = if known > left { left / known } else { 1.0 };
        let grow = if known < left && guesses > 0.0 { (left - statistics) / guesses } else { shrink };
        let unexplained = if known < left && guesses == 0.0 { left - known } else { 0.0 };
        for (at, e) in &own {
            let factor = match (hook(e), e.cpu_cores) {
                (true, _) => 1.0,
                (false, Some(_)) => shrink,
                (false, None) => grow,
            };
            loads[*at] = loads[*at] * factor + (overhead + unexplained) / own.len() as f64;
        }
    }
}

/// Its load is of an earlier life of its tasks, and counts whatever its age is.
fn past(executor: &wire::Executor) -> bool {
    executor.load_source == Some(LoadSource::History)
}

/// Its load does not count yet.
pub(super) fn young(executor: &wire::Executor, young_secs: f64) -> bool {
    !past(executor) && executor.uptime_secs.is_some_and(|secs| secs < young_secs)
}

/// Part of a process that no executor used; none where that was not measured.
fn overhead_of(worker: &WorkerCpu) -> Option<f64> {
    Some(worker.overhead_cores?.min(worker.cpu_cores))
}

/// Overhead of the warm workers that at least half of them do not exceed, the smallest such.
fn warm_overhead(topology: &Topology, warm_secs: f64) -> Option<f64> {
    let warm = |worker: &&WorkerCpu| !worker.uptime_secs.is_some_and(|secs| secs < warm_secs);
    let all: Vec<f64> = topology.worker_cpu.iter().filter(warm).filter_map(overhead_of).collect();
    let enough = |cores: &f64| all.iter().filter(|other| *other <= cores).count() * 2 >= all.len();
    all.iter().copied().filter(enough).min_by(f64::total_cmp)
}
