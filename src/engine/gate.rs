//! Hysteresis: when no optional move is looked for, and when a plan is not worth its restarts. All memory it needs
//! stands in the request, so live and replay decide alike.

use super::reasons;
use crate::model::{Placement, Problem};
use crate::objective::{Balance, Gain, Migration};
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
    let price = Migration::between(problem, &problem.present, placement);
    let restarts = price.restarts;
    if restarts == 0 {
        return Err(reasons::nothing(settings, problem, &before));
    }
    let shipped = price.shipped.unwrap_or_default();
    if let Some(limit) = problem.limits.state.filter(|limit| shipped > *limit) {
        let detail = format!("{shipped} of state would be read again, budget.state.mib allows {limit}");
        return Err(Note::new(NoteCode::NoBetterPlan, detail));
    }
    let gain = Gain::of(problem, placement);
    if gain.is_worth_it(problem) {
        return Ok(());
    }
    let detail = format!(
        "a plan of {restarts} restarts {}, less than {} a restart",
        gained(problem, &gain),
        settings.gain_min
    );
    Err(Note::new(NoteCode::GainTooSmall, detail))
}

/// What a plan gains, in words.
fn gained(problem: &Problem, gain: &Gain) -> String {
    let mut words = format!("brings the nodes {} nearer to the mean in all", gain.nearer);
    if gain.drowns() {
        words +=
            &format!(" (which counts as nothing, since their loads swing by {} by themselves)", gain.swing);
    }
    if gain.farther {
        words += ", though the farthest of them goes farther";
    }
    if gain.relieved > Share::ZERO {
        words += &format!(", takes {} of overload", gain.relieved);
    }
    if !problem.traffic.is_empty() {
        words += &format!(" and keeps {} of all traffic from the network", gain.kept);
    }
    match problem.limits.remote_tuple {
        Some(_) if gain.saved < Share::ZERO => {
            words += &format!(
                ", for which tuples between workers take {} of the capacity more",
                Share::ZERO - gain.saved
            );
        }
        Some(_) => words += &format!(", and tuples between workers take {} of the capacity less", gain.saved),
        None => {}
    }
    words
}
