//! Every other place, weighed.

use serde::Serialize;

use crate::model::{ExecutorIx, NodeIx, NodeState, Placement, Problem, Slot, Worker};
use crate::objective::{Balance, Collocation, Gain, Migration};
use crate::wire::{NoteCode, Reply, Request};

/// Places told at most.
const MOST: usize = 20;

/// Another place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// What would move: `executor 7` or `worker node:port`.
    pub what: String,
    /// `node:port` it would go to, or the node where it cannot go to any.
    pub to: String,
    /// Load distance afterwards; absent where it cannot go there.
    pub load_distance: Option<f64>,
    /// How much nearer all nodes come to the mean, in sum, as far as it counts; below zero: farther.
    pub nearer: Option<f64>,
    /// Workers restarted.
    pub restarts: Option<u64>,
    /// Tuples a second between nodes afterwards; absent where no traffic is known.
    pub cross_node_per_sec: Option<f64>,
    /// Bytes of states read again or shipped; absent where no size is known.
    pub shipped_bytes: Option<u64>,
    /// Why it is or is not done.
    pub verdict: String,
}

/// Places of an executor: alone on every other node, and with its whole worker.
pub(super) fn of_executor(
    request: &Request,
    problem: &Problem,
    reply: &Reply,
    executor: ExecutorIx,
    worker: Option<&Worker>,
) -> Vec<Choice> {
    let tasks = problem.executor(executor).tasks;
    let here = problem.present.slot(executor);
    let scale = Scale { request, problem, reply };
    let others = || problem.node_ids().filter(|node| here.is_none_or(|slot| slot.node != *node));
    let mut choices: Vec<Choice> =
        others().map(|node| scale.choice(format!("executor {tasks}"), &[executor], node)).collect();
    if let Some(worker) = worker.filter(|worker| worker.executors.len() > 1) {
        choices.extend(others().map(|node| scale.whole(worker, node)));
    }
    best_first(choices)
}

/// Places of the workers of a node.
pub(super) fn of_node(
    request: &Request,
    problem: &Problem,
    reply: &Reply,
    workers: &[Worker],
) -> Vec<Choice> {
    let scale = Scale { request, problem, reply };
    let all = workers.iter().flat_map(|worker| {
        let others = problem.node_ids().filter(|node| *node != worker.slot.node);
        others.map(|node| scale.whole(worker, node)).collect::<Vec<_>>()
    });
    best_first(all.collect())
}

fn best_first(mut choices: Vec<Choice>) -> Vec<Choice> {
    let rank = |choice: &Choice| {
        (choice.load_distance.unwrap_or(f64::INFINITY), choice.restarts.unwrap_or(u64::MAX))
    };
    choices.sort_by(|one, other| {
        let (a, b) = (rank(one), rank(other));
        a.0.total_cmp(&b.0)
            .then(a.1.cmp(&b.1))
            .then_with(|| (&one.what, &one.to).cmp(&(&other.what, &other.to)))
    });
    choices.truncate(MOST);
    choices
}

struct Scale<'p> {
    request: &'p Request,
    problem: &'p Problem,
    reply: &'p Reply,
}

