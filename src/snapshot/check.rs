//! What a request must hold before a problem can be stated: ids once, references that resolve, values in range.

use std::collections::{BTreeSet, HashMap};

use crate::wire::{Executor, Node, Refusal, RefusalCode, Request, Topology};

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
    within(|| place.to_owned(), "memory_mib", node.memory_mib, 0.0, 1e12)
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
    }
    let mut ranges: Vec<_> = topology.executors.iter().map(|executor| executor.tasks).collect();
    ranges.sort_unstable();
    if let Some(pair) = ranges.windows(2).find(|pair| pair[0].1 >= pair[1].0) {
        return Err(bad(
            format!("{place}.executors: task ranges {} and {} overlap", pair[0], pair[1]),
            "take them from one snapshot; after a rebalance older ones are stale",
        ));
    }
    topology.executors.iter().try_for_each(|executor| check_executor(place, executor, &components))
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
    within(place, "cpu_cores", executor.cpu_cores, 0.0, 1e6)
}

fn once<'r>(seen: &mut BTreeSet<&'r str>, id: &'r str, place: impl Fn() -> String) -> Result<(), Refusal> {
    if seen.insert(id) {
        return Ok(());
    }
    Err(bad(format!("{}: \"{id}\" is used twice", place()), "give every id once"))
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
