//! The fast path: homeless executors get a slot at once, in one pass and without a search.
//!
//! Back home first ([`home`]). Then topology by topology, the more urgent and the larger first: where memory and heap
//! are to be honored executors are packed ([`pack`]), elsewhere they are spread evenly ([`spread`]). Invariant: no
//! running executor changes its slot; what fits nowhere is noted with what is missing, never dropped.

mod cluster;
mod fill;
mod home;
mod missing;
mod pack;
mod room;
mod spread;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use crate::model::{ExecutorIx, Placement, Problem, Topology, TopologyIx};
use crate::units::{Load, Size};
use crate::wire::Note;
use room::Room;

/// Gives every homeless executor of an enabled topology a slot: its last one if that is free or still its topology's,
/// else one on its last node, else the best there is. Running workers take in executors only where no slot is free.
pub fn homeless(problem: &Problem, placement: &mut Placement, notes: &mut Vec<Note>) {
    let mut waiting = waiting(problem, placement);
    if waiting.is_empty() {
        return;
    }
    let mut room = Room::of(problem, placement);
    home::send(&mut room, &mut waiting, notes);
    let mut left = Vec::new();
    for at in 0..waiting.len() {
        let (topology, executors) = (waiting[at].0, std::mem::take(&mut waiting[at].1));
        // Each topology still to come needs one slot of its own, however many those before it ask for.
        let later =
            waiting[at + 1..].iter().filter(|(t, all)| !all.is_empty() && room.workers(*t).len() == 0);
        let reserve = later.count();
        left.extend(if packs(problem, problem.topology(topology)) {
            pack::pack(&mut room, topology, executors)
        } else {
            spread::spread(&mut room, topology, executors, reserve)
        });
    }
    missing::note(&room, &left, notes);
}

/// Homeless executors by topology, in the order in which they are served: Storm's priority, then the larger demand,
/// which is harder to fit, then the id.
fn waiting(problem: &Problem, placement: &Placement) -> Vec<(TopologyIx, Vec<ExecutorIx>)> {
    let mut waiting: Vec<(TopologyIx, Vec<ExecutorIx>)> = Vec::new();
    for executor in placement.homeless() {
        let topology = problem.executor(executor).topology;
        match waiting.last_mut() {
            _ if !problem.topology(topology).enabled => {}
            Some((last, executors)) if *last == topology => executors.push(executor),
            _ => waiting.push((topology, vec![executor])),
        }
    }
    waiting.sort_by_cached_key(|(topology, executors)| {
        let all = || executors.iter().map(|executor| problem.executor(*executor));
        let cpu: Load = all().map(cpu_demand).sum();
        let memory: Size = all().map(|executor| executor.memory()).sum();
        (problem.topology(*topology).priority, Reverse((cpu, memory)), *topology)
    });
    waiting
}

/// CPU an executor is reckoned with: what it requested, else its load.
fn cpu_demand(executor: &crate::model::Executor) -> Load {
    if executor.cpu_request > Load::ZERO { executor.cpu_request } else { executor.load }
}

/// True where the heap rules how many workers there are, as in `ResourceAwareScheduler`.
fn packs(problem: &Problem, topology: &Topology) -> bool {
    let mut executors = problem.executors[topology.executors.clone()].iter();
    topology.worker_heap_max.is_some() && executors.any(|executor| executor.onheap > Size::ZERO)
}
