//! Checkpoint allocation: bounds and limits against every allocation there is, on instances small enough to try all.

use ballast::checkpoint::{Allocation, Instance, NONE, Node, Present, bounds, by_name, losses, registry};
use ballast::units::Share;
use fastrand::Rng;

/// A few nodes and groups, of a kind of its own every seed: unequal capacities, racks, caps, copies that lie already.
fn instance(seed: u64) -> Instance {
    let mut random = Rng::with_seed(seed);
    let [racks, unequal, caps, present, draining] = [0, 1, 2, 3, 4].map(|bit| seed >> bit & 1 == 1);
    let count = random.usize(3..6);
    let mut nodes: Vec<Node> = (0..count)
        .map(|at| Node {
            capacity: if unequal { random.i64(500..1500) } else { 1000 },
            load: random.i64(0..100),
            rack: if racks { at as u32 % 3 } else { at as u32 },
            listed: true,
            takes: !(draining && at == 1),
            storage: if caps { random.i64(50..200) } else { i64::MAX },
            network: if caps { random.i64(50..200) } else { i64::MAX },
        })
        .collect();
    let groups = random.usize(2..6);
    let load: Vec<i64> = (0..groups).map(|_| random.i64(20..200)).collect();
    let home: Vec<u32> = (0..groups).map(|_| random.u32(..count as u32)).collect();
    for (load, home) in load.iter().zip(&home) {
        nodes[*home as usize].load += load;
    }
    let copies = random.usize(1..3);
    let mut lie = Present::default();
    for _ in 0..groups {
        let some: Vec<u32> =
            (0..if present { random.usize(..3) } else { 0 }).map(|_| random.u32(..count as u32)).collect();
        lie.push(&some);
    }
    Instance {
        nodes,
        racks: if racks { 3 } else { 0 },
        state: (0..groups).map(|_| random.i64(10..100)).collect(),
        delta: vec![1; groups],
        load,
        home,
        copies,
        present: lie,
        budget: random.i64(0..150),
        slack: Share::from_fraction(0.005),
        distance: Share::from_fraction(0.05),
    }
}

/// The least that any choice of restart targets makes of the worst loss of a node, caps aside.
fn least_worst_node(instance: &Instance, allocation: &mut Allocation, group: usize) -> Option<Share> {
    if group == instance.groups() {
        return losses(instance, allocation).worst_node();
    }
    let mut least = None;
    for node in 0..instance.nodes.len() as u32 {
        if instance.nodes[node as usize].takes && !instance.fall_together(node, instance.home[group]) {
            allocation.set(group, 0, node);
            let worst = least_worst_node(instance, allocation, group + 1);
            least = match (least, worst) {
                (Some(one), Some(other)) => Some(Share::min(one, other)),
                (one, other) => one.or(other),
            };
        }
    }
    allocation.set(group, 0, NONE);
    least
}

#[test]
fn no_bound_is_above_what_trying_all_finds() {
    let mut tight = 0;
    for seed in 0..200 {
        let instance = Instance { copies: 1, present: Present::none(0), ..instance(seed) };
        let instance = Instance { present: Present::none(instance.groups()), ..instance };
        let Some(least) = least_worst_node(&instance, &mut Allocation::empty(&instance), 0) else { continue };
        let bound = bounds(&instance).node.expect("there are nodes left");
        assert!(bound <= least, "seed {seed}: {bound:?} above {least:?}");
        tight += usize::from(bound == least);
    }
    assert!(tight > 60, "met only {tight} times");
}

#[test]
fn every_strategy_keeps_every_limit() {
    for strategy in registry() {
        for seed in 0..300 {
            let instance = instance(seed);
            let allocation = strategy.allocate(&instance, &bounds(&instance));
            check(&instance, &allocation, strategy.name(), seed);
        }
    }
}

