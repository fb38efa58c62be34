//! Request to problem: every conversion of units, every substitute for what is missing, with a note for each.
//!
//! Invariant: missing data is a note, never an error and never zero; contradictory data is a refusal with its place.

mod backlog;
mod check;
mod loads;
mod nodes;
mod resources;
mod states;
mod traffic;
mod warm;
mod weighed;
mod worker_cpu;
mod workload;

use crate::model::{Limits, Placement, Problem, Traffic};
use crate::settings::Settings;
use crate::wire::{Ask, Coverage, Note, Refusal, Request};

/// A problem, and what had to be assumed to state it.
#[derive(Debug)]
pub struct Snapshot {
    /// The problem.
    pub problem: Problem,
    /// How many loads are measured.
    pub coverage: Coverage,
    /// What was assumed.
    pub notes: Vec<Note>,
}

/// States the problem of a request.
pub fn take(request: &Request, settings: &Settings) -> Result<Snapshot, Refusal> {
    check::check(request)?;
    let mut notes = Vec::new();
    let nodes = nodes::nodes(request, settings, &mut notes);
    let work = workload::workload(request, settings, &nodes, &mut notes);
    let (loads, coverage) = loads::loads(request, settings, &mut notes);
    let resources = resources::resources(request, settings, &nodes, &mut notes);
    let mut executors = work.executors;
    for (executor, load) in executors.iter_mut().zip(&loads) {
        executor.load = load.load;
        executor.source = load.source;
    }
    // Only a plan looks at traffic and advises on copies; a placement has to be fast.
    let (states, traffic) = match request.ask {
        Ask::Plan => (
            states::states(request, &nodes, &mut notes),
            traffic::traffic(request, &work.topologies, &work.components, &mut notes),
        ),
        Ask::Place => (Vec::new(), Traffic::default()),
    };
    let problem = Problem {
        nodes,
        topologies: work.topologies,
        components: work.components,
        executors,
        traffic,
        copies: work.copies,
        states,
        resources,
        present: Placement::new(work.slots),
        limits: Limits {
            restarts: settings.budget_restarts,
            state: settings.budget_state,
            remote_tuple: settings.remote_tuple,
            restart_price: settings.restart_price,
            distance_max: settings.distance_max,
            overload: settings.overload,
            gain_min: settings.gain_min,
            score_factor: settings.score_factor,
            partition_load_max: settings.partition_load_max,
            milp: settings.solver_milp,
        },
    };
    Ok(Snapshot { problem, coverage, notes })
}

/// Topologies by id and their executors by task: the order of the problem, over the request's own entries.
fn in_order(request: &Request) -> Vec<(&crate::wire::Topology, Vec<&crate::wire::Executor>)> {
    let mut topologies: Vec<_> = request.topologies.iter().collect();
    topologies.sort_by(|a, b| a.id.cmp(&b.id));
    topologies
        .into_iter()
        .map(|topology| {
            let mut executors: Vec<_> = topology.executors.iter().collect();
            executors.sort_by_key(|executor| executor.tasks);
            (topology, executors)
        })
        .collect()
}

/// "3 executors", "1 executor".
fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// The first few of many names, and how many more there are.
pub(crate) fn some_of<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
