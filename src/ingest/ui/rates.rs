//! Rates from counts: what an executor counted in its page's window, over the part of the window that it has lived.

use super::lenient::Num;
use super::shapes::{ComponentPage, ExecutorStats};
use crate::ingest::{RemarkCode, Remarks, quoted};

/// Largest rate of tuples that the wire takes.
pub(super) const MOST_PER_SEC: f64 = 1e9;

/// Seconds that an executor counted for: its window, or its life if that is shorter. Absent without a heartbeat.
pub(super) fn counted_secs(page: &ComponentPage, stats: &ExecutorStats) -> Option<f64> {
    let uptime = stats.uptime_seconds.positive().filter(|secs| *secs > 0.0)?;
    // `:all-time`, and anything that is no number of seconds.
    let window: f64 = page.window.0.parse().unwrap_or(f64::INFINITY);
    let secs = if window > 0.0 { uptime.min(window) } else { uptime };
    Some(secs)
}

/// A count as a rate; absent where it is negative or cannot be believed.
pub(super) fn rate(
    count: Num,
    secs: Option<f64>,
    what: impl Fn() -> String,
    remarks: &mut Remarks,
) -> Option<f64> {
    if count.negative() {
        remarks.add(RemarkCode::Negative, || format!("{}: {}", what(), count.0.unwrap_or_default()));
    }
    let rate = count.positive()? / secs?;
    if rate > MOST_PER_SEC {
        remarks.add(RemarkCode::Unbelievable, || format!("{}: {rate} tuples a second", what()));
        return None;
    }
    Some(rate)
}

/// What one count of a component is worth a second, all its executors together: their rates over their counts.
///
/// Streams are counted for the component, over executors that may have lived differently long.
pub(super) struct PerSec {
    /// Tuples a second of one counted tuple; absent where nothing was counted.
    pub(super) received: Option<f64>,
    /// The same for emitted tuples.
    pub(super) emitted: Option<f64>,
}

impl PerSec {
    /// Of a component.
    pub(super) fn of(page: &ComponentPage) -> Self {
        let worth = |count: &dyn Fn(&ExecutorStats) -> Num| {
            let (mut counts, mut rates) = (0.0, 0.0);
            for stats in &page.executor_stats {
                if let (Some(count), Some(secs)) = (count(stats).positive(), counted_secs(page, stats)) {
                    counts += count;
                    rates += count / secs;
                }
            }
            (counts > 0.0).then(|| rates / counts)
        };
        Self { received: worth(&|stats| stats.executed), emitted: worth(&|stats| stats.emitted) }
    }
}

/// Notes counts of streams that are below zero; they are left out wherever they would count.
pub(super) fn remark_negative(page: &ComponentPage, remarks: &mut Remarks) {
    let inputs = page.input_stats.iter().map(|stream| ("executed", stream, stream.executed));
    let outputs = page.output_stats.iter().map(|stream| ("emitted", stream, stream.emitted));
    for (what, stream, count) in inputs.chain(outputs).filter(|(_, _, count)| count.negative()) {
        remarks.add(RemarkCode::Negative, || {
            let (component, stream) = (quoted(&page.id.0), quoted(&stream.stream.0));
            format!("{component}, stream {stream}: {what} {}", count.0.unwrap_or_default())
        });
    }
}
