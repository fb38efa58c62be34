//! What a log has shown so far: hosts, workers, components and tasks, each once.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::line::Header;
use super::names::{Metric, OfWorker, counter, figure, map, named, named_of_worker};
use super::task::{Stay, Task};
use crate::ingest::{Fault, RemarkCode, Remarks, quoted};

/// Tasks of one log: ten times those of the largest clusters known. What is kept of a task is bounded too, so this
/// bounds memory.
const MOST_TASKS: usize = 500_000;
/// Workers of one log, by host and port, and names of streams.
const MOST_NAMES: usize = 100_000;
/// Largest load of an executor that is believed, cores.
const MOST_CORES: f64 = 1e4;
/// Lives of a worker that are remembered.
const LIVES: usize = 8;

/// A worker of a topology.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) host: usize,
    pub(super) port: u16,
    /// When its JVMs started, oldest first.
    starts: VecDeque<i64>,
    /// First and last time stamp of a line of it.
    pub(super) first: i64,
    pub(super) last: i64,
}

/// A component of a topology.
#[derive(Debug)]
pub(super) struct Component {
    pub(super) topology: usize,
    pub(super) id: String,
    /// It has shown what only spouts have.
    pub(super) spout: bool,
    /// Names of what its tasks executed, acked and emitted, with whether they may be cut.
    pub(super) executed: BTreeSet<(usize, bool)>,
    pub(super) acked: BTreeSet<(usize, bool)>,
    pub(super) emitted: BTreeSet<(usize, bool)>,
}

/// A host with all ports seen on it.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) name: String,
    /// When each was seen first.
    pub(super) ports: BTreeMap<u16, i64>,
}

/// Whose tick a line belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    worker: usize,
    /// None: the worker's own.
    task: Option<usize>,
    at: i64,
}

/// All of it. The maps are only ever asked for single keys, so their order reaches nothing.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) hosts: Vec<Host>,
    pub(super) workers: Vec<Worker>,
    pub(super) components: Vec<Component>,
    pub(super) tasks: Vec<Task>,
    pub(super) names: Vec<Box<[u8]>>,
    /// Latest time stamp.
    pub(super) now: i64,
    /// Something counted tuples.
    pub(super) counted: bool,
    /// The usual distance of two ticks, s: the median of those seen.
    pub(super) distance: Option<i64>,
    distances: Vec<i64>,
    host_of: HashMap<String, usize>,
    worker_of: HashMap<(usize, usize, u16), usize>,
    component_of: HashMap<(usize, String), usize>,
    task_of: HashMap<(usize, i32), usize>,
    name_of: HashMap<Box<[u8]>, usize>,
}

/// Distances of ticks that are kept to tell the usual one.
const DISTANCES: usize = 4096;
/// Storm's default distance of two ticks, s, until some were seen. No rate is ever based on it.
const USUAL_SECS: i64 = 60;

impl Seen {
    /// The tick a header belongs to, which may end the one before; none where its lines do not count.
    pub(super) fn place(
        &mut self,
        topology: usize,
        header: &Header<'_>,
        remarks: &mut Remarks,
    ) -> Result<Option<Place>, Fault> {
        let Header { at, port, .. } = *header;
        self.now = self.now.max(at);
        let host = self.host(header.host)?;
        let worker = self.worker(topology, host, port, at)?;
        self.hosts[host].ports.entry(port).or_insert(at);
        if header.task < 0 {
            return Ok(Some(Place { worker, task: None, at }));
        }
        let component = self.component(topology, header.component)?;
        let task = match self.task_of.get(&(topology, header.task)) {
            Some(task) => *task,
            None if self.tasks.len() == MOST_TASKS => return Err(too_many("tasks", MOST_TASKS)),
            None => {
                self.tasks.push(Task::new(header.task, topology, component, worker, at));
                self.task_of.insert((topology, header.task), self.tasks.len() - 1);
                self.tasks.len() - 1
            }
        };
        if !self.stays_at(task, worker, at)? {
            return Ok(None);
        }
        match self.tasks[task].at() {
            Some(open) if open > at => {
                remarks.add(RemarkCode::Unknown, || {
                    format!("task {} at {at}: older than what was read of it before", header.task)
                });
                return Ok(None);
            }
            Some(open) if open == at => {}
            _ => {
                self.close(task, remarks);
                self.tasks[task].component = component;
                self.tasks[task].begin(at, worker);
            }
        }
        Ok(Some(Place { worker, task: Some(task), at }))
    }

