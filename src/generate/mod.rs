//! Made-up clusters for benchmarks and tests: requests like those of the shim, from a seed.
//!
//! The kinds are those of the experiments the planner is measured by: key groups that migrate one by one (the
//! papers' set-up), with or without a state whose copies are to be placed, and workers of many executors, as Storm runs
//! them.

mod cluster;
mod drifting;
mod groups;
mod one_to_one;
mod recorded;
mod skew;
mod stateful;

pub use cluster::Cluster;
pub use drifting::Drifting;
pub use groups::{Capacities, Groups, Shares, State};
pub use one_to_one::OneToOne;
pub use recorded::Recorded;
pub use skew::Skew;
pub use stateful::{LoadShares, StateSizes, Stateful};

use serde_json::{Map, json};

use crate::wire::{Component, ComponentKind, Executor, LoadSource, Node, Request, TaskRange, Topology};

/// Settings under which only the balance counts: every restart allowed is worth its while.
fn balance_only(restarts: u32) -> Map<String, serde_json::Value> {
    Map::from_iter([
        ("budget.restarts".to_owned(), json!(restarts)),
        ("gain.min".to_owned(), json!(0.0)),
        ("load.distance.max".to_owned(), json!(0.0)),
        ("load.floor.cores".to_owned(), json!(0.0)),
        ("overload".to_owned(), json!(1.0)),
    ])
}

fn request(settings: Map<String, serde_json::Value>) -> Request {
    Request { settings, ..Request::blank(1) }
}

fn node(at: usize, cores: f64, slots: u16) -> Node {
    let id = format!("node-{at:05}");
    Node { cpu_cores: Some(cores), ..Node::blank(&id, &id, (6700..6700 + slots).collect()) }
}

fn topology(id: String, workers: u32, components: Vec<Component>, executors: Vec<Executor>) -> Topology {
    Topology { components, executors, ..Topology::blank(&id, &id, workers) }
}

fn bolt(id: String) -> Component {
    Component::blank(&id, ComponentKind::Bolt)
}

fn executor(task: i32, component: &str, slot: Option<(usize, u16)>, cores: f64) -> Executor {
    Executor {
        node: slot.map(|(node, _)| format!("node-{node:05}")),
        port: slot.map(|(_, port)| port),
        cpu_cores: Some(cores),
        load_source: Some(LoadSource::Hook),
        ..Executor::blank(TaskRange(task, task), component)
    }
}
