//! How many workers must restart at least so that every node can be inside a band.

use super::facts::{Facts, Movable, Pool};
use crate::solve::band::Band;

/// Ways for one node: workers restarted that are on it now, and restarted or opened workers that end on it.
#[derive(Debug, Clone, Copy)]
struct Way {
    from_here: usize,
    to_here: usize,
}

/// Weights tried between the two counts. Any weight gives a valid bound; the best of these is taken.
const WEIGHTS: usize = 10;

/// Least restarts; none when the band cannot be reached at all.
pub(super) fn least_restarts(facts: &Facts, band: &Band) -> Option<usize> {
    if !is_possible(facts, band) {
        return None;
    }
    let mut sums = [0_usize; WEIGHTS + 1];
    let mut short = 0;
    let mut forced = Vec::with_capacity(facts.load.len());
    for node in 0..facts.load.len() {
        let ways = ways(facts, band, node)?;
        for (weight, sum) in sums.iter_mut().enumerate() {
            *sum += cheapest(&ways, weight);
        }
        short += (band.low[node] - facts.load[node]).max(0);
        forced.push(ways.iter().map(|way| way.from_here).min().unwrap_or(0));
    }
    let by_counts = (0..=WEIGHTS).map(|weight| {
        // weight x (sum over nodes, by origin) + (10 - weight) x (the same, by destination) <= 10 x restarts, and
        // opened workers only add to the second sum.
        sums[weight].saturating_sub((WEIGHTS - weight) * facts.openable).div_ceil(WEIGHTS)
    });
    let by_counts = by_counts.max().unwrap_or(0);
    let by_load = count_to_cover(facts, short, &forced)?;
    let by_size = for_oversized(facts, band)?;
    Some(by_counts.max(by_load).max(by_size))
}

fn cheapest(ways: &[Way], weight: usize) -> usize {
    let price = |way: &Way| weight * way.from_here + (WEIGHTS - weight) * way.to_here;
    ways.iter().map(price).min().unwrap_or(0)
}

/// Whether the band leaves room for all load at all, wherever it may go.
fn is_possible(facts: &Facts, band: &Band) -> bool {
    let nodes = (0..facts.load.len()).filter(|node| facts.listed[*node]);
    let (mut least, mut most, mut total, mut widest) = (0_i128, 0_i128, 0_i128, 0);
    for node in nodes {
        let load = facts.load[node];
        let movable: i64 = facts.on[node].iter().map(|worker| worker.load).sum();
        least += i128::from(band.low[node].max(load - movable));
        most += i128::from(if facts.takes[node] { band.high[node] } else { band.high[node].min(load) });
        total += i128::from(load);
        widest = widest.max(band.high[node]);
    }
    // No way of dealing makes the heaviest worker of a topology lighter than their average, or than its heaviest
    // executor.
    let fits = |pool: &Pool| {
        let workers = (pool.workers.len() + pool.openable) as i64;
        let sum: i64 = pool.workers.iter().sum();
        pool.workers.is_empty() || (sum <= widest.saturating_mul(workers) && pool.heaviest <= widest)
    };
    least <= total && total <= most && facts.pools.iter().all(fits)
}

/// Ways for a node; none when there is no way.
fn ways(facts: &Facts, band: &Band, node: usize) -> Option<Vec<Way>> {
    let load = facts.load[node];
    let workers = &facts.on[node];
    if load > band.high[node] {
        let (least, most) = (load - band.high[node], load - band.low[node]);
        let given = prefix(workers.iter().map(|worker| worker.load), least)?;
        let exact = (given..=workers.len()).find(|count| has_subset(workers, *count, least, most));
        let mut ways = vec![Way { from_here: given, to_here: 1 }];
        ways.extend(exact.map(|count| Way { from_here: count, to_here: 0 }));
        return Some(ways);
    }
    let short = band.low[node] - load;
    if short <= 0 {
        return Some(vec![Way { from_here: 0, to_here: 0 }]);
    }
    let to_here = 1 + facts.brought.partition_point(|sum| *sum < short);
    let may_receive = facts.takes[node] && to_here <= facts.brought.len();
    let from_here = usize::from(!facts.has_slot[node]);
    (may_receive && from_here <= workers.len()).then(|| vec![Way { from_here, to_here }])
}

