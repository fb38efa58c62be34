//! `ballast replay`: recordings in, what each policy would have done out.

use std::fs;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::str::FromStr;

use ballast::ingest::{self, Fault, Options};
use ballast::replay::{Input, Outcome, Replay as Question, WhatIf};
use ballast::report;
use ballast::wire::Node;
use clap::{Args, ValueEnum};
use serde_json::{Map, Value};

use super::setting::{self, Setting};
use super::{Ended, progress, whole_file};

/// Say what each policy would have done with recorded metrics, and what it would have cost.
///
/// Inputs are files and folders, told by what is in them: Ballast's own recordings (ballast.record.dir, `ballast record`),
/// a worker.log.metrics with its rolled files, saved answers of the Storm UI, a capture of storm-loadgen, a table of loads.
/// Several of one time are merged.
#[derive(Args)]
#[command(after_long_help = "\
Window by window every policy plans with the loads of the window and its own placement, in which its earlier plans have
been carried out; what it decides on one window is in effect from the next. \"recorded\" does nothing and follows the
recording. The bound is the load distance that no placement at all can be nearer than.

A table of loads is CSV with a header; its columns, in any order:
  time            end of the window, seconds since the epoch or 2026-11-30T00:28:34Z
  topology        name or id
  component, task, node, port
  cpu_cores       load of the executor in cores; empty: not measured
  and, where known: task_last, kind (spout, bolt, system), host, rack, node_cores, node_memory_mib, node_ports
  (6700-6703), received_per_sec, emitted_per_sec, state_bytes, uptime_secs. A row without a component tells a node only.

Units: load distances are fractions of capacity; times in JSON are seconds.

Exit codes:
  0  replayed
  1  an input or a value cannot be used; standard error names it and the reason
  2  the command line was not understood

Examples:
  ballast replay /var/log/storm/ballast-recordings
  ballast replay ballast-20261130T101500Z.jsonl.gz --policy albic,flux --report replay.html
  ballast replay workers-artifacts/flights-3-1795998681 ui-answers --set budget.restarts=4
  ballast replay recordings --without-node supervisor-7 --scale-load parse=2.0
  ballast replay recordings --add-node id=new-1,cores=8,ports=6700-6703")]
pub(crate) struct Replay {
    /// Recordings: files and folders
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Policies to compare, by commas; `ballast strategies` lists them
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "albic,flux,even")]
    policy: Vec<String>,
    /// Settings of a storm.yaml, laid over those of the recording; keys without the prefix ballast. are not looked at
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Replace one setting, by its name in storm.yaml; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = Setting::from_str)]
    set: Vec<Setting>,
    /// What if this node were not there, by supervisor id or host; may be repeated
    #[arg(long, value_name = "NODE")]
    without_node: Vec<String>,
    /// What if this node were there too; may be repeated
    #[arg(long, value_name = "id=ID,cores=N,ports=A-B[,rack=RACK][,memory=MIB]", value_parser = added)]
    add_node: Vec<Node>,
    /// What if the executors of a component, or of one topology's, had so many times their load; may be repeated
    #[arg(long, value_name = "[TOPOLOGY/]COMPONENT=FACTOR", value_parser = scaled)]
    scale_load: Vec<(String, f64)>,
    /// Topology id of a metrics log whose path does not tell it
    #[arg(long, value_name = "ID")]
    topology: Option<String>,
    /// Seconds of a window of a metrics log [default: the distance of its ticks]
    #[arg(long, value_name = "SECS")]
    window: Option<i64>,
    /// Write the outcome as a page too: one HTML file that needs no network
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// How the outcome is printed [default: table on a terminal, json elsewhere]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

/// How an outcome is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: the policies beside each other, what was measured and what was guessed
    Table,
    /// For programs: everything, one object
    Json,
}

impl Replay {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        let outcome = self.outcome()?;
        if let Some(file) = &self.report {
            whole_file::write(file, report::page(&outcome).as_bytes()).map_err(|error| {
                Ended::value(file.display().to_string(), error.to_string(), "give a file that can be written")
            })?;
        }
        let out = std::io::stdout();
        let usual = if out.is_terminal() { Format::Table } else { Format::Json };
        let mut out = BufWriter::new(out.lock());
        match self.format.unwrap_or(usual) {
            Format::Table => write!(out, "{}", report::table(&outcome))?,
            Format::Json => {
                serde_json::to_writer_pretty(&mut out, &outcome).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
        }
        out.flush()?;
        Ok(())
    }

