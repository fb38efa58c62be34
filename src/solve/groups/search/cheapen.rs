//! The cheapest plan within the bands that are reached: groups are taken home, and what that leaves outside the bands is
//! mended anew, the most load for the price first.
//!
//! Ruin and recreate (Schrimpf et al., J. Comput. Phys. 2000). It is what finds copies: a host that is too full sends its
//! groups where their copies lie, and if there is no room for one, a group there makes it by going to a copy of its own.

use super::Search;
use super::anneal::luck;
use super::bands::{Bands, Range};
use super::propose::Proposal;
use super::state::{Send, State};
use crate::solve::Budget;

/// Rounds, so many for every group away and for some more.
const ROUNDS: usize = 40;
const MORE: usize = 8;

/// Groups taken home at once, at most.
const RUINED: usize = 6;

/// Hosts that a group may go to beside those with its copies, or come from: the best of so many drawn.
const NEAR: usize = 5;
const DRAWN: usize = 64;

/// Changes that mend one round, at most.
const CHANGES: usize = 64;

impl Search<'_> {
    /// Looks for cheaper plans that bring no host farther than the best one does.
    pub(super) fn cheapen(&mut self, budget: &mut Budget) {
        let (field, instance) = (self.field, self.field.instance);
        if !field.has_bytes || (instance.move_price.is_none() && instance.copies.is_empty()) {
            return;
        }
        self.state.become_like(&self.best);
        let bands = Bands::reached(&self.state);
        let mut cheapen = Cheapen::new(&self.state, bands, self.random.fork());
        // A plan that goes by the price from the beginning may be far cheaper than any near the best one.
        self.state.become_like(&[]);
        cheapen.open = (0..field.hosts() as u32).collect();
        if cheapen.recreate(&mut self.state, field.instance.groups(), budget) {
            self.offer();
        }
        self.state.become_like(&self.best);
        let rounds = (ROUNDS * (MORE + self.best.len())) as i64;
        let heat =
            (self.score.bytes / (self.best.len() as i64).max(1) + instance.move_price.unwrap_or(0)) / 4;
        for round in 0..rounds {
            if self.state.away.is_empty() || !budget.step() {
                break;
            }
            let heat = heat / rounds * (rounds - round);
            if cheapen.round(&mut self.state, heat, budget) && self.state.price() < self.score.price {
                self.offer();
            }
        }
    }
}

struct Cheapen {
    bands: Bands,
    /// Groups with a copy on each host.
    copies_on: Vec<Vec<u32>>,
    /// Hosts that may be outside their bands.
    open: Vec<u32>,
    /// Where groups were before they were sent elsewhere in this round.
    log: Vec<Send>,
    random: fastrand::Rng,
}

impl Cheapen {
    fn new(state: &State, bands: Bands, random: fastrand::Rng) -> Self {
        let instance = state.field.instance;
        let mut copies_on = vec![Vec::new(); state.field.hosts()];
        for group in 0..instance.groups() as u32 {
            for (_, host, _) in instance.copies.of(group) {
                copies_on[*host as usize].push(group);
            }
        }
        Self { bands, copies_on, open: Vec::new(), log: Vec::new(), random }
    }

    /// Takes some groups home and mends what that breaks; all is put back if that costs more than luck allows. True when
    /// it is not.
    fn round(&mut self, state: &mut State, heat: i64, budget: &mut Budget) -> bool {
        let before = state.price();
        self.log.clear();
        self.open.clear();
        self.ruin(state);
        let mended = self.recreate(state, CHANGES, budget);
        if mended && state.price() - before <= i128::from(luck(&mut self.random, heat)) {
            return true;
        }
        while let Some((group, host)) = self.log.pop() {
            state.send(group, host);
        }
        false
    }

    /// Some groups go home: of one host, or of any.
    fn ruin(&mut self, state: &mut State) {
        let first = state.away[self.random.usize(..state.away.len())];
        let (home, host) = (state.field.home(first), state.host[first as usize]);
        let from = match self.random.u8(..3) {
            0 => state.gone[home as usize].clone(),
            1 => [&state.guests[host as usize][..], &state.gone[host as usize]].concat(),
            _ => (0..RUINED).map(|_| state.away[self.random.usize(..state.away.len())]).collect(),
        };
        self.take_home(state, first);
        for _ in 1..self.random.usize(1..=RUINED) {
            let next = from[self.random.usize(..from.len())];
            self.take_home(state, next);
        }
    }

    fn take_home(&mut self, state: &mut State, group: u32) {
        let home = state.field.home(group);
        if state.is_away(group) && state.fits(group, home) {
            self.send(state, &[(group, home)]);
        }
    }

    fn send(&mut self, state: &mut State, sends: &[Send]) {
        for (group, to) in sends {
            let from = state.host[*group as usize];
            self.log.push((*group, from));
            self.open.extend([from, *to]);
            state.send(*group, *to);
        }
    }

