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

use std::collections::BTreeMap;

use serde_json::{Map, json};

use crate::wire::{
    Ask, Component, ComponentKind, Executor, LoadSource, Node, NodeState, Request, TaskRange, Topology,
};

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
    Request {
        ballast: "snapshot".to_owned(),
        version: crate::wire::VERSION,
        ask: Ask::Plan,
        generation: 1,
        taken_at: None,
        window_secs: None,
        covered_rounds: None,
        low_rounds: None,
        settings,
        nodes: Vec::new(),
        topologies: Vec::new(),
    }
}

fn node(at: usize, cores: f64, slots: u16) -> Node {
    let id = format!("node-{at:05}");
    Node {
        host: id.clone(),
        id,
        rack: None,
        cpu_cores: Some(cores),
        memory_mib: None,
        resources: BTreeMap::new(),
        ports: (6700..6700 + slots).collect(),
        avoid_ports: Vec::new(),
        checkpoint_storage_mib: None,
        checkpoint_network_mib: None,
        state: NodeState::Active,
        scaled_in: false,
        seen_rounds: None,
    }
}

fn topology(id: String, workers: u32, components: Vec<Component>, executors: Vec<Executor>) -> Topology {
    Topology {
        name: id.clone(),
        id,
        workers,
        priority: 29,
        enabled: true,
        worker_heap_max_mib: None,
        last_change_secs: None,
        state_survives: true,
        components,
        executors,
        traffic: Vec::new(),
        checkpoints: Vec::new(),
        backlog: None,
    }
}

fn bolt(id: String) -> Component {
    Component {
        id,
        kind: ComponentKind::Bolt,
        stateful: false,
        cpu_request_pcore: None,
        onheap_request_mib: None,
        offheap_request_mib: None,
        inputs: Vec::new(),
    }
}

fn executor(task: i32, component: &str, slot: Option<(usize, u16)>, cores: f64) -> Executor {
    Executor {
        tasks: TaskRange(task, task),
        component: component.to_owned(),
        node: slot.map(|(node, _)| format!("node-{node:05}")),
        port: slot.map(|(_, port)| port),
        last_node: None,
        last_port: None,
        uptime_secs: None,
        cpu_cores: Some(cores),
        load_source: Some(LoadSource::Hook),
        resources: BTreeMap::new(),
        received_per_sec: None,
        emitted_per_sec: None,
        state_bytes: None,
        delta_bytes: None,
    }
}
