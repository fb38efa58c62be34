//! Which supervisor an executor runs on: component pages tell only host and port.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::Answers;
use super::shapes::Worker;
use crate::ingest::{RemarkCode, Remarks, quoted};

/// The supervisors behind hosts and ports, as one topology's workers show them.
#[derive(Debug, Default)]
pub(super) struct Slots {
    by_port: BTreeMap<(String, u16), BTreeSet<String>>,
    by_host: BTreeMap<String, BTreeSet<String>>,
}

impl Slots {
    /// Of all supervisors and a topology's workers.
    pub(super) fn of<'a>(answers: &Answers, workers: impl Iterator<Item = &'a Worker>) -> Self {
        let mut slots = Self::default();
        for (id, (_, supervisor)) in &answers.supervisors {
            slots.by_host.entry(supervisor.host.0.clone()).or_default().insert(id.clone());
        }
        for worker in workers.filter(|worker| !worker.supervisor_id.0.is_empty()) {
            let (host, id) = (worker.host.0.clone(), worker.supervisor_id.0.clone());
            slots.by_host.entry(host.clone()).or_default().insert(id.clone());
            if let Some(port) = worker.port.port() {
                slots.by_port.entry((host, port)).or_default().insert(id);
            }
        }
        slots
    }

    /// The supervisor of a slot; a host that no supervisor has is its own.
    pub(super) fn node(&self, host: &str, port: u16, remarks: &mut Remarks) -> Option<String> {
        if host.is_empty() {
            return None;
        }
        let ids = self.by_port.get(&(host.to_owned(), port)).or_else(|| self.by_host.get(host));
        let Some(ids) = ids else { return Some(host.to_owned()) };
        if ids.len() > 1 {
            remarks.add(RemarkCode::Contradiction, || {
                let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                let (host, ids) = (quoted(host), quoted(&ids.join(" and ")));
                format!("{host}:{port} may be of supervisor {ids}; the first is taken")
            });
        }
        ids.first().cloned()
    }
}
