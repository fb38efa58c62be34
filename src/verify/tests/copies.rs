//! Advice on copies that breaks its rule.

use serde_json::json;

use super::*;
use crate::engine::answer;

/// Four nodes in two racks with a stateful executor each, of which that on a has a copy on c, and the honest reply.
fn copied() -> (Request, Reply) {
    let node = |id: &str, rack: &str| json!({"id": id, "host": id, "rack": rack, "cpu_cores": 4.0, "ports": [6700, 6701]});
    let at = |task: i32, node: &str, cores: f64| {
        json!({"tasks": [task, task], "component": "b", "node": node, "port": 6700, "cpu_cores": cores,
               "uptime_secs": 1000.0, "state_bytes": 1_000_000})
    };
    let request = json!({
        "ballast": "snapshot", "version": 1, "generation": 7, "settings": {"strategy": "stay", "checkpoint.copies": 2},
        "nodes": [node("a", "r1"), node("b", "r1"), node("c", "r2"), node("d", "r2")],
        "topologies": [{"id": "t1", "name": "t1", "workers": 4,
            "components": [{"id": "b", "kind": "bolt", "stateful": true}],
            "executors": [at(1, "a", 1.0), at(2, "b", 1.2), at(3, "c", 0.8), at(4, "d", 1.1)],
            "checkpoints": [{"executor": [1, 1], "node": "c", "bytes": 1_000_000, "slot": 0}]}]
    });
    let request = serde_json::from_value(request).unwrap();
    let reply = answer(&request);
    assert_eq!(reply.refusal, None);
    // Two racks allow one copy of the two.
    let advice = reply.checkpoints.as_ref().unwrap();
    assert_eq!((advice.copies, advice.replicas.len()), (1, 4));
    assert!(reply.notes.iter().any(|note| note.code == NoteCode::CopiesFewer));
    (request, reply)
}

fn advice(reply: &mut Reply) -> &mut Checkpoints {
    reply.checkpoints.as_mut().unwrap()
}

fn copy_on(reply: &mut Reply, state: usize, node: &str) {
    advice(reply).replicas[state].nodes = vec![node.to_owned()];
}

const RULE: &[Rule] = &[Rule::Checkpoints];

pub(super) const COPIES: &[Case] = &[
    ("honest advice", copied, |_, _| {}, &[]),
    ("a copy at home", copied, |_, p| copy_on(p, 0, "a"), RULE),
    ("a copy in the rack of its home", copied, |_, p| copy_on(p, 0, "b"), RULE),
    ("a copy on a node that is not there", copied, |_, p| copy_on(p, 0, "z"), RULE),
    (
        "two copies in one rack",
        copied,
        |_, p| advice(p).replicas[0].nodes = vec!["c".to_owned(), "d".to_owned()],
        RULE,
    ),
    ("a copy moved that nobody counted", copied, |_, p| copy_on(p, 0, "d"), RULE),
    (
        "a state listed twice",
        copied,
        |_, p| {
            let again = advice(p).replicas[0].clone();
            advice(p).replicas.push(again);
        },
        RULE,
    ),
    (
        "more copies than wanted",
        copied,
        |q, _| drop(q.settings.insert("checkpoint.copies".to_owned(), json!(0))),
        RULE,
    ),
    ("a node that takes no copies", copied, |q, _| q.nodes[2].state = NodeState::Unusable, RULE),
    (
        "no room",
        copied,
        |q, p| {
            let node = advice(p).replicas[3].nodes[0].clone();
            let at = q.nodes.iter().position(|given| given.id == node).unwrap();
            q.nodes[at].checkpoint_storage_mib = Some(0.5);
        },
        RULE,
    ),
    (
        "more than the network takes",
        copied,
        |q, p| {
            let node = advice(p).replicas[3].nodes[0].clone();
            let at = q.nodes.iter().position(|given| given.id == node).unwrap();
            q.nodes[at].checkpoint_network_mib = Some(0.5);
        },
        RULE,
    ),
    ("a loss made light of", copied, |_, p| advice(p).node_loss.as_mut().unwrap().worst = 0.4, RULE),
    (
        "a bound above what was reached",
        copied,
        |_, p| {
            let loss = advice(p).rack_loss.as_mut().unwrap();
            (loss.lower_bound, loss.gap) = (loss.worst + 0.1, -0.1);
        },
        RULE,
    ),
    ("no loss of a rack", copied, |_, p| advice(p).rack_loss = None, RULE),
    ("bytes kept quiet", copied, |_, p| advice(p).missing_bytes = 0, RULE),
    ("a budget made up", copied, |_, p| advice(p).budget_bytes = 1 << 40, RULE),
    ("a node left out", copied, |_, p| drop(advice(p).nodes.pop()), RULE),
];
