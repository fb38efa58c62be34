//! Messages' parts of which only the names are known. All else is as where a field is left out on the wire.

use std::collections::BTreeMap;

use serde_json::Map;

use super::{
    Ask, Component, ComponentKind, Executor, Node, NodeState, Request, TaskRange, Topology, VERSION,
};

/// Storm's default of `topology.priority`.
const PRIORITY: i32 = 29;

impl Request {
    /// A snapshot without nodes and topologies, asking for a plan.
    pub fn blank(generation: u64) -> Self {
        Self {
            ballast: "snapshot".to_owned(),
            version: VERSION,
            ask: Ask::Plan,
            generation,
            taken_at: None,
            window_secs: None,
            covered_rounds: None,
            low_rounds: None,
            settings: Map::new(),
            nodes: Vec::new(),
            topologies: Vec::new(),
        }
    }
}

impl Node {
    /// An active node that offers some ports.
    pub fn blank(id: &str, host: &str, ports: Vec<u16>) -> Self {
        Self {
            id: id.to_owned(),
            host: host.to_owned(),
            rack: None,
            cpu_cores: None,
            memory_mib: None,
            resources: BTreeMap::new(),
            ports,
            checkpoint_storage_mib: None,
            checkpoint_network_mib: None,
            avoid_ports: Vec::new(),
            state: NodeState::Active,
            scaled_in: false,
            seen_rounds: None,
        }
    }
}

impl Topology {
    /// A topology without components and executors, which asked for some workers.
    pub fn blank(id: &str, name: &str, workers: u32) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            workers,
            priority: PRIORITY,
            enabled: true,
            worker_heap_max_mib: None,
            last_change_secs: None,
            components: Vec::new(),
            executors: Vec::new(),
            state_survives: true,
            traffic: Vec::new(),
            worker_cpu: Vec::new(),
            checkpoints: Vec::new(),
            backlog: None,
        }
    }
}

impl Component {
    /// A component without a state that requests nothing and reads nothing.
    pub fn blank(id: &str, kind: ComponentKind) -> Self {
        Self {
            id: id.to_owned(),
            kind,
            stateful: false,
            cpu_request_pcore: None,
            onheap_request_mib: None,
            offheap_request_mib: None,
            inputs: Vec::new(),
        }
    }
}

impl Executor {
    /// An executor without a slot, of which nothing was measured.
    pub fn blank(tasks: TaskRange, component: &str) -> Self {
        Self {
            tasks,
            component: component.to_owned(),
            node: None,
            port: None,
            last_node: None,
            last_port: None,
            uptime_secs: None,
            cpu_cores: None,
            swing_cores: None,
            load_source: None,
            resources: BTreeMap::new(),
            received_per_sec: None,
            emitted_per_sec: None,
            state_bytes: None,
            delta_bytes: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_blank_is_what_a_message_with_names_alone_says() {
        let message = json!({
            "ballast": "snapshot", "version": VERSION, "generation": 7,
            "nodes": [{ "id": "n", "host": "h", "ports": [6700] }],
            "topologies": [{ "id": "t-1-1", "name": "t", "workers": 2,
                "components": [{ "id": "b", "kind": "bolt" }],
                "executors": [{ "tasks": [1, 2], "component": "b" }] }]
        });
        let mut request = Request::blank(7);
        request.nodes.push(Node::blank("n", "h", vec![6700]));
        let mut topology = Topology::blank("t-1-1", "t", 2);
        topology.components.push(Component::blank("b", ComponentKind::Bolt));
        topology.executors.push(Executor::blank(TaskRange(1, 2), "b"));
        request.topologies.push(topology);
        assert_eq!(request, serde_json::from_value(message).expect("the names are enough"));
    }
}
