//! `ballast bench checkpoint`: strategies of checkpoint allocation beside each other.

mod clusters;
mod drift;
mod recover;
mod shed;

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
    shed: shed::ShedOptions,
    #[command(flatten)]
    drift: drift::DriftOptions,
    #[command(flatten)]
    output: Output,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The worst loss of a node and of a rack, from scratch
    Recover,
    /// Bytes that a planner ships to level a skew
    Shed,
    /// Rounds of drift: loads change, the planner levels them, copies are mended within a budget
    Drift,
    /// The time of that on large clusters
    Time,
}

/// A run with everything that makes it again.
#[derive(Serialize)]
#[serde(tag = "part", rename_all = "lowercase")]
enum Row {
    Recover(recover::Row),
    Shed(shed::Row),
    Drift(drift::Row),
    Time(drift::Row),
}

impl Checkpoint {
    pub(super) fn run(&self) -> Result<(), Ended> {
        let parts = if self.part.is_empty() { Part::value_variants() } else { &self.part };
        let mut rows = Vec::new();
        for part in parts {
            match part {
                Part::Recover => rows.extend(recover::run(&self.clusters)?.into_iter().map(Row::Recover)),
                Part::Shed => {
                    rows.extend(shed::run(&self.clusters, &self.shed)?.into_iter().map(Row::Shed));
                }
                Part::Drift => {
                    let runs = drift::run(&self.clusters, &self.drift, &drift::LONG)?;
                    rows.extend(runs.into_iter().map(Row::Drift));
                }
                Part::Time => {
                    let runs = drift::run(&self.clusters, &self.drift, &drift::LARGE)?;
                    rows.extend(runs.into_iter().map(Row::Time));
                }
            }
        }
        self.output.print(&rows, |out| write_tables(out, &rows))
    }
}

/// A table for each part, the one below the other.
fn write_tables(out: &mut dyn Write, rows: &[Row]) -> Result<(), Ended> {
    let same = |one: &Row, other: &Row| std::mem::discriminant(one) == std::mem::discriminant(other);
    for (at, part) in rows.chunk_by(same).enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        match &part[0] {
            Row::Recover(_) => recover::write_table(out, part.iter().filter_map(Row::recovery))?,
            Row::Shed(_) => shed::write_table(out, part.iter().filter_map(Row::shed))?,
            Row::Drift(_) | Row::Time(_) => drift::write_table(out, part.iter().filter_map(Row::life))?,
        }
    }
    Ok(())
}

impl Row {
    fn recovery(&self) -> Option<&recover::Row> {
        if let Self::Recover(row) = self { Some(row) } else { None }
    }

    fn shed(&self) -> Option<&shed::Row> {
        if let Self::Shed(row) = self { Some(row) } else { None }
    }

    fn life(&self) -> Option<&drift::Row> {
        if let Self::Drift(row) | Self::Time(row) = self { Some(row) } else { None }
    }
}
