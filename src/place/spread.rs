//! Even spread: as many workers as asked for on the least loaded nodes, executors dealt heaviest first to the node and
//! worker that stay lightest (LPT, Graham 1969).

use std::cmp::Reverse;
use std::collections::BTreeMap;

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
    let opened = |room: &Room<'_>| -> Vec<Slot> {
        room.workers(topology).iter().filter(|worker| worker.opened).map(|worker| worker.slot).collect()
    };
    open(room, topology, &executors, reserve);
    let mut slots = opened(room);
    let mut left = deal(room, executors, &slots);
    // Only now may a running worker be restarted for them.
    if !left.is_empty() {
        slots = room.workers(topology).iter().map(|worker| worker.slot).collect();
        left = deal(room, left, &slots);
    }
    left
}

/// Opens the workers that are missing, in slots of the best tier that has any.
fn open(room: &mut Room<'_>, topology: TopologyIx, executors: &[ExecutorIx], reserve: usize) {
    let asked = room.problem.topology(topology).workers;
    let missing = asked.saturating_sub(room.workers(topology).len()).min(executors.len());
    let Some(tier) = TIERS.into_iter().find(|tier| room.free_everywhere(*tier) > 0) else { return };
    let spare = room.free_everywhere(tier).saturating_sub(reserve);
    // The first worker is not kept from anybody.
    let first = usize::from(room.workers(topology).is_empty());
    let count = missing.min(spare.max(first));
    let all = || executors.iter().map(|executor| room.problem.executor(*executor));
    let load: Load = all().map(|executor| executor.load).sum();
    let memory: Size = all().map(|executor| executor.memory()).sum();
    let share = |whole: i64| if count == 0 { 0 } else { whole / count as i64 };
    let (load, memory) = (Load(share(load.0)), Size(share(memory.0)));
    let mut planned = BTreeMap::<NodeIx, i64>::new();
    for _ in 0..count {
        let Some(node) = lightest(room, topology, tier, load, memory, &planned) else { return };
        *planned.entry(node).or_default() += 1;
        let slot = room.next_slot(node, tier).expect("the node was chosen among those with a free slot");
        room.open(topology, slot);
    }
}

/// The node that one more worker of this size makes least utilized; the topology's own rack decides between equals.
fn lightest(
    room: &Room<'_>,
    topology: TopologyIx,
    tier: Tier,
    load: Load,
    memory: Size,
    planned: &BTreeMap<NodeIx, i64>,
) -> Option<NodeIx> {
    let racks: Vec<&str> =
        room.workers(topology).iter().map(|w| room.problem.node(w.slot.node).rack.as_str()).collect();
    let free = room.usable().filter(|node| room.free(*node, tier) > 0);
    free.min_by(|one, other| {
        let key = |node: NodeIx| {
            let workers = planned.get(&node).copied().unwrap_or(0);
            let state = room.node(node);
            let short = state.memory.is_some_and(|free| Size(memory.0 * (workers + 1)) > free);
            let load = state.load + Load(load.0 * (workers + 1));
            let foreign = !racks.contains(&room.problem.node(node).rack.as_str());
            (short, load.over(room.problem.node(node).capacity), workers, foreign, node)
        };
        key(*one).cmp(&key(*other))
    })
}

/// Deals executors to these workers; what fits into none comes back.
fn deal(room: &mut Room<'_>, mut executors: Vec<ExecutorIx>, slots: &[Slot]) -> Vec<ExecutorIx> {
    let problem = room.problem;
    executors.sort_by_key(|executor| (Reverse(problem.executor(*executor).load), *executor));
    let mut left = Vec::new();
    let mut of_component = BTreeMap::<(ComponentIx, usize), usize>::new();
    for executor in executors {
        let state = problem.executor(executor);
        let workers = room.workers(state.topology);
        let mut best: Option<(usize, (f64, Load, usize, usize))> = None;
        for (at, slot) in slots.iter().enumerate() {
            let worker = workers.binary_search_by_key(slot, |worker| worker.slot);
            let worker = workers[worker.expect("the slots are the topology's")];
            if !room.takes(*slot, worker.heap, executor) {
                continue;
            }
            let load = (room.node(slot.node).load + state.load).0 as f64;
            let utilisation = load / problem.node(slot.node).capacity.0 as f64;
            let alike = of_component.get(&(state.component, at)).copied().unwrap_or(0);
            let key = (utilisation, worker.load, alike, worker.executors);
            if best.is_none_or(|(_, lightest)| key < lightest) {
                best = Some((at, key));
            }
        }
        match best {
            Some((at, _)) => {
                *of_component.entry((state.component, at)).or_default() += 1;
                room.put(executor, slots[at]);
            }
            None => left.push(executor),
        }
    }
    left
}
