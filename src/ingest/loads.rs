//! A table of executor loads: CSV with a header, rows in the order of time.
//!
//! One row is an executor in one window; a row without a component tells a node only. What a column says of a node holds
//! until another row says otherwise. Columns may be in any order and those not needed absent; empty is not measured.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

use serde::Deserialize;

use super::{Fault, RemarkCode, Remarks, Source, Window, plain, ports, quoted, time};
use crate::wire::{Component, ComponentKind, Executor, LoadSource, Node, Request, TaskRange, Topology};

/// Columns that a table has to have.
const NEEDED: [&str; 4] = ["time", "component", "task", "cpu_cores"];
/// All columns.
const COLUMNS: [&str; 18] = [
    "time",
    "topology",
    "component",
    "kind",
    "task",
    "task_last",
    "node",
    "port",
    "host",
    "rack",
    "node_cores",
    "node_memory_mib",
    "node_ports",
    "cpu_cores",
    "received_per_sec",
    "emitted_per_sec",
    "state_bytes",
    "uptime_secs",
];

/// Name of the topology where no column tells it.
const TOPOLOGY: &str = "topology";

/// Executors of one window at most; a table with more in it is not one.
const MOST_ROWS: usize = 2_000_000;

/// A row; absent: not measured, or not said.
#[derive(Debug, Clone, Deserialize)]
struct Row {
    time: String,
    topology: Option<String>,
    component: Option<String>,
    kind: Option<String>,
    task: Option<i32>,
    task_last: Option<i32>,
    node: Option<String>,
    port: Option<u16>,
    host: Option<String>,
    rack: Option<String>,
    node_cores: Option<f64>,
    node_memory_mib: Option<f64>,
    node_ports: Option<String>,
    cpu_cores: Option<f64>,
    received_per_sec: Option<f64>,
    emitted_per_sec: Option<f64>,
    state_bytes: Option<u64>,
    uptime_secs: Option<f64>,
}

/// A table, read window by window.
pub struct Loads {
    name: String,
    header: csv::StringRecord,
    rows: csv::DeserializeRecordsIntoIter<Box<dyn Read>, Row>,
    /// The first row of the next window, with its line.
    next: Option<(i64, Row, u64)>,
    last: Option<i64>,
    nodes: BTreeMap<String, Node>,
    windows: u64,
    remarks: Remarks,
}

impl Loads {
    /// True when a file that begins like this is such a table.
    pub fn is_mine(head: &[u8]) -> bool {
        let first = head.split(|byte| *byte == b'\n').next().unwrap_or(&[]);
        let columns = columns(&String::from_utf8_lossy(first));
        NEEDED.iter().all(|needed| columns.iter().any(|column| column == needed))
    }

    /// Opens a table.
    ///
    /// # Errors
    /// The file cannot be read, or its header cannot.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let name = path.display().to_string();
        let unreadable = |error: std::io::Error| Fault::unreadable(&name, &error);
        let reader = plain(File::open(path).map_err(unreadable)?).map_err(unreadable)?;
        Self::of(name, reader)
    }

    /// The same of what is in memory, not packed.
    ///
    /// # Errors
    /// The header cannot be read.
    pub fn of_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, Fault> {
        Self::of(name.to_owned(), Box::new(Cursor::new(bytes)))
    }

    fn of(name: String, reader: Box<dyn Read>) -> Result<Self, Fault> {
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(false).from_reader(reader);
        let mut remarks = Remarks::default();
        let header = reader.headers().map_err(|error| fault(&name, None, &error))?.clone();
        for column in header.iter().filter(|column| !COLUMNS.contains(column)) {
            remarks.add(RemarkCode::Unknown, || {
                format!("{name}: column {:?} is not known; there are {}", quoted(column), COLUMNS.join(", "))
            });
        }
        let rows = reader.into_deserialize();
        let mut loads =
            Self { name, header, rows, next: None, last: None, nodes: BTreeMap::new(), windows: 0, remarks };
        loads.next = loads.row()?;
        Ok(loads)
    }

    fn row(&mut self) -> Result<Option<(i64, Row, u64)>, Fault> {
        let row = match self.rows.next() {
            None => return Ok(None),
            Some(Ok(row)) => row,
            Some(Err(error)) => return Err(fault(&self.name, Some(&self.header), &error)),
        };
        let line = self.rows.reader().position().line().saturating_sub(1);
        match time(&row.time) {
            Some(at) => Ok(Some((at, row, line))),
            None => Err(self.fault(line, format!("time {:?} is none", quoted(&row.time)))),
        }
    }

    fn fault(&self, line: u64, detail: String) -> Fault {
        Fault::new(
            format!("{}:{line}", self.name),
            detail,
            "`ballast replay --help` tells what each column takes; leave a field empty where nothing was measured",
        )
    }

    /// Remembers what a row says of its node.
    fn learn(&mut self, row: &Row, line: u64) -> Result<(), Fault> {
        let Some(id) = &row.node else { return Ok(()) };
        let ports = row.node_ports.as_deref().map(ports);
        let node = self.nodes.entry(id.clone()).or_insert_with(|| Node::blank(id, id, Vec::new()));
        if let Some(host) = &row.host {
            node.host.clone_from(host);
        }
        node.rack = row.rack.clone().or(node.rack.take());
        node.cpu_cores = row.node_cores.or(node.cpu_cores);
        node.memory_mib = row.node_memory_mib.or(node.memory_mib);
        node.ports.extend(row.port);
        match ports {
            None => {}
            Some(Ok(ports)) => node.ports.extend(ports),
            Some(Err(_)) => {
                return Err(self.fault(line, format!("node_ports {:?} is no A-B", row.node_ports)));
            }
        }
        node.ports.sort_unstable();
        node.ports.dedup();
        Ok(())
    }

    /// The executor of a row; none where the row tells a node only.
    fn executor(&self, row: &Row, line: u64) -> Result<Option<Executor>, Fault> {
        let (Some(component), Some(task)) = (&row.component, row.task) else {
            return match (&row.component, &row.node) {
                (None, Some(_)) => Ok(None),
                _ => Err(self.fault(line, "a row needs component and task, or a node alone".to_owned())),
            };
        };
        let figures = [
            ("cpu_cores", row.cpu_cores),
            ("received_per_sec", row.received_per_sec),
            ("emitted_per_sec", row.emitted_per_sec),
            ("uptime_secs", row.uptime_secs),
        ];
        if let Some((name, figure)) =
            figures.iter().find(|(_, figure)| figure.is_some_and(|f| f.is_nan() || f < 0.0))
        {
            return Err(self.fault(line, format!("{name} is {}", figure.unwrap_or_default())));
        }
        if row.node.is_some() != row.port.is_some() {
            return Err(self.fault(line, "only one of node and port is given".to_owned()));
        }
        Ok(Some(Executor {
            node: row.node.clone(),
            port: row.port,
            uptime_secs: row.uptime_secs,
            cpu_cores: row.cpu_cores,
            load_source: row.cpu_cores.map(|_| LoadSource::Stats),
            received_per_sec: row.received_per_sec,
            emitted_per_sec: row.emitted_per_sec,
            state_bytes: row.state_bytes,
            ..Executor::blank(TaskRange(task, row.task_last.unwrap_or(task)), component)
        }))
    }
}

