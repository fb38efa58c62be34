//! Field cases D: when nodes and executors should be more or fewer.

use ballast::wire::{NoteCode, ScalingVerdict};

use crate::rounds::Rounds;
use crate::scene::{Answer, Scene};

/// Four one-worker nodes of a topology that hardly does anything.
fn idle() -> Scene {
    let scene = Scene::new().nodes(&["n1", "n2", "n3", "n4"], 6700..=6701).topology("t1", 4);
    let scene = (1..=4).fold(scene, |scene, n| scene.on(&format!("n{n}:6700"), [2 * n, 2 * n + 1], 30.0));
    scene.set("scale.in.rounds", 3)
}

#[test]
fn d07_workers_that_report_zeros_are_not_idle_and_lead_to_no_drain() {
    let mut rounds = Rounds::of(idle());
    let scaling = rounds.next().scaling().clone();
    assert_eq!((scaling.verdict, scaling.low, scaling.drain.len()), (ScalingVerdict::None, true, 0));
    // Three of four workers tell an uptime of zero: the shim sends neither a load nor an uptime for those.
    let known = |rounds: &mut Rounds, known: bool| {
        rounds.edit(|request| {
            for executor in &mut request.topologies[0].executors[2..] {
                executor.cpu_cores = known.then_some(0.3);
            }
        });
    };
    known(&mut rounds, false);
    for answer in rounds.next_many(5) {
        let scaling = answer.scaling();
        assert_eq!((scaling.verdict, scaling.low), (ScalingVerdict::Unknown, false), "{}", scaling.because);
        assert!(scaling.drain.is_empty() && scaling.parallelism.is_empty());
        assert!(answer.note(NoteCode::CoverageLow).is_some());
        answer.assert_still();
    }
    // The count is kept meanwhile, neither raised nor begun anew: two more rounds make three.
    known(&mut rounds, true);
    assert_eq!(rounds.next().scaling().verdict, ScalingVerdict::None);
    assert_eq!(rounds.next().scaling().verdict, ScalingVerdict::In);
}

/// parse x4 at 92 pt and write x4 at 30 pt, of six and twelve tasks; nodes enough for twice that.
fn catching_up() -> Scene {
    let mut scene = Scene::new().nodes(&["n1", "n2", "n3", "n4"], 6700..=6701).topology("t1", 4);
    for n in 0..4 {
        let slot = format!("n{}:6700", n + 1);
        scene = scene.executor("parse", 1 + 3 * n, Some(&slot), 92.0).with_tasks(3);
        scene = scene.executor("write", 21 + n, Some(&slot), 30.0);
    }
    scene.set("scale.in.load", 0.5).set("scale.in.rounds", 1)
}

#[test]
fn d08_what_lags_is_reckoned_with_what_arrives_and_loses_nothing() {
    let answer = catching_up().backlog(2e6, 10_000.0, 5_000.0).plan();
    assert!(answer.parallelism("write").is_none(), "0.30 busy, but 0.60 is demanded");
    let parse = answer.parallelism("parse").unwrap();
    assert_eq!((parse.executors, parse.advised, parse.tasks, parse.busy), (4, 11, 12, 0.92));
    let scaling = answer.scaling();
    assert_eq!((scaling.mean, scaling.low), (0.61, false), "demanded: twice 4.88 of 16 cores");
    assert_eq!(scaling.verdict, ScalingVerdict::None, "{}", scaling.because);
    assert!(parse.because.contains("2.00 times as much arrives"), "{}", parse.because);
}

#[test]
fn d08_while_a_lag_falls_nothing_changes() {
    let answer = catching_up().backlog(2e6, 4_000.0, 5_000.0).plan();
    let scaling = answer.scaling();
    assert_eq!((scaling.verdict, scaling.low), (ScalingVerdict::None, false), "{}", scaling.because);
    assert!(scaling.because.contains("input lags of t1"), "{}", scaling.because);
    assert!(answer.parallelism("write").is_none());
    // The same loads without a lag: fewer nodes and executors would do.
    let caught_up = catching_up().plan();
    assert_eq!(caught_up.scaling().verdict, ScalingVerdict::In, "{}", caught_up.scaling().because);
    assert_eq!(caught_up.parallelism("write").unwrap().advised, 2);
}

/// score: executors of 160 pt each, with as many tasks as told, one worker a node.
fn score(tasks: [i32; 4]) -> Answer {
    let mut scene = Scene::new().nodes(&["n1", "n2", "n3", "n4"], 6700..=6700).topology("t1", 4);
    let mut first = 1;
    for (n, tasks) in tasks.into_iter().enumerate() {
        scene = scene.executor("score", first, Some(&format!("n{}:6700", n + 1)), 160.0).with_tasks(tasks);
        first += tasks;
    }
    scene.set("scale.parallelism.load", 0.7).plan()
}

