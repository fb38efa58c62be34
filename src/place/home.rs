//! Executors go back to where they were: local state and warm caches lie there, and after a false alarm their worker
//! never stopped.

use std::collections::BTreeMap;

use super::room::{Room, TIERS};
use super::{cpu_demand, packs};
use crate::model::{ExecutorIx, Slot, TopologyIx};
use crate::wire::{Note, NoteCode};

/// Sends home what can go, and takes it off the lists.
pub(super) fn send(
    room: &mut Room<'_>,
    waiting: &mut [(TopologyIx, Vec<ExecutorIx>)],
    notes: &mut Vec<Note>,
) {
    let mut taken = Vec::new();
    for (topology, executors) in waiting {
        let mut groups = BTreeMap::<Slot, Vec<ExecutorIx>>::new();
        executors.retain(|executor| match room.problem.executor(*executor).last {
            Some(last) => {
                groups.entry(last).or_default().push(*executor);
                false
            }
            None => true,
        });
        for (last, group) in groups {
            let owner = room.owner(last);
            if owner.is_some_and(|owner| owner != *topology) {
                let ids = group.iter().map(|e| room.problem.executor(*e).tasks.to_string());
                let (ids, node) = (ids.collect::<Vec<_>>().join(", "), &room.problem.node(last.node).id);
                let (own, other) = (*topology, owner.expect("it was just looked at"));
                let name = |ix| &room.problem.topology(ix).id;
                let port = last.port;
                taken.push(format!("{ids} of {}: {node}:{port} is {}'s now", name(own), name(other)));
            }
            executors.extend(match target(room, *topology, last) {
                Some(slot) => go(room, *topology, slot, group),
                None => group,
            });
        }
        executors.sort_unstable();
    }
    if !taken.is_empty() {
        notes.push(Note::new(NoteCode::LastHomeTaken, taken.join("; ")));
    }
}

/// The last slot if it is free or the topology's own, else a free one on the same node.
fn target(room: &Room<'_>, topology: TopologyIx, last: Slot) -> Option<Slot> {
    if room.workers(topology).any(|worker| worker.slot == last && room.joinable(worker)) {
        return Some(last);
    }
    let problem = room.problem;
    let settled = problem.node(last.node).settled;
    if !settled && room.free_everywhere(TIERS[0]) > 0 {
        return None;
    }
    let topology_state = problem.topology(topology);
    if !packs(problem, topology_state) && room.workers(topology).len() >= topology_state.workers {
        return None;
    }
    let tier = TIERS[usize::from(!settled)];
    if room.is_free(last) { Some(last) } else { room.next_slot(last.node, tier) }
}

/// Puts a group into one slot; what does not fit comes back.
fn go(room: &mut Room<'_>, topology: TopologyIx, slot: Slot, group: Vec<ExecutorIx>) -> Vec<ExecutorIx> {
    let crowded = |room: &Room<'_>, executor: ExecutorIx| {
        let state = room.problem.executor(executor);
        let topology = room.problem.topology(state.topology);
        packs(room.problem, topology) && cpu_demand(state) > room.node(slot.node).cpu
    };
    let mut stay_away = Vec::new();
    for executor in group {
        let worker = room.worker(topology, slot);
        let heap = worker.map(|worker| worker.heap).unwrap_or_default();
        if !room.takes(slot, heap, executor) || crowded(room, executor) {
            stay_away.push(executor);
            continue;
        }
        if worker.is_none() {
            room.open(topology, slot);
        }
        room.put(executor, slot);
    }
    stay_away
}
