//! Several recordings of one time as one window.
//!
//! The structure (nodes, workers, task ranges) is that of the source that knows most of it: Ballast's own recording, then
//! the UI's answers, a metrics log, a table of loads, a capture of loadgen. The others add what it lacks. Of two loads of
//! one executor the more trusted one counts, in the order of [`LoadSource`], and among equals that of the source named
//! first above; that they differ is remarked.

use std::collections::BTreeMap;

use super::{Fault, Format, Remark, RemarkCode, Remarks, Source, Window};
use crate::wire::{Component, Executor, LoadSource, Node, Request, TaskRange, Topology};

/// Two loads differ if they do by so much of the larger one, and by more than so many cores.
const DIFFER: f64 = 0.25;
const DIFFER_CORES: f64 = 0.05;

/// Windows less than this part of their length apart are of one time.
const TOGETHER: f64 = 0.5;
/// Length of a window that does not say its own, in seconds.
const LENGTH: f64 = 60.0;

/// A source and where it comes from.
pub(super) struct Named {
    /// File or folder.
    pub(super) name: String,
    pub(super) format: Format,
    pub(super) source: Box<dyn Source>,
}

/// A source among others.
struct Part {
    named: Named,
    next: Option<Window>,
    windows: u64,
}

impl Part {
    /// The next window, and the one after it fetched.
    fn take(&mut self) -> Result<Option<Window>, Fault> {
        let next = self.named.source.next()?;
        self.windows += u64::from(next.is_some());
        Ok(std::mem::replace(&mut self.next, next))
    }
}

/// Several sources as one.
pub struct Merged {
    /// By precedence.
    parts: Vec<Part>,
    /// What holds at all times.
    timeless: Vec<Request>,
    remarks: Remarks,
}

impl Merged {
    /// Merges sources; a capture of loadgen has no time and is laid over every window.
    pub(super) fn of(mut sources: Vec<Named>) -> Result<Self, Fault> {
        sources.sort_by(|one, other| (one.format, &one.name).cmp(&(other.format, &other.name)));
        let only_timeless = sources.iter().all(|named| named.format == Format::LoadgenCapture);
        let (mut parts, mut timeless) = (Vec::new(), Vec::new());
        for named in sources {
            let mut part = Part { named, next: None, windows: 0 };
            part.take()?;
            if part.named.format == Format::LoadgenCapture && !only_timeless {
                timeless.extend(part.take()?.map(|window| window.request));
            }
            parts.push(part);
        }
        Ok(Self { parts, timeless, remarks: Remarks::default() })
    }

    /// File or folder, format and windows read so far of every source, the one that knows most of the structure first.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, Format, u64)> {
        self.parts.iter().map(|part| (part.named.name.as_str(), part.named.format, part.windows))
    }

    /// What was noticed in all sources and in merging them.
    pub fn all_remarks(&self) -> Vec<Remark> {
        let mut all = self.remarks.clone();
        for part in &self.parts {
            all.extend(part.named.source.remarks());
        }
        all.iter().cloned().collect()
    }
}

impl Source for Merged {
    fn next(&mut self) -> Result<Option<Window>, Fault> {
        let Some(first) = self.parts.iter().filter_map(|part| part.next.as_ref()).min_by_key(|w| w.at) else {
            return Ok(None);
        };
        let length = first.request.window_secs.unwrap_or(LENGTH);
        let until = first.at + (length * TOGETHER) as i64;
        let mut merged: Option<Window> = None;
        for part in &mut self.parts {
            // Two windows of one source are of two times, however near.
            if part.next.as_ref().is_none_or(|window| window.at > until) {
                continue;
            }
            let Some(window) = part.take()? else { continue };
            match &mut merged {
                None => merged = Some(window),
                Some(base) => {
                    let other = format!("{} beside another source at {}", word(part.named.format), window.at);
                    add(&mut base.request, window.request, &other, &mut self.remarks);
                }
            }
        }
        if let Some(window) = &mut merged {
            for topology in self.timeless.iter().flat_map(|request| &request.topologies) {
                add_capture(&mut window.request, topology, &mut self.remarks);
            }
        }
        Ok(merged)
    }

    fn remarks(&self) -> &Remarks {
        &self.remarks
    }
}

fn word(format: Format) -> &'static str {
    match format {
        Format::Recording => "a recording",
        Format::UiAnswer => "answers of the UI",
        Format::MetricsLog => "a metrics log",
        Format::Loads => "a table of loads",
        Format::LoadgenCapture => "a capture of loadgen",
    }
}

/// Adds what a request lacks from another one of the same time.
fn add(base: &mut Request, other: Request, from: &str, remarks: &mut Remarks) {
    let names = add_nodes(&mut base.nodes, other.nodes);
    for mut topology in other.topologies {
        for executor in &mut topology.executors {
            if let Some(name) = executor.node.as_ref().and_then(|id| names.get(id)) {
                executor.node = Some(name.clone());
            }
        }
        match base.topologies.iter_mut().find(|known| is_same(known, &topology)) {
            None => base.topologies.push(topology),
            Some(known) => add_topology(known, topology, from, remarks),
        }
    }
}