impl Scale<'_> {
    fn name(&self, slot: Slot) -> String {
        format!("{}:{}", self.problem.node(slot.node).id, slot.port)
    }

    /// A whole worker to a free slot of a node.
    fn whole(&self, worker: &Worker, node: NodeIx) -> Choice {
        let what = format!("worker {}", self.name(worker.slot));
        match self.free(node) {
            Ok(slot) => self.weigh(what, &worker.executors, slot),
            Err(why) => self.impossible(what, node, why),
        }
    }

    /// Executors to a worker of their topology on a node, or to a free slot.
    fn choice(&self, what: String, executors: &[ExecutorIx], node: NodeIx) -> Choice {
        let topology = self.problem.executor(executors[0]).topology;
        let workers = self.problem.present.workers(self.problem);
        let joined = workers.iter().find(|worker| worker.topology == topology && worker.slot.node == node);
        match joined.map_or_else(|| self.free(node), |worker| self.open(node).map(|()| worker.slot)) {
            Ok(slot) => self.weigh(what, executors, slot),
            Err(why) => self.impossible(what, node, why),
        }
    }

    /// Why a node takes nothing, if so.
    fn open(&self, node: NodeIx) -> Result<(), String> {
        let node = self.problem.node(node);
        match node.state {
            NodeState::Draining => Err("the node drains".to_owned()),
            NodeState::Unusable => Err("the node is blacklisted or dead".to_owned()),
            NodeState::Unlisted => Err("the node is not listed".to_owned()),
            NodeState::Active if !node.takes_moves() => {
                Err("the node has not been there for long enough".to_owned())
            }
            NodeState::Active => Ok(()),
        }
    }

    /// A free slot of a node, or why there is none.
    fn free(&self, node: NodeIx) -> Result<Slot, String> {
        self.open(node)?;
        let workers = self.problem.present.workers(self.problem);
        let used = |port: u16| workers.iter().any(|worker| worker.slot == Slot { node, port });
        let free = self.problem.node(node).plain_ports().find(|port| !used(*port));
        free.map(|port| Slot { node, port }).ok_or_else(|| "no free slot".to_owned())
    }

    fn impossible(&self, what: String, node: NodeIx, why: String) -> Choice {
        Choice {
            what,
            to: self.problem.node(node).id.clone(),
            load_distance: None,
            nearer: None,
            restarts: None,
            cross_node_per_sec: None,
            shipped_bytes: None,
            verdict: format!("cannot: {why}"),
        }
    }

    fn weigh(&self, what: String, executors: &[ExecutorIx], to: Slot) -> Choice {
        let problem = self.problem;
        let mut placement = problem.present.clone();
        executors.iter().for_each(|executor| placement.put(*executor, to));
        let gain = Gain::of(problem, &placement);
        let price = Migration::between(problem, &problem.present, &placement);
        Choice {
            what,
            to: self.name(to),
            load_distance: Some(Balance::of(problem, &placement).load_distance.fraction()),
            nearer: Some(gain.nearer.fraction()),
            restarts: Some(price.restarts as u64),
            cross_node_per_sec: Collocation::of(problem, &placement)
                .map(|traffic| traffic.cross_node.tuples()),
            shipped_bytes: price.shipped.map(|size| size.0 as u64),
            verdict: self.verdict(executors, to, &placement, &gain, &price),
        }
    }

    fn verdict(
        &self,
        executors: &[ExecutorIx],
        to: Slot,
        placement: &Placement,
        gain: &Gain,
        price: &Migration,
    ) -> String {
        let problem = self.problem;
        let node = &problem.node(to.node).id;
        let planned = |executor: &ExecutorIx| {
            let known = problem.executor(*executor);
            let id = &problem.topology(known.topology).id;
            self.reply.moves.iter().any(|step| {
                step.topology == *id && step.to.node == *node && step.executors.contains(&known.tasks)
            })
        };
        if executors.iter().all(planned) {
            return "the plan does this".to_owned();
        }
        let present = Balance::of(problem, &problem.present).load_distance;
        let after = Balance::of(problem, placement).load_distance;
        let worth = gain.is_worth_it(problem);
        if after > present && !worth {
            return format!("the load distance would rise by {}", after - present);
        }
        let shipped = price.shipped.unwrap_or_default();
        if let Some(limit) = problem.limits.state.filter(|limit| shipped > *limit) {
            return format!("budget.state.mib allows {limit}");
        }
        if price.restarts as u64 > u64::from(problem.limits.restarts) {
            return format!("budget.restarts allows {}", problem.limits.restarts);
        }
        if !worth && gain.drowns() {
            return format!(
                "{} nearer is no more than the loads swing by themselves, {}",
                gain.nearer, gain.swing
            );
        }
        if !worth {
            let least = problem.limits.gain_min;
            let traffic = if problem.traffic.is_empty() { "" } else { ", traffic counted in," };
            return format!("{} nearer{traffic} is less than gain.min = {least} a restart", gain.sum());
        }
        match self.held_back(executors) {
            Some(why) => format!("worth it, but {why}"),
            None if self.reply.moves.is_empty() => {
                "worth it by itself, but no better plan was found".to_owned()
            }
            None => "worth it by itself; the plan does better".to_owned(),
        }
    }

    /// What keeps a topology, or all of them, from being moved this round.
    fn held_back(&self, executors: &[ExecutorIx]) -> Option<String> {
        let topology = self.problem.topology(self.problem.executor(executors[0]).topology);
        let whole = [NoteCode::Frozen, NoteCode::CoverageLow, NoteCode::NotSettled, NoteCode::BelowFloor];
        if let Some(note) = self.reply.notes.iter().find(|note| whole.contains(&note.code)) {
            return Some(note.detail.clone());
        }
        let own = self.request.topologies.iter().find(|known| known.id == topology.id)?;
        if !own.enabled {
            return Some("its topology opted out by topology.ballast.enabled".to_owned());
        }
        if topology.movable {
            return None;
        }
        let cooling = self.reply.notes.iter().find(|note| note.code == NoteCode::Cooldown);
        Some(
            cooling.map_or_else(
                || "its topology is not moved this round".to_owned(),
                |note| note.detail.clone(),
            ),
        )
    }
}
