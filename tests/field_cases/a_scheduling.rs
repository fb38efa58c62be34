//! Field cases A: scheduling decisions.

use std::collections::BTreeMap;

use ballast::engine;
use ballast::wire::{NodeState, NoteCode, RefusalCode, Verdict};

use crate::rounds::Rounds;
use crate::scene::{Answer, Scene};

/// Six workers of two 50 pt executors on sA and sB; sC is empty.
fn returned_node() -> Scene {
    let scene = Scene::new().nodes(&["sA", "sB", "sC"], 6700..=6703).topology("t1", 6);
    let slots = ["sA:6700", "sA:6701", "sA:6702", "sB:6700", "sB:6701", "sB:6702"];
    slots.iter().zip(0..).fold(scene, |scene, (slot, n)| scene.on(slot, [2 * n + 1, 2 * n + 2], 50.0))
}

#[test]
fn a01_a_returned_node_gets_whole_workers_at_the_least_restarts() {
    let answer = returned_node().budget(2).plan();
    assert_eq!(answer.sorted_loads(), [200, 200, 200]);
    assert_eq!((answer.restarts(), answer.moved().len()), (2, 4));
    let left: Vec<&str> = answer.reply.moves.iter().map(|m| m.from.as_ref().unwrap().node.as_str()).collect();
    assert_eq!(left, ["sA", "sB"], "one whole worker from each");
}

#[test]
fn a01_one_relocation_a_round_reaches_balance_in_two_rounds_and_stops() {
    let mut rounds = Rounds::of(returned_node().budget(1));
    assert_eq!(rounds.next().sorted_loads(), [300, 200, 100]);
    assert_eq!(rounds.next().sorted_loads(), [200, 200, 200]);
    rounds.next().assert_still();
}

#[test]
fn a02_a_flapping_node_receives_no_optional_move_before_it_has_settled() {
    let mut rounds = Rounds::of(returned_node().budget(1).set("settle.rounds", 3));
    rounds.edit(|request| request.nodes[2].seen_rounds = Some(0));
    let present = [true, true, false, true, false, true, true, true, true, true, true, true];
    let mut restarts = Vec::new();
    for here in present {
        rounds.present("sC", here);
        restarts.push(rounds.next().restarts());
    }
    assert_eq!(restarts[..7], [0; 7], "no change in rounds 1 to 7");
    assert_eq!(restarts.iter().sum::<u32>(), 2);
    assert_eq!(rounds.next().sorted_loads(), [200, 200, 200]);
}

#[test]
fn a02_homeless_executors_use_an_unsettled_node_only_when_no_settled_one_has_a_slot() {
    let unsettled = |scene: Scene| scene.edit(|request| request.nodes[2].seen_rounds = Some(1));
    let room = unsettled(returned_node()).topology("t2", 1).homeless([1], 10.0).place();
    assert!(!room.slot("t2", 1).starts_with("sC"), "{}", room.slot("t2", 1));
    let full = unsettled(returned_node()).edit(|request| {
        request.nodes[0].ports = vec![6700, 6701, 6702];
        request.nodes[1].ports = vec![6700, 6701, 6702];
    });
    let full = full.topology("t2", 1).homeless([1], 10.0).place();
    assert!(full.slot("t2", 1).starts_with("sC"), "{}", full.slot("t2", 1));
}

/// hotA 90, x 10, y 10, hotB 90, z 10, w 10 pt.
const HOT: [(i32, f64); 6] = [(1, 90.0), (2, 10.0), (3, 10.0), (4, 90.0), (5, 10.0), (6, 10.0)];

#[test]
fn a04_a_fresh_placement_keeps_the_heavy_executors_apart() {
    let scene = Scene::new().nodes(&["n1", "n2", "n3"], 6700..=6700).topology("t1", 3);
    let scene = HOT.iter().fold(scene, |scene, (task, load)| scene.homeless([*task], *load));
    assert_eq!(scene.clone().place().sorted_loads()[0], 90);
    assert_eq!(scene.plan().sorted_loads()[0], 90);
}

