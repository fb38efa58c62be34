//! `ballast bench`: strategies beside each other on the same made-up clusters.

mod balance;
mod checkpoint;
mod collocation;
mod ingest;
mod replay;
mod rounds;
mod scaling;
mod size;
mod workers;

use std::io::{BufWriter, IsTerminal, Write};

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use super::{Ended, report};

/// Compare the strategies on the same made-up clusters.
#[derive(Args)]
#[command(after_long_help = "\
Exit codes: those of `ballast bench balance --help`.

Example:
  ballast bench balance")]
pub(crate) struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Balance(balance::Balance),
    Checkpoint(checkpoint::Checkpoint),
    Collocation(collocation::Collocation),
    Ingest(ingest::Ingest),
    Replay(replay::Replay),
    Scaling(scaling::Scaling),
    Size(size::SizeBench),
    Workers(workers::Workers),
}

impl Bench {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        match &self.what {
            What::Balance(balance) => balance.run(),
            What::Checkpoint(checkpoint) => checkpoint.run(),
            What::Collocation(collocation) => collocation.run(),
            What::Ingest(ingest) => ingest.run(),
            What::Replay(replay) => replay.run(),
            What::Scaling(scaling) => scaling.run(),
            What::Size(size) => size.run(),
            What::Workers(workers) => workers.run(),
        }
    }
}

/// How figures are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, and for a Markdown file
    Table,
    /// For programs: one object a run
    Json,
}

/// The option `--format`.
#[derive(Args)]
struct Output {
    /// How the figures are printed [default: table on a terminal, json elsewhere]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

impl Output {
    /// Prints the rows as JSON, or what `table` writes.
    fn print<R: Serialize>(
        &self,
        rows: &[R],
        table: impl FnOnce(&mut dyn Write) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        let out = std::io::stdout();
        let usual = if out.is_terminal() { Format::Table } else { Format::Json };
        let mut out = BufWriter::new(out.lock());
        match self.format.unwrap_or(usual) {
            Format::Json => {
                serde_json::to_writer_pretty(&mut out, rows).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
            Format::Table => table(&mut out)?,
        }
        out.flush()?;
        Ok(())
    }
}

/// A value that cannot be used.
fn refuse<T>(origin: String, detail: &str, advice: &str) -> Result<T, Ended> {
    Err(Ended::value(origin, detail, advice))
}

/// A share in percentage points.
fn points(share: f64) -> String {
    format!("{:.3}", share * 100.0)
}

/// Figures or a dash where there are none.
fn or_dash(figure: Option<String>) -> String {
    figure.unwrap_or_else(|| "-".to_owned())
}

/// A cell of a table of figures.
fn figure(text: impl Into<String>) -> comfy_table::Cell {
    report::right(text.into())
}
