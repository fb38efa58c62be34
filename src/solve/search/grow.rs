//! Workers that a topology asked for and does not have: split the fullest one, and stay on its node if it has a slot.

use super::field::NONE;
use super::score::Score;
use super::state::State;
use crate::units::Share;

/// Opens missing workers while restarts are left and no goal before this one suffers.
pub(super) fn grow(state: &mut State, restarts: usize) {
    // Balance inside the limit counts for nothing in a score, but no plan may leave it worse than it found it.
    let farthest =
        Score::of(state).load_distance().max(Score::of(&State::present(state.field)).load_distance());
    for topology in 0..state.field.by_topology.len() {
        while split_one(state, topology, restarts, farthest) {}
    }
}

/// Splits the fullest worker of a topology in two, if it can be.
fn split_one(state: &mut State, topology: usize, restarts: usize, farthest: Share) -> bool {
    let of = &state.field.by_topology[topology];
    let Some(unopened) = of.iter().copied().find(|worker| state.node[*worker as usize] == NONE) else {
        return false;
    };
    let open = of.iter().copied().filter(|worker| state.node[*worker as usize] != NONE);
    let fullness = |worker: &u32| {
        let at = *worker as usize;
        (state.executors[at].len(), state.worker_load[at], std::cmp::Reverse(*worker))
    };
    let Some(fullest) = open.max_by_key(fullness) else { return false };
    if state.executors[fullest as usize].len() < 2 || state.dirty + state.price(fullest) > restarts {
        return false;
    }
    let before = Score::of(state);
    let here = state.node[fullest as usize] as usize;
    let mut nodes: Vec<usize> = (0..state.load.len()).filter(|node| state.can_open_on(*node)).collect();
    nodes.sort_by_key(|node| (*node != here, state.load[*node], *node));
    for node in nodes {
        let mark = state.mark();
        state.send(unopened, node as u32);
        halve(state, fullest, unopened, node);
        let gave = !state.executors[unopened as usize].is_empty();
        let now = Score::of(state);
        if gave && state.bytes_left() >= 0 && now < before && now.load_distance() <= farthest {
            return true;
        }
        state.undo(mark);
        // Only a few of the lightest nodes are worth a look when the worker's own has no slot.
        if node != here && state.load[node] > state.load[here] {
            break;
        }
    }
    false
}

/// Hands every second executor over, by falling load, so that both halves are of a size.
fn halve(state: &mut State, from: u32, to: u32, node: usize) {
    let mut executors = state.executors[from as usize].clone();
    executors.sort_unstable_by_key(|executor| (-state.load_of(*executor), *executor));
    // The second of each pair goes, the first of the next pair stays: 1 2 | 3 4 gives {1, 4} and {2, 3}.
    for (at, executor) in executors.into_iter().enumerate() {
        let need = super::state::Need::of(state, executor);
        if matches!(at % 4, 1 | 2) && state.may_hold(to, node, executor) && state.bears(to, node, need) {
            state.give(executor, to);
        }
    }
}
