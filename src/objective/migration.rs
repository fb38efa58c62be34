//! The price of a plan: workers that restart.
//!
//! Storm kills and restarts a worker whose executor set changes, whether it lost or gained one
//! (`org.apache.storm.daemon.supervisor.Slot`). A worker that only changed its slot is a restart as well.

use std::collections::{BTreeMap, BTreeSet};

use super::rows::{Choices, Milp};
use crate::model::{ExecutorIx, Placement, Problem, Slot};
use crate::units::Size;

/// Price of going from one placement to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Migration {
    /// Running workers whose executor set or slot changes.
    pub restarts: usize,
    /// Workers that run afterwards and did not before, less those that are a restarted worker in a new slot.
    pub starts: usize,
    /// Workers that ran before and are given up.
    pub stops: usize,
    /// Running executors that pause.
    pub executors_paused: usize,
    /// State that these read again or have shipped; none where not one of them tells its size.
    pub shipped: Option<Size>,
}

/// Running executors that pause: those of every worker that is not found unchanged.
pub fn paused(problem: &Problem, from: &Placement, to: &Placement) -> BTreeSet<ExecutorIx> {
    let after = by_slot(problem, to);
    let killed =
        by_slot(problem, from).into_iter().filter(|(slot, executors)| after.get(slot) != Some(executors));
    killed.flat_map(|(_, executors)| executors).collect()
}

impl Migration {
    /// Price of going from `from` to `to`, computed from nothing but the two.
    ///
    /// Every worker of `from` that is not found unchanged in `to` is killed: it restarts if its slot is used again by
    /// its topology or its topology opened a slot elsewhere for it, and stops otherwise. New slots beyond the killed
    /// workers of a topology are starts.
    pub fn between(problem: &Problem, from: &Placement, to: &Placement) -> Self {
        let before = by_slot(problem, from);
        let after = by_slot(problem, to);
        let mut migration = Self::default();
        let mut killed = BTreeMap::<_, usize>::new();
        let mut opened = BTreeMap::<_, usize>::new();
        for (slot, executors) in &before {
            if after.get(slot) != Some(executors) {
                *killed.entry(problem.executor(executors[0]).topology).or_default() += 1;
                migration.executors_paused += executors.len();
                for executor in executors {
                    let on = to.slot(*executor).and_then(|slot| problem.shipped(*executor, slot.node));
                    migration.shipped = on.map_or(migration.shipped, |bytes| {
                        Some(migration.shipped.unwrap_or_default() + bytes)
                    });
                }
            }
        }
        for (slot, executors) in &after {
            if before.get(slot) != Some(executors) {
                *opened.entry(problem.executor(executors[0]).topology).or_default() += 1;
            }
        }
        for topology in killed.keys().chain(opened.keys()).collect::<BTreeSet<_>>() {
            let killed = killed.get(topology).copied().unwrap_or(0);
            let opened = opened.get(topology).copied().unwrap_or(0);
            migration.restarts += killed;
            migration.starts += opened.saturating_sub(killed);
            migration.stops += killed.saturating_sub(opened);
        }
        migration
    }

    /// Adds the budgets to a MILP: units away from their node are at most the restarts allowed, and the state that their
    /// executors read again there is within its budget, if it has one.
    pub fn rows(problem: &Problem, choices: &Choices, milp: &mut Milp) {
        let away = choices.units.iter().flat_map(|unit| {
            let others = unit.on.iter().filter(|(node, _)| *node != unit.worker.slot.node);
            others.map(|(_, column)| (*column, 1.0))
        });
        milp.row(away.collect(), 0.0, f64::from(problem.limits.restarts));
        let Some(limit) = problem.limits.state else { return };
        let mut terms = Vec::new();
        for unit in &choices.units {
            for (node, column) in unit.on.iter().filter(|(node, _)| *node != unit.worker.slot.node) {
                let executors = unit.worker.executors.iter();
                let bytes: Size = executors.filter_map(|executor| problem.shipped(*executor, *node)).sum();
                terms.push((*column, bytes.mib()));
            }
        }
        milp.row(terms, 0.0, limit.mib());
    }
}

/// Running workers that a change of placement restarts.
pub fn restarts(problem: &Problem, from: &Placement, to: &Placement) -> usize {
    Migration::between(problem, from, to).restarts
}

fn by_slot(problem: &Problem, placement: &Placement) -> BTreeMap<Slot, Vec<ExecutorIx>> {
    placement.workers(problem).into_iter().map(|worker| (worker.slot, worker.executors)).collect()
}
