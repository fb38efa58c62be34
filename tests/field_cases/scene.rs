//! A small cluster written in few words, and the one door through which every test asks the engine.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use ballast::engine;
use ballast::verify::verify;
use ballast::wire::{
    Ask, Backlog, Component, ComponentKind, Executor, Node, Note, NoteCode, Parallelism, Reply, Request,
    Scaling, TaskRange, Topology, Verdict,
};
use serde_json::{Value, json};

/// Percent of one core, the unit of the cases.
pub(crate) type Pt = f64;

/// A cluster under construction; executors go to the topology named last.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) request: Request,
}

impl Scene {
    /// No node, no topology; no cooldown and no young executors, so that a case says itself when it wants them.
    pub(crate) fn new() -> Self {
        let request = json!({
            "ballast": "snapshot", "version": 1, "generation": 1, "nodes": [], "topologies": [],
            "settings": { "cooldown.secs": 0, "load.young.secs": 0 },
        });
        Self { request: serde_json::from_value(request).unwrap() }
    }

    /// Nodes of 400 pt.
    pub(crate) fn nodes(self, ids: &[&str], ports: RangeInclusive<u16>) -> Self {
        ids.iter().fold(self, |scene, id| scene.node(id, 400.0, ports.clone()))
    }

    pub(crate) fn node(mut self, id: &str, capacity: Pt, ports: RangeInclusive<u16>) -> Self {
        let node = Node::blank(id, &format!("host-of-{id}"), ports.collect());
        self.request.nodes.push(Node { cpu_cores: Some(capacity / 100.0), ..node });
        self
    }

    pub(crate) fn topology(mut self, id: &str, workers: u32) -> Self {
        self.request.topologies.push(Topology::blank(id, id, workers));
        self
    }

    /// Executors of one task each, of a bolt, running in the slot `node:port`.
    pub(crate) fn on(self, slot: &str, tasks: impl IntoIterator<Item = i32>, load: Pt) -> Self {
        tasks.into_iter().fold(self, |scene, task| scene.executor("bolt", task, Some(slot), load))
    }

    /// Executors of one task each, of a bolt, without a slot.
    pub(crate) fn homeless(self, tasks: impl IntoIterator<Item = i32>, load: Pt) -> Self {
        tasks.into_iter().fold(self, |scene, task| scene.executor("bolt", task, None, load))
    }

    /// One executor of a component; a name that begins with `__` is a system component, with `spout` a spout.
    pub(crate) fn executor(mut self, component: &str, task: i32, slot: Option<&str>, load: Pt) -> Self {
        let kind = match component {
            name if name.starts_with("__") => ComponentKind::System,
            name if name.starts_with("spout") => ComponentKind::Spout,
            _ => ComponentKind::Bolt,
        };
        let topology = self.request.topologies.last_mut().unwrap();
        if !topology.components.iter().any(|known| known.id == component) {
            topology.components.push(Component::blank(component, kind));
        }
        let slot = slot.map(|slot| slot.split_once(':').unwrap());
        topology.executors.push(Executor {
            node: slot.map(|(node, _)| node.to_owned()),
            port: slot.map(|(_, port)| port.parse().unwrap()),
            cpu_cores: Some(load / 100.0),
            ..Executor::blank(TaskRange(task, task), component)
        });
        self
    }

    /// The executor added last has so many tasks, not one.
    pub(crate) fn with_tasks(mut self, tasks: i32) -> Self {
        let executor = self.request.topologies.last_mut().unwrap().executors.last_mut().unwrap();
        executor.tasks.1 = executor.tasks.0 + tasks - 1;
        self
    }

    /// What waits before the spouts of the topology named last.
    pub(crate) fn backlog(mut self, tuples: f64, arrived_per_sec: f64, processed_per_sec: f64) -> Self {
        let backlog = Backlog { tuples, arrived_per_sec, processed_per_sec };
        self.request.topologies.last_mut().unwrap().backlog = Some(backlog);
        self
    }

    pub(crate) fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.request.settings.insert(key.to_owned(), value.into());
        self
    }

    pub(crate) fn budget(self, restarts: u32) -> Self {
        self.set("budget.restarts", restarts)
    }

    pub(crate) fn edit(mut self, edit: impl FnOnce(&mut Request)) -> Self {
        edit(&mut self.request);
        self
    }

    pub(crate) fn node_mut(&mut self, id: &str) -> &mut Node {
        self.request.nodes.iter_mut().find(|node| node.id == id).unwrap()
    }

    /// Asks for homeless executors only.
    pub(crate) fn place(mut self) -> Answer {
        self.request.ask = Ask::Place;
        check(&self.request)
    }

    /// Asks for a plan.
    pub(crate) fn plan(self) -> Answer {
        check(&self.request)
    }
}

