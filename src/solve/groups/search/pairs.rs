//! Where moves are left to spend: the worst host trades with others until no trade brings it nearer.

use std::collections::BTreeSet;

use super::Search;
use super::bands::Bands;
use super::propose::Proposal;
use super::state::{Send, State};
use crate::solve::Budget;
use crate::units::{Load, Share};

/// Hosts on the other side that are tried: so many of the farthest, and as many at random each time.
const FARTHEST: usize = 4;
const RANDOM: usize = 12;

/// Draws of partners after which a worst host is stuck.
const DRAWS: usize = 8;

impl Search<'_> {
    /// Trades from the best plan on; one step of the budget is one trade.
    pub(super) fn pair(&mut self, budget: &mut Budget) {
        if self.is_close() || self.score.moves >= self.field.instance.budget_moves {
            return;
        }
        self.state.become_like(&self.best);
        let bands = Bands::around(self.field, self.aim);
        let mut market = Market::of(&self.state);
        let mut random = self.random.fork();
        while market.distance() > self.aim && budget.step() {
            let trade = (0..DRAWS).find_map(|_| market.best(&self.state, &bands, &mut random));
            let Some(trade) = trade else { break };
            market.carry_out(&mut self.state, &trade);
        }
        self.offer();
    }
}

/// Hosts by how far they are, and their groups by load.
struct Market {
    /// Signed distances of the listed hosts; of draining ones no less than zero.
    order: BTreeSet<(Share, u32)>,
    /// Groups on every host, the lightest first, ties by position.
    groups: Vec<Vec<u32>>,
}

/// A trade, the distance of the farther of its two hosts after it, and what it costs.
type Offer = (Share, usize, Vec<Send>);

impl Market {
    fn of(state: &State) -> Self {
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); state.field.hosts()];
        for (group, host) in state.host.iter().enumerate() {
            groups[*host as usize].push(group as u32);
        }
        for groups in &mut groups {
            groups.sort_unstable_by_key(|group| (state.field.load(*group), *group));
        }
        let listed = (0..state.field.hosts() as u32).filter(|host| is_listed(state, *host));
        Self { order: listed.map(|host| (signed(state, host), host)).collect(), groups }
    }

    /// Distance of the worst host.
    fn distance(&self) -> Share {
        let far = |end: Option<&(Share, u32)>| end.map_or(Share::ZERO, |(signed, _)| signed.abs());
        far(self.order.first()).max(far(self.order.last()))
    }

    /// The best of the trades of the worst host with a few others.
    fn best(&self, state: &State, bands: &Bands, random: &mut fastrand::Rng) -> Option<Vec<Send>> {
        let (low, high) = (self.order.first()?, self.order.last()?);
        let is_over = high.0.abs() >= low.0.abs();
        let worst = if is_over { high.1 } else { low.1 };
        let mut partners: Vec<u32> = if is_over {
            self.order.iter().take(FARTHEST).map(|(_, host)| *host).collect()
        } else {
            self.order.iter().rev().take(FARTHEST).map(|(_, host)| *host).collect()
        };
        partners.extend((0..RANDOM).map(|_| random.u32(..state.field.hosts() as u32)));
        let mut best: Option<Offer> = None;
        for partner in partners {
            if partner == worst || !is_listed(state, partner) {
                continue;
            }
            let (giver, taker) = if is_over { (worst, partner) } else { (partner, worst) };
            let before = signed(state, giver).abs().max(signed(state, taker).abs());
            for offer in self.offers(state, giver, taker) {
                let better = best.as_ref().is_none_or(|best| (offer.0, offer.1) < (best.0, best.1));
                if offer.0 < before && better && is_allowed(state, bands, &offer.2) {
                    best = Some(offer);
                }
            }
        }
        best.map(|(_, _, sends)| sends)
    }

    /// The single group, and the exchange of two, that bring giver and taker closest to each other.
    fn offers(&self, state: &State, giver: u32, taker: u32) -> Vec<Offer> {
        let wanted = wanted(state, giver, taker);
        if wanted <= 0 {
            return Vec::new();
        }
        let load = |group: &u32| state.field.load(*group);
        let (given, held) = (&self.groups[giver as usize], &self.groups[taker as usize]);
        let at = given.partition_point(|group| load(group) < wanted);
        let mut trades: Vec<Vec<Send>> =
            given[at.saturating_sub(1)..].iter().take(2).map(|group| vec![(*group, taker)]).collect();
        // Both lists rise, so the held group that fits a given one only ever moves up.
        let (mut next, mut nearest) = (0, None);
        for one in given {
            while next < held.len() && load(one) - load(&held[next]) > wanted {
                next += 1;
            }
            for other in held[next.saturating_sub(1)..].iter().take(2) {
                let miss = (load(one) - load(other) - wanted).abs();
                if nearest.is_none_or(|(known, _, _)| miss < known) {
                    nearest = Some((miss, *one, *other));
                }
            }
        }
        trades.extend(nearest.map(|(_, one, other)| vec![(one, taker), (other, giver)]));
        let after = |sends: &[Send]| {
            let sum =
                |host| -> i64 { sends.iter().filter(|(_, to)| *to == host).map(|(g, _)| load(g)).sum() };
            let net = sum(taker) - sum(giver);
            let far = |host: u32, more| signed_with(state, host, more).abs();
            far(giver, -net).max(far(taker, net))
        };
        trades.into_iter().map(|sends| (after(&sends), sends.len(), sends)).collect()
    }

    fn carry_out(&mut self, state: &mut State, trade: &[Send]) {
        for (group, to) in trade {
            let from = state.host[*group as usize];
            for host in [from, *to] {
                self.order.remove(&(signed(state, host), host));
            }
            let key = |known: &u32| (state.field.load(*known), *known);
            let list = &mut self.groups[from as usize];
            list.remove(list.partition_point(|known| key(known) < key(group)));
            let list = &mut self.groups[*to as usize];
            list.insert(list.partition_point(|known| key(known) < key(group)), *group);
            state.send(*group, *to);
            self.order.extend([from, *to].map(|host| (signed(state, host), host)));
        }
    }
}

fn is_listed(state: &State, host: u32) -> bool {
    state.field.instance.hosts[host as usize].listed
}

/// How far above the mean a host is; below it with a minus, of a draining host nothing.
fn signed(state: &State, host: u32) -> Share {
    signed_with(state, host, 0)
}

fn signed_with(state: &State, host: u32, more: i64) -> Share {
    let info = &state.field.instance.hosts[host as usize];
    let utilization = Load(state.load[host as usize] + more).over(Load(info.capacity));
    let above = utilization - state.field.mean;
    if above < Share::ZERO {
        Share(-utilization.distance_from(state.field.mean, info.draining).0)
    } else {
        above
    }
}

/// Load that must change hands for two hosts to be equally utilized.
fn wanted(state: &State, giver: u32, taker: u32) -> i64 {
    let of = |host: u32| {
        let capacity = i128::from(state.field.instance.hosts[host as usize].capacity);
        (i128::from(state.load[host as usize]), capacity)
    };
    let ((load, capacity), (other, room)) = (of(giver), of(taker));
    ((load * room - other * capacity) / (capacity + room)) as i64
}

fn is_allowed(state: &State, bands: &Bands, sends: &[Send]) -> bool {
    let proposal = Proposal::of(sends);
    proposal.change(state, bands).is_some() && proposal.is_affordable(state)
}
