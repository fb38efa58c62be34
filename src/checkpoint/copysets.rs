//! Copies within few sets of nodes, so that few failures of several nodes at once lose a state.
//!
//! Source: Cidon et al., Copysets (USENIX ATC 2013), section 4: random permutations of the nodes are cut into sets of a
//! home and its copies, and each group takes one of the sets of its home at random. As many permutations are made as give
//! a node the scatter width that the paper takes for HDFS.

use std::collections::VecDeque;

use super::in_order::{all_from, fill};
use super::{Allocation, Bounds, Instance, Strategy};

/// The strategy `copysets`.
pub(super) struct Copysets;

/// S: nodes that share groups with a node.
const SCATTER_WIDTH: usize = 10;

/// Seed of the permutations and of the choices: the same instance gets the same allocation.
const SEED: u64 = 0x0ba1_1a57;

impl Strategy for Copysets {
    fn name(&self) -> &'static str {
        "copysets"
    }

    fn about(&self) -> &'static str {
        "within few sets of nodes, against failures of several at once (Copysets, USENIX ATC 2013)"
    }

    fn allocate(&self, instance: &Instance, _: &Bounds) -> Allocation {
        let sets = sets(instance, &mut fastrand::Rng::with_seed(SEED));
        fill(instance, |group| {
            let (home, sets) = (instance.home[group], &sets);
            let of_home = &sets.of_node[home as usize];
            let mut random = fastrand::Rng::with_seed(SEED ^ ((group as u64) << 32));
            let first = random.usize(..of_home.len().max(1));
            let in_turn = (0..of_home.len()).map(move |at| of_home[(first + at) % of_home.len()]);
            in_turn.flat_map(move |set| sets.all[set].iter().copied()).chain(all_from(instance, home))
        })
    }
}

/// The sets, and for every node those that it is in.
struct Sets {
    all: Vec<Vec<u32>>,
    of_node: Vec<Vec<usize>>,
}

/// Permutations of the nodes cut into sets; the next node that does not fall together with the others joins each.
fn sets(instance: &Instance, random: &mut fastrand::Rng) -> Sets {
    let mut sets = Sets { all: Vec::new(), of_node: vec![Vec::new(); instance.nodes.len()] };
    for _ in 0..SCATTER_WIDTH.div_ceil(instance.copies.max(1)) {
        let mut order: Vec<u32> = (0..instance.nodes.len() as u32).collect();
        random.shuffle(&mut order);
        let mut left = VecDeque::from(order);
        while let Some(first) = left.pop_front() {
            let mut set = vec![first];
            while set.len() <= instance.copies {
                let apart = |node: &u32| set.iter().all(|other| !instance.fall_together(*node, *other));
                let Some(at) = left.iter().position(apart) else { break };
                set.extend(left.remove(at));
            }
            set.iter().for_each(|node| sets.of_node[*node as usize].push(sets.all.len()));
            sets.all.push(set);
        }
    }
    sets
}
