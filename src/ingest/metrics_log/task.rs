//! One task: the intervals between two ticks, which rates come from.

use std::collections::VecDeque;

use super::counter::Counter;
use super::names::Metric;
use crate::ingest::{RemarkCode, Remarks};

/// Streams that are kept of one task.
const MOST_COUNTERS: usize = 256;
/// Tuples a second that no task counts.
const MOST_PER_SEC: f64 = 1e9;
/// Largest load of an executor that is believed, cores.
const MOST_CORES: f64 = 1e4;

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

/// A counter that is not kept yet.
pub(super) struct NewCounter {
    metric: Metric,
    name: usize,
    flat: bool,
    value: f64,
}

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

    /// The latest tick of all.
    pub(super) fn newest(&self) -> Option<i64> {
        self.at().or(self.last.map(|(at, _)| at))
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

    /// Notes a counter's value.
    ///
    /// # Errors
    ///
    /// The counter, where it is a new one.
    pub(super) fn count(
        &mut self,
        metric: Metric,
        name: usize,
        flat: bool,
        value: f64,
    ) -> Result<(), NewCounter> {
        if let Some(tick) = &mut self.tick {
            tick.counts = true;
            tick.flat |= flat;
        }
        let known =
            |counter: &&mut Counter| counter.name == name && counter.metric == metric && counter.flat == flat;
        match self.counters.iter_mut().find(known) {
            Some(counter) => counter.add(value),
            None => return Err(NewCounter { metric, name, flat, value }),
        }
        Ok(())
    }

    /// One more counter may be kept.
    pub(super) fn has_room(&self) -> bool {
        self.counters.len() < MOST_COUNTERS
    }

    /// Keeps a counter from now on; its name may be cut.
    pub(super) fn begin_to_count(&mut self, new: NewCounter, cut: bool) {
        self.counters.push(Counter::new(new.metric, new.name, new.flat, cut, new.value));
    }

    /// Notes an execute latency, ms.
    pub(super) fn latency(&mut self, name: usize, ms: f64) {
        if ms >= 0.0 && self.latencies.len() < MOST_COUNTERS {
            self.latencies.push((name, ms));
        }
    }

    /// Notes the load of its executor, cores; false where it cannot be.
    pub(super) fn capacity(&mut self, cores: f64) -> bool {
        self.leads = true;
        let believed = (0.0..=MOST_CORES).contains(&cores);
        if believed {
            self.capacity = Some(cores);
        }
        believed
    }

    /// Ends the tick. `started` says when the JVM of a worker at a time had started, where that is known. Gives the
    /// length in seconds of the interval since the tick before, where there is one.
    pub(super) fn close(
        &mut self,
        names: &[Box<[u8]>],
        started: impl Fn(usize, i64) -> Option<i64>,
        remarks: &mut Remarks,
        place: impl Fn(usize) -> String,
    ) -> Option<i64> {
        let tick = self.tick.take()?;
        let latencies = std::mem::take(&mut self.latencies);
        let capacity = self.capacity.take();
        if !tick.counts {
            return None;
        }
        let last = self.last.replace((tick.at, tick.worker));
        let repeated: usize = self.counters.iter_mut().map(Counter::settle).sum();
        if repeated > 0 {
            remarks.add(RemarkCode::Duplicate, || {
                format!(
                    "task {} at {}: {repeated} counts came twice from {}",
                    self.id,
                    tick.at,
                    place(tick.worker)
                )
            });
        }
        let start = started(tick.worker, tick.at).filter(|start| last.is_some_and(|(at, _)| *start > at));
        let moved = last.is_some_and(|(_, worker)| worker != tick.worker);
        let restarted = start.is_some() || moved || self.counters.iter().any(Counter::fell);
        if last.is_some() && !moved && restarted {
            remarks.add(RemarkCode::Restarted, || {
                format!("{} before {}: the counters of its tasks begin anew", place(tick.worker), tick.at)
            });
        }
        if restarted {
            self.counters.iter_mut().for_each(Counter::begin_anew);
        }
        // Without the time of the start the rate since then is not known either.
        let from = if restarted { start } else { last.map(|(at, _)| at) };
        let interval = from.map(|from| self.interval(from, tick, capacity, &latencies, names));
        self.counters.iter_mut().filter(|counter| counter.flat == tick.flat).for_each(Counter::keep);
        let secs = interval.as_ref().map(|interval| interval.to - interval.from);
        self.intervals.extend(interval.filter(|interval| interval.to > interval.from));
        secs.filter(|secs| *secs > 0)
    }

    fn interval(
        &self,
        from: i64,
        tick: Tick,
        capacity: Option<f64>,
        latencies: &[(usize, f64)],
        names: &[Box<[u8]>],
    ) -> Interval {
        let secs = (tick.at - from) as f64;
        let of = |metric| move |counter: &&Counter| counter.metric == metric && counter.flat == tick.flat;
        // A counter of V2 is created with its first tuple: none is 0. V1 prints an empty map.
        let rate = |metric, printed: bool| {
            let mut counters = self.counters.iter().filter(of(metric));
            let sum = counters.try_fold(0.0, |sum, counter| Some(sum + counter.difference()?))?;
            Some(sum / secs).filter(|rate| printed && *rate <= MOST_PER_SEC)
        };
        let executed = rate(Metric::Executed, tick.flat || tick.executed);
        let mut inputs = Vec::new();
        let mut busy = executed.map(|_| 0.0);
        for counter in self.counters.iter().filter(of(Metric::Executed)) {
            let Some(tuples) = counter.difference() else { continue };
            if counter.streams() < 2 {
                inputs.push((counter.name, tuples / secs));
            }
            if tuples > 0.0 {
                let ms = mean_latency(latencies, names, &names[counter.name], tick.flat);
                busy = busy.zip(ms).map(|(busy, ms)| busy + tuples * ms / 1000.0 / secs);
            }
        }
        Interval {
            from,
            to: tick.at,
            worker: tick.worker,
            executed,
            emitted: rate(Metric::Emitted, tick.flat || tick.emitted),
            busy: busy.filter(|cores| *cores <= MOST_CORES),
            capacity,
            latency: latencies.iter().map(|(_, ms)| *ms).reduce(f64::max),
            inputs,
        }
    }

    /// Names of executed counters that several streams share.
    pub(super) fn shared(&self) -> impl Iterator<Item = usize> {
        let executed = |counter: &&Counter| counter.metric == Metric::Executed && counter.shared();
        self.counters.iter().filter(executed).map(|counter| counter.name)
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
fn mean_latency(latencies: &[(usize, f64)], names: &[Box<[u8]>], input: &[u8], flat: bool) -> Option<f64> {
    let fits =
        |name: &[u8]| if flat { input.starts_with(name) || name.starts_with(input) } else { input == name };
    let (sum, count) = latencies
        .iter()
        .filter(|(name, _)| fits(&names[*name]))
        .fold((0.0, 0), |(sum, count), (_, ms)| (sum + ms, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}