/// How many of the loads, in this order, reach a sum.
fn prefix(loads: impl Iterator<Item = i64>, wanted: i64) -> Option<usize> {
    let mut sum = 0;
    for (at, load) in loads.enumerate() {
        sum += load;
        if sum >= wanted {
            return Some(at + 1);
        }
    }
    None
}

/// Whether so many workers can have a load from `least` to `most` together; of three and more it is assumed.
fn has_subset(workers: &[Movable], count: usize, least: i64, most: i64) -> bool {
    let within = |load: i64| (least..=most).contains(&load);
    match count {
        0 => within(0),
        1 => workers.iter().any(|worker| within(worker.load)),
        2 => {
            let mut last = workers.len();
            for (at, one) in workers.iter().enumerate() {
                // The loads fall, so partners too light for this one are too light for all that follow.
                while last > at + 1 && one.load + workers[last - 1].load < least {
                    last -= 1;
                }
                if last > at + 1 && within(one.load + workers[last - 1].load) {
                    return true;
                }
            }
            false
        }
        _ => true,
    }
}

/// Restarted workers must have carried all that is received: those forced on their nodes, and the heaviest others.
fn count_to_cover(facts: &Facts, short: i64, forced: &[usize]) -> Option<usize> {
    let mut needed: usize = forced.iter().sum();
    let of = |node: usize| facts.on[node].iter().take(forced[node]).map(|worker| worker.load);
    let mut covered: i64 = (0..forced.len()).flat_map(of).sum();
    let mut seen = vec![0; forced.len()];
    for worker in &facts.all {
        if covered >= short {
            break;
        }
        seen[worker.node] += 1;
        if seen[worker.node] > forced[worker.node] {
            covered += worker.load;
            needed += 1;
        }
    }
    (covered >= short).then_some(needed)
}

/// Workers too large for any node must be dealt with enough light ones of their topology; all others that restart
/// still have to empty the nodes above the band, after what those pools may take away for nothing.
fn for_oversized(facts: &Facts, band: &Band) -> Option<usize> {
    let listed = (0..facts.load.len()).filter(|node| facts.listed[*node]);
    let widest = listed.map(|node| band.high[node]).max().unwrap_or(0);
    let mut pooled = vec![false; facts.pools.len()];
    let mut restarts = 0;
    for (at, pool) in facts.pools.iter().enumerate() {
        let large = pool.workers.partition_point(|load| *load <= widest);
        if large < pool.workers.len() {
            pooled[at] = true;
            restarts += pool_of(pool, large, widest)?;
        }
    }
    if restarts == 0 {
        return Some(0);
    }
    for node in 0..facts.load.len() {
        let excess = facts.load[node] - band.high[node];
        let free: i64 = facts.on[node].iter().filter(|w| pooled[w.topology]).map(|w| w.load).sum();
        if excess > free {
            let others = facts.on[node].iter().filter(|w| !pooled[w.topology]).map(|w| w.load);
            restarts += prefix(others, excess - free)?;
        }
    }
    Some(restarts)
}

/// Workers in a pool whose average fits: all from position `large` on, and the lightest others as far as needed.
fn pool_of(pool: &Pool, large: usize, widest: i64) -> Option<usize> {
    let mut sum: i64 = pool.workers[large..].iter().sum();
    let mut restarted = pool.workers.len() - large;
    let fits = |sum: i64, restarted: usize| sum <= widest.saturating_mul((restarted + pool.openable) as i64);
    for load in &pool.workers[..large] {
        if fits(sum, restarted) {
            break;
        }
        sum += load;
        restarted += 1;
    }
    fits(sum, restarted).then_some(restarted)
}
