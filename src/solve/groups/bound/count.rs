//! How many groups must move at least so that every host can be inside its window.

use std::collections::BinaryHeap;

use super::facts::{Facts, near_front};
use super::room::{self, Room};
use super::windows::Windows;

/// Numbers of groups that may settle one host: those that leave it and those that come to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    out: u64,
    into: u64,
}

/// Ways for one host; nearly always there is one alone.
type Ways = (Way, Option<Way>);

/// Weights tried between the two counts. Every weight gives a valid bound; the best of these is taken.
const WEIGHTS: u64 = 8;

/// Fewest groups away from home; none where no number of moves suffices. Counting may end beyond `enough`.
pub(super) fn least(facts: &Facts, windows: &Windows, enough: u64) -> Option<u64> {
    if !room::suffices(facts, windows) {
        return None;
    }
    let room = Room::of(facts, windows);
    let mut sum = Way { out: 0, into: 0 };
    let mut choices = Vec::new();
    let mut cover = Cover::new(facts, windows);
    for host in 0..facts.hosts() {
        let (excess, short) = windows.demand(host, facts.load[host]);
        if excess <= 0 && short <= 0 {
            continue;
        }
        let (way, other) = match excess > 0 {
            true => giving(facts, windows, &room, host)?,
            false => receiving(facts, windows, host, short)?,
        };
        let out = other.map_or(way.out, |other| other.out.min(way.out));
        match other {
            Some(other) => choices.push((way, other)),
            None => sum = Way { out: sum.out + way.out, into: sum.into + way.into },
        }
        cover.force(host, out as usize);
        if cover.count.max(sum.into) > enough {
            return Some(cover.count.max(sum.into));
        }
    }
    Some(by_counts(sum, &choices).max(cover.count()?))
}

/// weight x groups that leave + (8 - weight) x groups that come is at most 8 x moves, for every weight.
fn by_counts(sum: Way, choices: &[(Way, Way)]) -> u64 {
    let of = |weight: u64| {
        let price = |way: &Way| weight * way.out + (WEIGHTS - weight) * way.into;
        price(&sum) + choices.iter().map(|(one, other)| price(one).min(price(other))).sum::<u64>()
    };
    (0..=WEIGHTS).map(of).max().unwrap_or(0).div_ceil(WEIGHTS)
}

/// The heaviest groups give the excess away; whoever gives too much receives one back. None when there is no way.
fn giving(facts: &Facts, windows: &Windows, room: &Room, host: usize) -> Option<Ways> {
    let (least, most) = (facts.load[host] - windows.high[host], facts.load[host] - windows.low[host]);
    let range = facts.range(host);
    let first = facts.on.first_within(range.clone(), room.elsewhere(host));
    let count = facts.on.count(first..range.end, least)?;
    let loads = &facts.on.loads[first..range.end];
    let over = Way { out: count as u64, into: 1 };
    let exact = (count..=loads.len()).find(|count| has_subset(loads, *count, least, most));
    Some(match exact.map(|count| Way { out: count as u64, into: 0 }) {
        None => (over, None),
        Some(exact) => (exact, (exact.out > over.out).then_some(over)),
    })
}

/// The heaviest groups of all that fit cover the shortfall; where each is too heavy, one more comes or one leaves.
fn receiving(facts: &Facts, windows: &Windows, host: usize, short: i64) -> Option<Ways> {
    let end = facts.all.loads.len();
    let first = facts.all.first_within(0..end, room::on(facts, windows, host));
    let many = facts.all.count(first..end, short)? as u64;
    let swapped = (!facts.range(host).is_empty()).then_some(Way { out: 1, into: many });
    let with_none_out = facts.all.first_within(first..end, windows.high[host] - facts.load[host]);
    match facts.all.count(with_none_out..end, short).map(|count| Way { out: 0, into: count as u64 }) {
        None => swapped.map(|swapped| (swapped, None)),
        Some(alone) => Some((alone, swapped.filter(|_| alone.into > many))),
    }
}

/// Whether so many of the loads, sorted from the heaviest, can have from `least` to `most` together; of three and more
/// it is assumed.
fn has_subset(loads: &[i64], count: usize, least: i64, most: i64) -> bool {
    match count {
        0 => false,
        1 => near_front(loads, |load| load > most) < near_front(loads, |load| load >= least),
        2 => {
            let (mut heavy, mut light) = (0, loads.len() - 1);
            while heavy < light {
                match loads[heavy] + loads[light] {
                    sum if sum > most => heavy += 1,
                    sum if sum < least => light -= 1,
                    _ => return true,
                }
            }
            false
        }
        _ => true,
    }
}

/// Counts groups until what leaves the hosts covers all shortfalls.
///
/// A host gives net at most what it has above its lower end, however many groups leave it.
struct Cover<'f> {
    facts: &'f Facts<'f>,
    /// Load that each host may still give, and groups that it has given.
    hosts: Vec<(i64, usize)>,
    /// Load still to be covered.
    short: i64,
    count: u64,
}

impl<'f> Cover<'f> {
    fn new(facts: &'f Facts<'f>, windows: &Windows) -> Self {
        let may_give = |host: usize| (facts.load[host] - windows.low[host]).max(0);
        let short = (0..facts.hosts()).map(|host| windows.demand(host, facts.load[host]).1).sum();
        Self { facts, hosts: (0..facts.hosts()).map(|host| (may_give(host), 0)).collect(), short, count: 0 }
    }

    /// At least so many groups of a host leave, wherever else groups come from.
    fn force(&mut self, host: usize, count: usize) {
        let range = self.facts.range(host);
        let given = self.facts.on.sum(range.start..range.start + count).min(self.hosts[host].0);
        self.hosts[host] = (self.hosts[host].0 - given, count);
        self.short -= given;
        self.count += count as u64;
    }

    /// Adds the heaviest other groups until all is covered; none if that never is.
    fn count(mut self) -> Option<u64> {
        let mut rests = BinaryHeap::new();
        let mut seen = vec![0_usize; self.hosts.len()];
        let mut others = self.facts.all.loads.iter().zip(&self.facts.home).peekable();
        while self.short > 0 {
            let next = others.peek().map_or(0, |(load, _)| **load);
            let rest = rests.peek().copied().unwrap_or(0);
            if next.max(rest) <= 0 {
                return None;
            }
            if rest >= next {
                rests.pop();
                self.short -= rest;
                self.count += 1;
                continue;
            }
            let (load, home) = others.next()?;
            seen[*home as usize] += 1;
            let (may_give, forced) = &mut self.hosts[*home as usize];
            if seen[*home as usize] > *forced && load > may_give {
                rests.push(*may_give);
                *may_give = 0;
            } else if seen[*home as usize] > *forced {
                self.short -= load;
                self.count += 1;
                *may_give -= load;
            }
        }
        Some(self.count)
    }
}
