//! Keep: groups that talk and are on one host already move as one.
//!
//! ALBIC (ICDE 2017): overlapping kept pairs are united into sets (union-find); a set heavier than maxPL, or dearer than
//! the budget, is split by graph partitioning with the least cut, until every partition fits both.

use crate::solve::traffic::{Field, Graph, NONE, cut};
use crate::units::Share;

/// Groups that move as one; every group is in one partition, and partitions are in the order of their first groups.
pub(super) fn partitions(field: &Field, most: Share) -> Vec<Vec<u32>> {
    let mut sets = Sets { parent: (0..field.groups() as u32).collect() };
    let home = &field.instance().home;
    for group in 0..field.groups() as u32 {
        for link in field.links.pairs(group) {
            if link.talks && link.group != NONE && home[link.group as usize] == home[group as usize] {
                sets.unite(group, link.group);
            }
        }
    }
    let mut by_root: Vec<(u32, u32)> =
        (0..field.groups() as u32).map(|group| (sets.find(group), group)).collect();
    by_root.sort_unstable();
    let mut partitions = Vec::new();
    for set in by_root.chunk_by(|a, b| a.0 == b.0) {
        let set: Vec<u32> = set.iter().map(|(_, group)| *group).collect();
        split(field, most, set, &mut partitions);
    }
    partitions.sort_unstable();
    partitions
}

/// Puts a set among the partitions, cut into as many as it takes.
fn split(field: &Field, most: Share, set: Vec<u32>, partitions: &mut Vec<Vec<u32>>) {
    let parts = parts_needed(field, most, &set);
    if parts <= 1 {
        partitions.push(set);
        return;
    }
    let mut pieces = vec![Vec::new(); set.len()];
    for (group, piece) in set.iter().zip(cut(&graph(field, &set), &vec![1; parts])) {
        pieces[piece].push(*group);
    }
    if pieces.iter().any(|piece: &Vec<u32>| piece.len() == set.len()) {
        // Not to be cut any further by its traffic.
        partitions.extend(set.into_iter().map(|group| vec![group]));
        return;
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces.into_iter().for_each(|piece| split(field, most, piece, partitions));
}

/// The groups of a set, in ascending order, by their loads and the traffic between them.
fn graph(field: &Field, set: &[u32]) -> Graph {
    let mut edges = Vec::new();
    for (at, group) in set.iter().enumerate() {
        for link in field.links.pairs(*group) {
            if let Ok(other) = set.binary_search(&link.group)
                && other > at
            {
                edges.push((at, other, link.rate));
            }
        }
    }
    Graph { weights: set.iter().map(|group| field.instance().load[*group as usize]).collect(), edges }
}

/// Partitions that a set has to be cut into at least.
fn parts_needed(field: &Field, most: Share, set: &[u32]) -> usize {
    if set.len() <= 1 {
        return 1;
    }
    let instance = field.instance();
    let host = instance.hosts[instance.home[set[0] as usize] as usize];
    let load: i64 = set.iter().map(|group| instance.load[*group as usize]).sum();
    let moves: u64 = set.iter().map(|group| instance.moves_of(*group)).sum();
    let bytes: i64 = set.iter().map(|group| instance.least_bytes(*group)).sum();
    let times = |all: i64, most: i64| if all <= most { 1 } else { ((all - 1) / most.max(1) + 1) as usize };
    let limit = most.of(crate::units::Load(host.capacity)).0;
    times(load, limit)
        .max(times(moves as i64, instance.budget_moves as i64))
        .max(times(bytes, instance.budget_bytes.unwrap_or(i64::MAX)))
        .min(set.len())
}

/// Union-find with halved paths; the smallest member is the root.
struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    fn find(&mut self, mut group: u32) -> u32 {
        while self.parent[group as usize] != group {
            let above = self.parent[self.parent[group as usize] as usize];
            self.parent[group as usize] = above;
            group = above;
        }
        group
    }

    fn unite(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        self.parent[one.max(other) as usize] = one.min(other);
    }
}
