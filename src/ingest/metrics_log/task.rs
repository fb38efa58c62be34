//! One task: its counters from tick to tick, and the intervals between two ticks that rates come from.

use std::collections::VecDeque;

use super::names::Metric;
use crate::ingest::{RemarkCode, Remarks};

/// Streams that are kept of one task.
const MOST_COUNTERS: usize = 256;
/// Values of one cut name at one tick: streams whose names are alike as far as they are printed.
const MOST_ALIKE: usize = 64;
/// Tuples a second that no task counts.
const MOST_PER_SEC: f64 = 1e9;

/// What was counted between two ticks of a task on one worker.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Interval {
    /// Seconds since the epoch.
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) worker: usize,
    /// Tuples a second executed; none where it is not known.
    pub(super) executed: Option<f64>,
    /// Tuples a second emitted.
    pub(super) emitted: Option<f64>,
    /// Cores by executed tuples and execute latency; none without a latency.
    pub(super) busy: Option<f64>,
    /// Cores by the gauge `__capacity`, at the end.
    pub(super) capacity: Option<f64>,
    /// Longest execute latency, ms.
    pub(super) latency: Option<f64>,
    /// Tuples a second executed by name of the input.
    pub(super) inputs: Vec<(usize, f64)>,
}

impl Interval {
    /// Seconds of it that lie in a window.
    pub(super) fn within(&self, from: i64, to: i64) -> i64 {
        self.to.min(to) - self.from.max(from)
    }
}

/// Time on one worker.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stay {
    pub(super) worker: usize,
    pub(super) first: i64,
    pub(super) last: i64,
}

/// A task.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) id: i32,
    pub(super) topology: usize,
    pub(super) component: usize,
    /// Where it was, oldest first; never empty.
    pub(super) stays: VecDeque<Stay>,
    /// A worker that showed it too, and when.
    pub(super) elsewhere: Option<(usize, i64)>,
    /// It has shown `__capacity`: the first task of its executor.
    pub(super) leads: bool,
    /// Oldest first.
    pub(super) intervals: VecDeque<Interval>,
    tick: Option<Tick>,
    last: Option<(i64, usize)>,
    counters: Vec<Counter>,
    latencies: Vec<(usize, f64)>,
    capacity: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Tick {
    at: i64,
    worker: usize,
    /// Something was counted: not only a metric of the user's.
    counts: bool,
    /// Dialect V2: counters since the worker's start.
    flat: bool,
    /// Dialect V1 printed its map of executed tuples, and of emitted ones: what is not in it is 0.
    executed: bool,
    emitted: bool,
}

#[derive(Debug)]
struct Counter {
    metric: Metric,
    name: usize,
    flat: bool,
    cut: bool,
    /// Values of this tick in the order they were printed.
    now: Vec<f64>,
    /// A value that came twice was taken for one.
    merged: bool,
    before: Before,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Before {
    /// It was never printed: it is created with the first tuple.
    New,
    /// Streams of the name, their sum, and whether two may have been taken for one.
    Known { streams: usize, sum: f64, doubtful: bool },
    /// It was not printed at the last tick.
    Lost,
}

/// The names of inputs, for finding a counter and what belongs to it.
pub(super) type Names = [Box<[u8]>];

impl Task {
    pub(super) fn new(id: i32, topology: usize, component: usize, worker: usize, at: i64) -> Self {
        Self {
            id,
            topology,
            component,
            stays: VecDeque::from([Stay { worker, first: at, last: at }]),
            elsewhere: None,
            leads: false,
            intervals: VecDeque::new(),
            tick: None,
            last: None,
            counters: Vec::new(),
            latencies: Vec::new(),
            capacity: None,
        }
    }

    /// Where it is now.
    pub(super) fn stay(&mut self) -> &mut Stay {
        self.stays.back_mut().expect("a task is somewhere")
    }

    /// The tick being read.
    pub(super) fn at(&self) -> Option<i64> {
        self.tick.map(|tick| tick.at)
    }

    /// Begins a tick; the one before must have been closed.
    pub(super) fn begin(&mut self, at: i64, worker: usize) {
        let (counts, flat, executed, emitted) = (false, false, false, false);
        self.tick = Some(Tick { at, worker, counts, flat, executed, emitted });
    }

