//! Advice on copies of states, for the placement that a plan leads to.

use crate::checkpoint::{
    self, Allocation, Instance, OfProblem, Shipped, bounds, bounds_of_placed, losses, readiness,
};
use crate::model::{Placement, Problem};
use crate::objective::paused;
use crate::settings::Settings;
use crate::snapshot::some_of;
use crate::units::Share;
use crate::wire::{self, CheckpointNode, Checkpoints, Loss, Note, NoteCode, Replicas, Request};

/// Where the copies of all states should lie; none where nothing has a state or no copies are wanted.
pub(super) fn advise(
    problem: &Problem,
    placement: &Placement,
    settings: &Settings,
    notes: &mut Vec<Note>,
) -> Option<Checkpoints> {
    if settings.checkpoint_copies == 0 || problem.states.is_empty() {
        return None;
    }
    let OfProblem { instance, states } = checkpoint::of_problem(problem, placement, settings);
    notes.extend(fewer(&instance, settings));
    let strategy = checkpoint::by_name(&settings.checkpoint_strategy).unwrap_or_else(|| {
        let detail =
            format!("{} is not built into this library; dealt instead", settings.checkpoint_strategy);
        notes.push(Note::new(NoteCode::MilpOff, detail));
        checkpoint::by_name("dealt").expect("the registry has it")
    });
    let bounds = bounds(&instance);
    let allocation = strategy.allocate(&instance, &bounds);
    let bounds = bounds_of_placed(&instance, &allocation, bounds);
    let id = |node: u32| problem.nodes[node as usize].id.clone();
    let replicas: Vec<Replicas> = states
        .iter()
        .enumerate()
        .map(|(group, state)| {
            let executor = problem.executor(state.executor);
            Replicas {
                topology: problem.topology(executor.topology).id.clone(),
                executor: executor.tasks,
                nodes: allocation.placed(group).map(id).collect(),
                state_bytes: state.size.0 as u64,
                estimated: state.estimated,
            }
        })
        .collect();
    notes.extend(no_room(&instance, &replicas));
    let after = losses(&instance, &allocation);
    let loss = |worst: Option<Share>, bound: Option<Share>| {
        let (worst, bound) = (worst?, bound?);
        Some(Loss { worst: worst.fraction(), lower_bound: bound.fraction(), gap: (worst - bound).fraction() })
    };
    let Shipped { missing, moved } = allocation.shipped(&instance);
    Some(Checkpoints {
        strategy: strategy.name().to_owned(),
        copies: instance.copies as u32,
        node_loss: loss(after.worst_node(), bounds.node),
        rack_loss: loss(after.worst_rack(), bounds.rack),
        missing_bytes: missing as u64,
        moved_bytes: moved as u64,
        budget_bytes: instance.budget as u64,
        nodes: nodes(problem, &instance, &allocation, &after.node),
        replicas,
    })
}

/// The copies' side of every listed node.
fn nodes(
    problem: &Problem,
    instance: &Instance,
    allocation: &Allocation,
    losses: &[Option<Share>],
) -> Vec<CheckpointNode> {
    let mut books = vec![(0_u32, 0_i64, 0_i64); instance.nodes.len()];
    for group in 0..instance.groups() {
        for node in allocation.placed(group) {
            let (copies, stored, taken) = &mut books[node as usize];
            *copies += 1;
            *stored += instance.state[group];
            if !instance.present.of(group).contains(&node) {
                *taken += instance.state[group];
            }
        }
    }
    let ready = readiness(instance, allocation);
    let listed = (0..instance.nodes.len()).filter(|at| instance.nodes[*at].listed);
    listed
        .map(|at| CheckpointNode {
            id: problem.nodes[at].id.clone(),
            readiness: ready[at].fraction(),
            loss: losses[at].map(Share::fraction),
            copies: books[at].0,
            stored_bytes: books[at].1 as u64,
            taken_bytes: books[at].2 as u64,
        })
        .collect()
}

fn fewer(instance: &Instance, settings: &Settings) -> Option<Note> {
    let wanted = settings.checkpoint_copies as usize;
    (instance.copies < wanted).then(|| {
        let what = if instance.racks > 0 { "racks" } else { "nodes" };
        let detail = format!(
            "{} of {wanted} copies a state: its own and the others must be on distinct {what}, and {} take copies",
            instance.copies,
            instance.most_copies() + 1
        );
        Note::new(NoteCode::CopiesFewer, detail)
    })
}

fn no_room(instance: &Instance, replicas: &[Replicas]) -> Option<Note> {
    let short: Vec<&Replicas> = replicas.iter().filter(|one| one.nodes.len() < instance.copies).collect();
    let largest = short.iter().map(|one| one.state_bytes).max()?;
    let names: Vec<String> = short.iter().map(|one| format!("{}/{}", one.topology, one.executor)).collect();
    let detail = format!(
        "{} states lack a copy, of up to {largest} bytes: raise checkpoint_storage_mib or checkpoint_network_mib of the \
         nodes, or set fewer checkpoint.copies: {}",
        short.len(),
        some_of(&names)
    );
    Some(Note::new(NoteCode::CopyNoRoom, detail))
}

/// What restarts of a plan lose where states die with their workers, or would lose.
pub(super) fn state_lost(request: &Request, problem: &Problem, placement: &Placement) -> Option<Note> {
    let stateful = |topology: &wire::Topology, component: &str| {
        topology.components.iter().any(|known| known.id == component && known.stateful)
    };
    let mortal: Vec<&wire::Topology> = request.topologies.iter().filter(|t| !t.state_survives).collect();
    if mortal.is_empty() {
        return None;
    }
    let paused = paused(problem, &problem.present, placement);
    let (mut lost, mut held) = (Vec::new(), Vec::new());
    for executor in problem.executor_ids() {
        let known = problem.executor(executor);
        let id = &problem.topology(known.topology).id;
        let Some(topology) = mortal.iter().find(|topology| topology.id == *id) else { continue };
        let component = &problem.components[known.component.at()].id;
        if known.state.is_some_and(|size| size.0 > 0) || stateful(topology, component) {
            let name = format!("{id}/{component} {}", known.tasks);
            if paused.contains(&executor) { lost.push(name) } else { held.push(name) }
        }
    }
    let (what, which) = match (lost.is_empty(), held.is_empty()) {
        (false, _) => ("this plan's restarts lose the state of", lost),
        (true, false) => ("a restart would lose the state of", held),
        (true, true) => return None,
    };
    let why = "their topologies keep it in the worker's memory; set topology.state.provider";
    Some(Note::new(NoteCode::StateLost, format!("{what} {}: {why}", some_of(&which))))
}
