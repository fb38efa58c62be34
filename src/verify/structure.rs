//! Topologies and executors of the assignments: the right ones, all of them, once.

use super::scene::{Oddity, Scene};
use super::{Found, Rule};
use crate::wire::{NoteCode, Verdict};

pub(super) fn check(scene: &Scene<'_>, found: &mut Found) {
    for oddity in &scene.oddities {
        match oddity {
            Oddity::Topology(id) => {
                found.add(Rule::UnknownTopology, format!("{id} is not among the topologies of the request"));
            }
            Oddity::TopologyTwice(id) => found.add(Rule::UnknownTopology, format!("{id} is assigned twice")),
            Oddity::Unknown { topology, tasks } => {
                found.add(Rule::UnknownExecutor, format!("{topology} has no executor {tasks}"));
            }
            Oddity::Twice { topology, tasks } => {
                found.add(Rule::ExecutorTwice, format!("{tasks} of {topology} is in two places"));
            }
            Oddity::EmptyWorker { topology, node, port } => {
                found.add(Rule::ExecutorTwice, format!("worker {node}:{port} of {topology} has no executor"));
            }
            Oddity::WorkerTwice { topology, node, port } => {
                found.add(Rule::ExecutorTwice, format!("worker {node}:{port} of {topology} is listed twice"));
            }
        }
    }
    for topology in scene.topologies.iter().filter(|topology| topology.named) {
        let id = &topology.wire.id;
        if !topology.wire.enabled {
            found.add(Rule::DisabledTopology, format!("{id} opted out and is assigned"));
        }
        if scene.executors[topology.executors.clone()].iter().all(|e| e.before == e.after) {
            found.add(Rule::UnchangedTopology, format!("{id} is assigned as it is"));
        }
    }
    executors(scene, found);
}

fn executors(scene: &Scene<'_>, found: &mut Found) {
    let noted = scene.reply.notes.iter().any(|note| note.code == NoteCode::NoSlot);
    let admitted = noted && scene.reply.verdict == Verdict::Unsatisfied;
    for topology in &scene.topologies {
        let owed = topology.wire.enabled && !scene.settings.left_to_delegate();
        for executor in scene.executors[topology.executors.clone()].iter().filter(|e| e.after.is_none()) {
            let name = scene.executor_name(executor);
            match executor.before {
                Some(slot) => {
                    let slot = scene.slot_name(slot);
                    found.add(Rule::ExecutorLost, format!("{name} runs in {slot} and gets no slot"));
                }
                None if owed && !admitted => {
                    let detail =
                        format!("{name} gets no slot, and the reply does not say that it is unsatisfied");
                    found.add(Rule::ExecutorHomeless, detail);
                }
                None => {}
            }
        }
    }
}
