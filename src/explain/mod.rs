//! Why an executor or a node is as it is: what the plan does with it, what moving it would do, and why it was not moved.
//!
//! The same engine answers the request; beside its plan every other place is weighed by the terms that decide on plans
//! ([`Gain`](crate::objective::Gain), [`Migration`](crate::objective::Migration)).

mod choices;

use serde::Serialize;

use crate::engine;
use crate::model::{ExecutorIx, NodeIx, Placement, Problem, Worker};
use crate::objective::Balance;
use crate::settings;
use crate::snapshot;
use crate::solve;
use crate::wire::{LoadSource, Move, Note, NoteCode, Refusal, RefusalCode, Reply, Request, TaskRange};

pub use choices::Choice;

/// What is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// The executor with a task, of a topology by id or name where several have such a task.
    Executor {
        /// Id or name; none: the only one with such a task.
        topology: Option<String>,
        /// One of its tasks.
        task: i32,
    },
    /// A node by supervisor id or host.
    Node(String),
}

/// The answer. Loads are cores, utilizations and load distances fractions of capacity.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// What was asked about, in words.
    pub subject: String,
    /// Its node; absent where it has none.
    pub node: Option<Standing>,
    /// The executors asked about.
    pub executors: Vec<Weighed>,
    /// Load distance of the cluster as it is.
    pub load_distance: f64,
    /// Steps of the plan that concern it.
    pub planned: Vec<Move>,
    /// What its plan notes: why something was not done, and what was assumed.
    pub notes: Vec<Note>,
    /// Where it could be instead, the best first.
    pub choices: Vec<Choice>,
}

/// A node among the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Supervisor id.
    pub id: String,
    /// Host.
    pub host: String,
    /// Load over capacity.
    pub utilization: f64,
    /// Mean of all nodes.
    pub mean: f64,
    /// Workers on it.
    pub workers: usize,
    /// Executors on it.
    pub executors: usize,
}

/// An executor and its load.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Weighed {
    /// Topology id.
    pub topology: String,
    /// Component id.
    pub component: String,
    /// Its tasks.
    pub tasks: TaskRange,
    /// `node:port`; absent where it has none.
    pub slot: Option<String>,
    /// What it counts as, in cores.
    pub cpu_cores: f64,
    /// Where that comes from.
    pub source: LoadSource,
}

/// Explains one executor or node of a request.
///
/// # Errors
/// A refusal of the engine, or that nothing in the request has this name.
pub fn explain(request: &Request, subject: &Subject) -> Result<Explanation, Refusal> {
    let reply = engine::answer(request);
    if let Some(refusal) = reply.refusal {
        return Err(refusal);
    }
    let settings = settings::check(&request.settings, &solve::names()).settings;
    let problem = snapshot::take(request, &settings)?.problem;
    match subject {
        Subject::Executor { topology, task } => {
            let executor = executor(request, &problem, topology.as_deref(), *task)?;
            Ok(of_executor(request, &problem, &reply, executor))
        }
        Subject::Node(name) => {
            let node = problem.node_ids().find(|ix| {
                let node = problem.node(*ix);
                node.id == *name || node.host == *name
            });
            let node = node.ok_or_else(|| {
                let known: Vec<&str> = problem.nodes.iter().map(|node| node.id.as_str()).collect();
                unknown(format!("no node {name:?}; there are {}", snapshot::some_of(&known)))
            })?;
            Ok(of_node(request, &problem, &reply, node))
        }
    }
}

fn unknown(detail: String) -> Refusal {
    Refusal::new(RefusalCode::BadValue, detail, "name one that the request has")
}

