//! Resources beside CPU: capacities and use by name, with their substitutes.

use std::collections::BTreeSet;

use super::{count, in_order, some_of};
use crate::model::{Node, Resource};
use crate::settings::Settings;
use crate::units::Load;
use crate::wire::{Executor, Note, NoteCode, Request};

/// Resources that some node offers and some executor is known to use, by name; `nodes` are those of the problem.
pub(super) fn resources(
    request: &Request,
    settings: &Settings,
    nodes: &[Node],
    notes: &mut Vec<Note>,
) -> Vec<Resource> {
    let names: BTreeSet<&str> =
        request.nodes.iter().flat_map(|node| node.resources.keys()).map(String::as_str).collect();
    names.into_iter().filter_map(|name| resource(request, settings, nodes, name, notes)).collect()
}

fn resource(
    request: &Request,
    settings: &Settings,
    nodes: &[Node],
    name: &str,
    notes: &mut Vec<Note>,
) -> Option<Resource> {
    let usage = usage(request, settings, name, notes)?;
    let offered = |id: &str| {
        let node = request.nodes.iter().find(|node| node.id == id)?;
        node.resources.get(name).map(|amount| Load::from_cores(*amount)).filter(|amount| *amount > Load::ZERO)
    };
    let known: Vec<Option<Load>> = nodes.iter().map(|node| offered(&node.id)).collect();
    let mut sorted: Vec<Load> = known.iter().flatten().copied().collect();
    sorted.sort_unstable();
    let median = *sorted.get(sorted.len() / 2)?;
    let silent: Vec<&str> = nodes
        .iter()
        .zip(&known)
        .filter(|(node, known)| known.is_none() && node.state.listed())
        .map(|(node, _)| node.id.as_str())
        .collect();
    if !silent.is_empty() {
        let (nodes, amount) = (count(silent.len(), "node"), median.cores());
        let detail = format!("{nodes} without {name} taken as {amount}: {}", some_of(&silent));
        notes.push(Note::new(NoteCode::CapacityAssumed, detail));
    }
    let capacity = known.into_iter().map(|known| known.unwrap_or(median)).collect();
    Some(Resource { name: name.to_owned(), capacity, usage })
}

/// What every executor uses, in the order of the problem; none where nobody's use is known. One not measured has the
/// mean of its component, else that of all.
fn usage(request: &Request, settings: &Settings, name: &str, notes: &mut Vec<Note>) -> Option<Vec<Load>> {
    let measured = |executor: &Executor| {
        let old = executor.uptime_secs.is_none_or(|secs| secs >= settings.young_secs);
        executor.resources.get(name).filter(|_| old).map(|amount| Load::from_cores(*amount))
    };
    let all: Vec<Load> =
        request.topologies.iter().flat_map(|topology| &topology.executors).filter_map(measured).collect();
    let of_all = mean(&all)?;
    let (mut usage, mut guessed) = (Vec::new(), 0);
    for (_, executors) in in_order(request) {
        for executor in &executors {
            usage.push(measured(executor).unwrap_or_else(|| {
                guessed += 1;
                let siblings = executors.iter().filter(|other| other.component == executor.component);
                mean(&siblings.filter_map(|other| measured(other)).collect::<Vec<_>>()).unwrap_or(of_all)
            }));
        }
    }
    if guessed > 0 {
        let detail = format!("{name} of {} taken as the mean of others", count(guessed, "executor"));
        notes.push(Note::new(NoteCode::LoadMean, detail));
    }
    Some(usage)
}

/// Rounded to the nearest.
fn mean(all: &[Load]) -> Option<Load> {
    let count = all.len() as i64;
    let sum: Load = all.iter().copied().sum();
    (count > 0).then(|| Load((sum.0 + count / 2) / count))
}
