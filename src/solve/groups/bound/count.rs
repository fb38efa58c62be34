//! How many groups must move at least so that every host can be inside its window.

use std::collections::BinaryHeap;

use super::facts::Facts;
use super::room::{self, Room};
use super::windows::Windows;

/// Numbers of groups that may settle one host: those that leave it and those that come to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    out: u64,
    into: u64,
}

/// Weights tried between the two counts. Every weight gives a valid bound; the best of these is taken.
const WEIGHTS: u64 = 8;

/// Fewest groups away from home; none where no number of moves suffices.
pub(super) fn least(facts: &Facts, windows: &Windows) -> Option<u64> {
    if !room::suffices(facts, windows) {
        return None;
    }
    let room = Room::of(facts, windows);
    let mut sums = [0_u64; WEIGHTS as usize + 1];
    let mut cover = Cover::new(facts, windows);
    for host in 0..facts.hosts() {
        let ways = ways(facts, windows, &room, host)?;
        let Some(out) = ways.iter().flatten().map(|way| way.out).min() else { continue };
        for (weight, sum) in sums.iter_mut().enumerate() {
            let price = |way: &Way| weight as u64 * way.out + (WEIGHTS - weight as u64) * way.into;
            *sum += ways.iter().flatten().map(price).min().unwrap_or(0);
        }
        cover.force(host, out as usize);
    }
    let by_counts = sums.into_iter().max().unwrap_or(0).div_ceil(WEIGHTS);
    Some(by_counts.max(cover.count()?))
}

/// Ways for a host, empty where it needs nothing; none when there is no way.
fn ways(facts: &Facts, windows: &Windows, room: &Room, host: usize) -> Option<[Option<Way>; 3]> {
    let load = facts.load[host];
    let (excess, short) = windows.demand(host, load);
    if excess > 0 {
        return giving(facts, host, room, excess, load - windows.low[host]);
    }
    if short > 0 {
        return receiving(facts, windows, host, short);
    }
    Some([None; 3])
}

/// The heaviest groups give the excess away; whoever gives too much receives one back.
fn giving(facts: &Facts, host: usize, room: &Room, excess: i64, most: i64) -> Option<[Option<Way>; 3]> {
    let range = facts.range(host);
    let first = facts.on.first_within(range.clone(), room.elsewhere(host));
    let count = facts.on.count(first..range.end, excess)?;
    let loads = &facts.on.loads[first..range.end];
    let exact = (count..=loads.len()).find(|count| has_subset(loads, *count, excess, most));
    let exact = exact.map(|count| Way { out: count as u64, into: 0 });
    let over = Way { out: count as u64, into: 1 };
    Some([exact, (exact.is_none_or(|exact| exact.out > over.out)).then_some(over), None])
}

/// The heaviest groups of all that fit cover the shortfall; where each is too heavy, one more comes or one leaves.
fn receiving(facts: &Facts, windows: &Windows, host: usize, short: i64) -> Option<[Option<Way>; 3]> {
    let end = facts.all.loads.len();
    let with_none_out = facts.all.first_within(0..end, windows.high[host] - facts.load[host]);
    let first = facts.all.first_within(0..end, room::on(facts, windows, host));
    let alone = facts.all.count(with_none_out..end, short).map(|count| Way { out: 0, into: count as u64 });
    let many = facts.all.count(first..end, short)? as u64;
    let leaves = !facts.range(host).is_empty();
    let swapped = alone.is_none_or(|alone| alone.into > many) && leaves;
    let swapped = swapped.then_some(Way { out: 1, into: many });
    (alone.is_some() || swapped.is_some()).then_some([alone, swapped, None])
}

/// Whether so many of the loads, sorted from the heaviest, can have from `least` to `most` together; of three and more
/// it is assumed.
fn has_subset(loads: &[i64], count: usize, least: i64, most: i64) -> bool {
    match count {
        0 => false,
        1 => loads.partition_point(|load| *load > most) < loads.partition_point(|load| *load >= least),
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
