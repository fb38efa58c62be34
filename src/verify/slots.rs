//! Slots: one topology each, offered, and on a node that may receive what comes to it.

use super::scene::{Scene, Worker};
use super::{Found, Rule};
use crate::wire::NodeState;

pub(super) fn check(scene: &Scene<'_>, found: &mut Found) {
    for pair in scene.workers_after.windows(2).filter(|pair| pair[0].slot == pair[1].slot) {
        let (one, other) = (scene.topology_id(pair[0].topology), scene.topology_id(pair[1].topology));
        let detail = format!("{} is {one}'s and {other}'s", scene.slot_name(pair[0].slot));
        found.add(Rule::SlotShared, detail);
    }
    for worker in scene.workers_after.iter().filter(|worker| is_named(scene, worker)) {
        arrivals(scene, worker, found);
    }
    for worker in scene.workers_before.iter().filter(|worker| is_named(scene, worker)) {
        departures(scene, worker, found);
    }
}

fn is_named(scene: &Scene<'_>, worker: &Worker) -> bool {
    scene.topologies[worker.topology as usize].named
}

/// Executors that come to a worker: the node must take them.
fn arrivals(scene: &Scene<'_>, worker: &Worker, found: &mut Found) {
    let node = &scene.nodes[worker.slot.0 as usize];
    let offered = scene.offered(worker.slot);
    for executor in worker.executors.iter().map(|at| &scene.executors[*at as usize]) {
        if executor.before == executor.after {
            continue;
        }
        let (rule, why) = if !offered {
            (Rule::SlotNotOffered, "which no node offers")
        } else if node.state == NodeState::Unusable {
            (Rule::NodeUnusable, "on an unusable node")
        } else if node.state == NodeState::Draining {
            (Rule::NodeDraining, "on a draining node")
        } else if executor.moves() && !node.settled {
            (Rule::NodeUnsettled, "on a node that is not settled")
        } else {
            continue;
        };
        let (executor, slot) = (scene.executor_name(executor), scene.slot_name(worker.slot));
        found.add(rule, format!("{executor} comes to {slot}, {why}"));
    }
}

/// Executors that leave a worker: some must stay.
fn departures(scene: &Scene<'_>, worker: &Worker, found: &mut Found) {
    let node = &scene.nodes[worker.slot.0 as usize];
    let offered = scene.offered(worker.slot);
    if offered && node.state != NodeState::Unusable {
        return;
    }
    for executor in worker.executors.iter().map(|at| &scene.executors[*at as usize]).filter(|e| e.moves()) {
        let detail = format!("{} leaves {}", scene.executor_name(executor), scene.slot_name(worker.slot));
        if offered {
            found.add(Rule::NodeUnusable, format!("{detail} on an unusable node"));
        } else {
            found.add(Rule::SlotNotOffered, format!("{detail}, where it has to stay"));
        }
    }
}
