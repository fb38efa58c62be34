//! Draft to reply: verdict, cost, balance before and after, and the id.

use sha2::{Digest, Sha256};

use super::Draft;
use crate::model::{Placement, Problem};
use crate::objective::{self, Collocation, Migration};
use crate::plan;
use crate::settings::Settings;
use crate::units::Load;
use crate::wire::{
    Balance, Checkpoints, Cost, Coverage, NodeBalance, NoteCode, Refusal, Reply, Request, ResourceBalance,
    Scaling, TrafficBalance, VERSION, Verdict,
};

/// What a reply says beside the plan.
#[derive(Default)]
pub(super) struct Advice {
    pub(super) scaling: Option<Scaling>,
    pub(super) copies: Option<Checkpoints>,
}

/// The reply of a draft.
pub(super) fn planned(
    request: &Request,
    settings: &Settings,
    problem: &Problem,
    coverage: Coverage,
    draft: Draft,
    advice: Advice,
) -> Reply {
    let migration = Migration::between(problem, &problem.present, &draft.placement);
    let before = objective::Balance::of(problem, &problem.present);
    let after = objective::Balance::of(problem, &draft.placement);
    let moves = plan::moves(problem, &before, &draft.placement);
    let mut reply = Reply {
        ballast: "plan".to_owned(),
        version: VERSION,
        generation: request.generation,
        id: String::new(),
        expires_after_secs: settings.expires_secs,
        verdict: verdict(settings, problem, &draft, &after, !moves.is_empty()),
        assignments: plan::assignments(problem, &draft.placement),
        moves,
        cost: cost(&migration, settings),
        before: Some(on_the_wire(problem, &problem.present, &before)),
        after: Some(on_the_wire(problem, &draft.placement, &after)),
        coverage: Some(coverage),
        certificate: draft.certificate,
        scaling: advice.scaling,
        checkpoints: advice.copies,
        notes: draft.notes,
        refusal: None,
    };
    reply.id = id(request, &reply);
    reply
}

/// The reply of a refusal.
pub(super) fn refused(generation: u64, refusal: Refusal) -> Reply {
    Reply {
        ballast: "plan".to_owned(),
        version: VERSION,
        generation,
        id: "none".to_owned(),
        expires_after_secs: 0.0,
        verdict: Verdict::Refused,
        assignments: Vec::new(),
        moves: Vec::new(),
        cost: Cost::default(),
        before: None,
        after: None,
        coverage: None,
        certificate: None,
        scaling: None,
        checkpoints: None,
        notes: Vec::new(),
        refusal: Some(refusal),
    }
}

fn verdict(
    settings: &Settings,
    problem: &Problem,
    draft: &Draft,
    after: &objective::Balance,
    changed: bool,
) -> Verdict {
    let homeless = draft.notes.iter().any(|note| note.code == NoteCode::NoSlot);
    // Limits are only held against a plan that was free to mend them.
    let considered = draft.certificate.is_some();
    let outside = after.load_distance > settings.distance_max
        || after.overload > crate::units::Share::ZERO
        || after.drained > crate::units::Load::ZERO;
    let only_placed = problem.executor_ids().all(|executor| {
        problem.present.slot(executor).is_none_or(|slot| draft.placement.slot(executor) == Some(slot))
    });
    match (homeless || (considered && outside), changed) {
        (true, _) => Verdict::Unsatisfied,
        (false, false) => Verdict::Unchanged,
        (false, true) if only_placed => Verdict::Placed,
        (false, true) => Verdict::Improved,
    }
}

fn cost(migration: &Migration, settings: &Settings) -> Cost {
    Cost {
        restarts: migration.restarts as u32,
        starts: migration.starts as u32,
        stops: migration.stops as u32,
        executors_paused: migration.executors_paused as u32,
        shipped_bytes: migration.shipped.map(|size| size.0 as u64),
        pause_secs_estimate: migration.restarts as f64 * settings.pause_secs,
    }
}

fn on_the_wire(problem: &Problem, placement: &Placement, balance: &objective::Balance) -> Balance {
    let mut workers = vec![0; problem.nodes.len()];
    let mut executors = vec![0; problem.nodes.len()];
    for worker in placement.workers(problem) {
        workers[worker.slot.node.at()] += 1;
        executors[worker.slot.node.at()] += worker.executors.len() as u32;
    }
    let listed = (0..problem.nodes.len()).filter(|at| problem.nodes[*at].state.listed());
    Balance {
        load_distance: balance.load_distance.fraction(),
        overload: balance.overload.fraction(),
        mean: balance.mean.fraction(),
        drained_cores: balance.drained.cores(),
        unlisted_cores: balance.unlisted.cores(),
        traffic: Collocation::of(problem, placement).map(|seen| traffic(problem, &seen)),
        resources: problem
            .resources
            .iter()
            .zip(&balance.resources)
            .map(|(resource, of)| ResourceBalance {
                name: resource.name.clone(),
                load_distance: of.load_distance.fraction(),
                mean: of.mean.fraction(),
            })
            .collect(),
        nodes: listed
            .map(|at| NodeBalance {
                id: problem.nodes[at].id.clone(),
                load_cores: balance.nodes[at].load.cores(),
                utilisation: balance.nodes[at].utilisation.fraction(),
                resources: problem
                    .resources
                    .iter()
                    .zip(&balance.resources)
                    .map(|(resource, of)| (resource.name.clone(), of.utilisation[at].fraction()))
                    .collect(),
                workers: workers[at],
                executors: executors[at],
            })
            .collect(),
    }
}

fn traffic(problem: &Problem, collocation: &Collocation) -> TrafficBalance {
    TrafficBalance {
        tuples_per_sec: collocation.rate.tuples(),
        cross_worker_per_sec: collocation.cross_worker.tuples(),
        remote_cores: collocation.remote_load(problem).map(Load::cores),
        cross_node_per_sec: collocation.cross_node.tuples(),
        collocation_factor: collocation.factor(),
        estimated: collocation.estimated.0 as f64 / collocation.rate.0 as f64,
    }
}

/// Hash of request and plan, so that a plan in a log names the snapshot it was made from.
fn id(request: &Request, reply: &Reply) -> String {
    let mut hasher = Sha256::new();
    hasher.update(serde_json::to_vec(request).expect("a request has only string keys and finite numbers"));
    hasher.update(serde_json::to_vec(reply).expect("a reply has only string keys and finite numbers"));
    let hash = hasher.finalize();
    let hex: String = hash[..6].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("plan-{hex}")
}
