//! Resources beside CPU, computed from the request alone in floating point.
//!
//! Use that was not measured is the mean of the component's measured executors, else of all measured ones. A resource
//! that nobody is known to use is none. A node that does not offer it has the upper median of those that do.

use std::collections::{BTreeSet, HashMap};

use super::figures::{TOLERANCE_SHARE, cores_tolerance};
use super::scene::{Scene, When};
use crate::wire::{Executor, NodeState, TaskRange};

/// Smallest amount that counts: the resolution of the figures.
const RESOLUTION: f64 = 1e-6;

/// One resource of one placement.
pub(super) struct Resource<'r> {
    pub(super) name: &'r str,
    pub(super) load_distance: f64,
    pub(super) overload: f64,
    pub(super) mean: f64,
    /// Use over capacity by node of the scene; zero on unlisted ones.
    pub(super) utilisation: Vec<f64>,
    /// How far a share may be off.
    pub(super) tolerance: f64,
}

/// All resources of a placement by name.
pub(super) fn of<'r>(scene: &Scene<'r>, when: When) -> Vec<Resource<'r>> {
    let nodes = &scene.request.nodes;
    let names: BTreeSet<&str> =
        nodes.iter().flat_map(|node| node.resources.keys()).map(String::as_str).collect();
    names.into_iter().filter_map(|name| resource(scene, when, name)).collect()
}

fn resource<'r>(scene: &Scene<'r>, when: When, name: &'r str) -> Option<Resource<'r>> {
    let usage = usage(scene, name)?;
    let capacity = capacities(scene, name)?;
    let mut used = vec![0.0; scene.nodes.len()];
    for (executor, usage) in scene.executors.iter().zip(&usage) {
        if let Some((node, _)) = executor.slot(when) {
            used[node as usize] += usage;
        }
    }
    let listed = || (0..used.len()).filter(|at| scene.nodes[*at].listed);
    let lasting: f64 =
        listed().filter(|at| scene.nodes[*at].state != NodeState::Draining).map(|at| capacity[at]).sum();
    let total: f64 = listed().map(|at| used[at]).sum();
    let mean = if lasting > 0.0 { total / lasting } else { 0.0 };
    let limit = scene.settings.number("overload");
    let rounding = cores_tolerance(scene.executors.len() as u32);
    let mut found = Resource {
        name,
        load_distance: 0.0,
        overload: 0.0,
        mean,
        utilisation: vec![0.0; used.len()],
        tolerance: TOLERANCE_SHARE + if lasting > 0.0 { rounding / lasting } else { 0.0 },
    };
    let smallest = listed().map(|at| capacity[at]).fold(f64::INFINITY, f64::min);
    found.tolerance += rounding / smallest;
    for at in listed() {
        let utilisation = used[at] / capacity[at];
        let above = utilisation - mean;
        let distance =
            if scene.nodes[at].state == NodeState::Draining { above.max(0.0) } else { above.abs() };
        found.load_distance = found.load_distance.max(distance);
        found.overload += (utilisation - limit).max(0.0);
        found.utilisation[at] = utilisation;
    }
    Some(found)
}

/// By node of the scene, those of the request first; none where no node offers any.
fn capacities(scene: &Scene<'_>, name: &str) -> Option<Vec<f64>> {
    let known = scene.request.nodes.iter().map(|node| {
        let amount = (node.resources.get(name)? / RESOLUTION).round() * RESOLUTION;
        (amount > 0.0).then_some(amount)
    });
    let known: Vec<Option<f64>> = known.collect();
    let mut sorted: Vec<f64> = known.iter().flatten().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let median = *sorted.get(sorted.len() / 2)?;
    let of = |at: usize| known.get(at).copied().flatten().unwrap_or(median);
    Some((0..scene.nodes.len()).map(of).collect())
}

/// By executor of the scene; none where nobody's use is known.
fn usage(scene: &Scene<'_>, name: &str) -> Option<Vec<f64>> {
    let young = scene.settings.number("load.young.secs");
    let measured = |executor: &Executor| {
        let old = executor.uptime_secs.is_none_or(|secs| secs >= young);
        executor.resources.get(name).filter(|_| old).copied()
    };
    let mean =
        |amounts: &[f64]| (!amounts.is_empty()).then(|| amounts.iter().sum::<f64>() / amounts.len() as f64);
    let mut usage: Vec<Option<f64>> = Vec::with_capacity(scene.executors.len());
    for topology in &scene.topologies {
        let by_tasks: HashMap<TaskRange, &Executor> =
            topology.wire.executors.iter().map(|executor| (executor.tasks, executor)).collect();
        let members = &scene.executors[topology.executors.clone()];
        let own: Vec<Option<f64>> = members.iter().map(|member| measured(by_tasks[&member.tasks])).collect();
        let mut of_component = HashMap::<Option<u32>, Vec<f64>>::new();
        for (member, amount) in members.iter().zip(&own) {
            of_component.entry(member.component).or_default().extend(*amount);
        }
        let amounts = members.iter().zip(own);
        usage.extend(amounts.map(|(member, own)| own.or_else(|| mean(&of_component[&member.component]))));
    }
    let all: Vec<f64> = scene
        .request
        .topologies
        .iter()
        .flat_map(|topology| &topology.executors)
        .filter_map(measured)
        .collect();
    let of_all = mean(&all)?;
    Some(usage.into_iter().map(|amount| amount.unwrap_or(of_all)).collect())
}
