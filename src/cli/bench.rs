//! `ballast bench`: strategies beside each other on the same made-up clusters.

use std::io::{BufWriter, IsTerminal, Write};
use std::str::FromStr;

use ballast::bench::{self, Effort, Run, Summary};
use ballast::solve;
use ballast::wire::StoppedBy;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use super::groups::{GroupOptions, Size, word};
use super::report::{right, table};
use super::{Ended, progress};

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
    Balance(Balance),
}

/// Balance alone: load distance within a budget of restarts, beside the bound that no plan can pass.
///
/// The clusters are those of `ballast generate`, every strategy gets the same ones, and every reply passes the judge.
#[derive(Args)]
#[command(after_long_help = "\
Units: in the table load distance, bound and gap are percentage points of a node's capacity, in JSON fractions of it.
Time is that of the whole answer: problem, bound, strategy, plan and judge.

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
  ballast bench balance --size 20x400 --seeds 1 --strategies milp,search --time-ms 30000
  ballast bench balance --distribution zipf --format json > zipf.json")]
struct Balance {
    /// Nodes and groups; may be repeated [default: 20x400, 40x800 and 60x1200]
    #[arg(long, value_name = "NODESxGROUPS", value_parser = Pair::from_str)]
    size: Vec<Pair>,
    #[command(flatten)]
    options: GroupOptions,
    /// Clusters of each size
    #[arg(long, value_name = "N", default_value_t = 5)]
    seeds: u64,
    /// Seed of the first cluster; the others follow
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Strategies to compare, by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    strategies: Vec<String>,
    /// Search steps a plan, as in ballast.solver.steps
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    steps: u64,
    /// Time a plan after which the strategy is cut, as in ballast.solver.time.ms
    #[arg(long, value_name = "MS", default_value_t = 500)]
    time_ms: u64,
    /// How the figures are printed [default: table on a terminal, json elsewhere]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

/// How figures are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: one line a size and strategy
    Table,
    /// For programs: one object a run
    Json,
}

/// NODESxGROUPS as written.
#[derive(Debug, Clone, Copy)]
struct Pair {
    nodes: usize,
    groups: usize,
}

impl FromStr for Pair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "write NODESxGROUPS, for instance 20x400".to_owned();
        let (nodes, groups) = text.split_once('x').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse().map_err(|_| wrong());
        Ok(Self { nodes: number(nodes)?, groups: number(groups)? })
    }
}

const PAPER: [Pair; 3] =
    [Pair { nodes: 20, groups: 400 }, Pair { nodes: 40, groups: 800 }, Pair { nodes: 60, groups: 1200 }];

/// A run with everything that makes it again.
#[derive(Serialize)]
struct Row {
    nodes: usize,
    groups: usize,
    variation: f64,
    distribution: String,
    capacities: String,
    budget: i64,
    seed: u64,
    #[serde(flatten)]
    run: Run,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        match &self.what {
            What::Balance(balance) => balance.run(),
        }
    }
}

impl Balance {
    fn run(&self) -> Result<(), Ended> {
        let sizes = self.sizes()?;
        let strategies = self.strategies()?;
        self.check_numbers()?;
        let mut rows = Vec::new();
        let bar = progress::counted(sizes.len() as u64 * self.seeds * strategies.len() as u64);
        for size in sizes {
            for seed in self.seed..self.seed + self.seeds {
                let request = self.options.request(size, seed)?;
                for strategy in &strategies {
                    bar.set_message(format!("{} x {}, seed {seed}, {strategy}", size.nodes, size.groups));
                    let effort = Effort { steps: self.steps, time_ms: self.time_ms };
                    let run = bench::run(&request, strategy, effort).map_err(|refusal| {
                        let origin = format!("{strategy} on {} x {}, seed {seed}", size.nodes, size.groups);
                        Ended::Refused { origin, refusal }
                    })?;
                    rows.push(self.row(size, seed, run));
                    bar.inc(1);
                }
            }
        }
        bar.finish_and_clear();
        self.print(&rows, &strategies)
    }

    fn sizes(&self) -> Result<Vec<Size>, Ended> {
        let pairs = if self.size.is_empty() { &PAPER[..] } else { &self.size[..] };
        let size = |pair: &Pair| {
            Size::new(&format!("--size {}x{}", pair.nodes, pair.groups), pair.nodes, pair.groups)
        };
        pairs.iter().map(size).collect()
    }

