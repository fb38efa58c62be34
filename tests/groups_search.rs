//! The search for the papers' balance problem against every placement there is, on instances small enough to try all.

use std::time::Duration;

use ballast::generate::{Capacities, Groups, Shares};
use ballast::solve::Budget;
use ballast::solve::groups::{Copies, Host, Instance, Resource, bound, solve};
use ballast::units::{Load, Share};
use fastrand::Rng;

/// Steps, and no clock that could cut them.
fn steps(count: u64) -> Budget {
    Budget::new(count, Duration::from_secs(3600))
}

/// Three or four hosts, four to eight groups, and all that can limit a plan: a kind of its own every seed.
fn instance(seed: u64) -> Instance {
    let mut random = Rng::with_seed(seed);
    let [odd_hosts, capacities, memory, slots] = [0, 1, 2, 3].map(|bit| seed >> bit & 1 == 1);
    let hosts: Vec<Host> = (0..random.usize(3..5))
        .map(|at| {
            let kind = if at == 0 || !odd_hosts { 9 } else { random.u8(..9) };
            Host {
                capacity: if capacities { random.i64(500..1500) } else { 1000 },
                fixed: if capacities { random.i64(0..100) } else { 0 },
                takes: kind != 2,
                draining: kind == 1 || kind == 3,
                listed: true,
                slots: if slots { random.i64(0..3) } else { 100 },
                memory: if memory { random.i64(0..60) } else { i64::MAX },
            }
        })
        .collect();
    let groups = random.usize(4..9);
    let heavy = random.bool();
    let load: Vec<i64> =
        (0..groups).map(|_| if heavy { random.i64(0..500) } else { random.i64(80..160) }).collect();
    let crowded = random.usize(1..=hosts.len());
    let home = (0..groups).map(|_| random.u32(..crowded as u32)).collect();
    let mut instance = Instance {
        target: Share::from_fraction([0.0, 0.02, 0.1][random.usize(..3)]),
        overload: Share::from_fraction([0.9, 2.0][random.usize(..2)]),
        budget_moves: random.u64(..6),
        home,
        load,
        hosts,
        ..Instance::default()
    };
    if memory {
        instance.memory = (0..groups).map(|_| random.i64(10..50)).collect();
    }
    if slots {
        instance.leaves_slot = (0..groups).map(|_| random.u8(..4) > 0).collect();
    }
    if random.bool() {
        instance.moves = (0..groups).map(|_| random.u32(1..4)).collect();
    }
    if random.bool() {
        instance.bytes = (0..groups).map(|_| random.i64(50..150)).collect();
        instance.budget_bytes = Some(random.i64(0..500));
        let copies = (0..groups as u32).filter(|_| random.bool());
        let hosts = instance.hosts.len() as u32;
        instance.copies =
            Copies::new(copies.map(|group| (group, random_of(seed, group, hosts), 20)).collect());
    }
    if random.u8(..3) == 0 {
        let hosts = instance.hosts.len();
        instance.resources.push(Resource {
            capacity: (0..hosts)
                .map(|_| if capacities { random.i64(5_000..20_000) } else { 10_000 })
                .collect(),
            fixed: vec![if capacities { 100 } else { 0 }; hosts],
            load: (0..groups).map(|_| random.i64(0..3_000)).collect(),
        });
    }
    if !instance.bytes.is_empty() && random.bool() {
        instance.move_price = Some(random.i64(0..100));
    }
    instance
}

fn random_of(seed: u64, group: u32, hosts: u32) -> u32 {
    Rng::with_seed(seed * 100 + u64::from(group)).u32(..hosts)
}

/// The goals of a plan in their order, or none where it breaks a limit: counted anew from nothing but the instance.
type Goals = (Share, Share, i64, Vec<Share>, i64, u64, i64);

fn judge(instance: &Instance, on: &[u32]) -> Option<Goals> {
    let hosts = &instance.hosts;
    let mut load: Vec<i64> = hosts.iter().map(|host| host.fixed).collect();
    let mut memory: Vec<i128> = hosts.iter().map(|host| i128::from(host.memory)).collect();
    let mut slots: Vec<i64> = hosts.iter().map(|host| host.slots).collect();
    let (mut moves, mut bytes) = (0, 0);
    for (group, host) in on.iter().enumerate() {
        let home = instance.home[group];
        load[*host as usize] += instance.load[group];
        if *host == home {
            continue;
        }
        if !hosts[*host as usize].takes || hosts[*host as usize].draining {
            return None;
        }
        moves += instance.moves_of(group as u32);
        bytes += instance.bytes_to(group as u32, *host);
        memory[home as usize] += i128::from(instance.memory_of(group as u32));
        memory[*host as usize] -= i128::from(instance.memory_of(group as u32));
        slots[home as usize] += i64::from(instance.leaves_slot.get(group).copied().unwrap_or(true));
        slots[*host as usize] -= 1;
    }
    let sound = memory.iter().all(|left| *left >= 0)
        && slots.iter().all(|left| *left >= 0)
        && moves <= instance.budget_moves
        && instance.budget_bytes.is_none_or(|budget| bytes <= budget);
    if !sound {
        return None;
    }
    let mut distances = vec![Share::ZERO; hosts.len()];
    let mut overload = farther(instance, instance.mean(), &load, |host| hosts[host].capacity, &mut distances);
    for resource in &instance.resources {
        let mut used = resource.fixed.clone();
        on.iter().zip(&resource.load).for_each(|(host, load)| used[*host as usize] += load);
        let lasting = (0..hosts.len()).filter(|host| !hosts[*host].draining);
        let capacity: i64 = lasting.map(|host| resource.capacity[host]).sum();
        let mean = Load(used.iter().sum()).over(Load(capacity));
        overload += farther(instance, mean, &used, |host| resource.capacity[host], &mut distances);
    }
    let drained = hosts.iter().zip(&load).filter(|(host, _)| host.draining).map(|(_, load)| *load).sum();
    distances.sort_unstable_by_key(|distance| std::cmp::Reverse(*distance));
    let distance = distances[0].max(instance.target);
    distances.retain(|distance| *distance > instance.target);
    // Without a price bytes never outweigh a move.
    let price = bytes + moves as i64 * instance.move_price.unwrap_or(1 << 40);
    Some((overload, distance, drained, distances, price, moves, bytes))
}

