//! What a request must hold before a problem can be stated: ids once, references that resolve, values in range.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::wire::{Executor, Node, Refusal, RefusalCode, Request, TaskRange, Topology};

/// Largest rate of tuples: sums over a million pairs stay exact.
const MOST_PER_SEC: f64 = 1e9;
/// Largest amount of a resource: sums over ten thousand of them stay exact.
const MOST_OF_A_RESOURCE: f64 = 1e8;
/// Largest rate of bytes.
const MOST_BYTES_PER_SEC: f64 = 1e12;
/// Largest state: 10 TB, so that sums over a million executors stay exact.
const MOST_BYTES: f64 = 1e13;

/// Checks a request; the first fault found is the refusal.
pub(super) fn check(request: &Request) -> Result<(), Refusal> {
    let mut ids = BTreeSet::new();
    for (at, node) in request.nodes.iter().enumerate() {
        check_node(&format!("nodes[{at}] ({})", node.id), node)?;
        once(&mut ids, &node.id, || format!("nodes[{at}].id"))?;
    }
    let mut ids = BTreeSet::new();
    // Only ever asked for single slots, so its order reaches nothing.
    let mut slots = HashMap::new();
    for (at, topology) in request.topologies.iter().enumerate() {
        let place = format!("topologies[{at}] ({})", topology.id);
        once(&mut ids, &topology.id, || format!("topologies[{at}].id"))?;
        check_topology(&place, topology)?;
        for executor in &topology.executors {
            if let (Some(node), Some(port)) = (&executor.node, executor.port) {
                let owner = *slots.entry((node.as_str(), port)).or_insert(topology.id.as_str());
                if owner != topology.id {
                    return Err(conflict(node, port, owner, &topology.id));
                }
            }
        }
    }
    Ok(())
}

fn conflict(node: &str, port: u16, one: &str, other: &str) -> Refusal {
    Refusal::new(
        RefusalCode::SlotConflict,
        format!("slot {node}:{port} is claimed by {one} and by {other}"),
        "take the executors of one of them out of the slot, or make them homeless",
    )
}

fn check_node(place: &str, node: &Node) -> Result<(), Refusal> {
    within(|| place.to_owned(), "cpu_cores", node.cpu_cores, f64::NEG_INFINITY, 1e6)?;
    within(|| place.to_owned(), "memory_mib", node.memory_mib, 0.0, 1e12)?;
    within(|| place.to_owned(), "checkpoint_storage_mib", node.checkpoint_storage_mib, 0.0, 1e12)?;
    within(|| place.to_owned(), "checkpoint_network_mib", node.checkpoint_network_mib, 0.0, 1e12)?;
    amounts(|| place.to_owned(), &node.resources)
}

fn check_topology(place: &str, topology: &Topology) -> Result<(), Refusal> {
    within(|| place.to_owned(), "worker_heap_max_mib", topology.worker_heap_max_mib, 0.0, 1e12)?;
    within(|| place.to_owned(), "last_change_secs", topology.last_change_secs, 0.0, f64::MAX)?;
    let mut components = BTreeSet::new();
    for component in &topology.components {
        let place = format!("{place}.components ({})", component.id);
        once(&mut components, &component.id, || format!("{place}.id"))?;
        within(|| place.clone(), "cpu_request_pcore", component.cpu_request_pcore, 0.0, 1e8)?;
        within(|| place.clone(), "onheap_request_mib", component.onheap_request_mib, 0.0, 1e12)?;
        within(|| place.clone(), "offheap_request_mib", component.offheap_request_mib, 0.0, 1e12)?;
        for input in &component.inputs {
            let place = || format!("{place}.inputs ({})", input.from);
            within(place, "tuples_per_sec", input.tuples_per_sec, 0.0, MOST_PER_SEC)?;
        }
    }
    let mut ranges: Vec<_> = topology.executors.iter().map(|executor| executor.tasks).collect();
    ranges.sort_unstable();
    if let Some(pair) = ranges.windows(2).find(|pair| pair[0].1 >= pair[1].0) {
        return Err(bad(
            format!("{place}.executors: task ranges {} and {} overlap", pair[0], pair[1]),
            "take them from one snapshot; after a rebalance older ones are stale",
        ));
    }
    topology.executors.iter().try_for_each(|executor| check_executor(place, executor, &components))?;
    check_relations(place, topology, &ranges)
}

