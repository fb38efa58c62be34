//! When a window is complete.

use super::request::Span;
use super::seen::Seen;
use crate::ingest::Remarks;

/// Seconds after which no more lines of a tick are expected: consumers queue, and clocks differ.
const LATE: i64 = 10;

/// Windows of one length, one after the other, from the first tick on.
#[derive(Debug)]
pub(super) struct Windows {
    secs: Option<i64>,
    grid: Option<Grid>,
    /// Nothing is to be looked for before this time.
    check: i64,
    made: bool,
}

#[derive(Debug, Clone, Copy)]
struct Grid {
    secs: i64,
    /// Start of the window that comes next.
    from: i64,
}

impl Windows {
    pub(super) fn new(secs: Option<i64>) -> Self {
        Self { secs, grid: None, check: i64::MIN, made: false }
    }

    /// The next window that is complete: every task that ticks had the time to tick after it.
    pub(super) fn next(&mut self, seen: &mut Seen, over: bool, remarks: &mut Remarks) -> Option<Span> {
        if over {
            seen.close_before(i64::MAX, remarks);
        } else if seen.now < self.check {
            return None;
        }
        let Some(distance) = seen.distance else {
            self.check = seen.now + 1;
            return None;
        };
        let patience = 2 * distance + LATE;
        let grid = match self.grid {
            Some(grid) => grid,
            None => {
                let first = seen.tasks.iter().flat_map(|task| &task.intervals).map(|i| i.from).min()?;
                if !over && seen.now < first + distance + patience {
                    self.check = first + distance + patience;
                    return None;
                }
                Grid { secs: self.secs.unwrap_or(distance), from: first }
            }
        };
        if !over {
            seen.close_before(seen.now - LATE, remarks);
        }
        let pending = || seen.tasks.iter().flat_map(|task| &task.intervals).filter(|i| i.to > grid.from);
        let earliest = pending().map(|interval| interval.from).min();
        let skipped = earliest.map_or(0, |from| (from - grid.from).max(0) / grid.secs);
        let grid = Grid { from: grid.from + skipped * grid.secs, ..grid };
        self.grid = Some(grid);
        let to = grid.from + grid.secs;
        if !over {
            if earliest.is_some() && seen.now >= to + patience {
                return Some(Span { from: grid.from, to });
            }
            self.check = (to + patience).max(seen.now + 1);
            return None;
        }
        // A log shorter than a window is one of its own.
        let last = pending().map(|interval| interval.to).max()?;
        let to = if self.made { to } else { to.min(last) };
        (to <= last).then_some(Span { from: grid.from, to })
    }

    /// A window is done with.
    pub(super) fn done(&mut self, span: Span, seen: &mut Seen) {
        self.made = true;
        self.check = i64::MIN;
        if let Some(grid) = &mut self.grid {
            grid.from = span.to;
        }
        seen.tasks.iter_mut().for_each(|task| task.forget(span.to));
    }
}
