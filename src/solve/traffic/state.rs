//! Where every group is, with every sum kept up to date.

use std::collections::BTreeMap;

use super::field::{Field, NONE};
use crate::units::Rate;

/// A group and the host it goes to.
pub(in crate::solve) type Sent = (u32, u32);

/// The hosts of all groups, and the sums that follow.
#[derive(Debug, Clone)]
pub(in crate::solve) struct State<'f> {
    pub(in crate::solve) field: &'f Field<'f>,
    /// Host of every group.
    pub(in crate::solve) host: Vec<u32>,
    /// By measure, CPU first: use of every host.
    pub(in crate::solve) loads: Vec<Vec<i64>>,
    memory: Vec<i64>,
    slots: Vec<i64>,
    /// Groups on every host, in no order that matters.
    pub(in crate::solve) on: Vec<Vec<u32>>,
    spot: Vec<u32>,
    /// Groups away from home, in no order that matters.
    pub(in crate::solve) away: Vec<u32>,
    at: Vec<u32>,
    /// Moves and bytes spent.
    pub(in crate::solve) moves: u64,
    bytes: i64,
    /// Load outside the ranges of all hosts.
    pub(in crate::solve) violation: i64,
    /// Traffic kept on a node, in thousandths of a tuple a second; what no move can change is not in it.
    pub(in crate::solve) kept: i64,
    /// By stream and host: parts sent and received there.
    sums: Vec<BTreeMap<u32, [i64; 2]>>,
    /// By stream: part of it kept, of `WHOLE` x `WHOLE`.
    products: Vec<i64>,
}

impl<'f> State<'f> {
    /// Every group at home.
    pub(in crate::solve) fn at_home(field: &'f Field<'f>) -> Self {
        let instance = field.instance();
        let loads: Vec<Vec<i64>> = field.measures.iter().map(|measure| measure.present.clone()).collect();
        let outside = field.measures.iter().zip(&loads).flat_map(|(measure, loads)| {
            loads.iter().enumerate().map(|(host, load)| measure.violation(host as u32, *load))
        });
        let violation = outside.sum();
        let mut state = Self {
            field,
            host: instance.home.clone(),
            memory: instance.hosts.iter().map(|host| host.memory).collect(),
            slots: instance.hosts.iter().map(|host| host.slots).collect(),
            on: vec![Vec::new(); instance.hosts.len()],
            spot: vec![0; instance.groups()],
            away: Vec::new(),
            at: vec![NONE; instance.groups()],
            moves: 0,
            bytes: 0,
            violation,
            loads,
            kept: 0,
            sums: Vec::new(),
            products: Vec::new(),
        };
        for group in 0..instance.groups() as u32 {
            let on = &mut state.on[state.host[group as usize] as usize];
            state.spot[group as usize] = on.len() as u32;
            on.push(group);
        }
        state.count_traffic();
        state
    }

    fn count_traffic(&mut self) {
        let field = self.field;
        for stream in &field.links.streams {
            let mut sums = BTreeMap::<u32, [i64; 2]>::new();
            for (host, [sends, receives]) in &stream.stays {
                let sum = sums.entry(*host).or_default();
                *sum = [sum[0] + sends, sum[1] + receives];
            }
            self.sums.push(sums);
        }
        for group in 0..field.groups() as u32 {
            let host = self.host[group as usize];
            for part in field.links.parts(group) {
                let sum = self.sums[part.stream as usize].entry(host).or_default();
                *sum = [sum[0] + part.sends, sum[1] + part.receives];
            }
            for link in field.links.pairs(group) {
                // A link of two groups stands with both.
                let counts = link.group == NONE || link.group > group;
                self.kept += if counts && self.host_of(link) == host { link.rate } else { 0 };
            }
        }
        for (stream, sums) in field.links.streams.iter().zip(&self.sums) {
            let on_hosts: i64 = sums.values().map(|[sent, received]| sent * received).sum();
            self.products.push(on_hosts + stream.local);
            self.kept += stream.rate.part(on_hosts + stream.local).0;
        }
    }