    fn strategies(&self) -> Result<Vec<String>, Ended> {
        if self.strategies.is_empty() {
            return Ok(bench::strategies().into_iter().map(str::to_owned).collect());
        }
        match self.strategies.iter().find(|name| solve::by_name(name).is_none()) {
            None => {
                let again = |at: usize| self.strategies[..at].contains(&self.strategies[at]);
                let once = (0..self.strategies.len()).filter(|at| !again(*at));
                Ok(once.map(|at| self.strategies[at].clone()).collect())
            }
            Some(unknown) => Err(Ended::Unusable {
                origin: format!("--strategies {}", self.strategies.join(",")),
                detail: format!("there is no strategy {unknown}; there are {}", solve::names().join(", ")),
                advice: "`ballast strategies` tells what each does".to_owned(),
            }),
        }
    }

    fn check_numbers(&self) -> Result<(), Ended> {
        let refuse = |origin: String, detail: &str, advice: &str| {
            Err(Ended::Unusable { origin, detail: detail.to_owned(), advice: advice.to_owned() })
        };
        if self.seeds == 0 || self.seeds > 100_000 {
            return refuse(
                format!("--seeds {}", self.seeds),
                "it takes 1 to 100000",
                "the papers average over 5",
            );
        }
        if self.seed.checked_add(self.seeds).is_none() {
            return refuse(
                format!("--seed {}", self.seed),
                "the seeds after it are too large",
                "start lower",
            );
        }
        if !(1..=600_000).contains(&self.time_ms) {
            return refuse(
                format!("--time-ms {}", self.time_ms),
                "it takes 1 to 600000 ms",
                "500 is half a second",
            );
        }
        Ok(())
    }

    fn row(&self, size: Size, seed: u64, run: Run) -> Row {
        Row {
            nodes: size.nodes,
            groups: size.groups,
            variation: self.options.variation,
            distribution: word(&self.options.distribution),
            capacities: word(&self.options.capacities),
            budget: self.options.budget,
            seed,
            run,
        }
    }

    fn print(&self, rows: &[Row], strategies: &[String]) -> Result<(), Ended> {
        let out = std::io::stdout();
        let usual = if out.is_terminal() { Format::Table } else { Format::Json };
        let mut out = BufWriter::new(out.lock());
        match self.format.unwrap_or(usual) {
            Format::Json => {
                serde_json::to_writer_pretty(&mut out, rows).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
            Format::Table => self.write_table(&mut out, rows, strategies)?,
        }
        out.flush()?;
        Ok(())
    }

    fn write_table(&self, out: &mut impl Write, rows: &[Row], strategies: &[String]) -> Result<(), Ended> {
        let options = &self.options;
        writeln!(
            out,
            "variation {}, {}, capacities {}, {} restarts, seeds {} to {}; percentage points of capacity\n",
            options.variation,
            word(&options.distribution),
            word(&options.capacities),
            options.budget,
            self.seed,
            self.seed + self.seeds - 1
        )?;
        let mut figures = table([
            "nodes x groups",
            "strategy",
            "load distance, mean",
            "bound, mean",
            "gap, mean",
            "worst gap (seed)",
            "at the bound",
            "restarts, mean",
            "time, median",
            "time, longest",
        ]);
        for same_size in rows.chunk_by(|a, b| (a.nodes, a.groups) == (b.nodes, b.groups)) {
            for strategy in strategies {
                let of_strategy: Vec<&Row> =
                    same_size.iter().filter(|row| row.run.strategy == *strategy).collect();
                let runs: Vec<&Run> = of_strategy.iter().map(|row| &row.run).collect();
                let Some(summary) = Summary::of(&runs) else { continue };
                let first = of_strategy[0];
                let percent = |share: f64| format!("{:.3}", share * 100.0);
                figures.add_row(vec![
                    right(format!("{} x {}", first.nodes, first.groups)),
                    right(strategy.clone()),
                    right(percent(summary.load_distance)),
                    right(percent(summary.lower_bound)),
                    right(percent(summary.gap)),
                    right(format!("{} ({})", percent(summary.worst.0), of_strategy[summary.worst.1].seed)),
                    right(format!("{} of {}", summary.optimal, runs.len())),
                    right(format!("{:.1}", summary.restarts)),
                    right(format!("{:.1} ms", summary.answer_ms.0)),
                    right(format!("{:.1} ms", summary.answer_ms.1)),
                ]);
            }
        }
        writeln!(out, "{}", figures.trim_fmt())?;
        let cut = rows.iter().filter(|row| row.run.stopped_by == StoppedBy::Time).count();
        if cut > 0 {
            writeln!(
                out,
                "\n{cut} of {} runs were cut by time; they may end elsewhere on another machine",
                rows.len()
            )?;
        }
        Ok(())
    }
}
