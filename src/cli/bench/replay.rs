//! `ballast bench replay`: how long it takes to replay a recording.

use std::io::Write;

use ballast::bench::{self, ReplayRun};
use ballast::generate::{Cluster, Recorded};
use ballast::replay::Replay as Question;
use clap::Args;
use comfy_table::Cell;

use super::{Output, figure, or_dash, refuse};
use crate::cli::report::markdown;
use crate::cli::{Ended, setting};

/// Replay: a made-up recording, from the packed file to the outcome.
///
/// Topologies as a shared cluster runs them, with loads that wander, one minute a window; settings are the defaults.
#[derive(Args)]
#[command(after_long_help = "\
Exit codes are those of `ballast bench balance --help`.

Examples:
  ballast bench replay
  ballast bench replay --windows 60 --policy albic")]
pub(super) struct Replay {
    /// Nodes, of 16 cores and 8 slots each
    #[arg(long, value_name = "N", default_value_t = 20)]
    nodes: usize,
    /// Topologies, of 2 to 800 executors each
    #[arg(long, value_name = "N", default_value_t = 16)]
    topologies: usize,
    /// Windows of a minute; 1440 are a day
    #[arg(long, value_name = "N", default_value_t = 1440)]
    windows: usize,
    /// Policies, by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "albic,search,flux,even")]
    policy: Vec<String>,
    /// Seed of the cluster
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    output: Output,
}

impl Replay {
    pub(super) fn run(&self) -> Result<(), Ended> {
        if !(1..=1_000).contains(&self.nodes) || !(1..=1_000).contains(&self.topologies) {
            let origin = format!("--nodes {} --topologies {}", self.nodes, self.topologies);
            return refuse(origin, "each takes 1 to 1000", "20 and 16 make about 1,000 executors");
        }
        if !(1..=100_000).contains(&self.windows) {
            let origin = format!("--windows {}", self.windows);
            return refuse(origin, "it takes 1 to 100000", "1440 are a day");
        }
        for name in &self.policy {
            setting::strategy("--policy", name)?;
        }
        let cluster = Cluster {
            nodes: self.nodes,
            slots: 8,
            topologies: self.topologies,
            mean: 0.5,
            budget: 2,
            seed: self.seed,
        };
        let file = tempfile::Builder::new().prefix("ballast-bench-").suffix(".jsonl.gz").tempfile()?;
        let bytes = bench::write_recording(file.path(), Recorded::new(&cluster, 60), self.windows)?;
        let question = Question { policies: self.policy.clone(), ..Question::default() };
        let run = bench::replay_run(file.path(), &cluster, bytes, &question)
            .map_err(|fault| Ended::value(fault.place, fault.detail, fault.advice))?;
        self.output.print(std::slice::from_ref(&run), |out| write_table(out, &run))
    }
}

fn write_table(out: &mut dyn Write, run: &ReplayRun) -> Result<(), Ended> {
    let mut table = markdown([
        "nodes x executors",
        "windows",
        "policies",
        "file MiB (requests MiB)",
        "time",
        "windows a second",
        "memory MiB",
        "restarts",
    ]);
    let mib = |bytes: u64| bytes as f64 / 1_048_576.0;
    let restarts: Vec<String> =
        run.restarts.iter().map(|(policy, count)| format!("{policy} {count}")).collect();
    table.add_row([
        figure(format!("{} x {}", run.nodes, run.executors)),
        figure(run.windows.to_string()),
        figure(run.policies.to_string()),
        figure(format!("{:.1} ({:.0})", mib(run.file_bytes), mib(run.request_bytes))),
        figure(format!("{:.1} s", run.secs)),
        figure(format!("{:.0}", run.windows as f64 / run.secs)),
        figure(or_dash(run.memory_mib.map(|mib| format!("{mib:.0}")))),
        Cell::new(restarts.join(", ")),
    ]);
    writeln!(out, "{}", table.trim_fmt())?;
    Ok(())
}
