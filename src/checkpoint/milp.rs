//! Restart targets by a MILP of the recover goal, for a handful of nodes; all else is left to `dealt`.
//!
//! The problem is ours (see the head of this module's parent), solved by COIN-OR CBC: the least worst loss of a node and
//! of a rack, within racks and the nodes' limits. Copies that lie stay, so that a group that has some gets its target
//! among them. On more nodes CBC ends far from what dealing finds in a thousandth of the time.

use super::books::Books;
use super::dealt::Dealt;
use super::{Allocation, Bounds, Instance, NONE, Present, Strategy};
use crate::objective::Milp;
use crate::solve::milp::cbc;
use crate::units::Share;

/// The strategy `milp`.
pub(super) struct MilpByCbc;

/// Nodes beyond which `dealt` places all copies.
const MOST_NODES: usize = 8;

/// Time after which CBC is cut, in seconds.
const SECONDS: f64 = 2.0;

impl Strategy for MilpByCbc {
    fn name(&self) -> &'static str {
        "milp"
    }

    fn about(&self) -> &'static str {
        "restart targets by a MILP solved by CBC, up to 8 nodes (formulation ours); beyond that as dealt does"
    }

    fn allocate(&self, instance: &Instance, bounds: &Bounds) -> Allocation {
        let targets = if instance.nodes.len() <= MOST_NODES { targets(instance, bounds) } else { None };
        match targets {
            Some(targets) => completed(instance, bounds, &targets),
            None => Dealt.allocate(instance, bounds),
        }
    }
}

/// A restart target for every group, or [`NONE`]; none at all where CBC finds no solution in time.
fn targets(instance: &Instance, bounds: &Bounds) -> Option<Vec<u32>> {
    let kept = Allocation::kept(instance);
    let mut milp = Milp::default();
    let columns: Vec<Vec<(u32, usize)>> = (0..instance.groups())
        .map(|group| {
            let lying: Vec<u32> = kept.placed(group).collect();
            let nodes = 0..instance.nodes.len() as u32;
            let may = |node: &u32| {
                if lying.is_empty() { kept.may_lie(instance, group, *node) } else { lying.contains(node) }
            };
            nodes.filter(may).map(|node| (node, milp.column(true, 0.0))).collect()
        })
        .collect();
    for of_group in columns.iter().filter(|of_group| !of_group.is_empty()) {
        milp.row(of_group.iter().map(|(_, column)| (*column, 1.0)).collect(), 1.0, 1.0);
    }
    room(instance, &kept, &columns, &mut milp);
    let rack = |node: u32| instance.nodes[node as usize].rack;
    loss(instance, bounds.node, &columns, &mut milp, instance.nodes.len(), &|node| node);
    loss(instance, bounds.rack, &columns, &mut milp, instance.racks, &rack);
    let values = cbc::solve(&milp, SECONDS).ok()?.columns?;
    let chosen = |of_group: &Vec<(u32, usize)>| {
        let largest = of_group.iter().max_by(|one, other| values[one.1].total_cmp(&values[other.1]));
        largest.map_or(NONE, |(node, _)| *node)
    };
    Some(columns.iter().map(chosen).collect())
}

/// The copies that are new on a node are no more than it has room for and can take.
fn room(instance: &Instance, kept: &Allocation, columns: &[Vec<(u32, usize)>], milp: &mut Milp) {
    let mut stored = vec![0; instance.nodes.len()];
    let groups = 0..instance.groups();
    for group in groups.clone() {
        kept.placed(group).for_each(|node| stored[node as usize] += instance.state[group]);
    }
    for (at, node) in instance.nodes.iter().enumerate() {
        let most = node.network.min(node.storage.saturating_sub(stored[at])).max(0);
        let new = groups.clone().filter(|group| kept.target(*group).is_none()).flat_map(|group| {
            let here = columns[group].iter().filter(|(node, _)| *node as usize == at);
            here.map(move |(_, column)| (*column, instance.state[group] as f64))
        });
        if most < i64::MAX / 2 {
            // In parts of the room, since CBC's tolerances are absolute.
            let part = 1.0 / (most as f64).max(1.0);
            milp.row(new.map(|(column, state)| (column, state * part)).collect(), 0.0, most as f64 * part);
        }
    }
}

/// After the loss of any domain no other node is fuller than the worst, which is to be small and cannot be below a bound.
/// Utilizations are in percent.
fn loss(
    instance: &Instance,
    bound: Option<Share>,
    columns: &[Vec<(u32, usize)>],
    milp: &mut Milp,
    domains: usize,
    domain_of: &dyn Fn(u32) -> u32,
) {
    let Some(bound) = bound else { return };
    let worst = milp.column(false, 1.0);
    milp.row(vec![(worst, 1.0)], bound.fraction() * 100.0, f64::INFINITY);
    for domain in 0..domains as u32 {
        for (at, node) in (0_u32..).zip(&instance.nodes) {
            if domain_of(at) == domain || !node.listed {
                continue;
            }
            let percent = |load: i64| load as f64 / node.capacity as f64 * 100.0;
            let lost = (0..instance.groups()).filter(|group| domain_of(instance.home[*group]) == domain);
            let mut terms: Vec<(usize, f64)> = lost
                .flat_map(|group| {
                    let here = columns[group].iter().filter(|(node, _)| *node == at);
                    here.map(move |(_, column)| (*column, -percent(instance.load[group])))
                })
                .collect();
            terms.push((worst, 1.0));
            milp.row(terms, percent(node.load), f64::INFINITY);
        }
    }
}

/// The targets with the other copies, dealt where the limits allow.
fn completed(instance: &Instance, bounds: &Bounds, targets: &[u32]) -> Allocation {
    let homes = instance.by_home();
    let mut books = Books::kept(instance, &homes);
    for (group, target) in targets.iter().enumerate() {
        match books.allocation.of(group).iter().position(|node| node == target) {
            _ if *target == NONE => {}
            Some(0) => {}
            Some(slot) => books.promote(group, slot),
            // CBC's sums are rounded.
            None if books.has_room(group, *target) => books.put(group, 0, *target),
            None => {}
        }
    }
    let allocation = books.allocation;
    let mut rest = Instance { budget: 0, present: Present::default(), ..instance.clone() };
    for group in 0..instance.groups() {
        let placed: Vec<u32> = allocation.placed(group).collect();
        for node in placed.iter().filter(|node| !instance.present.of(group).contains(node)) {
            let network = &mut rest.nodes[*node as usize].network;
            *network = if *network == i64::MAX { i64::MAX } else { *network - instance.state[group] };
        }
        rest.present.push(&placed);
    }
    Dealt.allocate(&rest, bounds)
}