#[test]
fn a04_round_robins_pile_is_taken_apart_as_far_as_the_budget_goes() {
    let scene = Scene::new().nodes(&["n1", "n2", "n3"], 6700..=6700).topology("t1", 3);
    let dealt = ["n1:6700", "n2:6700", "n3:6700"];
    let scene = HOT
        .iter()
        .fold(scene, |scene, (task, load)| scene.on(dealt[(*task as usize - 1) % 3], [*task], *load));
    assert_eq!(scene.clone().budget(0).plan().sorted_loads(), [180, 20, 20]);
    assert_eq!(scene.clone().budget(2).plan().sorted_loads()[0], 100);
    assert_eq!(scene.budget(3).plan().sorted_loads()[0], 90);
}

#[test]
fn a05_the_dead_join_the_survivors_and_no_survivor_moves() {
    let scene = Scene::new().nodes(&["n1", "n2"], 6700..=6700).topology("t1", 3);
    let scene =
        scene.on("n1:6700", [1, 4, 7, 10], 20.0).on("n2:6700", [2, 5, 8], 20.0).homeless([3, 6, 9], 20.0);
    for answer in [scene.clone().place(), scene.plan()] {
        assert!(answer.moved().is_empty(), "{:?}", answer.moved());
        assert_eq!(answer.workers("t1").values().map(Vec::len).sum::<usize>(), 10);
        let loads = (answer.sorted_loads(), answer.restarts());
        assert!(loads == (vec![100, 100], 2) || loads == (vec![120, 80], 1), "{loads:?}");
    }
}

#[test]
fn a06_growth_restarts_one_worker_a_round_and_crosses_no_node() {
    let scene = Scene::new().nodes(&["n1", "n2"], 6700..=6701).topology("t1", 4);
    let scene = scene.on("n1:6700", [1, 3, 5, 7], 50.0).on("n2:6700", [2, 4, 6, 8], 50.0);
    let mut rounds = Rounds::of(scene.budget(1));
    for round in 1..=2 {
        let answer = rounds.next();
        assert_eq!((answer.restarts(), answer.reply.cost.starts), (1, 1), "round {round}");
        assert_eq!(answer.sorted_loads(), [200, 200]);
        for step in &answer.reply.moves {
            assert_eq!(step.from.as_ref().unwrap().node, step.to.node, "round {round}");
        }
    }
    let end = rounds.next();
    end.assert_still();
    let sizes: Vec<usize> = end.workers("t1").values().map(Vec::len).collect();
    assert_eq!(sizes, [2, 2, 2, 2]);
}

#[test]
fn a07_more_workers_than_executors_is_no_reason_to_do_anything() {
    let scene = Scene::new().nodes(&["n1", "n2"], 6700..=6704).topology("t1", 10);
    let scene = scene.on("n1:6700", [1], 50.0).on("n2:6700", [2], 50.0).on("n1:6701", [3], 50.0).on(
        "n2:6701",
        [4],
        50.0,
    );
    for answer in Rounds::of(scene).next_many(5) {
        answer.assert_still();
        assert_eq!(answer.reply.verdict, Verdict::Unchanged);
        assert!(answer.note(NoteCode::NoSlot).is_none());
    }
}

#[test]
fn a09_a_hidden_port_is_no_reason_to_pile_up_on_the_other_node() {
    let scene = Scene::new().nodes(&["n1", "n2"], 6700..=6701).topology("t1", 2);
    let mut scene = scene.on("n1:6700", [1, 3], 50.0).homeless([2, 4], 50.0);
    scene.node_mut("n2").ports = vec![6701];
    for executor in
        scene.request.topologies[0].executors.iter_mut().filter(|executor| executor.node.is_none())
    {
        (executor.last_node, executor.last_port) = (Some("n2".to_owned()), Some(6700));
    }
    let mut rounds = Rounds::of(scene);
    let expected = BTreeMap::from([("n1:6700".to_owned(), vec![1, 3]), ("n2:6701".to_owned(), vec![2, 4])]);
    assert_eq!(rounds.next().workers("t1"), expected);
    rounds.edit(|request| request.nodes[1].ports = vec![6700, 6701]);
    rounds.next().assert_still();
}

#[test]
fn a10_one_slot_of_two_topologies_is_refused_as_a_conflict_of_the_data() {
    let scene = Scene::new().nodes(&["n1"], 6700..=6702).topology("t1", 1).on("n1:6700", [1, 2], 50.0);
    let scene = scene.topology("t2", 2).on("n1:6700", [1], 50.0).on("n1:6701", [2], 50.0);
    let reply = engine::answer(&scene.request);
    let refusal = reply.refusal.unwrap();
    assert_eq!((reply.verdict, refusal.code), (Verdict::Refused, RefusalCode::SlotConflict));
    for word in ["n1:6700", "t1", "t2"] {
        assert!(refusal.detail.contains(word), "{refusal}");
    }
    assert!(
        reply.assignments.is_empty() && reply.before.is_none(),
        "nothing is summed over contradictory data"
    );
}

