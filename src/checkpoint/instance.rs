//! What is given: nodes, groups with a state, and the copies there are.

use crate::units::{Load, Share};

/// A node as far as copies go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Capacity in millionths of a core, positive on listed nodes.
    pub capacity: i64,
    /// All load on it, in millionths of a core, groups without a state included.
    pub load: i64,
    /// Position of its rack.
    pub rack: u32,
    /// Takes part: it can be lost, and it is there when others are lost.
    pub listed: bool,
    /// Copies may lie on it: listed, and neither draining nor unusable.
    pub takes: bool,
    /// Bytes of copies it has room for; `i64::MAX` where there is no limit.
    pub storage: i64,
    /// Bytes of copies that may be brought to it now; `i64::MAX` where there is no limit.
    pub network: i64,
}

/// The problem, in dense numbers.
#[derive(Debug, Clone)]
pub struct Instance {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// Number of racks; 0 where they do not count, since there are not two.
    pub racks: usize,
    /// g_k: load of every group in millionths of a core, not negative.
    pub load: Vec<i64>,
    /// a_k: position of the node every group is on.
    pub home: Vec<u32>,
    /// s_k: bytes of every state, not negative.
    pub state: Vec<i64>,
    /// Bytes of every state that change between two checkpoints.
    pub delta: Vec<i64>,
    /// r: copies wanted of every state.
    pub copies: usize,
    /// Where copies lie now.
    pub present: Present,
    /// Bytes of copies that may be laid elsewhere.
    pub budget: i64,
    /// tau: how much fuller than unavoidable a loss may make a node.
    pub slack: Share,
    /// e: load distance that is good enough.
    pub distance: Share,
}

/// Where copies of every group lie, the restart target first; any number of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Present {
    nodes: Vec<u32>,
    ends: Vec<u32>,
}

impl Present {
    /// Of groups that have no copies yet.
    pub fn none(groups: usize) -> Self {
        Self { nodes: Vec::new(), ends: vec![0; groups] }
    }

    /// Adds the copies of the next group.
    pub fn push(&mut self, nodes: &[u32]) {
        self.nodes.extend_from_slice(nodes);
        self.ends.push(self.nodes.len() as u32);
    }

    /// Nodes with a copy of a group.
    pub fn of(&self, group: usize) -> &[u32] {
        let start = if group == 0 { 0 } else { self.ends[group - 1] };
        &self.nodes[start as usize..self.ends[group] as usize]
    }
}

/// Where copies lie once a group has come to `home`: what it left is a copy too, in the place of one that lay there.
/// `left` is none where it did not move, or where no copy may stay behind.
pub fn roles_changed(copies: impl Iterator<Item = u32>, home: u32, mut left: Option<u32>) -> Vec<u32> {
    let mut lying = Vec::new();
    for copy in copies {
        if copy != home {
            lying.push(copy);
        } else {
            lying.extend(left.take());
        }
    }
    lying.extend(left);
    lying
}

impl Instance {
    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.load.len()
    }

    /// True where no copy lies anywhere yet.
    pub fn is_unplaced(&self) -> bool {
        self.present.nodes.is_empty()
    }

    /// Mean utilization of the listed nodes; none where no node is listed.
    pub fn mean(&self) -> Share {
        let listed = || self.nodes.iter().filter(|node| node.listed);
        let capacity = Load(listed().map(|node| node.capacity).sum());
        if capacity == Load::ZERO {
            return Share::ZERO;
        }
        Load(listed().map(|node| node.load).sum()).over(capacity)
    }

    /// Nodes that take copies.
    pub(super) fn takers(&self) -> Vec<u32> {
        (0..self.nodes.len() as u32).filter(|at| self.nodes[*at as usize].takes).collect()
    }

    /// True when two nodes are lost together, or one is the other.
    pub fn fall_together(&self, one: u32, other: u32) -> bool {
        let rack = |node: u32| self.nodes[node as usize].rack;
        one == other || (self.racks > 0 && rack(one) == rack(other))
    }

    /// Whether each rack has nodes that can be lost.
    pub(super) fn listed_racks(&self) -> Vec<bool> {
        let mut listed = vec![false; self.racks];
        for node in self.nodes.iter().filter(|node| node.listed && self.racks > 0) {
            listed[node.rack as usize] = true;
        }
        listed
    }

    /// Most copies of one state that distinct nodes, or racks, allow.
    pub fn most_copies(&self) -> usize {
        let mut domains: Vec<u32> = (0_u32..)
            .zip(&self.nodes)
            .filter(|(_, node)| node.takes)
            .map(|(at, node)| if self.racks > 0 { node.rack } else { at })
            .collect();
        domains.sort_unstable();
        domains.dedup();
        domains.len().saturating_sub(1)
    }

    /// Positions of all groups by their home: of node f those in the f-th list, the heaviest first.
    pub(super) fn by_home(&self) -> Lists {
        Lists::of(self, self.nodes.len(), |home| home)
    }

    /// Positions of all groups by the rack of their home.
    pub(super) fn by_rack(&self) -> Lists {
        Lists::of(self, self.racks, |home| self.nodes[home as usize].rack)
    }
}

/// Groups by the domain that they are lost with, the heaviest of each first.
#[derive(Debug)]
pub(super) struct Lists {
    groups: Vec<u32>,
    starts: Vec<u32>,
}

impl Lists {
    fn of(instance: &Instance, domains: usize, domain: impl Fn(u32) -> u32) -> Self {
        let mut groups: Vec<u32> = (0..instance.groups() as u32).collect();
        let of = |group: u32| domain(instance.home[group as usize]);
        if domains == 0 {
            return Self { groups: Vec::new(), starts: vec![0] };
        }
        groups.sort_unstable_by_key(|group| (of(*group), -instance.load[*group as usize], *group));
        let starts = (0..=domains as u32).map(|at| groups.partition_point(|group| of(*group) < at) as u32);
        let starts = starts.collect();
        Self { groups, starts }
    }

    /// Groups of a domain.
    pub(super) fn of_domain(&self, domain: usize) -> &[u32] {
        &self.groups[self.starts[domain] as usize..self.starts[domain + 1] as usize]
    }
}
