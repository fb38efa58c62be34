//! What a log showed in one window: who was where, and means over the intervals that lie in it.

use super::seen::Seen;
use super::task::{Interval, Task};

/// Intervals longer than so many usual ones are gaps: what was counted in them may lie anywhere.
const GAP: i64 = 10;

/// A window, `from` excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: i64,
    pub(super) to: i64,
}

/// What a log showed in a window.
#[derive(Clone, Copy)]
pub(super) struct Shown<'s> {
    pub(super) seen: &'s Seen,
    pub(super) span: Span,
    gap: i64,
}

impl<'s> Shown<'s> {
    pub(super) fn new(seen: &'s Seen, span: Span) -> Self {
        let gap = seen.distance.unwrap_or(span.to - span.from) * GAP;
        Self { seen, span, gap }
    }

    /// The worker a task was on at the end of the window, if it was there.
    pub(super) fn worker_of(&self, task: &Task) -> Option<usize> {
        let Span { from, to } = self.span;
        let stay = task.stays.iter().rev().find(|stay| stay.first <= to && stay.last > from);
        stay.map(|stay| stay.worker)
    }

    /// Intervals of a task that the window has a part of.
    pub(super) fn intervals(&self, task: &'s Task) -> impl Iterator<Item = &'s Interval> {
        let Span { from, to } = self.span;
        let gap = self.gap;
        (task.intervals.iter()).filter(move |i| i.within(from, to) > 0 && i.to - i.from <= gap)
    }

    /// Mean over the window, as far as intervals cover it.
    pub(super) fn mean(&self, task: &'s Task, of: impl Fn(&Interval) -> Option<f64>) -> Option<f64> {
        let (mut sum, mut secs) = (0.0, 0.0);
        for interval in self.intervals(task) {
            if let Some(figure) = of(interval) {
                let part = interval.within(self.span.from, self.span.to) as f64;
                sum += figure * part;
                secs += part;
            }
        }
        (secs > 0.0).then(|| sum / secs)
    }

    /// The sum of the means of several tasks; none where one is not known.
    pub(super) fn sum(&self, tasks: &[&'s Task], of: impl Fn(&Interval) -> Option<f64>) -> Option<f64> {
        tasks.iter().try_fold(0.0, |sum, task| Some(sum + self.mean(task, &of)?))
    }
}