    /// Notes where a task is; false where the line is too old to count.
    fn stays_at(&mut self, task: usize, worker: usize, at: i64) -> Result<bool, Fault> {
        let usual = self.distance.unwrap_or(USUAL_SECS);
        let clash = |task: &Task, other: usize, at: i64| {
            let place = |worker: usize| self.place_of(worker);
            Fault::new(
                format!("task {} at {at}", task.id),
                format!("{} and {} show it at one time", place(other), place(worker)),
                "a line names no topology: give the logs of one topology at a time, or keep them below \
                 workers-artifacts/<topology-id>/<port>/",
            )
        };
        let it = &self.tasks[task];
        let stay = *it.stays.back().expect("a task is somewhere");
        if stay.worker == worker {
            let it = &mut self.tasks[task];
            it.stay().last = stay.last.max(at);
            return Ok(true);
        }
        // A task that moves is silent until its new worker ticks; so it cannot be back within less than two ticks.
        let back = it.elsewhere.is_some_and(|(other, then)| other == worker && (at - then) * 2 < usual * 3);
        if stay.last == at || back {
            return Err(clash(it, stay.worker, at));
        }
        let it = &mut self.tasks[task];
        if at < stay.last {
            it.elsewhere = Some((worker, at));
            return Ok(false);
        }
        it.elsewhere = Some((stay.worker, stay.last));
        it.stays.push_back(Stay { worker, first: at, last: at });
        Ok(true)
    }

    /// Notes a line.
    pub(super) fn note(
        &mut self,
        place: Place,
        name: &[u8],
        value: &[u8],
        remarks: &mut Remarks,
    ) -> Result<(), Fault> {
        let Some(task) = place.task else {
            if let Some(OfWorker::Uptime) = named_of_worker(name)
                && let Some(uptime) = counter(value)
            {
                self.workers[place.worker].up_since(place.at - uptime);
            }
            return Ok(());
        };
        let Some(named) = named(name) else { return Ok(()) };
        let say = |what: &str| {
            let (name, value) = (String::from_utf8_lossy(name), String::from_utf8_lossy(value));
            format!("task {task} at {}: {what} {} = {}", place.at, quoted(&name), quoted(&value))
        };
        match (named.metric, named.of) {
            (Metric::Pulse, _) => self.tasks[task].pulse(),
            (Metric::OfSpouts, _) => {
                let component = self.tasks[task].component;
                self.components[component].spout = true;
            }
            (Metric::Capacity, _) => match figure(value) {
                Some(cores) if (0.0..=MOST_CORES).contains(&cores) => self.tasks[task].capacity(cores),
                _ => remarks.add(RemarkCode::Unbelievable, || say("left out")),
            },
            (Metric::Latency, Some(of)) => {
                if let Some(ms) = figure(value).filter(|ms| *ms >= 0.0) {
                    let name = self.name(of)?;
                    self.tasks[task].latency(name, ms);
                }
            }
            (metric, Some(of)) => match counter(value) {
                Some(count) if count < 0 => remarks.add(RemarkCode::Negative, || say("left out")),
                Some(count) => {
                    let name = self.name(of)?;
                    self.count(task, metric, (name, true, named.cut), count as f64, remarks);
                }
                None => {}
            },
            (metric, None) => {
                let Some(entries) = map(value) else { return Ok(()) };
                self.tasks[task].mapped(metric);
                for (key, figure) in entries {
                    let name = self.name(key)?;
                    match metric {
                        Metric::Latency if figure >= 0.0 => self.tasks[task].latency(name, figure),
                        Metric::Latency => {}
                        _ if figure < 0.0 => remarks.add(RemarkCode::Negative, || say("left out in")),
                        _ => self.count(task, metric, (name, false, false), figure, remarks),
                    }
                }
                self.counted = true;
            }
        }
        Ok(())
    }

    fn count(
        &mut self,
        task: usize,
        metric: Metric,
        (name, flat, cut): (usize, bool, bool),
        value: f64,
        remarks: &mut Remarks,
    ) {
        self.counted = true;
        let it = &mut self.tasks[task];
        if !it.count(metric, name, flat, cut, value) {
            remarks.add(RemarkCode::Unknown, || format!("task {}: more streams than are kept", it.id));
        }
        let component = &mut self.components[it.component];
        match metric {
            Metric::Executed => component.executed.insert((name, cut)),
            Metric::Acked => component.acked.insert((name, cut)),
            _ => component.emitted.insert((name, cut)),
        };
    }

