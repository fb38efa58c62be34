//! What a log names: hosts, workers, components and streams, each once. All tables are bounded.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::names::Metric;
use crate::ingest::{Fault, quoted};

/// Hosts, workers, components, and names of streams: ten times what the largest clusters known have.
const MOST: usize = 100_000;
/// Longest name of a stream, bytes.
const LONGEST: usize = 1024;
/// Streams that are kept of a component.
const MOST_STREAMS: usize = 1024;
/// Lives of a worker that are remembered.
const LIVES: usize = 8;
/// Starts that are as near as this are one, s: uptime is whole seconds, and read by another clock.
const NEAR: i64 = 5;

/// A host.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) name: String,
    /// All ports seen on it, and when each was seen first.
    pub(super) ports: BTreeMap<u16, i64>,
}

/// A worker of a topology.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) host: usize,
    pub(super) port: u16,
    /// First and last time stamp of a line of it.
    pub(super) first: i64,
    pub(super) last: i64,
    /// CPU time of its threads over the time between two ticks, as printed last: cores.
    pub(super) cpu: Option<f64>,
    /// When its JVMs started, oldest first.
    starts: VecDeque<i64>,
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

/// The tables. Hash maps are only ever asked for single keys, so their order reaches nothing.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) hosts: Vec<Host>,
    pub(super) workers: Vec<Worker>,
    pub(super) components: Vec<Component>,
    pub(super) names: Vec<Box<[u8]>>,
    host_of: HashMap<String, usize>,
    worker_of: HashMap<(usize, usize, u16), usize>,
    component_of: BTreeMap<(usize, String), usize>,
    name_of: HashMap<Box<[u8]>, usize>,
}

impl Tables {
    /// The worker at a host and port, seen at a time.
    pub(super) fn worker(
        &mut self,
        topology: usize,
        host: &[u8],
        port: u16,
        at: i64,
    ) -> Result<usize, Fault> {
        let host = self.host(host)?;
        let worker = match self.worker_of.get(&(topology, host, port)) {
            Some(worker) => *worker,
            None => {
                bounded(self.workers.len(), "workers")?;
                self.hosts[host].ports.entry(port).or_insert(at);
                let (cpu, starts) = (None, VecDeque::new());
                self.workers.push(Worker { host, port, first: at, last: at, cpu, starts });
                self.worker_of.insert((topology, host, port), self.workers.len() - 1);
                self.workers.len() - 1
            }
        };
        let it = &mut self.workers[worker];
        it.last = it.last.max(at);
        Ok(worker)
    }

    fn host(&mut self, name: &[u8]) -> Result<usize, Fault> {
        let name = String::from_utf8_lossy(name);
        if let Some(host) = self.host_of.get(name.as_ref()) {
            return Ok(*host);
        }
        bounded(self.hosts.len(), "hosts")?;
        self.hosts.push(Host { name: name.to_string(), ports: BTreeMap::new() });
        self.host_of.insert(name.into_owned(), self.hosts.len() - 1);
        Ok(self.hosts.len() - 1)
    }

    /// The component of an id.
    pub(super) fn component(&mut self, topology: usize, id: &[u8]) -> Result<usize, Fault> {
        // One look-up a tick and task, so the key may be made for it.
        let key = (topology, String::from_utf8_lossy(id).into_owned());
        if let Some(component) = self.component_of.get(&key) {
            return Ok(*component);
        }
        bounded(self.components.len(), "components")?;
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

    /// Components of a topology whose ids begin so, by id.
    pub(super) fn components_from(&self, topology: usize, begin: &str) -> impl Iterator<Item = &Component> {
        let from = self.component_of.range((topology, begin.to_owned())..);
        let begin = begin.to_owned();
        let fits =
            move |(key, _): &(&(usize, String), &usize)| key.0 == topology && key.1.starts_with(&begin);
        from.take_while(fits).map(|(_, at)| &self.components[*at])
    }

    /// The name of a stream; none where it is too long for one.
    pub(super) fn name(&mut self, name: &[u8]) -> Result<Option<usize>, Fault> {
        if let Some(at) = self.name_of.get(name) {
            return Ok(Some(*at));
        }
        if name.len() > LONGEST {
            return Ok(None);
        }
        bounded(self.names.len(), "streams")?;
        self.names.push(name.into());
        self.name_of.insert(name.into(), self.names.len() - 1);
        Ok(Some(self.names.len() - 1))
    }

    /// A worker as people name it.
    pub(super) fn place(&self, worker: usize) -> String {
        let worker = &self.workers[worker];
        format!("{}:{}", quoted(&self.hosts[worker.host].name), worker.port)
    }
}

impl Worker {
    /// Notes the start of its JVM.
    pub(super) fn up_since(&mut self, start: i64) {
        if self.starts.back().is_some_and(|known| start <= known + NEAR) {
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

impl Component {
    /// Notes a stream of one of its counters.
    pub(super) fn note(&mut self, metric: Metric, name: usize, cut: bool) {
        let streams = match metric {
            Metric::Executed => &mut self.executed,
            Metric::Acked => &mut self.acked,
            _ => &mut self.emitted,
        };
        if streams.len() < MOST_STREAMS {
            streams.insert((name, cut));
        }
    }
}

fn bounded(len: usize, what: &str) -> Result<(), Fault> {
    if len < MOST { Ok(()) } else { Err(too_many(what, MOST)) }
}

/// A log that shows more than is kept.
pub(super) fn too_many(what: &str, most: usize) -> Fault {
    Fault::new(
        "metrics log",
        format!("it shows more than {most} {what}"),
        "give the logs of one topology at a time; no log of Storm's has such numbers",
    )
}