#[test]
fn a10_the_loser_of_a_conflict_made_homeless_gets_a_slot_of_its_own() {
    let scene = Scene::new().nodes(&["n1"], 6700..=6702).topology("t1", 1).on("n1:6700", [1, 2], 50.0);
    let answer = scene.topology("t2", 2).homeless([1], 50.0).on("n1:6701", [2], 50.0).plan();
    assert_eq!(answer.slot("t2", 1), "n1:6702");
    assert!(answer.moved().is_empty());
}

#[test]
fn a11_nothing_goes_to_the_supervisors_of_a_blacklisted_host() {
    let mut scene = Scene::new().node("n1a", 400.0, 6700..=6700).node("n1b", 400.0, 6800..=6800);
    scene = scene.node("n2", 400.0, 6700..=6700).topology("t1", 2).homeless([1, 2], 50.0);
    for id in ["n1a", "n1b"] {
        scene.node_mut(id).host = "h1".to_owned();
        scene.node_mut(id).state = NodeState::Unusable;
    }
    for answer in [scene.clone().place(), scene.plan()] {
        assert_eq!(answer.workers("t1"), BTreeMap::from([("n2:6700".to_owned(), vec![1, 2])]));
    }
}

#[test]
fn a12_a_node_blacklisted_for_somebody_elses_worker_keeps_its_load_and_offers_nothing() {
    let scene = Scene::new().nodes(&["n1", "n2"], 6700..=6703).topology("good", 2);
    let mut rounds = Rounds::of(scene.on("n1:6701", [1], 60.0).on("n2:6701", [2], 180.0));
    for round in 1..=8 {
        rounds.edit(|request| {
            request.nodes[0].ports =
                if round == 1 { vec![6700, 6701, 6702, 6703] } else { vec![6701, 6702, 6703] };
            request.nodes[0].state = if round < 4 { NodeState::Active } else { NodeState::Unusable };
        });
        let answer = rounds.next();
        answer.assert_still();
        let n1 = &answer.reply.after.as_ref().unwrap().nodes[0];
        assert_eq!((n1.load_cores, n1.utilisation), (0.6, 0.15), "round {round}");
    }
}

#[test]
fn a12_a_blacklisted_node_is_neither_evacuated_nor_filled() {
    let heavy = |at: &str, light: &str| {
        let scene = Scene::new().nodes(&["n1", "n2"], 6700..=6703).topology("good", 3);
        let mut scene = scene.on(&format!("{at}:6700"), [1], 100.0).on(&format!("{at}:6701"), [2], 100.0);
        scene = scene.on(&format!("{light}:6702"), [3], 20.0);
        scene.node_mut("n1").state = NodeState::Unusable;
        scene.plan()
    };
    heavy("n2", "n1").assert_still();
    heavy("n1", "n2").assert_still();
}

/// Four nodes of one slot: a 20 pt spout and a 30 pt bolt on each, four 10 pt ackers where told.
fn ackers(place: impl Fn(i32) -> Option<&'static str>, settled: bool) -> Scene {
    const SLOTS: [&str; 4] = ["n1:6700", "n2:6700", "n3:6700", "n4:6700"];
    let mut scene = Scene::new().nodes(&["n1", "n2", "n3", "n4"], 6700..=6700).topology("t1", 4);
    for n in 0..4 {
        let slot = settled.then_some(SLOTS[n as usize]);
        scene = scene.executor("spout", 1 + n, slot, 20.0).executor("bolt", 5 + n, slot, 30.0);
        scene = scene.executor("__acker", 9 + n, place(n), 10.0);
    }
    scene.set("load.distance.max", 0.0)
}

fn ackers_a_worker(answer: &Answer) -> Vec<usize> {
    let workers = answer.workers("t1");
    workers.values().map(|tasks| tasks.iter().filter(|task| **task >= 9).count()).collect()
}

