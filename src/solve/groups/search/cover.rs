//! Hosts that lack load get it from what others shed, with no group more than each of them needs.

use std::cmp::Reverse;

use super::bands::Bands;
use super::state::State;

/// Groups that are handed out, the largest first, less those already handed.
struct Pool<'p> {
    groups: &'p [u32],
    loads: Vec<i64>,
    is_left: Vec<bool>,
    /// The next one left at or after a position, and at or before it; shortened whenever they are followed.
    after: Vec<u32>,
    before: Vec<u32>,
}

/// Covers as many shortfalls as it can, those first that need the largest groups; returned are the groups left over.
///
/// A host gets neighbors among the groups left, as few as can cover what it lacks and no larger than they must be: the
/// large ones are needed elsewhere. Where the fewest moves are all a budget has, giving each group to the host that
/// lacks most would end with small shortfalls in many places and nothing left for them.
pub(super) fn cover(bands: &Bands, state: &mut State, groups: &[u32]) -> Vec<u32> {
    let mut pool = Pool::of(state, groups);
    let lack = |host: &u32| bands.0[*host as usize].low - state.load[*host as usize];
    let mut takers: Vec<(Reverse<i64>, u32, i64)> = state
        .field
        .takers
        .iter()
        .map(|host| (lack(host), *host))
        .filter(|(lack, _)| *lack > 0)
        .filter_map(|(lack, host)| Some((Reverse(lack / pool.fewest(lack)? as i64), host, lack)))
        .collect();
    takers.sort_unstable();
    for (_, host, lack) in takers {
        let Some(chosen) = pool.fewest(lack).and_then(|count| pool.neighbors(lack, count)) else { continue };
        let room = bands.0[host as usize].high - state.load[host as usize];
        if chosen.iter().map(|at| pool.loads[*at]).sum::<i64>() > room {
            continue;
        }
        for at in chosen {
            if state.fits(groups[at], host) {
                state.send(groups[at], host);
                pool.take(at);
            }
        }
    }
    pool.left()
}

impl<'p> Pool<'p> {
    fn of(state: &State, groups: &'p [u32]) -> Self {
        let loads = groups.iter().map(|group| state.field.load(*group)).collect();
        // One end more on either side, where nothing is.
        let ends: Vec<u32> = (0..groups.len() as u32 + 2).collect();
        Self { groups, loads, is_left: vec![true; groups.len()], after: ends.clone(), before: ends }
    }

    fn left(&self) -> Vec<u32> {
        self.groups
            .iter()
            .zip(&self.is_left)
            .filter(|(_, is_left)| **is_left)
            .map(|(group, _)| *group)
            .collect()
    }

    fn take(&mut self, at: usize) {
        self.is_left[at] = false;
        self.after[at + 1] = at as u32 + 2;
        self.before[at + 1] = at as u32;
    }

    /// The first group left at or after a position.
    fn at_or_after(&mut self, at: usize) -> Option<usize> {
        let end = follow(&mut self.after, at + 1);
        (end <= self.groups.len()).then(|| end - 1)
    }

    /// The last group left before a position.
    fn before(&mut self, at: usize) -> Option<usize> {
        follow(&mut self.before, at).checked_sub(1)
    }

    /// How many of the largest groups left cover a load; none if all of them do not.
    fn fewest(&mut self, load: i64) -> Option<usize> {
        let (mut count, mut sum, mut at) = (0, 0, 0);
        while sum < load {
            let next = self.at_or_after(at)?;
            count += 1;
            sum += self.loads[next];
            at = next + 1;
        }
        Some(count)
    }

    /// So many groups that stand beside each other and cover a load, as small as possible.
    fn neighbors(&mut self, load: i64, count: usize) -> Option<Vec<usize>> {
        let each = load.div_euclid(count as i64) + i64::from(load.rem_euclid(count as i64) > 0);
        let end = self.loads.partition_point(|load| *load >= each);
        let mut chosen = std::collections::VecDeque::with_capacity(count);
        let mut at = self.before(end).or_else(|| self.at_or_after(end))?;
        chosen.push_back(at);
        while chosen.len() < count
            && let Some(next) = self.at_or_after(at + 1)
        {
            chosen.push_back(next);
            at = next;
        }
        loop {
            if chosen.len() == count && chosen.iter().map(|at| self.loads[*at]).sum::<i64>() >= load {
                return Some(chosen.into());
            }
            let larger = self.before(*chosen.front()?)?;
            chosen.push_front(larger);
            chosen.truncate(count);
        }
    }
}

/// Where a chain of positions ends, which then leads there at once.
fn follow(next: &mut [u32], from: usize) -> usize {
    let mut end = from;
    while next[end] as usize != end {
        end = next[end] as usize;
    }
    let mut at = from;
    while at != end {
        at = std::mem::replace(&mut next[at], end as u32) as usize;
    }
    end
}
