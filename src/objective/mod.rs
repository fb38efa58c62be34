//! What a placement is worth: one term a file.

mod balance;
mod collocation;
mod gain;
mod migration;
mod neighbors;
mod rows;
mod swing;

pub(crate) use balance::distance;
pub use balance::{Balance, NodeLoad, ResourceBalance};
pub use collocation::Collocation;
pub use gain::Gain;
pub use migration::{Migration, paused, restarts};
pub use neighbors::Neighbors;
pub use rows::{Choices, Column, Milp, Row, Unit};