    /// The tick shows a map of V1.
    pub(super) fn mapped(&mut self, metric: Metric) {
        if let Some(tick) = &mut self.tick {
            tick.counts = true;
            tick.executed |= metric == Metric::Executed;
            tick.emitted |= metric == Metric::Emitted;
        }
    }

    /// The tick shows that this is a V2 tick.
    pub(super) fn pulse(&mut self) {
        if let Some(tick) = &mut self.tick {
            (tick.counts, tick.flat) = (true, true);
        }
    }

    /// Notes a counter's value; false where the task has too many.
    pub(super) fn count(&mut self, metric: Metric, name: usize, flat: bool, cut: bool, value: f64) -> bool {
        let Some(tick) = &mut self.tick else { return true };
        tick.counts = true;
        tick.flat |= flat;
        let known = |c: &Counter| c.metric == metric && c.name == name && c.flat == flat;
        let at = match self.counters.iter().position(known) {
            Some(at) => at,
            None if self.counters.len() == MOST_COUNTERS => return false,
            None => {
                let (now, merged, before) = (Vec::new(), false, Before::New);
                self.counters.push(Counter { metric, name, flat, cut, now, merged, before });
                self.counters.len() - 1
            }
        };
        let now = &mut self.counters[at].now;
        if now.len() < MOST_ALIKE {
            now.push(value);
        }
        true
    }

    /// Notes an execute latency, ms.
    pub(super) fn latency(&mut self, name: usize, ms: f64) {
        if self.latencies.len() < MOST_COUNTERS {
            self.latencies.push((name, ms));
        }
    }

    /// Notes the load of its executor, cores.
    pub(super) fn capacity(&mut self, cores: f64) {
        self.capacity = Some(cores);
        self.leads = true;
    }

    /// Ends the tick. `started` says when the worker's JVM started last before a time, where that is known.
    pub(super) fn close(
        &mut self,
        names: &Names,
        started: impl Fn(usize, i64) -> Option<i64>,
        remarks: &mut Remarks,
        place: impl Fn(usize) -> String,
    ) {
        let Some(tick) = self.tick.take() else { return };
        if !tick.counts {
            return;
        }
        let last = self.last.replace((tick.at, tick.worker));
        let latencies = std::mem::take(&mut self.latencies);
        let capacity = self.capacity.take();
        let repeated: usize = self.counters.iter_mut().map(Counter::settle).sum();
        if repeated > 0 {
            remarks.add(RemarkCode::Duplicate, || {
                format!(
                    "task {} of {} at {}: {repeated} counts came twice",
                    self.id,
                    place(tick.worker),
                    tick.at
                )
            });
        }
        let start = started(tick.worker, tick.at).filter(|start| last.is_some_and(|(at, _)| *start > at));
        let moved = last.is_some_and(|(_, worker)| worker != tick.worker);
        let fell = tick.flat && !moved && self.counters.iter().any(Counter::fell);
        let restarted = start.is_some() || moved || fell;
        if last.is_some() && !moved && restarted {
            remarks.add(RemarkCode::Restarted, || {
                format!("{} before {}: the counters of its tasks begin anew", place(tick.worker), tick.at)
            });
        }
        if tick.flat && restarted {
            self.counters.iter_mut().for_each(|counter| counter.before = Before::New);
        }
        // Without the time of the start the rate since then is not known either.
        let from = if restarted { start } else { last.map(|(at, _)| at) };
        let secs = from.map_or(0, |from| tick.at - from) as f64;
        let of = |metric| move |counter: &&Counter| counter.metric == metric && counter.flat == tick.flat;
        // A counter of V2 is created with its first tuple: none is 0. V1 prints an empty map.
        let rate = |metric, printed: bool| {
            let mut counters = self.counters.iter().filter(of(metric));
            let sum = counters.try_fold(0.0, |sum, counter| Some(sum + counter.difference()?))?;
            Some(sum / secs).filter(|rate| printed && *rate <= MOST_PER_SEC)
        };
        let mut interval = Interval {
            from: from.unwrap_or(tick.at),
            to: tick.at,
            worker: tick.worker,
            executed: rate(Metric::Executed, tick.flat || tick.executed),
            emitted: rate(Metric::Emitted, tick.flat || tick.emitted),
            busy: None,
            capacity,
            latency: latencies.iter().map(|(_, ms)| *ms).reduce(f64::max),
            inputs: Vec::new(),
        };
        let mut busy = Some(0.0);
        for counter in self.counters.iter().filter(of(Metric::Executed)) {
            let Some(tuples) = counter.difference() else { continue };
            if counter.now.len() == 1 {
                interval.inputs.push((counter.name, tuples / secs));
            }
            let ms = mean_latency(&latencies, names, &names[counter.name], tick.flat);
            busy = match (busy, ms) {
                (busy, _) if tuples == 0.0 => busy,
                (Some(busy), Some(ms)) => Some(busy + tuples * ms / 1000.0 / secs),
                _ => None,
            };
        }
        interval.busy = busy.filter(|_| interval.executed.is_some());
        self.counters.iter_mut().filter(|counter| counter.flat == tick.flat).for_each(Counter::keep);
        if secs > 0.0 {
            self.intervals.push_back(interval);
        }
    }

