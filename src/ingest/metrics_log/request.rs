//! The request of one window.

use std::collections::BTreeMap;

use super::inputs::inputs;
use super::names::Metric;
use super::said::Said;
use super::seen::Seen;
use super::task::{Interval, Task};
use crate::ingest::{RemarkCode, quoted};
use crate::wire::{
    Ask, Component, ComponentKind, Executor, Input, LoadSource, Node, NodeState, Request, TaskRange,
    Topology, VERSION,
};

/// Intervals longer than so many usual ones are gaps: what was counted in them may lie anywhere.
const GAP: i64 = 10;
/// Tuples that one count stands for at most with Storm's default `topology.stats.sample.rate` of 0.05.
const SAMPLED: f64 = 20.0;

/// What is said once of a component, beside the names of its inputs.
const TASKS: usize = usize::MAX;
const GROUPINGS: usize = usize::MAX - 1;

/// A window, `from` excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: i64,
    pub(super) to: i64,
}

/// What a log showed in a window.
pub(super) struct Shown<'s> {
    pub(super) seen: &'s Seen,
    pub(super) span: Span,
    pub(super) gap: i64,
}

/// The tasks of an executor, and the worker they are on.
struct Joined<'s> {
    tasks: Vec<&'s Task>,
    worker: usize,
}

/// The request of a window. `topologies` are ids, by position.
pub(super) fn request(
    seen: &Seen,
    span: Span,
    topologies: &[String],
    generation: u64,
    said: &mut Said,
) -> Request {
    let gap = seen.distance.unwrap_or(span.to - span.from) * GAP;
    let shown = Shown { seen, span, gap };
    let mut order: Vec<usize> = (0..topologies.len()).collect();
    order.sort_by_key(|at| &topologies[*at]);
    let all = order.into_iter().filter_map(|at| shown.topology(at, &topologies[at], said)).collect();
    Request {
        ballast: "snapshot".to_owned(),
        version: VERSION,
        ask: Ask::Plan,
        generation,
        taken_at: Some(super::time::rfc3339(span.to)),
        window_secs: Some((span.to - span.from) as f64),
        covered_rounds: None,
        low_rounds: None,
        settings: serde_json::Map::new(),
        nodes: shown.nodes(),
        topologies: all,
    }
}

impl<'s> Shown<'s> {
    fn nodes(&self) -> Vec<Node> {
        let Span { from, to } = self.span;
        let alive = |host: usize| {
            self.seen
                .workers
                .iter()
                .any(|worker| worker.host == host && worker.last > from && worker.first <= to)
        };
        let mut nodes: Vec<Node> = (0..self.seen.hosts.len())
            .filter(|host| alive(*host))
            .map(|host| {
                let host = &self.seen.hosts[host];
                let ports = host.ports.iter().filter(|(_, first)| **first <= to).map(|(port, _)| *port);
                node(&host.name, ports.collect())
            })
            .collect();
        nodes.sort_by(|a, b| a.id.cmp(&b.id));
        nodes
    }

    fn topology(&self, topology: usize, id: &str, said: &mut Said) -> Option<Topology> {
        let executors = self.executors(topology, said);
        let mut workers: Vec<usize> = executors.iter().map(|executor| executor.worker).collect();
        workers.sort_unstable();
        workers.dedup();
        let mut components: Vec<usize> =
            executors.iter().map(|executor| executor.tasks[0].component).collect();
        components.sort_by_key(|component| &self.seen.components[*component].id);
        components.dedup();
        let components = components.iter().map(|component| self.component(*component, &executors, said));
        let components: Vec<Component> = components.collect();
        let executors: Vec<Executor> = executors.iter().map(|joined| self.executor(joined, said)).collect();
        (!executors.is_empty()).then(|| Topology {
            id: id.to_owned(),
            name: name_of(id).to_owned(),
            workers: workers.len() as u32,
            priority: 29,
            enabled: true,
            worker_heap_max_mib: None,
            last_change_secs: None,
            components,
            executors,
            state_survives: true,
            traffic: Vec::new(),
            checkpoints: Vec::new(),
            backlog: None,
        })
    }

    /// The worker a task was on at the end of the window, if it was there.
    fn worker_of(&self, task: &Task) -> Option<usize> {
        let Span { from, to } = self.span;
        let stay = task.stays.iter().rev().find(|stay| stay.first <= to && stay.last > from);
        stay.map(|stay| stay.worker)
    }