impl Source for Loads {
    fn next(&mut self) -> Result<Option<Window>, Fault> {
        let Some((at, ..)) = self.next else { return Ok(None) };
        let mut topologies: BTreeMap<String, Topology> = BTreeMap::new();
        let mut here = BTreeSet::new();
        let mut rows = 0;
        while let Some((_, row, line)) = self.next.take_if(|(time, ..)| *time == at) {
            rows += 1;
            if rows > MOST_ROWS {
                return Err(self.fault(line, format!("more than {MOST_ROWS} rows of one time")));
            }
            self.learn(&row, line)?;
            here.extend(row.node.clone());
            if let Some(executor) = self.executor(&row, line)? {
                let id = row.topology.clone().unwrap_or_else(|| TOPOLOGY.to_owned());
                add(
                    topologies.entry(id.clone()).or_insert_with(|| Topology::blank(&id, &id, 0)),
                    executor,
                    row.kind.as_deref(),
                );
            }
            self.next = self.row()?;
        }
        if let Some((later, _, line)) = &self.next
            && *later < at
        {
            return Err(self.fault(*line, format!("time {later} comes after {at}; sort the rows by time")));
        }
        self.windows += 1;
        let window_secs = self.last.map(|last| (at - last) as f64);
        self.last = Some(at);
        let mut topologies: Vec<Topology> = topologies.into_values().collect();
        topologies.iter_mut().for_each(count_workers);
        let request = Request {
            window_secs,
            nodes: here.iter().filter_map(|id| self.nodes.get(id).cloned()).collect(),
            topologies,
            ..Request::blank(self.windows)
        };
        Ok(Some(Window { at, request }))
    }

    fn remarks(&self) -> &Remarks {
        &self.remarks
    }
}

fn add(topology: &mut Topology, executor: Executor, kind: Option<&str>) {
    if !topology.components.iter().any(|known| known.id == executor.component) {
        let kind = match kind {
            Some("spout") => ComponentKind::Spout,
            Some("system") => ComponentKind::System,
            None if executor.component.starts_with("__") => ComponentKind::System,
            _ => ComponentKind::Bolt,
        };
        topology.components.push(Component {
            stateful: executor.state_bytes.is_some(),
            ..Component::blank(&executor.component, kind)
        });
    }
    topology.executors.push(executor);
}

/// It asked for the workers it has.
fn count_workers(topology: &mut Topology) {
    let mut slots: Vec<(&String, u16)> = topology
        .executors
        .iter()
        .filter_map(|executor| Some((executor.node.as_ref()?, executor.port?)))
        .collect();
    slots.sort_unstable();
    slots.dedup();
    topology.workers = slots.len().max(1) as u32;
}

fn columns(header: &str) -> Vec<String> {
    header
        .trim_start_matches('\u{feff}')
        .split(',')
        .map(|name| name.trim().trim_matches('"').to_owned())
        .collect()
}

/// What is wrong with a row or the header, with the column where there is one.
fn fault(name: &str, header: Option<&csv::StringRecord>, error: &csv::Error) -> Fault {
    let line = error.position().map_or(1, csv::Position::line);
    let detail = match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            let column = err.field().and_then(|at| header?.get(at as usize)).unwrap_or("a column");
            format!("{}: {}", quoted(column), err.kind())
        }
        _ => quoted(&error.to_string()),
    };
    Fault::new(
        format!("{name}:{line}"),
        detail,
        "`ballast replay --help` tells what each column takes; every row has as many fields as the header",
    )
}