    /// Names of its counters of a kind, whether they may be cut, and whether several streams share them.
    pub(super) fn names(&self, metric: Metric) -> impl Iterator<Item = (usize, bool, bool)> {
        let all = self.counters.iter().filter(move |counter| counter.metric == metric);
        all.map(|counter| (counter.name, counter.cut, counter.shared()))
    }

    /// Forgets what ended before a time.
    pub(super) fn forget(&mut self, before: i64) {
        while self.intervals.front().is_some_and(|interval| interval.to <= before) {
            self.intervals.pop_front();
        }
        while self.stays.len() > 1 && self.stays[0].last <= before {
            self.stays.pop_front();
        }
    }
}

/// Latency of an input; of the several that a cut name of V2 may stand for, their mean.
fn mean_latency(latencies: &[(usize, f64)], names: &Names, input: &[u8], flat: bool) -> Option<f64> {
    let fits =
        |name: &[u8]| if flat { input.starts_with(name) || name.starts_with(input) } else { input == name };
    let (sum, count) = latencies
        .iter()
        .filter(|(name, _)| fits(&names[*name]))
        .fold((0.0, 0), |(sum, count), (_, ms)| (sum + ms, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

impl Counter {
    /// Leaves each stream's value once; how many were there twice.
    ///
    /// A tick that is delivered twice prints the same line twice. So do two streams whose names are cut alike and whose
    /// counts are equal; that is believed where the tick before had that many streams.
    fn settle(&mut self) -> usize {
        if self.now.len() < 2 {
            return 0;
        }
        if !self.cut || !self.flat {
            let more = self.now.len() - 1;
            self.now.truncate(1);
            return more;
        }
        let mut distinct: Vec<f64> = Vec::new();
        let mut again = Vec::new();
        for value in &self.now {
            if distinct.contains(value) { again.push(*value) } else { distinct.push(*value) }
        }
        if let Before::Known { streams, .. } = self.before {
            let missing = streams.saturating_sub(distinct.len()).min(again.len());
            distinct.extend(again.drain(..missing));
        }
        self.now = distinct;
        self.merged = !again.is_empty();
        again.len()
    }

    fn sum(&self) -> f64 {
        self.now.iter().sum()
    }

    /// A counter only falls when its worker begins anew.
    fn fell(&self) -> bool {
        let Before::Known { streams, sum, .. } = self.before else { return false };
        self.now.len() >= streams && self.sum() < sum
    }

    /// Tuples since the tick before.
    fn difference(&self) -> Option<f64> {
        match self.before {
            Before::New => Some(self.sum()),
            _ if !self.flat => Some(self.sum()),
            _ if self.now.is_empty() => None,
            Before::Known { streams, sum, doubtful } => {
                let same = self.now.len() == streams || (self.now.len() > streams && !doubtful);
                Some(self.sum() - sum).filter(|tuples| same && *tuples >= 0.0)
            }
            Before::Lost => None,
        }
    }

    fn keep(&mut self) {
        self.before = match (self.now.len(), self.before) {
            (0, Before::New) => Before::New,
            (0, _) => Before::Lost,
            (streams, _) => Before::Known { streams, sum: self.sum(), doubtful: self.merged },
        };
        self.merged = false;
        self.now.clear();
    }

    fn shared(&self) -> bool {
        matches!(self.before, Before::Known { streams: 2.., .. })
    }
}
