//! Whole workers and what they send each other: what the strategies that collocate move.
//!
//! A group is a worker here, as in [`super::groups`]: it is what restarts. Beside the papers' balance problem a
//! [`Field`] has the traffic of every group, and a [`State`] keeps both up to date while groups are sent about.

mod cut;
mod field;
mod links;
mod measure;
#[cfg(feature = "metis")]
mod metis;
mod score;
mod state;

pub(super) use cut::{Graph, cut};
pub(super) use field::{Field, NONE};
#[cfg(test)]
pub(super) use score::talking;
pub(super) use state::{Sent, State};
