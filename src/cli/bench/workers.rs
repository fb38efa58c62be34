//! `ballast bench workers`: strategies on topologies of workers with many executors.

use std::io::Write;
use std::str::FromStr;

use ballast::bench::{self, Run};
use ballast::generate::Cluster;
use clap::Args;
use serde::Serialize;

use super::rounds::Rounds;
use super::{Output, figure, points, refuse};
use crate::cli::report::markdown;
use crate::cli::{Ended, progress};

/// Workers of many executors: topologies as a shared cluster runs them, dealt by count as Storm deals.
///
/// Each topology has 1 to 40 workers with 2 to 20 executors each; a restart is a worker, whatever changes in it.
#[derive(Args)]
#[command(after_long_help = "\
Units and exit codes are those of `ballast bench balance --help`.

Examples:
  ballast bench workers
  ballast bench workers --cluster 100x20x60 --budgets 8,32,64 --strategies search,flux --time-ms 1000")]
pub(super) struct Workers {
    /// Nodes of 16 cores, slots a node and topologies; may be repeated [default: 20x10x15, 100x20x60 and 1000x24x300]
    #[arg(long, value_name = "NODESxSLOTSxTOPOLOGIES", value_parser = Shape::from_str)]
    cluster: Vec<Shape>,
    /// Restarts that a plan may spend, by commas
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = [8, 32, 64])]
    budgets: Vec<u32>,
    #[command(flatten)]
    rounds: Rounds,
    #[command(flatten)]
    output: Output,
}

/// NODESxSLOTSxTOPOLOGIES as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    nodes: usize,
    slots: u16,
    topologies: usize,
}

const USUAL: [Shape; 3] = [
    Shape { nodes: 20, slots: 10, topologies: 15 },
    Shape { nodes: 100, slots: 20, topologies: 60 },
    Shape { nodes: 1000, slots: 24, topologies: 300 },
];

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "write NODESxSLOTSxTOPOLOGIES, for instance 20x10x15".to_owned();
        let parts: Vec<&str> = text.split('x').collect();
        let [nodes, slots, topologies] = parts[..] else { return Err(wrong()) };
        let number = |text: &str| text.trim().parse().map_err(|_| wrong());
        let slots = slots.trim().parse().map_err(|_| wrong())?;
        Ok(Self { nodes: number(nodes)?, slots, topologies: number(topologies)? })
    }
}

/// A run with everything that makes it again.
#[derive(Serialize)]
struct Row {
    nodes: usize,
    slots: u16,
    topologies: usize,
    workers: usize,
    executors: usize,
    budget: u32,
    seed: u64,
    #[serde(flatten)]
    run: Run,
}

/// Load over capacity.
const MEAN: f64 = 0.5;

impl Workers {
    pub(super) fn run(&self) -> Result<(), Ended> {
        let shapes = if self.cluster.is_empty() { &USUAL[..] } else { &self.cluster[..] };
        let (seeds, strategies) = (self.rounds.seeds()?, self.rounds.strategies()?);
        let answers = shapes.len() * self.budgets.len() * strategies.len();
        let bar = progress::counted(answers as u64 * (seeds.end - seeds.start));
        let mut rows = Vec::new();
        for shape in shapes {
            shape.check()?;
            for (budget, seed) in self.budgets.iter().flat_map(|b| seeds.clone().map(move |seed| (*b, seed)))
            {
                let Shape { nodes, slots, topologies } = *shape;
                let request = Cluster { nodes, slots, topologies, mean: MEAN, budget, seed }.request();
                let slots_used = request.topologies.iter().map(|topology| topology.workers as usize).sum();
                for strategy in &strategies {
                    bar.set_message(format!("{nodes} x {slots}, {budget} restarts, seed {seed}, {strategy}"));
                    let effort = self.rounds.effort(strategy)?;
                    let (run, _) = bench::run(&request, strategy, effort, 0).map_err(|refusal| {
                        let origin = format!("{strategy} on {nodes} x {slots}, seed {seed}");
                        Ended::Refused { origin, refusal }
                    })?;
                    rows.push(Row {
                        nodes,
                        slots,
                        topologies: request.topologies.len(),
                        workers: slots_used,
                        executors: request.topologies.iter().map(|topology| topology.executors.len()).sum(),
                        budget,
                        seed,
                        run,
                    });
                    bar.inc(1);
                }
            }
        }
        bar.finish_and_clear();
        self.output.print(&rows, |out| write_table(out, &rows))
    }
}

impl Shape {
    fn check(self) -> Result<(), Ended> {
        let fine = (1..=10_000).contains(&self.nodes)
            && (1..=1_000).contains(&self.slots)
            && (1..=10_000).contains(&self.topologies);
        if fine {
            return Ok(());
        }
        refuse(
            format!("--cluster {}x{}x{}", self.nodes, self.slots, self.topologies),
            "it takes 1 to 10000 nodes, 1 to 1000 slots a node and 1 to 10000 topologies",
            "20x10x15 is a small cluster",
        )
    }
}

fn write_table(out: &mut dyn Write, rows: &[Row]) -> Result<(), Ended> {
    let mut figures = markdown([
        "nodes x slots",
        "topologies",
        "workers",
        "executors",
        "restarts allowed",
        "seed",
        "strategy",
        "load distance",
        "bound",
        "gap",
        "restarts",
        "time",
    ]);
    for row in rows {
        figures.add_row(vec![
            figure(format!("{} x {}", row.nodes, row.slots)),
            figure(row.topologies.to_string()),
            figure(row.workers.to_string()),
            figure(row.executors.to_string()),
            figure(row.budget.to_string()),
            figure(row.seed.to_string()),
            figure(row.run.strategy.clone()),
            figure(points(row.run.load_distance)),
            figure(points(row.run.lower_bound)),
            figure(points(row.run.gap)),
            figure(row.run.restarts.to_string()),
            figure(format!("{:.1} ms", row.run.answer_ms)),
        ]);
    }
    writeln!(out, "{}", figures.trim_fmt())?;
    Ok(())
}
