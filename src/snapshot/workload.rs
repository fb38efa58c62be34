//! Topologies, components and executors; where they are and where they were.

use std::collections::BTreeMap;

use super::{backlog, count, in_order, some_of};
use crate::model::{
    Component, ComponentIx, Copy, Edge, Executor, ExecutorIx, Node, NodeIx, NodeState, Slot, Topology,
    TopologyIx,
};
use crate::settings::{Place, Settings};
use crate::units::{Load, Size};
use crate::wire::{self, LoadSource, Note, NoteCode, Request};

/// What a copy is thought to be behind where nobody measured it, in percent of its bytes.
const CHANGED_PERCENT: u64 = 6;

/// The workload without its loads, and the slot of each executor.
pub(super) struct Workload {
    pub(super) topologies: Vec<Topology>,
    pub(super) components: Vec<Component>,
    pub(super) executors: Vec<Executor>,
    pub(super) slots: Vec<Option<Slot>>,
    pub(super) copies: Vec<Copy>,
}

/// States the workload; `nodes` are sorted by id.
pub(super) fn workload(
    request: &Request,
    settings: &Settings,
    nodes: &[Node],
    notes: &mut Vec<Note>,
) -> Workload {
    let mut work = Workload {
        topologies: Vec::new(),
        components: Vec::new(),
        executors: Vec::new(),
        slots: Vec::new(),
        copies: Vec::new(),
    };
    for (at, (topology, executors)) in in_order(request).into_iter().enumerate() {
        let topology_ix = TopologyIx::from_at(at);
        let first_component = work.components.len();
        let components = components(topology, topology_ix, first_component);
        let ids: BTreeMap<&str, ComponentIx> = names(topology, first_component);
        work.components.extend(components);
        let first_executor = work.executors.len();
        for executor in executors {
            work.slots.push(slot(nodes, &executor.node, executor.port));
            work.executors.push(state(
                executor,
                topology,
                topology_ix,
                ids[executor.component.as_str()],
                nodes,
            ));
        }
        work.copies.extend(copies(topology, &work.executors[first_executor..], first_executor, nodes));
        let (demand, lags) = backlog::demand(topology.backlog.as_ref());
        work.topologies.push(Topology {
            id: topology.id.clone(),
            workers: topology.workers.max(1) as usize,
            priority: topology.priority,
            enabled: topology.enabled,
            movable: movable(topology, settings),
            demand,
            lags,
            worker_heap_max: topology.worker_heap_max_mib.map(Size::from_mib),
            executors: first_executor..work.executors.len(),
            components: first_component..work.components.len(),
        });
    }
    note_topologies(request, settings, notes);
    note_unoffered(&work, nodes, notes);
    work
}

/// Component ids in the order of the problem.
fn names(topology: &wire::Topology, first: usize) -> BTreeMap<&str, ComponentIx> {
    let mut ids: Vec<&str> = topology.components.iter().map(|component| component.id.as_str()).collect();
    ids.sort_unstable();
    ids.into_iter().enumerate().map(|(at, id)| (id, ComponentIx::from_at(first + at))).collect()
}

fn components(topology: &wire::Topology, ix: TopologyIx, first: usize) -> Vec<Component> {
    let ids = names(topology, first);
    let mut components: Vec<&wire::Component> = topology.components.iter().collect();
    components.sort_by(|a, b| a.id.cmp(&b.id));
    let edge = |input: &wire::Input| {
        // An input may name a component of another version of the topology; it then carries no tuples here.
        Some(Edge { from: *ids.get(input.from.as_str())?, grouping: input.grouping.clone() })
    };
    components
        .into_iter()
        .map(|component| Component {
            topology: ix,
            id: component.id.clone(),
            kind: component.kind,
            inputs: component.inputs.iter().filter_map(edge).collect(),
        })
        .collect()
}

fn state(
    executor: &wire::Executor,
    topology: &wire::Topology,
    topology_ix: TopologyIx,
    component_ix: ComponentIx,
    nodes: &[Node],
) -> Executor {
    let component =
        topology.components.iter().find(|c| c.id == executor.component).expect("references were checked");
    let mib = |value: Option<f64>| value.map(Size::from_mib).unwrap_or_default();
    Executor {
        topology: topology_ix,
        component: component_ix,
        tasks: executor.tasks,
        load: Load::ZERO,
        swing: executor.swing_cores.map(Load::from_cores).unwrap_or_default(),
        source: LoadSource::Estimate,
        cpu_request: component.cpu_request_pcore.map(Load::from_pcore_percent).unwrap_or_default(),
        onheap: mib(component.onheap_request_mib),
        offheap: mib(component.offheap_request_mib),
        state: executor.state_bytes.map(bytes),
        last: slot(nodes, &executor.last_node, executor.last_port)
            .filter(|slot| nodes[slot.node.at()].state != NodeState::Unlisted),
    }
}

