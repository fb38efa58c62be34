//! The papers' problem over groups that move as one: balance under a budget of moves, of bytes, or of both.
//!
//! ALBIC (ICDE 2017), the MILP of its section on load balance: every group k with load g_k and present node a_k gets one
//! node; u_i is the load of node i over its capacity; the load distance d is the largest |u_i - mean|, of a draining
//! node only what lies above; the groups away from a_k must not cost more than the budget allows. A group here is
//! whatever moves as one: a key group, a whole worker, a partition that ALBIC made.
//!
//! Nothing here knows topologies, slots by port or executors: an [`Instance`] is plain vectors, so that a million groups
//! fit into 200 MB.

mod bound;
mod instance;
mod of_problem;
mod search;

pub use bound::{bytes_needed, drained_at_least, sharpen};
pub use instance::{Copies, Host, Instance, Resource};
pub use of_problem::Workers;
pub use search::solve;

use crate::units::Share;

/// A lower bound of the load distance within the budgets: of all resources the largest.
pub fn bound(instance: &Instance) -> Share {
    let others = instance.resources.iter().map(|resource| bound::bound(&instance.seen_by(resource)));
    others.fold(bound::bound(instance), Share::max)
}

/// A lower bound of the moves that a load distance costs, whatever the budget; none when no number of moves reaches it.
pub fn moves_needed(instance: &Instance, distance: Share) -> Option<u64> {
    let mut needed = bound::moves_needed(instance, distance)?;
    for resource in &instance.resources {
        needed = needed.max(bound::moves_needed(&instance.seen_by(resource), distance)?);
    }
    Some(needed)
}
