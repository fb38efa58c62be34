//! The moves: exactly the difference, each called by its right name.

use std::collections::HashMap;

use super::scene::{Scene, Slot};
use super::{Found, Rule};
use crate::wire::{Move, MoveKind, SlotRef};

pub(super) fn check(scene: &Scene<'_>, found: &mut Found) {
    let nodes: HashMap<&str, u32> = scene.nodes.iter().enumerate().map(|(at, n)| (n.id, at as u32)).collect();
    let topologies: HashMap<&str, u32> =
        scene.topologies.iter().enumerate().map(|(at, t)| (t.wire.id.as_str(), at as u32)).collect();
    let slot = |named: &SlotRef| Some((*nodes.get(named.node.as_str())?, named.port));
    let mut told = vec![false; scene.executors.len()];
    for step in &scene.reply.moves {
        let (from, to) = (step.from.as_ref().map(slot), slot(&step.to));
        let (Some(&topology), Some(to)) = (topologies.get(step.topology.as_str()), to) else {
            found.add(Rule::Moves, format!("{} names what is not there", name(step)));
            continue;
        };
        if from == Some(None) {
            found.add(Rule::Moves, format!("{} leaves a node that is not there", name(step)));
            continue;
        }
        let from = from.flatten();
        for tasks in &step.executors {
            let own = scene.topologies[topology as usize].executors.clone();
            let Ok(at) = scene.executors[own.clone()].binary_search_by_key(tasks, |e| e.tasks) else {
                found.add(Rule::Moves, format!("{} moves {tasks}, which does not exist", name(step)));
                continue;
            };
            let executor = &scene.executors[own.start + at];
            if executor.before != from || executor.after != Some(to) || executor.before == executor.after {
                let detail = format!("{} of {tasks} is not what the assignments say", name(step));
                found.add(Rule::Moves, detail);
            }
            if std::mem::replace(&mut told[own.start + at], true) {
                found.add(Rule::Moves, format!("{tasks} of {} moves twice", step.topology));
            }
        }
        if step.executors.is_empty() {
            found.add(Rule::Moves, format!("{} moves nothing", name(step)));
        } else {
            kind(scene, step, topology, from, to, found);
        }
    }
    let untold = scene.executors.iter().zip(&told).filter(|(_, told)| !**told);
    for (executor, _) in untold.filter(|(e, _)| e.after.is_some() && e.before != e.after) {
        found.add(Rule::Moves, format!("no move tells of {}", scene.executor_name(executor)));
    }
}

fn kind(scene: &Scene<'_>, step: &Move, topology: u32, from: Option<Slot>, to: Slot, found: &mut Found) {
    let whole = from
        .and_then(|slot| scene.worker_before(slot, topology))
        .is_some_and(|worker| worker.executors.len() == step.executors.len());
    let own = scene.worker_before(to, topology).is_some();
    let held = scene.held_before(to);
    let fits = match step.kind {
        MoveKind::Place => from.is_none(),
        MoveKind::RelocateWorker => from.is_some() && whole && !held,
        MoveKind::SwapWorkers => from.is_some() && whole && held,
        MoveKind::MoveExecutors => from.is_some() && own,
        MoveKind::OpenWorker => from.is_some() && !whole && !own,
    };
    if !fits {
        let part = if whole { "all" } else { "some" };
        let target = if own { "its own" } else { "another" };
        let target = if held { format!("{target} topology's worker") } else { "a free slot".to_owned() };
        let left = if from.is_some() { "of a worker" } else { "homeless executors" };
        found.add(Rule::MoveKind, format!("{} takes {part} {left} to {target}", name(step)));
    }
}

fn name(step: &Move) -> String {
    format!("{:?} of {} to {}", step.kind, step.topology, step.to)
}
