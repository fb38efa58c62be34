//! `ballast bench size`: how large a cluster the solver alone can plan for.

use std::io::Write;
use std::str::FromStr;
use std::time::Duration;

use ballast::bench::{self, SizeRun};
use clap::Args;
use serde::Serialize;

use super::{Output, figure, or_dash, points, refuse};
use crate::cli::groups::{GroupOptions, OptionsSaid, Pair};
use crate::cli::report::markdown;
use crate::cli::{Ended, progress};

/// Size: the solver alone, bound and search, on key groups up to a million.
///
/// Requests and replies of that size would measure JSON; this measures the planner. The budget of each size is one move
/// for every third node, then one a node, unless --budgets says otherwise.
#[derive(Args)]
#[command(after_long_help = "\
Units: load distance, bound and gap are percentage points in the table and fractions in JSON. Memory is the peak of the
process, with the groups themselves. The bound is counted into the time given.

Exit codes are those of `ballast bench balance --help`.

Examples:
  ballast bench size
  ballast bench size --size 1000x20000 --budgets 1000 --distribution zipf
  ballast bench size --size 60x1200 --budgets 1200 --target 0.02")]
pub(super) struct SizeBench {
    /// Nodes and groups; may be repeated [default: 200x4000, 1000x20000, 5000x100000 and 10000x1000000]
    #[arg(long, value_name = "NODESxGROUPS", value_parser = Pair::from_str)]
    size: Vec<Pair>,
    /// Moves that a plan may spend, by commas [default: a third of the nodes, and the nodes]
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    budgets: Vec<u32>,
    #[command(flatten)]
    options: GroupOptions,
    /// Seed of the cluster
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Time a plan after which the search is cut
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    time_ms: u64,
    #[command(flatten)]
    output: Output,
}

const USUAL: [Pair; 4] = [
    Pair { nodes: 200, groups: 4_000 },
    Pair { nodes: 1_000, groups: 20_000 },
    Pair { nodes: 5_000, groups: 100_000 },
    Pair { nodes: 10_000, groups: 1_000_000 },
];

/// A run with everything that makes it again.
#[derive(Serialize)]
struct Row {
    nodes: usize,
    groups: usize,
    #[serde(flatten)]
    options: OptionsSaid,
    seed: u64,
    #[serde(flatten)]
    run: SizeRun,
}

impl SizeBench {
    pub(super) fn run(&self) -> Result<(), Ended> {
        if !(1..=600_000).contains(&self.time_ms) {
            let origin = format!("--time-ms {}", self.time_ms);
            return refuse(origin, "it takes 1 to 600000 ms", "1000 is a second");
        }
        let pairs = if self.size.is_empty() { &USUAL[..] } else { &self.size[..] };
        let mut rows = Vec::new();
        let budgets = if self.budgets.is_empty() { 2 } else { self.budgets.len() };
        let bar = progress::counted((pairs.len() * budgets) as u64);
        for pair in pairs {
            let size = pair.size()?;
            let usual = [size.nodes.div_ceil(3) as u32, size.nodes as u32];
            for budget in if self.budgets.is_empty() { &usual[..] } else { &self.budgets[..] } {
                bar.set_message(format!("{} x {}, {budget} moves", size.nodes, size.groups));
                let options = GroupOptions { budget: i64::from(*budget), ..self.options };
                let groups = options.groups(size, self.seed)?;
                let run = bench::size(groups, options.capacities(), Duration::from_millis(self.time_ms));
                rows.push(Row {
                    nodes: size.nodes,
                    groups: size.groups,
                    options: options.said(),
                    seed: self.seed,
                    run,
                });
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        self.output.print(&rows, |out| write_table(out, &rows))
    }
}

fn write_table(out: &mut dyn Write, rows: &[Row]) -> Result<(), Ended> {
    let mut figures = markdown([
        "nodes x groups",
        "moves allowed",
        "bound",
        "reached",
        "gap",
        "proved",
        "moves",
        "needed for the target",
        "bound, time",
        "search, time",
        "memory, peak",
    ]);
    for row in rows {
        figures.add_row(vec![
            figure(format!("{} x {}", row.nodes, row.groups)),
            figure(row.options.budget.to_string()),
            figure(points(row.run.lower_bound)),
            figure(points(row.run.load_distance)),
            figure(points(row.run.gap)),
            figure(if row.run.optimal { "yes" } else { "no" }),
            figure(row.run.moves.to_string()),
            figure(or_dash(
                row.run.moves_needed.map(|needed| format!("{needed} to {}", points(row.options.target))),
            )),
            figure(format!("{:.2} ms", row.run.bound_ms)),
            figure(format!("{:.2} ms", row.run.search_ms)),
            figure(or_dash(row.run.memory_mib.map(|mib| format!("{mib:.0} MiB")))),
        ]);
    }
    writeln!(out, "{}", figures.trim_fmt())?;
    Ok(())
}