/// Copies of states that a move can use: held, on a listed node, of a state that outlives its worker; of two on one node
/// the one that lacks less counts.
fn copies(topology: &wire::Topology, executors: &[Executor], first: usize, nodes: &[Node]) -> Vec<Copy> {
    if topology.checkpoints.is_empty() {
        return Vec::new();
    }
    let measured = topology.executors.iter().filter_map(|e| Some((e.tasks, e.delta_bytes?)));
    let deltas: BTreeMap<wire::TaskRange, u64> = measured.collect();
    let copy = |copy: &wire::Checkpoint| {
        if !copy.held || !topology.state_survives {
            return None;
        }
        let node = nodes.binary_search_by(|node| node.id.as_str().cmp(&copy.node)).ok()?;
        let at =
            executors.binary_search_by_key(&copy.executor, |e| e.tasks).expect("references were checked");
        let delta = copy.delta_bytes.or_else(|| deltas.get(&copy.executor).copied());
        let delta = delta.unwrap_or(copy.bytes / 100 * CHANGED_PERCENT);
        Some(Copy {
            executor: ExecutorIx::from_at(first + at),
            node: NodeIx::from_at(node),
            delta: bytes(delta),
        })
    };
    let mut copies: Vec<Copy> = topology.checkpoints.iter().filter_map(copy).collect();
    copies.sort_unstable();
    copies.dedup_by_key(|copy| (copy.executor, copy.node));
    copies
}

pub(super) fn bytes(count: u64) -> Size {
    Size(i64::try_from(count).expect("the range was checked"))
}

fn slot(nodes: &[Node], node: &Option<String>, port: Option<u16>) -> Option<Slot> {
    let (id, port) = (node.as_ref()?, port?);
    let at = nodes.binary_search_by(|node| node.id.cmp(id)).ok()?;
    Some(Slot { node: NodeIx::from_at(at), port })
}

fn movable(topology: &wire::Topology, settings: &Settings) -> bool {
    topology.enabled && !cooling(topology, settings) && !left_to_delegate(topology, settings)
}

/// Changed a short while ago: by Ballast, or, as the uptime of its youngest executor shows, by anybody. A new leader
/// knows no last change, so the uptime is what keeps a failover from shortening a cooldown.
fn cooling(topology: &wire::Topology, settings: &Settings) -> bool {
    let uptimes = topology.executors.iter().filter_map(|executor| executor.uptime_secs);
    topology.last_change_secs.into_iter().chain(uptimes).any(|secs| secs < settings.cooldown_secs)
}

fn left_to_delegate(topology: &wire::Topology, settings: &Settings) -> bool {
    settings.place == Place::Delegate && topology.executors.iter().any(|executor| executor.node.is_none())
}

fn note_topologies(request: &Request, settings: &Settings, notes: &mut Vec<Note>) {
    let mut note = |code, what: &str, which: &dyn Fn(&wire::Topology) -> bool| {
        let mut ids: Vec<&str> =
            request.topologies.iter().filter(|t| which(t)).map(|t| t.id.as_str()).collect();
        ids.sort_unstable();
        if !ids.is_empty() {
            notes.push(Note::new(code, format!("{what}: {}", some_of(&ids))));
        }
    };
    note(NoteCode::TopologyDisabled, "opted out by topology.ballast.enabled", &|t| !t.enabled);
    note(
        NoteCode::Cooldown,
        &format!("changed, or a worker started, less than {} s ago", settings.cooldown_secs),
        &|t| t.enabled && cooling(t, settings),
    );
    note(NoteCode::LeftToDelegate, "homeless executors are the delegate scheduler's to place", &|t| {
        t.enabled && left_to_delegate(t, settings)
    });
}

fn note_unoffered(work: &Workload, nodes: &[Node], notes: &mut Vec<Note>) {
    let mut slots: Vec<Slot> = work.slots.iter().flatten().copied().collect();
    slots.sort_unstable();
    slots.dedup();
    let unoffered: Vec<String> = slots
        .into_iter()
        .filter(|slot| {
            let node = &nodes[slot.node.at()];
            node.state.listed() && node.ports.binary_search(&slot.port).is_err()
        })
        .map(|slot| format!("{}:{}", nodes[slot.node.at()].id, slot.port))
        .collect();
    if !unoffered.is_empty() {
        notes.push(Note::new(
            NoteCode::UnofferedPort,
            format!(
                "{} on a port its node does not offer, left as they are: {}",
                count(unoffered.len(), "worker"),
                some_of(&unoffered)
            ),
        ));
    }
}
