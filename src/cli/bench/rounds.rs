//! The options of every bench that has strategies answer seed after seed.

use std::ops::Range;

use ballast::bench::{self, Effort};
use ballast::solve;
use clap::Args;

use super::refuse;
use crate::cli::Ended;

/// Seeds, strategies and what each may spend.
#[derive(Args)]
pub(super) struct Rounds {
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
    /// The same for the strategy milp, which is cut nearly always [default: that of the others]
    #[arg(long, value_name = "MS")]
    milp_time_ms: Option<u64>,
}

impl Rounds {
    /// The seeds.
    pub(super) fn seeds(&self) -> Result<Range<u64>, Ended> {
        if self.seeds == 0 || self.seeds > 100_000 {
            return refuse(
                format!("--seeds {}", self.seeds),
                "it takes 1 to 100000",
                "the papers average over 5",
            );
        }
        match self.seed.checked_add(self.seeds) {
            Some(end) => Ok(self.seed..end),
            None => {
                refuse(format!("--seed {}", self.seed), "the seeds after it are too large", "start lower")
            }
        }
    }

    /// The strategies, each once.
    pub(super) fn strategies(&self) -> Result<Vec<String>, Ended> {
        if self.strategies.is_empty() {
            return Ok(bench::strategies().into_iter().map(str::to_owned).collect());
        }
        match self.strategies.iter().find(|name| solve::by_name(name).is_none()) {
            None => {
                let again = |at: usize| self.strategies[..at].contains(&self.strategies[at]);
                let once = (0..self.strategies.len()).filter(|at| !again(*at));
                Ok(once.map(|at| self.strategies[at].clone()).collect())
            }
            Some(unknown) => refuse(
                format!("--strategies {}", self.strategies.join(",")),
                &format!("there is no strategy {unknown}; there are {}", solve::names().join(", ")),
                "`ballast strategies` tells what each does",
            ),
        }
    }

    /// What a strategy may spend on a plan.
    pub(super) fn effort(&self, strategy: &str) -> Result<Effort, Ended> {
        let milp = self.milp_time_ms.filter(|_| strategy == "milp");
        let time_ms = milp.unwrap_or(self.time_ms);
        if !(1..=600_000).contains(&time_ms) {
            let option = if milp.is_some() { "--milp-time-ms" } else { "--time-ms" };
            return refuse(format!("{option} {time_ms}"), "it takes 1 to 600000 ms", "500 is half a second");
        }
        Ok(Effort { steps: self.steps, time_ms })
    }
}
