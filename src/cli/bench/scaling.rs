//! `ballast bench scaling`: a cluster that grows and shrinks, and what each policy makes of it.

use std::io::Write;

use ballast::bench::{self, Effort, Elastic, ElasticRun, Policy};
use clap::Args;
use serde::Serialize;

use super::{Output, figure, refuse};
use crate::cli::report::markdown;
use crate::cli::{Ended, progress};

/// Scaling: load that doubles and halves, nodes that get lost, over many periods.
///
/// Four policies live through the same loads and losses: nobody moves anything (stay), the cluster is only balanced
/// (balance), a rule of thumb asks for a node and drains the emptiest (threshold), Ballast's advice is followed (scale).
#[derive(Args)]
#[command(after_long_help = "\
Overloads are periods that end with a node above scale.out.load; avoidable are those that balancing would have mended.
Node periods are what is paid for. The delay of drains is how many periods the slowest took beyond the least that its
budget allows.

Exit codes are those of `ballast bench balance --help`.

Examples:
  ballast bench scaling
  ballast bench scaling --nodes 20 --groups 12 --budget 10 --seeds 5")]
pub(super) struct Scaling {
    /// Nodes at first
    #[arg(long, value_name = "N", default_value_t = 8)]
    nodes: usize,
    /// Workers of one executor on each of them
    #[arg(long, value_name = "N", default_value_t = 6)]
    groups: usize,
    /// Mean utilization at first, 0 to 1
    #[arg(long, value_name = "F", default_value_t = 0.45, allow_negative_numbers = true)]
    mean: f64,
    /// Statistics periods
    #[arg(long, value_name = "N", default_value_t = 200)]
    periods: u32,
    /// Periods from asking for a node to its coming
    #[arg(long, value_name = "N", default_value_t = 3)]
    delivery: u32,
    /// Workers that may be restarted in a period
    #[arg(long, value_name = "N", default_value_t = 6)]
    budget: u32,
    /// Lives of each policy
    #[arg(long, value_name = "N", default_value_t = 5)]
    seeds: u64,
    /// Seed of the first life; the others follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Search steps a plan, as in ballast.solver.steps
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    steps: u64,
    #[command(flatten)]
    output: Output,
}

/// A life with everything that makes it again.
#[derive(Serialize)]
struct Row {
    nodes: usize,
    groups: usize,
    mean: f64,
    periods: u32,
    delivery: u32,
    budget: u32,
    #[serde(flatten)]
    run: ElasticRun,
}

/// Steps end a plan and not time, so that a life is the same on every machine.
const TIME_MS: u64 = 600_000;

impl Scaling {
    pub(super) fn run(&self) -> Result<(), Ended> {
        self.check()?;
        let mut rows = Vec::new();
        let bar = progress::counted(Policy::ALL.len() as u64 * self.seeds);
        for policy in Policy::ALL {
            for seed in self.seed..self.seed + self.seeds {
                bar.set_message(format!("{policy:?}, seed {seed}"));
                let effort = Effort { steps: self.steps, time_ms: TIME_MS };
                let run = bench::elastic(&self.set_up(seed), policy, effort).map_err(|refusal| {
                    Ended::Refused { origin: format!("{policy:?}, seed {seed}"), refusal }
                })?;
                rows.push(self.row(run));
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        self.output.print(&rows, |out| self.write_table(out, &rows))
    }

    fn check(&self) -> Result<(), Ended> {
        for (option, value, most) in [
            ("--nodes", self.nodes as u64, 1_000),
            ("--groups", self.groups as u64, 1_000),
            ("--periods", self.periods.into(), 100_000),
            ("--seeds", self.seeds, 100_000),
        ] {
            if value == 0 || value > most {
                let detail = format!("it takes 1 to {most}");
                return refuse(
                    format!("{option} {value}"),
                    &detail,
                    "8 nodes of 6 groups are a small cluster",
                );
            }
        }
        if self.seed.checked_add(self.seeds).is_none() {
            return refuse(
                format!("--seed {}", self.seed),
                "the seeds after it are too large",
                "start lower",
            );
        }
        if !(self.mean > 0.0 && self.mean <= 1.0) {
            return refuse(
                format!("--mean {}", self.mean),
                "it takes more than 0, up to 1",
                "45 % is written 0.45",
            );
        }
        Ok(())
    }

    fn set_up(&self, seed: u64) -> Elastic {
        Elastic {
            nodes: self.nodes,
            per_node: self.groups,
            mean: self.mean,
            periods: self.periods,
            delivery: self.delivery,
            budget: self.budget,
            seed,
        }
    }

    fn row(&self, run: ElasticRun) -> Row {
        Row {
            nodes: self.nodes,
            groups: self.groups,
            mean: self.mean,
            periods: self.periods,
            delivery: self.delivery,
            budget: self.budget,
            run,
        }
    }

    fn write_table(&self, out: &mut dyn Write, rows: &[Row]) -> Result<(), Ended> {
        writeln!(
            out,
            "{} nodes of {} groups at {}, {} periods, a node comes after {}, {} restarts a period; sums over seeds {} to {}\n",
            self.nodes,
            self.groups,
            self.mean,
            self.periods,
            self.delivery,
            self.budget,
            self.seed,
            self.seed + self.seeds - 1
        )?;
        let mut figures = markdown([
            "policy",
            "overloads",
            "avoidable",
            "node periods",
            "shocks",
            "changes of the nodes",
            "drains",
            "delay of drains, worst",
            "restarts",
        ]);
        for lives in rows.chunk_by(|a, b| a.run.policy == b.run.policy) {
            let sum =
                |of: fn(&ElasticRun) -> u32| lives.iter().map(|row| of(&row.run)).sum::<u32>().to_string();
            let worst = lives.iter().map(|row| row.run.drain_delay).max().unwrap_or(0);
            figures.add_row(vec![
                figure(format!("{:?}", lives[0].run.policy).to_lowercase()),
                figure(sum(|run| run.overloads)),
                figure(sum(|run| run.avoidable)),
                figure(sum(|run| run.node_periods)),
                figure(sum(|run| run.shocks)),
                figure(sum(|run| run.changes)),
                figure(sum(|run| run.drains)),
                figure(worst.to_string()),
                figure(sum(|run| run.restarts)),
            ]);
        }
        writeln!(out, "{}", figures.trim_fmt())?;
        Ok(())
    }
}
