//! Nodes: capacities with their substitutes, states, and the nodes that only executors name.

use std::collections::{BTreeMap, BTreeSet};

use super::{count, some_of};
use crate::model::{Node, NodeState};
use crate::settings::Settings;
use crate::units::{Load, Size};
use crate::wire::{self, Note, NoteCode, Request};

/// Capacity of a node when no node says its own: Storm's default `supervisor.cpu.capacity` of 400.
const CAPACITY_NOBODY_KNOWS: Load = Load(4_000_000);

/// Nodes of a request by id, unlisted ones included.
pub(super) fn nodes(request: &Request, settings: &Settings, notes: &mut Vec<Note>) -> Vec<Node> {
    let known = |node: &wire::Node| node.cpu_cores.map(Load::from_cores).filter(|load| *load > Load::ZERO);
    let mut capacities: Vec<Load> = request.nodes.iter().filter_map(known).collect();
    capacities.sort_unstable();
    let substitute = capacities.get(capacities.len() / 2).copied().unwrap_or(CAPACITY_NOBODY_KNOWS);
    let mut nodes: Vec<Node> = request
        .nodes
        .iter()
        .map(|node| Node {
            id: node.id.clone(),
            host: node.host.clone(),
            name: node.host.clone(),
            rack: node.rack.clone().unwrap_or_default(),
            capacity: known(node).unwrap_or(substitute),
            memory: node.memory_mib.map(Size::from_mib),
            checkpoint_storage: node.checkpoint_storage_mib.map(Size::from_mib),
            checkpoint_network: node.checkpoint_network_mib.map(Size::from_mib),
            ports: sorted(&node.ports),
            avoid_ports: sorted(&node.avoid_ports),
            state: state(node, settings),
            scaled_in: node.scaled_in && node.state == wire::NodeState::Draining && !asked(node, settings),
            settled: node.seen_rounds.is_none_or(|rounds| rounds >= settings.settle_rounds),
        })
        .collect();
    let mut unknown: Vec<&str> =
        request.nodes.iter().filter(|n| known(n).is_none()).map(|n| n.id.as_str()).collect();
    unknown.sort_unstable();
    if !unknown.is_empty() {
        notes.push(Note::new(
            NoteCode::CapacityAssumed,
            format!(
                "{} of unknown capacity taken as {substitute}: {}",
                count(unknown.len(), "node"),
                some_of(&unknown)
            ),
        ));
    }
    note_drain_requests(request, settings, notes);
    nodes.extend(unlisted(request, notes));
    nodes.sort_by(|a, b| a.id.cmp(&b.id));
    tell_apart(&mut nodes);
    note_unsettled(&nodes, settings, notes);
    nodes
}

/// Adds the beginning of the id to names that several nodes bear; all of it where the beginnings are alike too.
fn tell_apart(nodes: &mut [Node]) {
    // Storm makes supervisor ids of a UUID, which begins with eight random digits.
    let start = |node: &Node| node.id.chars().take(8).collect::<String>();
    let (mut hosts, mut starts) = (BTreeMap::<String, u32>::new(), BTreeMap::<String, u32>::new());
    for node in nodes.iter() {
        *hosts.entry(node.name.clone()).or_default() += 1;
        *starts.entry(start(node)).or_default() += 1;
    }
    for node in nodes.iter_mut().filter(|node| hosts[&node.name] > 1) {
        let start = start(node);
        let id = if starts[&start] > 1 { &node.id } else { &start };
        node.name = format!("{} ({id})", node.host);
    }
}

fn sorted(ports: &[u16]) -> Vec<u16> {
    ports.iter().copied().collect::<BTreeSet<_>>().into_iter().collect()
}

/// True where an operator wants it drained.
fn asked(node: &wire::Node, settings: &Settings) -> bool {
    settings.drain_nodes.iter().any(|name| *name == node.id || *name == node.host)
}

fn state(node: &wire::Node, settings: &Settings) -> NodeState {
    match node.state {
        wire::NodeState::Unusable => NodeState::Unusable,
        wire::NodeState::Draining => NodeState::Draining,
        wire::NodeState::Active if asked(node, settings) => NodeState::Draining,
        wire::NodeState::Active => NodeState::Active,
    }
}

fn note_drain_requests(request: &Request, settings: &Settings, notes: &mut Vec<Note>) {
    for name in &settings.drain_nodes {
        if !request.nodes.iter().any(|node| node.id == *name || node.host == *name) {
            notes.push(Note::new(
                NoteCode::DrainUnknown,
                format!(
                    "drain.nodes names \"{name}\", which is neither the id nor the host of a supervisor here"
                ),
            ));
        }
    }
}

/// Nodes that executors are on and the cluster does not list.
fn unlisted(request: &Request, notes: &mut Vec<Note>) -> Vec<Node> {
    let listed: BTreeSet<&str> = request.nodes.iter().map(|node| node.id.as_str()).collect();
    let executors = || request.topologies.iter().flat_map(|topology| &topology.executors);
    let on = |executor: &wire::Executor| executor.node.clone().filter(|node| !listed.contains(node.as_str()));
    let names: BTreeSet<String> = executors().filter_map(on).collect();
    if !names.is_empty() {
        let stranded = executors().filter(|executor| on(executor).is_some()).count();
        let names: Vec<&String> = names.iter().collect();
        notes.push(Note::new(
            NoteCode::UnlistedNode,
            format!(
                "{} on nodes that are not listed stay there: {}",
                count(stranded, "executor"),
                some_of(&names)
            ),
        ));
    }
    names
        .into_iter()
        .map(|id| Node {
            host: id.clone(),
            name: id.clone(),
            id,
            rack: String::new(),
            capacity: CAPACITY_NOBODY_KNOWS,
            memory: None,
            checkpoint_storage: None,
            checkpoint_network: None,
            ports: Vec::new(),
            avoid_ports: Vec::new(),
            state: NodeState::Unlisted,
            scaled_in: false,
            settled: false,
        })
        .collect()
}

fn note_unsettled(nodes: &[Node], settings: &Settings, notes: &mut Vec<Note>) {
    let unsettled: Vec<&String> =
        nodes.iter().filter(|n| n.state == NodeState::Active && !n.settled).map(|n| &n.name).collect();
    if !unsettled.is_empty() {
        notes.push(Note::new(
            NoteCode::NodeUnsettled,
            format!(
                "{} seen for fewer than {} rounds, no target of optional moves: {}",
                count(unsettled.len(), "node"),
                settings.settle_rounds,
                some_of(&unsettled)
            ),
        ));
    }
}
