//! The lower bounds of the papers' problem against every placement there is, on instances small enough to try them all.

use std::time::Duration;

use ballast::solve::Budget;
use ballast::solve::groups::{
    Copies, Host, Instance, bound, bytes_needed, drained_at_least, moves_needed, sharpen,
};
use ballast::units::{Load, Share};
use fastrand::Rng;

/// Three or four hosts, four to seven groups; hosts that are draining, closed, unlisted or larger than others.
fn instance(seed: u64) -> Instance {
    let mut random = Rng::with_seed(seed);
    let kinds = seed % 3;
    let hosts: Vec<Host> = (0..random.usize(3..5))
        .map(|at| {
            let odd = if at == 0 || kinds == 0 { 9 } else { random.u8(..9) };
            Host {
                capacity: if kinds == 2 { random.i64(500..1500) } else { 1000 },
                fixed: if kinds == 2 { random.i64(0..100) } else { 0 },
                takes: odd > 2,
                draining: odd == 1,
                listed: odd != 0,
                slots: 100,
                memory: i64::MAX,
            }
        })
        .collect();
    let groups = random.usize(4..8);
    let heavy = random.bool();
    let load = (0..groups).map(|_| if heavy { random.i64(0..500) } else { random.i64(80..160) }).collect();
    // Groups on an unlisted host are none of the balance's; they are its fixed load.
    let listed: Vec<u32> = (0..hosts.len() as u32).filter(|at| hosts[*at as usize].listed).collect();
    let crowded = random.usize(1..=listed.len());
    let home = (0..groups).map(|_| listed[random.usize(..crowded)]).collect();
    let mut instance = Instance { hosts, load, home, budget_moves: random.u64(..5), ..Instance::default() };
    if random.bool() {
        instance.moves = (0..groups).map(|_| random.u32(1..4)).collect();
    }
    if random.bool() {
        let budget: i64 = random.i64(0..300);
        instance.bytes = (0..groups).map(|_| random.i64(0..100)).collect();
        instance.budget_bytes = Some(budget);
        if random.bool() {
            let copies = (0..groups as u32).map(|group| (group, random.u32(0..3), random.i64(0..30)));
            instance.copies = Copies::new(copies.collect());
        }
    }
    instance
}

/// What a placement costs and reaches.
#[derive(Debug, Clone, Copy)]
struct Reached {
    distance: Share,
    moves: u64,
    bytes: i64,
    drained: i64,
}

/// All placements there are.
fn by_trying_all(instance: &Instance) -> Vec<Reached> {
    let mean = instance.mean();
    let mut reached = Vec::new();
    let mut on = instance.home.clone();
    try_from(instance, mean, 0, &mut on, &mut reached);
    reached
}

fn try_from(instance: &Instance, mean: Share, group: usize, on: &mut Vec<u32>, reached: &mut Vec<Reached>) {
    if group == on.len() {
        reached.push(judge(instance, mean, on));
        return;
    }
    for host in 0..instance.hosts.len() as u32 {
        if host == instance.home[group] || instance.hosts[host as usize].takes {
            on[group] = host;
            try_from(instance, mean, group + 1, on, reached);
        }
    }
    on[group] = instance.home[group];
}

fn judge(instance: &Instance, mean: Share, on: &[u32]) -> Reached {
    let mut reached = Reached { distance: Share::ZERO, moves: 0, bytes: 0, drained: 0 };
    let mut loads: Vec<i64> = instance.hosts.iter().map(|host| host.fixed).collect();
    for (group, host) in on.iter().enumerate() {
        loads[*host as usize] += instance.load[group];
        if *host != instance.home[group] {
            reached.moves += instance.moves_of(group as u32);
            reached.bytes += instance.bytes_to(group as u32, *host);
        }
    }
    for (host, load) in instance.hosts.iter().zip(loads).filter(|(host, _)| host.listed) {
        let above = Load(load).over(Load(host.capacity)) - mean;
        let distance = if host.draining { above.max(Share::ZERO) } else { above.abs() };
        reached.distance = reached.distance.max(distance);
        reached.drained += if host.draining { load } else { 0 };
    }
    reached
}

