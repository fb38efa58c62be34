//! Answers of one moment, sorted by what they are about. Where two are about the same thing the newest wins as a whole,
//! so that executors of two parallelisms never mix.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::{Answer, Unusable};
use super::shapes::{ComponentPage, Drawing, Listed, Supervisor, TopologyPage, Worker};
use crate::ingest::{Fault, RemarkCode, Remarks, quoted};

/// Where an answer was read, and when it was saved: what tells the newer of two.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Origin {
    /// Nanoseconds since the epoch.
    pub(crate) saved: i128,
    /// File or address.
    pub(crate) name: String,
}

/// All that the UI answered at about one time.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// By id.
    pub(super) supervisors: BTreeMap<String, (Origin, Supervisor)>,
    /// A list of all of them was among the answers.
    pub(super) all_supervisors: bool,
    /// Of supervisor pages, by topology, supervisor and port.
    pub(super) workers: BTreeMap<(String, String, u16), (Origin, Worker)>,
    /// Of the list of topologies, by id.
    pub(super) listed: BTreeMap<String, (Origin, Listed)>,
    /// By topology id.
    pub(super) pages: BTreeMap<String, (Origin, TopologyPage)>,
    /// By topology and component id; all of them, since the topology's page has a say in which is the newest.
    pub(super) components: BTreeMap<(String, String), Vec<(Origin, ComponentPage)>>,
    /// With the topology id where they name it.
    pub(super) drawings: BTreeMap<Option<String>, (Origin, Drawing)>,
    /// Topologies that the UI does not show to who asked.
    pub(super) forbidden: BTreeSet<String>,
    /// What was found in the place of an answer.
    failed: Vec<(String, Unusable)>,
}

impl Answers {
    /// Takes an answer in.
    pub(crate) fn add(&mut self, origin: Origin, answer: Answer) {
        match answer {
            Answer::Supervisors(summary) => {
                self.all_supervisors = true;
                summary.supervisors.into_iter().for_each(|s| self.add_supervisor(&origin, s));
            }
            Answer::Supervisor(page) => {
                page.supervisors.into_iter().for_each(|s| self.add_supervisor(&origin, s));
                page.workers.into_iter().for_each(|worker| self.add_worker(&origin, worker));
            }
            Answer::Topologies(list) => {
                for topology in list.topologies.into_iter().filter(|t| !t.id.0.is_empty()) {
                    newest(&mut self.listed, topology.id.0.clone(), origin.clone(), topology);
                }
            }
            Answer::Topology(page) => {
                newest(&mut self.pages, page.id.0.clone(), origin, *page);
            }
            Answer::Component(page) => {
                let key = (page.topology_id.0.clone(), page.id.0.clone());
                self.components.entry(key).or_default().push((origin, *page));
            }
            Answer::Drawing(drawing) => {
                let topology = drawing.values().find_map(|drawn| topology_of(&drawn.link.0));
                newest(&mut self.drawings, topology, origin, drawing);
            }
            Answer::Other => {}
        }
    }

    fn add_supervisor(&mut self, origin: &Origin, supervisor: Supervisor) {
        if !supervisor.id.0.is_empty() {
            newest(&mut self.supervisors, supervisor.id.0.clone(), origin.clone(), supervisor);
        }
    }

    fn add_worker(&mut self, origin: &Origin, worker: Worker) {
        if let Some(port) = worker.port.port() {
            let key = (worker.topology_id.0.clone(), worker.supervisor_id.0.clone(), port);
            newest(&mut self.workers, key, origin.clone(), worker);
        }
    }

    /// Notes a topology that the UI does not show to who asked.
    #[cfg(feature = "record")]
    pub(crate) fn add_forbidden(&mut self, topology: String) {
        self.forbidden.insert(topology);
    }

    /// Ids of all supervisors.
    #[cfg(feature = "record")]
    pub(crate) fn supervisor_ids(&self) -> Vec<String> {
        self.supervisors.keys().cloned().collect()
    }

    /// Notes that something else than an answer was found.
    pub(crate) fn add_failure(&mut self, place: String, why: Unusable) {
        self.failed.push((place, why));
    }

    /// The first thing that was no answer, as the reason why something is missing.
    pub(super) fn blame(&self) -> Option<Fault> {
        let (place, why) = self.failed.first()?;
        let more = match self.failed.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more like it)"),
        };
        let advice = "save the answers again while the topology runs and the UI answers";
        Some(Fault::new(place, format!("{why}{more}"), advice))
    }

    /// What was no answer, where the others suffice.
    pub(super) fn remark_failures(&self, remarks: &mut Remarks) {
        for (place, why) in &self.failed {
            remarks.add(RemarkCode::Unknown, || format!("{place}: {why}"));
        }
    }

    /// Topologies that anything was said of, by id.
    pub(super) fn topologies(&self) -> Vec<String> {
        let pages = self.pages.keys().chain(self.listed.keys()).cloned();
        let mut ids: Vec<String> =
            pages.chain(self.workers.keys().map(|(topology, _, _)| topology.clone())).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The page of a component. Of several the one that agrees with its topology's page on how many executors and tasks
    /// there are, then the newest.
    pub(super) fn component(
        &self,
        page: &TopologyPage,
        component: &str,
        remarks: &mut Remarks,
    ) -> Option<&ComponentPage> {
        let pages = self.components.get(&(page.id.0.clone(), component.to_owned()))?;
        let counted = page.spouts.iter().chain(&page.bolts).find(|counted| counted.id.0 == component);
        let agrees = |page: &ComponentPage| {
            counted.is_some_and(|counted| {
                counted.executors.0 == Some(page.executor_stats.len() as f64)
                    && (page.tasks.0.is_none() || page.tasks == counted.tasks)
            })
        };
        let best = pages.iter().max_by_key(|(origin, page)| (agrees(page), origin))?;
        for (origin, other) in pages {
            if executors(other) != executors(&best.1) {
                remarks.add(RemarkCode::Stale, || {
                    let name = quoted(component);
                    format!(
                        "{}: executors of {name} are {}, those of {} are newer: {}",
                        origin.name,
                        executors(other),
                        best.0.name,
                        executors(&best.1)
                    )
                });
            }
        }
        Some(&best.1)
    }
}

fn newest<K: Ord, T>(kept: &mut BTreeMap<K, (Origin, T)>, key: K, origin: Origin, thing: T) {
    match kept.get(&key) {
        Some((other, _)) if *other > origin => {}
        _ => drop(kept.insert(key, (origin, thing))),
    }
}

/// The executors of a page, for a remark.
fn executors(page: &ComponentPage) -> String {
    let mut ids: Vec<&str> = page.executor_stats.iter().map(|stats| stats.id.0.as_str()).collect();
    ids.sort_unstable();
    quoted(&ids.join(", "))
}

/// The topology that a link to a component's page names.
fn topology_of(link: &str) -> Option<String> {
    let (_, rest) = link.split_once("topology_id=")?;
    let encoded = rest.split('&').next()?;
    decoded(encoded).filter(|id| !id.is_empty())
}

/// Undoes `java.net.URLEncoder`.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}
