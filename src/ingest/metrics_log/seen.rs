//! What a log has shown so far of each task, and the ticks it is read by.

use std::collections::HashMap;

use super::line::Header;
use super::names::{Metric, OfWorker, counter, figure, map, named, named_of_worker};
use super::tables::{Tables, too_many};
use super::task::{Stay, Task};
use crate::ingest::{Fault, RemarkCode, Remarks, quoted};

/// Tasks of one log, counters of all of them, and intervals that wait for their window: with them memory is bounded.
const MOST_TASKS: usize = 200_000;
const MOST_COUNTERS: usize = 2_000_000;
const MOST_WAITING: usize = 4_000_000;
/// Distances of ticks that are kept to tell the usual one.
const DISTANCES: usize = 4096;
/// Longest distance that two ticks are believed to have, s.
const LONGEST_DISTANCE: i64 = 86_400;
/// Storm's default distance of two ticks, s, until some were seen. No rate is ever based on it.
const USUAL_SECS: i64 = 60;

/// Whose tick a line belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    worker: usize,
    /// None: the worker's own.
    task: Option<usize>,
    at: i64,
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) tables: Tables,
    pub(super) tasks: Vec<Task>,
    /// Latest time stamp.
    pub(super) now: i64,
    /// Something counted tuples.
    pub(super) counted: bool,
    /// The usual distance of two ticks, s: the median of those seen.
    pub(super) distance: Option<i64>,
    distances: Vec<i64>,
    counters: usize,
    waiting: usize,
    /// Only ever asked for single keys, so its order reaches nothing.
    task_of: HashMap<(usize, i32), usize>,
}

impl Seen {
    /// The tick a header belongs to, which may end the one before; none where its lines do not count.
    pub(super) fn place(
        &mut self,
        topology: usize,
        header: &Header<'_>,
        remarks: &mut Remarks,
    ) -> Result<Option<Place>, Fault> {
        let at = header.at;
        self.now = self.now.max(at);
        let worker = self.tables.worker(topology, header.host, header.port, at)?;
        if header.task < 0 {
            return Ok(Some(Place { worker, task: None, at }));
        }
        let component = self.tables.component(topology, header.component)?;
        let task = match self.task_of.get(&(topology, header.task)) {
            Some(task) => *task,
            None if self.tasks.len() == MOST_TASKS => return Err(too_many("tasks", MOST_TASKS)),
            None => {
                self.tasks.push(Task::new(header.task, topology, component, worker, at));
                self.task_of.insert((topology, header.task), self.tasks.len() - 1);
                self.tasks.len() - 1
            }
        };
        if !self.stays_at(task, worker, at)? {
            return Ok(None);
        }
        let it = &self.tasks[task];
        if it.at() == Some(at) {
            return Ok(Some(Place { worker, task: Some(task), at }));
        }
        if it.newest().is_some_and(|newest| at <= newest) {
            remarks.add(RemarkCode::Unknown, || {
                format!("task {} at {at}: older than what was read of it before", header.task)
            });
            return Ok(None);
        }
        self.close(task, remarks)?;
        self.tasks[task].component = component;
        self.tasks[task].begin(at, worker);
        Ok(Some(Place { worker, task: Some(task), at }))
    }

    /// Notes where a task is; false where the line is too old to count.
    fn stays_at(&mut self, task: usize, worker: usize, at: i64) -> Result<bool, Fault> {
        let usual = self.distance.unwrap_or(USUAL_SECS);
        let it = &mut self.tasks[task];
        let stay = *it.stay();
        if stay.worker == worker {
            it.stay().last = stay.last.max(at);
            return Ok(true);
        }
        // A task that moves is silent until its new worker ticks; so it cannot be back within less than two ticks.
        let back = it.elsewhere.is_some_and(|(other, then)| other == worker && (at - then) * 2 < usual * 3);
        if stay.last == at || back {
            let (one, other) = (self.tables.place(stay.worker), self.tables.place(worker));
            return Err(Fault::new(
                format!("task {} at {at}", it.id),
                format!("{one} and {other} show it at one time"),
                "a line names no topology: give the logs of one topology at a time, or keep them below \
                 workers-artifacts/<topology-id>/<port>/",
            ));
        }
        if at < stay.last {
            it.elsewhere = Some((worker, at));
            return Ok(false);
        }
        it.elsewhere = Some((stay.worker, stay.last));
        it.stays.push_back(Stay { worker, first: at, last: at });
        Ok(true)
    }

