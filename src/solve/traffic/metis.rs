//! METIS, called so that it is no danger to the process around it.
//!
//! METIS draws from libc's one `rand` and, while it runs, catches SIGABRT and SIGTERM to come back from errors deep
//! inside (GKlib, `error.c`). It puts the former handlers back by `signal`, which loses their flags, those of a JVM's
//! too. So one call runs at a time, and the handlers are put back as they were by `sigaction`. A SIGTERM that arrives in
//! the milliseconds between ends the process without its shutdown hooks.

use std::mem::MaybeUninit;
use std::sync::{Mutex, PoisonError};

use metis::{Graph as Metis, Idx, option::Seed};

use super::cut::Graph;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Pieces by METIS's recursive bisection, the better of its two ways for few parts; none where it refuses.
pub(super) fn partition(graph: &Graph, shares: &[i64]) -> Option<Vec<usize>> {
    if graph.weights.len() < shares.len() || shares.is_empty() {
        return None;
    }
    // METIS counts in 32 bits, so weights are scaled down; none may become zero.
    let scale = |all: &mut dyn Iterator<Item = i64>| all.max().unwrap_or(1) / (1 << 16) + 1;
    let heavy = scale(&mut graph.weights.iter().copied());
    let loud = scale(&mut graph.edges.iter().map(|edge| edge.2));
    let mut neighbors = vec![Vec::new(); graph.weights.len()];
    for (one, other, rate) in &graph.edges {
        let weight = (rate / loud).max(1) as Idx;
        neighbors[*one].push((*other as Idx, weight));
        neighbors[*other].push((*one as Idx, weight));
    }
    let mut starts: Vec<Idx> = vec![0];
    for list in &neighbors {
        starts.push(starts[starts.len() - 1] + list.len() as Idx);
    }
    let (adjacent, edge_weights): (Vec<Idx>, Vec<Idx>) = neighbors.into_iter().flatten().unzip();
    let weights: Vec<Idx> = graph.weights.iter().map(|weight| (weight / heavy).max(1) as Idx).collect();
    let all = shares.iter().sum::<i64>().max(1) as f32;
    let targets: Vec<f32> = shares.iter().map(|share| *share as f32 / all).collect();
    let mut pieces: Vec<Idx> = vec![0; weights.len()];
    let call = Metis::new(1, shares.len() as Idx, &starts, &adjacent)
        .ok()?
        .set_vwgt(&weights)
        .set_adjwgt(&edge_weights)
        .set_tpwgts(&targets)
        .set_option(Seed(1));
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let _handlers = Handlers::now();
    call.part_recursive(&mut pieces).ok()?;
    Some(pieces.into_iter().map(|piece| piece as usize).collect())
}

/// The handlers of the signals that METIS catches; put back when dropped.
struct Handlers([(libc::c_int, Option<libc::sigaction>); 2]);

impl Handlers {
    fn now() -> Self {
        Self([libc::SIGABRT, libc::SIGTERM].map(|signal| (signal, handler(signal))))
    }
}

fn handler(signal: libc::c_int) -> Option<libc::sigaction> {
    let mut now = MaybeUninit::uninit();
    // SAFETY: with no new action given, sigaction only fills `now`, and has filled it when it returns 0.
    unsafe { (libc::sigaction(signal, std::ptr::null(), now.as_mut_ptr()) == 0).then(|| now.assume_init()) }
}

impl Drop for Handlers {
    fn drop(&mut self) {
        for (signal, action) in &self.0 {
            if let Some(action) = action {
                // SAFETY: the action is one that was in force for this signal, and the old one is not asked for.
                unsafe { libc::sigaction(*signal, action, std::ptr::null_mut()) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_handlers_of_the_process_are_those_from_before_with_their_flags() {
        extern "C" fn ours(_: libc::c_int, _: *mut libc::siginfo_t, _: *mut libc::c_void) {}
        let former = handler(libc::SIGTERM).unwrap();
        let mut action = former;
        action.sa_sigaction = ours as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
        // SAFETY: the handler does nothing, and the former one comes back below.
        unsafe { libc::sigaction(libc::SIGTERM, &action, std::ptr::null_mut()) };
        let graph = Graph { weights: vec![1; 4], edges: vec![(0, 1, 5), (1, 2, 1), (2, 3, 5)] };
        let pieces = partition(&graph, &[1, 1]);
        let after = handler(libc::SIGTERM).unwrap();
        // SAFETY: it was in force before.
        unsafe { libc::sigaction(libc::SIGTERM, &former, std::ptr::null_mut()) };
        assert_eq!(pieces.map(|pieces| pieces[0] == pieces[1] && pieces[1] != pieces[2]), Some(true));
        assert_eq!(after.sa_sigaction, action.sa_sigaction);
        assert_eq!(after.sa_flags & libc::SA_SIGINFO, libc::SA_SIGINFO);
        assert_eq!(after.sa_flags & libc::SA_ONSTACK, libc::SA_ONSTACK);
    }
}