#[test]
fn d09_advice_goes_as_far_as_the_tasks_do_and_says_what_more_would_need() {
    let answer = score([2, 2, 1, 1]);
    let advice = answer.parallelism("score").unwrap();
    assert_eq!((advice.executors, advice.advised, advice.tasks, advice.busy), (4, 6, 6, 1.6));
    for words in ["10 would be 0.64 busy", "1.5 times as much", "submit it again with at least 10 tasks"] {
        assert!(advice.because.contains(words), "{words} in: {}", advice.because);
    }
    assert!(answer.note(NoteCode::TasksLimit).is_none());
}

#[test]
fn d09_no_rebalance_is_advised_that_would_only_restart_workers() {
    let answer = score([1, 1, 1, 1]);
    assert!(answer.parallelism("score").is_none());
    let note = &answer.note(NoteCode::TasksLimit).unwrap().detail;
    for words in ["t1/score", "4 tasks", "at least 10"] {
        assert!(note.contains(words), "{words} in: {note}");
    }
}

#[test]
fn d15_fewer_executors_leave_even_workers() {
    // `storm rebalance -e a=2` deals the four tasks of a to two new executors, which have no slot yet; what is left of
    // the workers is w1 {b1} and w2 {b2}.
    let two = |scene: Scene| {
        let scene = scene.executor("b", 11, Some("n1:6700"), 40.0).executor("b", 12, Some("n2:6700"), 40.0);
        scene.executor("a", 1, None, 40.0).with_tasks(2).executor("a", 3, None, 40.0).with_tasks(2)
    };
    let scene = || Scene::new().nodes(&["n1", "n2"], 6700..=6700).topology("t1", 2);
    for answer in [two(scene()).place(), two(scene()).plan()] {
        assert_eq!(answer.sorted_loads(), [80, 80]);
        let workers: Vec<usize> = answer.workers("t1").values().map(Vec::len).collect();
        assert_eq!(workers, [2, 2], "one of a beside each b");
    }
    // One executor fewer at a time: a=3 leaves the old ones of tasks 3 and 4 where they are.
    let three = scene().executor("b", 11, Some("n1:6700"), 40.0).executor("b", 12, Some("n2:6700"), 40.0);
    let three = three.executor("a", 3, Some("n1:6700"), 40.0).executor("a", 4, Some("n2:6700"), 40.0);
    let answer = three.executor("a", 1, None, 40.0).with_tasks(2).place();
    assert_eq!(answer.sorted_loads(), [120, 80]);
    assert!(answer.moved().is_empty());
    // And where both went from one worker all the same, the next plan deals what is left anew.
    let uneven = scene().executor("b", 11, Some("n1:6700"), 40.0).executor("b", 12, Some("n2:6700"), 40.0);
    let uneven = uneven.executor("a", 2, Some("n2:6700"), 40.0).executor("a", 4, Some("n2:6700"), 40.0);
    assert_eq!(uneven.budget(2).plan().sorted_loads(), [80, 80]);
}

#[test]
fn a_node_to_be_emptied_is_left_by_those_that_idle_too() {
    let scene = Scene::new().nodes(&["n1", "n2"], 6700..=6701).topology("t1", 3);
    let scene = scene.on("n1:6700", [1], 100.0).on("n2:6700", [2], 100.0).on("n2:6701", [3], 0.0);
    let answer = scene.node("n3", 400.0, 6700..=6701).set("drain.nodes", serde_json::json!(["n2"])).plan();
    let left: Vec<String> = answer.workers("t1").into_keys().filter(|slot| slot.starts_with("n2")).collect();
    assert_eq!(left, Vec::<String>::new(), "{:?}", answer.reply.notes);
}

#[test]
fn a_drain_that_cannot_fit_says_what_is_missing_in_load_and_in_slots() {
    let scene = Scene::new().nodes(&["n1", "n2"], 6700..=6701).topology("t1", 4);
    let scene = scene.on("n1:6700", [1], 200.0).on("n1:6701", [2], 60.0);
    let scene = scene.on("n2:6700", [3], 90.0).on("n2:6701", [4], 90.0);
    let answer = scene.budget(4).set("drain.nodes", serde_json::json!(["n2"])).plan();
    answer.assert_still();
    let note = &answer.note(NoteCode::DrainBlocked).unwrap().detail;
    for words in
        ["1.80 cores in 2 workers", "0 free slots", "room for 0.60 cores", "1.20 cores more", "2 slots more"]
    {
        assert!(note.contains(words), "{words} in: {note}");
    }
}

/// Workers of so many executors of 95 pt each, one worker a node.
fn crowded(nodes: &[(&str, i32)]) -> Scene {
    let mut scene = Scene::new();
    let mut task = 0;
    for (node, _) in nodes {
        scene = scene.node(node, 400.0, 6700..=6703);
    }
    scene = scene.topology("t1", 8);
    for (node, executors) in nodes {
        for at in 0..*executors {
            task += 1;
            scene = scene.on(&format!("{node}:{}", 6700 + at), [task], 95.0);
        }
    }
    scene
}

