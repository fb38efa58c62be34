//! Number of workers of a topology.

use super::limits::heap_of;
use super::scene::{Scene, Worker};
use super::{Found, Rule};

pub(super) fn check(scene: &Scene<'_>, found: &mut Found) {
    let before = counts(scene, &scene.workers_before);
    let after = counts(scene, &scene.workers_after);
    for (at, topology) in scene.topologies.iter().enumerate().filter(|(_, topology)| topology.named) {
        let (asked, was, is) = (topology.wire.workers.max(1) as usize, before[at], after[at]);
        let id = &topology.wire.id;
        if is > asked.max(was)
            && let Some(why) = needless(scene, at as u32)
        {
            let detail = format!("{id} gets {is} workers, {asked} are asked for and {was} there: {why}");
            found.add(Rule::TooManyWorkers, detail);
        }
        if is < asked.min(was) {
            let detail = format!("{id} gets {is} workers, {asked} are asked for and {was} there");
            found.add(Rule::TooFewWorkers, detail);
        }
    }
}

fn counts(scene: &Scene<'_>, workers: &[Worker]) -> Vec<usize> {
    let mut counts = vec![0; scene.topologies.len()];
    for worker in workers {
        counts[worker.topology as usize] += 1;
    }
    counts
}

/// Why the workers beyond those asked for are not demanded by the heap, if they are not: there is no heap limit, or
/// two workers opened on one node would fit into one, which changes nothing else of that node. A worker that comes back
/// as it was is not asked why it is there.
fn needless(scene: &Scene<'_>, topology: u32) -> Option<String> {
    let facts = &scene.topologies[topology as usize];
    let demands = scene.executors[facts.executors.clone()].iter().any(|e| e.heap_mib > 0.0);
    let Some(limit) = facts.wire.worker_heap_max_mib.filter(|_| demands) else {
        return Some("no limit of the heap demands more".to_owned());
    };
    let opened = scene.workers_after.iter().filter(|w| {
        w.topology == topology && scene.worker_before(w.slot, topology).is_none() && !comes_back(scene, w)
    });
    let mut opened: Vec<(u32, f64, u16)> = opened.map(|w| (w.slot.0, heap_of(scene, w), w.slot.1)).collect();
    opened.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    let pair = opened.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].1 + pair[1].1 <= limit)?;
    Some(format!(
        "{} and {} hold {:.1} and {:.1} MiB of {limit:.1}",
        scene.slot_name((pair[0].0, pair[0].2)),
        scene.slot_name((pair[1].0, pair[1].2)),
        pair[0].1,
        pair[1].1
    ))
}

/// True for a worker whose executors were one worker before they became homeless.
fn comes_back(scene: &Scene<'_>, worker: &Worker) -> bool {
    let last = |at: &u32| scene.executors[*at as usize].last;
    let home = last(&worker.executors[0]);
    home.is_some() && worker.executors.iter().all(|at| last(at) == home)
}
