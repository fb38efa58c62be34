//! Ballast, an integrative scheduler for Apache Storm.

pub mod engine;
#[cfg(feature = "jni")]
mod jni;
pub mod model;
pub mod objective;
pub mod place;
pub mod plan;
pub mod settings;
pub mod snapshot;
pub mod solve;
pub mod units;
pub mod verify;
pub mod wire;
