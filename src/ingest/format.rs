//! What a recording is, told by its first bytes.

use serde::Serialize;

/// Formats of recordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Ballast's own: requests, one JSON object each (`ballast.record.dir`, `ballast record`).
    Recording,
    /// `worker.log.metrics` of `org.apache.storm.metric.LoggingMetricsConsumer`.
    MetricsLog,
    /// Saved answers of the Storm UI's REST API.
    UiAnswer,
    /// A capture of `storm-loadgen`, YAML.
    LoadgenCapture,
    /// A table of executor loads, CSV.
    Loads,
}
