//! Why there is no plan, or not enough of one: one sentence with its values.

use std::collections::BTreeMap;

use crate::model::{Node, NodeIx, NodeState, Placement, Problem, Worker};
use crate::objective::{Balance, restarts};
use crate::scale;
use crate::settings::Settings;
use crate::solve::restarts_needed;
use crate::units::{Load, Share};
use crate::wire::{Note, NoteCode};

/// Why nothing is moved.
pub(super) fn nothing(settings: &Settings, problem: &Problem, present: &Balance) -> Note {
    let good = present.load_distance <= settings.distance_max
        && present.overload == Share::ZERO
        && present.drained == Load::ZERO;
    if good {
        let detail = format!("load distance {} is within {}", present.load_distance, settings.distance_max);
        return Note::new(NoteCode::Balanced, detail);
    }
    Note::new(
        NoteCode::NoBetterPlan,
        format!(
            "load distance {} stays: no better plan within {} restarts{}",
            present.load_distance,
            settings.budget_restarts,
            obstacles(problem, present)
        ),
    )
}

/// What a plan still leaves above the limit, and the restarts that will take at least.
pub(super) fn not_enough(settings: &Settings, problem: &Problem, placement: &Placement) -> Option<Note> {
    let after = Balance::of(problem, placement);
    let spent = restarts(problem, &problem.present, placement);
    if spent == 0 || after.load_distance <= settings.distance_max {
        return None;
    }
    let needed = match restarts_needed(problem, settings.distance_max) {
        Some(needed) if needed > spent => format!("at least {} more are needed", needed - spent),
        Some(_) => "more are needed".to_owned(),
        None => "no number of restarts reaches it".to_owned(),
    };
    let (reached, limit) = (after.load_distance, settings.distance_max);
    let budget = settings.budget_restarts;
    Some(Note::new(
        NoteCode::NoBetterPlan,
        format!("load distance {reached} is above {limit} after {spent} of {budget} restarts: {needed}"),
    ))
}

/// Load that stays on a draining node although restarts were left, and why.
pub(super) fn drain_blocked(problem: &Problem, placement: &Placement) -> Option<Note> {
    let after = Balance::of(problem, placement);
    let spent = restarts(problem, &problem.present, placement);
    if after.drained == Load::ZERO || spent >= problem.limits.restarts as usize {
        return None;
    }
    let workers = placement.workers(problem);
    let left = workers.iter().filter(|worker| problem.node(worker.slot.node).state == NodeState::Draining);
    let left: Vec<&Worker> = left.collect();
    let mut held: Vec<&str> = left
        .iter()
        .map(|worker| problem.topology(worker.topology))
        .filter(|topology| !topology.movable)
        .map(|topology| topology.id.as_str())
        .collect();
    held.dedup();
    let why = if held.is_empty() {
        lack(problem, &after, &used_slots(problem, placement), left.len())
    } else {
        format!("topologies that may not be moved now: {}", held.join(", "))
    };
    let detail = format!("{} in {} workers stay on draining nodes: {why}", after.drained, left.len());
    Some(Note::new(NoteCode::DrainBlocked, detail))
}

/// What the other nodes lack to take in what is left on draining ones, in load and in slots.
fn lack(problem: &Problem, after: &Balance, used: &BTreeMap<NodeIx, usize>, workers: usize) -> String {
    let takers = || problem.node_ids().filter(|ix| problem.node(*ix).takes_moves());
    let slots: usize =
        takers().map(|ix| free_slots(problem.node(ix), used.get(&ix).copied().unwrap_or(0))).sum();
    let limit = problem.limits.overload;
    let room: Load = takers()
        .map(|ix| (limit.most(problem.node(ix).capacity) - after.nodes[ix.at()].load).max(Load::ZERO))
        .sum();
    let there = format!("the others have {slots} free slots and room for {room} below {limit}");
    let (load, more) = (after.drained - room.min(after.drained), workers.saturating_sub(slots));
    if load == Load::ZERO && more == 0 {
        format!("{there}, but memory, the size of workers or balance forbid to use them")
    } else {
        format!("{there}: {}", scale::missing(load, more))
    }
}

/// What keeps each node that has room from taking a worker.
fn obstacles(problem: &Problem, present: &Balance) -> String {
    const SHOWN: usize = 5;
    let used = used_slots(problem, &problem.present);
    let has_room = |ix: &NodeIx| {
        let utilisation = present.nodes[ix.at()].utilisation;
        problem.node(*ix).state.lasts() && utilisation < present.mean + problem.limits.distance_max
    };
    let blocked: Vec<String> = problem
        .node_ids()
        .filter(has_room)
        .filter_map(|ix| {
            let node = problem.node(ix);
            let why = if node.state == NodeState::Unusable {
                "is unusable"
            } else if !node.settled {
                "has not settled"
            } else if free_slots(node, used.get(&ix).copied().unwrap_or(0)) == 0 {
                "has no free slot"
            } else {
                return None;
            };
            Some(format!("{} {why}", node.name))
        })
        .collect();
    match blocked.len().saturating_sub(SHOWN) {
        _ if blocked.is_empty() => String::new(),
        0 => format!("; {}", blocked.join(", ")),
        more => format!("; {} and {more} more nodes", blocked[..SHOWN].join(", ")),
    }
}

fn used_slots(problem: &Problem, placement: &Placement) -> BTreeMap<NodeIx, usize> {
    let mut used = BTreeMap::new();
    for worker in placement.workers(problem) {
        *used.entry(worker.slot.node).or_default() += 1;
    }
    used
}

/// Slots that an optional move may use; ports to be avoided are none.
fn free_slots(node: &Node, used: usize) -> usize {
    node.plain_ports().count().saturating_sub(used)
}
