//! Lower bounds of the worst loss, for any allocation at all.
//!
//! After the loss of a domain the nodes left must take its groups. A trial utilization leaves every node a room, and all
//! of this must hold: no node left is fuller already; the rooms together take the load; and for every c the c heaviest
//! groups either sit alone, the heaviest where most room is, or two of them share a node, which then holds at least the
//! lightest two of the c. Caps of storage and network are not looked at, which only makes the bound lower.

use super::instance::Lists;
use super::loss::Survivors;
use super::{Allocation, Instance};
use crate::units::{Load, Share};

/// No allocation makes the worst loss less than this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Of a node; none where no node is left after a loss.
    pub node: Option<Share>,
    /// Of a rack; none where racks do not count.
    pub rack: Option<Share>,
}

/// Lower bounds of the worst loss of a node and of a rack.
pub fn bounds(instance: &Instance) -> Bounds {
    let survivors = Survivors::of(instance);
    let rack_of = |node: usize| instance.nodes[node].rack;
    let mut by_node = Search::new(instance);
    let homes = instance.by_home();
    let mut nodes: Vec<usize> = (0..instance.nodes.len()).filter(|at| instance.nodes[*at].listed).collect();
    // What is found early spares most of the others a search of their own.
    nodes.sort_by_key(|at| std::cmp::Reverse(weight(instance, &homes, *at)));
    for at in nodes {
        if let Some(unhurt) = survivors.fullest(&|node| node as usize == at) {
            by_node.raise(unhurt);
            let domain = if instance.racks > 0 { Domain::Rack(rack_of(at)) } else { Domain::Node(at as u32) };
            by_node.take(homes.of_domain(at), domain);
        }
    }
    let mut by_rack = Search::new(instance);
    let racks = instance.by_rack();
    for (at, _) in instance.listed_racks().into_iter().enumerate().filter(|(_, listed)| *listed) {
        if let Some(unhurt) = survivors.fullest(&|node| rack_of(node as usize) as usize == at) {
            by_rack.raise(unhurt);
            by_rack.take(racks.of_domain(at), Domain::Rack(at as u32));
        }
    }
    Bounds { node: by_node.found, rack: by_rack.found }
}

/// The same for allocations that give a copy to those states alone that this one does: the others restart anywhere, and
/// count neither here nor in its losses.
pub fn bounds_of_placed(instance: &Instance, allocation: &Allocation, of_all: Bounds) -> Bounds {
    let unplaced: Vec<usize> =
        (0..instance.groups()).filter(|group| allocation.target(*group).is_none()).collect();
    if unplaced.is_empty() {
        return of_all;
    }
    let mut placed = instance.clone();
    for group in unplaced {
        placed.load[group] = 0;
    }
    bounds(&placed)
}

/// Heaviest group and all load of a domain.
fn weight(instance: &Instance, lists: &Lists, domain: usize) -> (i64, i64) {
    let loads = || lists.of_domain(domain).iter().map(|group| instance.load[*group as usize]);
    (loads().next().unwrap_or(0), loads().sum())
}

/// Where the groups of a lost domain may not restart.
#[derive(Debug, Clone, Copy)]
enum Domain {
    Node(u32),
    Rack(u32),
}

/// The largest bound so far, raised by one domain after the other.
struct Search<'i> {
    instance: &'i Instance,
    found: Option<Share>,
    /// Rooms at the bound found, the largest first, by node.
    rooms: Vec<(i64, u32)>,
}

impl<'i> Search<'i> {
    fn new(instance: &'i Instance) -> Self {
        Self { instance, found: None, rooms: Vec::new() }
    }

    /// The bound is at least this.
    fn raise(&mut self, least: Share) {
        if self.found.is_none_or(|found| found < least) {
            self.found = Some(least);
            self.rooms = self.rooms_at(least);
        }
    }

    /// Raises the bound to what the loss of some groups makes unavoidable.
    fn take(&mut self, groups: &[u32], domain: Domain) {
        let Some(found) = self.found else { return };
        if self.rooms.iter().all(|(_, node)| self.is_lost(*node, domain))
            || self.is_possible(groups, domain, &self.rooms)
        {
            return;
        }
        let mut step = Share(1_000_000);
        while !self.is_possible(groups, domain, &self.rooms_at(found + step)) {
            step = step + step;
        }
        let (mut low, mut high) = (found, found + step);
        while high - low > Share(1) {
            let middle = Share(low.0 + (high.0 - low.0) / 2);
            if self.is_possible(groups, domain, &self.rooms_at(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        self.raise(high);
    }

    /// Room that a utilization leaves on every node that takes copies, the largest first.
    fn rooms_at(&self, utilization: Share) -> Vec<(i64, u32)> {
        let mut rooms: Vec<(i64, u32)> = (0_u32..)
            .zip(&self.instance.nodes)
            .filter(|(_, node)| node.takes)
            .map(|(at, node)| (utilization.most(Load(node.capacity)).0 - node.load, at))
            .collect();
        rooms.sort_unstable_by(|one, other| other.cmp(one));
        rooms
    }

    fn is_lost(&self, node: u32, domain: Domain) -> bool {
        match domain {
            Domain::Node(lost) => node == lost,
            Domain::Rack(lost) => self.instance.nodes[node as usize].rack == lost,
        }
    }

    /// Whether groups, sorted from the heaviest, may all find room; never false when they do.
    fn is_possible(&self, groups: &[u32], domain: Domain, rooms: &[(i64, u32)]) -> bool {
        let load = |group: &u32| self.instance.load[*group as usize];
        let mut left = rooms.iter().filter(|(_, node)| !self.is_lost(*node, domain)).map(|(room, _)| *room);
        let Some(widest) = left.clone().next() else { return true };
        let mut needed: i64 = groups.iter().map(load).sum();
        // Hardly ever are more than the first few rooms looked at.
        for room in left.clone() {
            if needed <= 0 {
                break;
            }
            needed -= room.max(0);
            if room <= 0 {
                break;
            }
        }
        if needed > 0 {
            return false;
        }
        // Beyond the first group that finds no room of its own, pairs only get lighter.
        let alone = groups.iter().position(|group| left.next().is_none_or(|room| room < load(group)));
        match alone {
            None => true,
            Some(0) => load(&groups[0]) <= widest,
            Some(at) => load(&groups[at - 1]) + load(&groups[at]) <= widest,
        }
    }
}
