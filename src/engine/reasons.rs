//! Why there is no plan, or not enough of one: one sentence with its values.

use std::collections::BTreeMap;

use crate::model::{Node, NodeIx, NodeState, Placement, Problem};
use crate::objective::{Balance, restarts};
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
    let mut held: Vec<&str> = left
        .map(|worker| problem.topology(worker.topology))
        .filter(|topology| !topology.movable)
        .map(|topology| topology.id.as_str())
        .collect();
    held.dedup();
    let used = used_slots(problem, placement);
    let free: usize = problem
        .node_ids()
        .filter(|ix| problem.node(*ix).takes_moves())
        .map(|ix| free_slots(problem.node(ix), used.get(&ix).copied().unwrap_or(0)))
        .sum();
    let why = if !held.is_empty() {
        format!("topologies that may not be moved now: {}", held.join(", "))
    } else if free == 0 {
        "no other node has a free slot".to_owned()
    } else {
        format!("{free} slots are free, but memory or balance forbid to use them")
    };
    Some(Note::new(NoteCode::DrainBlocked, format!("{} stay on draining nodes: {why}", after.drained)))
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
