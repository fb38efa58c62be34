//! Recover: the worst loss of a node and of a rack, from scratch.

use std::io::Write;

use ballast::bench::{self, Recovery};
use serde::Serialize;

use super::clusters::{Clusters, Kind, Loads, Usual};
use crate::cli::bench::{figure, or_dash};
use crate::cli::groups::{Pair, States};
use crate::cli::report::markdown;
use crate::cli::{Ended, progress};

const USUAL: Usual = Usual {
    sizes: &[
        Pair { nodes: 20, groups: 400 },
        Pair { nodes: 60, groups: 1_200 },
        Pair { nodes: 200, groups: 4_000 },
        Pair { nodes: 1_000, groups: 20_000 },
    ],
    loads: &[Loads::Uniform, Loads::Zipf],
    states: &[States::Uncorrelated],
    copies: &[1, 2],
};

/// A run with everything that makes it again.
#[derive(Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    kind: Kind,
    seed: u64,
    #[serde(flatten)]
    run: Recovery,
}

pub(super) fn run(clusters: &Clusters) -> Result<Vec<Row>, Ended> {
    let (kinds, seeds, strategies) =
        (clusters.kinds(&USUAL)?, clusters.seeds()?, clusters.strategies_or(&[])?);
    let mut rows = Vec::new();
    let bar = progress::counted((kinds.len() * strategies.len()) as u64 * (seeds.end - seeds.start));
    for kind in kinds {
        for strategy in &strategies {
            for seed in seeds.clone() {
                bar.set_message(format!("{}, seed {seed}, {}", kind.cells()[0], strategy.name()));
                let run = bench::recover(&kind.cluster(seed), *strategy);
                rows.push(Row { kind: kind.clone(), seed, run });
                bar.inc(1);
            }
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
        "worst node (bound)",
        "gap, mean (max)",
        "worst rack (bound)",
        "gap, mean (max)",
        "without a node",
        "storage, max (cap)",
        "readiness, min / mean",
        "bound, time",
        "allocation, time",
    ]);
    for runs in rows.chunk_by(|one, other| one.kind == other.kind && one.run.strategy == other.run.strategy) {
        let mean = |of: &dyn Fn(&Recovery) -> f64| {
            runs.iter().map(|row| of(&row.run)).sum::<f64>() / runs.len() as f64
        };
        let most = |of: &dyn Fn(&Recovery) -> f64| runs.iter().map(|row| of(&row.run)).fold(0.0, f64::max);
        let points = |share: f64| format!("{:.2}", share * 100.0);
        let with_bound = |worst: &dyn Fn(&Recovery) -> f64, bound: &dyn Fn(&Recovery) -> f64| {
            format!("{} ({})", points(mean(worst)), points(mean(bound)))
        };
        let gap = |gap: &dyn Fn(&Recovery) -> f64| format!("{} ({})", points(mean(gap)), points(most(gap)));
        let with_racks = runs[0].run.worst_rack.is_some();
        let some = |share: Option<f64>| share.unwrap_or(0.0);
        let cells = runs[0].kind.cells().into_iter().chain([
            runs[0].run.strategy.to_owned(),
            with_bound(&|run| run.worst_node, &|run| run.bound_node),
            gap(&|run| run.gap_node),
            or_dash(with_racks.then(|| with_bound(&|run| some(run.worst_rack), &|run| some(run.bound_rack)))),
            or_dash(with_racks.then(|| gap(&|run| some(run.gap_rack)))),
            format!("{:.0}", mean(&|run| run.unplaced as f64)),
            format!("{:.2} ({:.2})", mean(&|run| run.storage_max), mean(&|run| run.storage_cap)),
            format!("{:.2} / {:.2}", mean(&|run| run.ready_min), mean(&|run| run.ready_mean)),
            format!("{:.2} ms", mean(&|run| run.bound_ms)),
            format!("{:.2} ms", mean(&|run| run.allocate_ms)),
        ]);
        figures.add_row(cells.map(figure).collect::<Vec<_>>());
    }
    writeln!(out, "{}", figures.trim_fmt())?;
    Ok(())
}
