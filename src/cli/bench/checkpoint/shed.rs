//! Shed: bytes that a planner ships to level a skew, by where the copies are.

use std::io::Write;

use ballast::bench::{self, ShedRun};
use ballast::generate::Skew;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::clusters::{Clusters, Kind, Loads, Usual};
use crate::cli::bench::{figure, or_dash};
use crate::cli::groups::{Pair, States, word};
use crate::cli::report::markdown;
use crate::cli::{Ended, progress};

/// The options of the skews.
#[derive(Args)]
pub(super) struct ShedOptions {
    /// Skews, by commas [default: all]
    #[arg(long, value_enum, value_name = "NAMES", value_delimiter = ',')]
    skew: Vec<SkewName>,
}

/// What changes all at once.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SkewName {
    /// All groups of one node have twice their load
    Node,
    /// A quarter of the groups on a tenth of the nodes have three times their load
    Groups,
    /// Groups of one class of ten have twice their load, three classes a node
    Class,
}

const USUAL: Usual = Usual {
    sizes: &[
        Pair { nodes: 20, groups: 400 },
        Pair { nodes: 60, groups: 1_200 },
        Pair { nodes: 200, groups: 4_000 },
    ],
    loads: &[Loads::Uniform, Loads::Zipf],
    states: &[States::Correlated, States::Uncorrelated],
    copies: &[1, 2],
};

/// A run with everything that makes it again.
#[derive(Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    kind: Kind,
    skew: String,
    seed: u64,
    #[serde(flatten)]
    run: ShedRun,
}

impl Row {
    fn is_like(&self, other: &Self) -> bool {
        self.is_of_one_skew(other) && self.run.strategy == other.run.strategy
    }

    fn is_of_one_skew(&self, other: &Self) -> bool {
        self.kind == other.kind && self.skew == other.skew
    }
}

pub(super) fn run(clusters: &Clusters, options: &ShedOptions) -> Result<Vec<Row>, Ended> {
    let (kinds, seeds, strategies) =
        (clusters.kinds(&USUAL)?, clusters.seeds()?, clusters.strategies_or(&[])?);
    let skews = if options.skew.is_empty() { SkewName::value_variants() } else { &options.skew };
    let mut rows = Vec::new();
    let bar = progress::counted((kinds.len() * skews.len()) as u64 * (seeds.end - seeds.start));
    for kind in kinds {
        for name in skews {
            let skew = match name {
                SkewName::Node => Skew::Node,
                SkewName::Groups => Skew::Groups,
                SkewName::Class => Skew::Class,
            };
            let mut runs = Vec::new();
            for seed in seeds.clone() {
                bar.set_message(format!("{}, seed {seed}, skew {}", kind.cells()[0], word(name)));
                let of_seed = bench::shed(&kind.cluster(seed), skew, &strategies);
                runs.extend(of_seed.into_iter().map(|run| (seed, run)));
                bar.inc(1);
            }
            let row = |(seed, run)| Row { kind: kind.clone(), skew: word(name), seed, run };
            let from = rows.len();
            rows.extend(runs.into_iter().map(row));
            // Stable: within a strategy the seeds keep their order.
            rows[from..].sort_by_key(|row: &Row| row.run.strategy);
        }
    }
    bar.finish_and_clear();
    Ok(rows)
}

/// Means over the seeds, and beside them what copies anywhere would come to.
pub(super) fn write_table<'r>(out: &mut dyn Write, rows: impl Iterator<Item = &'r Row>) -> Result<(), Ended> {
    let rows: Vec<&Row> = rows.collect();
    let mut figures = markdown([
        "nodes x groups",
        "loads, states",
        "copies",
        "skew",
        "strategy",
        "bytes of the blind planner's, mean (max)",
        "bound",
        "of random's",
        "moves to copies",
        "moves of the blind planner's",
        "load distance before",
        "after, max",
        "blind, max",
    ]);
    for runs in rows.chunk_by(|one, other| one.is_like(other)) {
        let mean_of = |runs: &[&Row], of: &dyn Fn(&ShedRun) -> f64| {
            runs.iter().map(|row| of(&row.run)).sum::<f64>() / runs.len() as f64
        };
        let mean = |of: &dyn Fn(&ShedRun) -> f64| mean_of(runs, of);
        let random: Vec<&Row> = rows
            .iter()
            .copied()
            .filter(|row| row.is_of_one_skew(runs[0]) && row.run.strategy == "random")
            .collect();
        let fraction = |run: &ShedRun| run.fraction;
        let of_random = (!random.is_empty()).then(|| mean(&fraction) / mean_of(&random, &fraction));
        let most = |of: &dyn Fn(&ShedRun) -> f64| runs.iter().map(|row| of(&row.run)).fold(0.0, f64::max);
        let cells = runs[0].kind.cells().into_iter().chain([
            runs[0].skew.clone(),
            runs[0].run.strategy.to_owned(),
            format!("{:.3} ({:.3})", mean(&|run| run.fraction), most(&|run| run.fraction)),
            format!("{:.3}", mean(&|run| run.bound_fraction)),
            or_dash(of_random.map(|ratio| format!("{ratio:.2}"))),
            format!("{:.2}", mean(&|run| run.to_copies)),
            format!("{:.2}", mean(&|run| run.moves as f64 / run.moves_blind.max(1) as f64)),
            format!("{:.2}", mean(&|run| run.distance_before) * 100.0),
            format!("{:.2}", most(&|run| run.distance) * 100.0),
            format!("{:.2}", most(&|run| run.distance_blind) * 100.0),
        ]);
        figures.add_row(cells.map(figure).collect::<Vec<_>>());
    }
    writeln!(out, "{}", figures.trim_fmt())?;
    Ok(())
}
