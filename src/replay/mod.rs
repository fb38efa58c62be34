//! Replay: what each policy would have done with recorded windows.
//!
//! Window by window, every policy is asked with the loads of the window and its own placement, in which its earlier plans
//! have been carried out; loads follow the executors. What it decides on one window is in effect from the next: a policy
//! knows the past only. `recorded`, the first policy, does nothing and follows the recording.
//!
//! The windows are read once and handed to one thread a policy, a few at a time, so that a recording may be larger than
//! memory. The bound is that of any placement at all ([`crate::solve::bound`] without a budget).

mod bound;
mod carried_out;
mod life;
mod memory;
mod outcome;
mod placed;
mod recorded;
mod run;
mod series;
mod tally;
mod what_if;

pub use carried_out::carry_out;
pub use outcome::{
    Figures, HeatMap, Input, LoadSources, MoveMade, NodePlaced, NoteSeen, Outcome, PolicyOutcome, Series,
    WorkerPlaced,
};
pub use run::{RECORDED, Replay, replay};
pub use what_if::WhatIf;
