//! One answer of one strategy, measured, and many of them summed up.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;

use super::Peak;
use crate::engine;
use crate::wire::{Refusal, Reply, Request, StoppedBy};

/// What one strategy made of one request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// Its name.
    pub strategy: String,
    /// Statistics period, the first one 0.
    pub period: u32,
    /// Load distance before, as a fraction of capacity.
    pub load_distance_before: f64,
    /// Load distance reached, as a fraction of capacity.
    pub load_distance: f64,
    /// Lower bound of the load distance within the budget, as a fraction of capacity.
    pub lower_bound: f64,
    /// Load distance reached minus the bound.
    pub gap: f64,
    /// The bound was met.
    pub optimal: bool,
    /// Part of the traffic whose two ends are on one node; absent where no traffic is known.
    pub collocation_factor: Option<f64>,
    /// Executors that change their slot.
    pub moves: u32,
    /// Workers restarted.
    pub restarts: u32,
    /// State that these read again or have shipped, in bytes; absent where none is known.
    pub shipped_bytes: Option<u64>,
    /// Steps the strategy took.
    pub steps: u64,
    /// What ended it; after `time` another machine may get another plan.
    pub stopped_by: StoppedBy,
    /// Time of the whole answer, in milliseconds: problem, bound, strategy, plan and judge.
    pub answer_ms: f64,
    /// Peak of the process's resident memory meanwhile, in MiB; absent where the system does not count it.
    pub memory_mib: Option<f64>,
}

/// What a strategy may spend on one request.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Steps, as in the setting `solver.steps`.
    pub steps: u64,
    /// Time, as in the setting `solver.time.ms`.
    pub time_ms: u64,
}

/// Has a request answered by a strategy. A refusal comes back as it is.
pub fn run(request: &Request, strategy: &str, effort: Effort, period: u32) -> Result<(Run, Reply), Refusal> {
    let mut request = request.clone();
    for (name, value) in [
        ("strategy", json!(strategy)),
        ("solver.steps", json!(effort.steps)),
        ("solver.time.ms", json!(effort.time_ms)),
    ] {
        request.settings.insert(name.to_owned(), value);
    }
    let peak = Peak::from_here();
    let start = Instant::now();
    let reply = engine::answer(&request);
    let took = start.elapsed();
    let memory_mib = peak.mib();
    if let Some(refusal) = reply.refusal {
        return Err(refusal);
    }
    let before = reply.before.as_ref().expect("not refused").load_distance;
    let after = reply.after.as_ref().expect("not refused");
    // Only a gate closed to optional moves leaves a reply without one: then nothing was looked for and nothing proved.
    let proved = reply.certificate.as_ref();
    let run = Run {
        strategy: strategy.to_owned(),
        period,
        load_distance_before: before,
        load_distance: after.load_distance,
        lower_bound: proved.map_or(0.0, |proved| proved.lower_bound),
        gap: proved.map_or(after.load_distance, |proved| proved.gap),
        optimal: proved.is_some_and(|proved| proved.optimal),
        collocation_factor: after.traffic.as_ref().map(|traffic| traffic.collocation_factor),
        moves: reply.moves.iter().map(|step| step.executors.len() as u32).sum(),
        restarts: reply.cost.restarts,
        shipped_bytes: reply.cost.shipped_bytes,
        steps: proved.map_or(0, |proved| proved.steps),
        stopped_by: proved.map_or(StoppedBy::Done, |proved| proved.stopped_by),
        answer_ms: ms(took),
        memory_mib,
    };
    Ok((run, reply))
}

fn ms(took: Duration) -> f64 {
    took.as_secs_f64() * 1e3
}

/// Runs of one strategy on clusters that differ by their seed alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Mean load distance reached.
    pub load_distance: f64,
    /// Mean bound.
    pub lower_bound: f64,
    /// Mean gap.
    pub gap: f64,
    /// Largest gap, and the position of the run that has it.
    pub worst: (f64, usize),
    /// Runs that met the bound.
    pub optimal: usize,
    /// Mean number of executors moved.
    pub moves: f64,
    /// Mean number of restarts.
    pub restarts: f64,
    /// Mean number of bytes shipped; none where a run does not know it.
    pub shipped_bytes: Option<f64>,
    /// Median and longest time of an answer, in milliseconds.
    pub answer_ms: (f64, f64),
    /// Largest peak of memory, in MiB.
    pub memory_mib: Option<f64>,
}

impl Summary {
    /// Of at least one run; none of none.
    pub fn of(runs: &[&Run]) -> Option<Self> {
        let mean = |of: fn(&Run) -> f64| runs.iter().map(|run| of(run)).sum::<f64>() / runs.len() as f64;
        let gaps = runs.iter().enumerate().map(|(at, run)| (run.gap, at));
        let worst = gaps.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
        let mut times: Vec<f64> = runs.iter().map(|run| run.answer_ms).collect();
        times.sort_unstable_by(f64::total_cmp);
        Some(Self {
            load_distance: mean(|run| run.load_distance),
            lower_bound: mean(|run| run.lower_bound),
            gap: mean(|run| run.gap),
            worst,
            optimal: runs.iter().filter(|run| run.optimal).count(),
            moves: mean(|run| f64::from(run.moves)),
            restarts: mean(|run| f64::from(run.restarts)),
            shipped_bytes: runs
                .iter()
                .map(|run| run.shipped_bytes.map(|b| b as f64))
                .sum::<Option<f64>>()
                .map(|sum| sum / runs.len() as f64),
            answer_ms: (times[times.len() / 2], times[times.len() - 1]),
            memory_mib: runs.iter().filter_map(|run| run.memory_mib).max_by(f64::total_cmp),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_of(gap: f64, answer_ms: f64) -> Run {
        Run {
            strategy: "s".to_owned(),
            period: 0,
            load_distance_before: 1.0,
            load_distance: 0.5 + gap,
            lower_bound: 0.5,
            gap,
            optimal: gap == 0.0,
            collocation_factor: None,
            moves: 5,
            restarts: 4,
            shipped_bytes: None,
            steps: 1,
            stopped_by: StoppedBy::Done,
            answer_ms,
            memory_mib: None,
        }
    }

    #[test]
    fn a_summary_names_the_first_run_with_the_worst_gap() {
        let runs = [run_of(0.0, 9.0), run_of(0.25, 1.0), run_of(0.25, 2.0), run_of(0.0, 3.0)];
        let summary = Summary::of(&runs.iter().collect::<Vec<_>>()).expect("there are runs");
        assert_eq!((summary.worst, summary.optimal), ((0.25, 1), 2));
        assert_eq!((summary.gap, summary.load_distance, summary.restarts), (0.125, 0.625, 4.0));
        assert_eq!(summary.answer_ms, (3.0, 9.0));
        assert_eq!(Summary::of(&[]), None);
    }
}
