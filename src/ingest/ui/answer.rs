//! One answer of the UI, told by what it holds: every page names its own topology, component or supervisor, so files
//! may have any name. What is no answer is refused by the name of what it is.

use std::collections::BTreeMap;
#[cfg(feature = "record")]
use std::collections::BTreeSet;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use thiserror::Error;

use super::shapes::{ComponentPage, Drawing, Supervisors, Topologies, TopologyPage};
use crate::ingest::quoted;

/// Largest answer that is read: component pages of some ten thousand executors.
pub(crate) const MOST_BYTES: u64 = 64 << 20;

/// An answer.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// Of `supervisor/summary`.
    Supervisors(Supervisors),
    /// Of `supervisor?id=`.
    Supervisor(Supervisors),
    /// Of `topology/summary`.
    Topologies(Topologies),
    /// Of `topology/ID`, or its `metrics`.
    Topology(Box<TopologyPage>),
    /// Of `topology/ID/component/COMPONENT`.
    Component(Box<ComponentPage>),
    /// Of `topology/ID/visualization`.
    Drawing(Drawing),
    /// An answer that says nothing the others do not.
    Other,
}

/// Why something is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Unusable {
    /// `UIHelpers.exceptionToJson`. Only its first words are repeated; what follows is a stack trace.
    #[error("the UI answered with an error: \"{0}\"")]
    Error(String),
    /// A login page, or a proxy's.
    #[error("it is an HTML page, such as a login page, and no answer of the UI's REST API")]
    Page,
    /// `UIHelpers.wrapJsonInCallback`.
    #[error("it is wrapped for JSONP by \"{0}(...)\"; ask without \"callback=\"")]
    Wrapped(String),
    /// Nothing.
    #[error("the answer is empty")]
    Empty,
    /// Too large to be believed.
    #[error("it is larger than {} MiB", MOST_BYTES >> 20)]
    TooLarge,
    /// JSON that is none, or of a shape that no answer has.
    #[error("it is no answer of the UI's REST API: {0}")]
    Broken(String),
}

/// Keys of which every answer has one near its start, whatever the order a hash map gave them.
const KEYS: &[&str] = &[
    ":capacity",
    ":inputs",
    ":latency",
    ":link",
    ":stats",
    ":transferred",
    "assignedGenericResources",
    "boltStats",
    "bolts",
    "bugtracker-url",
    "central-log-url",
    "componentErrors",
    "encodedId",
    "errorMessage",
    "executorStats",
    "executorsTotal",
    "fragmentedCpu",
    "hostPortList",
    "inputStats",
    "logviewerPort",
    "logviewerScheme",
    "nimbuses",
    "outputStats",
    "owners",
    "profilingAndDebuggingCapable",
    "requestedGenericResources",
    "schedulerDisplayResource",
    "slotsTotal",
    "spoutSummary",
    "stormVersionInfo",
    "supervisorId",
    "topo-history",
    "topologyId",
    "topologyStats",
    "topologyVersion",
    "windowHint",
    "workersTotal",
];

/// Whether a file that begins so is an answer of the UI, or what is found in the place of one: an error, an HTML page,
/// JSONP.
pub fn is_mine(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if is_page(text) || wrapper(text).is_some() {
        return true;
    }
    let key = |key: &&str| text.contains(&format!("\"{key}\":"));
    text.starts_with('{') && !text.contains("\"ballast\"") && KEYS.iter().any(key)
}

fn is_page(text: &str) -> bool {
    let start: String = text.chars().take(9).collect::<String>().to_ascii_lowercase();
    ["<!doctype", "<html", "<head", "<body"].iter().any(|tag| start.starts_with(tag))
}

/// The name of the function a JSONP answer calls.
fn wrapper(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('(')?;
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
    let named = name.chars().all(|c| c.is_alphanumeric() || "_$.".contains(c));
    (begins && named && name.len() <= 100 && rest.trim_start().starts_with(['{', '['])).then_some(name)
}

impl Answer {
    /// Reads an answer.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Unusable> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Unusable::TooLarge);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| Unusable::Broken(error.to_string()))?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return Err(Unusable::Empty);
        }
        if is_page(text) {
            return Err(Unusable::Page);
        }
        if let Some(name) = wrapper(text) {
            return Err(Unusable::Wrapped(quoted(name)));
        }
        let top: BTreeMap<String, IgnoredAny> = typed(text)?;
        let has = |key: &str| top.contains_key(key);
        if has("error") {
            return Err(Unusable::Error(said(text)?));
        }
        Ok(match () {
            () if has("stormVersionInfo") || has("slotsFree") => Self::Other,
            () if has("executorStats") => Self::Component(Box::new(typed(text)?)),
            () if has("topologyStats") || has("workersTotal") => Self::Topology(Box::new(typed(text)?)),
            () if has("supervisors") && has("workers") => Self::Supervisor(typed(text)?),
            () if has("supervisors") => Self::Supervisors(typed(text)?),
            () if has("topologies") => Self::Topologies(typed(text)?),
            () if ["hostPortList", "nimbuses", "owner", "owners", "topo-history"].iter().any(|k| has(k)) => {
                Self::Other
            }
            () if top.is_empty() => Self::Other,
            () => Self::Drawing(typed(text).map_err(|_| {
                Unusable::Broken(format!(
                    "none of its fields is known, the first is \"{}\"",
                    quoted(top.keys().next().map_or("", String::as_str))
                ))
            })?),
        })
    }
}

#[cfg(feature = "record")]
impl Answer {
    /// Ids of a list of topologies.
    pub(crate) fn listed(&self) -> Option<BTreeSet<String>> {
        let Self::Topologies(list) = self else { return None };
        Some(
            list.topologies
                .iter()
                .map(|topology| topology.id.0.clone())
                .filter(|id| !id.is_empty())
                .collect(),
        )
    }

    /// Components on a topology's page.
    pub(crate) fn components(&self) -> BTreeSet<String> {
        let Self::Topology(page) = self else { return BTreeSet::new() };
        let ids = page.spouts.iter().chain(&page.bolts).map(|component| component.id.0.clone());
        ids.filter(|id| !id.is_empty()).collect()
    }
}

fn typed<T: DeserializeOwned>(text: &str) -> Result<T, Unusable> {
    serde_json::from_str(text).map_err(|error| Unusable::Broken(quoted(&error.to_string())))
}

/// What an error says: the status and its name, never the trace in `errorMessage`.
fn said(text: &str) -> Result<String, Unusable> {
    #[derive(Deserialize)]
    struct Failed {
        error: serde_json::Value,
    }
    let Failed { error } = typed(text)?;
    let words = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
    Ok(quoted(words.lines().next().unwrap_or_default()))
}
