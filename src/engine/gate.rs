//! Hysteresis: when no optional move is looked for, and when a plan is not worth its restarts. All memory it needs
//! stands in the request, so live and replay decide alike.

use crate::model::{NodeIx, NodeState, Placement, Problem};
use crate::objective::{Balance, restarts};
use crate::settings::Settings;
use crate::solve::restarts_needed;
use crate::units::{Load, Share};
use crate::wire::{Coverage, Note, NoteCode, Request};

/// Why no optional move is looked for, if so.
pub(super) fn closed(
    request: &Request,
    settings: &Settings,
    problem: &Problem,
    coverage: &Coverage,
) -> Option<Note> {
    if settings.freeze {
        return Some(Note::new(NoteCode::Frozen, "freeze is on: no optional move"));
    }
    if !coverage.sufficient {
        return Some(Note::new(
            NoteCode::CoverageLow,
            format!(
                "load coverage {:.0} % < {:.0} %: {} of {} executors measured, only homeless ones are placed",
                coverage.fraction.unwrap_or(0.0) * 100.0,
                settings.coverage_min * 100.0,
                coverage.measured,
                coverage.expected
            ),
        ));
    }
    if let Some(rounds) = request.covered_rounds.filter(|rounds| rounds + 1 < settings.settle_rounds) {
        return Some(Note::new(
            NoteCode::NotSettled,
            format!("load coverage sufficient for {} of {} rounds", rounds + 1, settings.settle_rounds),
        ));
    }
    let balance = Balance::of(problem, &problem.present);
    if balance.drained == Load::ZERO && below_floor(problem, settings, &balance) {
        let nodes = problem.nodes.iter().filter(|node| node.state.lasts()).count();
        return Some(Note::new(
            NoteCode::BelowFloor,
            format!("{} on {nodes} nodes is less than {} a node", total(&balance), settings.floor),
        ));
    }
    None
}

fn total(balance: &Balance) -> Load {
    balance.nodes.iter().map(|node| node.load).sum::<Load>() - balance.unlisted
}

fn below_floor(problem: &Problem, settings: &Settings, balance: &Balance) -> bool {
    let nodes = problem.nodes.iter().filter(|node| node.state.lasts()).count() as i64;
    total(balance) < Load(settings.floor.0 * nodes)
}

/// Whether a placement is worth its restarts; the reason if not.
pub(super) fn worth_it(settings: &Settings, problem: &Problem, placement: &Placement) -> Result<(), Note> {
    let before = Balance::of(problem, &problem.present);
    let after = Balance::of(problem, placement);
    let restarts = restarts(problem, &problem.present, placement) as i64;
    if restarts == 0 {
        return Err(why_nothing(settings, problem, &before));
    }
    let must = after.overload < before.overload
        || after.drained < before.drained
        || workers(problem, placement) > workers(problem, &problem.present);
    let gain = before.beyond(settings.distance_max) - after.beyond(settings.distance_max);
    if must || gain >= Share(settings.gain_min.0 * restarts) {
        return Ok(());
    }
    Err(Note::new(
        NoteCode::GainTooSmall,
        format!(
            "a plan of {restarts} restarts brings the nodes {gain} nearer to the mean in all, less than {} a restart",
            settings.gain_min
        ),
    ))
}

fn workers(problem: &Problem, placement: &Placement) -> usize {
    placement.workers(problem).len()
}

fn why_nothing(settings: &Settings, problem: &Problem, present: &Balance) -> Note {
    let good = present.load_distance <= settings.distance_max
        && present.overload == Share::ZERO
        && present.drained == Load::ZERO;
    if good {
        return Note::new(
            NoteCode::Balanced,
            format!("load distance {} is within {}", present.load_distance, settings.distance_max),
        );
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

/// What keeps each node that has room from taking a worker.
fn obstacles(problem: &Problem, present: &Balance) -> String {
    const SHOWN: usize = 5;
    let mut used = std::collections::BTreeMap::<_, usize>::new();
    for worker in problem.present.workers(problem) {
        *used.entry(worker.slot.node).or_default() += 1;
    }
    let has_room = |ix: &NodeIx| {
        problem.node(*ix).state.lasts()
            && present.nodes[ix.at()].utilisation < present.mean + problem.limits.distance_max
    };
    let blocked: Vec<String> = problem
        .node_ids()
        .filter(has_room)
        .filter_map(|ix| {
            let node = problem.node(ix);
            let why = if node.state == NodeState::Unusable {
                "is unusable".to_owned()
            } else if !node.settled {
                "has not settled".to_owned()
            } else if used.get(&ix).copied().unwrap_or(0) >= node.ports.len() {
                format!("has no free slot, all {} are taken", node.ports.len())
            } else {
                return None;
            };
            Some(format!("{} {why}", node.id))
        })
        .collect();
    match blocked.len().saturating_sub(SHOWN) {
        _ if blocked.is_empty() => String::new(),
        0 => format!("; {}", blocked.join(", ")),
        more => format!("; {} and {more} more nodes", blocked[..SHOWN].join(", ")),
    }
}

/// What a plan still leaves to be done, if it leaves a limit broken.
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
    Some(Note::new(
        NoteCode::NoBetterPlan,
        format!(
            "load distance {} is above {} after {spent} of {} restarts: {needed}",
            after.load_distance, settings.distance_max, settings.budget_restarts
        ),
    ))
}
