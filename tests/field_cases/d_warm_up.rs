//! Field cases D: what a JVM that has just started uses is no reason to start others.

use ballast::wire::{Executor, LoadSource, NoteCode, TaskRange, Traffic, WorkerCpu};

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

/// The first plan cures the skew by two restarts. Two minutes later the JVMs of those two workers still compile, and
/// their executors are what `restarted` makes of them.
fn two_minutes_after_the_first_plan(warm_secs: u32, restarted: impl Fn(&mut Executor)) -> Answer {
    let mut rounds = half_core_nodes(warm_secs);
    let first = rounds.next();
    assert_eq!((first.restarts(), first.sorted_loads()), (2, vec![16, 16, 16, 16]), "{:?}", first.reply);
    measure(&mut rounds, |node| if node < "n3" { 120.0 } else { 5120.0 });
    rounds.edit(|request| {
        for executor in &mut request.topologies[0].executors {
            executor.uptime_secs = executor.uptime_secs.map(|secs| secs + 60.0);
            if executor.node.as_deref() < Some("n3") {
                restarted(executor);
            }
        }
    });
    rounds.next()
}

#[test]
fn d_the_plan_after_a_plan_does_not_chase_the_warm_up_of_its_restarts() {
    let chasing = two_minutes_after_the_first_plan(0, |_| ());
    assert!(chasing.restarts() > 0, "whoever charges the warm-up moves for it: {:?}", chasing.reply);
    let staying = two_minutes_after_the_first_plan(300, |_| ());
    staying.assert_still();
    assert!(staying.reply.before.as_ref().unwrap().load_distance < 1e-6, "{:?}", staying.reply.before);
    assert!(staying.note(NoteCode::Balanced).is_some(), "{:?}", staying.reply.notes);
    let note = staying.note(NoteCode::LoadWarming).unwrap();
    assert!(note.detail.starts_with("2 workers younger than 300 s"), "{note:?}");
}

#[test]
fn d_nor_what_interpreted_code_uses_where_it_is_known_what_is_usual() {
    let interpreted =
        |executor: &mut Executor| executor.cpu_cores = executor.cpu_cores.map(|cores| cores * 1.5);
    let chasing = two_minutes_after_the_first_plan(300, interpreted);
    assert!(chasing.restarts() > 0, "{:?}", chasing.reply);
    // What the shim tells in its place; the process uses as much as before.
    let staying =
        two_minutes_after_the_first_plan(300, |executor| executor.load_source = Some(LoadSource::History));
    staying.assert_still();
    assert!(staying.reply.before.as_ref().unwrap().load_distance < 1e-6, "{:?}", staying.reply.before);
}

#[test]
fn d_an_executor_of_which_it_is_known_what_is_usual_is_never_young() {
    let coverage = |source| {
        let restarted = move |executor: &mut Executor| {
            (executor.uptime_secs, executor.load_source) = (Some(0.0), Some(source));
        };
        let mut rounds = half_core_nodes(300);
        rounds.edit(|request| {
            request.settings.insert("load.young.secs".to_owned(), 100.into());
            request.topologies[0].executors.iter_mut().take(8).for_each(restarted);
        });
        rounds.next().reply.coverage.unwrap().measured
    };
    assert_eq!(coverage(LoadSource::Hook), 8, "60 s after their start");
    assert_eq!(coverage(LoadSource::History), 16);
}

/// Two nodes that may come 0.1 nearer to the mean all together, and swing by as much as each executor does, in cores.
fn swinging(cores: f64) -> Scene {
    let nodes = Scene::new().nodes(&["n1", "n2"], 6700..=6700).topology("t1", 2);
    let scene = nodes.on("n1:6700", 1..=10, 20.0).on("n2:6700", 11..=16, 20.0).budget(2);
    scene.edit(|request| {
        for executor in &mut request.topologies[0].executors {
            executor.swing_cores = Some(cores);
        }
    })
}

#[test]
fn d_no_worker_is_restarted_for_what_loads_swing_by_themselves() {
    assert_eq!(swinging(0.09).plan().restarts(), 2);
    let still = swinging(0.11).plan();
    still.assert_still();
    let note = still.note(NoteCode::GainTooSmall).unwrap();
    assert!(note.detail.contains("0.100 nearer") && note.detail.contains("swing by 0.110"), "{note:?}");
    let talking = swinging(0.11).edit(|request| {
        let pair = |from, to| Traffic {
            from: TaskRange(from, from),
            to: TaskRange(to, to),
            tuples_per_sec: 100.0,
            bytes_per_sec: None,
        };
        request.topologies[0].traffic = vec![pair(1, 11), pair(2, 12)];
    });
    assert_eq!(talking.plan().restarts(), 2, "traffic kept from the network is no accident");
    let overloaded = swinging(0.11).set("overload", 0.45).plan();
    assert_eq!(overloaded.restarts(), 2, "what must be mended is mended");
}
