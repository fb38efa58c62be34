//! `ballast bench collocation`: one-to-one jobs, period after period.

use std::io::Write;
use std::str::FromStr;

use ballast::bench::{self, CollocationRun, Drift};
use ballast::generate::OneToOne;
use clap::Args;
use serde::Serialize;

use super::rounds::Rounds;
use super::{Output, figure, refuse};
use crate::cli::groups::Pair;
use crate::cli::report::markdown;
use crate::cli::{Ended, progress};

/// Collocation: two operators whose groups talk in pairs, from a random placement until every pair is on one node.
///
/// Loads drift from period to period, alike for every strategy; a plan never trades balance beyond --distance-max for
/// traffic. The strategy cola gets a budget of all groups, since its paper knows none.
#[derive(Args)]
#[command(after_long_help = "\
Without --size these jobs run: 20x200, 40x400 and 60x600 with 20 moves and 1000x10000 with 400, within 10 points at a
drift of 3 %; 20x200 with 20 and 60x600 with 40 moves within 5 points; and 20x60, where a group is 8 % of a node, with 10
moves within 5 points. The options on jobs are for those of --size.

The least is what no strategy can pass: a move for every pair apart at the start, and so many moves a period.
Avoidable are periods above --distance-max in which the lower bound does not say that it had to be so.

Exit codes are those of `ballast bench balance --help`.

Examples:
  ballast bench collocation
  ballast bench collocation --size 20x200 --budget 10 --distance-max 0.05 --drift 0.05 --strategies albic,search,cola")]
pub(super) struct Collocation {
    /// Nodes and pairs of groups; may be repeated
    #[arg(long, value_name = "NODESxPAIRS", value_parser = Pair::from_str)]
    size: Vec<Pair>,
    /// Groups that may move in a period
    #[arg(long, value_name = "N", default_value_t = 20)]
    budget: u32,
    /// Load distance that is good enough (maxLD), 0 to 1
    #[arg(long, value_name = "F", default_value_t = 0.1, allow_negative_numbers = true)]
    distance_max: f64,
    /// Each load is multiplied by 1 - F to 1 + F before every period but the first
    #[arg(long, value_name = "F", default_value_t = 0.03, allow_negative_numbers = true)]
    drift: f64,
    /// Loads are uniform in their mean x (1 - F) to (1 + F)
    #[arg(long, value_name = "F", default_value_t = 0.5, allow_negative_numbers = true)]
    variation: f64,
    /// Statistics periods [default: half as many again as the least, and 5]
    #[arg(long, value_name = "N")]
    periods: Option<u32>,
    #[command(flatten)]
    rounds: Rounds,
    #[command(flatten)]
    output: Output,
}

/// A job but for its seed.
#[derive(Clone, Copy, Serialize)]
struct Job {
    nodes: usize,
    pairs: usize,
    variation: f64,
    budget: u32,
    distance_max: f64,
    drift: f64,
}

/// A run with everything that makes it again.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    job: Job,
    periods: u32,
    seed: u64,
    #[serde(flatten)]
    run: CollocationRun,
}

const USUAL: [Job; 8] = [
    Job { nodes: 20, pairs: 200, variation: 0.5, budget: 20, distance_max: 0.10, drift: 0.03 },
    Job { nodes: 40, pairs: 400, variation: 0.5, budget: 20, distance_max: 0.10, drift: 0.03 },
    Job { nodes: 60, pairs: 600, variation: 0.5, budget: 20, distance_max: 0.10, drift: 0.03 },
    Job { nodes: 1000, pairs: 10_000, variation: 0.5, budget: 400, distance_max: 0.10, drift: 0.03 },
    Job { nodes: 20, pairs: 200, variation: 0.5, budget: 20, distance_max: 0.05, drift: 0.05 },
    Job { nodes: 60, pairs: 600, variation: 0.5, budget: 40, distance_max: 0.05, drift: 0.03 },
    Job { nodes: 20, pairs: 60, variation: 0.0, budget: 10, distance_max: 0.05, drift: 0.0 },
    Job { nodes: 20, pairs: 60, variation: 0.0, budget: 10, distance_max: 0.05, drift: 0.05 },
];

