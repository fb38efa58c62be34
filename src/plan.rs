//! The difference of two placements as ordered steps, each with its reason.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ExecutorIx, NodeState, Placement, Problem, Slot, TopologyIx, Worker};
use crate::objective::{Balance, Migration, Neighbors};
use crate::units::{Load, Rate, Share, Size};
use crate::wire::{Assignment, Move, MoveKind, SlotRef, TaskRange, WorkerAssignment};

/// Every worker of each topology that changes between the present placement and `to`.
pub fn assignments(problem: &Problem, to: &Placement) -> Vec<Assignment> {
    let changed: BTreeSet<TopologyIx> = problem
        .executor_ids()
        .filter(|executor| problem.present.slot(*executor) != to.slot(*executor))
        .map(|executor| problem.executor(executor).topology)
        .collect();
    let mut workers = BTreeMap::<TopologyIx, Vec<Worker>>::new();
    for worker in to.workers(problem) {
        workers.entry(worker.topology).or_default().push(worker);
    }
    changed
        .into_iter()
        .map(|topology| Assignment {
            topology: problem.topology(topology).id.clone(),
            workers: workers
                .remove(&topology)
                .unwrap_or_default()
                .into_iter()
                .map(|worker| WorkerAssignment {
                    node: problem.node(worker.slot.node).id.clone(),
                    port: worker.slot.port,
                    executors: ranges(problem, &worker.executors),
                })
                .collect(),
        })
        .collect()
}

/// The steps from the present placement, whose balance gives the reasons, to `to`; by topology, slot left and slot
/// reached.
pub fn moves<'p>(problem: &'p Problem, present: &'p Balance, to: &'p Placement) -> Vec<Move> {
    let mut groups = BTreeMap::<(TopologyIx, Option<Slot>, Slot), Vec<ExecutorIx>>::new();
    for executor in problem.executor_ids() {
        let from = problem.present.slot(executor);
        if let Some(reached) = to.slot(executor).filter(|slot| Some(*slot) != from) {
            groups.entry((problem.executor(executor).topology, from, reached)).or_default().push(executor);
        }
    }
    let before: BTreeMap<Slot, Worker> =
        problem.present.workers(problem).into_iter().map(|worker| (worker.slot, worker)).collect();
    let shipped = Migration::between(problem, &problem.present, to).shipped.unwrap_or_default();
    let why = Why { problem, present, to, neighbors: Neighbors::of(problem), shipped };
    groups
        .into_iter()
        .map(|((topology, from, reached), executors)| Move {
            topology: problem.topology(topology).id.clone(),
            kind: kind(topology, from, reached, &executors, &before),
            executors: ranges(problem, &executors),
            from: from.map(|slot| slot_ref(problem, slot)),
            to: slot_ref(problem, reached),
            because: why.because(from, reached, &executors) + &why.copies(reached, &executors),
        })
        .collect()
}

fn kind(
    topology: TopologyIx,
    from: Option<Slot>,
    reached: Slot,
    executors: &[ExecutorIx],
    before: &BTreeMap<Slot, Worker>,
) -> MoveKind {
    let Some(from) = from else { return MoveKind::Place };
    let whole = before.get(&from).is_some_and(|worker| worker.executors == executors);
    match before.get(&reached) {
        None if whole => MoveKind::RelocateWorker,
        None => MoveKind::OpenWorker,
        Some(there) if there.topology == topology && !whole => MoveKind::MoveExecutors,
        Some(_) if whole => MoveKind::SwapWorkers,
        Some(_) => MoveKind::OpenWorker,
    }
}

/// What the reasons of a plan's moves are found in.
struct Why<'p> {
    problem: &'p Problem,
    present: &'p Balance,
    to: &'p Placement,
    neighbors: Neighbors<'p>,
    /// State that all moves together ship.
    shipped: Size,
}

