//! Loads of a worker's executors against what its process used, by the rule of the wire contract, in floating point.

use std::collections::HashMap;

use super::scene::Executor;
use crate::wire::{self, LoadSource, TaskRange, Topology};

/// Changes the loads of a topology's executors, which are in the order of `members`.
pub(super) fn fit(topology: &Topology, members: &[Executor], young_secs: f64, loads: &mut [f64]) {
    if topology.worker_cpu.is_empty() {
        return;
    }
    let said: HashMap<TaskRange, &wire::Executor> = topology.executors.iter().map(|e| (e.tasks, e)).collect();
    for worker in &topology.worker_cpu {
        let on = |e: &wire::Executor| e.node.as_ref() == Some(&worker.node) && e.port == Some(worker.port);
        let own: Vec<(usize, &wire::Executor)> =
            members.iter().enumerate().map(|(at, m)| (at, said[&m.tasks])).filter(|(_, e)| on(e)).collect();
        if own.is_empty() || own.iter().any(|(_, e)| e.uptime_secs.is_some_and(|secs| secs < young_secs)) {
            continue;
        }
        let hook = |e: &wire::Executor| e.cpu_cores.is_some() && e.load_source == Some(LoadSource::Hook);
        let total = |of: &dyn Fn(&wire::Executor) -> bool| -> f64 {
            own.iter().filter(|(_, e)| of(e)).map(|(at, _)| loads[*at]).sum()
        };
        let fixed = total(&hook);
        let statistics = total(&|e| e.cpu_cores.is_some() && !hook(e));
        let guesses = total(&|e| e.cpu_cores.is_none());
        let overhead = worker.overhead_cores.unwrap_or(0.0).min(worker.cpu_cores);
        let left = (worker.cpu_cores - overhead - fixed).max(0.0);
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