/// The smallest distance within the budget.
fn best(instance: &Instance, all: &[Reached]) -> Share {
    affordable(instance, all).map(|reached| reached.distance).min().expect("to stay is always possible")
}

fn affordable<'a>(instance: &Instance, all: &'a [Reached]) -> impl Iterator<Item = &'a Reached> {
    let (moves, bytes) = (instance.budget_moves, instance.budget_bytes.unwrap_or(i64::MAX));
    all.iter().filter(move |reached| reached.moves <= moves && reached.bytes <= bytes)
}

#[test]
fn no_placement_beats_the_bound_and_the_bound_is_often_met() {
    let (mut exact, count) = (0, 300);
    for seed in 0..count {
        let instance = instance(seed);
        let best = best(&instance, &by_trying_all(&instance));
        let bound = bound(&instance);
        assert!(bound <= best, "seed {seed}: bound {bound:?}, yet {best:?} is possible: {instance:?}");
        exact += usize::from(bound == best);
    }
    assert!(exact * 2 >= count as usize, "the bound is exact {exact} of {count} times");
}

#[test]
fn no_placement_beats_the_sharpened_bound_and_it_is_often_the_sharper_one() {
    let (mut sharper, mut exact) = (0, 0);
    for seed in 0..100 {
        let instance = instance(seed);
        let all = by_trying_all(&instance);
        let best = best(&instance, &all);
        let (cheap, stay) = (bound(&instance), judge(&instance, instance.mean(), &instance.home).distance);
        let mut budget = Budget::new(300, Duration::from_secs(600));
        let sharp = sharpen(&instance, cheap, stay, &mut budget);
        assert!(cheap <= sharp && sharp <= best, "seed {seed}: {cheap:?}, {sharp:?}, {best:?}: {instance:?}");
        sharper += usize::from(sharp > cheap);
        exact += usize::from(sharp > cheap && sharp == best);
    }
    assert!(sharper >= 10, "{sharper} times");
    assert!(exact >= 3, "{exact} times");
}

/// The least of something over all placements that reach a distance.
fn least(all: &[Reached], distance: Share, of: fn(&Reached) -> i64) -> Option<i64> {
    all.iter().filter(|reached| reached.distance <= distance).map(of).min()
}

#[test]
fn no_placement_reaches_a_distance_for_less_than_what_is_needed() {
    let (mut exact, mut asked) = (0, 0);
    let mut compare = |needed: Option<i64>, least: Option<i64>, what: &str| {
        let Some(least) = least else { return };
        assert!(needed.is_some_and(|needed| needed <= least), "{what}: {needed:?} needed, {least} suffice");
        asked += usize::from(least > 0);
        exact += usize::from(least > 0 && needed == Some(least));
    };
    for seed in 0..300 {
        let instance = instance(seed);
        let all = by_trying_all(&instance);
        for distance in (0..20).map(|at| Share(at * 25_000_000)) {
            let moves = moves_needed(&instance, distance).map(|moves| moves as i64);
            compare(moves, least(&all, distance, |r| r.moves as i64), &format!("seed {seed}, moves"));
            let bytes = bytes_needed(&instance, distance);
            compare(bytes, least(&all, distance, |r| r.bytes), &format!("seed {seed}, bytes"));
        }
    }
    assert!(exact * 2 > asked, "exact {exact} of {asked} times");
}

#[test]
fn no_placement_drains_more_than_the_bound_says_is_possible() {
    let (mut exact, mut asked) = (0, 0);
    for seed in 0..600 {
        let instance = instance(seed);
        let all = by_trying_all(&instance);
        for distance in (2..16).map(|at| Share(at * 50_000_000)) {
            let within = affordable(&instance, &all).filter(|reached| reached.distance <= distance);
            let Some(least) = within.map(|reached| reached.drained).min() else { continue };
            let bound = drained_at_least(&instance, distance).expect("a placement reaches it");
            assert!(bound <= Load(least), "seed {seed}, {distance:?}: {bound:?} for {least}: {instance:?}");
            asked += usize::from(least > 0);
            exact += usize::from(least > 0 && bound == Load(least));
        }
    }
    assert!(asked > 100 && exact * 2 > asked, "exact {exact} of {asked} times");
}
