//! `ballast window`: one window of a recording as a request to look at, to edit and to plan for.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;

use super::{Ended, input};

/// Print one window of a recording as a request: to read, to edit by hand, to plan for.
#[derive(Args)]
#[command(after_long_help = "\
INPUT is what `ballast replay` takes: recordings, metrics logs, answers of the UI, tables of loads.

Exit codes:
  0  the request is on standard output
  1  the input cannot be used; standard error names it and the reason
  2  the command line was not understood

Examples:
  ballast window recordings > request.json
  ballast window recordings --at 2026-11-30T02:00:00Z | ballast plan -")]
pub(crate) struct Window {
    /// A recording: file or folder
    #[arg(value_name = "INPUT")]
    input: PathBuf,
    /// The last window that ends by this time, seconds since the epoch or 2026-11-30T00:28:34Z [default: the last]
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    at: Option<i64>,
}

impl Window {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        let request = input::window(&self.input, self.at)?;
        let mut out = BufWriter::new(std::io::stdout().lock());
        serde_json::to_writer_pretty(&mut out, &request).map_err(std::io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
        Ok(())
    }
}
