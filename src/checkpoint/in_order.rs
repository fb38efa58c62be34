//! What the baselines share: an order of nodes for every group, of which each missing copy gets the first that may have
//! it.
//!
//! The baselines' own papers know neither copies that lie already nor limits. Here copies stay where they lie, racks and
//! limits hold, and of several copies the best one becomes the restart target, so that a comparison is one of orders
//! alone.

use super::books::Books;
use super::{Allocation, Instance, NONE};
use crate::units::{Load, Share};

/// Passes over all groups in which the restart targets are chosen anew.
const PASSES: usize = 4;

/// Keeps what lies where it may, and puts every missing copy on the first node of its group's order that may have it. An
/// order names every node at least once.
pub(super) fn fill<Order: Iterator<Item = u32>>(
    instance: &Instance,
    order: impl Fn(usize) -> Order,
) -> Allocation {
    let homes = instance.by_home();
    let mut books = Books::kept(instance, &homes);
    for slot in 0..instance.copies {
        for group in 0..instance.groups() {
            if books.allocation.of(group)[slot] != NONE {
                continue;
            }
            let may =
                |node: &u32| books.has_room(group, *node) && books.allocation.may_lie(instance, group, *node);
            if let Some(node) = order(group).find(may) {
                books.put(group, slot, node);
            }
        }
    }
    retarget(&mut books);
    books.allocation
}

/// Every group's restart target becomes the one of its copies that is least full after the loss of its home or of its
/// rack, group after group until that changes nothing.
fn retarget(books: &mut Books) {
    let instance = books.instance;
    for _ in 0..PASSES {
        let mut changed = false;
        for group in 0..instance.groups() {
            let copies = books.allocation.of(group);
            let slots = (0..copies.len()).filter(|slot| copies[*slot] != NONE);
            let best = slots.min_by_key(|slot| (fullest(books, group, *slot), *slot)).unwrap_or(0);
            if best != 0 {
                books.promote(group, best);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
}

/// Utilization of the node of a copy after the worse of the two losses that make the group restart there.
fn fullest(books: &Books, group: usize, slot: usize) -> Share {
    let instance = books.instance;
    let (home, node) = (instance.home[group], books.allocation.of(group)[slot]);
    let mut brought = books.by_node.get(home as usize, node);
    if instance.racks > 0 {
        brought = brought.max(books.by_rack.get(instance.nodes[home as usize].rack as usize, node));
    }
    let more = if slot == 0 { 0 } else { instance.load[group] };
    let given = &instance.nodes[node as usize];
    Load(given.load + brought + more).over(Load(given.capacity))
}

/// All nodes, from one on.
pub(super) fn all_from(instance: &Instance, first: u32) -> impl Iterator<Item = u32> + use<> {
    let count = instance.nodes.len() as u32;
    (0..count).map(move |step| (first + step) % count)
}
