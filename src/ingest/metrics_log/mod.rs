//! `worker.log.metrics` to windows: what `org.apache.storm.metric.LoggingMetricsConsumer` writes.
//!
//! A line is a metric of one task at one tick, `date uptime time\thost:port\ttask:component\tname\tvalue`, in columns
//! that are padded and not cut, but for the name, which is 23 characters exactly. Two dialects: up to Storm 2.2 counts
//! are maps by stream and those of the interval; from 2.3 on they are flat and those since the worker's start (V2,
//! printed with `topology.enable.v2.metrics.tick` only). Rates are differences of counts over differences of time
//! stamps; the way is
//!
//! ```text
//! files ─▶ lines ─▶ line, names ─▶ seen: tasks, counters, intervals ─▶ windows ─▶ executors, loads ─▶ request
//! ```
//!
//! Memory holds what has been seen of each task in the last windows, and never a file; what a log can make it hold is
//! bounded. A window is the distance of the ticks or what [`Options`] say; tasks tick at times of their own, so a window
//! has the parts of their intervals that lie in it.

mod counter;
mod executors;
mod files;
mod inputs;
mod line;
mod lines;
mod load;
mod names;
mod request;
mod said;
mod seen;
mod tables;
mod task;
mod window;
mod windows;

use std::path::PathBuf;
use std::sync::Arc;

use self::files::{Files, Member, Origin, topology_of};
use self::said::Said;
use self::seen::Seen;
use self::windows::Windows;
use super::{Fault, RemarkCode, Remarks, Source, Window, quoted};

/// How a metrics log is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Topology id of files whose path does not say it.
    pub topology: Option<String>,
    /// Length of the windows, s; absent: the distance of the ticks.
    pub window_secs: Option<i64>,
}

/// Longest window, s.
const LONGEST_WINDOW: i64 = 86_400;
/// What a topology is called that nobody names.
const UNNAMED: &str = "topology";

/// A metrics log that is being read.
pub struct MetricsLog {
    files: Files,
    seen: Seen,
    windows: Windows,
    topologies: Vec<String>,
    /// Where faults of the whole log are.
    place: String,
    said: Said,
    over: bool,
    made: u64,
}

/// Whether the first bytes of a file, unpacked, are those of a metrics log, of `LoggingMetricsConsumer` or of the
/// look-alike `LoggingClusterMetricsConsumer`, which [`MetricsLog::open`] refuses by name.
pub fn is_mine(head: &[u8]) -> bool {
    head.split(|byte| matches!(byte, b'\n' | 0)).any(|line| {
        line::message(line)
            .is_some_and(|message| line::header(message).is_some() || line::of_the_cluster(message))
    })
}

impl MetricsLog {
    /// Opens the files of one log, plain or gzipped, in any order.
    ///
    /// # Errors
    ///
    /// A file cannot be read, none has a record, or one is a log of `LoggingClusterMetricsConsumer`.
    pub fn open(files: Vec<PathBuf>, options: Options) -> Result<Self, Fault> {
        let named = files.into_iter().map(|path| {
            // Storm's folders may be above the one that the path begins in.
            let whole = || path.canonicalize().ok().and_then(|whole| topology_of(&whole));
            let topology = topology_of(&path).or_else(whole);
            (path.display().to_string(), topology, Origin::File(path))
        });
        Self::of(named.collect(), options)
    }

    /// The same of what is in memory, by name.
    ///
    /// # Errors
    ///
    /// Those of [`MetricsLog::open`].
    pub fn of_bytes(files: Vec<(String, Vec<u8>)>, options: Options) -> Result<Self, Fault> {
        let named = files.into_iter().map(|(name, bytes)| {
            let topology = topology_of(name.as_ref());
            (name, topology, Origin::Bytes(Arc::from(bytes)))
        });
        Self::of(named.collect(), options)
    }

    fn of(mut files: Vec<(String, Option<String>, Origin)>, options: Options) -> Result<Self, Fault> {
        if let Some(secs) = options.window_secs.filter(|secs| !(1..=LONGEST_WINDOW).contains(secs)) {
            return Err(Fault::new(
                "window",
                format!("{secs} s is not between 1 and {LONGEST_WINDOW}"),
                "60 is what Storm's ticks are apart by default",
            ));
        }
        files.sort_by(|a, b| a.0.cmp(&b.0));
        let place = match &files[..] {
            [] => "metrics log".to_owned(),
            [(name, ..)] => name.clone(),
            [(name, ..), rest @ ..] => format!("{name} and {} more", rest.len()),
        };
        let (mut members, mut topologies, mut said) = (Vec::new(), Vec::<String>::new(), Said::default());
        for (name, topology, origin) in files {
            let topology = topology.or_else(|| options.topology.clone()).unwrap_or_else(|| {
                said.remarks.add(RemarkCode::Guessed, || {
                    format!(
                        "{}: no path or option names its topology; it is called \"{UNNAMED}\"",
                        quoted(&name)
                    )
                });
                UNNAMED.to_owned()
            });
            let at = topologies.iter().position(|known| *known == topology).unwrap_or_else(|| {
                topologies.push(topology);
                topologies.len() - 1
            });
            match Member::probe(name.clone(), origin, at)? {
                Some(member) => members.push(member),
                None => {
                    said.remarks.add(RemarkCode::Unknown, || format!("{}: no metric in it", quoted(&name)))
                }
            }
        }
        if members.is_empty() {
            return Err(Fault::new(
                place,
                "no line of LoggingMetricsConsumer in it",
                "give worker.log.metrics and its rolled files, worker.log.metrics.1.gz and so on",
            ));
        }
        let windows = Windows::new(options.window_secs);
        let (files, seen) = (Files::new(members), Seen::default());
        Ok(Self { files, seen, windows, topologies, place, said, over: false, made: 0 })
    }

    /// Why no window came of a whole log.
    fn nothing(&self) -> Fault {
        if !self.seen.counted {
            return Fault::new(
                &self.place,
                "no executor load in this file: it has no counts of tuples",
                "set topology.enable.v2.metrics.tick: true (Storm 2.3 and later print them only then) and record again",
            );
        }
        Fault::new(
            &self.place,
            "no task ticks twice in this log, and rates are differences of two ticks",
            "give a longer part of it; topology.v2.metrics.tick.interval.seconds apart are two ticks",
        )
    }
}

impl Source for MetricsLog {
    fn next(&mut self) -> Result<Option<Window>, Fault> {
        loop {
            if let Some(span) = self.windows.next(&mut self.seen, self.over, &mut self.said.remarks)? {
                self.made += 1;
                let (seen, ids) = (&self.seen, &self.topologies);
                let request = request::request(seen, span, ids, self.made, &mut self.said);
                self.windows.done(span, &mut self.seen);
                if request.topologies.is_empty() {
                    self.made -= 1;
                    continue;
                }
                return Ok(Some(Window { at: span.to, request }));
            }
            match self.over {
                true if self.made == 0 => return Err(self.nothing()),
                true => return Ok(None),
                false => self.over = !self.files.advance(&mut self.seen, &mut self.said.remarks)?,
            }
        }
    }

    fn remarks(&self) -> &Remarks {
        &self.said.remarks
    }
}
