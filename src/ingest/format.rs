//! What a recording is, told by its first bytes.

use serde::Serialize;

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
        if super::Recording::is_mine(head) {
            return Some(Self::Recording);
        }
        if super::ui::is_mine(head) {
            return Some(Self::UiAnswer);
        }
        None
    }
}
