//! An allocation with every sum that decides on a copy, kept up to date.

use super::instance::Lists;
use super::loss::displaced;
use super::rows::Rows;
use super::{Allocation, Instance, NONE, Node};
use crate::units::{Load, Share};

/// An allocation on its way.
#[derive(Debug, Clone)]
pub(super) struct Books<'i> {
    pub(super) instance: &'i Instance,
    pub(super) allocation: Allocation,
    /// W: load that a lost node, or rack, brings to a node.
    pub(super) by_node: Rows,
    pub(super) by_rack: Rows,
    /// X: load of all copies on a node whose groups have one home.
    pub(super) spread: Rows,
    /// Groups whose restart target is a node.
    pub(super) targeted: Vec<Vec<u32>>,
    /// The copies on every node.
    pub(super) held: Vec<Held>,
    /// Copies of each group that lay nowhere at first.
    missing: Vec<u32>,
    /// Bytes of copies that lay elsewhere.
    pub(super) moved: i64,
}

/// Copies on a node.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Held {
    /// H: load of their groups.
    pub(super) load: i64,
    /// S: their bytes.
    pub(super) bytes: i64,
    /// Bytes of those that do not lie there yet.
    fresh: i64,
}

impl<'i> Books<'i> {
    /// The books of what is kept of the present copies.
    pub(super) fn kept(instance: &'i Instance, homes: &Lists) -> Self {
        let allocation = Allocation::kept(instance);
        let nodes = instance.nodes.len();
        let (by_node, by_rack) = displaced(instance, &allocation);
        let copies = instance.copies;
        let mut books = Self {
            instance,
            by_node,
            by_rack,
            spread: Rows::new((0..nodes).map(|at| copies * homes.of_domain(at).len()), nodes),
            targeted: vec![Vec::new(); nodes],
            held: vec![Held::default(); nodes],
            missing: Vec::with_capacity(instance.groups()),
            moved: 0,
            allocation,
        };
        for group in 0..instance.groups() {
            let placed: Vec<u32> = books.allocation.placed(group).collect();
            books.missing.push((copies - placed.len()) as u32);
            if let Some(target) = placed.first() {
                books.targeted[*target as usize].push(group as u32);
            }
            for node in placed {
                books.count(group, node, 1);
            }
        }
        books
    }

    /// Bytes of a group's copies that lie elsewhere than before.
    fn moved_of(&self, group: usize) -> i64 {
        let fresh = self.allocation.fresh(self.instance, group);
        self.instance.state[group] * (fresh - i64::from(self.missing[group])).max(0)
    }

    /// Bytes that would be moved in all if a copy lay elsewhere; the copy is put back.
    pub(super) fn moved_with(&mut self, group: usize, slot: usize, node: u32) -> i64 {
        let old = self.allocation.of(group)[slot];
        let before = self.moved_of(group);
        self.allocation.set(group, slot, node);
        let after = self.moved_of(group);
        self.allocation.set(group, slot, old);
        self.moved + after - before
    }

    /// Puts a copy on a node; [`NONE`] takes it away.
    pub(super) fn put(&mut self, group: usize, slot: usize, node: u32) {
        let old = self.allocation.of(group)[slot];
        self.moved -= self.moved_of(group);
        if old != NONE {
            self.count(group, old, -1);
        }
        self.allocation.set(group, slot, node);
        if node != NONE {
            self.count(group, node, 1);
        }
        self.moved += self.moved_of(group);
        if slot == 0 {
            self.retarget(group, old, node);
        }
    }

    /// Another copy of a group becomes its restart target; nothing is shipped.
    pub(super) fn promote(&mut self, group: usize, slot: usize) {
        let (old, new) = (self.allocation.of(group)[0], self.allocation.of(group)[slot]);
        self.allocation.set(group, 0, new);
        self.allocation.set(group, slot, old);
        self.retarget(group, old, new);
    }

    fn retarget(&mut self, group: usize, old: u32, new: u32) {
        let (home, load) = (self.instance.home[group] as usize, self.instance.load[group]);
        for (node, sign) in [(old, -1), (new, 1)] {
            if node == NONE {
                continue;
            }
            self.by_node.add(home, node, sign * load);
            if self.instance.racks > 0 {
                self.by_rack.add(self.instance.nodes[home].rack as usize, node, sign * load);
            }
            let targeted = &mut self.targeted[node as usize];
            if sign > 0 {
                targeted.push(group as u32);
            } else if let Some(at) = targeted.iter().position(|known| *known == group as u32) {
                targeted.swap_remove(at);
            }
        }
    }

    fn count(&mut self, group: usize, node: u32, sign: i64) {
        let (load, state) = (self.instance.load[group], self.instance.state[group]);
        self.spread.add(self.instance.home[group] as usize, node, sign * load);
        let held = &mut self.held[node as usize];
        held.load += sign * load;
        held.bytes += sign * state;
        if !self.instance.present.of(group).contains(&node) {
            held.fresh += sign * state;
        }
    }

    /// True where a node has room for the bytes of one more copy.
    pub(super) fn has_room(&self, group: usize, node: u32) -> bool {
        let (given, state) = (&self.instance.nodes[node as usize], self.instance.state[group]);
        let held = &self.held[node as usize];
        held.bytes <= given.storage - state
            && (held.fresh <= given.network - state || self.instance.present.of(group).contains(&node))
    }

    /// True when a group's copy may lie on a node instead of where it lies.
    pub(super) fn may_go(&mut self, group: usize, slot: usize, node: u32) -> bool {
        let old = self.allocation.of(group)[slot];
        self.allocation.set(group, slot, NONE);
        let may = self.allocation.may_lie(self.instance, group, node);
        self.allocation.set(group, slot, old);
        may && node != old && self.has_room(group, node)
    }
}

/// Load that a loss may bring to every node: up to the bound and the slack.
#[derive(Debug, Clone)]
pub(super) struct Limits(Vec<Limit>);

/// Load that a loss may bring to a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    /// The loss of another node.
    pub(super) node: i64,
    /// The loss of a rack that it is not in.
    pub(super) rack: i64,
}

impl Limits {
    pub(super) fn new(instance: &Instance, bounds: &super::Bounds) -> Self {
        // Where nothing is left after a loss nothing can be too full.
        let most = |bound: Option<Share>| bound.map_or(Share(i64::MAX / 4), |bound| bound + instance.slack);
        let (node, rack) = (most(bounds.node), most(bounds.rack));
        let limit = |given: &Node| {
            let room = |most: Share| most.most(Load(given.capacity)).0 - given.load;
            Limit { node: room(node), rack: room(rack) }
        };
        Self(instance.nodes.iter().map(limit).collect())
    }

    pub(super) fn of(&self, node: u32) -> Limit {
        self.0[node as usize]
    }
}
