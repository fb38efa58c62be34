//! Drift: rounds of changing loads, with copies mended within a budget; and the time that takes on large clusters.

use std::io::Write;

use ballast::bench::{self, DriftRun, Rounds};
use clap::Args;
use serde::Serialize;

use super::clusters::{Clusters, Kind, Loads, Usual};
use crate::cli::bench::{figure, or_dash, refuse};
use crate::cli::groups::{Pair, States};
use crate::cli::report::markdown;
use crate::cli::{Ended, progress};

/// The options of the rounds.
#[derive(Args)]
pub(super) struct DriftOptions {
    /// Rounds of drift [default: 20, and 3 of the part time]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Copies that may be laid elsewhere in a round, a fraction of the bytes of all states
    #[arg(long, value_name = "F", default_value_t = 0.0025, allow_negative_numbers = true)]
    round_budget: f64,
}

/// What is run where no option says otherwise.
pub(super) struct Lives {
    usual: Usual<'static>,
    rounds: u32,
    /// None: all.
    strategies: &'static [&'static str],
    /// Whether ours is shown without a budget too.
    lazy: bool,
}

/// All strategies for long.
pub(super) const LONG: Lives = Lives {
    usual: Usual {
        sizes: &[
            Pair { nodes: 60, groups: 1_200 },
            Pair { nodes: 200, groups: 4_000 },
            Pair { nodes: 1_000, groups: 20_000 },
        ],
        loads: &[Loads::Uniform, Loads::Zipf],
        states: &[States::Uncorrelated],
        copies: &[1, 2],
    },
    rounds: 20,
    strategies: &[],
    lazy: true,
};

/// Ours on large clusters, a few rounds.
pub(super) const LARGE: Lives = Lives {
    usual: Usual {
        sizes: &[Pair { nodes: 1_000, groups: 20_000 }, Pair { nodes: 10_000, groups: 200_000 }],
        ..LONG.usual
    },
    rounds: 3,
    strategies: &["dealt"],
    lazy: false,
};

/// A run with everything that makes it again.
#[derive(Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    kind: Kind,
    #[serde(flatten)]
    rounds: Rounds,
    seed: u64,
    #[serde(flatten)]
    run: DriftRun,
}

impl Row {
    fn is_like(&self, other: &Self) -> bool {
        self.kind == other.kind && self.rounds == other.rounds && self.run.strategy == other.run.strategy
    }
}

pub(super) fn run(clusters: &Clusters, options: &DriftOptions, lives: &Lives) -> Result<Vec<Row>, Ended> {
    let count = options.rounds.unwrap_or(lives.rounds);
    if count == 0 || count > 10_000 {
        return refuse(format!("--rounds {count}"), "it takes 1 to 10000", "20 show the decay");
    }
    if !(0.0..=1.0).contains(&options.round_budget) {
        let origin = format!("--round-budget {}", options.round_budget);
        return refuse(origin, "it takes a number from 0 to 1", "a quarter of a percent is 0.0025");
    }
    let (kinds, seeds) = (clusters.kinds(&lives.usual)?, clusters.seeds()?);
    let strategies = clusters.strategies_or(lives.strategies)?;
    let mut rows = Vec::new();
    let bar = progress::counted((kinds.len() * strategies.len()) as u64 * (seeds.end - seeds.start));
    for kind in kinds {
        for strategy in &strategies {
            // The baselines never lay a copy elsewhere.
            let budgets: &[f64] = match (strategy.name(), lives.lazy) {
                ("dealt", true) => &[0.0, options.round_budget],
                ("dealt", false) => &[options.round_budget],
                _ => &[0.0],
            };
            for budget in budgets {
                let rounds = Rounds { rounds: count, budget: *budget };
                for seed in seeds.clone() {
                    bar.set_message(format!("{}, seed {seed}, {}", kind.cells()[0], strategy.name()));
                    let run = bench::drift(&kind.cluster(seed), *strategy, rounds);
                    rows.push(Row { kind: kind.clone(), rounds, seed, run });
                }
            }
            bar.inc(seeds.end - seeds.start);
        }
    }
    bar.finish_and_clear();
    Ok(rows)
}

/// Means over the seeds.
pub(super) fn write_table<'r>(out: &mut dyn Write, rows: impl Iterator<Item = &'r Row>) -> Result<(), Ended> {
    let rows: Vec<&Row> = rows.collect();
    let mut figures = markdown([
        "nodes x groups",
        "loads, states",
        "copies",
        "strategy",
        "budget a round",
        "gap of a node, mean (max)",
        "gap of a rack, mean (max)",
        "mended a round, mean (max)",
        "missing laid anew a round",
        "migrated a round",
        "moves",
        "load distance, max",
        "scratch",
        "a round, median",
    ]);
    for runs in rows.chunk_by(|one, other| one.is_like(other)) {
        let mean = |of: &dyn Fn(&DriftRun) -> f64| {
            runs.iter().map(|row| of(&row.run)).sum::<f64>() / runs.len() as f64
        };
        let most = |of: &dyn Fn(&DriftRun) -> f64| runs.iter().map(|row| of(&row.run)).fold(0.0, f64::max);
        let some = |share: Option<f64>| share.unwrap_or(0.0);
        let percent = |share: f64| format!("{:.3} %", share * 100.0);
        let gap = |gap: f64, max: f64| format!("{:.2} ({:.2})", gap * 100.0, max * 100.0);
        let rack = runs[0]
            .run
            .gap_rack
            .is_some()
            .then(|| gap(mean(&|run| some(run.gap_rack)), most(&|run| some(run.gap_rack_max))));
        let cells = runs[0].kind.cells().into_iter().chain([
            runs[0].run.strategy.to_owned(),
            format!("{:.2} %", runs[0].rounds.budget * 100.0),
            gap(mean(&|run| run.gap_node), most(&|run| run.gap_node_max)),
            or_dash(rack),
            format!("{} ({})", percent(mean(&|run| run.mended)), percent(most(&|run| run.mended_max))),
            percent(mean(&|run| run.missing)),
            percent(mean(&|run| run.migrated)),
            format!("{:.0}", mean(&|run| run.moves as f64)),
            format!("{:.2}", most(&|run| run.distance_max) * 100.0),
            format!("{:.2} ms", mean(&|run| run.scratch_ms)),
            format!("{:.2} ms", mean(&|run| run.round_ms)),
        ]);
        figures.add_row(cells.map(figure).collect::<Vec<_>>());
    }
    writeln!(out, "{}", figures.trim_fmt())?;
    Ok(())
}
