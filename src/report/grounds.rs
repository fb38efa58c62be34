//! What a replay rests on: what was measured, and what was guessed.

use super::words::{counted, percent};
use crate::ingest::{Format, RemarkCode};
use crate::replay::Outcome;

/// Where loads come from, in words, and whether they were measured.
pub(super) struct Source<'a> {
    pub(super) name: &'a str,
    pub(super) about: &'static str,
    /// Measured, guessed, or unknown; a class of the page's style.
    pub(super) kind: &'static str,
    pub(super) executors: u64,
    /// Of all executors of all windows.
    pub(super) share: f64,
}

/// The sources, measured ones first.
pub(super) fn sources(outcome: &Outcome) -> Vec<Source<'_>> {
    let all: u64 = outcome.sources.iter().map(|source| source.executors).sum();
    let source = |name: &'static str| match name {
        "hook" => ("measured", "CPU time of the executor's thread, measured by Ballast's task hook"),
        "stats" => ("measured", "tuples executed times the time of each, from Storm's statistics"),
        "worker" => ("guessed", "a share of what its worker's process used"),
        "request" => ("guessed", "the CPU that the component asks for, whatever it uses"),
        "estimate" => ("guessed", "inferred from other executors, or assumed"),
        _ => ("unknown", "nothing is known of it"),
    };
    let known = ["hook", "stats", "worker", "request", "estimate"];
    let mut ordered: Vec<_> = outcome.sources.iter().collect();
    ordered.sort_by_key(|of| known.iter().position(|name| of.source == *name).unwrap_or(known.len()));
    ordered
        .into_iter()
        .map(|of| {
            let (kind, about) = source(known.into_iter().find(|name| of.source == *name).unwrap_or("none"));
            let share = if all == 0 { 0.0 } else { of.executors as f64 / all as f64 };
            Source { name: &of.source, about, kind, executors: of.executors, share }
        })
        .collect()
}

/// The caveats a reader must not miss, most important first; empty where there is none.
pub(super) fn caveats(outcome: &Outcome) -> Vec<String> {
    let mut caveats = Vec::new();
    caveats.push(match outcome.coverage {
        Some(all) if all >= 1.0 => {
            "Every load that statistics can measure, that of bolts, was measured.".to_owned()
        }
        Some(part) => format!(
            "{} of the loads that statistics can measure, those of bolts, were measured.",
            percent(part)
        ),
        None => "How much of the load was measured is not known.".to_owned(),
    });
    let of_kind = |kind: &str| {
        sources(outcome).iter().filter(|source| source.kind == kind).map(|source| source.share).sum::<f64>()
    };
    let (guessed, unknown) = (of_kind("guessed"), of_kind("unknown"));
    if guessed > 0.0 {
        caveats.push(format!("{} of all executors stand with a guessed load.", percent(guessed)));
    }
    if unknown > 0.0 {
        caveats.push(format!("The load of {} of all executors is not known at all.", percent(unknown)));
    }
    if outcome.windows_unmeasured == outcome.windows {
        caveats.push("Nothing was measured in any window: all figures rest on guesses.".to_owned());
    } else if outcome.windows_unmeasured > 0 {
        caveats.push(format!(
            "In {} of {} nothing was measured; only their restarts count.",
            counted(outcome.windows_unmeasured, "window"),
            outcome.windows
        ));
    }
    if outcome.windows_refused > 0 {
        caveats.push(format!(
            "For {} of {} no plan could be made.",
            counted(outcome.windows_refused, "window"),
            outcome.windows
        ));
    }
    let remarks: u64 = outcome.remarks.iter().map(|remark| remark.count).sum();
    if remarks > 0 {
        caveats.push(format!("{} on what the recordings say or leave out.", counted(remarks, "remark")));
    }
    caveats
}

/// A format in words.
pub(super) fn format(format: Format) -> &'static str {
    match format {
        Format::Recording => "Ballast's recording",
        Format::MetricsLog => "worker.log.metrics",
        Format::UiAnswer => "answers of the Storm UI",
        Format::LoadgenCapture => "storm-loadgen capture",
        Format::Loads => "CSV of executor loads",
    }
}

/// A remark in words.
pub(super) fn remark(code: RemarkCode) -> (&'static str, &'static str) {
    match code {
        RemarkCode::Conflict => ("conflict", "sources disagree on a load; the more trusted one counts"),
        RemarkCode::Contradiction => ("contradiction", "figures that cannot all be true; left out"),
        RemarkCode::Cut => ("cut", "a line that ends in the middle, or bytes that are no text"),
        RemarkCode::Duplicate => ("duplicate", "the same line twice"),
        RemarkCode::Frozen => ("frozen", "a counter stands still with its gauges: nothing ran"),
        RemarkCode::Guessed => ("guessed", "the recording does not say; this was taken for it"),
        RemarkCode::Hidden => ("hidden", "executors that the recording counts and does not show"),
        RemarkCode::Negative => ("negative", "a negative count"),
        RemarkCode::NoHeartbeat => {
            ("no heartbeat", "a worker without a heartbeat: its executors have no figures")
        }
        RemarkCode::Restarted => ("restarted", "counters began anew: the worker was restarted"),
        RemarkCode::Stale => ("stale", "executors of an earlier parallelism"),
        RemarkCode::Unbelievable => ("unbelievable", "a figure that cannot be believed; left out"),
        RemarkCode::Unknown => ("unknown", "lines or files not understood; left out"),
        RemarkCode::Young => ("young", "executors too young for their figures to mean anything"),
    }
}