    /// Brings the open hosts into their bands with at most so many changes; true when it could.
    fn recreate(&mut self, state: &mut State, changes: usize, budget: &mut Budget) -> bool {
        for change in 1.. {
            self.open.sort_unstable();
            self.open.dedup();
            self.open.retain(|host| violation(state, &self.bands, *host) > 0);
            let worst = self.open.iter().max_by_key(|host| violation(state, &self.bands, **host)).copied();
            let Some(worst) = worst else { return true };
            if change > changes || (change % CHANGES == 0 && !budget.step()) {
                return false;
            }
            let Some(best) = self.best(state, worst) else { return false };
            self.send(state, best.sends());
        }
        false
    }

    /// What brings a host nearer to its bands for the least price.
    fn best(&mut self, state: &State, host: u32) -> Option<Proposal> {
        let mut offers = Offers { state, bands: &self.bands, random: &mut self.random, best: None };
        let here = state.field.rows_of(host);
        if here.into_iter().any(|row| state.load[row] > self.bands.0[row].high) {
            let widest = near(state, &self.bands, offers.random, |load, range| range.high - load);
            for group in groups_on(state, host) {
                offers.relieve(group, host, &widest);
            }
        } else {
            let fullest = near(state, &self.bands, offers.random, |load, range| load - range.low);
            for group in &self.copies_on[host as usize] {
                offers.one(*group, host);
            }
            for group in &state.gone[host as usize] {
                offers.one(*group, host);
            }
            for from in fullest {
                groups_on(state, from).for_each(|group| offers.one(group, host));
            }
        }
        offers.best.map(|(_, proposal)| proposal)
    }
}

/// Changes that gain something, compared by what they gain for their price.
struct Offers<'o, 'f> {
    state: &'o State<'f>,
    bands: &'o Bands,
    random: &'o mut fastrand::Rng,
    best: Option<(f64, Proposal)>,
}

impl Offers<'_, '_> {
    /// A group leaves a host that is too full: for its copies, for its home, or for where most room is.
    fn relieve(&mut self, group: u32, host: u32, widest: &[u32]) {
        let (state, copies) = (self.state, self.state.field.instance.copies.of(group));
        let load = state.field.load(group);
        if load == 0 {
            return;
        }
        self.one(group, state.field.home(group));
        for (_, to, _) in copies {
            self.one(group, *to);
            let over = state.load[*to as usize] + load - self.bands.0[*to as usize].high;
            if over > 0 && *to != host {
                self.make_room(group, *to, host);
            }
        }
        for to in widest {
            self.one(group, *to);
        }
    }

    /// A group goes to a host, from which another one goes to a copy of its own.
    fn make_room(&mut self, group: u32, to: u32, from: u32) {
        let state = self.state;
        for other in groups_on(state, to) {
            for (_, beyond, _) in state.field.instance.copies.of(other) {
                if *beyond != to && *beyond != from {
                    self.offer(&[(group, to), (other, *beyond)]);
                }
            }
        }
    }

    /// A group goes to a host.
    fn one(&mut self, group: u32, to: u32) {
        if self.state.host[group as usize] != to {
            self.offer(&[(group, to)]);
        }
    }

    fn offer(&mut self, sends: &[Send]) {
        let proposal = Proposal::of(sends);
        let Some(change) = proposal.change(self.state, self.bands).filter(|change| *change < 0) else {
            return;
        };
        if !proposal.is_affordable(self.state) {
            return;
        }
        // What goes home is paid back, and comes before all else.
        let price = proposal.price(self.state).max(1) as f64;
        let gain = -change as f64 / price * (0.75 + 0.5 * self.random.f64());
        if self.best.is_none_or(|(best, _)| gain > best) {
            self.best = Some((gain, proposal));
        }
    }
}

/// How far a host is outside its bands.
fn violation(state: &State, bands: &Bands, host: u32) -> i64 {
    state.field.rows_of(host).map(|row| bands.0[row].violation(state.load[row])).sum()
}

/// All groups on a host.
fn groups_on<'s>(state: &'s State, host: u32) -> impl Iterator<Item = u32> + 's {
    let at_home = state.field.at_home(host).iter().filter(|group| !state.is_away(**group));
    at_home.chain(&state.guests[host as usize]).copied()
}

/// The first of some hosts drawn by an amount of load, the largest first.
fn near(
    state: &State,
    bands: &Bands,
    random: &mut fastrand::Rng,
    amount: impl Fn(i64, &Range) -> i64,
) -> Vec<u32> {
    let takers = &state.field.takers;
    let mut drawn: Vec<u32> = if takers.len() <= DRAWN {
        takers.clone()
    } else {
        (0..DRAWN).map(|_| takers[random.usize(..takers.len())]).collect()
    };
    let of = |host: &u32| amount(state.load[*host as usize], &bands.0[*host as usize]);
    drawn.sort_by_key(|host| (std::cmp::Reverse(of(host)), *host));
    drawn.dedup();
    drawn.truncate(NEAR);
    drawn
}