    fn outcome(&self) -> Result<Outcome, Ended> {
        for name in &self.policy {
            setting::strategy("--policy", name)?;
        }
        let question = Question {
            policies: self.policy.clone(),
            settings: self.given()?,
            what_if: WhatIf {
                without_nodes: self.without_node.clone(),
                nodes: self.add_node.clone(),
                loads: self.scale_load.clone(),
            },
        };
        let options = Options { topology: self.topology.clone(), window_secs: self.window };
        let mut source = ingest::open(&self.inputs, &options).map_err(unusable)?;
        let bar = progress::open_ended("windows");
        let mut outcome =
            ballast::replay::replay(&mut source, &question, &mut |_| bar.inc(1)).map_err(unusable)?;
        bar.finish_and_clear();
        let input = |(name, format, windows): (&str, _, _)| Input { name: name.to_owned(), format, windows };
        outcome.inputs = source.inputs().map(input).collect();
        outcome.remarks = source.all_remarks();
        Ok(outcome)
    }

    /// Settings of the file, and those of the command line over them.
    fn given(&self) -> Result<Map<String, Value>, Ended> {
        let mut settings = match &self.settings {
            Some(file) => from_storm_yaml(file)?,
            None => Map::new(),
        };
        setting::lay_over(&mut settings, &self.set)?;
        Ok(settings)
    }
}

fn unusable(fault: Fault) -> Ended {
    Ended::Unusable { origin: fault.place, detail: fault.detail, advice: fault.advice }
}

/// Settings of a storm.yaml by their names on the wire.
fn from_storm_yaml(file: &PathBuf) -> Result<Map<String, Value>, Ended> {
    let refused = |detail: String| {
        Ended::value(
            file.display().to_string(),
            detail,
            "give a storm.yaml with keys that begin with ballast.",
        )
    };
    let text = fs::read_to_string(file).map_err(|error| refused(error.to_string()))?;
    let all: Map<String, Value> =
        serde_saphyr::from_str(&text).map_err(|error| refused(error.to_string()))?;
    let own =
        all.into_iter().filter_map(|(key, value)| Some((key.strip_prefix("ballast.")?.to_owned(), value)));
    let settings: Map<String, Value> = own.collect();
    setting::check(&file.display().to_string(), &settings)?;
    Ok(settings)
}

/// A node of the command line.
fn added(text: &str) -> Result<Node, String> {
    let mut node = Node::blank("", "", Vec::new());
    for part in text.split(',') {
        let (key, value) = part.split_once('=').ok_or_else(|| format!("{part:?} has no '='"))?;
        let number = || value.parse::<f64>().map_err(|_| format!("{key}={value:?} is no number"));
        match key {
            "id" => value.clone_into(&mut node.id),
            "host" => value.clone_into(&mut node.host),
            "rack" => node.rack = Some(value.to_owned()),
            "cores" => node.cpu_cores = Some(number()?),
            "memory" => node.memory_mib = Some(number()?),
            "ports" => node.ports = ingest::ports(value)?,
            other => return Err(format!("{other:?} is none of id, host, cores, ports, rack, memory")),
        }
    }
    if node.id.is_empty() || node.ports.is_empty() {
        return Err("it needs id=ID and ports=A-B".to_owned());
    }
    if node.host.is_empty() {
        node.host.clone_from(&node.id);
    }
    Ok(node)
}

/// A component and its factor.
fn scaled(text: &str) -> Result<(String, f64), String> {
    let (component, factor) = text.rsplit_once('=').ok_or("it has no '='; write COMPONENT=FACTOR")?;
    match factor.parse::<f64>() {
        Ok(factor) if (0.0..=1e6).contains(&factor) => Ok((component.to_owned(), factor)),
        _ => Err(format!("{factor:?} is no factor from 0 to 1000000")),
    }
}
