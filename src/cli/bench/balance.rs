//! `ballast bench balance`: every strategy on the papers' balance problem.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::str::FromStr;

use ballast::bench::{self, Run, Summary};
use ballast::wire::StoppedBy;
use clap::Args;
use serde::Serialize;

use super::rounds::Rounds;
use super::{Output, figure, or_dash, points, refuse};
use crate::cli::groups::{GroupOptions, OptionsSaid, Pair, Size, drift};
use crate::cli::report::markdown;
use crate::cli::{Ended, progress};

const PAPER: [Pair; 3] =
    [Pair { nodes: 20, groups: 400 }, Pair { nodes: 40, groups: 800 }, Pair { nodes: 60, groups: 1200 }];

/// Balance: load distance within a budget of restarts and of state, beside the bound that no plan can pass.
///
/// The clusters are those of `ballast generate`, every strategy gets the same ones, and every reply passes the judge.
/// Over several periods each strategy lives with what it decided before, while the loads drift alike for all.
#[derive(Args)]
#[command(after_long_help = "\
Units: in the table load distance, bound and gap are percentage points of a node's capacity, in JSON fractions of it.
Time is that of the whole answer: problem, bound, strategy, plan and judge. Memory is the peak of the process meanwhile.

A run is made again by `ballast generate` with its size, options and seed, and `ballast plan - --strategy NAME`. Its
figures are the same on every machine unless it was cut by time (stopped_by: time), as milp's are.

Exit codes:
  0  every strategy answered every cluster
  1  a value cannot be used; standard error names the option, the value and what it takes
  2  the command line was not understood
  3  a strategy was refused its plan

Examples:
  ballast bench balance
  ballast bench balance --size 60x1200 --variation 0.8 --seeds 20 --strategies search,flux,stay
  ballast bench balance --size 20x400 --seeds 1 --strategies milp,search --milp-time-ms 30000
  ballast bench balance --state-mib 1 --budget-state-mib 20 --budget 1000
  ballast bench balance --periods 10 --drift 0.05
  ballast bench balance --distribution zipf --format json > zipf.json")]
pub(super) struct Balance {
    /// Nodes and groups; may be repeated [default: 20x400, 40x800 and 60x1200]
    #[arg(long, value_name = "NODESxGROUPS", value_parser = Pair::from_str)]
    size: Vec<Pair>,
    #[command(flatten)]
    options: GroupOptions,
    #[command(flatten)]
    rounds: Rounds,
    /// Statistics periods
    #[arg(long, value_name = "N", default_value_t = 1)]
    periods: u32,
    /// Each load is multiplied by 1 - F to 1 + F before every period but the first
    #[arg(long, value_name = "F", default_value_t = 0.0, allow_negative_numbers = true)]
    drift: f64,
    #[command(flatten)]
    output: Output,
}

/// A run with everything that makes it again.
#[derive(Serialize)]
struct Row {
    nodes: usize,
    groups: usize,
    #[serde(flatten)]
    options: OptionsSaid,
    seed: u64,
    #[serde(flatten)]
    run: Run,
}

/// Differences below this share of capacity are CBC's tolerance, not a better plan.
const SAME: f64 = 1e-5;

impl Row {
    fn instance(&self) -> (usize, usize, u64, u32) {
        (self.nodes, self.groups, self.seed, self.run.period)
    }

    /// True when no strategy found a smaller load distance.
    fn is_within(&self, best: &BTreeMap<(usize, usize, u64, u32), f64>) -> bool {
        self.run.load_distance <= best[&self.instance()] + SAME
    }
}

/// Smallest load distance that any strategy found, by instance.
fn best_found(rows: &[Row]) -> BTreeMap<(usize, usize, u64, u32), f64> {
    let mut best = BTreeMap::new();
    for row in rows {
        let known = best.entry(row.instance()).or_insert(f64::INFINITY);
        *known = row.run.load_distance.min(*known);
    }
    best
}