    /// Executors: tasks joined where that is safe, in the order of their tasks.
    ///
    /// Only an executor's first task prints `__capacity`, so those without one belong to the one before. Storm deals a
    /// component's tasks in ranges whose sizes differ by one at most, the larger first; where what would be joined is
    /// not like that, something is missing, and every task is taken for an executor.
    fn executors(&self, topology: usize, said: &mut Said) -> Vec<Joined<'s>> {
        let mut present: Vec<(&Task, usize)> = (self.seen.tasks.iter())
            .filter(|task| task.topology == topology)
            .filter_map(|task| Some((task, self.worker_of(task)?)))
            .collect();
        present.sort_by_key(|(task, _)| (&self.seen.components[task.component].id, task.id));
        let mut all = Vec::new();
        for members in present.chunk_by(|a, b| a.0.component == b.0.component) {
            let mut joined: Vec<Joined<'s>> = Vec::new();
            for (task, worker) in members {
                match joined.last_mut() {
                    Some(last) if !task.leads && last.worker == *worker && last.follows(task) => {
                        last.tasks.push(task)
                    }
                    _ => joined.push(Joined { tasks: vec![task], worker: *worker }),
                }
            }
            let dealt = joined.iter().all(|one| one.tasks[0].leads)
                && joined.windows(2).all(|pair| pair[0].tasks.len() >= pair[1].tasks.len())
                && joined[0].tasks.len() <= joined[joined.len() - 1].tasks.len() + 1;
            if dealt {
                all.extend(joined);
                continue;
            }
            if joined.iter().any(|one| one.tasks.len() > 1) || may_be_joined(members) {
                let component = members[0].0.component;
                said.once(RemarkCode::Guessed, (component, TASKS), || {
                    let id = quoted(&self.seen.components[component].id);
                    format!("{id}: its {} tasks are taken for an executor each", members.len())
                });
            }
            all.extend(members.iter().map(|(task, worker)| Joined { tasks: vec![task], worker: *worker }));
        }
        all.sort_by_key(|joined| joined.tasks[0].id);
        all
    }

    fn component(&self, at: usize, executors: &[Joined<'s>], said: &mut Said) -> Component {
        let component = &self.seen.components[at];
        let kind = match (component.id.starts_with("__"), component.spout) {
            (true, _) => ComponentKind::System,
            (false, true) => ComponentKind::Spout,
            (false, false) => ComponentKind::Bolt,
        };
        let tasks = || executors.iter().flat_map(|joined| &joined.tasks).filter(|task| task.component == at);
        let mut shared: Vec<usize> = tasks()
            .flat_map(|task| task.names(Metric::Executed))
            .filter_map(|(name, _, shared)| shared.then_some(name))
            .collect();
        shared.sort_unstable();
        shared.dedup();
        let (found, unread) = inputs(self.seen, at, &shared);
        for name in unread {
            said.once(RemarkCode::Unknown, (at, name), || {
                let name = String::from_utf8_lossy(&self.seen.names[name]);
                let (id, name) = (quoted(&component.id), quoted(&name));
                format!("{id}: the source of its input \"{name}\" cannot be told")
            });
        }
        if !found.is_empty() {
            said.once(RemarkCode::Guessed, (at, GROUPINGS), || {
                let id = quoted(&component.id);
                format!("{id}: its groupings are taken for fields, receivers have what they were measured to receive")
            });
        }
        let inputs = found.into_iter().map(|input| Input {
            tuples_per_sec: input.counter.and_then(|name| {
                let of = |i: &Interval| i.inputs.iter().find(|(of, _)| *of == name).map(|(_, rate)| *rate);
                tasks().filter_map(|task| self.mean(task, of)).reduce(|a, b| a + b)
            }),
            from: input.from,
            stream: input.stream,
            grouping: "fields".to_owned(),
        });
        Component {
            id: component.id.clone(),
            kind,
            stateful: false,
            cpu_request_pcore: None,
            onheap_request_mib: None,
            offheap_request_mib: None,
            inputs: inputs.collect(),
        }
    }

    fn executor(&self, joined: &Joined<'s>, said: &mut Said) -> Executor {
        let (first, last) = (joined.tasks[0], joined.tasks[joined.tasks.len() - 1]);
        let component = &self.seen.components[first.component];
        let worker = &self.seen.workers[joined.worker];
        let load = if component.spout { None } else { self.load(joined, said) };
        let sum = |of: fn(&Interval) -> Option<f64>| {
            joined.tasks.iter().try_fold(0.0, |sum, task| Some(sum + self.mean(task, of)?))
        };
        let started = worker.started(self.span.to);
        Executor {
            tasks: TaskRange(first.id, last.id),
            component: component.id.clone(),
            node: Some(self.seen.hosts[worker.host].name.clone()),
            port: Some(worker.port),
            last_node: None,
            last_port: None,
            uptime_secs: started.map(|start| (self.span.to - start) as f64),
            cpu_cores: load,
            load_source: load.map(|_| LoadSource::Stats),
            resources: BTreeMap::new(),
            received_per_sec: if component.spout { None } else { sum(|interval| interval.executed) },
            emitted_per_sec: sum(|interval| interval.emitted),
            state_bytes: None,
            delta_bytes: None,
        }
    }

    /// Load in cores, mean over the window.
    ///
    /// `__capacity` is the executor's over its last ten minutes, the figure the UI shows. The execute latency that is
    /// printed beside it is the mean of the last three sampled tuples only, so it serves where there is no capacity:
    /// in V1, where it is that of the interval. Both stand still when tuples stop, so they count where tuples did.
    fn load(&self, joined: &Joined<'s>, said: &mut Said) -> Option<f64> {
        let (first, others) = joined.tasks.split_first().expect("an executor has tasks");
        let moving =
            |task: &&Task| self.mean(task, |interval| interval.executed).is_some_and(|rate| rate > 0.0);
        let busy_elsewhere = others.iter().any(moving);
        let busy = |task: &Task| self.mean(task, |interval| interval.busy);
        let of_the_others = others.iter().try_fold(0.0, |sum, task| Some(sum + busy(task)?));
        let mut frozen = None;
        let load = self.mean(first, |interval| {
            let still = interval.executed? == 0.0 && !busy_elsewhere;
            match interval.capacity {
                _ if still => Some(0.0),
                Some(cores) => Some(cores),
                None => Some(interval.busy? + of_the_others?),
            }
        });
        for interval in self.intervals(first) {
            if interval.executed == Some(0.0)
                && !busy_elsewhere
                && interval.capacity.is_none_or(|cores| cores > 0.0)
            {
                frozen = interval.latency.filter(|ms| *ms > 0.0).map(|ms| (interval, ms));
            }
        }
        if let Some((interval, ms)) = frozen {
            said.remarks.add(RemarkCode::Frozen, || {
                let secs = (interval.to - interval.from) as f64;
                format!(
                    "{} of {}, {} to {}: no tuple was counted, load 0; at most {SAMPLED} tuples x {ms} ms, {:.6} cores",
                    TaskRange(first.id, others.last().map_or(first.id, |task| task.id)),
                    quoted(&self.seen.components[first.component].id),
                    interval.from,
                    interval.to,
                    SAMPLED * ms / 1000.0 / secs
                )
            });
        }
        load
    }

    /// Intervals of a task that the window has a part of.
    fn intervals(&self, task: &'s Task) -> impl Iterator<Item = &'s Interval> {
        let Span { from, to } = self.span;
        let gap = self.gap;
        (task.intervals.iter()).filter(move |i| i.within(from, to) > 0 && i.to - i.from <= gap)
    }

    /// Mean over the window, as far as intervals cover it.
    fn mean(&self, task: &'s Task, of: impl Fn(&Interval) -> Option<f64>) -> Option<f64> {
        let (mut sum, mut secs) = (0.0, 0.0);
        for interval in self.intervals(task) {
            if let Some(figure) = of(interval) {
                let part = interval.within(self.span.from, self.span.to) as f64;
                sum += figure * part;
                secs += part;
            }
        }
        (secs > 0.0).then(|| sum / secs)
    }
}

impl Joined<'_> {
    fn follows(&self, task: &Task) -> bool {
        self.tasks.last().is_some_and(|last| last.id + 1 == task.id)
    }
}

/// Two tasks follow each other on one worker, so they may be one executor's.
fn may_be_joined(members: &[(&Task, usize)]) -> bool {
    members.windows(2).any(|pair| pair[0].0.id + 1 == pair[1].0.id && pair[0].1 == pair[1].1)
}

fn node(host: &str, ports: Vec<u16>) -> Node {
    Node {
        id: host.to_owned(),
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

/// Name of a topology: Storm's id is the name, a number and the time it was submitted.
fn name_of(id: &str) -> &str {
    let cut = |text: &'_ str| {
        let (name, number) = text.rsplit_once('-')?;
        let numeric = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        (numeric && !name.is_empty()).then_some(name.len())
    };
    cut(id).and_then(|len| cut(&id[..len])).map_or(id, |len| &id[..len])
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn the_name_is_the_id_without_its_numbers() {
        assert_eq!(name_of("flights-3-1795998681"), "flights");
        assert_eq!(name_of("a-b-1-2"), "a-b");
        assert_eq!(name_of("flights-1795998681"), "flights-1795998681");
        assert_eq!(name_of("-1-2"), "-1-2");
    }
}
