//! Balance and traffic together: annealing on steps of several groups, for when one group at a time gets no farther.
//!
//! Where groups are large beside maxLD hardly any pair can be gained by itself: room has to be made for it, by sending
//! something else on, and what is sent may be a pair that has to stay together. So a step here is a pair gained, two
//! sets of talking groups exchanged, a set sent elsewhere or a group sent home, with as many others sent home as the
//! budget asks for; load outside its range has a price and may come up on the way. All other limits are hard.

use crate::solve::Budget;
use crate::solve::traffic::{NONE, State};

/// Chains, and proposals of each: so many a group with traffic, within limits.
const CHAINS: usize = 12;
const CHAIN_A_GROUP: usize = 128;
const SHORTEST: usize = 512;
const LONGEST: usize = 16_384;

/// Heat at the begin of each chain in turn, beside the traffic of an average pair.
const HEATS: [f64; 3] = [0.5, 0.125, 1.5];

/// Proposals that make one step of the budget.
const PROPOSED: usize = 64;

/// Groups that move as one at most.
const SET: usize = 6;

/// Looks for a state that keeps more traffic on nodes for as little load outside; it ends as the best one found.
pub(super) fn walk(state: &mut State, budget: &mut Budget, random: &mut fastrand::Rng) {
    let talkers: Vec<u32> = (0..state.host.len() as u32).filter(|group| talks(state, *group)).collect();
    if talkers.is_empty() {
        return;
    }
    let length = (CHAIN_A_GROUP * talkers.len()).clamp(SHORTEST, LONGEST);
    let mut walk = Walk { talkers, random, log: Vec::new(), hosts: Vec::new() };
    let heat = walk.average(state);
    let mut best = (state.violation, state.energy());
    let mut plan = state.plan();
    let mut idle = 0;
    for chain in 0..CHAINS {
        let before = best;
        let top = heat * HEATS[chain % HEATS.len()];
        for at in 0..length {
            if at % PROPOSED == 0 && !budget.step() {
                state.become_like(&plan);
                return;
            }
            let heat = top * (1.0 - at as f64 / length as f64);
            if walk.propose(state, heat) {
                let now = (state.violation, state.energy());
                if now.0 < best.0 || now.0 == best.0 && now.1 < best.1 {
                    (best, plan) = (now, state.plan());
                }
            }
        }
        idle = if before == best { idle + 1 } else { 0 };
        state.become_like(&plan);
        if idle == HEATS.len() {
            break;
        }
    }
}

fn talks(state: &State, group: u32) -> bool {
    let links = &state.field.links;
    !links.pairs(group).is_empty() || !links.parts(group).is_empty()
}

struct Walk<'r> {
    /// Groups with any traffic.
    talkers: Vec<u32>,
    random: &'r mut fastrand::Rng,
    /// Groups sent by the proposal at hand, and where from.
    log: Vec<(u32, u32)>,
    /// Hosts that the proposal touches.
    hosts: Vec<u32>,
}

