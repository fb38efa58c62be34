//! One-to-one jobs over periods: how soon and at which price all pairs are on one node, and how the balance fares.

use serde::Serialize;

use super::{Drift, Effort, periods};
use crate::generate::OneToOne;
use crate::wire::{Refusal, Request};

/// What one strategy made of one job.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CollocationRun {
    /// Its name.
    pub strategy: String,
    /// Collocation factor before the first period.
    pub factor_before: f64,
    /// Collocation factor after the last one.
    pub factor: f64,
    /// Highest collocation factor of all periods.
    pub factor_best: f64,
    /// Periods until all pairs were on one node; absent where that was never so.
    pub periods_to_all: Option<u32>,
    /// No strategy needs fewer: pairs apart at the start by groups that may migrate in a period.
    pub least_periods: u32,
    /// Groups moved until all pairs were on one node, or in all periods.
    pub moves: u32,
    /// No strategy needs fewer: a move for every pair apart at the start.
    pub least_moves: u32,
    /// Groups moved in the periods after that.
    pub moves_after: u32,
    /// Periods that ended above maxLD.
    pub overload_periods: u32,
    /// Of these, the ones in which a plan within maxLD could not be ruled out by the lower bound.
    pub avoidable_periods: u32,
    /// Largest load distance that a period ended with, as a fraction of capacity.
    pub worst_load_distance: f64,
    /// Most groups moved in one period.
    pub most_moves: u32,
    /// Median time of a whole answer in milliseconds: problem, bound, strategy, plan and judge.
    pub answer_ms: f64,
}

/// Has a strategy plan so many periods of a job whose loads drift. The strategy `cola` gets a budget of all groups.
pub fn collocation(
    job: OneToOne,
    drift: Drift,
    count: u32,
    strategy: &str,
    effort: Effort,
) -> Result<CollocationRun, Refusal> {
    let mut request = job.request();
    if strategy == "cola" {
        // Its paper knows no budget; with one it could not do what it is for.
        request.settings.insert("budget.restarts".to_owned(), (2 * job.pairs).into());
    }
    let apart = pairs_apart(&request);
    let mut run = CollocationRun {
        strategy: strategy.to_owned(),
        factor_before: 1.0 - apart as f64 / request.topologies[0].traffic.len().max(1) as f64,
        factor: 0.0,
        factor_best: 0.0,
        periods_to_all: None,
        least_periods: apart.div_ceil(job.budget.max(1)),
        moves: 0,
        least_moves: apart,
        moves_after: 0,
        overload_periods: 0,
        avoidable_periods: 0,
        worst_load_distance: 0.0,
        most_moves: 0,
        answer_ms: 0.0,
    };
    let mut times = Vec::new();
    // A share of the reply is rounded to a billionth.
    const ALL: f64 = 1.0 - 1e-9;
    periods(&request, drift, count, strategy, effort, |period| {
        run.factor = period.collocation_factor.unwrap_or(0.0);
        run.factor_best = run.factor_best.max(run.factor);
        if run.periods_to_all.is_some() {
            run.moves_after += period.moves;
        } else {
            run.moves += period.moves;
        }
        if run.factor >= ALL && run.periods_to_all.is_none() {
            run.periods_to_all = Some(period.period + 1);
        }
        run.overload_periods += u32::from(period.load_distance > job.distance_max);
        let avoidable = period.load_distance > job.distance_max && period.lower_bound <= job.distance_max;
        run.avoidable_periods += u32::from(avoidable);
        run.worst_load_distance = run.worst_load_distance.max(period.load_distance);
        run.most_moves = run.most_moves.max(period.moves);
        times.push(period.answer_ms);
    })?;
    times.sort_unstable_by(f64::total_cmp);
    run.answer_ms = times.get(times.len() / 2).copied().unwrap_or(0.0);
    Ok(run)
}

/// Pairs whose groups are on two nodes.
fn pairs_apart(request: &Request) -> u32 {
    let executors = &request.topologies[0].executors;
    let pairs = executors.len() / 2;
    (0..pairs).filter(|at| executors[*at].node != executors[pairs + at].node).count() as u32
}
