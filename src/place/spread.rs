//! Even spread: as many workers as asked for on the least loaded nodes, executors dealt heaviest first to the node and
//! worker that stay lightest (LPT, Graham 1969).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::room::{Room, TIERS, Tier};
use crate::model::{ComponentIx, ExecutorIx, NodeIx, Slot, TopologyIx};
use crate::units::{Load, Size};

/// Places executors of one topology and leaves `reserve` slots free; what fits nowhere comes back.
pub(super) fn spread(
    room: &mut Room<'_>,
    topology: TopologyIx,
    executors: Vec<ExecutorIx>,
    reserve: usize,
) -> Vec<ExecutorIx> {
    let mut left = executors;
    for tier in TIERS {
        open(room, topology, &left, tier, reserve);
        let opened = room.workers(topology).filter(|worker| worker.opened);
        let opened: Vec<Slot> = opened.map(|worker| worker.slot).collect();
        left = deal(room, left, &opened);
        room.close_empty(topology);
        if left.is_empty() {
            return left;
        }
    }
    // Only now may running workers be restarted for them.
    let joinable = room.workers(topology).filter(|worker| room.joinable(worker));
    let joinable: Vec<Slot> = joinable.map(|worker| worker.slot).collect();
    deal(room, left, &joinable)
}

/// Opens the workers that are missing, in slots of one tier.
fn open(room: &mut Room<'_>, topology: TopologyIx, executors: &[ExecutorIx], tier: Tier, reserve: usize) {
    let asked = room.problem.topology(topology).workers;
    let missing = asked.saturating_sub(room.workers(topology).len()).min(executors.len());
    let spare = room.free_everywhere(tier).saturating_sub(reserve);
    // The first worker is not kept from anybody.
    let first = usize::from(room.workers(topology).len() == 0);
    let count = missing.min(spare.max(first));
    let all = || executors.iter().map(|executor| room.problem.executor(*executor));
    let load: Load = all().map(|executor| executor.load).sum();
    let memory: Size = all().map(|executor| executor.memory()).sum();
    let share = |whole: i64| if count == 0 { 0 } else { whole / count as i64 };
    let (load, memory) = (Load(share(load.0)), Size(share(memory.0)));
    let rack_of = |node: NodeIx| room.problem.node(node).rack.as_str();
    let mut near = Near {
        racks: room.workers(topology).map(|worker| rack_of(worker.slot.node)).collect(),
        opened: BTreeMap::new(),
    };
    for _ in 0..count {
        let Some(node) = lightest(room, tier, load, memory, &near) else { return };
        near.racks.insert(room.problem.node(node).rack.as_str());
        *near.opened.entry(node).or_default() += 1;
        let slot = room.next_slot(node, tier).expect("the node was chosen among those with a free slot");
        room.open(topology, slot);
    }
}

/// Where a topology is, or is about to be.
struct Near<'p> {
    racks: BTreeSet<&'p str>,
    /// Workers just opened, whose executors are not dealt yet.
    opened: BTreeMap<NodeIx, i64>,
}

/// The node that one more worker of this size makes least utilized; the topology's own rack decides between equals.
fn lightest(room: &Room<'_>, tier: Tier, load: Load, memory: Size, near: &Near<'_>) -> Option<NodeIx> {
    let mut best: Option<((bool, f64, i64, bool), NodeIx)> = None;
    for node in room.usable().filter(|node| room.free(*node, tier) > 0) {
        let (state, fixed) = (room.node(node), room.problem.node(node));
        let workers = near.opened.get(&node).copied().unwrap_or(0);
        let short = state.memory.is_some_and(|free| Size(memory.0 * (workers + 1)) > free);
        let load = state.load + Load(load.0 * (workers + 1));
        let utilization = load.0 as f64 / fixed.capacity.0 as f64;
        let key = (short, utilization, workers, !near.racks.contains(fixed.rack.as_str()));
        if best.is_none_or(|(least, _)| key < least) {
            best = Some((key, node));
        }
    }
    best.map(|(_, node)| node)
}

/// Deals executors to these workers; what fits into none comes back. A running worker that restarts anyway is taken
/// before another one, as long as its node stays within half of `load.distance.max` of the lightest choice.
fn deal(room: &mut Room<'_>, mut executors: Vec<ExecutorIx>, slots: &[Slot]) -> Vec<ExecutorIx> {
    let problem = room.problem;
    let tolerance = problem.limits.distance_max.fraction() / 2.0;
    executors.sort_by_key(|executor| (Reverse(problem.executor(*executor).load), *executor));
    let mut left = Vec::new();
    let mut restarting = vec![false; slots.len()];
    let mut alike = BTreeMap::<ComponentIx, Vec<usize>>::new();
    for executor in executors {
        let state = problem.executor(executor);
        let alike = alike.entry(state.component).or_insert_with(|| vec![0; slots.len()]);
        let mut best: [Option<(Key, usize)>; 2] = [None; 2];
        for (at, slot) in slots.iter().enumerate() {
            let load = (room.node(slot.node).load + state.load).0 as f64;
            let utilization = load / problem.node(slot.node).capacity.0 as f64;
            let best = &mut best[usize::from(restarting[at])];
            // The books of the worker are only opened for those that may win.
            if best.is_some_and(|(lightest, _)| utilization > lightest.0) {
                continue;
            }
            let worker = room.worker(state.topology, *slot).expect("the slots are the topology's");
            let key = (utilization, worker.load, alike[at], worker.executors);
            if best.is_none_or(|(lightest, _)| key < lightest) && room.takes(*slot, worker.heap, executor) {
                *best = Some((key, at));
            }
        }
        let chosen = match best {
            [Some((fresh, _)), Some((again, at))] if again.0 <= fresh.0 + tolerance => Some(at),
            [Some((_, at)), _] | [None, Some((_, at))] => Some(at),
            [None, None] => None,
        };
        match chosen {
            Some(at) => {
                let worker = room.worker(state.topology, slots[at]).expect("the slots are the topology's");
                restarting[at] = !worker.opened;
                alike[at] += 1;
                room.put(executor, slots[at]);
            }
            None => left.push(executor),
        }
    }
    left
}

/// Utilization of the node, load of the worker, executors of the same component in it, all its executors.
type Key = (f64, Load, usize, usize);
