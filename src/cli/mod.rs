//! The command line's verbs, one a file. They read and write; every decision is the library's.

mod bars;
mod bench;
mod check;
mod checkpoints;
mod ended;
mod explain;
mod generate;
mod groups;
mod input;
mod plan;
mod progress;
#[cfg(feature = "record")]
mod record;
mod replay;
mod report;
mod setting;
mod strategies;
mod whole_file;
mod window;

use clap::{ArgAction, Parser, Subcommand};
use log::LevelFilter;

pub(crate) use ended::Ended;

/// Plans for Apache Storm clusters: balance by measured load under a budget of restarted workers.
///
/// A REQUEST is one snapshot of a cluster as JSON: what the scheduler's shim asks the library, and what it records when
/// ballast.record.dir is set. The same request gets the same answer here as inside Nimbus.
#[derive(Parser)]
#[command(name = "ballast", version, max_term_width = 100)]
pub(crate) struct Args {
    /// Log more to standard error: -v what happened, -vv how. RUST_LOG overrules it.
    #[arg(short, long, action = ArgAction::Count, global = true)]
    verbose: u8,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Plan(plan::Plan),
    Check(check::Check),
    Checkpoints(checkpoints::Checkpoints),
    Explain(explain::Explain),
    Replay(replay::Replay),
    Window(window::Window),
    Strategies(strategies::Strategies),
    Generate(generate::Generate),
    Bench(bench::Bench),
    #[cfg(feature = "record")]
    Record(record::Record),
}

impl Args {
    /// Starts the log on standard error.
    pub(crate) fn start_log(&self) {
        let level = match self.verbose {
            0 => LevelFilter::Warn,
            1 => LevelFilter::Info,
            _ => LevelFilter::Debug,
        };
        env_logger::Builder::new().filter_level(level).parse_default_env().format_timestamp(None).init();
    }
}

/// Does what was asked.
pub(crate) fn run(args: Args) -> Result<(), Ended> {
    match args.verb {
        Verb::Plan(plan) => plan.run(),
        Verb::Check(check) => check.run(),
        Verb::Checkpoints(checkpoints) => checkpoints.run(),
        Verb::Explain(explain) => explain.run(),
        Verb::Replay(replay) => replay.run(),
        Verb::Window(window) => window.run(),
        Verb::Strategies(strategies) => strategies.run(),
        Verb::Generate(generate) => generate.run(),
        Verb::Bench(bench) => bench.run(),
        #[cfg(feature = "record")]
        Verb::Record(record) => record.run(),
    }
}