#[test]
fn a13_a_fresh_placement_gives_each_worker_one_acker() {
    let scene = ackers(|_| None, false);
    for answer in [scene.clone().place(), scene.plan()] {
        assert_eq!(answer.sorted_loads(), [60, 60, 60, 60]);
        assert_eq!(ackers_a_worker(&answer), [1, 1, 1, 1]);
    }
}

#[test]
fn a13_ackers_piled_on_one_worker_are_dealt_as_far_as_the_budget_goes() {
    let scene = ackers(|_| Some("n1:6700"), true);
    assert_eq!(scene.clone().budget(0).plan().sorted_loads(), [90, 50, 50, 50]);
    let two = scene.clone().budget(2).plan();
    assert_eq!((two.sorted_loads(), two.restarts()), (vec![70, 70, 50, 50], 2));
    let four = scene.budget(4).plan();
    assert_eq!((four.sorted_loads(), four.restarts()), (vec![60, 60, 60, 60], 4));
}

#[test]
fn a17_the_order_of_the_request_changes_nothing() {
    let scene = Scene::new().nodes(&["n1", "n2", "n3"], 6700..=6701);
    let scene = ["t1", "t2", "t3"].iter().zip(1..).fold(scene, |scene, (id, n)| {
        scene.topology(id, 2).homeless(1..=3, 10.0 * f64::from(n)).homeless([4], 35.0)
    });
    let first = scene.clone().plan();
    // A linear congruential generator: the same fifty orders on every machine.
    let mut state = 17_u64;
    let mut below = move |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for _ in 0..50 {
        let mut mixed = scene.clone();
        for at in (1..3).rev() {
            mixed.request.nodes.swap(at, below(at + 1));
            mixed.request.topologies.swap(at, below(at + 1));
        }
        for topology in &mut mixed.request.topologies {
            for at in (1..4).rev() {
                topology.executors.swap(at, below(at + 1));
            }
        }
        assert_eq!(mixed.plan().reply.assignments, first.reply.assignments);
    }
    let mut rounds = Rounds::of(scene);
    assert!(!rounds.next().reply.assignments.is_empty());
    rounds.next().assert_still();
}

#[test]
fn a18_executors_on_an_unlisted_node_stay_and_count_apart() {
    let scene = Scene::new().nodes(&["n1"], 6700..=6703).topology("t1", 2);
    let answer = scene.on("n1:6700", [1], 100.0).on("nX:6700", [2], 70.0).plan();
    answer.assert_still();
    let before = answer.reply.before.as_ref().unwrap();
    assert_eq!((before.unlisted_cores, before.nodes.len(), before.nodes[0].load_cores), (0.7, 1, 1.0));
    assert!(answer.note(NoteCode::UnlistedNode).unwrap().detail.contains("nX"));
}

#[test]
fn a18_an_unlisted_node_is_no_target_even_for_the_homeless() {
    let scene = Scene::new().nodes(&["n1"], 6700..=6700).topology("t1", 2).on("n1:6700", [1], 100.0);
    let answer = scene.on("nX:6700", [2], 1.0).homeless([3], 10.0).plan();
    assert_eq!(answer.slot("t1", 3), "n1:6700");
    assert_eq!(answer.slot("t1", 2), "nX:6700");
}

#[test]
fn a18_a_worker_on_a_port_no_longer_offered_stays() {
    let scene = Scene::new().nodes(&["n1"], 6700..=6702).topology("t1", 2);
    let answer = scene.on("n1:6700", [1], 100.0).on("n1:6703", [2], 100.0).plan();
    answer.assert_still();
    assert!(answer.note(NoteCode::UnofferedPort).unwrap().detail.contains("n1:6703"));
    assert_eq!(answer.loads()["n1"], 200);
}

#[test]
fn a18_a_worker_on_a_port_no_longer_offered_takes_nobody_back() {
    let scene = Scene::new().nodes(&["n1"], 6700..=6702).topology("t1", 2);
    let mut scene = scene.on("n1:6700", [1], 100.0).on("n1:6703", [2], 1.0).homeless([3], 10.0);
    let dead = scene.request.topologies[0].executors.last_mut().unwrap();
    (dead.last_node, dead.last_port) = (Some("n1".to_owned()), Some(6703));
    let answer = scene.place();
    assert_eq!(answer.slot("t1", 3), "n1:6700");
    assert_eq!(answer.slot("t1", 2), "n1:6703");
}
