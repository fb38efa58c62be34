//! Answers of one moment to a request: the one place where the folder reader and `ballast record` meet.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::Value;

use super::answers::Answers;
use super::lenient::Text;
use super::nodes::nodes;
use super::shapes::TopologyPage;
use super::topology::{hosts, topology, workers};
use crate::ingest::{Fault, RemarkCode, Remarks, quoted};
use crate::wire::{Request, Topology};

/// Window of `capacity`, seconds.
const WINDOW_SECS: f64 = 600.0;

/// The request that answers amount to, taken `at` seconds since the epoch.
///
/// # Errors
/// Where an answer that is needed is missing, with what was found in its place: a cluster without executors is never
/// made up of errors. Where two topologies claim a slot, since the cluster changed while it was read.
pub(crate) fn request(
    answers: &Answers,
    place: &str,
    at: i64,
    generation: u64,
    remarks: &mut Remarks,
) -> Result<Request, Fault> {
    let mut topologies = Vec::new();
    let mut pages: Vec<Cow<'_, TopologyPage>> = Vec::new();
    for id in answers.topologies() {
        match answers.pages.get(&id) {
            Some((_, page)) => pages.push(Cow::Borrowed(page)),
            None => pages.extend(without_page(answers, &id, remarks)?.map(Cow::Owned)),
        }
    }
    for page in &pages {
        let topology = topology(answers, page, remarks);
        if !topology.executors.is_empty() {
            topologies.push(topology);
        }
    }
    if topologies.is_empty() {
        return Err(answers.blame().unwrap_or_else(|| nothing(answers, place)));
    }
    answers.remark_failures(remarks);
    conflict(place, &topologies)?;
    let hosts = hosts(pages.iter().flat_map(|page| workers(answers, page)));
    Ok(Request {
        taken_at: Timestamp::from_second(at).ok().map(|time| time.to_string()),
        window_secs: window(&topologies),
        nodes: nodes(answers, &topologies, &hosts, &configured_ports(&pages), remarks),
        topologies,
        ..Request::blank(generation)
    })
}

/// A topology that is listed, or has workers, and no page: its slots are taken, and nothing more is known. It is neither
/// placed nor moved.
fn without_page(answers: &Answers, id: &str, remarks: &mut Remarks) -> Result<Option<TopologyPage>, Fault> {
    if let Some(fault) = answers.blame().filter(|_| !answers.forbidden.contains(id)) {
        return Err(fault);
    }
    let listed = answers.listed.get(id).map(|(_, listed)| listed);
    let own: Vec<_> = answers.workers.iter().filter(|((topology, _, _), _)| topology == id).collect();
    remarks.add(RemarkCode::Hidden, || {
        let count = listed
            .and_then(|listed| listed.executors_total.0)
            .map_or_else(String::new, |n| format!(" of {n} executors"));
        format!("{}{count}: its page is missing, so it only occupies its {} workers", quoted(id), own.len())
    });
    let name = own.first().map(|(_, (_, worker))| worker.topology_name.clone());
    Ok((!own.is_empty()).then(|| TopologyPage {
        id: Text(id.to_owned()),
        name: name.unwrap_or_default(),
        workers: own.iter().map(|(_, (_, worker))| worker.clone()).collect(),
        configuration: serde_json::json!({ "topology.ballast.enabled": false }),
        ..TopologyPage::default()
    }))
}

fn nothing(answers: &Answers, place: &str) -> Fault {
    if answers.listed.is_empty() && answers.pages.is_empty() {
        return Fault::new(
            place,
            "no topology runs, or no answer tells of one",
            "save topology/ID, its components and supervisor/summary while a topology runs",
        );
    }
    Fault::new(
        place,
        "no answer shows an executor",
        "save the page of every topology and of every component, both with sys=true",
    )
}

fn conflict(place: &str, topologies: &[Topology]) -> Result<(), Fault> {
    let mut owners: BTreeMap<(&str, u16), &str> = BTreeMap::new();
    for topology in topologies {
        for executor in &topology.executors {
            let (Some(node), Some(port)) = (&executor.node, executor.port) else { continue };
            let owner = owners.entry((node, port)).or_insert(&topology.id);
            if *owner != topology.id {
                return Err(Fault::new(
                    place,
                    format!(
                        "slot {}:{port} is claimed by {} and by {}",
                        quoted(node),
                        quoted(owner),
                        quoted(&topology.id)
                    ),
                    "the cluster changed while the answers were saved; save them again",
                ));
            }
        }
    }
    Ok(())
}

fn window(topologies: &[Topology]) -> Option<f64> {
    let executors = topologies.iter().flat_map(|topology| &topology.executors);
    let measured = executors.filter(|executor| executor.cpu_cores.is_some());
    let oldest = measured.filter_map(|executor| executor.uptime_secs).fold(0.0, f64::max);
    (oldest > 0.0).then_some(oldest.min(WINDOW_SECS))
}

/// `supervisor.slots.ports` as Nimbus has it; a supervisor's own configuration may differ.
fn configured_ports(pages: &[Cow<'_, TopologyPage>]) -> Vec<u16> {
    let list = pages.iter().find_map(|page| page.configured("supervisor.slots.ports")?.as_array());
    let ports = list.into_iter().flatten().filter_map(Value::as_u64);
    let mut ports: Vec<u16> =
        ports.filter_map(|port| u16::try_from(port).ok()).filter(|port| *port > 0).collect();
    ports.sort_unstable();
    ports.dedup();
    ports
}
