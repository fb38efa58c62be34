//! What could not be placed, and what it lacks.

use std::collections::BTreeMap;

use super::room::Room;
use crate::model::{ExecutorIx, TopologyIx};
use crate::units::Size;
use crate::wire::{Note, NoteCode};

/// One note for all executors that fit nowhere: by topology, how many, and what is missing.
pub(super) fn note(room: &Room<'_>, left: &[ExecutorIx], notes: &mut Vec<Note>) {
    let mut lacking = BTreeMap::<(TopologyIx, String), Vec<ExecutorIx>>::new();
    for executor in left {
        let topology = room.problem.executor(*executor).topology;
        lacking.entry((topology, lack(room, *executor))).or_default().push(*executor);
    }
    let sentences: Vec<String> = lacking
        .into_iter()
        .map(|((topology, lack), executors)| {
            let id = &room.problem.topology(topology).id;
            let first = room.problem.executor(executors[0]).tasks;
            let (count, plural) = (executors.len(), if executors.len() == 1 { "" } else { "s" });
            format!("{count} executor{plural} of {id} (first {first}): {lack}")
        })
        .collect();
    if !sentences.is_empty() {
        notes.push(Note::new(NoteCode::NoSlot, sentences.join("; ")));
    }
}

fn lack(room: &Room<'_>, executor: ExecutorIx) -> String {
    let state = room.problem.executor(executor);
    let topology = room.problem.topology(state.topology);
    if let Some(limit) = topology.worker_heap_max.filter(|limit| state.onheap > *limit) {
        return format!("needs a heap of {}, a worker may have {limit}", state.onheap);
    }
    let has_slot = |node: &_| room.has_free_slot(*node);
    let slots = room.usable().filter(has_slot).count();
    let own = room.workers(state.topology).len();
    if slots == 0 && own == 0 {
        return "no node has a free slot".to_owned();
    }
    let free = |node| room.node(node).memory.unwrap_or(Size(i64::MAX));
    let most = room.usable().filter(has_slot).map(free).max().unwrap_or(Size::ZERO);
    if most < state.memory() {
        return format!("needs {}, the most that a node with a free slot has left is {most}", state.memory());
    }
    format!("needs a slot; its {own} workers are full, and {} are asked for", topology.workers)
}
