//! `ballast bench checkpoint`: strategies of checkpoint allocation beside each other.

mod clusters;
mod recover;

use std::io::Write;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::Output;
use crate::cli::Ended;
use clusters::Clusters;

/// Checkpoints: where copies of states are placed, and what that is worth when a node or a rack is lost.
///
/// Every row is measured on the allocation alone, without a request around it, on one thread.
#[derive(Args)]
#[command(after_long_help = "\
Without options on clusters these run: 20x400, 60x1200, 200x4000 and 1000x20000, uniform and zipf, with one copy and no
racks, and with two copies in 10 racks; a list in an option replaces what would run. The baselines keep racks and limits
like Ballast's own, keep copies that lie, and choose the best of several copies as the restart target.

Units: utilizations and gaps are percentage points of a node in the table and fractions in JSON. Storage is the fullest
node over the mean of the copies wanted. Figures of a table are means over the seeds; JSON has one object a run.

Exit codes are those of `ballast bench balance --help`.

Examples:
  ballast bench checkpoint
  ballast bench checkpoint --part recover --size 60x1200 --distribution zipf --copies 2 --racks 10 --slack 0.002")]
pub(super) struct Checkpoint {
    /// Parts to run, by commas [default: all]
    #[arg(long, value_enum, value_name = "PARTS", value_delimiter = ',')]
    part: Vec<Part>,
    #[command(flatten)]
    clusters: Clusters,
    #[command(flatten)]
    output: Output,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The worst loss of a node and of a rack, from scratch
    Recover,
}

/// A run with everything that makes it again.
#[derive(Serialize)]
#[serde(tag = "part", rename_all = "lowercase")]
enum Row {
    Recover(recover::Row),
}

impl Checkpoint {
    pub(super) fn run(&self) -> Result<(), Ended> {
        let parts = if self.part.is_empty() { Part::value_variants() } else { &self.part };
        let mut rows = Vec::new();
        for part in parts {
            match part {
                Part::Recover => rows.extend(recover::run(&self.clusters)?.into_iter().map(Row::Recover)),
            }
        }
        self.output.print(&rows, |out| write_tables(out, &rows))
    }
}

fn write_tables(out: &mut dyn Write, rows: &[Row]) -> Result<(), Ended> {
    let recoveries: Vec<&recover::Row> = rows.iter().map(|Row::Recover(row)| row).collect();
    recover::write_table(out, &recoveries)
}
