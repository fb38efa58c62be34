//! Field cases C: operation inside Nimbus, as far as the engine decides it.

use ballast::wire::NoteCode;

use crate::scene::Scene;

/// Two topologies of ten executors each, one executor of each dead; uneven, so that there is something to gain.
fn after_failover() -> Scene {
    let mut scene = Scene::new().nodes(&["n1", "n2", "n3"], 6700..=6703).budget(4).set("settle.rounds", 3);
    for id in ["t1", "t2"] {
        let port = if id == "t1" { 6700 } else { 6701 };
        scene = scene.topology(id, 3);
        scene = scene.on(&format!("n1:{port}"), 1..=5, 30.0).on(&format!("n2:{port}"), 6..=9, 20.0);
        scene = scene.homeless([10], 20.0);
        let dead = scene.request.topologies.last_mut().unwrap().executors.last_mut().unwrap();
        (dead.last_node, dead.last_port) = (Some("n2".to_owned()), Some(port));
    }
    scene
}

#[test]
fn c04_a_failover_shortens_no_cooldown() {
    // The new leader knows of no last change; the young executors show it.
    let mut scene = after_failover().set("cooldown.secs", 300);
    for executor in scene.request.topologies.iter_mut().flat_map(|topology| &mut topology.executors) {
        executor.uptime_secs = Some(200.0);
    }
    let early = scene.clone().plan();
    assert!(early.moved().is_empty());
    assert!(early.note(NoteCode::Cooldown).is_some());
    for executor in scene.request.topologies.iter_mut().flat_map(|topology| &mut topology.executors) {
        executor.uptime_secs = Some(301.0);
    }
    assert!(scene.plan().restarts() > 0);
}

#[test]
fn c04_old_and_new_leader_plan_alike_once_the_new_one_has_settled() {
    let old = after_failover().edit(|request| request.covered_rounds = Some(5000)).plan();
    let new = after_failover().edit(|request| request.covered_rounds = Some(2)).plan();
    assert!(old.restarts() > 0);
    assert_eq!(old.reply.assignments, new.reply.assignments);
}

#[test]
fn c06_a_new_topology_is_served_beside_empty_ones() {
    let scene =
        Scene::new().nodes(&["n1"], 6700..=6703).topology("empty", 2).topology("none", 0).homeless([1], 10.0);
    let scene = scene.topology("new", 2).homeless([1, 2], 10.0).topology("old", 1).on("n1:6700", [1], 10.0);
    for answer in [scene.clone().place(), scene.plan()] {
        assert_eq!(answer.workers("new").values().map(Vec::len).sum::<usize>(), 2);
        assert_eq!(answer.workers("old").len(), 1);
        assert_eq!(answer.workers("none").len(), 1, "no worker asked for is read as one");
        assert!(answer.workers("empty").is_empty());
    }
}

#[test]
fn c07_an_unknown_capacity_gets_the_median_of_the_known_ones_and_is_named() {
    let mut scene = Scene::new().nodes(&["n1", "n2", "n3", "n4"], 6700..=6703).topology("t1", 4);
    scene = scene.on("n1:6700", [1, 2], 150.0).on("n2:6700", [3], 50.0).homeless([4, 5], 50.0);
    for (id, cores) in [("n1", Some(0.0)), ("n2", Some(-1.0)), ("n3", None)] {
        scene.node_mut(id).cpu_cores = cores;
    }
    let answer = scene.budget(4).plan();
    let note = &answer.note(NoteCode::CapacityAssumed).unwrap().detail;
    assert!(["n1", "n2", "n3", "4.00 cores"].iter().all(|word| note.contains(word)), "{note}");
    let before = &answer.reply.before.as_ref().unwrap().nodes;
    assert_eq!(before[0].utilisation, 0.75, "300 pt of the substitute 400");
    assert_eq!(answer.sorted_loads().len(), 4);
    assert!(
        answer.sorted_loads()[3] > 0,
        "no node is shut out for its unknown capacity: {:?}",
        answer.loads()
    );
}

#[test]
fn c07_with_no_capacity_known_at_all_storms_default_stands_in() {
    let mut scene =
        Scene::new().nodes(&["n1", "n2"], 6700..=6700).topology("t1", 2).on("n1:6700", [1], 200.0);
    for id in ["n1", "n2"] {
        scene.node_mut(id).cpu_cores = None;
    }
    let answer = scene.plan();
    assert_eq!(answer.reply.before.as_ref().unwrap().nodes[0].utilisation, 0.5);
    assert!(answer.note(NoteCode::CapacityAssumed).is_some());
}
