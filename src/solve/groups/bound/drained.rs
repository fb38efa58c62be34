//! How much load must stay on draining hosts.

use super::facts::Facts;
use super::room::Room;
use super::windows::Windows;

/// Least load left on draining hosts when every host is inside its window, by the moves that are left for them, by the
/// bytes, and by the room on the others; whatever is largest.
pub(super) fn least(facts: &Facts, windows: &Windows, fewest_moves: u64) -> i64 {
    let instance = facts.instance;
    let room = Room::of(facts, windows);
    let draining = |host: usize| instance.hosts[host].draining && instance.hosts[host].listed;
    let all: i64 = (0..facts.hosts()).filter(|host| draining(*host)).map(|host| facts.load[host]).sum();
    let may_leave = |group: &u32| {
        let home = instance.home[*group as usize] as usize;
        draining(home) && instance.load[*group as usize] <= room.elsewhere(home)
    };
    let groups: Vec<u32> = (0..instance.groups() as u32).filter(may_leave).collect();
    let by_moves = match instance.budget_moves.checked_div(fewest_moves) {
        Some(moves) => heaviest(facts, &groups, moves.saturating_sub(elsewhere(facts, windows, &room))),
        None => all,
    };
    let by_bytes = instance.budget_bytes.map_or(all, |budget| for_bytes(facts, groups, budget));
    (all - by_moves.min(by_bytes)).max(beyond_room(facts, windows)).max(0)
}

/// Groups that must leave hosts which are not draining.
fn elsewhere(facts: &Facts, windows: &Windows, room: &Room) -> u64 {
    let others = (0..facts.hosts()).filter(|host| !facts.instance.hosts[*host].draining);
    let count = |host: usize| {
        let (excess, _) = windows.demand(host, facts.load[host]);
        let range = facts.range(host);
        let first = facts.on.first_within(range.clone(), room.elsewhere(host));
        facts.on.count(first..range.end, excess).unwrap_or(range.len()) as u64
    };
    others.map(count).sum()
}

/// Load of the heaviest groups, so many of them.
fn heaviest(facts: &Facts, groups: &[u32], count: u64) -> i64 {
    let mut loads: Vec<i64> = groups.iter().map(|group| facts.instance.load[*group as usize]).collect();
    loads.sort_unstable_by(|one, other| other.cmp(one));
    loads.iter().take(usize::try_from(count).unwrap_or(usize::MAX)).sum()
}

/// Most load that can be shipped for so many bytes; the last group may be divided, rounded up.
fn for_bytes(facts: &Facts, mut groups: Vec<u32>, budget: i64) -> i64 {
    let of = |group: u32| (facts.instance.load[group as usize], facts.instance.least_bytes(group));
    groups.retain(|group| of(*group).0 > 0);
    groups.sort_unstable_by(|one, other| {
        let ((load, bytes), (other_load, other_bytes)) = (of(*one), of(*other));
        let products =
            (i128::from(other_load) * i128::from(bytes), i128::from(load) * i128::from(other_bytes));
        products.0.cmp(&products.1).then(one.cmp(other))
    });
    let (mut left, mut shipped) = (budget, 0);
    for group in groups {
        let (load, bytes) = of(group);
        if bytes > left {
            let part = i128::from(load) * i128::from(left) + i128::from(bytes) - 1;
            return shipped + (part / i128::from(bytes)) as i64;
        }
        (left, shipped) = (left - bytes, shipped + load);
    }
    shipped
}

/// What the hosts that stay cannot hold, together with what cannot leave draining hosts anyway.
fn beyond_room(facts: &Facts, windows: &Windows) -> i64 {
    let (mut load, mut most) = (0_i128, 0_i128);
    for (host, given) in facts.instance.hosts.iter().enumerate() {
        let here = facts.load[host];
        load += i128::from(here);
        if !given.draining || !given.listed {
            let high = windows.high[host];
            most += i128::from(if given.takes { high } else { high.min(here) });
        }
    }
    i64::try_from(load - most).unwrap_or(0)
}
