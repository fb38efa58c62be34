//! Copies on nodes drawn at random.
//!
//! Source: HDFS places the blocks of a file so (Shvachko et al., MSST 2010, on its replica placement; class
//! `BlockPlacementPolicyDefault`): random nodes with room in racks that differ.

use super::in_order::{all_from, fill};
use super::{Allocation, Bounds, Instance, Strategy};

/// The strategy `random`.
pub(super) struct Random;

/// Nodes drawn before all are gone through in turn.
const DRAWN: usize = 64;

/// Seed of all draws: the same instance gets the same allocation.
const SEED: u64 = 0x0ba1_1a57;

impl Strategy for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn about(&self) -> &'static str {
        "nodes drawn at random, in racks that differ, as HDFS places blocks (MSST 2010)"
    }

    fn allocate(&self, instance: &Instance, _: &Bounds) -> Allocation {
        let count = instance.nodes.len() as u32;
        fill(instance, |group| {
            let mut random = fastrand::Rng::with_seed(SEED ^ ((group as u64) << 32));
            let first = random.u32(..count);
            (0..DRAWN).map(move |_| random.u32(..count)).chain(all_from(instance, first))
        })
    }
}
