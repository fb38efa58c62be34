//! What it costs at least that every host can be inside its window, where groups cost unlike amounts.

use super::facts::Facts;
use super::room::{self, Room};
use super::windows::Windows;

/// A group as far as its price goes.
#[derive(Debug, Clone, Copy)]
struct Item {
    load: i64,
    cost: i64,
}

/// Groups with load, the one with most load for its cost first: over all, and host by host.
#[derive(Debug)]
pub(super) struct Prices {
    all: Vec<Item>,
    on: Vec<Item>,
    /// Where a host's groups begin in `on`; one entry more than hosts.
    starts: Vec<u32>,
}

impl Prices {
    /// Prices where a group costs what `cost` says, wherever it goes.
    pub(super) fn new(facts: &Facts, cost: impl Fn(u32) -> i64) -> Self {
        let instance = facts.instance;
        let with_load = (0..instance.groups() as u32).filter(|group| instance.load[*group as usize] > 0);
        let item = |group: u32| Item { load: instance.load[group as usize], cost: cost(group) };
        let mut groups: Vec<(Item, u32)> =
            with_load.map(|group| (item(group), instance.home[group as usize])).collect();
        // Exact products: the fractional filling below is a bound only in the true order.
        let product = |one: i64, other: i64| i128::from(one) * i128::from(other);
        groups.sort_unstable_by(|(one, home), (other, at)| {
            let by_ratio = product(other.load, one.cost).cmp(&product(one.load, other.cost));
            by_ratio.then(other.load.cmp(&one.load)).then(home.cmp(at))
        });
        let mut starts = vec![0_u32; facts.hosts() + 1];
        for (_, home) in &groups {
            starts[*home as usize + 1] += 1;
        }
        for host in 1..starts.len() {
            starts[host] += starts[host - 1];
        }
        let mut next = starts.clone();
        let mut on = vec![Item { load: 0, cost: 0 }; groups.len()];
        for (item, home) in &groups {
            let at = &mut next[*home as usize];
            on[*at as usize] = *item;
            *at += 1;
        }
        Self { all: groups.into_iter().map(|(item, _)| item).collect(), on, starts }
    }

    /// Whether what must leave the hosts and what must come to them is each within a budget, as far as can be told.
    pub(super) fn are_within(&self, facts: &Facts, windows: &Windows, budget: i64) -> bool {
        // Sets are looked at only where dividing the last group of each host does not say enough.
        let within = |sets: u32| self.sum(facts, windows, budget, sets).is_some_and(|least| least <= budget);
        within(0) && within(sets_a_host(facts))
    }

    /// Least cost; none where none suffices.
    pub(super) fn least(&self, facts: &Facts, windows: &Windows) -> Option<i64> {
        self.sum(facts, windows, i64::MAX, sets_a_host(facts))
    }

    /// Least cost by looking at so many sets a host, as far as it is at most `enough`.
    fn sum(&self, facts: &Facts, windows: &Windows, enough: i64, sets: u32) -> Option<i64> {
        let room = Room::of(facts, windows);
        let (mut given, mut received) = (0_i64, 0_i64);
        for host in 0..facts.hosts() {
            let (excess, short) = windows.demand(host, facts.load[host]);
            if excess > 0 {
                let on = &self.on[self.starts[host] as usize..self.starts[host + 1] as usize];
                given = given.saturating_add(least_cost(on, room.elsewhere(host), excess, sets)?);
            }
            if short > 0 {
                let cost = least_cost(&self.all, room::on(facts, windows, host), short, sets)?;
                received = received.saturating_add(cost);
            }
            if given.max(received) > enough {
                break;
            }
        }
        Some(given.max(received))
    }
}

/// Sets looked at for one host, of many hosts fewer: so many for all.
const SETS: std::ops::RangeInclusive<usize> = 30..=300;
const SETS_OF_ALL: usize = 300_000;

fn sets_a_host(facts: &Facts) -> u32 {
    (SETS_OF_ALL / facts.hosts().max(1)).clamp(*SETS.start(), *SETS.end()) as u32
}

/// Least cost of groups that each fit and have a load together; not always all of it, never too much. The items are
/// sorted by load for cost.
fn least_cost(items: &[Item], fits: i64, wanted: i64, sets: u32) -> Option<i64> {
    let mut search = Search { items, fits, best: None, sets };
    search.extend(0, wanted, 0);
    search.best
}

/// The minimum knapsack by branch and bound, cut short by its bound.
struct Search<'i> {
    items: &'i [Item],
    /// Heaviest load an item may have.
    fits: i64,
    best: Option<i64>,
    sets: u32,
}

impl Search<'_> {
    /// Adds an item from position `from` on to what is `spent`, while a load is `wanted`.
    fn extend(&mut self, from: usize, wanted: i64, spent: i64) {
        for at in from..self.items.len() {
            let item = self.items[at];
            if item.load > self.fits {
                continue;
            }
            // It never falls along the list, so that the first that is too dear ends it.
            let Some(least) = self.fractional(at, wanted).map(|cost| cost + spent) else { return };
            if self.best.is_some_and(|best| least >= best) {
                return;
            }
            if self.sets == 0 {
                self.best = Some(least);
                return;
            }
            self.sets -= 1;
            if item.load < wanted {
                self.extend(at + 1, wanted - item.load, spent + item.cost);
            } else if self.best.is_none_or(|best| spent + item.cost < best) {
                self.best = Some(spent + item.cost);
            }
        }
    }

    /// Cost where the last item may be divided, rounded up; none where all together have too little load.
    fn fractional(&self, from: usize, wanted: i64) -> Option<i64> {
        let (mut rest, mut cost) = (wanted, 0);
        for item in self.items[from..].iter().filter(|item| item.load <= self.fits) {
            if item.load >= rest {
                return Some(cost + share_of(item, rest));
            }
            rest -= item.load;
            cost += item.cost;
        }
        None
    }
}

/// Cost of a part of an item's load, rounded up.
fn share_of(item: &Item, load: i64) -> i64 {
    match item.cost.checked_mul(load) {
        // Much faster, and nearly always enough.
        Some(product) => product / item.load + i64::from(product % item.load > 0),
        None => {
            let product = i128::from(item.cost) * i128::from(load) + i128::from(item.load) - 1;
            (product / i128::from(item.load)) as i64
        }
    }
}