    /// Where the other end of a link is.
    pub(in crate::solve) fn host_of(&self, link: &super::links::Link) -> u32 {
        if link.group == NONE { link.host } else { self.host[link.group as usize] }
    }

    /// True while a group is not at home.
    pub(in crate::solve) fn is_away(&self, group: u32) -> bool {
        self.at[group as usize] != NONE
    }

    /// Traffic that is kept on a node in addition when a group goes to a host.
    pub(in crate::solve) fn gain(&self, group: u32, to: u32) -> i64 {
        let (links, from) = (&self.field.links, self.host[group as usize]);
        let mut gain = 0;
        for link in links.pairs(group) {
            let host = self.host_of(link);
            gain += link.rate * (i64::from(host == to) - i64::from(host == from));
        }
        for part in links.parts(group) {
            let stream = part.stream as usize;
            let kept = self.products[stream];
            let more = self.product(part, from, to);
            gain += self.rate_of(stream, kept + more).0 - self.rate_of(stream, kept).0;
        }
        gain
    }

    fn rate_of(&self, stream: usize, kept: i64) -> Rate {
        self.field.links.streams[stream].rate.part(kept)
    }

    /// What a group's going from one host to another adds to the kept part of a stream.
    fn product(&self, part: &super::links::Part, from: u32, to: u32) -> i64 {
        let sum = |host| self.sums[part.stream as usize].get(&host).copied().unwrap_or([0; 2]);
        let ([sent, received], [sent_there, received_there]) = (sum(from), sum(to));
        part.sends * (received_there - received)
            + part.receives * (sent_there - sent)
            + 2 * part.sends * part.receives
    }

