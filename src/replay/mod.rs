//! Replay: what each policy would have done with recorded windows.

mod outcome;

pub use outcome::{
    Figures, HeatMap, Input, LoadSources, MoveMade, NodePlaced, Outcome, PolicyOutcome, Series, WorkerPlaced,
};
