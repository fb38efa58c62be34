//! What the worst loss of a node or a rack leaves, and what the copies take.

use std::time::Instant;

use serde::Serialize;

use crate::checkpoint::{Allocation, Instance, Strategy, bounds, losses, readiness};
use crate::generate::Stateful;
use crate::units::Share;

/// What one strategy made of one cluster, from scratch. Shares are fractions of capacity.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recovery {
    /// Its name.
    pub strategy: &'static str,
    /// Utilization of the fullest node after the worst loss of a node.
    pub worst_node: f64,
    /// No allocation makes it less.
    pub bound_node: f64,
    /// The one minus the other.
    pub gap_node: f64,
    /// The same for a rack; absent without racks.
    pub worst_rack: Option<f64>,
    /// No allocation makes it less.
    pub bound_rack: Option<f64>,
    /// The one minus the other.
    pub gap_rack: Option<f64>,
    /// Copies wanted that have no node.
    pub unplaced: usize,
    /// Bytes of copies on the fullest node over the mean.
    pub storage_max: f64,
    /// The same that a node has room for.
    pub storage_cap: f64,
    /// Readiness of the least ready node.
    pub ready_min: f64,
    /// Mean readiness.
    pub ready_mean: f64,
    /// Time of the bounds, in milliseconds.
    pub bound_ms: f64,
    /// Time of the allocation, in milliseconds.
    pub allocate_ms: f64,
}

/// Has a strategy place all copies of a cluster.
pub fn recover(cluster: &Stateful, strategy: &dyn Strategy) -> Recovery {
    let instance = cluster.instance();
    let start = Instant::now();
    let bounds = bounds(&instance);
    let bound_ms = start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    let allocation = strategy.allocate(&instance, &bounds);
    let allocate_ms = start.elapsed().as_secs_f64() * 1e3;
    let losses = losses(&instance, &allocation);
    let of = |share: Option<Share>| share.map(Share::fraction);
    let (gap_node, gap_rack) = losses.gaps(&bounds);
    let (storage_max, storage_cap) = storage(&instance, &allocation);
    let ready = readiness(&instance, &allocation);
    Recovery {
        strategy: strategy.name(),
        worst_node: of(losses.worst_node()).unwrap_or(0.0),
        bound_node: of(bounds.node).unwrap_or(0.0),
        gap_node: of(gap_node).unwrap_or(0.0),
        worst_rack: of(losses.worst_rack()),
        bound_rack: of(bounds.rack),
        gap_rack: of(gap_rack),
        unplaced: instance.copies * instance.groups() - placed(&instance, &allocation),
        storage_max,
        storage_cap,
        ready_min: ready.iter().min().map_or(1.0, |ready| ready.fraction()),
        ready_mean: ready.iter().map(|ready| ready.fraction()).sum::<f64>() / ready.len().max(1) as f64,
        bound_ms,
        allocate_ms,
    }
}

fn placed(instance: &Instance, allocation: &Allocation) -> usize {
    (0..instance.groups()).map(|group| allocation.placed(group).count()).sum()
}

/// Bytes of copies on the fullest node, and what a node has room for, over the mean.
fn storage(instance: &Instance, allocation: &Allocation) -> (f64, f64) {
    let mut stored = vec![0; instance.nodes.len()];
    for group in 0..instance.groups() {
        for node in allocation.placed(group) {
            stored[node as usize] += instance.state[group];
        }
    }
    let all = instance.state.iter().sum::<i64>() * instance.copies as i64;
    let mean = (all as f64 / instance.nodes.len() as f64).max(1.0);
    let most = stored.into_iter().max().unwrap_or(0);
    let room = instance.nodes.iter().map(|node| node.storage).min().unwrap_or(0);
    (most as f64 / mean, room as f64 / mean)
}
