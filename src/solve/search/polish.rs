//! Takes back what a plan does not need: restarts first, then executors that changed their slot.

use super::field::NONE;
use super::score::Score;
use super::state::{Need, State};
use crate::solve::Budget;

/// Makes a state as cheap as it can be without a worse score. One step of the budget is one thing tried.
pub(super) fn polish(state: &mut State, budget: &mut Budget) {
    let mut score = Score::of(state);
    for worker in 0..state.node.len() as u32 {
        if state.is_dirty(worker) && budget.step() {
            let mark = state.mark();
            if clean(state, worker) {
                keep_if_better(state, mark, &mut score);
            } else {
                state.undo(mark);
            }
        }
    }
    for executor in 0..state.worker.len() as u32 {
        let home = state.field.home[executor as usize];
        if home == NONE || !state.is_displaced(executor) || state.worker[executor as usize] == home {
            continue;
        }
        let alone = state.executors[state.worker[executor as usize] as usize].len() == 1;
        let node = state.node[home as usize] as usize;
        if !alone && state.bears(home, node, Need::of(state, executor)) && budget.step() {
            let mark = state.mark();
            state.give(executor, home);
            keep_if_better(state, mark, &mut score);
        }
    }
    shorten(state, &mut score, budget);
    if state.field.own.is_empty() {
        return;
    }
    for executor in 0..state.worker.len() as u32 {
        if state.field.state(executor) > 0 {
            send_another(state, executor, &mut score, budget);
        }
    }
}

/// An executor with a state that left its worker comes back, and one of the worker's own with less goes for it.
fn send_another(state: &mut State, executor: u32, score: &mut Score, budget: &mut Budget) {
    let (host, home) = (state.worker[executor as usize], state.field.home[executor as usize]);
    if host == NONE || host == home {
        return;
    }
    for own in state.field.own[home as usize].clone() {
        let less = state.field.state(own) < state.field.state(executor);
        if !less || state.worker[own as usize] != home || !budget.step() {
            continue;
        }
        let mark = state.mark();
        state.give(executor, home);
        state.give(own, host);
        if !state.is_sound(home) || !state.is_sound(host) {
            state.undo(mark);
        } else if keep_if_better(state, mark, score) {
            return;
        }
    }
}

/// An executor that sits where one of the worker's own could be goes on to where that one went: one hop less.
fn shorten(state: &mut State, score: &mut Score, budget: &mut Budget) {
    for executor in 0..state.worker.len() as u32 {
        let host = state.worker[executor as usize];
        if host == NONE || host == state.field.home[executor as usize] {
            continue;
        }
        let topology = state.field.pieces[host as usize].topology;
        for own in state.field.problem.topologies[topology].executors.clone() {
            let guest = state.worker[own];
            if state.field.home[own] != host || guest == host || !budget.step() {
                continue;
            }
            let mark = state.mark();
            state.give(executor, guest);
            state.give(own as u32, host);
            if state.is_sound(guest) && state.is_sound(host) {
                keep_if_better(state, mark, score);
            } else {
                state.undo(mark);
            }
            if state.worker[executor as usize] != host {
                break;
            }
        }
    }
}

/// Keeps what was done since a mark if the score is better for it, else takes it back.
pub(super) fn keep_if_better(state: &mut State, mark: super::state::Mark, score: &mut Score) -> bool {
    let now = Score::of(state);
    let better = now < *score && state.bytes_left() >= 0;
    if better {
        *score = now;
    } else {
        state.undo(mark);
    }
    better
}

/// Puts a worker back as it is now: its node, its executors, and those of others back where they belong. False when
/// the slot is taken, a limit stands against it or a worker would be left empty; the caller then undoes it.
pub(super) fn clean(state: &mut State, worker: u32) -> bool {
    let at = worker as usize;
    let field = state.field;
    let Some(home) = field.pieces[at].home else { return false };
    let own: Vec<u32> = field.problem.topologies[field.pieces[at].topology]
        .executors
        .clone()
        .map(|executor| executor as u32)
        .filter(|executor| {
            field.home[*executor as usize] == worker && state.worker[*executor as usize] != worker
        })
        .collect();
    let foreign: Vec<u32> = state.executors[at]
        .iter()
        .copied()
        .filter(|executor| field.home[*executor as usize] != worker)
        .collect();
    let mut hosts: Vec<u32> = Vec::new();
    for executor in own {
        hosts.push(state.worker[executor as usize]);
        state.give(executor, worker);
    }
    for executor in foreign {
        let back = field.home[executor as usize];
        hosts.push(back);
        state.give(executor, back);
    }
    if !state.is_home(worker) {
        if !state.fits(worker, home.node.at()) {
            return false;
        }
        state.send(worker, home.node.at() as u32);
    }
    for host in hosts {
        if state.executors[host as usize].is_empty() {
            if field.pieces[host as usize].home.is_some() {
                return false;
            }
            if state.node[host as usize] != NONE {
                state.send(host, NONE);
            }
        }
        if state.node[host as usize] != NONE && !state.is_sound(host) {
            return false;
        }
    }
    state.is_sound(worker)
}