impl Balance {
    pub(super) fn run(&self) -> Result<(), Ended> {
        let sizes = self.sizes()?;
        let (seeds, strategies) = (self.rounds.seeds()?, self.rounds.strategies()?);
        self.check_numbers()?;
        let mut rows = Vec::new();
        let answers = sizes.len() * strategies.len() * self.periods as usize;
        let bar = progress::counted(answers as u64 * (seeds.end - seeds.start));
        for size in &sizes {
            for seed in seeds.clone() {
                let request = self.options.request(*size, seed)?;
                for strategy in &strategies {
                    bar.set_message(format!("{} x {}, seed {seed}, {strategy}", size.nodes, size.groups));
                    let drift = drift(self.drift, seed)?;
                    let effort = self.rounds.effort(strategy)?;
                    let answered = bench::periods(&request, drift, self.periods, strategy, effort, |run| {
                        rows.push(self.row(*size, seed, run));
                        bar.inc(1);
                    });
                    answered.map_err(|refusal| {
                        let origin = format!("{strategy} on {} x {}, seed {seed}", size.nodes, size.groups);
                        Ended::Refused { origin, refusal }
                    })?;
                }
            }
        }
        bar.finish_and_clear();
        self.output.print(&rows, |out| self.write_table(out, &rows, &seeds, &strategies))
    }

    fn sizes(&self) -> Result<Vec<Size>, Ended> {
        let pairs = if self.size.is_empty() { &PAPER[..] } else { &self.size[..] };
        pairs.iter().map(|pair| pair.size()).collect()
    }

    fn check_numbers(&self) -> Result<(), Ended> {
        if !(1..=100_000).contains(&self.periods) {
            let origin = format!("--periods {}", self.periods);
            return refuse(origin, "it takes 1 to 100000", "1 compares single plans");
        }
        Ok(())
    }

    fn row(&self, size: Size, seed: u64, run: Run) -> Row {
        Row { nodes: size.nodes, groups: size.groups, options: self.options.said(), seed, run }
    }

    fn write_table(
        &self,
        out: &mut dyn Write,
        rows: &[Row],
        seeds: &Range<u64>,
        strategies: &[String],
    ) -> Result<(), Ended> {
        writeln!(
            out,
            "{}; seeds {} to {}, {} a seed; percentage points of capacity\n",
            self.options.sentence(),
            seeds.start,
            seeds.end - 1,
            if self.periods == 1 { "1 period".to_owned() } else { format!("{} periods", self.periods) },
        )?;
        let mut figures = markdown([
            "nodes x groups",
            "strategy",
            "load distance, mean",
            "bound, mean",
            "gap, mean",
            "worst gap (seed)",
            "at the bound",
            "best of all",
            "moves, mean",
            "state shipped, mean",
            "time, median",
            "time, longest",
            "memory, peak",
        ]);
        let best = best_found(rows);
        for same_size in rows.chunk_by(|a, b| (a.nodes, a.groups) == (b.nodes, b.groups)) {
            for strategy in strategies {
                let of_strategy: Vec<&Row> =
                    same_size.iter().filter(|row| row.run.strategy == *strategy).collect();
                let runs: Vec<&Run> = of_strategy.iter().map(|row| &row.run).collect();
                let Some(summary) = Summary::of(&runs) else { continue };
                let first = of_strategy[0];
                figures.add_row(vec![
                    figure(format!("{} x {}", first.nodes, first.groups)),
                    figure(strategy.clone()),
                    figure(points(summary.load_distance)),
                    figure(points(summary.lower_bound)),
                    figure(points(summary.gap)),
                    figure(format!("{} ({})", points(summary.worst.0), of_strategy[summary.worst.1].seed)),
                    figure(format!("{} of {}", summary.optimal, runs.len())),
                    figure(format!(
                        "{} of {}",
                        of_strategy.iter().filter(|row| row.is_within(&best)).count(),
                        runs.len()
                    )),
                    figure(format!("{:.1}", summary.moves)),
                    figure(or_dash(
                        summary.shipped_bytes.map(|bytes| format!("{:.1} MiB", bytes / 1_048_576.0)),
                    )),
                    figure(format!("{:.1} ms", summary.answer_ms.0)),
                    figure(format!("{:.1} ms", summary.answer_ms.1)),
                    figure(or_dash(summary.memory_mib.map(|mib| format!("{mib:.0} MiB")))),
                ]);
            }
        }
        writeln!(out, "{}", figures.trim_fmt())?;
        let cut = rows.iter().filter(|row| row.run.stopped_by == StoppedBy::Time).count();
        if cut > 0 {
            let all = rows.len();
            writeln!(
                out,
                "\n{cut} of {all} runs were cut by time; they may end elsewhere on another machine"
            )?;
        }
        Ok(())
    }
}