#[test]
fn what_balancing_cures_asks_for_no_node() {
    // 0.95 on n1 is above the limit, and one restart does not mend it; 0.53 on all would.
    let answer = crowded(&[("n1", 4), ("n2", 1), ("n3", 1)]).budget(0).plan();
    let scaling = answer.scaling();
    assert_eq!((scaling.verdict, scaling.nodes, scaling.peak), (ScalingVerdict::None, 0, 0.475));
    assert!(scaling.because.contains("balancing brings to 0.475"), "{}", scaling.because);
}

#[test]
fn nodes_are_asked_for_in_one_sentence_and_as_many_as_are_enough() {
    let answer = crowded(&[("n1", 4), ("n2", 4)]).plan();
    let scaling = answer.scaling();
    // 7.6 cores: at most 0.75 of three nodes of four.
    assert_eq!((scaling.verdict, scaling.nodes, scaling.node_cores), (ScalingVerdict::Out, 1, Some(4.0)));
    assert!(scaling.because.contains("add 1 node of 4 cores"), "{}", scaling.because);
}

#[test]
fn where_no_node_helps_the_sentence_says_what_would() {
    let one = Scene::new().nodes(&["n1", "n2"], 6700..=6701).topology("t1", 1).on("n1:6700", 1..=4, 95.0);
    let answer = one.plan();
    let scaling = answer.scaling();
    assert_eq!((scaling.verdict, scaling.nodes), (ScalingVerdict::None, 0), "{}", scaling.because);
    assert!(scaling.because.contains("t1 needs more than 1 workers"), "{}", scaling.because);
    let alone = Scene::new().nodes(&["n1", "n2"], 6700..=6701).topology("t1", 1).on("n1:6700", [1], 390.0);
    let answer = alone.plan();
    assert!(answer.scaling().because.contains("needs more executors"), "{}", answer.scaling().because);
}

#[test]
fn a_node_drained_for_scaling_is_kept_before_another_is_asked_for() {
    let mut scene = crowded(&[("n1", 4), ("n2", 3), ("n3", 1)]).budget(2);
    scene.node_mut("n3").state = ballast::wire::NodeState::Draining;
    scene.node_mut("n3").scaled_in = true;
    let advised = scene.clone().plan();
    let scaling = advised.scaling();
    assert_eq!((scaling.verdict, scaling.nodes), (ScalingVerdict::Out, 0), "{}", scaling.because);
    assert_eq!(scaling.keep, ["n3"]);
    let kept = scene.set("scale.mode", "apply").plan();
    assert_eq!(kept.scaling().keep, ["n3"]);
    assert_eq!(kept.sorted_loads(), [285, 285, 190], "the plan is made with it");
}

#[test]
fn scaling_in_drains_in_the_same_answer_where_it_may_and_only_names_where_not() {
    let advised = idle().set("scale.in.rounds", 1).plan();
    assert_eq!(advised.scaling().verdict, ScalingVerdict::In, "{}", advised.scaling().because);
    advised.assert_still();
    let applied = idle().set("scale.in.rounds", 1).set("scale.mode", "apply").budget(2).plan();
    let drained = &applied.scaling().drain;
    // 2.4 cores: at most 0.55 of two nodes of four.
    assert_eq!(drained.len(), 2, "{}", applied.scaling().because);
    for node in drained {
        assert_eq!(applied.loads()[node.as_str()], 0, "{:?}", applied.loads());
    }
}

#[test]
fn an_empty_draining_node_may_be_shut_down() {
    let mut scene = idle().node("n5", 400.0, 6700..=6701);
    scene.node_mut("n5").state = ballast::wire::NodeState::Draining;
    assert_eq!(scene.plan().scaling().release, ["n5"]);
}

#[test]
fn no_node_is_drained_in_the_round_in_which_executors_came_to_it() {
    let scene = idle().set("scale.in.rounds", 1).set("scale.mode", "apply").homeless([20, 21, 22], 10.0);
    let answer = scene.plan();
    let scaling = answer.scaling();
    assert_eq!((scaling.verdict, scaling.low), (ScalingVerdict::None, false), "{}", scaling.because);
    assert!(scaling.because.contains("got a slot in this round"), "{}", scaling.because);
}

#[test]
fn nodes_that_wait_for_a_first_topology_are_not_to_be_drained() {
    let empty = Scene::new().nodes(&["n1", "n2", "n3"], 6700..=6701).set("scale.in.rounds", 1);
    let answer = empty.plan();
    let scaling = answer.scaling();
    assert_eq!((scaling.verdict, scaling.low), (ScalingVerdict::None, false), "{}", scaling.because);
    assert!(scaling.because.starts_with("nothing runs"), "{}", scaling.because);
}
