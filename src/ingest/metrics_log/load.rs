//! The load of an executor in a window.
//!
//! `__capacity` is the executor's over its last ten minutes, the figure the UI shows. The execute latency that is
//! printed beside it is the mean of the last three sampled tuples only, so it serves where there is no capacity: in V1,
//! where it is that of the interval. Both stand still when tuples stop, so they count where tuples did. Spouts have
//! neither. Worker's CPU (`workerCpuUsage`) is not shared out to them, as it is not by the shim, which this follows;
//! where it contradicts the latencies, a remark says so.

use super::executors::Joined;
use super::said::{About, Said};
use super::task::Task;
use super::window::Shown;
use crate::ingest::{RemarkCode, quoted};
use crate::wire::TaskRange;

/// Tuples that one count stands for at most with Storm's default `topology.stats.sample.rate` of 0.05.
const SAMPLED: f64 = 20.0;
/// A worker's CPU contradicts its executors' loads where they are so many times as much, and so many cores more.
const TIMES: f64 = 1.5;
const CORES: f64 = 0.1;

/// Load in cores, mean over the window; none where it was not measured.
pub(super) fn load(shown: &Shown<'_>, joined: &Joined<'_>, said: &mut Said) -> Option<f64> {
    let (first, others) = joined.tasks.split_first().expect("an executor has tasks");
    let moving = |task: &&Task| shown.mean(task, |interval| interval.executed).is_some_and(|rate| rate > 0.0);
    let busy_elsewhere = others.iter().any(moving);
    let of_the_others = shown.sum(others, |interval| interval.busy);
    for interval in shown.intervals(first) {
        let still = interval.executed == Some(0.0) && !busy_elsewhere;
        if let Some(ms) = interval.latency.filter(|ms| still && *ms > 0.0) {
            said.remarks.add(RemarkCode::Frozen, || {
                let secs = (interval.to - interval.from) as f64;
                format!(
                    "{} of {}, {} to {}: no tuple was counted, load 0; at most {SAMPLED} tuples x {ms} ms, {:.6} cores",
                    TaskRange(first.id, joined.last().id),
                    quoted(&shown.seen.tables.components[first.component].id),
                    interval.from,
                    interval.to,
                    SAMPLED * ms / 1000.0 / secs
                )
            });
        }
    }
    shown.mean(first, |interval| {
        let still = interval.executed? == 0.0 && !busy_elsewhere;
        match interval.capacity {
            _ if still => Some(0.0),
            Some(cores) => Some(cores),
            None => Some(interval.busy? + of_the_others?),
        }
    })
}

/// Says where the loads of a worker's executors are far above the CPU it used.
pub(super) fn held_against_cpu(shown: &Shown<'_>, worker: usize, cores: f64, said: &mut Said) {
    let Some(cpu) = shown.seen.tables.workers[worker].cpu.filter(|cpu| *cpu > 0.0) else { return };
    if cores > cpu * TIMES && cores > cpu + CORES {
        said.once(RemarkCode::Contradiction, About::Worker(worker), || {
            format!(
                "{} at {}: its executors' execute latencies add up to {cores:.3} cores and it used {cpu:.3}, \
                 which is left out; latency is wall time, so waiting counts as load",
                shown.seen.tables.place(worker),
                shown.span.to
            )
        });
    }
}
