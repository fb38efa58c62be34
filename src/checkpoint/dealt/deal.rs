//! Every copy that lies nowhere gets the node where it serves all goals best.

use std::cmp::Reverse;

use super::super::books::{Books, Limits};
use super::super::ready::HOT;
use super::super::{Instance, NONE, Node};
use crate::units::{Load, Share};

/// Nodes up to which all are looked at for a copy, and how many else.
const ALL: usize = 64;
const SAMPLE: usize = 32;

/// What a millionth of a core too much after a loss costs, against all soft goals.
const EXCESS: f64 = 1e6;

/// Weights of what is even only on average: load and bytes of copies, and a rack's share of a node.
const EVEN: f64 = 0.3;

/// Load above the tolerated distance, as a fraction of capacity, up to which a doubled group could leave directly.
const LEAVES: Share = Share(10_000_000);

/// Dealing, with its scales.
pub(super) struct Deal<'i> {
    instance: &'i Instance,
    limits: &'i Limits,
    /// Nodes that take copies, the least utilized first.
    takers: Vec<u32>,
    /// Averages: load of a group; load and bytes of copies on a node; load that a lost rack brings to a node.
    group: f64,
    held: f64,
    stored: f64,
    rack: f64,
    /// Load up to which a group has to fit doubled, and the room for it on every node.
    light: i64,
    rooms: Vec<i64>,
    noise: f64,
    random: fastrand::Rng,
}

impl<'i> Deal<'i> {
    pub(super) fn new(instance: &'i Instance, limits: &'i Limits, seed: u64, noise: f64) -> Self {
        let mut takers = instance.takers();
        takers.sort_by(|one, other| {
            // By utilization, without rounding.
            let side = |a: u32, b: u32| {
                i128::from(instance.nodes[a as usize].load) * i128::from(instance.nodes[b as usize].capacity)
            };
            side(*one, *other).cmp(&side(*other, *one)).then(one.cmp(other))
        });
        let per = |sum: i64, parts: usize| (sum as f64 / parts.max(1) as f64).max(1.0);
        let (load, state): (i64, i64) = (instance.load.iter().sum(), instance.state.iter().sum());
        let copies = instance.copies as i64;
        let capacity = takers.iter().map(|at| instance.nodes[*at as usize].capacity).sum::<i64>();
        let average = Load(capacity / takers.len().max(1) as i64);
        let most = instance.mean() + instance.distance;
        let room = |node: &Node| most.most(Load(node.capacity)).0 - node.load;
        Self {
            instance,
            limits,
            group: per(load, instance.groups()),
            held: per(load * copies, takers.len()),
            stored: per(state * copies, takers.len()),
            rack: per(load, takers.len() * instance.racks.max(1)),
            light: (instance.distance + LEAVES).of(average).0,
            rooms: instance.nodes.iter().map(room).collect(),
            takers,
            noise,
            random: fastrand::Rng::with_seed(seed),
        }
    }

    /// Restart targets first, all of them by size: what is large in load or bytes needs the choice most.
    pub(super) fn run(&mut self, books: &mut Books) {
        let instance = self.instance;
        let state = (instance.state.iter().sum::<i64>() as f64 / instance.groups().max(1) as f64).max(1.0);
        let size = |group: &u32| {
            let at = *group as usize;
            let size = (instance.load[at] as f64 / self.group).max(instance.state[at] as f64 / state);
            (Reverse((size * 1e6) as i64), *group)
        };
        let mut order: Vec<u32> = (0..instance.groups() as u32).collect();
        order.sort_by_cached_key(size);
        for slot in 0..instance.copies {
            for group in &order {
                let group = *group as usize;
                if books.allocation.of(group)[slot] == NONE
                    && let Some(node) = self.choose(books, group, slot)
                {
                    books.put(group, slot, node);
                }
            }
        }
    }

    /// The best of all nodes, or of a sample; where the sample has none without a fault, one among the least utilized.
    fn choose(&mut self, books: &Books, group: usize, slot: usize) -> Option<u32> {
        let count = self.takers.len();
        if count <= ALL {
            return self.best(books, group, slot, 0..count).map(|(_, node)| node);
        }
        let sample: [usize; SAMPLE] = std::array::from_fn(|_| self.random.usize(..count));
        let first = self.best(books, group, slot, sample);
        if let Some((score, node)) = first
            && score < EXCESS
        {
            return Some(node);
        }
        let step = (count / 2 / SAMPLE).max(1);
        let shift = self.random.usize(..step);
        let second = self.best(books, group, slot, (0..SAMPLE).map(|at| at * step + shift));
        let better = match (first, second) {
            (Some(first), Some(second)) => Some(if second.0 < first.0 { second } else { first }),
            (first, second) => first.or(second),
        };
        // Room for a giant may be left on a handful of nodes.
        better.or_else(|| self.best(books, group, slot, 0..count)).map(|(_, node)| node)
    }

    /// The best among positions of takers.
    fn best(
        &mut self,
        books: &Books,
        group: usize,
        slot: usize,
        among: impl IntoIterator<Item = usize>,
    ) -> Option<(f64, u32)> {
        let mut best: Option<(f64, u32)> = None;
        for at in among {
            let node = self.takers[at];
            if !books.has_room(group, node) || !books.allocation.may_lie(self.instance, group, node) {
                continue;
            }
            let noise = if self.noise > 0.0 { self.noise * self.random.f64() } else { 0.0 };
            let score = self.score(books, group, slot, node) + noise;
            if best.is_none_or(|(least, known)| (score, node) < (least, known)) {
                best = Some((score, node));
            }
        }
        best
    }

    /// What a copy costs there; less is better.
    fn score(&self, books: &Books, group: usize, slot: usize, node: u32) -> f64 {
        let (instance, at) = (self.instance, node as usize);
        let (home, load) = (instance.home[group] as usize, instance.load[group]);
        let mut score = books.spread.get(home, node) as f64 / self.group
            + EVEN * books.held[at].load as f64 / self.held
            + EVEN * books.held[at].bytes as f64 / self.stored;
        let hot = HOT * load;
        if hot <= self.light && hot > self.rooms[at] {
            score += 1.0;
        }
        if slot == 0 {
            let limit = self.limits.of(node);
            let mut excess = (books.by_node.get(home, node) + load - limit.node).max(0);
            if instance.racks > 0 {
                let rack = instance.nodes[home].rack as usize;
                let brought = books.by_rack.get(rack, node) + load;
                excess += (brought - limit.rack).max(0);
                let given = instance.nodes[at].load;
                score += EVEN * (given + brought) as f64 / (self.rack + given as f64);
            }
            if excess > 0 {
                score += EXCESS * (1.0 + excess as f64);
            }
        }
        score
    }
}
