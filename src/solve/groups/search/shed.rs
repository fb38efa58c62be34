//! Which groups should leave a host that is too full.

use super::field::Field;
use super::state::State;

/// The group that ends a shed: when the largest ones leave, the last of them may be much more than what is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// The largest: the more is shed, the more there is for those who lack.
    Largest,
    /// The smallest that suffices.
    Smallest,
}

/// Groups at home on a host, the largest first, ties by position.
pub(super) fn largest_first(state: &State, host: u32) -> Vec<u32> {
    let field = state.field;
    let at_home = field.at_home(host).iter().copied();
    let mut groups: Vec<u32> = at_home.filter(|group| !state.is_away(*group)).collect();
    groups.sort_unstable_by_key(|group| (-field.load(*group), *group));
    groups
}

/// The groups that shed an excess, and no more than most: with moves alone the fewest, which are the largest; with
/// bytes the cheapest of a few covers. Fewer than the excess where there is no such set.
pub(super) fn shed(field: &Field, sorted: &[u32], excess: i64, most: i64, last: Last) -> Vec<u32> {
    if field.instance.budget_bytes.is_none() {
        return by_moves(field, sorted, excess, most, last);
    }
    let largest = by_moves(field, sorted, excess, most, last);
    let cheapest = by_bytes(field, sorted, excess, most);
    let price = |groups: &[u32]| {
        let sum: i64 = groups.iter().map(|group| field.load(*group)).sum();
        let bytes: i64 = groups.iter().map(|group| field.instance.least_bytes(*group)).sum();
        (sum < excess, bytes, groups.len())
    };
    if price(&cheapest) < price(&largest) { cheapest } else { largest }
}

/// The largest groups that still fit, until the excess is gone.
fn by_moves(field: &Field, sorted: &[u32], excess: i64, most: i64, last: Last) -> Vec<u32> {
    let (mut chosen, mut sum) = (Vec::new(), 0);
    for group in sorted {
        if sum >= excess {
            break;
        }
        let load = field.load(*group);
        if load > 0 && sum + load <= most {
            chosen.push(*group);
            sum += load;
        }
    }
    if last == Last::Smallest
        && sum >= excess
        && let Some(end) = chosen.pop()
    {
        let rest = excess - (sum - field.load(end));
        // Sorted by falling load, so those that suffice come first; the last of them is the smallest.
        let suffice = sorted.partition_point(|group| field.load(*group) >= rest);
        let free = |group: &&u32| !chosen.contains(group);
        chosen.push(sorted[..suffice].iter().rev().find(free).copied().unwrap_or(end));
    }
    chosen
}

/// By falling load a byte; of all prefixes, each ended by the cheapest group that covers the rest, the cheapest.
fn by_bytes(field: &Field, sorted: &[u32], excess: i64, most: i64) -> Vec<u32> {
    let bytes = |group: u32| field.instance.least_bytes(group);
    let mut dense: Vec<u32> = sorted.iter().copied().filter(|group| field.load(*group) > 0).collect();
    dense.sort_by(|one, other| {
        let cross = |a: u32, b: u32| i128::from(field.load(a)) * i128::from(bytes(b));
        cross(*other, *one).cmp(&cross(*one, *other))
    });
    let mut best: Option<(i64, Vec<u32>)> = None;
    let (mut prefix, mut sum, mut spent) = (Vec::new(), 0, 0);
    for (at, group) in dense.iter().enumerate() {
        let ends = dense[at..].iter().filter(|end| {
            let total = sum + field.load(**end);
            total >= excess && total <= most
        });
        if let Some(end) = ends.min_by_key(|end| (bytes(**end), **end)) {
            let price = spent + bytes(*end);
            if best.as_ref().is_none_or(|(known, _)| price < *known) {
                let mut cover: Vec<u32> = prefix.clone();
                cover.push(*end);
                best = Some((price, cover));
            }
        }
        if sum >= excess {
            break;
        }
        if sum + field.load(*group) <= most {
            prefix.push(*group);
            sum += field.load(*group);
            spent += bytes(*group);
        }
    }
    best.map_or(prefix, |(_, cover)| cover)
}
