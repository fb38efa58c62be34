//! Strategies on the same made-up clusters: what each reaches, what that costs, and how far from the bound it is.
//!
//! A run is a whole answer of the engine, judge included, so that what is measured is what Nimbus would get.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;

use crate::engine;
use crate::solve;
use crate::wire::{Refusal, Request, StoppedBy};

/// What one strategy made of one request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// Its name.
    pub strategy: String,
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
    /// Workers restarted.
    pub restarts: u32,
    /// Steps the strategy took.
    pub steps: u64,
    /// What ended it; after `time` another machine may get another plan.
    pub stopped_by: StoppedBy,
    /// Time of the whole answer, in milliseconds: problem, bound, strategy, plan and judge.
    pub answer_ms: f64,
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
pub fn run(request: &Request, strategy: &str, effort: Effort) -> Result<Run, Refusal> {
    let mut request = request.clone();
    for (name, value) in [
        ("strategy", json!(strategy)),
        ("solver.steps", json!(effort.steps)),
        ("solver.time.ms", json!(effort.time_ms)),
    ] {
        request.settings.insert(name.to_owned(), value);
    }
    let start = Instant::now();
    let reply = engine::answer(&request);
    let took = start.elapsed();
    if let Some(refusal) = reply.refusal {
        return Err(refusal);
    }
    let (before, after) = (reply.before.expect("not refused"), reply.after.expect("not refused"));
    // Only a gate closed to optional moves leaves a reply without one: then nothing was looked for and nothing proved.
    let certificate = reply.certificate;
    let proved = certificate.as_ref();
    Ok(Run {
        strategy: strategy.to_owned(),
        load_distance_before: before.load_distance,
        load_distance: after.load_distance,
        lower_bound: proved.map_or(0.0, |proved| proved.lower_bound),
        gap: proved.map_or(after.load_distance, |proved| proved.gap),
        optimal: proved.is_some_and(|proved| proved.optimal),
        restarts: reply.cost.restarts,
        steps: proved.map_or(0, |proved| proved.steps),
        stopped_by: proved.map_or(StoppedBy::Done, |proved| proved.stopped_by),
        answer_ms: ms(took),
    })
}

fn ms(took: Duration) -> f64 {
    took.as_secs_f64() * 1e3
}

/// The strategies to compare where none is named: all that plan, and not the one of the feature `fault-injection`.
pub fn strategies() -> Vec<&'static str> {
    solve::names().into_iter().filter(|name| *name != "panic").collect()
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
    /// Mean number of restarts.
    pub restarts: f64,
    /// Median and longest time of an answer, in milliseconds.
    pub answer_ms: (f64, f64),
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
            restarts: mean(|run| f64::from(run.restarts)),
            answer_ms: (times[times.len() / 2], times[times.len() - 1]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_of(gap: f64, answer_ms: f64) -> Run {
        Run {
            strategy: "s".to_owned(),
            load_distance_before: 1.0,
            load_distance: 0.5 + gap,
            lower_bound: 0.5,
            gap,
            optimal: gap == 0.0,
            restarts: 4,
            steps: 1,
            stopped_by: StoppedBy::Done,
            answer_ms,
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
