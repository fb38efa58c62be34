//! The fast path: homeless executors get a slot at once.

use crate::model::{Placement, Problem, Slot};
use crate::units::Load;
use crate::wire::{Note, NoteCode};

/// Gives every homeless executor of an enabled topology a slot: its last one if that is free or still its topology's,
/// else the lightest node's.
pub fn homeless(problem: &Problem, placement: &mut Placement, notes: &mut Vec<Note>) {
    let mut loads = placement.node_loads(problem);
    let mut left = Vec::new();
    for executor in placement.homeless().collect::<Vec<_>>() {
        let state = problem.executor(executor);
        let topology = problem.topology(state.topology);
        if !topology.enabled {
            continue;
        }
        let workers = placement.workers(problem);
        let own: Vec<Slot> =
            workers.iter().filter(|w| w.topology == state.topology).map(|w| w.slot).collect();
        let taken = |slot: Slot| workers.iter().any(|w| w.slot == slot);
        let free = problem.node_ids().filter(|n| problem.node(*n).takes_homeless()).flat_map(|node| {
            let n = problem.node(node);
            n.ports.iter().map(move |port| Slot { node, port: *port })
        });
        let mut candidates: Vec<Slot> = own.clone();
        if own.len() < topology.workers {
            candidates = free.filter(|slot| !taken(*slot)).collect();
            if candidates.is_empty() {
                candidates = own;
            }
        }
        let heavier =
            |slot: &Slot| (loads[slot.node.at()] + state.load).over(problem.node(slot.node).capacity);
        let slot = candidates.iter().copied().find(|s| Some(*s) == state.last);
        match slot.or_else(|| candidates.iter().copied().min_by_key(|slot| (heavier(slot), *slot))) {
            Some(slot) => {
                placement.put(executor, slot);
                loads[slot.node.at()] += state.load;
            }
            None => left.push(format!("{} of {}", state.tasks, topology.id)),
        }
    }
    if !left.is_empty() {
        notes.push(Note::new(NoteCode::NoSlot, format!("no free slot for {}", left.join(", "))));
    }
    debug_assert!(loads.iter().all(|load| *load >= Load::ZERO));
}
