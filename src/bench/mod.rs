//! Strategies on the same made-up clusters: what each reaches, what that costs, and how far from the bound it is.
//!
//! A run is a whole answer of the engine, judge included, so that what is measured is what Nimbus would get.

mod balance;
mod checkpoint;
mod collocation;
mod ingest;
mod memory;
mod periods;
mod replay;
mod scaling;
mod size;

pub use balance::{Effort, Run, Summary, run};
pub use checkpoint::{DriftRun, Recovery, Rounds, ShedRun, drift, recover, shed};
pub use collocation::{CollocationRun, collocation};
pub use ingest::{IngestRun, MetricsFile};
pub use memory::Peak;
pub use periods::{Drift, periods};
pub use replay::{ReplayRun, replay_run, write_recording};
pub use scaling::{Elastic, ElasticRun, Policy, elastic};
pub use size::{SizeRun, size};

use crate::solve;

/// The strategies to compare where none is named: all that plan, and not the one of the feature `fault-injection`.
pub fn strategies() -> Vec<&'static str> {
    solve::names().into_iter().filter(|name| *name != "panic").collect()
}
