//! Packing where memory and heap are to be honored: few workers, few nodes, one rack if possible, as
//! `ResourceAwareScheduler` would. Memory and heap are hard limits; requested CPU is one as long as there is room.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::cluster;
use super::fill::{Batch, Kind, Terms};
use super::room::{Room, TIERS, Tier};
use crate::model::{ExecutorIx, NodeIx, TopologyIx};
use crate::units::{Load, Size};

/// Places executors of one topology; what fits nowhere comes back.
pub(super) fn pack(room: &mut Room<'_>, topology: TopologyIx, executors: Vec<ExecutorIx>) -> Vec<ExecutorIx> {
    let mut batch = batch(room, topology, executors);
    for terms in stages() {
        while !batch.is_empty() {
            let before = batch.demand();
            visit(room, &mut batch, terms);
            if batch.demand() == before || terms.full_from > 0.0 {
                break;
            }
        }
    }
    let mut left: Vec<ExecutorIx> = batch.kinds.into_iter().flat_map(|kind| kind.waiting).collect();
    left.sort_unstable();
    left
}

/// From what is wanted to what is tolerated: well-filled workers on free slots, any workers, slots used less readily,
/// running workers that restart for it, and at last more requested CPU than a node has.
fn stages() -> impl Iterator<Item = Terms> {
    const FULL: f64 = 0.75;
    const STRETCHES: [f64; 5] = [1.25, 1.5, 2.0, 4.0, 1e9];
    let plain = |tier, stretch| Terms { tier, stretch, full_from: 0.0, join: false };
    let join = |stretch| Terms { tier: TIERS[0], stretch, full_from: 0.0, join: true };
    let within = std::iter::once(Terms { full_from: FULL, ..plain(TIERS[0], 1.0) })
        .chain(TIERS.map(|tier| plain(tier, 1.0)))
        .chain([join(1.0)]);
    within.chain(
        STRETCHES.into_iter().flat_map(move |stretch| {
            TIERS.map(|tier| plain(tier, stretch)).into_iter().chain([join(stretch)])
        }),
    )
}

fn batch(room: &Room<'_>, topology: TopologyIx, executors: Vec<ExecutorIx>) -> Batch {
    let problem = room.problem;
    let state = problem.topology(topology);
    let first = state.components.start;
    let mut kinds: Vec<Kind> = state.components.clone().map(|_| Kind::none()).collect();
    for executor in state.executors.clone().map(|at| &problem.executors[at]) {
        kinds[executor.component.at() - first].total += 1;
    }
    for executor in executors.into_iter().rev() {
        let demand = problem.executor(executor);
        let kind = &mut kinds[demand.component.at() - first];
        kind.waiting.push(executor);
        (kind.cpu, kind.heap, kind.memory) = (super::cpu_demand(demand), demand.onheap, demand.memory());
    }
    let heap_max = state.worker_heap_max.expect("only topologies with a limit of the heap are packed");
    let in_workers =
        kinds.iter().map(|k| k.waiting.len() as f64 * k.heap.0 as f64 / heap_max.0.max(1) as f64);
    let mut by_worker = cluster::groups(problem, topology, &in_workers.collect::<Vec<f64>>());
    by_worker.iter_mut().for_each(|group| group.sort_by_key(|at| (Reverse(kinds[*at].heap), *at)));
    let sizes = sizes(room, &kinds);
    let mut by_heap: Vec<usize> = (0..kinds.len()).collect();
    by_heap.sort_by_key(|at| (Reverse(kinds[*at].heap), *at));
    Batch {
        topology,
        groups: cluster::groups(problem, topology, &sizes),
        kinds,
        by_heap,
        by_worker: by_worker.concat(),
        heap_max,
    }
}

/// Demand of each kind in the largest free nodes.
fn sizes(room: &Room<'_>, kinds: &[Kind]) -> Vec<f64> {
    let cpu = room.usable().map(|node| room.node(node).cpu.0).max().unwrap_or(0).max(1) as f64;
    let memory = room.usable().map(|node| room.node(node).memory.map_or(i64::MAX, |m| m.0)).max();
    let memory = memory.unwrap_or(0).max(1) as f64;
    let size = |kind: &Kind| {
        let count = kind.waiting.len() as f64;
        (count * kind.cpu.0 as f64 / cpu).max(count * kind.memory.0 as f64 / memory)
    };
    kinds.iter().map(size).collect()
}

/// Fills nodes rack by rack, the emptiest first, until all is placed or every node was looked at.
fn visit(room: &mut Room<'_>, batch: &mut Batch, terms: Terms) {
    let mut racks = racks(room, batch, terms);
    while !batch.is_empty() {
        let Some(best) = best_rack(room, batch, &racks) else { return };
        let mut nodes = racks.remove(best).nodes;
        nodes.sort_by_key(|node| (Reverse((room.node(*node).cpu, room.node(*node).memory)), *node));
        for node in nodes {
            batch.fill(room, node, terms);
            if batch.is_empty() {
                return;
            }
        }
    }
}

/// Nodes of one rack that may take something.
struct Rack {
    nodes: Vec<NodeIx>,
    /// Executors of the topology that are there.
    present: usize,
}

fn racks(room: &Room<'_>, batch: &Batch, terms: Terms) -> Vec<Rack> {
    let mut present = BTreeMap::<NodeIx, usize>::new();
    for worker in room.workers(batch.topology) {
        *present.entry(worker.slot.node).or_default() += worker.executors;
    }
    let mut racks = BTreeMap::<usize, Rack>::new();
    for node in room.usable().filter(|node| has_place(room, *node, terms.tier, present.contains_key(node))) {
        let rack = racks.entry(room.rack(node)).or_insert(Rack { nodes: Vec::new(), present: 0 });
        rack.nodes.push(node);
        rack.present += present.get(&node).copied().unwrap_or(0);
    }
    racks.into_values().collect()
}

fn has_place(room: &Room<'_>, node: NodeIx, tier: Tier, own: bool) -> bool {
    own || room.free(node, tier) > 0
}

/// A rack that holds all of it, rather one where the topology is already; else the one with the most room.
fn best_rack(room: &Room<'_>, batch: &Batch, racks: &[Rack]) -> Option<usize> {
    let (cpu, memory) = batch.demand();
    let key = |rack: &Rack| {
        let free: Load = rack.nodes.iter().map(|node| room.node(*node).cpu.max(Load::ZERO)).sum();
        let no_limit = rack.nodes.iter().any(|node| room.node(*node).memory.is_none());
        let free_memory: Size = rack.nodes.iter().filter_map(|node| room.node(*node).memory).sum();
        let holds = cpu <= free && (no_limit || memory <= free_memory);
        (holds, if holds { rack.present } else { 0 }, free)
    };
    (0..racks.len()).max_by_key(|at| (key(&racks[*at]), Reverse(*at)))
}