fn check(instance: &Instance, allocation: &Allocation, name: &str, seed: u64) {
    let kept = Allocation::kept(instance);
    let mut stored = vec![0; instance.nodes.len()];
    let mut taken = stored.clone();
    let mut before = stored.clone();
    for group in 0..instance.groups() {
        let placed: Vec<u32> = allocation.placed(group).collect();
        for (at, node) in placed.iter().enumerate() {
            assert!(instance.nodes[*node as usize].takes, "{name}, seed {seed}");
            assert!(!instance.fall_together(*node, instance.home[group]), "{name}, seed {seed}");
            assert!(
                placed[..at].iter().all(|other| !instance.fall_together(*node, *other)),
                "{name}, {seed}"
            );
            stored[*node as usize] += instance.state[group];
            if !instance.present.of(group).contains(node) {
                taken[*node as usize] += instance.state[group];
            }
        }
        for node in kept.placed(group) {
            before[node as usize] += instance.state[group];
        }
        assert!(placed.len() >= kept.placed(group).count(), "{name}, seed {seed}: a copy is given up");
        assert!(placed.is_empty() || allocation.target(group).is_some(), "{name}, seed {seed}: no target");
    }
    for (at, node) in instance.nodes.iter().enumerate() {
        assert!(stored[at] <= node.storage.max(before[at]), "{name}, seed {seed}: node {at} is too full");
        assert!(taken[at] <= node.network, "{name}, seed {seed}: node {at} takes too much");
    }
    let moved = allocation.shipped(instance).moved;
    assert!(moved <= instance.budget, "{name}, seed {seed}: {moved} of {} moved", instance.budget);
}

#[test]
fn with_all_copies_there_nothing_gets_worse() {
    let dealt = by_name("dealt").expect("in the registry");
    let mut better = 0;
    for seed in 0..300 {
        let mut instance = instance(seed);
        for node in &mut instance.nodes {
            (node.storage, node.network) = (i64::MAX, i64::MAX);
        }
        let bounds = bounds(&instance);
        let first = dealt.allocate(&instance, &bounds);
        let mut present = Present::default();
        for group in 0..instance.groups() {
            present.push(&first.placed(group).collect::<Vec<u32>>());
        }
        // A state without a copy brings nothing anywhere, so that protecting it would look worse.
        if (0..instance.groups()).any(|group| present.of(group).is_empty()) {
            continue;
        }
        // Loads drift, copies stay.
        let mut random = Rng::with_seed(seed);
        let mut drifted = Instance { present, ..instance };
        for group in 0..drifted.groups() {
            let load = drifted.load[group] * random.i64(50..200) / 100;
            drifted.nodes[drifted.home[group] as usize].load += load - drifted.load[group];
            drifted.load[group] = load;
        }
        let bounds = ballast::checkpoint::bounds(&drifted);
        let over = |allocation: &Allocation| {
            let losses = losses(&drifted, allocation);
            losses
                .worst_node()
                .max(bounds.node.map(|bound| bound + drifted.slack))
                .max(losses.worst_rack().max(bounds.rack.map(|bound| bound + drifted.slack)))
        };
        let (stay, mended) = (Allocation::kept(&drifted), dealt.allocate(&drifted, &bounds));
        assert!(over(&mended) <= over(&stay), "seed {seed}");
        better += usize::from(over(&mended) < over(&stay));
    }
    assert!(better > 20, "better only {better} times");
}

#[cfg(feature = "cbc")]
#[test]
fn cbc_finds_targets_as_good_as_the_best_there_are() {
    let milp = by_name("milp").expect("in the registry");
    let mut better = 0;
    for seed in 0..60 {
        let instance = instance(2 * seed);
        let mut nodes = instance.nodes.clone();
        nodes.iter_mut().for_each(|node| (node.storage, node.network) = (i64::MAX, i64::MAX));
        let present = Present::none(instance.groups());
        let instance = Instance { nodes, racks: 0, copies: 1, present, ..instance };
        let Some(least) = least_worst_node(&instance, &mut Allocation::empty(&instance), 0) else { continue };
        let worst =
            |allocation: &Allocation| losses(&instance, allocation).worst_node().expect("nodes are left");
        let found = worst(&milp.allocate(&instance, &bounds(&instance)));
        // CBC ends within a ten-thousandth of its objective.
        assert!(
            found <= least + Share(least.0 / 5_000),
            "seed {seed}: {found:?} where {least:?} is possible"
        );
        let ring = by_name("ring").expect("in the registry").allocate(&instance, &bounds(&instance));
        better += usize::from(found < worst(&ring));
    }
    assert!(better > 20, "better than a ring only {better} times");
}
