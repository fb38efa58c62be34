//! Copies dealt to the nodes in turn, home by home.
//!
//! Source: Apache Kafka gives the replicas of partitions to brokers so (`AdminUtils.assignReplicasToBrokers`): of the
//! partitions that one broker leads each has its followers one broker further than the one before. A second copy, and one
//! that finds no room, goes as many nodes further as the home has groups, so that no two groups meet before they must.

use super::in_order::{all_from, fill};
use super::{Allocation, Bounds, Instance, Strategy};

/// The strategy `roundrobin`.
pub(super) struct RoundRobin;

impl Strategy for RoundRobin {
    fn name(&self) -> &'static str {
        "roundrobin"
    }

    fn about(&self) -> &'static str {
        "the groups of a home dealt to the other nodes in turn, as Kafka assigns replicas"
    }

    fn allocate(&self, instance: &Instance, _: &Bounds) -> Allocation {
        let (homes, count) = (instance.by_home(), instance.nodes.len());
        let mut rank = vec![0; instance.groups()];
        for home in 0..count {
            for (at, group) in homes.of_domain(home).iter().enumerate() {
                rank[*group as usize] = at;
            }
        }
        fill(instance, |group| {
            let home = instance.home[group] as usize;
            let round = homes.of_domain(home).len();
            let first = home + 1 + rank[group] % (count - 1).max(1);
            let rounds = (0..count.div_ceil(round)).map(move |at| ((first + at * round) % count) as u32);
            rounds.chain(all_from(instance, (first % count) as u32))
        })
    }
}