    /// Hosts that some of a stream's traffic is on.
    pub(in crate::solve) fn hosts_of(&self, stream: u32) -> impl Iterator<Item = (u32, [i64; 2])> + '_ {
        self.sums[stream as usize].iter().map(|(host, sums)| (*host, *sums))
    }

    /// Load outside the ranges that a group's going to a host adds; less than zero where it cuts it.
    pub(in crate::solve) fn strain(&self, group: u32, to: u32) -> i64 {
        let (group, from) = (group as usize, self.host[group as usize]);
        let measures = self.field.measures.iter().zip(&self.loads);
        measures
            .map(|(measure, loads)| {
                let change = |host: u32, more: i64| {
                    let now = loads[host as usize];
                    measure.violation(host, now + more) - measure.violation(host, now)
                };
                change(from, -measure.load[group]) + change(to, measure.load[group])
            })
            .sum()
    }

    /// Moves that a group's going to a host adds.
    pub(in crate::solve) fn price(&self, group: u32, to: u32) -> i64 {
        let (home, moves) =
            (self.field.instance().home[group as usize], self.field.instance().moves_of(group));
        moves as i64 * (i64::from(to != home) - i64::from(self.is_away(group)))
    }

    /// True when a group fits on another host within all limits and both budgets.
    pub(in crate::solve) fn fits(&self, group: u32, to: u32) -> bool {
        let instance = self.field.instance();
        let home = instance.home[group as usize];
        let bytes = instance.bytes_to(group, to) - instance.bytes_to(group, self.host[group as usize]);
        (to == home || self.field.takes(to))
            && self.slots[to as usize] >= self.slots_of(group, to)
            && self.memory[to as usize] >= instance.memory_of(group)
            && self.moves as i64 + self.price(group, to) <= instance.budget_moves as i64
            && (bytes <= 0 || self.bytes + bytes <= instance.budget_bytes.unwrap_or(i64::MAX))
    }

    /// True while all limits and both budgets hold, as far as hosts in question go.
    pub(in crate::solve) fn holds(&self, hosts: &[u32]) -> bool {
        let instance = self.field.instance();
        self.moves <= instance.budget_moves
            && self.bytes <= instance.budget_bytes.unwrap_or(i64::MAX)
            && hosts.iter().all(|host| self.slots[*host as usize] >= 0 && self.memory[*host as usize] >= 0)
    }

    /// Sends a group to a host, whatever the limits.
    pub(in crate::solve) fn send(&mut self, group: u32, to: u32) {
        let (field, from) = (self.field, self.host[group as usize]);
        if from == to {
            return;
        }
        let instance = field.instance();
        self.violation += self.strain(group, to);
        self.kept += self.gain(group, to);
        self.bytes += instance.bytes_to(group, to) - instance.bytes_to(group, from);
        self.moves = self.moves.strict_add_signed(self.price(group, to));
        for (measure, loads) in field.measures.iter().zip(&mut self.loads) {
            loads[from as usize] -= measure.load[group as usize];
            loads[to as usize] += measure.load[group as usize];
        }
        let memory = instance.memory_of(group);
        for (host, sign) in [(from, -1), (to, 1)] {
            if instance.hosts[host as usize].memory != i64::MAX {
                self.memory[host as usize] -= sign * memory;
            }
            self.slots[host as usize] -= sign * self.slots_of(group, host);
        }
        for part in field.links.parts(group) {
            let stream = part.stream as usize;
            self.products[stream] += self.product(part, from, to);
            for (host, sign) in [(from, -1), (to, 1)] {
                let sum = self.sums[stream].entry(host).or_default();
                *sum = [sum[0] + sign * part.sends, sum[1] + sign * part.receives];
                if *sum == [0; 2] {
                    self.sums[stream].remove(&host);
                }
            }
        }
        self.spot_on(group, from, to);
        self.host[group as usize] = to;
        self.mark_away(group, to != instance.home[group as usize]);
    }

    fn spot_on(&mut self, group: u32, from: u32, to: u32) {
        let spot = self.spot[group as usize];
        self.on[from as usize].swap_remove(spot as usize);
        if let Some(moved) = self.on[from as usize].get(spot as usize) {
            self.spot[*moved as usize] = spot;
        }
        self.spot[group as usize] = self.on[to as usize].len() as u32;
        self.on[to as usize].push(group);
    }

    fn mark_away(&mut self, group: u32, away: bool) {
        match (away, self.at[group as usize]) {
            (true, NONE) => {
                self.at[group as usize] = self.away.len() as u32;
                self.away.push(group);
            }
            (false, at) if at != NONE => {
                self.away.swap_remove(at as usize);
                if let Some(moved) = self.away.get(at as usize) {
                    self.at[*moved as usize] = at;
                }
                self.at[group as usize] = NONE;
            }
            _ => {}
        }
    }

    /// Slots a group takes on a host: none at home where it keeps one that is of no use to others.
    fn slots_of(&self, group: u32, host: u32) -> i64 {
        let instance = self.field.instance();
        let leaves = instance.leaves_slot.get(group as usize).copied().unwrap_or(true);
        i64::from(host != instance.home[group as usize] || leaves)
    }

    /// What the state is worth beside others: traffic not kept, restarts and load outside; less is better.
    pub(in crate::solve) fn energy(&self) -> f64 {
        self.field.weight * self.violation as f64 + self.price_of(self.moves) - self.kept as f64
    }

    /// Moves in the measure of traffic.
    pub(in crate::solve) fn price_of(&self, moves: u64) -> f64 {
        self.field.least as f64 * moves as f64
    }

    /// The groups away from home and where they are.
    pub(in crate::solve) fn plan(&self) -> Vec<Sent> {
        self.away.iter().map(|group| (*group, self.host[*group as usize])).collect()
    }

    /// Puts exactly the groups of a plan away from home.
    pub(in crate::solve) fn become_like(&mut self, plan: &[Sent]) {
        while let Some(group) = self.away.last().copied() {
            self.send(group, self.field.instance().home[group as usize]);
        }
        for (group, host) in plan {
            self.send(*group, *host);
        }
    }
}
