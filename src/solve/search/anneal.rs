//! Annealing on whole workers: what closes the gap where each worker is one key group.
//!
//! Five kinds of proposals, all within the restarts: send a worker away, send a restarted one elsewhere or back home,
//! let two restarted ones exchange their destinations, let another worker of the same node, or of any, go in a
//! restarted one's place. Acceptance draws from integers only, so that every machine takes the same path.

use super::field::NONE;
use super::repair::violation;
use super::state::State;
use crate::solve::Budget;
use crate::solve::band::Band;

/// Proposals that make one step of the budget: as much work as one step of the greedy on a small cluster.
const PROPOSALS: usize = 64;

/// A chain from hot to cold for one band.
pub(super) struct Anneal<'a> {
    pub(super) band: &'a Band,
    /// Restarts the whole placement may cost.
    pub(super) restarts: usize,
    pub(super) random: &'a mut fastrand::Rng,
    /// Steps of the budget the chain takes.
    pub(super) steps: usize,
    /// Largest worsening let through at first, in millionths of a core.
    pub(super) heat: i64,
}

/// Workers that change their node together.
#[derive(Debug, Clone, Copy)]
struct Proposal {
    sends: [(u32, u32); 2],
    count: usize,
}

impl Anneal<'_> {
    /// Runs the chain; the state ends as the best one seen. Returned is its violation.
    pub(super) fn run(&mut self, state: &mut State, budget: &mut Budget) -> i64 {
        let mut left = violation(state, self.band);
        // Only nodes of workers change here: they say all there is to a state.
        let mut best = (left, state.node.clone());
        let mut away: Vec<u32> =
            (0..state.node.len() as u32).filter(|worker| is_away(state, *worker)).collect();
        for step in 0..self.steps {
            if best.0 == 0 || !budget.step() {
                break;
            }
            // Geometric cooling by halves, ten of them, straight in between.
            let (halves, part) = (step * 10 / self.steps, step * 10 % self.steps);
            let heat = self.heat >> halves;
            let heat = heat - heat / 2 * part as i64 / self.steps as i64;
            for _ in 0..PROPOSALS {
                let Some(proposal) = self.propose(state, &away) else { continue };
                let change = self.change(state, &proposal);
                let worse = change > 0 && change >= self.random.i64(0..heat.max(1));
                if worse || !self.apply(state, &proposal) {
                    continue;
                }
                left += change;
                for (worker, _) in &proposal.sends[..proposal.count] {
                    note(state, &mut away, *worker);
                }
                if left < best.0 {
                    debug_assert_eq!(left, violation(state, self.band), "after {proposal:?}");
                    best.0 = left;
                    best.1.copy_from_slice(&state.node);
                    if left == 0 {
                        break;
                    }
                }
            }
        }
        for (worker, node) in best.1.into_iter().enumerate() {
            if state.node[worker] != node {
                state.send(worker as u32, node);
            }
        }
        state.keep();
        best.0
    }

    fn propose(&mut self, state: &State, away: &[u32]) -> Option<Proposal> {
        let node = self.random.usize(..state.load.len()) as u32;
        let one = |worker, to| Some(Proposal { sends: [(worker, to), (NONE, NONE)], count: 1 });
        let kind = self.random.u8(..8);
        if away.is_empty() || (kind < 2 && state.dirty < self.restarts) {
            let worker = self.any(state)?;
            return one(worker, node);
        }
        let gone = away[self.random.usize(..away.len())];
        let at = state.node[gone as usize];
        let home = state.field.pieces[gone as usize].home?.node.at() as u32;
        let both = |worker, to| Some(Proposal { sends: [(gone, home), (worker, to)], count: 2 });
        match kind {
            2 => one(gone, home),
            3 => one(gone, node),
            4 => {
                let other = away[self.random.usize(..away.len())];
                let there = state.node[other as usize];
                (there != at).then_some(Proposal { sends: [(gone, there), (other, at)], count: 2 })
            }
            5 | 6 => {
                let neighbors = &state.on[home as usize];
                let worker = *neighbors.get(self.random.usize(..neighbors.len().max(1)))?;
                both(worker, at)
            }
            _ => {
                let worker = self.any(state).filter(|worker| *worker != gone)?;
                both(worker, if self.random.bool() { at } else { node })
            }
        }
    }

    fn any(&mut self, state: &State) -> Option<u32> {
        let worker = self.random.usize(..state.node.len()) as u32;
        (state.node[worker as usize] != NONE).then_some(worker)
    }

    /// Violation that a proposal adds.
    fn change(&self, state: &State, proposal: &Proposal) -> i64 {
        let mut nodes = [(0_usize, 0_i64); 4];
        let mut count = 0;
        let mut add = |node: u32, load: i64| {
            let node = node as usize;
            match nodes[..count].iter_mut().find(|(known, _)| *known == node) {
                Some((_, sum)) => *sum += load,
                None => {
                    nodes[count] = (node, load);
                    count += 1;
                }
            }
        };
        for (worker, to) in &proposal.sends[..proposal.count] {
            let load = state.worker_load[*worker as usize];
            add(state.node[*worker as usize], -load);
            add(*to, load);
        }
        let outside = |(node, change): &(usize, i64)| {
            let load = state.load[*node];
            self.band.violation(*node, load + change) - self.band.violation(*node, load)
        };
        nodes[..count].iter().map(outside).sum()
    }

    /// Carries a proposal out if slots, memory and restarts suffice.
    fn apply(&self, state: &mut State, proposal: &Proposal) -> bool {
        state.keep();
        let mark = state.mark();
        let [(one, to), (other, back)] = proposal.sends;
        if state.node[one as usize] == to || (proposal.count == 2 && state.node[other as usize] == back) {
            return false;
        }
        let crossing =
            proposal.count == 2 && back == state.node[one as usize] && to == state.node[other as usize];
        if crossing {
            if !state.may_swap(one, other) {
                return false;
            }
            state.send(one, to);
            state.send(other, back);
        } else {
            for (worker, node) in &proposal.sends[..proposal.count] {
                if !state.fits(*worker, *node as usize) {
                    state.undo(mark);
                    return false;
                }
                state.send(*worker, *node);
            }
        }
        if state.dirty > self.restarts || state.bytes_left() < 0 {
            state.undo(mark);
            return false;
        }
        true
    }
}

fn is_away(state: &State, worker: u32) -> bool {
    state.node[worker as usize] != NONE && !state.is_home(worker)
}

/// Keeps the list of workers away from home true after a worker was sent.
fn note(state: &State, away: &mut Vec<u32>, worker: u32) {
    let known = away.iter().position(|known| *known == worker);
    match (is_away(state, worker), known) {
        (true, None) => away.push(worker),
        (false, Some(at)) => {
            away.swap_remove(at);
        }
        _ => {}
    }
}
