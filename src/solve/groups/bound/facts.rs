//! What the bounds need to know of an instance, sorted once.

use super::super::Instance;
use crate::units::Share;

/// Loads sorted over all groups and host by host, with their sums.
///
/// Two vectors of numbers for each view and none a host: a million groups take 36 MB.
#[derive(Debug)]
pub(super) struct Facts<'i> {
    pub(super) instance: &'i Instance,
    pub(super) mean: Share,
    /// Load of every host.
    pub(super) load: Vec<i64>,
    /// Loads of all groups, the heaviest first.
    pub(super) all: Sorted,
    /// Host of every group in `all`.
    pub(super) home: Vec<u32>,
    /// Loads host by host, the heaviest of a host first.
    pub(super) on: Sorted,
    /// Where a host's groups begin in `on`; one entry more than hosts.
    starts: Vec<u32>,
}

/// Loads and the sums of all that stand before each.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    pub(super) loads: Vec<i64>,
    sums: Vec<i64>,
}

impl<'i> Facts<'i> {
    pub(super) fn of(instance: &'i Instance) -> Self {
        let load = instance.present();
        let mut pairs: Vec<(i64, u32)> =
            instance.load.iter().copied().zip(instance.home.iter().copied()).collect();
        pairs.sort_unstable_by(|one, other| other.cmp(one));
        let mut starts = vec![0_u32; instance.hosts.len() + 1];
        for (_, home) in &pairs {
            starts[*home as usize + 1] += 1;
        }
        for host in 1..starts.len() {
            starts[host] += starts[host - 1];
        }
        let mut next = starts.clone();
        let mut on = vec![0; pairs.len()];
        for (load, home) in &pairs {
            let at = &mut next[*home as usize];
            on[*at as usize] = *load;
            *at += 1;
        }
        Self {
            instance,
            mean: instance.mean(),
            load,
            all: Sorted::new(pairs.iter().map(|(load, _)| *load).collect()),
            home: pairs.iter().map(|(_, home)| *home).collect(),
            on: Sorted::new(on),
            starts,
        }
    }

    /// Number of hosts.
    pub(super) fn hosts(&self) -> usize {
        self.load.len()
    }

    /// Where the groups of a host stand in `on`.
    pub(super) fn range(&self, host: usize) -> std::ops::Range<usize> {
        self.starts[host] as usize..self.starts[host + 1] as usize
    }
}

impl Sorted {
    fn new(loads: Vec<i64>) -> Self {
        let mut sum = 0;
        let mut sums = Vec::with_capacity(loads.len() + 1);
        sums.push(0);
        sums.extend(loads.iter().map(|load| {
            sum += load;
            sum
        }));
        Self { loads, sums }
    }

    /// How many of the entries in a range, from its front, have at least so much load together; none if all have less.
    pub(super) fn count(&self, range: std::ops::Range<usize>, wanted: i64) -> Option<usize> {
        let before = self.sums[range.start];
        let count = near_front(&self.sums[range.start..=range.end], |sum| sum - before < wanted);
        (count <= range.len()).then_some(count)
    }

    /// Load of the entries in a range.
    pub(super) fn sum(&self, range: std::ops::Range<usize>) -> i64 {
        self.sums[range.end] - self.sums[range.start]
    }

    /// First position in a range, sorted from the heaviest, whose load is at most `most`.
    pub(super) fn first_within(&self, range: std::ops::Range<usize>, most: i64) -> usize {
        range.start + near_front(&self.loads[range], |load| load > most)
    }
}

/// The first position where a condition no longer holds, as `partition_point` but fast where that is near the front,
/// as it nearly always is here: few of the heaviest groups are ever needed.
pub(super) fn near_front(values: &[i64], holds: impl Fn(i64) -> bool) -> usize {
    let mut end = 1;
    while end <= values.len() && holds(values[end - 1]) {
        end *= 2;
    }
    let start = end / 2;
    start + values[start..values.len().min(end - 1)].partition_point(|value| holds(*value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_the_front_or_far_the_position_is_that_of_a_plain_search() {
        for count in 0..20 {
            let values: Vec<i64> = (0..count).collect();
            for limit in -1..21 {
                let plain = values.partition_point(|value| *value < limit);
                assert_eq!(near_front(&values, |value| value < limit), plain, "{count} values, {limit}");
            }
        }
    }
}
