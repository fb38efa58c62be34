//! What really happened between two windows.

use std::collections::{BTreeMap, BTreeSet};

use super::tally::Price;
use crate::wire::{Request, TaskRange};

/// Executors by worker: topology, node and port.
pub(super) type Workers<'r> = BTreeMap<(&'r str, &'r str, u16), Vec<TaskRange>>;

/// Workers of the earlier window whose executors are others in the later one, or run elsewhere. What a node's loss or a
/// topology's end took along is nobody's decision and does not count.
pub(super) fn price_between(earlier: &Request, later: &Request, pause_secs: f64) -> Price {
    let (before, after) = (workers(earlier), workers(later));
    let nodes: BTreeSet<&str> = later.nodes.iter().map(|node| node.id.as_str()).collect();
    let topologies: BTreeSet<&str> = later.topologies.iter().map(|topology| topology.id.as_str()).collect();
    let slot_of: BTreeMap<(&str, TaskRange), (&str, u16)> = after
        .iter()
        .flat_map(|((id, node, port), all)| all.iter().map(move |t| ((*id, *t), (*node, *port))))
        .collect();
    let states: BTreeMap<(&str, TaskRange), Option<u64>> = later
        .topologies
        .iter()
        .flat_map(|of| of.executors.iter().map(move |e| ((of.id.as_str(), e.tasks), e.state_bytes)))
        .collect();
    let mut price = Price::default();
    for ((topology, node, port), executors) in &before {
        let same = after.get(&(*topology, *node, *port)) == Some(executors);
        if same || !nodes.contains(node) || !topologies.contains(topology) {
            continue;
        }
        price.restarts += 1;
        price.paused_executor_secs += executors.len() as f64 * pause_secs;
        let moved = |tasks: &&TaskRange| {
            slot_of.get(&(*topology, **tasks)).is_some_and(|slot| *slot != (*node, *port))
        };
        price.executors_moved += executors.iter().filter(moved).count() as u64;
        price.shipped_bytes +=
            executors.iter().filter_map(|tasks| *states.get(&(*topology, *tasks))?).sum::<u64>();
    }
    price
}

/// The workers of a request, their executors sorted.
pub(super) fn workers(request: &Request) -> Workers<'_> {
    let mut workers = Workers::new();
    for topology in &request.topologies {
        for executor in &topology.executors {
            if let (Some(node), Some(port)) = (&executor.node, executor.port) {
                workers.entry((&topology.id, node, port)).or_default().push(executor.tasks);
            }
        }
    }
    workers.values_mut().for_each(|executors| executors.sort_unstable());
    workers
}
