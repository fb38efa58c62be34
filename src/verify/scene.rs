//! Request and reply with names resolved: where every executor is before and after, and what it demands.

use std::collections::HashMap;
use std::ops::Range;

use serde_json::Value;

use crate::settings::SPECS;
use crate::wire::{Component, NodeState, Reply, Request, Scaling, TaskRange, Topology};

/// Node position and port. Nodes beyond those of the request are unlisted ones.
pub(super) type Slot = (u32, u16);

/// Before or after the plan.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Before,
    After,
}

pub(super) struct Scene<'r> {
    pub(super) request: &'r Request,
    pub(super) reply: &'r Reply,
    pub(super) settings: Settings<'r>,
    pub(super) nodes: Vec<Node<'r>>,
    pub(super) topologies: Vec<TopologyFacts<'r>>,
    /// Grouped by topology, in the order of the request.
    pub(super) executors: Vec<Executor>,
    /// Non-empty slots before, sorted by slot and topology.
    pub(super) workers_before: Vec<Worker>,
    /// Non-empty slots after, sorted by slot and topology.
    pub(super) workers_after: Vec<Worker>,
    /// Load of every executor in cores, measured or its substitute.
    pub(super) loads: Vec<f64>,
    /// Assigned executors that the topology does not have or that were assigned already.
    pub(super) oddities: Vec<Oddity<'r>>,
}

pub(super) struct Node<'r> {
    pub(super) id: &'r str,
    pub(super) listed: bool,
    pub(super) ports: Vec<u16>,
    pub(super) state: NodeState,
    pub(super) settled: bool,
    /// In cores; unlisted nodes have none.
    pub(super) capacity: f64,
    pub(super) memory_mib: Option<f64>,
}

pub(super) struct TopologyFacts<'r> {
    pub(super) wire: &'r Topology,
    pub(super) executors: Range<usize>,
    /// Named by an assignment.
    pub(super) named: bool,
}

#[derive(Clone)]
pub(super) struct Executor {
    pub(super) topology: u32,
    /// Position among the topology's components; none when it names one that is not there.
    pub(super) component: Option<u32>,
    pub(super) tasks: TaskRange,
    pub(super) cores: Option<f64>,
    pub(super) heap_mib: f64,
    pub(super) memory_mib: f64,
    pub(super) before: Option<Slot>,
    pub(super) after: Option<Slot>,
    /// Where it was before it became homeless.
    pub(super) last: Option<Slot>,
    /// Size of its state.
    state_bytes: Option<u64>,
    /// Nodes with a copy of it, and what each lacks.
    copies: Vec<(u32, u64)>,
}

impl Executor {
    pub(super) fn slot(&self, when: When) -> Option<Slot> {
        if when == When::Before { self.before } else { self.after }
    }

