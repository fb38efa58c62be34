//! What a recording is, told by its first bytes.

use serde::Serialize;

use super::{Loadgen, Loads, Recording, metrics_log, ui};

/// Formats of recordings, the one that knows most of a cluster's structure first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Ballast's own: requests, one JSON object each (`ballast.record.dir`, `ballast record`).
    Recording,
    /// Saved answers of the Storm UI's REST API.
    UiAnswer,
    /// `worker.log.metrics` of `org.apache.storm.metric.LoggingMetricsConsumer`.
    MetricsLog,
    /// A table of executor loads, CSV.
    Loads,
    /// A capture of `storm-loadgen`, YAML.
    LoadgenCapture,
}

impl Format {
    /// The format of what begins like this; none where it is none of them.
    pub fn of(head: &[u8]) -> Option<Self> {
        match () {
            () if Recording::is_mine(head) => Some(Self::Recording),
            () if metrics_log::is_mine(head) => Some(Self::MetricsLog),
            () if Loads::is_mine(head) => Some(Self::Loads),
            () if ui::is_mine(head) => Some(Self::UiAnswer),
            () if Loadgen::is_mine(head) => Some(Self::LoadgenCapture),
            () => None,
        }
    }
}
