//! How large a cluster the solver alone can plan for: bound and search on key groups, without a request around them.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::Peak;
use crate::generate::{Capacities, Groups};
use crate::solve::{Budget, groups};

/// What the solver made of one size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizeRun {
    /// Load distance reached, as a fraction of capacity.
    pub load_distance: f64,
    /// Lower bound, as a fraction of capacity.
    pub lower_bound: f64,
    /// Load distance reached minus the bound.
    pub gap: f64,
    /// The bound was met.
    pub optimal: bool,
    /// Groups moved.
    pub moves: u64,
    /// Fewest moves that reach the target, a lower bound; absent where no number of moves does.
    pub moves_needed: Option<u64>,
    /// Time of the bound, in milliseconds.
    pub bound_ms: f64,
    /// Time of the search, in milliseconds.
    pub search_ms: f64,
    /// Peak of the process's resident memory, in MiB, the groups included; absent where the system does not count it.
    pub memory_mib: Option<f64>,
}

/// Bound and search on so many groups; the groups are made before the clock starts.
pub fn size(groups: Groups, capacities: Capacities, time: Duration) -> SizeRun {
    let peak = Peak::from_here();
    let instance = groups.instance(capacities);
    let start = Instant::now();
    let bound = groups::bound(&instance);
    let bound_ms = start.elapsed();
    let start = Instant::now();
    let mut budget = Budget::new(u64::MAX, time.saturating_sub(bound_ms));
    let hosts = groups::solve(&instance, bound, &mut budget);
    let search_ms = start.elapsed();
    let reached = instance.load_distance(&hosts);
    SizeRun {
        load_distance: reached.fraction(),
        lower_bound: bound.fraction(),
        gap: (reached - bound).fraction(),
        optimal: reached <= bound,
        moves: instance.moved(&hosts),
        moves_needed: groups::moves_needed(&instance, instance.target),
        bound_ms: bound_ms.as_secs_f64() * 1e3,
        search_ms: search_ms.as_secs_f64() * 1e3,
        memory_mib: peak.mib(),
    }
}
