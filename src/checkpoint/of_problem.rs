//! The problem of the copies beside a placement.

use std::collections::BTreeMap;

use super::{Instance, Node, Present, roles_changed};
use crate::model::{NodeIx, NodeState, Placement, Problem, State};
use crate::settings::Settings;
use crate::units::{Load, Size};

/// Room beyond a fair share, in percent of it, that a node has where nothing is said of it.
const MORE_PERCENT: i64 = 30;

/// States that may be laid elsewhere in a round where no budget is set: one part of so many, 0.25 %.
const BUDGET_PARTS: i64 = 400;

/// An instance, and the state that every one of its groups stands for.
#[derive(Debug)]
pub struct OfProblem<'p> {
    /// The instance.
    pub instance: Instance,
    /// States by group.
    pub states: Vec<&'p State>,
}

/// States how the copies of a problem's states may lie once its executors are where `placement` has them. An executor
/// that moved changes roles with its copy: what it leaves is a copy of its state.
pub fn of_problem<'p>(problem: &'p Problem, placement: &Placement, settings: &Settings) -> OfProblem<'p> {
    let mut instance = Instance {
        nodes: nodes(problem, placement),
        racks: 0,
        load: Vec::new(),
        home: Vec::new(),
        state: Vec::new(),
        delta: Vec::new(),
        copies: settings.checkpoint_copies as usize,
        present: Present::default(),
        budget: 0,
        slack: settings.checkpoint_slack,
        distance: settings.distance_max,
    };
    instance.racks = racks(problem, &mut instance.nodes);
    let mut states = Vec::new();
    for state in &problem.states {
        let Some(home) = placement.slot(state.executor).map(|slot| slot.node) else { continue };
        states.push(state);
        instance.load.push(problem.executor(state.executor).load.0);
        instance.home.push(home.at() as u32);
        instance.state.push(state.size.0);
        instance.delta.push(state.size.0 / BUDGET_PARTS);
        let left = problem.present.slot(state.executor).map(|slot| slot.node).filter(|left| {
            *left != home && problem.node(*left).state == NodeState::Active && !state.copies.contains(left)
        });
        let position = |node: NodeIx| node.at() as u32;
        let copies = state.copies.iter().copied().map(position);
        instance.present.push(&roles_changed(copies, position(home), left.map(position)));
    }
    let total: i64 = instance.state.iter().sum();
    instance.budget = settings.checkpoint_budget.unwrap_or(Size(total / BUDGET_PARTS)).0;
    instance.copies = instance.copies.min(instance.most_copies());
    limit_storage(&mut instance, problem, total);
    OfProblem { instance, states }
}

fn nodes(problem: &Problem, placement: &Placement) -> Vec<Node> {
    let mut load = vec![Load::ZERO; problem.nodes.len()];
    for executor in problem.executor_ids() {
        if let Some(slot) = placement.slot(executor) {
            load[slot.node.at()] += problem.executor(executor).load;
        }
    }
    let bytes = |limit: Option<Size>| limit.map_or(i64::MAX, |size| size.0);
    problem
        .nodes
        .iter()
        .zip(load)
        .map(|(node, load)| Node {
            capacity: node.capacity.0,
            load: load.0,
            rack: 0,
            listed: node.state.listed(),
            takes: node.state == NodeState::Active,
            storage: bytes(node.checkpoint_storage),
            network: bytes(node.checkpoint_network),
        })
        .collect()
}

/// Numbers the racks; a node of no known rack is one of its own. None count where the nodes that take copies have not two.
fn racks(problem: &Problem, nodes: &mut [Node]) -> usize {
    let mut names = BTreeMap::<&str, u32>::new();
    let mut next = 0;
    for (node, given) in nodes.iter_mut().zip(&problem.nodes) {
        let mut new = || {
            next += 1;
            next - 1
        };
        node.rack = if given.rack.is_empty() { new() } else { *names.entry(&given.rack).or_insert_with(new) };
    }
    let mut used: Vec<&str> = Vec::new();
    for (given, _) in problem.nodes.iter().zip(nodes.iter()).filter(|(_, node)| node.takes) {
        used.push(&given.rack);
    }
    used.sort_unstable();
    used.dedup();
    if used.len() > 1 { next as usize } else { 0 }
}

/// Where nothing is said of a node's room it takes a fair share and some more: 30 %, or the largest state where states
/// are so few that they could not be dealt otherwise.
fn limit_storage(instance: &mut Instance, problem: &Problem, total: i64) {
    let takers = instance.nodes.iter().filter(|node| node.takes).count().max(1) as i64;
    let fair = i128::from(total) * instance.copies as i128 / i128::from(takers);
    let fair = i64::try_from(fair).unwrap_or(i64::MAX / 2);
    let largest = instance.state.iter().copied().max().unwrap_or(0);
    for (node, given) in instance.nodes.iter_mut().zip(&problem.nodes) {
        if given.checkpoint_storage.is_none() {
            node.storage = fair.saturating_add(largest.max(fair / 100 * MORE_PERCENT));
        }
    }
}
