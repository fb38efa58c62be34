//! Copies on the successors of the home in a ring of all nodes.
//!
//! Source: Dynamo (DeCandia et al., SOSP 2007, section 4.3) and Cassandra without virtual nodes: the successors on the
//! ring, those of racks already taken skipped. What one node loses, one other gets.

use super::in_order::{all_from, fill};
use super::{Allocation, Bounds, Instance, Strategy};

/// The strategy `ring`.
pub(super) struct Ring;

impl Strategy for Ring {
    fn name(&self) -> &'static str {
        "ring"
    }

    fn about(&self) -> &'static str {
        "the successors of the home in a ring of all nodes, as Dynamo has it (SOSP 2007)"
    }

    fn allocate(&self, instance: &Instance, _: &Bounds) -> Allocation {
        fill(instance, |group| all_from(instance, instance.home[group]))
    }
}
