//! How fast a metrics log is read, and in how much memory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use super::Peak;
use crate::ingest::metrics_log::{MetricsLog, Options};
use crate::ingest::{Fault, Source};

/// Tasks of one worker of the made-up topology.
const TASKS_A_WORKER: u32 = 20;
/// Seconds between two ticks.
const TICK_SECS: u64 = 60;
/// Where the made-up time begins.
const START: u64 = 1_764_460_800;

/// What is said of a bolt's task at one tick: metrics and, as in a real log, many more that say nothing of load.
/// `#` is a count that grows, `~` a rate.
const OF_A_BOLT: &[(&str, &str)] = &[
    ("__capacity", "0.24335937499999996"),
    ("receive-queue-dropped_messages", "0"),
    ("receive-queue-overflow", "0"),
    ("__emit-count-__ack_ack.m1_rate", "~"),
    ("__transfer-count-__ack_ack.m1_rate", "~"),
    ("__backpressure-last-overflow-count", "0"),
    ("receive-queue-sojourn_time_ms", "0.0"),
    ("__emit-count-default.m1_rate", "~"),
    ("__execute-count-source:default.m1_rate", "~"),
    ("receive-queue-capacity", "32768"),
    ("receive-queue-pct_full", "0.0"),
    ("__transfer-count-default.m1_rate", "~"),
    ("receive-queue-population", "0"),
    ("__reported-error-count.m1_rate", "0.0"),
    ("__ack-count-source:default.m1_rate", "~"),
    ("__process-latency-source:default", "0.3333333333333333"),
    ("receive-queue-insert_failures", "0.0"),
    ("receive-queue-arrival_rate_secs", "147.3486106498395"),
    ("__execute-latency-source:default", "0.3333333333333333"),
    ("__emit-count-default", "#"),
    ("__transfer-count-default", "#"),
    ("__reported-error-count", "0"),
    ("__execute-count-source:default", "#"),
    ("__transfer-count-__ack_ack", "#"),
    ("__emit-count-__ack_ack", "#"),
    ("__ack-count-source:default", "#"),
];

/// What is said of a worker, as often as that.
const OF_A_WORKER: usize = 75;

/// One log that was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IngestRun {
    /// Bytes of its lines, and of the file.
    pub bytes: u64,
    /// See `bytes`.
    pub file_bytes: u64,
    /// Lines in it.
    pub lines: u64,
    /// Windows that came of it.
    pub windows: u64,
    /// Seconds that took, on one thread.
    pub secs: f64,
    /// Millions of bytes of lines a second.
    pub mb_per_sec: f64,
    /// Peak of the process's resident memory while it was read, in MiB; absent where the system does not count it.
    pub memory_mib: Option<f64>,
}

/// A made-up log on disk, which goes with this.
#[derive(Debug)]
pub struct MetricsFile {
    path: PathBuf,
    bytes: u64,
    lines: u64,
}

impl MetricsFile {
    /// Writes a log of at least so many bytes, whole ticks of so many tasks, to the system's folder for such files.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(bytes: u64, tasks: u32, gzipped: bool) -> io::Result<Self> {
        let name = format!(
            "ballast-bench-{}-{bytes}-{tasks}.metrics{}",
            std::process::id(),
            if gzipped { ".gz" } else { "" }
        );
        let path = std::env::temp_dir().join(name);
        let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        let mut log = Self { path, bytes: 0, lines: 0 };
        if gzipped {
            let mut packed = GzEncoder::new(BufWriter::new(file), Compression::fast());
            log.fill(bytes, tasks, &mut packed)?;
            packed.finish()?.flush()?;
        } else {
            let mut plain: BufWriter<File> = BufWriter::with_capacity(1 << 20, file);
            log.fill(bytes, tasks, &mut plain)?;
            plain.flush()?;
        }
        Ok(log)
    }

    fn fill(&mut self, bytes: u64, tasks: u32, out: &mut dyn Write) -> io::Result<()> {
        let mut text = Vec::new();
        for tick in 0_u64.. {
            if self.bytes >= bytes && tick > 2 {
                return Ok(());
            }
            let at = START + tick * TICK_SECS;
            let date = format!(
                "2025-11-{:02} {:02}:{:02}:00,{:03}",
                1 + tick / 1440 % 30,
                tick / 60 % 24,
                tick % 60,
                tick % 1000
            );
            for task in 1..=tasks {
                let worker = task / TASKS_A_WORKER;
                let source = format!("node{}.example.net:{}", worker / 4, 6700 + worker % 4);
                let mut line = |task: i64, component: &str, name: &str, value: &dyn std::fmt::Display| {
                    self.lines += 1;
                    writeln!(
                        text,
                        "{date} {:<8} {at}\t{source:>15}\t{task:>3}:{component:<11}\t{name:<23.23}\t{value}",
                        at % 86_400 * 1000
                    )
                };
                if task % TASKS_A_WORKER == 0 {
                    line(-1, "__system", "uptimeSecs", &(3600 + tick * TICK_SECS))?;
                    (0..OF_A_WORKER).try_for_each(|_| {
                        line(-1, "__system", "memory.pools.G1-Eden-Space.used", &1_048_576)
                    })?;
                }
                let rate = 100 + u64::from(task) % 50;
                for (name, value) in OF_A_BOLT {
                    match *value {
                        "#" => line(task.into(), "aggregate", name, &(rate * TICK_SECS * (tick + 1)))?,
                        "~" => line(task.into(), "aggregate", name, &(rate as f64 + 1.0 / 3.0))?,
                        value => line(task.into(), "aggregate", name, &value)?,
                    }
                }
            }
            out.write_all(&text)?;
            self.bytes += text.len() as u64;
            text.clear();
        }
        Ok(())
    }

    /// Reads it to its end.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub fn read(&self) -> Result<IngestRun, Fault> {
        let file_bytes =
            fs::metadata(&self.path).map_err(|error| Fault::unreadable(self.path.display(), &error))?.len();
        let peak = Peak::from_here();
        let start = Instant::now();
        let mut log = MetricsLog::open(vec![self.path.clone()], Options::default())?;
        let mut windows = 0;
        while log.next()?.is_some() {
            windows += 1;
        }
        let secs = start.elapsed().as_secs_f64();
        Ok(IngestRun {
            bytes: self.bytes,
            file_bytes,
            lines: self.lines,
            windows,
            secs,
            mb_per_sec: self.bytes as f64 / 1e6 / secs,
            memory_mib: peak.mib(),
        })
    }
}

impl Drop for MetricsFile {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.path) {
            log::warn!("{} stays behind: {error}", self.path.display());
        }
    }
}
