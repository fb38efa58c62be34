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

pub use bound::{bound, bytes_needed, drained_at_least, moves_needed, sharpen};
pub use instance::{Copies, Host, Instance};
pub use of_problem::Workers;
pub use search::solve;