impl Collocation {
    pub(super) fn run(&self) -> Result<(), Ended> {
        let jobs = self.jobs()?;
        let (seeds, strategies) = (self.rounds.seeds()?, self.rounds.strategies()?);
        let mut rows = Vec::new();
        let bar = progress::counted((jobs.len() * strategies.len()) as u64 * (seeds.end - seeds.start));
        for job in &jobs {
            let periods =
                self.periods.unwrap_or_else(|| (job.pairs as u32).div_ceil(job.budget.max(1)) * 3 / 2 + 5);
            for seed in seeds.clone() {
                for strategy in &strategies {
                    let name = format!("{} x {}, seed {seed}, {strategy}", job.nodes, job.pairs);
                    bar.set_message(name.clone());
                    let (one, drift) = (one_to_one(job, seed), Drift { share: job.drift, seed });
                    let run =
                        bench::collocation(one, drift, periods, strategy, self.rounds.effort(strategy)?)
                            .map_err(|refusal| Ended::Refused { origin: name, refusal })?;
                    rows.push(Row { job: *job, periods, seed, run });
                    bar.inc(1);
                }
            }
        }
        bar.finish_and_clear();
        self.output.print(&rows, |out| write_table(out, &rows))
    }

    fn jobs(&self) -> Result<Vec<Job>, Ended> {
        for (option, value) in
            [("--distance-max", self.distance_max), ("--drift", self.drift), ("--variation", self.variation)]
        {
            if !(0.0..=1.0).contains(&value) {
                return refuse(format!("{option} {value}"), "it takes a number from 0 to 1", "5 % is 0.05");
            }
        }
        if self.size.is_empty() {
            return Ok(USUAL.to_vec());
        }
        let job = |pair: &Pair| {
            let most = ballast::generate::Groups::MOST_PER_NODE * pair.nodes / 2;
            if pair.nodes == 0 || pair.groups == 0 || pair.groups > most {
                return refuse(
                    format!("--size {}x{}", pair.nodes, pair.groups),
                    &format!("it takes at least one node, and 1 to {most} pairs on so many"),
                    "20x200 is the papers' size",
                );
            }
            Ok(Job {
                nodes: pair.nodes,
                pairs: pair.groups,
                variation: self.variation,
                budget: self.budget,
                distance_max: self.distance_max,
                drift: self.drift,
            })
        };
        self.size.iter().map(job).collect()
    }
}

fn one_to_one(job: &Job, seed: u64) -> OneToOne {
    OneToOne {
        nodes: job.nodes,
        pairs: job.pairs,
        variation: job.variation,
        paired: 1.0,
        budget: job.budget,
        distance_max: job.distance_max,
        seed,
    }
}

fn write_table(out: &mut dyn Write, rows: &[Row]) -> Result<(), Ended> {
    let mut figures = markdown([
        "nodes x pairs",
        "moves a period, maxLD, drift",
        "strategy",
        "seed",
        "collocation factor",
        "periods to all (least)",
        "moves till then (least)",
        "moves after",
        "most moves",
        "periods above maxLD (avoidable)",
        "worst load distance",
        "answer, median",
    ]);
    for row in rows {
        let (job, run) = (&row.job, &row.run);
        let to_all = run.periods_to_all.map_or_else(|| "never".to_owned(), |periods| periods.to_string());
        figures.add_row(vec![
            figure(format!("{} x {}", job.nodes, job.pairs)),
            figure(format!("{}, {} %, {} %", job.budget, job.distance_max * 100.0, job.drift * 100.0)),
            figure(run.strategy.clone()),
            figure(row.seed.to_string()),
            figure(format!("{:.3} to {:.3}", run.factor_before, run.factor)),
            figure(format!("{to_all} ({})", run.least_periods)),
            figure(format!("{} ({})", run.moves, run.least_moves)),
            figure(run.moves_after.to_string()),
            figure(run.most_moves.to_string()),
            figure(format!("{} ({}) of {}", run.overload_periods, run.avoidable_periods, row.periods)),
            figure(format!("{:.2}", run.worst_load_distance * 100.0)),
            figure(format!("{:.1} ms", run.answer_ms)),
        ]);
    }
    writeln!(out, "{}", figures.trim_fmt())?;
    Ok(())
}
