//! Strategies of checkpoint allocation on the same made-up clusters, without a request around them.

mod drift;
mod plan;
mod recover;
mod shed;

pub use drift::{DriftRun, Rounds, drift};
pub use recover::{Recovery, recover};
pub use shed::{ShedRun, shed};
