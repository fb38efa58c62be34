//! How ready a node is for its load to double, without any planner.
//!
//! Readiness is an upper bound on the part of its excess that could leave at the price of deltas: to nodes that hold a
//! copy and have room for the doubled group. Below 1 no moves to copies alone can level the node.

use super::{Allocation, Instance};
use crate::units::{Load, Share};

/// phi: how many times its load a hot node is thought to have.
pub(super) const HOT: i64 = 2;

/// Readiness of every node, 0 to 1; 1 where it would not even be too full, and on nodes that are not listed.
pub fn readiness(instance: &Instance, allocation: &Allocation) -> Vec<Share> {
    let homes = instance.by_home();
    let listed = || instance.nodes.iter().filter(|node| node.listed);
    let (load, capacity) =
        (listed().map(|node| node.load).sum::<i64>(), listed().map(|node| node.capacity).sum::<i64>());
    let mut to = std::collections::BTreeMap::new();
    let of = |(at, node): (usize, &super::Node)| {
        if !node.listed {
            return Share::ONE;
        }
        let most = Load(load + (HOT - 1) * node.load).over(Load(capacity)) + instance.distance;
        let excess = HOT * node.load - most.most(Load(node.capacity)).0;
        if excess <= 0 {
            return Share::ONE;
        }
        let room = |node: u32| {
            let node = &instance.nodes[node as usize];
            most.most(Load(node.capacity)).0 - node.load
        };
        to.clear();
        for group in homes.of_domain(at) {
            let hot = HOT * instance.load[*group as usize];
            for copy in allocation.placed(*group as usize).filter(|copy| hot <= room(*copy)) {
                *to.entry(copy).or_insert(0) += hot;
            }
        }
        let relief: i64 = to.iter().map(|(node, load)| room(*node).min(*load)).sum();
        Load(relief.min(excess)).over(Load(excess))
    };
    instance.nodes.iter().enumerate().map(of).collect()
}
