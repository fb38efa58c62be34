//! The strategy `milp`: the paper's problem solved by COIN-OR CBC, with whole workers as key groups.
//!
//! ALBIC (ICDE 2017) states it; the rows come from the objective's terms. What CBC finds is checked and scored by our
//! own measure, and nothing worse than the present placement leaves here.

pub(crate) mod cbc;

use super::search::{Search, relocated};
use super::{Budget, Failed, Outcome, Strategy};
use crate::model::{NodeIx, Placement, Problem};
use crate::objective::{Balance, Choices, Migration};
use crate::units::Share;
use crate::wire::{Note, NoteCode, StoppedBy};

pub(super) struct MilpByCbc;

/// Columns beyond which building the model alone takes longer than any plan is worth: about 1 GB.
const MOST_COLUMNS: usize = 2_000_000;

impl Strategy for MilpByCbc {
    fn name(&self) -> &'static str {
        "milp"
    }

    fn about(&self) -> &'static str {
        "whole workers placed by a MILP of the paper's problem (ALBIC, ICDE 2017), solved by CBC"
    }

    fn solve(&self, problem: &Problem, bound: Share, budget: &mut Budget) -> Result<Outcome, Failed> {
        if !problem.limits.milp {
            let mut outcome = Search.solve(problem, bound, budget)?;
            let detail = "solver.milp is false: the strategy search plans instead";
            outcome.notes.push(Note::new(NoteCode::MilpOff, detail));
            return Ok(outcome);
        }
        let placement = match relocations(problem, budget.time_left().as_secs_f64()) {
            Ok(solved) => {
                let stopped_by = if solved.closed { StoppedBy::Done } else { StoppedBy::Time };
                return Ok(Outcome { placement: solved.placement, stopped_by, notes: Vec::new() });
            }
            Err(why) => {
                Outcome { notes: vec![Note::new(NoteCode::MilpFailed, why)], ..Outcome::unchanged(problem) }
            }
        };
        Ok(placement)
    }
}

/// What CBC made of a problem.
#[derive(Debug)]
pub struct Solved {
    /// Its placement, or the present one where that is better.
    pub placement: Placement,
    /// CBC's own lower bound of the load distance of plans that relocate whole workers, as a fraction.
    pub lower_bound: f64,
    /// The search came to its end before the time did.
    pub closed: bool,
}

/// Solves the paper's problem for at most so many seconds. The error says in one sentence why there is no result.
pub fn relocations(problem: &Problem, seconds: f64) -> Result<Solved, String> {
    let mut milp = crate::objective::Milp::default();
    let nodes = problem.nodes.iter().filter(|node| node.takes_moves()).count();
    let workers = problem.present.workers(problem).len();
    if nodes * workers > MOST_COLUMNS {
        return Err(format!(
            "{workers} workers and {nodes} nodes make {} columns, more than {MOST_COLUMNS}",
            nodes * workers
        ));
    }
    let choices = Choices::of(problem, &mut milp);
    if choices.units.is_empty() || seconds <= 0.0 {
        return Err(format!("{} workers may move and {seconds:.1} s are left", choices.units.len()));
    }
    choices.rows(problem, &mut milp);
    Migration::rows(problem, &choices, &mut milp);
    Balance::rows(problem, &choices, &mut milp);
    let answer = cbc::solve(&milp, seconds)?;
    let lower_bound = (answer.best_possible / 100.0).max(0.0);
    let placement = match answer.columns {
        Some(columns) => {
            let chosen = choices.units.iter().map(|unit| {
                let on = unit.on.iter().max_by(|a, b| columns[a.1].total_cmp(&columns[b.1]));
                let (node, _) = on.expect("every unit may stay where it is");
                (unit.worker.slot, *node)
            });
            let chosen: Vec<(crate::model::Slot, NodeIx)> = chosen.collect();
            relocated(problem, &chosen).ok_or("CBC's answer breaks a limit")?
        }
        None if answer.closed => return Err("CBC found no placement at all".to_owned()),
        None => problem.present.clone(),
    };
    Ok(Solved { placement, lower_bound, closed: answer.closed })
}
