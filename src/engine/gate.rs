//! Hysteresis: when no optional move is looked for, and when a plan is not worth its restarts. All memory it needs
//! stands in the request, so live and replay decide alike.

use super::reasons;
use crate::model::{Placement, Problem};
use crate::objective::{Balance, Collocation, Migration};
use crate::settings::Settings;
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
    if let Some(note) = unsettled(request, settings) {
        return Some(note);
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

/// Why the loads are not known for long enough, if so.
pub(super) fn unsettled(request: &Request, settings: &Settings) -> Option<Note> {
    let rounds = request.covered_rounds.map(|rounds| rounds.saturating_add(1))?;
    (rounds < settings.settle_rounds).then(|| {
        let detail = format!("load coverage sufficient for {rounds} of {} rounds", settings.settle_rounds);
        Note::new(NoteCode::NotSettled, detail)
    })
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
    let price = Migration::between(problem, &problem.present, placement);
    let restarts = price.restarts as i64;
    if restarts == 0 {
        return Err(reasons::nothing(settings, problem, &before));
    }
    let shipped = price.shipped.unwrap_or_default();
    if let Some(limit) = problem.limits.state.filter(|limit| shipped > *limit) {
        let detail = format!("{shipped} of state would be read again, budget.state.mib allows {limit}");
        return Err(Note::new(NoteCode::NoBetterPlan, detail));
    }
    let must = after.overload < before.overload
        || after.drained < before.drained
        || workers(problem, placement) > workers(problem, &problem.present);
    let nearer = before.beyond(settings.distance_max) - after.beyond(settings.distance_max);
    let kept = kept(problem, placement);
    if must || nearer + kept >= Share(settings.gain_min.0 * restarts) {
        return Ok(());
    }
    let traffic = if problem.traffic.is_empty() {
        String::new()
    } else {
        format!(" and keeps {kept} of all traffic from the network")
    };
    Err(Note::new(
        NoteCode::GainTooSmall,
        format!(
            "a plan of {restarts} restarts brings the nodes {nearer} nearer to the mean in all{traffic}, less than {} a \
             restart",
            settings.gain_min
        ),
    ))
}

/// Part of all traffic that a placement keeps on nodes in addition; zero where it is less, since balance comes first.
fn kept(problem: &Problem, placement: &Placement) -> Share {
    let of = |placement| Collocation::of(problem, placement).map_or(0.0, |traffic| traffic.factor());
    Share::from_fraction((of(placement) - of(&problem.present)).max(0.0))
}

fn workers(problem: &Problem, placement: &Placement) -> usize {
    placement.workers(problem).len()
}