    /// A running executor that changes its slot.
    pub(super) fn moves(&self) -> bool {
        self.before.is_some() && self.after.is_some() && self.before != self.after
    }
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Worker {
    pub(super) slot: Slot,
    pub(super) topology: u32,
    /// Positions, sorted.
    pub(super) executors: Vec<u32>,
}

pub(super) enum Oddity<'r> {
    Topology(&'r str),
    TopologyTwice(&'r str),
    Unknown { topology: &'r str, tasks: TaskRange },
    Twice { topology: &'r str, tasks: TaskRange },
    EmptyWorker { topology: &'r str, node: &'r str, port: u16 },
    WorkerTwice { topology: &'r str, node: &'r str, port: u16 },
}

/// Values of the settings the rules speak of.
pub(super) struct Settings<'r> {
    given: &'r serde_json::Map<String, Value>,
}

impl Settings<'_> {
    fn value(&self, name: &str) -> Value {
        let default = || {
            let spec = SPECS.iter().find(|spec| spec.name == name).expect("a name of the table");
            serde_json::from_str(spec.default).expect("defaults of the table are JSON")
        };
        self.given.get(name).filter(|value| !value.is_null()).cloned().unwrap_or_else(default)
    }

    pub(super) fn number(&self, name: &str) -> f64 {
        self.value(name).as_f64().unwrap_or(0.0)
    }

    /// A number that may be unset; none then.
    pub(super) fn given_number(&self, name: &str) -> Option<f64> {
        self.value(name).as_f64()
    }

    pub(super) fn switch(&self, name: &str) -> bool {
        self.value(name).as_bool().unwrap_or(false)
    }

    pub(super) fn word(&self, name: &str) -> String {
        self.value(name).as_str().unwrap_or_default().to_owned()
    }

    pub(super) fn left_to_delegate(&self) -> bool {
        self.value("place") == "delegate"
    }

    pub(super) fn drains(&self) -> Vec<String> {
        let names = self.value("drain.nodes");
        names.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

impl<'r> Scene<'r> {
    pub(super) fn of(request: &'r Request, reply: &'r Reply) -> Self {
        let mut scene = Scene {
            request,
            reply,
            settings: Settings { given: &request.settings },
            nodes: Vec::new(),
            topologies: Vec::new(),
            executors: Vec::new(),
            workers_before: Vec::new(),
            workers_after: Vec::new(),
            loads: Vec::new(),
            oddities: Vec::new(),
        };
        let mut names = scene.add_nodes();
        scene.add_topologies(&mut names);
        scene.add_assignments(&mut names);
        scene.loads = super::figures::loads(&scene);
        scene.workers_before = scene.workers(When::Before);
        scene.workers_after = scene.workers(When::After);
        scene
    }

    fn add_nodes(&mut self) -> HashMap<&'r str, u32> {
        let drains = self.settings.drains();
        let settle = self.settings.number("settle.rounds");
        let capacities = super::figures::capacities(&self.request.nodes);
        // Where scaling may act, the plan is one of the cluster as scaling leaves it.
        let acts = self.settings.word("scale.mode") == "apply";
        let scaling = self.reply.scaling.as_ref().filter(|_| acts);
        let named = |list: fn(&Scaling) -> &Vec<String>, id: &String| {
            scaling.is_some_and(|scaling| list(scaling).contains(id))
        };
        let mut names = HashMap::new();
        for (node, capacity) in self.request.nodes.iter().zip(capacities) {
            let asked = || drains.iter().any(|name| *name == node.id || *name == node.host);
            let drained =
                node.state == NodeState::Active && (asked() || named(|scaling| &scaling.drain, &node.id));
            let kept = node.scaled_in && named(|scaling| &scaling.keep, &node.id);
            let mut ports = node.ports.clone();
            ports.sort_unstable();
            names.insert(node.id.as_str(), self.nodes.len() as u32);
            self.nodes.push(Node {
                id: &node.id,
                listed: true,
                ports,
                state: match (drained, kept) {
                    (true, _) => NodeState::Draining,
                    (false, true) => NodeState::Active,
                    (false, false) => node.state,
                },
                settled: node.seen_rounds.is_none_or(|rounds| f64::from(rounds) >= settle),
                capacity,
                memory_mib: node.memory_mib,
            });
        }
        names
    }

    fn node(&mut self, names: &mut HashMap<&'r str, u32>, id: &'r str) -> u32 {
        *names.entry(id).or_insert_with(|| {
            self.nodes.push(Node {
                id,
                listed: false,
                ports: Vec::new(),
                state: NodeState::Unusable,
                settled: false,
                capacity: 0.0,
                memory_mib: None,
            });
            self.nodes.len() as u32 - 1
        })
    }

    fn add_topologies(&mut self, names: &mut HashMap<&'r str, u32>) {
        let young = self.settings.number("load.young.secs");
        for (at, topology) in self.request.topologies.iter().enumerate() {
            let components: HashMap<&str, u32> =
                topology.components.iter().enumerate().map(|(at, c)| (c.id.as_str(), at as u32)).collect();
            let mut copies = HashMap::<TaskRange, Vec<(u32, u64)>>::new();
            let deltas: HashMap<TaskRange, u64> =
                topology.executors.iter().filter_map(|e| Some((e.tasks, e.delta_bytes?))).collect();
            for copy in topology.checkpoints.iter().filter(|copy| copy.held && topology.state_survives) {
                if let Some(node) = names.get(copy.node.as_str()) {
                    // Six percent where nobody measured, cut as the contract says.
                    let behind = copy.delta_bytes.or_else(|| deltas.get(&copy.executor).copied());
                    let behind = behind.unwrap_or(copy.bytes / 100 * 6);
                    copies.entry(copy.executor).or_default().push((*node, behind));
                }
            }
            let first = self.executors.len();
            for executor in &topology.executors {
                let mut slot = |node: &'r Option<String>, port: Option<u16>| {
                    Some((self.node(names, node.as_ref()?), port?))
                };
                let before = slot(&executor.node, executor.port);
                let last = slot(&executor.last_node, executor.last_port);
                let component = components.get(executor.component.as_str()).copied();
                let demand = |of: fn(&Component) -> Option<f64>| {
                    component.and_then(|at| of(&topology.components[at as usize])).unwrap_or(0.0)
                };
                let heap_mib = demand(|component| component.onheap_request_mib);
                self.executors.push(Executor {
                    topology: at as u32,
                    component,
                    tasks: executor.tasks,
                    cores: executor.cpu_cores.filter(|_| !super::worker_cpu::young(executor, young)),
                    heap_mib,
                    memory_mib: heap_mib + demand(|component| component.offheap_request_mib),
                    before,
                    after: before,
                    last,
                    state_bytes: executor.state_bytes,
                    copies: copies.remove(&executor.tasks).unwrap_or_default(),
                });
            }
            self.executors[first..].sort_by_key(|executor| executor.tasks);
            self.topologies.push(TopologyFacts {
                wire: topology,
                executors: first..self.executors.len(),
                named: false,
            });
        }
    }

    fn add_assignments(&mut self, names: &mut HashMap<&'r str, u32>) {
        let ids: HashMap<&str, usize> =
            self.topologies.iter().enumerate().map(|(at, t)| (t.wire.id.as_str(), at)).collect();
        for assignment in &self.reply.assignments {
            let topology = assignment.topology.as_str();
            let Some(&at) = ids.get(topology) else {
                self.oddities.push(Oddity::Topology(topology));
                continue;
            };
            if std::mem::replace(&mut self.topologies[at].named, true) {
                self.oddities.push(Oddity::TopologyTwice(topology));
                continue;
            }
            let own = self.topologies[at].executors.clone();
            self.executors[own.clone()].iter_mut().for_each(|executor| executor.after = None);
            let mut slots = Vec::with_capacity(assignment.workers.len());
            for worker in &assignment.workers {
                let (node, port) = (worker.node.as_str(), worker.port);
                let slot = (self.node(names, node), port);
                slots.push(slot);
                if worker.executors.is_empty() {
                    self.oddities.push(Oddity::EmptyWorker { topology, node, port });
                }
                for &tasks in &worker.executors {
                    match self.executors[own.clone()].binary_search_by_key(&tasks, |e| e.tasks) {
                        Err(_) => self.oddities.push(Oddity::Unknown { topology, tasks }),
                        Ok(at) => {
                            if self.executors[own.start + at].after.replace(slot).is_some() {
                                self.oddities.push(Oddity::Twice { topology, tasks });
                            }
                        }
                    }
                }
            }
            slots.sort_unstable();
            for pair in slots.windows(2).filter(|pair| pair[0] == pair[1]) {
                let node = self.nodes[pair[0].0 as usize].id;
                self.oddities.push(Oddity::WorkerTwice { topology, node, port: pair[0].1 });
            }
        }
    }

    fn workers(&self, when: When) -> Vec<Worker> {
        let placed = self.executors.iter().enumerate();
        let mut placed: Vec<(Slot, u32, u32)> =
            placed.filter_map(|(at, e)| Some((e.slot(when)?, e.topology, at as u32))).collect();
        placed.sort_unstable();
        placed
            .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
            .map(|worker| Worker {
                slot: worker[0].0,
                topology: worker[0].1,
                executors: worker.iter().map(|(_, _, executor)| *executor).collect(),
            })
            .collect()
    }

    /// The worker a topology had in a slot before.
    pub(super) fn worker_before(&self, slot: Slot, topology: u32) -> Option<&Worker> {
        let at =
            self.workers_before.binary_search_by_key(&(slot, topology), |w| (w.slot, w.topology)).ok()?;
        Some(&self.workers_before[at])
    }

    /// The worker a topology has in a slot after.
    pub(super) fn worker_after(&self, slot: Slot, topology: u32) -> Option<&Worker> {
        let at = self.workers_after.binary_search_by_key(&(slot, topology), |w| (w.slot, w.topology)).ok()?;
        Some(&self.workers_after[at])
    }

    /// True for a slot that held something before.
    pub(super) fn held_before(&self, slot: Slot) -> bool {
        let at = self.workers_before.partition_point(|worker| worker.slot < slot);
        self.workers_before.get(at).is_some_and(|worker| worker.slot == slot)
    }

    /// True where an offered port of a listed node is meant.
    pub(super) fn offered(&self, slot: Slot) -> bool {
        let node = &self.nodes[slot.0 as usize];
        node.listed && node.ports.binary_search(&slot.1).is_ok()
    }

    /// `node:port`.
    pub(super) fn slot_name(&self, slot: Slot) -> String {
        format!("{}:{}", self.nodes[slot.0 as usize].id, slot.1)
    }

    /// Bytes that an executor reads from elsewhere when it restarts where the plan puts it.
    pub(super) fn shipped(&self, executor: u32) -> Option<u64> {
        let executor = &self.executors[executor as usize];
        let (node, _) = executor.after?;
        let here = executor.copies.iter().filter(|(on, _)| *on == node).map(|(_, delta)| *delta).min();
        here.or(executor.state_bytes)
    }

    /// `topology [first, last]`.
    pub(super) fn executor_name(&self, executor: &Executor) -> String {
        format!("{} of {}", executor.tasks, self.topology_id(executor.topology))
    }

    pub(super) fn topology_id(&self, topology: u32) -> &'r str {
        &self.topologies[topology as usize].wire.id
    }
}
