//! Strategies: a function of a problem and a budget, and nothing else. One file each, one line in the registry.

mod albic;
mod band;
mod bound;
mod budget;
mod cola;
mod even;
mod fleet;
mod flux;
pub mod groups;
#[cfg(feature = "cbc")]
pub mod milp;
#[cfg(feature = "fault-injection")]
mod panic;
mod potc;
mod search;
mod stay;
mod traffic;

use thiserror::Error;

pub use bound::{bound, restarts_needed, sharpen};
pub use budget::Budget;

use crate::model::{Placement, Problem};
use crate::units::Share;
use crate::wire::{Note, StoppedBy};

/// A way to make a plan.
pub trait Strategy: Sync {
    /// Its name in the setting `strategy`.
    fn name(&self) -> &'static str;

    /// What it does and where it comes from, in one line.
    fn about(&self) -> &'static str;

    /// Looks for a better placement than `problem.present`, in which every executor that can have a slot has one.
    /// `bound` is a lower bound of the load distance within the budget of restarts.
    fn solve(&self, problem: &Problem, bound: Share, budget: &mut Budget) -> Result<Outcome, Failed>;
}

/// What a strategy found.
#[derive(Debug)]
pub struct Outcome {
    /// The best placement found, never worse than the present one.
    pub placement: Placement,
    /// What ended the search.
    pub stopped_by: StoppedBy,
    /// What the reader should know.
    pub notes: Vec<Note>,
}

impl Outcome {
    /// No move, because there is nothing to move.
    fn unchanged(problem: &Problem) -> Self {
        Self { placement: problem.present.clone(), stopped_by: StoppedBy::Done, notes: Vec::new() }
    }
}

/// A strategy that could not run.
#[derive(Debug, Error)]
#[error("strategy {strategy}: {detail}")]
pub struct Failed {
    /// Which.
    pub strategy: &'static str,
    /// Why.
    pub detail: String,
}

/// All strategies by name.
pub fn registry() -> &'static [&'static dyn Strategy] {
    &[
        &albic::Albic,
        &cola::Cola,
        &even::Even,
        &flux::Flux,
        #[cfg(feature = "cbc")]
        &milp::MilpByCbc,
        #[cfg(feature = "fault-injection")]
        &panic::Panic,
        &potc::Potc,
        &search::Search,
        &stay::Stay,
    ]
}

/// Names of all strategies, sorted.
pub fn names() -> Vec<&'static str> {
    registry().iter().map(|strategy| strategy.name()).collect()
}

/// A strategy by its name.
pub fn by_name(name: &str) -> Option<&'static dyn Strategy> {
    registry().iter().copied().find(|strategy| strategy.name() == name)
}
