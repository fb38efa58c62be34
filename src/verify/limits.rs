//! Hard limits of memory: heap of a worker, memory of a node. One already broken may not get worse.

use super::scene::{Scene, When, Worker};
use super::{Found, Rule};

/// Requests are given in MiB with fractions; sums of them may differ by rounding.
const TOLERANCE_MIB: f64 = 1e-3;

pub(super) fn check(scene: &Scene<'_>, found: &mut Found) {
    for worker in &scene.workers_after {
        heap(scene, worker, found);
    }
    let (before, after) = (memory(scene, When::Before), memory(scene, When::After));
    for (at, node) in scene.nodes.iter().enumerate() {
        let Some(limit) = node.memory_mib else { continue };
        if after[at] > limit + TOLERANCE_MIB && after[at] > before[at] + TOLERANCE_MIB {
            let (was, is) = (before[at], after[at]);
            let detail = format!("node {} gets {is:.1} MiB of {limit:.1}, it had {was:.1}", node.id);
            found.add(Rule::NodeMemory, detail);
        }
    }
}

/// True when a limit that was broken before is broken less, and none more.
pub(super) fn mended(scene: &Scene<'_>) -> bool {
    let excess = |when: When| -> f64 {
        let memory = memory(scene, when);
        let of_nodes = scene.nodes.iter().zip(memory);
        let of_nodes: f64 = of_nodes.map(|(n, used)| n.memory_mib.map_or(0.0, |m| (used - m).max(0.0))).sum();
        let workers = if when == When::Before { &scene.workers_before } else { &scene.workers_after };
        let of_workers =
            workers.iter().filter_map(|w| Some((heap_of(scene, w) - heap_max(scene, w)?).max(0.0)));
        of_nodes + of_workers.sum::<f64>()
    };
    excess(When::After) + TOLERANCE_MIB < excess(When::Before)
}

fn heap(scene: &Scene<'_>, worker: &Worker, found: &mut Found) {
    let Some(limit) = heap_max(scene, worker) else { return };
    let heap = heap_of(scene, worker);
    if heap <= limit + TOLERANCE_MIB {
        return;
    }
    // A broken worker may lose executors or move as a whole; what it becomes is held against what it was.
    let origins = worker.executors.iter().filter_map(|at| scene.executors[*at as usize].before);
    let was = origins
        .filter_map(|slot| scene.worker_before(slot, worker.topology))
        .map(|origin| heap_of(scene, origin))
        .fold(0.0, f64::max);
    if heap > was + TOLERANCE_MIB {
        let slot = scene.slot_name(worker.slot);
        let topology = scene.topology_id(worker.topology);
        let detail =
            format!("worker {slot} of {topology} gets a heap of {heap:.1} MiB, the limit is {limit:.1}");
        found.add(Rule::WorkerHeap, detail);
    }
}

fn heap_max(scene: &Scene<'_>, worker: &Worker) -> Option<f64> {
    scene.topologies[worker.topology as usize].wire.worker_heap_max_mib
}

pub(super) fn heap_of(scene: &Scene<'_>, worker: &Worker) -> f64 {
    worker.executors.iter().map(|at| scene.executors[*at as usize].heap_mib).sum()
}

fn memory(scene: &Scene<'_>, when: When) -> Vec<f64> {
    let mut used = vec![0.0; scene.nodes.len()];
    for executor in &scene.executors {
        if let Some((node, _)) = executor.slot(when) {
            used[node as usize] += executor.memory_mib;
        }
    }
    used
}