/// The door: asks the engine, and lets the judge look at the reply before the test does.
#[track_caller]
pub(crate) fn check(request: &Request) -> Answer {
    let reply = engine::answer(request);
    assert_eq!(reply.refusal, None, "a usable request was refused");
    assert_eq!(verify(request, &reply), [], "the judge objects to {reply:#?}");
    Answer { placement: after(request, &reply), request: request.clone(), reply }
}

/// Executor by topology and first task.
type Key = (String, i32);

fn after(request: &Request, reply: &Reply) -> BTreeMap<Key, String> {
    let mut placement = BTreeMap::new();
    for topology in &request.topologies {
        for executor in &topology.executors {
            if let (Some(node), Some(port)) = (&executor.node, executor.port) {
                placement.insert((topology.id.clone(), executor.tasks.0), format!("{node}:{port}"));
            }
        }
    }
    for assignment in &reply.assignments {
        placement.retain(|(topology, _), _| *topology != assignment.topology);
        for worker in &assignment.workers {
            for tasks in &worker.executors {
                let slot = format!("{}:{}", worker.node, worker.port);
                placement.insert((assignment.topology.clone(), tasks.0), slot);
            }
        }
    }
    placement
}

/// A judged reply beside its request.
pub(crate) struct Answer {
    pub(crate) request: Request,
    pub(crate) reply: Reply,
    placement: BTreeMap<Key, String>,
}

impl Answer {
    /// Slot of the executor after the plan, empty when it has none.
    pub(crate) fn slot(&self, topology: &str, task: i32) -> &str {
        self.placement.get(&(topology.to_owned(), task)).map_or("", String::as_str)
    }

    /// Workers of a topology after the plan: slot and first tasks.
    pub(crate) fn workers(&self, topology: &str) -> BTreeMap<String, Vec<i32>> {
        let mut workers = BTreeMap::<String, Vec<i32>>::new();
        for ((_, task), slot) in self.placement.iter().filter(|((of, _), _)| of == topology) {
            workers.entry(slot.clone()).or_default().push(*task);
        }
        workers
    }

    /// Whole pt on each listed node after the plan, from the request's own loads.
    pub(crate) fn loads(&self) -> BTreeMap<&str, i64> {
        let mut loads: BTreeMap<&str, f64> =
            self.request.nodes.iter().map(|n| (n.id.as_str(), 0.0)).collect();
        for topology in &self.request.topologies {
            for executor in &topology.executors {
                let node = self.slot(&topology.id, executor.tasks.0).split(':').next();
                if let Some(load) = node.and_then(|node| loads.get_mut(node)) {
                    *load += executor.cpu_cores.unwrap_or(0.0) * 100.0;
                }
            }
        }
        loads.into_iter().map(|(node, load)| (node, load.round() as i64)).collect()
    }

    /// Loads of the listed nodes, heaviest first.
    pub(crate) fn sorted_loads(&self) -> Vec<i64> {
        let mut loads: Vec<i64> = self.loads().into_values().collect();
        loads.sort_unstable_by(|a, b| b.cmp(a));
        loads
    }

    /// Running executors that change their slot.
    pub(crate) fn moved(&self) -> BTreeSet<(String, i32)> {
        let running = self.request.topologies.iter().flat_map(|topology| {
            topology.executors.iter().filter_map(|executor| {
                let slot = format!("{}:{}", executor.node.as_ref()?, executor.port?);
                Some((topology.id.clone(), executor.tasks.0, slot))
            })
        });
        running
            .filter(|(topology, task, slot)| self.slot(topology, *task) != slot)
            .map(|(topology, task, _)| (topology, task))
            .collect()
    }

    pub(crate) fn restarts(&self) -> u32 {
        self.reply.cost.restarts
    }

    pub(crate) fn scaling(&self) -> &Scaling {
        self.reply.scaling.as_ref().unwrap()
    }

    /// Advice on a component's executors, if there is any.
    pub(crate) fn parallelism(&self, component: &str) -> Option<&Parallelism> {
        self.scaling().parallelism.iter().find(|advice| advice.component == component)
    }

    pub(crate) fn note(&self, code: NoteCode) -> Option<&Note> {
        self.reply.notes.iter().find(|note| note.code == code)
    }

    /// Nothing changes, and the reply gives at least one reason.
    #[track_caller]
    pub(crate) fn assert_still(&self) {
        assert_eq!(self.reply.assignments, [], "{:?}", self.reply.moves);
        assert_eq!(self.reply.cost, ballast::wire::Cost::default());
        assert!(!self.reply.notes.is_empty(), "a round without a move says why");
        assert!(matches!(self.reply.verdict, Verdict::Unchanged | Verdict::Unsatisfied));
    }
}
