//! One pure function from request to reply. It reads no clock but the budget's, no environment and no files.

mod checkpoints;
mod gate;
mod hello;
mod reasons;
mod reply;

use std::time::Duration;

pub use hello::{hello, hello_bytes};

use crate::model::{ExecutorIx, Placement, Problem, Topology};
use crate::objective::Balance;
use crate::place;
use crate::scale::{self, Question, Scaled};
use crate::settings::{self, Place, Settings};
use crate::snapshot::{self, Snapshot};
use crate::solve::{self, Budget};
use crate::wire::{
    Ask, Certificate, Coverage, Note, NoteCode, Refusal, RefusalCode, Reply, Request, Scaling, StoppedBy,
    decode_request,
};

/// Answers the bytes of a request with the bytes of a reply; a refusal is a reply too.
pub fn answer_bytes(request: &[u8]) -> Vec<u8> {
    let reply = match decode_request(request) {
        Ok(request) => answer(&request),
        Err(refusal) => reply::refused(0, refusal),
    };
    serde_json::to_vec(&reply).expect("a reply has only string keys and finite numbers")
}

/// Answers a request: decode, state the problem, place the homeless, look for better, check, explain.
pub fn answer(request: &Request) -> Reply {
    match plan(request) {
        Ok(reply) => reply,
        Err(refusal) => reply::refused(request.generation, refusal),
    }
}

/// What the optional moves of one round go by.
struct Round<'a> {
    request: &'a Request,
    settings: &'a Settings,
    coverage: &'a Coverage,
    /// The placement before homeless executors got a slot.
    placed_from: &'a Placement,
}

impl Round<'_> {
    /// Optional moves, and what they say of scaling. Where scaling may act, the plan is made once more with what it
    /// drains or keeps: `problem` then has those nodes in their new state.
    fn plan(&self, problem: &mut Problem, draft: &mut Draft) -> Result<Option<Scaling>, Refusal> {
        let (asked, placed) = (problem.clone(), draft.clone());
        self.improve(problem, draft)?;
        if self.settings.freeze {
            return Ok(None);
        }
        let known = self.coverage.sufficient && gate::unsettled(self.request, self.settings).is_none();
        let low_rounds = self.request.low_rounds.unwrap_or(0);
        let question = Question {
            settings: self.settings,
            problem,
            plan: &draft.placement,
            placed: *self.placed_from != problem.present,
            known,
            low_rounds,
        };
        let Scaled { scaling, cut } = scale::advise(&question);
        log::info!("scaling: {:?}, {}", scaling.verdict, scaling.because);
        if self.settings.scale_apply && !(scaling.drain.is_empty() && scaling.keep.is_empty()) {
            *problem = scale::carried_out(asked, &scaling);
            *draft = placed;
            self.improve(problem, draft)?;
        }
        if let Some(certificate) = draft.certificate.as_mut().filter(|_| cut) {
            certificate.stopped_by = StoppedBy::Time;
        }
        if known {
            draft.notes.extend(scale::at_its_tasks(problem, self.settings));
        }
        Ok(Some(scaling))
    }

    fn improve(&self, problem: &mut Problem, draft: &mut Draft) -> Result<(), Refusal> {
        match gate::closed(self.request, self.settings, problem, self.coverage) {
            Some(reason) => draft.notes.push(reason),
            None => {
                hold_placed(problem, self.placed_from, &mut draft.notes);
                improve(self.settings, problem, draft)?;
            }
        }
        Ok(())
    }
}

/// A plan on its way: where executors shall go, and what was learned.
#[derive(Clone)]
struct Draft {
    placement: Placement,
    certificate: Option<Certificate>,
    notes: Vec<Note>,
}

fn plan(request: &Request) -> Result<Reply, Refusal> {
    let settings = checked_settings(request)?;
    let Snapshot { mut problem, coverage, notes } = snapshot::take(request, &settings)?;
    log::info!(
        "{} nodes, {} topologies, {} executors; {} of {} loads measured",
        problem.nodes.len(),
        problem.topologies.len(),
        problem.executors.len(),
        coverage.measured,
        coverage.expected
    );
    let present = problem.present.clone();
    let mut draft = Draft { placement: present.clone(), certificate: None, notes };
    if settings.place == Place::Native {
        place::homeless(&problem, &mut draft.placement, &mut draft.notes);
    }
    let (mut scaling, mut copies) = (None, None);
    if request.ask == Ask::Plan {
        problem.present = draft.placement.clone();
        let round = Round { request, settings: &settings, coverage: &coverage, placed_from: &present };
        scaling = round.plan(&mut problem, &mut draft)?;
        problem.present = present;
        copies = checkpoints::advise(&problem, &draft.placement, &settings, &mut draft.notes);
        draft.notes.extend(checkpoints::state_lost(request, &problem, &draft.placement));
    }
    let reply =
        reply::planned(request, &settings, &problem, coverage, draft, reply::Advice { scaling, copies });
    let violations = crate::verify::verify(request, &reply);
    if violations.is_empty() {
        return Ok(reply);
    }
    let found: Vec<String> = violations.iter().map(ToString::to_string).collect();
    Err(Refusal::new(
        RefusalCode::SolverFailed,
        format!("the judge found in our own plan: {}", found.join("; ")),
        "keep the request and report it; nothing was changed",
    ))
}

