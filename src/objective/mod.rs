//! What a placement is worth: one term a file.

mod balance;
mod migration;

pub(crate) use balance::distance;
pub use balance::{Balance, NodeLoad};
pub use migration::{Migration, restarts};
