//! The pairs of a lost domain and a restart target that are too full, the worst first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::books::{Books, Limits};
use super::super::instance::Lists;
use super::super::{Instance, NONE};

/// Nodes that a copy may be moved to: so many of the least utilized.
const NEAREST: usize = 200;

/// Groups of a rack that one may exchange its target with, beside those of its home.
const PARTNERS: usize = 96;

/// Pairs looked at.
const PAIRS: usize = 2_000;

/// Parts of what the loss of a rack brings too much that weigh as much as one of a node's: racks are lost less often, and
/// their bound is often out of reach. Where copies lie already the bytes to mend a rack again would be missing, so nodes
/// may not be mended at its cost.
const RACK: i64 = 8;
const RACK_WITH_COPIES: i64 = 2;

/// A lost domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lost {
    Node(u32),
    Rack(u32),
}

/// A change of restart targets.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// Another copy of a group becomes its target.
    Promote { group: usize, slot: usize },
    /// A group's target lies elsewhere.
    Move { group: usize, node: u32 },
    /// Two groups of one home, or of one rack, exchange their targets.
    Swap { one: usize, other: usize },
}

/// Mending, with what does not change.
pub(super) struct Mend<'i> {
    instance: &'i Instance,
    limits: &'i Limits,
    homes: &'i Lists,
    racks: &'i Lists,
    nearest: Vec<u32>,
    /// What weighs as much as one of a node's while nodes are mended.
    rack: i64,
    /// Pairs of racks are mended, not only those of nodes.
    racks_too: bool,
    heap: BinaryHeap<(i64, Reverse<(Lost, u32)>)>,
}

impl<'i> Mend<'i> {
    pub(super) fn new(
        instance: &'i Instance,
        limits: &'i Limits,
        homes: &'i Lists,
        racks: &'i Lists,
    ) -> Self {
        let mut nearest = instance.takers();
        // Those that may get most after a loss.
        nearest.sort_by_key(|node| (Reverse(limits.of(*node).node), *node));
        nearest.truncate(NEAREST);
        Self {
            instance,
            limits,
            homes,
            racks,
            nearest,
            rack: if instance.is_unplaced() { RACK } else { RACK_WITH_COPIES },
            racks_too: false,
            heap: BinaryHeap::new(),
        }
    }

    /// Mends one pair after the other, until none is left that can be: those of nodes, and then those of racks too.
    pub(super) fn run(&mut self, books: &mut Books) {
        for domain in 0..books.by_node.len() {
            for (node, _) in books.by_node.of(domain) {
                self.watch(books, Lost::Node(domain as u32), node);
            }
        }
        self.mend(books);
        self.racks_too = true;
        for domain in 0..books.by_rack.len() {
            for (node, _) in books.by_rack.of(domain) {
                self.watch(books, Lost::Rack(domain as u32), node);
            }
        }
        self.mend(books);
    }

    /// Mends what is watched, the worst pair first.
    fn mend(&mut self, books: &mut Books) {
        let mut looked = 0;
        while let Some((known, Reverse((lost, node)))) = self.heap.pop() {
            let excess = self.excess(books, lost, node, 0);
            if excess != known {
                self.watch(books, lost, node);
                continue;
            }
            looked += 1;
            if looked > PAIRS {
                break;
            }
            if let Some(change) = self.best(books, lost, node, excess) {
                self.carry_out(books, change);
                self.watch(books, lost, node);
            }
        }
    }

    fn watch(&mut self, books: &Books, lost: Lost, node: u32) {
        let excess = self.excess(books, lost, node, 0);
        if excess > 0 && (self.racks_too || matches!(lost, Lost::Node(_))) {
            self.heap.push((excess, Reverse((lost, node))));
        }
    }

    /// How much too full a node would be after a loss, with some load more.
    fn excess(&self, books: &Books, lost: Lost, node: u32, more: i64) -> i64 {
        match lost {
            Lost::Node(lost) => books.by_node.get(lost as usize, node) + more - self.limits.of(node).node,
            Lost::Rack(lost) => {
                (books.by_rack.get(lost as usize, node) + more - self.limits.of(node).rack)
                    / if self.racks_too { RACK } else { self.rack }
            }
        }
    }

    /// The worse of what a node gets from the loss of a home and from that of its rack, with some load more.
    fn worse(&self, books: &Books, home: u32, node: u32, more: i64) -> i64 {
        let by_node = self.excess(books, Lost::Node(home), node, more);
        if self.instance.racks == 0 {
            return by_node;
        }
        by_node.max(self.excess(books, Lost::Rack(self.instance.nodes[home as usize].rack), node, more))
    }

