//! Resources beside CPU count as CPU does: in the load distance, in the plan, in the bound and in the judge.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use ballast::engine::answer;
use ballast::generate::{Groups, Shares};
use ballast::verify::{Rule, verify};
use ballast::wire::{NoteCode, RefusalCode, Reply, Request};
use serde_json::json;

const NETWORK: &str = "network.mbps";

/// Eight groups of equal load on four nodes; of the network the first node's groups use 300 and 240 of 1,000, the
/// others' 60 each.
fn talkative() -> Request {
    let groups = Groups {
        nodes: 4,
        per_node: 2,
        variation: 0.0,
        shares: Shares::Uniform,
        budget: 2,
        seed: 1,
        target: 0.0,
        state: None,
    };
    let mut request = groups.request();
    for node in &mut request.nodes {
        node.resources.insert(NETWORK.to_owned(), 1000.0);
    }
    for (at, executor) in request.topologies[0].executors.iter_mut().enumerate() {
        executor.cpu_cores = Some(25.0);
        executor.resources.insert(NETWORK.to_owned(), [300.0, 240.0].get(at).copied().unwrap_or(60.0));
    }
    request
}

fn answered(request: &Request) -> Reply {
    let reply = answer(request);
    assert_eq!(reply.refusal, None);
    assert_eq!(verify(request, &reply), []);
    reply
}

#[test]
fn a_node_that_sends_too_much_is_relieved_although_its_cpu_is_level() {
    for strategy in ["search", "milp"] {
        let mut request = talkative();
        request.settings.insert("strategy".to_owned(), json!(strategy));
        request.settings.insert("solver.time.ms".to_owned(), json!(60_000));
        relieved(answered(&request));
    }
}

fn relieved(reply: Reply) {
    let (before, after) = (reply.before.unwrap(), reply.after.unwrap());
    // Nodes use 540, 120, 120 and 120: the mean is 225, the farthest 315 away from it.
    assert_eq!((before.resources[0].name.as_str(), before.resources[0].mean), (NETWORK, 0.225));
    assert_eq!((before.load_distance, before.resources[0].load_distance), (0.315, 0.315));
    // One of the two large groups goes against a small one: 360, 300, 120 and 120, and every node keeps two groups.
    assert_eq!((after.load_distance, after.resources[0].load_distance), (0.135, 0.135));
    assert!([0.3, 0.36].contains(&after.nodes[0].resources[NETWORK]), "{:?}", after.nodes[0]);
    assert!(after.nodes.iter().all(|node| node.utilisation == 0.5), "{:?}", after.nodes);
    assert_eq!(reply.moves.len(), 2);
    assert!(reply.moves.iter().any(|step| step.because.contains(NETWORK)), "{:?}", reply.moves);
}

#[test]
fn the_bound_counts_the_resource_that_is_hardest_to_level() {
    let mut request = talkative();
    request.settings.insert("budget.restarts".to_owned(), json!(1));
    let certificate = answered(&request).certificate.unwrap();
    // One move takes 300 at most from the first node: 240 is left, and 360 somewhere else.
    assert!((0.015..=0.315).contains(&certificate.lower_bound), "{certificate:?}");
}

#[test]
fn use_that_nobody_measured_is_the_mean_of_the_others_and_a_note() {
    let mut request = talkative();
    request.topologies[0].executors[7].resources.clear();
    request.nodes[3].resources.clear();
    let reply = answered(&request);
    let said =
        |code, word: &str| reply.notes.iter().any(|note| note.code == code && note.detail.contains(word));
    assert!(
        said(NoteCode::LoadMean, NETWORK) && said(NoteCode::CapacityAssumed, NETWORK),
        "{:?}",
        reply.notes
    );
}

#[test]
fn a_resource_that_nobody_is_known_to_use_is_none() {
    let mut request = talkative();
    request.topologies[0].executors.iter_mut().for_each(|executor| executor.resources.clear());
    let reply = answered(&request);
    assert_eq!(reply.before.unwrap().resources, []);
    assert_eq!(reply.moves, []);
}

#[test]
fn a_negative_use_is_refused_with_its_place() {
    let mut request = talkative();
    request.topologies[0].executors[0].resources.insert(NETWORK.to_owned(), -1.0);
    let refusal = answer(&request).refusal.unwrap();
    assert_eq!(refusal.code, RefusalCode::BadValue);
    assert!(refusal.detail.contains("resources.network.mbps = -1"), "{}", refusal.detail);
}

#[test]
fn the_judge_counts_resources_by_itself() {
    let request = talkative();
    let tampered = |change: &dyn Fn(&mut Reply)| {
        let mut reply = answer(&request);
        change(&mut reply);
        verify(&request, &reply).iter().any(|violation| violation.rule == Rule::Balance)
    };
    assert!(tampered(&|reply| reply.after.as_mut().unwrap().resources[0].mean += 0.01));
    assert!(tampered(&|reply| reply.after.as_mut().unwrap().resources.clear()));
    assert!(tampered(&|reply| reply.before.as_mut().unwrap().nodes[1].resources.clear()));
    assert!(!tampered(&|_| ()));
}