/// Raises the distances to those of one resource; returned is the overload in it.
fn farther(
    instance: &Instance,
    mean: Share,
    load: &[i64],
    capacity: impl Fn(usize) -> i64,
    distances: &mut [Share],
) -> Share {
    let mut overload = Share::ZERO;
    for (at, host) in instance.hosts.iter().enumerate() {
        let above = Load(load[at]).over(Load(capacity(at))) - mean;
        overload += (above + mean - instance.overload).max(Share::ZERO);
        distances[at] = distances[at].max(if host.draining { above.max(Share::ZERO) } else { above.abs() });
    }
    overload
}

/// The best goals of all placements.
fn best(instance: &Instance) -> Goals {
    let mut best = judge(instance, &instance.home).expect("to stay is always possible");
    let mut on = vec![0; instance.groups()];
    loop {
        if let Some(goals) = judge(instance, &on) {
            best = best.min(goals);
        }
        let Some(at) = on.iter().position(|host| *host + 1 < instance.hosts.len() as u32) else { break };
        on[at] += 1;
        on[..at].fill(0);
    }
    best
}

fn solved(instance: &Instance, count: u64) -> Vec<u32> {
    solve(instance, bound(instance), &mut steps(count))
}

#[test]
fn a_plan_keeps_every_limit_and_is_never_worse_than_staying() {
    for seed in 0..600 {
        let instance = instance(seed);
        let stay = judge(&instance, &instance.home).expect("to stay is always possible");
        for count in [0, 1, 3, 200] {
            let goals = judge(&instance, &solved(&instance, count));
            let goals = goals.unwrap_or_else(|| panic!("seed {seed}: breaks a limit: {instance:?}"));
            assert!(goals <= stay, "seed {seed}: {goals:?} is worse than to stay, {stay:?}");
        }
    }
}

#[test]
fn the_same_steps_make_the_same_plan() {
    for seed in 0..50 {
        let instance = instance(seed);
        assert_eq!(solved(&instance, 500), solved(&instance, 500), "seed {seed}");
    }
}

#[test]
fn nearly_every_plan_is_the_best_there_is() {
    let (mut exact, count) = (0, 200);
    for seed in 0..count {
        let instance = instance(seed);
        let (found, best) = (judge(&instance, &solved(&instance, 300)), best(&instance));
        assert!(found.as_ref() >= Some(&best), "seed {seed}: {found:?} cannot be");
        assert!(bound(&instance) <= best.1, "seed {seed}: no bound is above {best:?}");
        exact += u64::from(found == Some(best));
    }
    assert!(exact * 100 >= count * 95, "the best {exact} of {count} times");
}

/// The same instance with its groups in the opposite order.
fn turned(instance: &Instance) -> Instance {
    fn rev<T: Clone>(of: &[T]) -> Vec<T> {
        of.iter().rev().cloned().collect()
    }
    let last = instance.groups() as u32 - 1;
    let copies = (0..=last).flat_map(|group| instance.copies.of(group));
    Instance {
        hosts: instance.hosts.clone(),
        load: rev(&instance.load),
        home: rev(&instance.home),
        moves: rev(&instance.moves),
        bytes: rev(&instance.bytes),
        copies: Copies::new(copies.map(|(group, host, bytes)| (last - group, *host, *bytes)).collect()),
        memory: rev(&instance.memory),
        leaves_slot: rev(&instance.leaves_slot),
        resources: instance
            .resources
            .iter()
            .map(|resource| Resource { load: rev(&resource.load), ..resource.clone() })
            .collect(),
        ..instance.clone()
    }
}

#[test]
fn the_order_of_groups_decides_nothing_but_ties() {
    let (mut same, count) = (0, 100);
    for seed in 0..count {
        let (one, other) = (instance(seed), turned(&instance(seed)));
        let goals = [&one, &other].map(|instance| judge(instance, &solved(instance, 300)));
        assert!(goals.iter().all(Option::is_some), "seed {seed}: a limit is broken");
        same += u64::from(goals[0] == goals[1]);
    }
    assert!(same * 100 >= count * 95, "as good {same} of {count} times");
}

#[test]
fn on_many_hosts_the_fewest_moves_suffice_without_any_annealing() {
    for seed in 0..3 {
        let groups = Groups {
            nodes: 300,
            per_node: 20,
            variation: 0.4,
            shares: Shares::Uniform,
            budget: 100,
            seed,
            target: 0.0,
            state: None,
        };
        let instance = groups.instance(Capacities::Even);
        let (bound, mut budget) = (bound(&instance), steps(1_000_000));
        let reached = instance.load_distance(&solve(&instance, bound, &mut budget));
        assert_eq!(reached, bound, "seed {seed}");
        // A step for every host that gives and a few for what is handed out; chains take thousands.
        assert!(budget.steps_done() < 300, "seed {seed}: {} steps", budget.steps_done());
    }
}
