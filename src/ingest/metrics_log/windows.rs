//! When a window is complete.

use super::seen::Seen;
use super::window::Span;
use crate::ingest::{Fault, Remarks};

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

    /// The next window that is complete: every task had the time to tick after it, and its worker to say how long it is
    /// up.
    pub(super) fn next(
        &mut self,
        seen: &mut Seen,
        over: bool,
        remarks: &mut Remarks,
    ) -> Result<Option<Span>, Fault> {
        if over {
            seen.close_before(i64::MAX, remarks)?;
        } else if seen.now < self.check {
            return Ok(None);
        }
        self.check = seen.now + 1;
        let Some(distance) = seen.distance else { return Ok(None) };
        let patience = 2 * distance + LATE;
        if !over && self.grid.is_some() {
            seen.close_before(seen.now - distance, remarks)?;
        }
        let pending = || seen.tasks.iter().flat_map(|task| &task.intervals);
        let Some(earliest) = pending().map(|interval| interval.from).min() else { return Ok(None) };
        let mut grid = self.grid.unwrap_or(Grid { secs: self.secs.unwrap_or(distance), from: earliest });
        if !over && self.grid.is_none() && seen.now < earliest + distance + patience {
            self.check = earliest + distance + patience;
            return Ok(None);
        }
        // Windows without anything in them are passed over.
        grid.from += (earliest - grid.from).max(0) / grid.secs * grid.secs;
        self.grid = Some(grid);
        let to = grid.from + grid.secs;
        if !over {
            self.check = self.check.max(to + patience);
            return Ok((seen.now >= to + patience).then_some(Span { from: grid.from, to }));
        }
        // A log shorter than a window is one of its own.
        let last = pending().map(|interval| interval.to).max().unwrap_or(grid.from);
        let to = if self.made { to } else { to.min(last) };
        Ok((to <= last && to > grid.from).then_some(Span { from: grid.from, to }))
    }

    /// A window is done with.
    pub(super) fn done(&mut self, span: Span, seen: &mut Seen) {
        self.made = true;
        self.check = i64::MIN;
        if let Some(grid) = &mut self.grid {
            grid.from = span.to;
        }
        seen.forget(span.to);
    }
}
