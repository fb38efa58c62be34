//! Field cases D: what a JVM that has just started uses is no reason to start others.

use ballast::wire::{LoadSource, NoteCode, WorkerCpu};

use crate::rounds::Rounds;
use crate::scene::{Answer, Scene};

/// Four nodes of half a core with a worker each, all loads by the hook; n1 has heavy executors and n2 light ones.
fn half_core_nodes(warm_secs: u32) -> Rounds {
    let names = ["n1", "n2", "n3", "n4"];
    let scene = names.iter().fold(Scene::new(), |scene, name| scene.node(name, 50.0, 6700..=6700));
    let scene = scene
        .topology("t1", 4)
        .on("n1:6700", 1..=4, 6.0)
        .on("n2:6700", 5..=8, 2.0)
        .on("n3:6700", 9..=12, 4.0)
        .on("n4:6700", 13..=16, 4.0)
        .budget(2)
        .set("load.distance.max", 0.01)
        .set("load.young.secs", 60)
        .set("load.warm.secs", warm_secs);
    let mut rounds = Rounds::of(scene);
    rounds.edit(|request| {
        for executor in &mut request.topologies[0].executors {
            (executor.load_source, executor.uptime_secs) = (Some(LoadSource::Hook), Some(5000.0));
        }
    });
    measure(&mut rounds, |_| 5000.0);
    rounds
}

/// Measures every worker: 15 pt of overhead, twice that in its first five minutes.
fn measure(rounds: &mut Rounds, uptime_secs: impl Fn(&str) -> f64) {
    rounds.edit(|request| {
        let topology = &mut request.topologies[0];
        topology.worker_cpu = ["n1", "n2", "n3", "n4"]
            .into_iter()
            .map(|node| {
                let own = topology.executors.iter().filter(|executor| executor.node.as_deref() == Some(node));
                let uptime = uptime_secs(node);
                let overhead = if uptime < 300.0 { 0.3 } else { 0.15 };
                WorkerCpu {
                    node: node.to_owned(),
                    port: 6700,
                    cpu_cores: own.filter_map(|executor| executor.cpu_cores).sum::<f64>() + overhead,
                    overhead_cores: Some(overhead),
                    uptime_secs: Some(uptime),
                }
            })
            .collect();
    });
}

/// The first plan cures the skew by two restarts. Two minutes later the JVMs of those two workers still compile.
fn two_minutes_after_the_first_plan(warm_secs: u32) -> Answer {
    let mut rounds = half_core_nodes(warm_secs);
    let first = rounds.next();
    assert_eq!((first.restarts(), first.sorted_loads()), (2, vec![16, 16, 16, 16]), "{:?}", first.reply);
    measure(&mut rounds, |node| if node < "n3" { 120.0 } else { 5120.0 });
    rounds.edit(|request| {
        for executor in &mut request.topologies[0].executors {
            executor.uptime_secs = executor.uptime_secs.map(|secs| secs + 120.0);
        }
    });
    rounds.next()
}

#[test]
fn d_the_plan_after_a_plan_does_not_chase_the_warm_up_of_its_restarts() {
    let chasing = two_minutes_after_the_first_plan(0);
    assert!(chasing.restarts() > 0, "whoever charges the warm-up moves for it: {:?}", chasing.reply);
    let staying = two_minutes_after_the_first_plan(300);
    staying.assert_still();
    assert!(staying.reply.before.as_ref().unwrap().load_distance < 1e-6, "{:?}", staying.reply.before);
    assert!(staying.note(NoteCode::Balanced).is_some(), "{:?}", staying.reply.notes);
    let note = staying.note(NoteCode::LoadWarming).unwrap();
    assert!(note.detail.starts_with("2 workers younger than 300 s"), "{note:?}");
}