impl Walk<'_> {
    /// Traffic of an average group: what a step can be expected to be about.
    fn average(&self, state: &State) -> f64 {
        let links = &state.field.links;
        let rate: i64 =
            self.talkers.iter().flat_map(|group| links.pairs(*group)).map(|link| link.rate / 2).sum();
        let streams: i64 = links.streams.iter().map(|stream| stream.rate.0).sum();
        (rate + streams) as f64 / self.talkers.len() as f64
    }

    /// Tries one step; true when the state changed.
    fn propose(&mut self, state: &mut State, heat: f64) -> bool {
        self.log.clear();
        self.hosts.clear();
        let before = state.energy();
        match self.random.u8(..10) {
            0..4 => self.pair(state),
            4..7 => self.exchange(state),
            7 => self.resettle(state),
            _ => self.go_home(state),
        }
        self.keep_to_the_budget(state);
        if self.log.is_empty() {
            return false;
        }
        let cost = state.energy() - before;
        let accepted = state.holds(&self.hosts) && (cost <= 0.0 || self.random.f64() < (-cost / heat).exp());
        if !accepted {
            while let Some((group, from)) = self.log.pop() {
                state.send(group, from);
            }
        }
        accepted
    }

    fn send(&mut self, state: &mut State, group: u32, to: u32) {
        let from = state.host[group as usize];
        let home = state.field.instance().home[group as usize];
        if from == to || to != home && !state.field.takes(to) {
            return;
        }
        self.log.push((group, from));
        self.hosts.extend([from, to]);
        state.send(group, to);
    }

    fn talker(&mut self) -> u32 {
        self.talkers[self.random.usize(..self.talkers.len())]
    }

    /// A host that some traffic of a group's is on.
    fn host_of_traffic(&mut self, state: &State, group: u32) -> Option<u32> {
        let links = &state.field.links;
        let (pairs, parts) = (links.pairs(group), links.parts(group));
        let chosen = self.random.usize(..pairs.len() + parts.len());
        if let Some(link) = pairs.get(chosen) {
            return Some(state.host_of(link));
        }
        let stream = parts[chosen - pairs.len()].stream;
        let hosts = state.hosts_of(stream).count();
        state.hosts_of(stream).nth(self.random.usize(..hosts.max(1))).map(|(host, _)| host)
    }

    /// A group goes where some of its traffic is, and perhaps something else comes back for it.
    fn pair(&mut self, state: &mut State) {
        const TRIES: usize = 8;
        for _ in 0..TRIES {
            let group = self.talker();
            let from = state.host[group as usize];
            let Some(to) = self.host_of_traffic(state, group).filter(|to| *to != from) else { continue };
            self.send(state, group, to);
            if self.random.bool()
                && let Some(other) = self.any_on(state, to).filter(|other| *other != group)
            {
                let back = if self.random.bool() { from } else { self.any_host(state) };
                self.send_set(state, other, back);
            }
            return;
        }
    }

    /// Two sets of talking groups exchange their hosts.
    fn exchange(&mut self, state: &mut State) {
        let one = self.talker();
        let (from, to) = (state.host[one as usize], self.any_host(state));
        let Some(other) = self.any_on(state, to).filter(|_| from != to) else { return };
        let there = self.set(state, other);
        self.send_set(state, one, to);
        there.into_iter().for_each(|group| self.send(state, group, from));
    }

    /// A set of talking groups goes elsewhere.
    fn resettle(&mut self, state: &mut State) {
        let (group, to) = (self.talker(), self.any_host(state));
        self.send_set(state, group, to);
    }

    /// A group that is away goes home, perhaps with those it talks with.
    fn go_home(&mut self, state: &mut State) {
        if state.away.is_empty() {
            return;
        }
        let group = state.away[self.random.usize(..state.away.len())];
        let home = state.field.instance().home[group as usize];
        if self.random.bool() {
            self.send(state, group, home);
        } else {
            self.send_set(state, group, home);
        }
    }

    /// Sends groups that the proposal did not touch home while too many are away.
    fn keep_to_the_budget(&mut self, state: &mut State) {
        const TRIES: usize = 8;
        for _ in 0..TRIES {
            if state.moves <= state.field.instance().budget_moves {
                return;
            }
            let group = state.away[self.random.usize(..state.away.len())];
            if self.log.iter().all(|(sent, _)| *sent != group) {
                self.send(state, group, state.field.instance().home[group as usize]);
            }
        }
    }

    fn any_host(&mut self, state: &State) -> u32 {
        self.random.u32(..state.loads[0].len() as u32)
    }

    /// A group that is on a host.
    fn any_on(&mut self, state: &State, host: u32) -> Option<u32> {
        let on = &state.on[host as usize];
        (!on.is_empty()).then(|| on[self.random.usize(..on.len())])
    }

    fn send_set(&mut self, state: &mut State, group: u32, to: u32) {
        self.set(state, group).into_iter().for_each(|group| self.send(state, group, to));
    }

    /// A group and those on its host that it talks with.
    fn set(&self, state: &State, group: u32) -> Vec<u32> {
        let host = state.host[group as usize];
        let mut set = vec![group];
        let mut at = 0;
        while at < set.len() && set.len() < SET {
            for link in state.field.links.pairs(set[at]) {
                let here = link.group != NONE && state.host[link.group as usize] == host;
                if link.talks && here && !set.contains(&link.group) && set.len() < SET {
                    set.push(link.group);
                }
            }
            at += 1;
        }
        set
    }
}