fn executor(
    request: &Request,
    problem: &Problem,
    topology: Option<&str>,
    task: i32,
) -> Result<ExecutorIx, Refusal> {
    let is_of = |executor: &ExecutorIx| {
        let id = &problem.topology(problem.executor(*executor).topology).id;
        let named = |name: &str| request.topologies.iter().any(|known| known.id == *id && known.name == name);
        topology.is_none_or(|name| id == name || named(name))
    };
    let has = |executor: &ExecutorIx| {
        let TaskRange(first, last) = problem.executor(*executor).tasks;
        (first..=last).contains(&task)
    };
    let found: Vec<ExecutorIx> = problem.executor_ids().filter(|e| has(e) && is_of(e)).collect();
    match found[..] {
        [one] => Ok(one),
        [] => Err(unknown(format!("no executor with task {task}"))),
        _ => {
            let ids: Vec<&str> =
                found.iter().map(|e| problem.topology(problem.executor(*e).topology).id.as_str()).collect();
            Err(unknown(format!("{} executors have task {task}: of {}", ids.len(), snapshot::some_of(&ids))))
        }
    }
}

fn of_executor(request: &Request, problem: &Problem, reply: &Reply, executor: ExecutorIx) -> Explanation {
    let known = problem.executor(executor);
    let topology = problem.topology(known.topology);
    let component = &problem.components[known.component.at()].id;
    let concerns = |step: &&Move| step.topology == topology.id && step.executors.contains(&known.tasks);
    let planned: Vec<Move> = reply.moves.iter().filter(concerns).cloned().collect();
    let slot = problem.present.slot(executor);
    let worker = slot.and_then(|slot| workers(problem).into_iter().find(|worker| worker.slot == slot));
    Explanation {
        subject: format!("executor {} of {component}, topology {}", known.tasks, topology.id),
        node: slot.map(|slot| standing(problem, slot.node)),
        executors: vec![weighed(problem, executor)],
        load_distance: Balance::of(problem, &problem.present).load_distance.fraction(),
        choices: choices::of_executor(request, problem, reply, executor, worker.as_ref()),
        planned,
        notes: notes(reply),
    }
}

fn of_node(request: &Request, problem: &Problem, reply: &Reply, node: NodeIx) -> Explanation {
    let known = problem.node(node);
    let here: Vec<Worker> = workers(problem).into_iter().filter(|worker| worker.slot.node == node).collect();
    let concerns = |step: &&Move| {
        step.to.node == known.id || step.from.as_ref().is_some_and(|from| from.node == known.id)
    };
    let mut executors: Vec<Weighed> = here
        .iter()
        .flat_map(|worker| &worker.executors)
        .map(|executor| weighed(problem, *executor))
        .collect();
    executors.sort_by(|one, other| other.cpu_cores.total_cmp(&one.cpu_cores));
    Explanation {
        subject: format!("node {} on host {}", known.id, known.host),
        node: Some(standing(problem, node)),
        executors,
        load_distance: Balance::of(problem, &problem.present).load_distance.fraction(),
        planned: reply.moves.iter().filter(concerns).cloned().collect(),
        notes: notes(reply),
        choices: choices::of_node(request, problem, reply, &here),
    }
}

fn workers(problem: &Problem) -> Vec<Worker> {
    Placement::workers(&problem.present, problem)
}

fn standing(problem: &Problem, node: NodeIx) -> Standing {
    let balance = Balance::of(problem, &problem.present);
    let here: Vec<Worker> = workers(problem).into_iter().filter(|worker| worker.slot.node == node).collect();
    Standing {
        id: problem.node(node).id.clone(),
        host: problem.node(node).host.clone(),
        utilization: balance.nodes[node.at()].utilisation.fraction(),
        mean: balance.mean.fraction(),
        workers: here.len(),
        executors: here.iter().map(|worker| worker.executors.len()).sum(),
    }
}

fn weighed(problem: &Problem, executor: ExecutorIx) -> Weighed {
    let known = problem.executor(executor);
    Weighed {
        topology: problem.topology(known.topology).id.clone(),
        component: problem.components[known.component.at()].id.clone(),
        tasks: known.tasks,
        slot: problem
            .present
            .slot(executor)
            .map(|slot| format!("{}:{}", problem.node(slot.node).id, slot.port)),
        cpu_cores: known.load.cores(),
        source: known.source,
    }
}

/// Notes on copies of states are another question.
fn notes(reply: &Reply) -> Vec<Note> {
    let of_copies = [NoteCode::CopyLost, NoteCode::CopiesFewer, NoteCode::CopyNoRoom];
    reply.notes.iter().filter(|note| !of_copies.contains(&note.code)).cloned().collect()
}