/// The honest reply of any placement, good or not: what the tests of the judge tamper with.
#[cfg(test)]
pub(crate) fn reply_of(
    request: &Request,
    change: impl FnOnce(&crate::model::Problem, &mut Placement),
) -> Reply {
    let settings = checked_settings(request).expect("the test's settings are right");
    let Snapshot { problem, coverage, notes } =
        snapshot::take(request, &settings).expect("the test's request is usable");
    let mut placement = problem.present.clone();
    change(&problem, &mut placement);
    let optional = problem
        .executor_ids()
        .any(|e| problem.present.slot(e).is_some() && placement.slot(e) != problem.present.slot(e));
    let certificate = optional.then(|| Certificate {
        strategy: "stay".to_owned(),
        lower_bound: 0.0,
        gap: Balance::of(&problem, &placement).load_distance.fraction(),
        optimal: false,
        steps: 1,
        stopped_by: StoppedBy::Done,
    });
    let draft = Draft { placement, certificate, notes };
    reply::planned(request, &settings, &problem, coverage, draft, reply::Advice::default())
}

/// A topology that gets executors placed in this round is not moved in it: its workers only just change, which is what
/// the cooldown of every later round is about.
fn hold_placed(problem: &mut Problem, before: &Placement, notes: &mut Vec<Note>) {
    let placed = |topology: &Topology| {
        let mut executors = topology.executors.clone().map(ExecutorIx::from_at);
        executors.any(|executor| before.slot(executor).is_none() && problem.present.slot(executor).is_some())
    };
    let held: Vec<bool> =
        problem.topologies.iter().map(|topology| topology.movable && placed(topology)).collect();
    let mut names = Vec::new();
    for (topology, held) in problem.topologies.iter_mut().zip(held) {
        if held {
            topology.movable = false;
            names.push(topology.id.as_str());
        }
    }
    if !names.is_empty() {
        let detail = format!("executors placed in this round, no other move: {}", snapshot::some_of(&names));
        notes.push(Note::new(NoteCode::Cooldown, detail));
    }
}

fn checked_settings(request: &Request) -> Result<Settings, Refusal> {
    let checked = settings::check(&request.settings, &solve::names());
    match checked.problems.into_iter().next() {
        None => Ok(checked.settings),
        Some(first) => Err(Refusal::new(RefusalCode::BadSetting, first.detail, first.advice)),
    }
}

/// Parts of the time and of the steps of a search that are kept for the proof of how good its plan is.
const PROOF_TIME: u32 = 5;
const PROOF_STEPS: u64 = 100;

/// Lets the strategy look for a better placement and keeps it if it is worth its restarts.
fn improve(settings: &Settings, problem: &Problem, draft: &mut Draft) -> Result<(), Refusal> {
    let strategy = solve::by_name(&settings.strategy).expect("the setting was checked against the registry");
    let bound = solve::bound(problem);
    log::info!("no plan within {} restarts is nearer than {bound} to the mean", problem.limits.restarts);
    let time = Duration::from_millis(settings.solver_time_ms);
    let mut budget = Budget::new(settings.solver_steps, time - time / PROOF_TIME);
    let outcome = strategy.solve(problem, bound, &mut budget).map_err(|failed| {
        Refusal::new(RefusalCode::SolverFailed, failed.to_string(), "choose another strategy")
    })?;
    log::info!("{}: {} steps, stopped by {:?}", strategy.name(), budget.steps_done(), outcome.stopped_by);
    draft.notes.extend(outcome.notes);
    match gate::worth_it(settings, problem, &outcome.placement) {
        Ok(()) => {
            draft.notes.extend(reasons::not_enough(settings, problem, &outcome.placement));
            draft.placement = outcome.placement;
        }
        Err(reason) => draft.notes.push(reason),
    }
    draft.notes.extend(reasons::drain_blocked(problem, &draft.placement));
    let reached = Balance::of(problem, &draft.placement).load_distance;
    let mut proof = Budget::new(settings.solver_steps / PROOF_STEPS, budget.time_left() + time / PROOF_TIME);
    // Where the distance is good enough nobody asks how much better it could be.
    let bound = match reached > settings.distance_max {
        true => solve::sharpen(problem, bound, reached, &mut proof),
        false => bound,
    };
    let optimal = reached <= bound;
    let stopped_by = match (optimal, proof.spent()) {
        (true, _) => StoppedBy::Proved,
        (false, StoppedBy::Time) => StoppedBy::Time,
        _ => outcome.stopped_by,
    };
    draft.certificate = Some(Certificate {
        strategy: strategy.name().to_owned(),
        lower_bound: bound.fraction(),
        gap: (reached - bound).fraction(),
        optimal,
        steps: budget.steps_done(),
        stopped_by,
    });
    Ok(())
}