/// Adds what a capture knows of components. Its tasks are numbered by us and its parallelism is the one submitted with,
/// so it says nothing of executors.
fn add_capture(base: &mut Request, other: &Topology, remarks: &mut Remarks) {
    let Some(base) = base.topologies.iter_mut().find(|known| is_same(known, other)) else { return };
    for component in &other.components {
        let executors = |of: &Topology| of.executors.iter().filter(|e| e.component == component.id).count();
        let (here, there) = (executors(base), executors(other));
        let Some(known) = base.components.iter_mut().find(|known| known.id == component.id) else { continue };
        add_component(known, component.clone());
        if here != there {
            remarks.add(RemarkCode::Stale, || {
                format!(
                    "{}/{}: {there} executors in the capture, {here} here, which count",
                    other.name, component.id
                )
            });
        }
    }
}

fn is_same(one: &Topology, other: &Topology) -> bool {
    one.id == other.id || one.name == other.name
}

/// Adds nodes and what is known of them; gives the base's id of each of the others'.
fn add_nodes(base: &mut Vec<Node>, others: Vec<Node>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for other in others {
        let same = |known: &Node| {
            known.id == other.id
                || (known.host == other.host && known.ports.iter().any(|port| other.ports.contains(port)))
        };
        match base.iter_mut().find(|known| same(known)) {
            Some(known) => {
                names.insert(other.id, known.id.clone());
                known.cpu_cores = known.cpu_cores.or(other.cpu_cores);
                known.memory_mib = known.memory_mib.or(other.memory_mib);
                known.rack = known.rack.take().or(other.rack);
            }
            None => {
                names.insert(other.id.clone(), other.id.clone());
                base.push(other);
            }
        }
    }
    names
}

fn add_topology(base: &mut Topology, other: Topology, from: &str, remarks: &mut Remarks) {
    for component in other.components {
        if let Some(known) = base.components.iter_mut().find(|known| known.id == component.id) {
            add_component(known, component);
        }
    }
    let mut others = other.executors;
    others.sort_by_key(|executor| executor.tasks);
    let name = base.name.clone();
    for executor in &mut base.executors {
        let TaskRange(first, last) = executor.tasks;
        let from_at = others.partition_point(|other| other.tasks.1 < first);
        let parts: Vec<&Executor> =
            others[from_at..].iter().take_while(|other| other.tasks.0 <= last).collect();
        if parts.is_empty() {
            continue;
        }
        let place = || format!("{from}: executor {} of {name}", executor.tasks);
        let tasks: i64 = parts.iter().map(|part| i64::from(part.tasks.1) - i64::from(part.tasks.0) + 1).sum();
        let inside = parts.iter().all(|part| part.tasks.0 >= first && part.tasks.1 <= last);
        if !inside || tasks != i64::from(last) - i64::from(first) + 1 {
            remarks.add(RemarkCode::Stale, || {
                format!("{} is cut otherwise there ({}); left out", place(), parts[0].tasks)
            });
            continue;
        }
        add_executor(executor, &parts, place().as_str(), remarks);
    }
    if base.traffic.is_empty() {
        let known: Vec<TaskRange> = base.executors.iter().map(|executor| executor.tasks).collect();
        let of_known = |pair: &crate::wire::Traffic| known.contains(&pair.from) && known.contains(&pair.to);
        base.traffic = other.traffic.into_iter().filter(of_known).collect();
    }
}

fn add_component(base: &mut Component, other: Component) {
    base.cpu_request_pcore = base.cpu_request_pcore.or(other.cpu_request_pcore);
    base.onheap_request_mib = base.onheap_request_mib.or(other.onheap_request_mib);
    base.offheap_request_mib = base.offheap_request_mib.or(other.offheap_request_mib);
    base.stateful |= other.stateful;
    if base.inputs.is_empty() {
        base.inputs = other.inputs;
    }
}

/// Adds what the parts of an executor, one or one a task, say of it.
fn add_executor(base: &mut Executor, parts: &[&Executor], place: &str, remarks: &mut Remarks) {
    let sum = |of: &dyn Fn(&Executor) -> Option<f64>| parts.iter().map(|part| of(part)).sum::<Option<f64>>();
    let trust = |part: &&Executor| part.load_source.unwrap_or(LoadSource::Stats);
    if let (Some(load), Some(source)) = (sum(&|part| part.cpu_cores), parts.iter().map(trust).max()) {
        let known = base.cpu_cores.map(|load| (load, base.load_source.unwrap_or(LoadSource::Stats)));
        if let Some((known, _)) = known
            && (known - load).abs() > DIFFER_CORES.max(DIFFER * known.max(load))
        {
            remarks.add(RemarkCode::Conflict, || format!("{place}: {load:.3} cores, {known:.3} here"));
        }
        if known.is_none_or(|(_, trusted)| source < trusted) {
            (base.cpu_cores, base.load_source) = (Some(load), Some(source));
        }
    }
    base.received_per_sec = base.received_per_sec.or_else(|| sum(&|part| part.received_per_sec));
    base.emitted_per_sec = base.emitted_per_sec.or_else(|| sum(&|part| part.emitted_per_sec));
    base.uptime_secs =
        base.uptime_secs.or_else(|| parts.iter().filter_map(|part| part.uptime_secs).reduce(f64::min));
    if let [only] = parts {
        base.state_bytes = base.state_bytes.or(only.state_bytes);
        base.delta_bytes = base.delta_bytes.or(only.delta_bytes);
        if base.node.is_none() {
            (base.node, base.port) = (only.node.clone(), only.port);
        }
    }
}
