//! A capture of `storm-loadgen` (`org.apache.storm.loadgen.CaptureLoad`): what topologies were, without where they ran.
//!
//! YAML. A rate is that of one executor of the component that emits, so a component's is so many times its parallelism;
//! times are milliseconds a tuple. A load is estimated from what a component receives and what a tuple takes, shared
//! evenly; statistics that are all zero say that none were recorded. `cpuLoad` is per cent of a core and `memoryLoad`
//! MiB, read by their names: Storm's own reader confuses the two.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::{Fault, RemarkCode, Remarks, Source, Window, plain, quoted};
use crate::wire::{Component, ComponentKind, Executor, Input, LoadSource, Request, TaskRange, Topology};

/// Bytes of a capture at most; a topology takes some kilobytes.
const MOST_BYTES: u64 = 16 << 20;
/// Executors of a component at most.
const MOST_EXECUTORS: u32 = 100_000;
/// A rate so many times that of its slowest sibling is that of a worker whose uptime was taken as a second.
const UNBELIEVABLE: f64 = 10_000.0;

/// A capture; keys that are not named here are not read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Capture {
    name: Option<String>,
    config: BTreeMap<String, Value>,
    spouts: Vec<Part>,
    bolts: Vec<Part>,
    streams: Vec<Edge>,
}

/// A spout or a bolt.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    id: String,
    #[serde(default = "one")]
    parallelism: u32,
    cpu_load: Option<f64>,
    memory_load: Option<f64>,
    #[serde(default)]
    streams: Vec<Emitted>,
}

fn one() -> u32 {
    1
}

/// What each executor of a component emits over a stream.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Emitted {
    stream_id: String,
    rate: Option<Spread>,
}

/// A figure; of its spread only the mean is read.
#[derive(Debug, Clone, Copy, Deserialize)]
struct Spread {
    mean: f64,
}

/// A stream that a component reads.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Edge {
    from: String,
    to: String,
    grouping: Grouping,
    exec_time: Option<Spread>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Grouping {
    stream_id: String,
    #[serde(rename = "type")]
    kind: String,
}

/// A capture as one window without a time.
#[derive(Debug)]
pub struct Loadgen {
    window: Option<Window>,
    remarks: Remarks,
}

impl Loadgen {
    /// True when a file that begins like this is a capture.
    pub fn is_mine(head: &[u8]) -> bool {
        let text = String::from_utf8_lossy(head);
        let has = |key: &str| {
            text.lines().any(|line| line.trim_start_matches(['{', ' ', '-']).starts_with(key))
                || text.starts_with('{') && text.contains(key)
        };
        let begins = text.trim_start();
        !begins.starts_with("{\"") && (has("spouts:") || has("bolts:")) && has("parallelism:")
    }

    /// Reads a capture.
    ///
    /// # Errors
    /// The file cannot be read, is no YAML of this shape, or names a component twice.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let name = path.display().to_string();
        let unreadable = |error: std::io::Error| Fault::unreadable(&name, &error);
        let mut bytes = Vec::new();
        let file = plain(File::open(path).map_err(unreadable)?).map_err(unreadable)?;
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        Self::of_bytes(&name, &bytes)
    }

    /// The same of what is in memory.
    ///
    /// # Errors
    /// Those of [`Loadgen::open`].
    pub fn of_bytes(name: &str, bytes: &[u8]) -> Result<Self, Fault> {
        let fault = |detail: String| {
            Fault::new(
                name,
                detail,
                "give a file that storm-loadgen's CaptureLoad wrote, one topology a file",
            )
        };
        if bytes.len() as u64 > MOST_BYTES {
            return Err(fault(format!("it is larger than {} MiB", MOST_BYTES >> 20)));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| fault(error.to_string()))?;
        let capture: Capture =
            serde_saphyr::from_str(text).map_err(|error| fault(quoted(&error.to_string())))?;
        let mut remarks = Remarks::default();
        let topology = topology(name, capture, &mut remarks).map_err(fault)?;
        let request = Request { topologies: vec![topology], ..Request::blank(1) };
        Ok(Self { window: Some(Window { at: 0, request }), remarks })
    }
}

impl Source for Loadgen {
    fn next(&mut self) -> Result<Option<Window>, Fault> {
        Ok(self.window.take())
    }

    fn remarks(&self) -> &Remarks {
        &self.remarks
    }
}