impl Why<'_> {
    fn because(&self, from: Option<Slot>, to: Slot, executors: &[ExecutorIx]) -> String {
        let (problem, balance) = (self.problem, self.present);
        let Some(from) = from else { return placed_because(problem, to, executors) };
        let (left, reached) = (problem.node(from.node), problem.node(to.node));
        let (load, high, low, mean) = binding(problem, balance, from, to, executors);
        if left.state == NodeState::Draining {
            return format!("node {} is being drained of {}", left.name, load_of(problem, executors));
        }
        if from.node == to.node {
            let topology = problem.topology(problem.executor(executors[0]).topology);
            return format!(
                "topology {} asked for {} workers and runs in fewer",
                topology.id, topology.workers
            );
        }
        if let Some(kept) = self.kept(from, to, executors) {
            return format!("{kept} to and from executors on node {} need no network", reached.name);
        }
        if high < low {
            format!("{load} come to node {} in exchange for what it gives away", reached.name)
        // From here on high is not below low, so the larger of the two distances is not negative.
        } else if high - mean >= mean - low {
            format!(
                "{load} leave node {}, which is {} above the mean utilization {mean}",
                left.name,
                high - mean
            )
        } else {
            let lack = mean - low;
            format!("{load} come to node {}, which is {lack} below the mean utilization {mean}", reached.name)
        }
    }

    /// What copies on the node reached spare a move, and whether the budget allows it only for them; empty without any.
    fn copies(&self, to: Slot, executors: &[ExecutorIx]) -> String {
        let (mut whole, mut shipped) = (Size::ZERO, Size::ZERO);
        for executor in executors {
            if let (Some(state), Some(bytes)) =
                (self.problem.executor(*executor).state, self.problem.shipped(*executor, to.node))
            {
                whole += state;
                shipped += bytes;
            }
        }
        if shipped >= whole {
            return String::new();
        }
        let spared = whole - shipped;
        let only = self.problem.limits.state.is_some_and(|budget| self.shipped + spared > budget);
        let says = if only { "possible only because copies lie there" } else { "copies lie there" };
        format!("; {says}: {shipped} of state to be shipped, not {whole}")
    }

    /// Traffic that a move keeps on its new node, where that is what the move is for: it is more than what was kept on
    /// the old one, and neither node had to be relieved or filled.
    fn kept(&self, from: Slot, to: Slot, executors: &[ExecutorIx]) -> Option<Rate> {
        let limits = &self.problem.limits;
        let fine = |slot: Slot| {
            let node = &self.present.nodes[slot.node.at()];
            node.distance <= limits.distance_max && node.utilisation <= limits.overload
        };
        if self.problem.traffic.is_empty() || !fine(from) || !fine(to) {
            return None;
        }
        let before = self.neighbors.on_node(executors, &self.problem.present, from.node);
        let after = self.neighbors.on_node(executors, self.to, to.node);
        (after > before).then_some(after)
    }
}

fn load_of(problem: &Problem, executors: &[ExecutorIx]) -> Load {
    executors.iter().map(|executor| problem.executor(*executor).load).sum()
}

/// What a move takes along in words, utilization of the node left and of the node reached, and the mean: of the resource
/// in which one of the two is farthest from the mean, CPU before all others.
fn binding(
    problem: &Problem,
    balance: &Balance,
    from: Slot,
    to: Slot,
    executors: &[ExecutorIx],
) -> (String, Share, Share, Share) {
    let (left, reached) = (from.node.at(), to.node.at());
    let cpu = (balance.nodes[left].utilisation, balance.nodes[reached].utilisation, balance.mean);
    let needs = |(high, low, mean): (Share, Share, Share)| (high - mean).max(mean - low);
    let mut binding = (load_of(problem, executors).to_string(), cpu);
    for (resource, of) in problem.resources.iter().zip(&balance.resources) {
        let other = (of.utilisation[left], of.utilisation[reached], of.mean);
        if needs(other) > needs(binding.1) {
            let used: Load = executors.iter().map(|executor| resource.usage[executor.at()]).sum();
            binding = (format!("{:.2} {}", used.cores(), resource.name), other);
        }
    }
    let (words, (high, low, mean)) = binding;
    (words, high, low, mean)
}

fn placed_because(problem: &Problem, to: Slot, executors: &[ExecutorIx]) -> String {
    let home = |e: &ExecutorIx| problem.executor(*e).last == Some(to);
    if executors.iter().all(home) { "back on its last slot".to_owned() } else { "had no slot".to_owned() }
}

fn slot_ref(problem: &Problem, slot: Slot) -> SlotRef {
    SlotRef { node: problem.node(slot.node).id.clone(), port: slot.port }
}

fn ranges(problem: &Problem, executors: &[ExecutorIx]) -> Vec<TaskRange> {
    executors.iter().map(|executor| problem.executor(*executor).tasks).collect()
}
