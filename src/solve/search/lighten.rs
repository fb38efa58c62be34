//! Less state to be read again for the same balance: another worker moves, or another executor changes hands.

use super::field::NONE;
use super::polish::{clean, keep_if_better};
use super::score::Score;
use super::state::State;
use crate::solve::Budget;

/// Exchanges what moved for what could have moved instead, where that ships less and costs nothing before it. One step
/// of the budget is one exchange tried.
pub(super) fn lighten(state: &mut State, budget: &mut Budget) {
    if state.field.own.is_empty() || state.shipped == 0 {
        return;
    }
    let mut score = Score::of(state);
    for worker in 0..state.node.len() as u32 {
        if state.node[worker as usize] != NONE && state.is_dirty(worker) && !state.is_home(worker) {
            stay_instead(state, worker, &mut score, budget);
        }
    }
    for executor in 0..state.worker.len() as u32 {
        if state.worker[executor as usize] != NONE
            && state.worker[executor as usize] != state.field.home[executor as usize]
        {
            go_instead(state, executor, &mut score, budget);
        }
    }
}

/// A worker stays and another of its node goes where it went.
fn stay_instead(state: &mut State, mut worker: u32, score: &mut Score, budget: &mut Budget) {
    let Some(home) = state.field.pieces[worker as usize].home else { return };
    let away = state.node[worker as usize];
    for other in state.on[home.node.at()].clone() {
        if state.is_dirty(other) || !budget.step() {
            continue;
        }
        let mark = state.mark();
        state.send(other, NONE);
        if clean(state, worker) && state.fits(other, away as usize) {
            state.send(other, away);
            if keep_if_better(state, mark, score) {
                worker = other;
            }
        } else {
            state.undo(mark);
        }
    }
}

/// An executor goes back to its worker and another of that worker goes where it was.
fn go_instead(state: &mut State, mut executor: u32, score: &mut Score, budget: &mut Budget) {
    let (home, host) = (state.field.home[executor as usize], state.worker[executor as usize]);
    for other in state.executors[home as usize].clone() {
        if state.field.home[other as usize] != home || !budget.step() {
            continue;
        }
        let node = state.node[host as usize] as usize;
        if !state.may_hold(host, node, other) {
            continue;
        }
        let mark = state.mark();
        state.give(executor, home);
        state.give(other, host);
        let sound = state.is_sound(home) && state.is_sound(host);
        if !sound {
            state.undo(mark);
        } else if keep_if_better(state, mark, score) {
            executor = other;
        }
    }
}
