//! Even spread: as many workers as asked for on the least loaded nodes, executors dealt heaviest first to the node and
//! worker that stay lightest (LPT, Graham 1969). Copies of their states come first: where one lies, a node that fails costs
//! no more than what changed since.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::room::{Room, TIERS, Tier, Worker};
use crate::model::{ComponentIx, ExecutorIx, NodeIx, Problem, Slot, TopologyIx};
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
    let nodes = room.problem.nodes.len();
    let spares = spares(room.problem, executors);
    let mut near = Near { racks: vec![false; nodes], opened: vec![0; nodes], spares };
    room.workers(topology).for_each(|worker| near.racks[room.rack(worker.slot.node)] = true);
    for _ in 0..count {
        let Some(node) = lightest(room, tier, load, memory, &near) else { return };
        near.racks[room.rack(node)] = true;
        near.spares[node.at()] = 0;
        near.opened[node.at()] += 1;
        let slot = room.next_slot(node, tier).expect("the node was chosen among those with a free slot");
        room.open(topology, slot);
    }
}

/// Where a topology is, or is about to be.
struct Near {
    /// By number of the rack, of which there are no more than nodes.
    racks: Vec<bool>,
    /// Workers just opened, whose executors are not dealt yet; by node.
    opened: Vec<i64>,
    /// Bytes of state that copies on a node spare its executors, until a worker is opened there; by node.
    spares: Vec<i64>,
}

/// Bytes of state that copies on each node would spare executors that restart there.
fn spares(problem: &Problem, executors: &[ExecutorIx]) -> Vec<i64> {
    let mut spares = vec![0; problem.nodes.len()];
    if problem.copies.is_empty() {
        return spares;
    }
    for executor in executors {
        let first = problem.copies.partition_point(|copy| copy.executor < *executor);
        let own = problem.copies[first..].iter().take_while(|copy| copy.executor == *executor);
        for copy in own {
            let whole = problem.executor(*executor).state.unwrap_or_default();
            spares[copy.node.at()] += (whole - copy.delta).0.max(0);
        }
    }
    spares
}

/// What makes a node the lightest, smaller first: short of memory, bytes that copies spare (negative), utilization,
/// workers opened already, in another rack than the topology's.
type Weight = (bool, i64, f64, i64, bool);

/// The node where copies spare most, if it does not get overloaded; else the one that one more worker of this size makes
/// least utilized. The topology's own rack decides between equals.
fn lightest(room: &Room<'_>, tier: Tier, load: Load, memory: Size, near: &Near) -> Option<NodeIx> {
    let overload = room.problem.limits.overload.fraction();
    let mut best: Option<(Weight, NodeIx)> = None;
    for node in room.usable().filter(|node| room.free(*node, tier) > 0) {
        let state = room.node(node);
        let workers = near.opened[node.at()];
        let short = state.memory.is_some_and(|free| Size(memory.0 * (workers + 1)) > free);
        let load = state.load + Load(load.0 * (workers + 1));
        let utilization = load.0 as f64 / room.problem.node(node).capacity.0 as f64;
        let spares = if utilization <= overload { near.spares[node.at()] } else { 0 };
        let key = (short, -spares, utilization, workers, !near.racks[room.rack(node)]);
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
    let overload = problem.limits.overload.fraction();
    let tolerance = problem.limits.distance_max.fraction() / 2.0;
    executors.sort_by_key(|executor| (Reverse(problem.executor(*executor).load), *executor));
    let Some(first) = executors.first() else { return executors };
    let topology = problem.executor(*first).topology;
    // Copies of the books side by side: this is the one loop over executors times workers.
    let books = |room: &Room<'_>, slot: Slot| *room.worker(topology, slot).expect("the topology's own slot");
    let mut workers: Vec<Worker> = slots.iter().map(|slot| books(room, *slot)).collect();
    let mut restarting = vec![false; slots.len()];
    let mut alike = BTreeMap::<ComponentIx, Vec<usize>>::new();
    let mut left = Vec::new();
    for executor in executors {
        let state = problem.executor(executor);
        let alike = alike.entry(state.component).or_insert_with(|| vec![0; slots.len()]);
        let mut best: [Option<(Key, usize)>; 2] = [None; 2];
        for (at, worker) in workers.iter().enumerate() {
            let node = worker.slot.node;
            let load = (room.node(node).load + state.load).0 as f64;
            let utilization = load / problem.node(node).capacity.0 as f64;
            let copied = || problem.shipped(executor, node).filter(|_| utilization <= overload);
            let reads = state.state.map_or(Size::ZERO, |whole| copied().unwrap_or(whole));
            let key = (reads, utilization, worker.load, alike[at], worker.executors);
            let best = &mut best[usize::from(restarting[at])];
            let better = best.is_none_or(|(lightest, _)| key < lightest);
            if better && room.takes(worker.slot, worker.heap, executor) {
                *best = Some((key, at));
            }
        }
        let chosen = match best {
            [Some((fresh, _)), Some((again, at))] if again.0 <= fresh.0 && again.1 <= fresh.1 + tolerance => {
                at
            }
            [Some((_, at)), _] | [None, Some((_, at))] => at,
            [None, None] => {
                left.push(executor);
                continue;
            }
        };
        restarting[chosen] = !workers[chosen].opened;
        alike[chosen] += 1;
        room.put(executor, slots[chosen]);
        workers[chosen] = books(room, slots[chosen]);
    }
    left
}

/// State to be read from elsewhere, utilization of the node, load of the worker, executors of the same component in it, all its executors.
type Key = (Size, f64, Load, usize, usize);
