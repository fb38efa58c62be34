//! Where copies of states should lie: passive fault tolerance makes them anyway, so they are put where they make the next
//! failure harmless and the next migration cheap.
//!
//! CIKM 2015 (Madsen and Zhou) states the problem; its text was not at hand, so the formulation here is ours, and no
//! figure of it is quoted. Every group (an executor with a state) has a home and up to r copies, none at home, all in
//! distinct racks where there are any. Its first copy is its *restart target*: if its home is lost it runs there.
//!
//! - **recover**: after the loss of any node, or any rack, no other node is fuller than the lower bound of such a loss
//!   plus a slack; nearly hard.
//! - **fit**: a copy lies where its group would fit if its load doubled.
//! - **spread**: a node's groups have their copies on many nodes, and the copies' load and bytes are even; the room of a
//!   node for copies, and what it can take in a round, are hard.
//! - **sticky**: copies that lie somewhere stay there, but for what a budget of bytes allows in a round.
//!
//! A spread placement makes some loss in a double failure likelier, since more pairs of nodes hold a state between them;
//! what is lost on average is the same. Two copies are the answer to that.
//!
//! Nothing here knows topologies or executors: an [`Instance`] is plain vectors.

mod allocation;
mod books;
mod bound;
mod copysets;
mod dealt;
mod in_order;
mod instance;
mod loss;
#[cfg(feature = "cbc")]
mod milp;
mod of_problem;
mod random;
mod ready;
mod ring;
mod round_robin;
mod rows;

pub use allocation::{Allocation, NONE, Shipped};
pub use bound::{Bounds, bounds, bounds_of_placed};
pub use instance::{Instance, Node, Present, roles_changed};
pub use loss::{Losses, losses};
pub use of_problem::{OfProblem, of_problem};
pub use ready::readiness;

/// A way to place copies.
pub trait Strategy: Sync {
    /// Its name in the setting `checkpoint.strategy`.
    fn name(&self) -> &'static str;

    /// What it does and where it comes from, in one line.
    fn about(&self) -> &'static str;

    /// Places the copies: those that lie somewhere stay unless the budget allows, those that lie nowhere get a node if
    /// any has room. Never breaks a limit that is not broken already.
    fn allocate(&self, instance: &Instance, bounds: &Bounds) -> Allocation;
}

/// All strategies by name.
pub fn registry() -> &'static [&'static dyn Strategy] {
    &[
        &copysets::Copysets,
        &dealt::Dealt,
        #[cfg(feature = "cbc")]
        &milp::MilpByCbc,
        &random::Random,
        &ring::Ring,
        &round_robin::RoundRobin,
    ]
}

/// A strategy by its name.
pub fn by_name(name: &str) -> Option<&'static dyn Strategy> {
    registry().iter().copied().find(|strategy| strategy.name() == name)
}
