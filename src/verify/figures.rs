//! Loads and balance, computed from the request alone in floating point.
//!
//! A load that was not measured, or whose executor is younger than `load.young.secs`, is the mean of its component's
//! measured ones, else the CPU request, else a tenth of a core; what its worker's process used has the last word. An unknown capacity is the upper median of the known
//! ones, else four cores.

use super::resources::{self, Resource};
use super::scene::{Scene, When};
use super::worker_cpu;
use crate::wire::{ComponentKind, MissingLoad, Node, NodeState};

/// Smallest load or capacity that counts, in cores: the resolution of the figures.
pub(super) const RESOLUTION_CORES: f64 = 1e-6;
/// Load of an executor of which nothing is known, in cores.
const ASSUMED_LOAD: f64 = 0.1;
/// Capacity of a node where no node tells its own, in cores.
const ASSUMED_CAPACITY: f64 = 4.0;
/// Rounding of one share of the reply.
pub(super) const TOLERANCE_SHARE: f64 = 2e-9;

/// Capacity of every node in cores, with its substitute where it is unknown.
pub(super) fn capacities(nodes: &[Node]) -> Vec<f64> {
    let known = |node: &Node| {
        let cores = (node.cpu_cores? / RESOLUTION_CORES).round() * RESOLUTION_CORES;
        (cores > 0.0).then_some(cores)
    };
    let mut sorted: Vec<f64> = nodes.iter().filter_map(known).collect();
    sorted.sort_by(f64::total_cmp);
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or(ASSUMED_CAPACITY);
    nodes.iter().map(|node| known(node).unwrap_or(median)).collect()
}

/// Load of every executor in cores.
pub(super) fn loads(scene: &Scene<'_>) -> Vec<f64> {
    let mut loads = vec![ASSUMED_LOAD; scene.executors.len()];
    for topology in &scene.topologies {
        let members = &scene.executors[topology.executors.clone()];
        let mut sums = vec![(0.0, 0.0); topology.wire.components.len()];
        for executor in members {
            if let (Some(at), Some(cores)) = (executor.component, executor.cores) {
                let (sum, measured) = sums[at as usize];
                sums[at as usize] = (sum + cores, measured + 1.0);
            }
        }
        for (executor, load) in members.iter().zip(&mut loads[topology.executors.clone()]) {
            let Some(at) = executor.component else { continue };
            let (sum, measured) = sums[at as usize];
            let request = topology.wire.components[at as usize].cpu_request_pcore.map(|p| p / 100.0);
            let request = request.filter(|cores| (cores / RESOLUTION_CORES).round() > 0.0);
            let mean = (measured > 0.0).then(|| sum / measured);
            let known = executor.cores.or(mean).or(request).unwrap_or(ASSUMED_LOAD);
            // What idles weighs the least that counts: zero would be nothing for it to take what its worker's others leave.
            *load = known.max(RESOLUTION_CORES);
        }
        let young_secs = scene.settings.number("load.young.secs");
        let ages = worker_cpu::Ages { young_secs, warm_secs: scene.settings.number("load.warm.secs") };
        worker_cpu::fit(topology.wire, members, ages, &mut loads[topology.executors.clone()]);
    }
    loads
}

/// Coverage by measured loads.
#[derive(Default)]
pub(super) struct Covered {
    pub(super) measured: u32,
    pub(super) expected: u32,
    pub(super) missing: Vec<MissingLoad>,
}

/// Measured over measurable: bolts, and of the others those that were measured.
pub(super) fn covered(scene: &Scene<'_>) -> Covered {
    let mut covered = Covered::default();
    for topology in &scene.topologies {
        let mut counts = vec![(0_u32, 0_u32); topology.wire.components.len()];
        for executor in &scene.executors[topology.executors.clone()] {
            if let Some(at) = executor.component {
                counts[at as usize].0 += 1;
                counts[at as usize].1 += u32::from(executor.cores.is_some());
            }
        }
        for (component, (all, measured)) in topology.wire.components.iter().zip(counts) {
            let expected = if component.kind == ComponentKind::Bolt { all } else { measured };
            covered.expected += expected;
            covered.measured += measured;
            if expected > measured {
                covered.missing.push(MissingLoad {
                    topology: topology.wire.id.clone(),
                    component: component.id.clone(),
                    executors: expected - measured,
                });
            }
        }
    }
    covered.missing.sort_by(|a, b| (&a.topology, &a.component).cmp(&(&b.topology, &b.component)));
    covered
}