/// What is said of pairs of executors, of copies and of the backlog; `ranges` are the topology's executors, sorted.
fn check_relations(place: &str, topology: &Topology, ranges: &[TaskRange]) -> Result<(), Refusal> {
    let known = |place: &dyn Fn() -> String, tasks: TaskRange| match ranges.binary_search(&tasks) {
        Ok(_) => Ok(()),
        Err(_) => Err(bad(
            format!("{}: {tasks} is no executor of the topology", place()),
            "take executors and what is said of them from one snapshot; after a rebalance older ones are stale",
        )),
    };
    for (at, pair) in topology.traffic.iter().enumerate() {
        let place = || format!("{place}.traffic[{at}]");
        known(&place, pair.from)?;
        known(&place, pair.to)?;
        within(place, "tuples_per_sec", Some(pair.tuples_per_sec), 0.0, MOST_PER_SEC)?;
        within(place, "bytes_per_sec", pair.bytes_per_sec, 0.0, MOST_BYTES_PER_SEC)?;
    }
    let mut slots = BTreeSet::new();
    for (at, worker) in topology.worker_cpu.iter().enumerate() {
        let place = || format!("{place}.worker_cpu[{at}]");
        if !slots.insert((worker.node.as_str(), worker.port)) {
            return Err(bad(
                format!("{}: slot {}:{} is listed twice", place(), worker.node, worker.port),
                "give each worker once",
            ));
        }
        within(place, "cpu_cores", Some(worker.cpu_cores), 0.0, 1e6)?;
        within(place, "overhead_cores", worker.overhead_cores, 0.0, 1e6)?;
        within(place, "uptime_secs", worker.uptime_secs, 0.0, f64::MAX)?;
    }
    for (at, copy) in topology.checkpoints.iter().enumerate() {
        let place = || format!("{place}.checkpoints[{at}]");
        known(&place, copy.executor)?;
        within(place, "bytes", Some(copy.bytes as f64), 0.0, MOST_BYTES)?;
        within(place, "delta_bytes", copy.delta_bytes.map(|bytes| bytes as f64), 0.0, MOST_BYTES)?;
    }
    let Some(backlog) = &topology.backlog else { return Ok(()) };
    let place = || format!("{place}.backlog");
    within(place, "tuples", Some(backlog.tuples), 0.0, f64::MAX)?;
    within(place, "arrived_per_sec", Some(backlog.arrived_per_sec), 0.0, MOST_PER_SEC)?;
    within(place, "processed_per_sec", Some(backlog.processed_per_sec), 0.0, MOST_PER_SEC)
}

fn check_executor(place: &str, executor: &Executor, components: &BTreeSet<&str>) -> Result<(), Refusal> {
    // Only for a fault: there may be tens of thousands of executors, under Nimbus's lock.
    let place = || format!("{place}.executors {}", executor.tasks);
    if executor.tasks.0 > executor.tasks.1 {
        return Err(bad(format!("{}: the first task is above the last", place()), "give [first, last]"));
    }
    if !components.contains(executor.component.as_str()) {
        return Err(bad(
            format!(
                "{}.component: \"{}\" is not among the topology's components",
                place(),
                executor.component
            ),
            "list every component, system components too",
        ));
    }
    for (node, port, names) in [
        (&executor.node, executor.port, "node and port"),
        (&executor.last_node, executor.last_port, "last_node and last_port"),
    ] {
        if node.is_some() != port.is_some() {
            return Err(bad(format!("{}: only one of {names} is given", place()), "give both or neither"));
        }
    }
    within(place, "uptime_secs", executor.uptime_secs, 0.0, f64::MAX)?;
    within(place, "cpu_cores", executor.cpu_cores, 0.0, 1e6)?;
    within(place, "swing_cores", executor.swing_cores, 0.0, 1e6)?;
    amounts(place, &executor.resources)?;
    within(place, "received_per_sec", executor.received_per_sec, 0.0, MOST_PER_SEC)?;
    within(place, "emitted_per_sec", executor.emitted_per_sec, 0.0, MOST_PER_SEC)?;
    within(place, "delta_bytes", executor.delta_bytes.map(|bytes| bytes as f64), 0.0, MOST_BYTES)?;
    within(place, "state_bytes", executor.state_bytes.map(|bytes| bytes as f64), 0.0, MOST_BYTES)
}

fn once<'r>(seen: &mut BTreeSet<&'r str>, id: &'r str, place: impl Fn() -> String) -> Result<(), Refusal> {
    if seen.insert(id) {
        return Ok(());
    }
    Err(bad(format!("{}: \"{id}\" is used twice", place()), "give every id once"))
}

fn amounts(place: impl Fn() -> String, resources: &BTreeMap<String, f64>) -> Result<(), Refusal> {
    let check = |(name, amount): (&String, &f64)| {
        within(|| format!("{}.resources", place()), name, Some(*amount), 0.0, MOST_OF_A_RESOURCE)
    };
    resources.iter().try_for_each(check)
}

fn within(
    place: impl Fn() -> String,
    field: &str,
    value: Option<f64>,
    low: f64,
    high: f64,
) -> Result<(), Refusal> {
    match value {
        Some(value) if !(low..=high).contains(&value) => Err(bad(
            format!("{}.{field} = {value} is not between {low} and {high}", place()),
            "leave the field out where nothing was measured",
        )),
        _ => Ok(()),
    }
}

fn bad(detail: String, advice: &str) -> Refusal {
    Refusal::new(RefusalCode::BadValue, detail, advice)
}
