//! What the loss of a node or a rack does to those that are left, all restart targets followed.

use super::rows::Rows;
use super::{Allocation, Bounds, Instance};
use crate::units::{Load, Share};

/// Utilization of the fullest node left after each loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Losses {
    /// By the node that is lost; none where it is not listed, or no other is left.
    pub node: Vec<Option<Share>>,
    /// By the rack that is lost; empty where racks do not count.
    pub rack: Vec<Option<Share>>,
}

impl Losses {
    /// The worst loss of one node.
    pub fn worst_node(&self) -> Option<Share> {
        self.node.iter().copied().flatten().max()
    }

    /// The worst loss of one rack.
    pub fn worst_rack(&self) -> Option<Share> {
        self.rack.iter().copied().flatten().max()
    }

    /// How much fuller than its bound the worst loss of a node leaves a node, and the worst of a rack; none where there is
    /// no such loss.
    pub fn gaps(&self, bounds: &Bounds) -> (Option<Share>, Option<Share>) {
        let gap = |worst: Option<Share>, bound: Option<Share>| Some(worst? - bound?);
        (gap(self.worst_node(), bounds.node), gap(self.worst_rack(), bounds.rack))
    }
}

/// Measures an allocation.
pub fn losses(instance: &Instance, allocation: &Allocation) -> Losses {
    let survivors = Survivors::of(instance);
    let (node, rack) = displaced(instance, allocation);
    let after = |rows: &Rows, domain: usize, is_lost: &dyn Fn(u32) -> bool| {
        let unhurt = survivors.fullest(is_lost)?;
        let hurt = rows.of(domain).filter(|(node, _)| !is_lost(*node)).map(|(node, more)| {
            let given = &instance.nodes[node as usize];
            Load(given.load + more).over(Load(given.capacity))
        });
        Some(hurt.fold(unhurt, Share::max))
    };
    Losses {
        node: (0..instance.nodes.len())
            .map(|at| {
                let lost = |node: u32| node as usize == at;
                instance.nodes[at].listed.then(|| after(&node, at, &lost)).flatten()
            })
            .collect(),
        rack: (0..)
            .zip(instance.listed_racks())
            .map(|(at, listed)| {
                let lost = |node: u32| instance.nodes[node as usize].rack as usize == at;
                listed.then(|| after(&rack, at, &lost)).flatten()
            })
            .collect(),
    }
}

/// Load that each lost node, and each lost rack, brings to every restart target.
pub(super) fn displaced(instance: &Instance, allocation: &Allocation) -> (Rows, Rows) {
    let nodes = instance.nodes.len();
    // Counted and not listed: sorting all groups took a good part of what an allocation takes.
    let (mut at_home, mut in_rack) = (vec![0; nodes], vec![0; instance.racks]);
    for home in &instance.home {
        at_home[*home as usize] += 1;
        if instance.racks > 0 {
            in_rack[instance.nodes[*home as usize].rack as usize] += 1;
        }
    }
    let mut by_node = Rows::new(at_home.into_iter(), nodes);
    let mut by_rack = Rows::new(in_rack.into_iter(), nodes);
    for group in 0..instance.groups() {
        if let Some(target) = allocation.target(group) {
            let (home, load) = (instance.home[group] as usize, instance.load[group]);
            by_node.add(home, target, load);
            if instance.racks > 0 {
                by_rack.add(instance.nodes[home].rack as usize, target, load);
            }
        }
    }
    (by_node, by_rack)
}

/// Listed nodes, the fullest first.
pub(super) struct Survivors(Vec<(Share, u32)>);

impl Survivors {
    pub(super) fn of(instance: &Instance) -> Self {
        let mut nodes: Vec<(Share, u32)> = (0_u32..)
            .zip(&instance.nodes)
            .filter(|(_, node)| node.listed)
            .map(|(at, node)| (Load(node.load).over(Load(node.capacity)), at))
            .collect();
        nodes.sort_unstable_by(|one, other| other.cmp(one));
        Self(nodes)
    }

    /// Utilization of the fullest node that is not lost, before anything restarts on it.
    pub(super) fn fullest(&self, is_lost: &dyn Fn(u32) -> bool) -> Option<Share> {
        self.0.iter().find(|(_, node)| !is_lost(*node)).map(|(utilization, _)| *utilization)
    }
}
