//! Nodes from the UI's supervisors and from the workers that run on them.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::Answers;
use super::shapes::Supervisor;
use crate::ingest::{RemarkCode, Remarks, quoted};
use crate::wire::{Node, NodeState, Topology};

/// More slots than this no supervisor is believed to have.
const MOST_SLOTS: u32 = 10_000;
/// Largest capacity in cores and largest memory in MiB that the wire takes.
const MOST_CORES: f64 = 1e6;
const MOST_MIB: f64 = 1e12;

/// Storm's default of `supervisor.slots.ports` begins here.
const FIRST_PORT: u16 = 6700;

/// All supervisors. The UI tells how many slots each has and the ports only of those in use; the others are guessed.
///
/// `hosts` are those of workers by supervisor, and `configured` is `supervisor.slots.ports` as Nimbus has it.
pub(super) fn nodes(
    answers: &Answers,
    topologies: &[Topology],
    hosts: &BTreeMap<String, String>,
    configured: &[u16],
    remarks: &mut Remarks,
) -> Vec<Node> {
    let mut used: BTreeMap<&str, BTreeSet<u16>> = BTreeMap::new();
    for executor in topologies.iter().flat_map(|topology| &topology.executors) {
        if let (Some(node), Some(port)) = (&executor.node, executor.port) {
            used.entry(node).or_default().insert(port);
        }
    }
    let none = BTreeSet::new();
    let mut nodes = Vec::new();
    for (id, (_, supervisor)) in &answers.supervisors {
        nodes.push(node(supervisor, used.get(id.as_str()).unwrap_or(&none), configured, remarks));
    }
    // Without a list of all, a supervisor that is only named by a worker is one; with it, it is one that died.
    if !answers.all_supervisors {
        for (id, ports) in used.iter().filter(|(id, _)| !answers.supervisors.contains_key(**id)) {
            remarks.add(RemarkCode::Guessed, || {
                format!("no answer tells of supervisor {}: only its ports in use are known", quoted(id))
            });
            let host = hosts.get(*id).map_or(*id, String::as_str);
            nodes.push(Node::blank(id, host, ports.iter().copied().collect()));
        }
    }
    nodes
}

fn node(supervisor: &Supervisor, used: &BTreeSet<u16>, configured: &[u16], remarks: &mut Remarks) -> Node {
    let id = &supervisor.id.0;
    let believed = |what: &str, value: Option<f64>, most: f64, remarks: &mut Remarks| {
        let value = value.filter(|value| *value > 0.0)?;
        if value > most {
            remarks.add(RemarkCode::Unbelievable, || format!("supervisor {}: {what} {value}", quoted(id)));
            return None;
        }
        Some(value)
    };
    let host = if supervisor.host.0.is_empty() { id } else { &supervisor.host.0 };
    Node {
        cpu_cores: believed("totalCpu", supervisor.total_cpu.0, MOST_CORES * 100.0, remarks)
            .map(|pcore| pcore / 100.0),
        memory_mib: believed("totalMem", supervisor.total_mem.0, MOST_MIB, remarks),
        state: if supervisor.blacklisted.0 { NodeState::Unusable } else { NodeState::Active },
        ..Node::blank(id, host, ports(supervisor, used, configured, remarks))
    }
}

/// The ports in use, and as many more as there are free slots: the configured ones where these can be them, else those
/// that go on from a round number or from the lowest in use.
fn ports(
    supervisor: &Supervisor,
    used: &BTreeSet<u16>,
    configured: &[u16],
    remarks: &mut Remarks,
) -> Vec<u16> {
    let mut ports = used.clone();
    let Some(slots) = supervisor.slots_total.whole(MOST_SLOTS).map(|slots| slots as usize) else {
        if supervisor.slots_total.0.is_some() {
            let slots = supervisor.slots_total.0.unwrap_or_default();
            remarks.add(RemarkCode::Unbelievable, || {
                format!("supervisor {}: slotsTotal {slots}", quoted(&supervisor.id.0))
            });
        }
        return ports.into_iter().collect();
    };
    if ports.len() >= slots {
        return ports.into_iter().collect();
    }
    let as_configured = configured.len() == slots && ports.iter().all(|port| configured.contains(port));
    if as_configured {
        ports.extend(configured);
    } else {
        let first = first(&ports, slots);
        ports.extend((first..=u16::MAX).filter(|port| !used.contains(port)).take(slots - used.len()));
    }
    remarks.add(RemarkCode::Guessed, || {
        let guessed: Vec<String> = ports.difference(used).take(8).map(u16::to_string).collect();
        let many = if slots - used.len() > guessed.len() { ", …" } else { "" };
        format!(
            "supervisor {}: {} of {slots} slots in use; the UI does not name the free ones, taken for ports {}{many}",
            quoted(&supervisor.id.0),
            used.len(),
            guessed.join(", ")
        )
    });
    ports.into_iter().collect()
}

fn first(used: &BTreeSet<u16>, slots: usize) -> u16 {
    let (Some(&low), Some(&high)) = (used.first(), used.last()) else { return FIRST_PORT };
    let round = low - low % 10;
    if round > 0 && usize::from(high - round) < slots { round } else { low }
}