fn topology(name: &str, capture: Capture, remarks: &mut Remarks) -> Result<Topology, String> {
    let number = |key: &str| capture.config.get(key).and_then(Value::as_f64).filter(|known| *known >= 0.0);
    let id = capture.name.clone().unwrap_or_else(|| "topology".to_owned());
    let rates = rates(name, &capture, remarks);
    let parts = capture.spouts.iter().map(|part| (part, ComponentKind::Spout));
    let (mut components, mut executors) = (Vec::<Component>::new(), Vec::new());
    for (part, kind) in parts.chain(capture.bolts.iter().map(|part| (part, ComponentKind::Bolt))) {
        if components.iter().any(|known| known.id == part.id) {
            return Err(format!("component {:?} is there twice", quoted(&part.id)));
        }
        if !(1..=MOST_EXECUTORS).contains(&part.parallelism) {
            return Err(format!("parallelism of {:?} is {}", quoted(&part.id), part.parallelism));
        }
        let read: Vec<&Edge> = capture.streams.iter().filter(|edge| edge.to == part.id).collect();
        let received = received(&read, &rates);
        let share = f64::from(part.parallelism);
        let load = load(&read, &rates).map(|cores| cores / share);
        for _ in 0..part.parallelism {
            let task = executors.len() as i32 + 1;
            executors.push(Executor {
                cpu_cores: load,
                load_source: load.map(|_| LoadSource::Estimate),
                received_per_sec: received.map(|rate| rate / share),
                emitted_per_sec: emitted(part),
                ..Executor::blank(TaskRange(task, task), &part.id)
            });
        }
        components.push(Component {
            cpu_request_pcore: part.cpu_load.filter(|load| *load >= 0.0),
            onheap_request_mib: part.memory_load.filter(|load| *load >= 0.0),
            inputs: read
                .iter()
                .map(|edge| Input {
                    from: edge.from.clone(),
                    stream: edge.grouping.stream_id.clone(),
                    grouping: edge.grouping.kind.to_lowercase(),
                    tuples_per_sec: rates
                        .get(&(edge.from.as_str(), edge.grouping.stream_id.as_str()))
                        .copied(),
                })
                .collect(),
            ..Component::blank(&part.id, kind)
        });
    }
    if executors.is_empty() {
        return Err("it has no spout and no bolt".to_owned());
    }
    let workers = number("topology.workers").map_or(1, |workers| workers.clamp(1.0, 1e6) as u32);
    let worker_heap_max_mib = number("topology.worker.max.heap.size.mb");
    Ok(Topology { worker_heap_max_mib, components, executors, ..Topology::blank(&id, &id, workers) })
}

/// Tuples a second of every stream, all executors of its component together.
type Rates<'c> = BTreeMap<(&'c str, &'c str), f64>;

fn rates<'c>(name: &str, capture: &'c Capture, remarks: &mut Remarks) -> Rates<'c> {
    let parts = || capture.spouts.iter().chain(&capture.bolts);
    let all = parts().flat_map(|part| &part.streams).filter_map(rate);
    let slowest = all.filter(|rate| *rate > 0.0).fold(f64::INFINITY, f64::min);
    let mut rates = Rates::new();
    for part in parts() {
        for stream in &part.streams {
            let Some(rate) = rate(stream) else { continue };
            if rate > slowest * UNBELIEVABLE {
                remarks.add(RemarkCode::Unbelievable, || {
                    let (id, stream) = (quoted(&part.id), quoted(&stream.stream_id));
                    format!(
                        "{name}: {id} emits {rate} tuples/s over {stream} where another stream has {slowest}: the uptime \
                         was taken as a second; left out"
                    )
                });
                continue;
            }
            rates.insert((&part.id, &stream.stream_id), rate * f64::from(part.parallelism));
        }
    }
    rates
}

fn rate(stream: &Emitted) -> Option<f64> {
    stream.rate.map(|rate| rate.mean).filter(|rate| (0.0..=1e9).contains(rate))
}

fn emitted(part: &Part) -> Option<f64> {
    let known: Vec<f64> = part.streams.iter().filter_map(rate).collect();
    (!known.is_empty()).then(|| known.iter().sum())
}

fn received(read: &[&Edge], rates: &Rates) -> Option<f64> {
    let known: Option<Vec<f64>> =
        read.iter().map(|edge| rates.get(&(&edge.from, &edge.grouping.stream_id)).copied()).collect();
    known.filter(|known| !known.is_empty()).map(|known| known.iter().sum())
}

/// Cores that a component uses; none where a rate or a time of one of its streams is not known.
fn load(read: &[&Edge], rates: &Rates) -> Option<f64> {
    let of = |edge: &&Edge| {
        let millis = edge.exec_time.map(|time| time.mean).filter(|millis| *millis > 0.0)?;
        Some(rates.get(&(&edge.from, &edge.grouping.stream_id))? * millis / 1e3)
    };
    let known: Option<Vec<f64>> = read.iter().map(of).collect();
    known.filter(|known| !known.is_empty()).map(|known| known.iter().sum())
}
