//! What if: changes to every window before any policy sees it.

use std::collections::BTreeSet;

use crate::wire::{Node, NodeState, Request, Topology};

/// Changes to every window.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WhatIf {
    /// Nodes that are not there, by supervisor id or host; what ran on them needs a place.
    pub without_nodes: Vec<String>,
    /// Nodes that are there too.
    pub nodes: Vec<Node>,
    /// Loads of components, multiplied: `COMPONENT` or `TOPOLOGY/COMPONENT`, and the factor.
    pub loads: Vec<(String, f64)>,
}

impl WhatIf {
    /// Changes a window.
    pub fn apply(&self, request: &mut Request) {
        let gone = |id: &str, host: &str| self.without_nodes.iter().any(|name| name == id || name == host);
        let lost: Vec<String> = request
            .nodes
            .iter()
            .filter(|node| gone(&node.id, &node.host))
            .map(|node| node.id.clone())
            .collect();
        request.nodes.retain(|node| !lost.contains(&node.id));
        request.nodes.extend(self.nodes.iter().filter(|node| node.state == NodeState::Active).cloned());
        for topology in &mut request.topologies {
            topology.checkpoints.retain(|copy| !lost.contains(&copy.node));
            for executor in &mut topology.executors {
                if executor.node.as_ref().is_some_and(|node| lost.contains(node)) {
                    (executor.last_node, executor.last_port) = (executor.node.take(), executor.port.take());
                }
            }
            for (of, factor) in &self.loads {
                multiply(topology, of, *factor);
            }
        }
    }

    /// Names given that a window does not know.
    pub fn unknown_in(&self, request: &Request) -> BTreeSet<String> {
        let nodes = request.nodes.iter().flat_map(|node| [node.id.clone(), node.host.clone()]);
        let components = request.topologies.iter().flat_map(|topology| {
            let of = |id: &String| [id.clone(), format!("{}/{id}", topology.name)];
            topology.components.iter().flat_map(move |component| of(&component.id))
        });
        let known: BTreeSet<String> = nodes.chain(components).collect();
        let given = self.without_nodes.iter().chain(self.loads.iter().map(|(of, _)| of));
        given.filter(|name| !known.contains(*name)).cloned().collect()
    }

    /// One sentence a change.
    pub fn in_words(&self) -> Vec<String> {
        let without = self.without_nodes.iter().map(|node| format!("without node {node}"));
        let with = self.nodes.iter().map(|node| match node.cpu_cores {
            Some(cores) => format!("with node {} of {cores} cores", node.id),
            None => format!("with node {}", node.id),
        });
        let loads = self.loads.iter().map(|(of, factor)| format!("load of {of} x {factor}"));
        without.chain(with).chain(loads).collect()
    }
}

/// Loads and rates of a component, if it is of this topology. The tuples to and from its executors are more or fewer by
/// the same factor, also where pairs were measured.
fn multiply(topology: &mut Topology, of: &str, factor: f64) {
    let is_of = |component: &str| {
        of == component
            || of.split_once('/').is_some_and(|(name, id)| id == component && name == topology.name)
    };
    let mut changed = BTreeSet::new();
    for executor in topology.executors.iter_mut().filter(|executor| is_of(&executor.component)) {
        changed.insert(executor.tasks);
        for figure in [&mut executor.cpu_cores, &mut executor.received_per_sec, &mut executor.emitted_per_sec]
        {
            *figure = figure.map(|known| known * factor);
        }
    }
    let pairs = topology.traffic.iter_mut();
    for pair in pairs.filter(|pair| changed.contains(&pair.from) || changed.contains(&pair.to)) {
        pair.tuples_per_sec *= factor;
        pair.bytes_per_sec = pair.bytes_per_sec.map(|known| known * factor);
    }
}
