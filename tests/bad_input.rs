//! Requests with a fault in them: a refusal with code, values and advice, or a note and a sane plan; never a panic.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use ballast::engine::answer;
use ballast::generate::{Groups, Shares};
use ballast::solve;
use ballast::verify::verify;
use ballast::wire::{
    Backlog, Checkpoint, Checkpoints, NodeState, NoteCode, RefusalCode, Reply, Request, TaskRange, Traffic,
    Verdict,
};
use serde_json::json;

fn sound() -> Request {
    let groups = Groups {
        nodes: 4,
        per_node: 3,
        variation: 0.9,
        shares: Shares::Uniform,
        budget: 4,
        seed: 1,
        target: 0.0,
        state: None,
    };
    let mut request = groups.request();
    request.settings.insert("solver.steps".to_owned(), json!(500));
    request
}

/// The answers of all strategies to a sound request with a fault put in.
fn answers(fault: impl Fn(&mut Request)) -> Vec<Reply> {
    let names = solve::names().into_iter().filter(|name| *name != "panic");
    let answer_of = |name: &str| {
        let mut request = sound();
        request.settings.insert("strategy".to_owned(), json!(name));
        fault(&mut request);
        let reply = answer(&request);
        assert_eq!(verify(&request, &reply), [], "{name}");
        reply
    };
    names.map(answer_of).collect()
}

#[track_caller]
fn refused(code: RefusalCode, words: &[&str], fault: impl Fn(&mut Request)) {
    for reply in answers(fault) {
        let refusal = reply.refusal.unwrap_or_else(|| panic!("not refused: {:?}", reply.notes));
        assert_eq!((refusal.code, reply.verdict), (code, Verdict::Refused), "{}", refusal.detail);
        assert!(reply.assignments.is_empty() && !refusal.advice.is_empty());
        for word in words {
            assert!(refusal.detail.contains(word), "no \"{word}\" in: {}", refusal.detail);
        }
    }
}

#[track_caller]
fn noted(code: NoteCode, word: &str, fault: impl Fn(&mut Request)) -> Vec<Reply> {
    let replies = answers(fault);
    for reply in &replies {
        assert_eq!(reply.refusal, None);
        let said = reply.notes.iter().any(|note| note.code == code && note.detail.contains(word));
        assert!(said, "no {code:?} with \"{word}\" in {:?}", reply.notes);
    }
    replies
}

#[test]
fn negative_figures_are_refused_with_their_place_and_value() {
    let bad = RefusalCode::BadValue;
    refused(bad, &["[2, 2].cpu_cores = -0.5"], |r| r.topologies[0].executors[1].cpu_cores = Some(-0.5));
    refused(bad, &["received_per_sec = -1"], |r| r.topologies[0].executors[1].received_per_sec = Some(-1.0));
    refused(bad, &["emitted_per_sec = -1"], |r| r.topologies[0].executors[1].emitted_per_sec = Some(-1.0));
    refused(bad, &["memory_mib = -1"], |r| r.nodes[0].memory_mib = Some(-1.0));
    refused(bad, &["backlog.tuples = -3"], |r| {
        r.topologies[0].backlog =
            Some(Backlog { tuples: -3.0, arrived_per_sec: 1.0, processed_per_sec: 1.0 });
    });
}

#[test]
fn what_is_said_of_executors_that_are_not_there_is_refused() {
    let stranger = TaskRange(99, 99);
    refused(RefusalCode::BadValue, &["traffic[0]", "[99, 99]"], |r| {
        let pair = Traffic { from: TaskRange(1, 1), to: stranger, tuples_per_sec: 1.0, bytes_per_sec: None };
        r.topologies[0].traffic.push(pair);
    });
    refused(RefusalCode::BadValue, &["checkpoints[0]", "[99, 99]"], |r| {
        let copy = Checkpoint {
            executor: stranger,
            node: "node-00000".to_owned(),
            bytes: 1,
            delta_bytes: Some(1),
            slot: None,
            held: true,
        };
        r.topologies[0].checkpoints.push(copy);
    });
    refused(RefusalCode::BadValue, &["traffic[0].tuples_per_sec = -2"], |r| {
        let (from, to) = (TaskRange(1, 1), TaskRange(2, 2));
        r.topologies[0].traffic.push(Traffic { from, to, tuples_per_sec: -2.0, bytes_per_sec: None });
    });
}

#[test]
fn an_unknown_node_keeps_its_executors_and_gets_a_note() {
    let replies = noted(NoteCode::UnlistedNode, "elsewhere", |r| {
        r.topologies[0].executors[0].node = Some("elsewhere".to_owned());
    });
    for reply in replies {
        assert!(reply.moves.iter().all(|step| step.executors != [TaskRange(1, 1)]), "{:?}", reply.moves);
    }
}