    /// Ends the tick a task is in.
    fn close(&mut self, task: usize, remarks: &mut Remarks) {
        let Self { tasks, workers, names, hosts, distances, distance, .. } = self;
        let before = tasks[task].intervals.len();
        let started = |worker: usize, by: i64| workers[worker].started(by);
        let place = |worker: usize| place_of(hosts, &workers[worker]);
        tasks[task].close(names, started, remarks, place);
        let intervals = &tasks[task].intervals;
        if intervals.len() > before && distances.len() < DISTANCES {
            let interval = &intervals[before];
            distances.push(interval.to - interval.from);
            if distances.len().is_power_of_two() || distances.len() == 3 {
                let middle = distances.len() / 2;
                *distance = Some(*distances.clone().select_nth_unstable(middle).1);
            }
        }
    }

    /// Ends the ticks that no more lines can belong to: those that are older than a time.
    pub(super) fn close_before(&mut self, time: i64, remarks: &mut Remarks) {
        for task in 0..self.tasks.len() {
            if self.tasks[task].at().is_some_and(|at| at < time) {
                self.close(task, remarks);
            }
        }
    }

    /// A worker as people name it.
    pub(super) fn place_of(&self, worker: usize) -> String {
        place_of(&self.hosts, &self.workers[worker])
    }

    fn host(&mut self, name: &[u8]) -> Result<usize, Fault> {
        let name = String::from_utf8_lossy(name);
        if let Some(host) = self.host_of.get(name.as_ref()) {
            return Ok(*host);
        }
        let host = self.hosts.len();
        if host == MOST_NAMES {
            return Err(too_many("hosts", MOST_NAMES));
        }
        self.hosts.push(Host { name: name.to_string(), ports: BTreeMap::new() });
        self.host_of.insert(name.into_owned(), host);
        Ok(host)
    }

    fn worker(&mut self, topology: usize, host: usize, port: u16, at: i64) -> Result<usize, Fault> {
        let worker = match self.worker_of.get(&(topology, host, port)) {
            Some(worker) => *worker,
            None if self.workers.len() == MOST_NAMES => return Err(too_many("workers", MOST_NAMES)),
            None => {
                let starts = VecDeque::new();
                self.workers.push(Worker { host, port, starts, first: at, last: at });
                self.worker_of.insert((topology, host, port), self.workers.len() - 1);
                self.workers.len() - 1
            }
        };
        let it = &mut self.workers[worker];
        it.last = it.last.max(at);
        Ok(worker)
    }

    fn component(&mut self, topology: usize, id: &[u8]) -> Result<usize, Fault> {
        // One look-up a tick and task, so the key may be made for it.
        let key = (topology, text(id));
        if let Some(component) = self.component_of.get(&key) {
            return Ok(*component);
        }
        if self.components.len() == MOST_NAMES {
            return Err(too_many("components", MOST_NAMES));
        }
        let (executed, acked, emitted) = Default::default();
        self.components.push(Component {
            topology,
            id: key.1.clone(),
            spout: false,
            executed,
            acked,
            emitted,
        });
        self.component_of.insert(key, self.components.len() - 1);
        Ok(self.components.len() - 1)
    }

    fn name(&mut self, name: &[u8]) -> Result<usize, Fault> {
        if let Some(at) = self.name_of.get(name) {
            return Ok(*at);
        }
        if self.names.len() == MOST_NAMES {
            return Err(too_many("streams", MOST_NAMES));
        }
        self.names.push(name.into());
        self.name_of.insert(name.into(), self.names.len() - 1);
        Ok(self.names.len() - 1)
    }
}

impl Worker {
    /// Notes the start of its JVM. Uptime is whole seconds of another clock reading, so starts nearby are one.
    fn up_since(&mut self, start: i64) {
        if self.starts.back().is_some_and(|known| start <= known + 5) {
            return;
        }
        self.starts.push_back(start);
        if self.starts.len() > LIVES {
            self.starts.pop_front();
        }
    }

    /// When the JVM that ran at a time had started.
    pub(super) fn started(&self, by: i64) -> Option<i64> {
        self.starts.iter().rev().copied().find(|start| *start <= by)
    }
}

fn place_of(hosts: &[Host], worker: &Worker) -> String {
    format!("{}:{}", quoted(&hosts[worker.host].name), worker.port)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn too_many(what: &str, most: usize) -> Fault {
    Fault::new(
        "metrics log",
        format!("it shows more than {most} {what}"),
        "give the logs of one topology at a time; a log of Storm's has no such numbers",
    )
}
