//! Strategies of checkpoint allocation on the same made-up clusters, without a request around them.

mod recover;

pub use recover::{Recovery, recover};
