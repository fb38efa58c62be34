//! A placement as people look at it: nodes, their workers, the components in them.

use std::collections::BTreeMap;

use super::outcome::{NodePlaced, WorkerPlaced};
use crate::wire::{Balance, Request};

/// Placement of a request, with the utilization that a reply gives its nodes.
pub(super) fn placed(request: &Request, balance: &Balance) -> Vec<NodePlaced> {
    type Worker<'r> = (&'r str, BTreeMap<&'r str, u64>, f64);
    let mut workers: BTreeMap<(&str, u16), Worker> = BTreeMap::new();
    for topology in &request.topologies {
        for executor in &topology.executors {
            let (Some(node), Some(port)) = (&executor.node, executor.port) else { continue };
            let worker = workers.entry((node, port)).or_insert((&topology.id, BTreeMap::new(), 0.0));
            *worker.1.entry(&executor.component).or_default() += 1;
            worker.2 += executor.cpu_cores.unwrap_or(0.0);
        }
    }
    let utilization: BTreeMap<&str, f64> =
        balance.nodes.iter().map(|node| (node.id.as_str(), node.utilisation)).collect();
    let mut nodes: Vec<NodePlaced> = request
        .nodes
        .iter()
        .map(|node| NodePlaced {
            node: node.id.clone(),
            host: node.host.clone(),
            utilization: utilization.get(node.id.as_str()).copied(),
            workers: workers
                .range((node.id.as_str(), 0)..=(node.id.as_str(), u16::MAX))
                .map(|((_, port), (topology, components, cpu_cores))| WorkerPlaced {
                    port: *port,
                    topology: (*topology).to_owned(),
                    components: components.iter().map(|(id, count)| ((*id).to_owned(), *count)).collect(),
                    cpu_cores: *cpu_cores,
                })
                .collect(),
        })
        .collect();
    nodes.sort_by(|one, other| one.node.cmp(&other.node));
    nodes
}