#[test]
fn an_unknown_node_to_drain_gets_a_note() {
    noted(NoteCode::DrainUnknown, "elsewhere", |r| {
        r.settings.insert("drain.nodes".to_owned(), json!(["elsewhere"]));
    });
}

#[test]
fn limits_that_contradict_each_other_are_refused() {
    refused(RefusalCode::BadSetting, &["scale.in.load = 0.9", "scale.out.load = 0.5"], |r| {
        r.settings.insert("scale.in.load".to_owned(), json!(0.9));
        r.settings.insert("scale.out.load".to_owned(), json!(0.5));
    });
}

#[test]
fn no_budget_means_no_move_and_says_so() {
    for reply in answers(|r| _ = r.settings.insert("budget.restarts".to_owned(), json!(0))) {
        assert_eq!((reply.moves.len(), reply.refusal), (0, None));
        assert!(!reply.notes.is_empty(), "why is nothing moved?");
    }
}

#[test]
fn a_node_without_capacity_is_taken_for_an_average_one_with_a_note() {
    for cores in [0.0, -4.0] {
        noted(NoteCode::CapacityAssumed, "100", |r| r.nodes[0].cpu_cores = Some(cores));
    }
}

#[test]
fn without_any_node_everything_stays_with_a_note() {
    for reply in noted(NoteCode::UnlistedNode, "node-00000", |r| r.nodes.clear()) {
        assert_eq!(reply.moves, []);
    }
    for reply in noted(NoteCode::NoSlot, "12", |r| {
        r.nodes.clear();
        for executor in &mut r.topologies[0].executors {
            (executor.node, executor.port) = (None, None);
        }
    }) {
        assert_eq!(reply.verdict, Verdict::Unsatisfied);
    }
}

#[test]
fn where_every_node_is_drained_nothing_moves_and_the_reason_is_told() {
    let replies = noted(NoteCode::DrainBlocked, "slot", |r| {
        r.nodes.iter_mut().for_each(|node| node.state = NodeState::Draining);
    });
    assert!(replies.iter().all(|reply| reply.moves.is_empty()));
}

/// Groups with a state of 1 MiB each, and the advice on their copies.
fn advised(change: impl FnOnce(&mut Request)) -> (Reply, Checkpoints) {
    let mut request = sound();
    // What a plan moves leaves copies behind.
    request.settings.insert("strategy".to_owned(), json!("stay"));
    for executor in &mut request.topologies[0].executors {
        executor.state_bytes = Some(1 << 20);
    }
    change(&mut request);
    let mut reply = answer(&request);
    assert_eq!(reply.refusal, None);
    let advice = reply.checkpoints.take().expect("there are states");
    (reply, advice)
}

fn says(reply: &Reply, code: NoteCode, words: &str) {
    let note = reply.notes.iter().find(|note| note.code == code).unwrap_or_else(|| panic!("no {code:?}"));
    assert!(note.detail.contains(words), "{}", note.detail);
}

#[test]
fn more_copies_than_nodes_are_as_many_as_there_can_be_with_a_note() {
    let (reply, advice) = advised(|r| drop(r.settings.insert("checkpoint.copies".to_owned(), json!(16))));
    let nodes = advice.nodes.len();
    assert_eq!(advice.copies as usize, nodes - 1);
    says(&reply, NoteCode::CopiesFewer, &format!("{} of 16 copies a state", nodes - 1));
    assert!(advice.replicas.iter().all(|one| one.nodes.len() == nodes - 1));
}

#[test]
fn a_state_larger_than_any_node_has_room_for_gets_no_copy_and_a_note() {
    let (reply, advice) = advised(|r| {
        r.topologies[0].executors[0].state_bytes = Some(1 << 30);
        r.nodes.iter_mut().for_each(|node| node.checkpoint_storage_mib = Some(100.0));
    });
    says(&reply, NoteCode::CopyNoRoom, "of up to 1073741824 bytes: raise checkpoint_storage_mib");
    let without = advice.replicas.iter().filter(|one| one.nodes.is_empty()).count();
    assert_eq!(without, 1, "all others have theirs");
}

#[test]
fn copies_on_nodes_that_do_not_exist_count_as_missing_with_a_note() {
    let (reply, advice) = advised(|r| {
        let executor = r.topologies[0].executors[0].tasks;
        let copy = Checkpoint {
            executor,
            node: "gone".to_owned(),
            bytes: 1 << 20,
            delta_bytes: None,
            slot: None,
            held: true,
        };
        r.topologies[0].checkpoints.push(copy);
    });
    says(&reply, NoteCode::CopyLost, "1 copy on 1 node gone, draining or unusable: gone");
    assert_eq!(advice.missing_bytes, (advice.replicas.len() as u64) << 20);
}
