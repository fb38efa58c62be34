//! What a placement is worth: one term a file.

mod balance;
mod migration;

pub use balance::{Balance, NodeLoad};
pub use migration::{Migration, restarts};
