//! What makes one plan better than another: the goals in their order.

use super::state::State;
use crate::units::{Load, Share};

/// Goals of a plan, the first one first; smaller is better.
///
/// Balance inside the target is good enough: what lies inside only breaks ties among plans of the same price.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    /// Sum of utilizations above the overload limit.
    pub(super) overload: Share,
    /// Load distance, no less than the target.
    pub(super) distance: Share,
    /// Load on draining hosts.
    pub(super) drained: i64,
    /// Distances beyond the target, the largest first: leximax, so that one host that cannot be helped does not hide
    /// ten that can.
    pub(super) beyond: Vec<Share>,
    /// What moves and bytes cost together.
    pub(super) price: i128,
    /// Moves spent.
    pub(super) moves: u64,
    /// Bytes spent.
    pub(super) bytes: i64,
    /// Load distance itself.
    pub(super) load_distance: Share,
}

impl Score {
    pub(super) fn of(state: &State) -> Self {
        let (field, instance) = (state.field, state.field.instance);
        let (mut overload, mut drained, mut load_distance) = (Share::ZERO, 0, Share::ZERO);
        let mut beyond = Vec::new();
        for (at, host) in instance.hosts.iter().enumerate() {
            if host.draining {
                drained += state.load[at];
            }
            if !host.listed {
                continue;
            }
            let mut farthest = Share::ZERO;
            for row in field.rows_of(at as u32) {
                let utilization = Load(state.load[row]).over(field.capacity_of(row));
                overload += (utilization - instance.overload).max(Share::ZERO);
                farthest = farthest.max(utilization.distance_from(field.mean_of(row), host.draining));
            }
            load_distance = load_distance.max(farthest);
            if farthest > instance.target {
                beyond.push(farthest);
            }
        }
        beyond.sort_unstable_by_key(|distance| std::cmp::Reverse(*distance));
        Self {
            overload,
            distance: load_distance.max(instance.target),
            drained,
            beyond,
            price: state.price(),
            moves: state.moves,
            bytes: state.bytes,
            load_distance,
        }
    }
}
