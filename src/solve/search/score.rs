//! What makes one placement better than another: the goals in their order.

use super::field::NONE;
use super::state::State;
use crate::model::{NodeState, Resource};
use crate::objective::distance;
use crate::units::{Load, Share, Size};

/// Goals of a placement, the first one first; smaller is better.
///
/// Balance inside `load.distance.max` is good enough, so what lies inside only breaks ties among plans of as many
/// restarts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    /// Sum of utilisations above the overload limit.
    pub(super) overload: Share,
    /// Load distance, no less than the limit.
    pub(super) distance: Share,
    /// Load on draining nodes, in millionths of a core.
    pub(super) drained: i64,
    /// Distances beyond the limit, the largest first: leximax, so that one node that cannot be helped does not hide
    /// ten that can.
    pub(super) beyond: Vec<Share>,
    /// Workers asked for and not open.
    pub(super) unopened: usize,
    /// What restarts and the state read again cost together.
    pub(super) price: i128,
    /// Workers restarted.
    pub(super) restarts: usize,
    /// Bytes of state read again.
    pub(super) shipped: i64,
    /// All distances, the largest first.
    pub(super) distances: Vec<Share>,
    /// Bytes of state that are not on the node their executor goes to.
    pub(super) uprooted: i64,
    /// Executors that change their slot.
    pub(super) displaced: usize,
}

impl Score {
    /// Score of a state.
    pub(super) fn of(state: &State) -> Self {
        let field = state.field;
        let limits = &field.problem.limits;
        let (mut overload, mut drained) = (Share::ZERO, 0);
        let mut distances = Vec::with_capacity(state.load.len());
        for (node, load) in field.problem.nodes.iter().zip(&state.load) {
            if node.state.listed() {
                let utilisation = Load(*load).over(node.capacity);
                overload += (utilisation - limits.overload).max(Share::ZERO);
                distances.push(distance(node.state, utilisation, field.mean));
            }
            if node.state == NodeState::Draining {
                drained += load;
            }
        }
        for resource in &field.problem.resources {
            let used = used(state, resource);
            let mean = resource.mean(field.problem, &used);
            let listed = (0..used.len()).filter(|at| field.problem.nodes[*at].state.listed());
            for (at, nearest) in listed.zip(&mut distances) {
                let utilisation = used[at].over(resource.capacity[at]);
                overload += (utilisation - limits.overload).max(Share::ZERO);
                *nearest = (*nearest).max(distance(field.problem.nodes[at].state, utilisation, mean));
            }
        }
        distances.sort_unstable_by_key(|distance| std::cmp::Reverse(*distance));
        let beyond = distances.partition_point(|distance| *distance > limits.distance_max);
        let unopened = field.pieces.iter().filter(|piece| piece.home.is_none()).count() - state.opened;
        Self {
            overload,
            distance: distances.first().copied().unwrap_or_default().max(limits.distance_max),
            drained,
            beyond: distances[..beyond].to_vec(),
            unopened,
            price: price(limits.restart_price, state),
            restarts: state.dirty,
            shipped: state.shipped,
            distances,
            uprooted: state.uprooted(),
            displaced: state.displaced(),
        }
    }

    /// Load distance.
    pub(super) fn load_distance(&self) -> Share {
        self.distances.first().copied().unwrap_or_default()
    }
}

/// In bytes; without a price of a restart no bytes outweigh one.
fn price(restart: Option<Size>, state: &State) -> i128 {
    let restart = restart.map_or(i64::MAX / 2, |price| price.0);
    state.dirty as i128 * i128::from(restart) + i128::from(state.shipped)
}

/// What a state uses of a resource on every node.
fn used(state: &State, resource: &Resource) -> Vec<Load> {
    let problem = state.field.problem;
    let mut used = vec![Load::ZERO; problem.nodes.len()];
    for executor in problem.executor_ids() {
        let worker = state.worker[executor.at()];
        let node = if worker == NONE {
            problem.present.slot(executor).map(|slot| slot.node.at())
        } else {
            Some(state.node[worker as usize] as usize)
        };
        if let Some(node) = node {
            used[node] += resource.usage[executor.at()];
        }
    }
    used
}
