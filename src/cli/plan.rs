//! `ballast plan`: a request in, a reply out.

use std::io::{IsTerminal, Write};
use std::str::FromStr;

use ballast::engine;
use ballast::wire::{Reply, Request, Verdict};
use clap::{Args, ValueEnum};

use super::setting::{self, Setting};
use super::{Ended, input, progress, report};

/// Make a plan: where executors should run, what it costs, and why.
///
/// The reply goes to standard output, as a table on a terminal and as JSON elsewhere.
#[derive(Args)]
#[command(after_long_help = "\
Units: loads and capacities in cores, utilization and load distance as fractions of a node's capacity, memory in MiB,
times in seconds. Load distance is the largest difference between a node's utilization and the mean. A restart is a
running worker whose set of executors or whose slot changes: Storm kills and restarts it.

Exit codes:
  0  a plan, or nothing to do (the reply's notes say why)
  1  the input cannot be used; standard error names the file, the field and the reason
  2  the command line was not understood
  3  refused: the request is fine, but no plan could be made
  4  the best plan found still breaks a limit (verdict \"unsatisfied\"); the reply is printed all the same

Examples:
  ballast plan 41-request.json
  ballast plan 41-request.json --format json > 41-reply.json
  ballast plan 41-request.json --set budget.restarts=4 --set drain.nodes=supervisor-7
  ballast plan 41-request.json --strategy milp --set solver.time.ms=30000
  ballast plan - --format table < 41-request.json")]
pub(crate) struct Plan {
    /// The request, a JSON file, or - for standard input
    #[arg(value_name = "REQUEST.json")]
    request: String,
    /// Planner to use instead of the request's; `ballast strategies` lists them
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// Replace one setting of the request, by its name in storm.yaml; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = Setting::from_str)]
    set: Vec<Setting>,
    /// How the reply is printed [default: table on a terminal, json elsewhere]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

/// How a reply is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people: nodes before and after, moves with their reasons, cost and notes
    Table,
    /// For programs: the reply as the wire has it
    Json,
}

impl Plan {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        let origin = input::name(&self.request);
        let mut request = input::request(&self.request)?;
        setting::lay_over(&mut request.settings, &self.set)?;
        if let Some(name) = &self.strategy {
            request.settings.insert("strategy".to_owned(), setting::strategy("--strategy", name)?);
        }
        let reply = progress::during(&size(&request), || engine::answer(&request));
        if let Some(refusal) = reply.refusal.clone().filter(|r| r.code.blames_the_request()) {
            return Err(Ended::unusable(origin, refusal));
        }
        self.print(&request, &reply)?;
        if let Some(refusal) = reply.refusal {
            return Err(Ended::Refused { origin: origin.to_owned(), refusal });
        }
        if reply.verdict == Verdict::Unsatisfied {
            let limits = report::broken_limits(&request, &reply);
            return Err(Ended::Unsatisfied { origin: origin.to_owned(), limits });
        }
        Ok(())
    }

    fn print(&self, request: &Request, reply: &Reply) -> Result<(), Ended> {
        let out = std::io::stdout();
        let table = if out.is_terminal() { Format::Table } else { Format::Json };
        let mut out = out.lock();
        match self.format.unwrap_or(table) {
            Format::Table => report::write(&mut out, request, reply)?,
            Format::Json => {
                serde_json::to_writer_pretty(&mut out, reply).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

fn size(request: &Request) -> String {
    let executors: usize = request.topologies.iter().map(|topology| topology.executors.len()).sum();
    format!("planning {executors} executors on {} nodes", request.nodes.len())
}
