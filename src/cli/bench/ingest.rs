//! `ballast bench ingest`: how fast recordings are read.

use std::io::Write;

use ballast::bench::{IngestRun, MetricsFile};
use clap::Args;
use serde::Serialize;

use super::{Output, figure, or_dash, refuse};
use crate::cli::report::markdown;
use crate::cli::{Ended, progress};

/// Ingest: a made-up worker.log.metrics, read from disk on one thread, plain and gzipped.
///
/// The log is that of one topology with the V2 tick every minute: 26 lines a task and 76 a worker at each tick, in
/// Storm's columns. It is written to the system's folder for temporary files first, which is not timed, and removed.
#[derive(Args)]
#[command(after_long_help = "\
Units: MB are millions of bytes of text, packed or not. Memory is the peak of the process.

Exit codes are those of `ballast bench balance --help`.

Examples:
  ballast bench ingest
  ballast bench ingest --mb 2000 --tasks 10000")]
pub(super) struct Ingest {
    /// Millions of bytes of each log, by commas
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = [250, 1000])]
    mb: Vec<u64>,
    /// Tasks of the topology
    #[arg(long, value_name = "N", default_value_t = 1000)]
    tasks: u32,
    #[command(flatten)]
    output: Output,
}

/// A run with everything that makes it again.
#[derive(Serialize)]
struct Row {
    tasks: u32,
    gzipped: bool,
    #[serde(flatten)]
    run: IngestRun,
}

impl Ingest {
    pub(super) fn run(&self) -> Result<(), Ended> {
        if let Some(mb) = self.mb.iter().find(|mb| !(1..=100_000).contains(*mb)) {
            return refuse(format!("--mb {mb}"), "it takes 1 to 100000", "1000 is a gigabyte of text");
        }
        if !(1..=100_000).contains(&self.tasks) {
            return refuse(
                format!("--tasks {}", self.tasks),
                "it takes 1 to 100000",
                "1000 is a large topology",
            );
        }
        let bar = progress::counted(2 * self.mb.len() as u64);
        let mut rows = Vec::new();
        for (mb, gzipped) in self.mb.iter().flat_map(|mb| [(*mb, false), (*mb, true)]) {
            bar.set_message(format!("{mb} MB{}", if gzipped { ", gzipped" } else { "" }));
            let run = MetricsFile::write(mb * 1_000_000, self.tasks, gzipped)?.read();
            let run = run.map_err(|fault| Ended::value(fault.place, &fault.detail, &fault.advice))?;
            rows.push(Row { tasks: self.tasks, gzipped, run });
            bar.inc(1);
        }
        bar.finish_and_clear();
        self.output.print(&rows, |out| write_table(out, &rows))
    }
}

fn write_table(out: &mut dyn Write, rows: &[Row]) -> Result<(), Ended> {
    let mut figures = markdown([
        "log",
        "tasks",
        "text, MB",
        "file, MB",
        "lines",
        "windows",
        "time",
        "MB/s",
        "memory, peak",
    ]);
    let mb = |bytes: u64| format!("{:.1}", bytes as f64 / 1e6);
    for row in rows {
        figures.add_row(vec![
            figure(if row.gzipped { "gzip" } else { "plain" }),
            figure(row.tasks.to_string()),
            figure(mb(row.run.bytes)),
            figure(mb(row.run.file_bytes)),
            figure(row.run.lines.to_string()),
            figure(row.run.windows.to_string()),
            figure(format!("{:.2} s", row.run.secs)),
            figure(format!("{:.0}", row.run.mb_per_sec)),
            figure(or_dash(row.run.memory_mib.map(|mib| format!("{mib:.0} MiB")))),
        ]);
    }
    writeln!(out, "{}", figures.trim_fmt())?;
    Ok(())
}
