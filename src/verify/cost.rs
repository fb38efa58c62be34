//! The price of the plan, counted again, and the budget.
//!
//! A worker that ran and is not found unchanged afterwards, slot and executors alike, is killed. Killed workers of a
//! topology beyond those it opens are stops, opened ones beyond those killed are starts.

use super::scene::{Scene, Worker};
use super::{Found, Rule, close};

/// Seconds.
const TOLERANCE_PAUSE: f64 = 1e-6;
/// Bytes.
const BYTES_A_MIB: f64 = 1_048_576.0;

pub(super) fn check(scene: &Scene<'_>, found: &mut Found) {
    let mut killed = vec![0_u32; scene.topologies.len()];
    let mut opened = vec![0_u32; scene.topologies.len()];
    let (mut paused, mut forced) = (0_u32, 0_u32);
    let (mut shipped, mut chosen) = (None, 0);
    for worker in &scene.workers_before {
        if scene.worker_after(worker.slot, worker.topology) != Some(worker) {
            killed[worker.topology as usize] += 1;
            paused += worker.executors.len() as u32;
            let known = worker.executors.iter().filter_map(|at| scene.shipped(*at));
            let bytes = known.fold(None, |sum, bytes| Some(sum.unwrap_or(0) + bytes));
            shipped = bytes.map_or(shipped, |bytes| Some(shipped.unwrap_or(0) + bytes));
            if only_took_in_homeless(scene, worker) {
                forced += 1;
            } else {
                chosen += bytes.unwrap_or(0);
            }
        }
    }
    for worker in &scene.workers_after {
        if scene.worker_before(worker.slot, worker.topology) != Some(worker) {
            opened[worker.topology as usize] += 1;
        }
    }
    let restarts: u32 = killed.iter().sum();
    let pairs = || killed.iter().zip(&opened);
    let starts: u32 = pairs().map(|(killed, opened)| opened.saturating_sub(*killed)).sum();
    let stops: u32 = pairs().map(|(killed, opened)| killed.saturating_sub(*opened)).sum();
    let cost = &scene.reply.cost;
    for (what, said, counted) in [
        ("restarts", cost.restarts, restarts),
        ("starts", cost.starts, starts),
        ("stops", cost.stops, stops),
        ("executors_paused", cost.executors_paused, paused),
    ] {
        if said != counted {
            found.add(Rule::Cost, format!("{what}: {said} said, {counted} counted"));
        }
    }
    let pause = f64::from(restarts) * scene.settings.number("cost.pause.secs");
    if !close(cost.pause_secs_estimate, pause, TOLERANCE_PAUSE) {
        let said = cost.pause_secs_estimate;
        found.add(Rule::Cost, format!("pause_secs_estimate: {said} said, {pause} counted"));
    }
    if cost.shipped_bytes != shipped {
        found.add(Rule::Cost, format!("shipped_bytes: {:?} said, {shipped:?} counted", cost.shipped_bytes));
    }
    let budget = scene.settings.number("budget.restarts");
    if f64::from(restarts - forced) > budget {
        let detail = format!(
            "{restarts} restarts, {forced} of them forced by homeless executors; the budget is {budget}"
        );
        found.add(Rule::Budget, detail);
    }
    if let Some(mib) = scene.settings.given_number("budget.state.mib")
        && chosen as f64 > (mib * BYTES_A_MIB).round()
    {
        let detail = format!("{chosen} bytes of state to be read again; the budget is {mib} MiB");
        found.add(Rule::Budget, detail);
    }
}

/// True when a killed worker kept its slot and all its executors, and what it gained had no home.
fn only_took_in_homeless(scene: &Scene<'_>, worker: &Worker) -> bool {
    let executor = |at: &u32| &scene.executors[*at as usize];
    let Some(after) = scene.worker_after(worker.slot, worker.topology) else { return false };
    worker.executors.iter().all(|at| !executor(at).moves() && executor(at).after.is_some())
        && after.executors.iter().all(|at| !executor(at).moves())
}