    /// The change that leaves least excess, and of those the cheapest; none where none gains.
    fn best(&self, books: &mut Books, lost: Lost, node: u32, excess: i64) -> Option<Change> {
        let mut best: Option<((i64, i64), Change)> = None;
        let mut offer = |left: i64, bytes: i64, change: Change| {
            let key = (left.max(0), bytes);
            if left < excess && best.is_none_or(|(known, _)| key < known) {
                best = Some((key, change));
            }
        };
        let mut random = fastrand::Rng::with_seed(u64::from(node));
        let groups: Vec<u32> = books.targeted[node as usize]
            .iter()
            .copied()
            .filter(|group| match lost {
                Lost::Node(home) => self.instance.home[*group as usize] == home,
                Lost::Rack(rack) => {
                    self.instance.nodes[self.instance.home[*group as usize] as usize].rack == rack
                }
            })
            .collect();
        for group in groups {
            let group = group as usize;
            let (home, load) = (self.instance.home[group], self.instance.load[group]);
            let here = self.excess(books, lost, node, -load);
            for slot in 1..self.instance.copies {
                let other = books.allocation.of(group)[slot];
                if other != NONE {
                    let left = here.max(self.worse(books, home, other, load));
                    offer(left, books.moved, Change::Promote { group, slot });
                }
            }
            let present = self.instance.present.of(group);
            let too_dear = self.is_too_dear(books, group);
            let elsewhere = if too_dear { &[] } else { self.nearest.as_slice() };
            for to in present.iter().chain(elsewhere).copied() {
                let left = here.max(self.worse(books, home, to, load));
                if left < excess && books.may_go(group, 0, to) {
                    let bytes = books.moved_with(group, 0, to);
                    if bytes <= self.instance.budget {
                        offer(left, bytes, Change::Move { group, node: to });
                    }
                }
            }
            if too_dear {
                continue;
            }
            for other in self.partners(home, lost, &mut random) {
                let other = other as usize;
                let Some(there) = books.allocation.target(other) else { continue };
                let less = load - self.instance.load[other];
                if less <= 0 || there == node || self.is_too_dear(books, other) {
                    continue;
                }
                let left = self
                    .exchanged(books, (group, node), (other, there))
                    .max(self.excess(books, lost, node, -less));
                if left < excess
                    && let Some(bytes) = self.swapped(books, group, other)
                {
                    offer(left, bytes, Change::Swap { one: group, other });
                }
            }
        }
        best.map(|(_, change)| change)
    }

    /// True where the budget has no bytes left to lay a group's restart target elsewhere.
    fn is_too_dear(&self, books: &Books, group: usize) -> bool {
        let lies = books
            .allocation
            .target(group)
            .is_some_and(|node| self.instance.present.of(group).contains(&node));
        lies && books.moved + self.instance.state[group] > self.instance.budget
    }

    /// Groups that one may exchange its target with: those of its home, and some of its rack where that is lost.
    fn partners(&self, home: u32, lost: Lost, random: &mut fastrand::Rng) -> Vec<u32> {
        let mut partners = self.homes.of_domain(home as usize).to_vec();
        if let Lost::Rack(rack) = lost {
            let all = self.racks.of_domain(rack as usize);
            partners.extend((0..PARTNERS.min(all.len())).map(|_| all[random.usize(..all.len())]));
        }
        partners
    }

    /// The worst that two groups leave behind where each gets the other's target.
    fn exchanged(&self, books: &Books, one: (usize, u32), other: (usize, u32)) -> i64 {
        let (home, home_of_other) = (self.instance.home[one.0], self.instance.home[other.0]);
        let (load, load_of_other) = (self.instance.load[one.0], self.instance.load[other.0]);
        if home == home_of_other {
            return self.worse(books, home, other.1, load - load_of_other);
        }
        // Of one rack, and of two nodes.
        let rack = Lost::Rack(self.instance.nodes[home as usize].rack);
        self.excess(books, Lost::Node(home), other.1, load)
            .max(self.excess(books, Lost::Node(home_of_other), one.1, load_of_other))
            .max(self.excess(books, rack, other.1, load - load_of_other))
    }

    /// Bytes moved in all if two groups exchanged their targets; none where they may not.
    fn swapped(&self, books: &mut Books, one: usize, other: usize) -> Option<i64> {
        let (here, there) = (books.allocation.target(one)?, books.allocation.target(other)?);
        // With the larger state away the smaller one always has room where that was.
        books.put(one, 0, NONE);
        books.put(other, 0, NONE);
        let may = books.may_go(one, 0, there) && books.may_go(other, 0, here);
        books.put(one, 0, there);
        books.put(other, 0, here);
        let bytes = books.moved;
        books.put(one, 0, here);
        books.put(other, 0, there);
        (may && bytes <= self.instance.budget).then_some(bytes)
    }

    fn carry_out(&mut self, books: &mut Books, change: Change) {
        let touched = match change {
            Change::Promote { group, slot } => {
                books.promote(group, slot);
                vec![group]
            }
            Change::Move { group, node } => {
                books.put(group, 0, node);
                vec![group]
            }
            Change::Swap { one, other } => {
                let (here, there) = (books.allocation.of(one)[0], books.allocation.of(other)[0]);
                books.put(one, 0, there);
                books.put(other, 0, here);
                vec![one, other]
            }
        };
        for group in touched {
            let home = self.instance.home[group];
            let target = books.allocation.of(group)[0];
            self.watch(books, Lost::Node(home), target);
            if self.instance.racks > 0 {
                self.watch(books, Lost::Rack(self.instance.nodes[home as usize].rack), target);
            }
        }
    }
}