    /// Notes a line.
    pub(super) fn note(
        &mut self,
        place: Place,
        name: &[u8],
        value: &[u8],
        remarks: &mut Remarks,
    ) -> Result<(), Fault> {
        let Some(task) = place.task else {
            let worker = &mut self.tables.workers[place.worker];
            match named_of_worker(name) {
                Some(OfWorker::Uptime) => {
                    let uptime = counter(value).filter(|uptime| (0..=place.at).contains(uptime));
                    uptime.into_iter().for_each(|uptime| worker.up_since(place.at - uptime));
                }
                Some(OfWorker::Cpu) => worker.cpu = figure(value),
                None => {}
            }
            return Ok(());
        };
        let Some(named) = named(name) else { return Ok(()) };
        let id = self.tasks[task].id;
        let left_out = || {
            let (name, value) = (String::from_utf8_lossy(name), String::from_utf8_lossy(value));
            format!("task {id} at {}: {} = {} is left out", place.at, quoted(&name), quoted(&value))
        };
        match (named.metric, named.of) {
            (Metric::Pulse, _) => self.tasks[task].pulse(),
            (Metric::OfSpouts, _) => {
                let component = self.tasks[task].component;
                self.tables.components[component].spout = true;
            }
            (Metric::Capacity, _) => match figure(value) {
                Some(cores) if self.tasks[task].capacity(cores) => {}
                // `NaN` is Storm's way to say that it does not know.
                None => {}
                Some(_) => remarks.add(RemarkCode::Unbelievable, left_out),
            },
            (Metric::Latency, Some(of)) => {
                if let (Some(ms), Some(name)) = (figure(value), self.tables.name(of)?) {
                    self.tasks[task].latency(name, ms);
                }
            }
            (metric, Some(of)) => match (counter(value), self.tables.name(of)?) {
                (Some(count), _) if count < 0 => remarks.add(RemarkCode::Negative, left_out),
                (Some(count), Some(name)) => {
                    self.count(task, metric, (name, true, named.cut), count as f64, remarks);
                }
                _ => {}
            },
            (metric, None) => {
                let Some(entries) = map(value) else { return Ok(()) };
                self.counted = true;
                self.tasks[task].mapped(metric);
                for (key, figure) in entries {
                    let Some(name) = self.tables.name(key)? else { continue };
                    match metric {
                        Metric::Latency => self.tasks[task].latency(name, figure),
                        _ if figure < 0.0 => remarks.add(RemarkCode::Negative, left_out),
                        _ => self.count(task, metric, (name, false, false), figure, remarks),
                    }
                }
            }
        }
        Ok(())
    }

    fn count(
        &mut self,
        task: usize,
        metric: Metric,
        (name, flat, cut): (usize, bool, bool),
        value: f64,
        remarks: &mut Remarks,
    ) {
        self.counted = true;
        let it = &mut self.tasks[task];
        match it.count(metric, name, flat, value) {
            Ok(()) => {}
            Err(new) if self.counters < MOST_COUNTERS && it.has_room() => {
                self.counters += 1;
                it.begin_to_count(new, cut);
                self.tables.components[it.component].note(metric, name, cut);
            }
            Err(_) => {
                remarks.add(RemarkCode::Unknown, || format!("task {}: more streams than are kept", it.id))
            }
        }
    }

    /// Ends the tick a task is in.
    fn close(&mut self, task: usize, remarks: &mut Remarks) -> Result<(), Fault> {
        let Self { tasks, tables, .. } = self;
        let started = |worker: usize, by: i64| tables.workers[worker].started(by);
        let Some(secs) = tasks[task].close(&tables.names, started, remarks, |worker| tables.place(worker))
        else {
            return Ok(());
        };
        self.waiting += 1;
        if self.waiting > MOST_WAITING {
            return Err(too_many("ticks within a window", MOST_WAITING));
        }
        if self.distances.len() < DISTANCES && secs <= LONGEST_DISTANCE {
            self.distances.push(secs);
            let seen = self.distances.len();
            // Not each time, and a last time when there are enough.
            if seen == 3 || seen.is_power_of_two() {
                self.distance = Some(*self.distances.clone().select_nth_unstable(seen / 2).1);
            }
        }
        Ok(())
    }

    /// Ends the ticks that no more lines can belong to: those before a time.
    pub(super) fn close_before(&mut self, time: i64, remarks: &mut Remarks) -> Result<(), Fault> {
        for task in 0..self.tasks.len() {
            if self.tasks[task].at().is_some_and(|at| at < time) {
                self.close(task, remarks)?;
            }
        }
        Ok(())
    }

    /// Forgets what ended before a time.
    pub(super) fn forget(&mut self, before: i64) {
        self.tasks.iter_mut().for_each(|task| task.forget(before));
        self.waiting = self.tasks.iter().map(|task| task.intervals.len()).sum();
    }
}