/// Balance of one placement.
pub(super) struct Figures<'r> {
    pub(super) load_distance: f64,
    pub(super) overload: f64,
    pub(super) mean: f64,
    pub(super) drained_cores: f64,
    pub(super) unlisted_cores: f64,
    /// Load on listed nodes.
    pub(super) total_cores: f64,
    /// By node of the scene.
    pub(super) nodes: Vec<NodeFigures>,
    /// Beside CPU, by name.
    pub(super) resources: Vec<Resource<'r>>,
    /// How far a share may be off: each load of a reply is rounded to a millionth of a core.
    pub(super) share_tolerance: f64,
}

#[derive(Clone, Copy, Default)]
pub(super) struct NodeFigures {
    pub(super) cores: f64,
    pub(super) utilisation: f64,
    pub(super) workers: u32,
    pub(super) executors: u32,
}

/// How far a sum of so many loads may be off, in cores.
pub(super) fn cores_tolerance(executors: u32) -> f64 {
    RESOLUTION_CORES * f64::from(executors + 1)
}

impl<'r> Figures<'r> {
    pub(super) fn of(scene: &Scene<'r>, when: When) -> Self {
        let mut nodes = vec![NodeFigures::default(); scene.nodes.len()];
        for (executor, load) in scene.executors.iter().zip(&scene.loads) {
            if let Some((node, _)) = executor.slot(when) {
                nodes[node as usize].cores += load;
                nodes[node as usize].executors += 1;
            }
        }
        let workers = if when == When::Before { &scene.workers_before } else { &scene.workers_after };
        workers.iter().for_each(|worker| nodes[worker.slot.0 as usize].workers += 1);
        let mut figures = Figures {
            load_distance: 0.0,
            overload: 0.0,
            mean: 0.0,
            drained_cores: 0.0,
            unlisted_cores: 0.0,
            total_cores: 0.0,
            nodes,
            resources: resources::of(scene, when),
            share_tolerance: TOLERANCE_SHARE,
        };
        figures.sum_up(scene);
        figures
    }

    fn sum_up(&mut self, scene: &Scene<'_>) {
        let (mut capacity, mut executors) = (0.0, 0);
        for (node, figures) in scene.nodes.iter().zip(&mut self.nodes) {
            if !node.listed {
                self.unlisted_cores += figures.cores;
                continue;
            }
            self.total_cores += figures.cores;
            executors += figures.executors;
            figures.utilisation = figures.cores / node.capacity;
            if node.state == NodeState::Draining {
                self.drained_cores += figures.cores;
            } else {
                capacity += node.capacity;
            }
            let rounding = cores_tolerance(figures.executors) / node.capacity;
            self.share_tolerance = self.share_tolerance.max(rounding);
        }
        if capacity > 0.0 {
            self.mean = self.total_cores / capacity;
            self.share_tolerance += cores_tolerance(executors) / capacity;
        }
        let limit = scene.settings.number("overload");
        for (node, figures) in scene.nodes.iter().zip(&self.nodes).filter(|(node, _)| node.listed) {
            self.overload += (figures.utilisation - limit).max(0.0);
            let above = figures.utilisation - self.mean;
            let distance = if node.state == NodeState::Draining { above.max(0.0) } else { above.abs() };
            self.load_distance = self.load_distance.max(distance);
        }
        for resource in &self.resources {
            self.overload += resource.overload;
            self.load_distance = self.load_distance.max(resource.load_distance);
            self.share_tolerance = self.share_tolerance.max(resource.tolerance);
        }
    }
}
