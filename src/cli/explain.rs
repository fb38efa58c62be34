//! `ballast explain`: why an executor or a node is as it is.

use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::str::FromStr;

use ballast::explain::{Explanation, Subject, explain};
use clap::{ArgGroup, Args};
use comfy_table::{Cell, Row};

use super::plan::Format;
use super::report::{self, right};
use super::setting::{self, Setting};
use super::{Ended, input, progress};

/// Say why an executor or a node is as it is, what moving it would do, and why it was not moved.
#[derive(Args)]
#[command(group(ArgGroup::new("subject").required(true)), after_long_help = "\
INPUT is a request, or a recording; of a recording the last window counts, or the last that ends by --at.

Other places are told the best first, with the load distance afterwards and the restarts it takes. What is worth it by
itself may still be held back: by a limit, by a cooldown, or since the plan does better.

Exit codes: those of `ballast plan --help`.

Examples:
  ballast explain 41-request.json --executor 22
  ballast explain recordings --at 2026-11-30T02:00:00Z --executor flights/22
  ballast explain 41-request.json --node supervisor-7 --set cooldown.secs=0")]
pub(crate) struct Explain {
    /// A request or a recording; - for a request on standard input
    #[arg(value_name = "INPUT")]
    input: String,
    /// The executor with this task
    #[arg(long, value_name = "[TOPOLOGY/]TASK", value_parser = task, group = "subject")]
    executor: Option<Subject>,
    /// The node of this supervisor id or host
    #[arg(long, value_name = "NODE", group = "subject")]
    node: Option<String>,
    /// Of a recording: the last window that ends by this time, seconds since the epoch or 2026-11-30T00:28:34Z
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    at: Option<i64>,
    /// Replace one setting of the request, by its name in storm.yaml; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = Setting::from_str)]
    set: Vec<Setting>,
    /// How the answer is printed [default: table on a terminal, json elsewhere]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

impl Explain {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        let mut request = match self.input.as_str() {
            "-" => input::request("-")?,
            file => input::window(&PathBuf::from(file), self.at)?,
        };
        setting::lay_over(&mut request.settings, &self.set)?;
        let subject = match (&self.executor, &self.node) {
            (Some(subject), _) => subject.clone(),
            (None, node) => Subject::Node(node.clone().unwrap_or_default()),
        };
        let origin = input::name(&self.input);
        let explained =
            progress::during("planning", || explain(&request, &subject)).map_err(|refusal| match refusal
                .code
                .blames_the_request()
            {
                true => Ended::unusable(origin, refusal),
                false => Ended::Refused { origin: origin.to_owned(), refusal },
            })?;
        let out = std::io::stdout();
        let usual = if out.is_terminal() { Format::Table } else { Format::Json };
        let mut out = BufWriter::new(out.lock());
        match self.format.unwrap_or(usual) {
            Format::Table => write(&mut out, &explained)?,
            Format::Json => {
                serde_json::to_writer_pretty(&mut out, &explained).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

/// `22`, or `flights/22`.
fn task(text: &str) -> Result<Subject, String> {
    let (topology, task) = match text.rsplit_once('/') {
        Some((topology, task)) => (Some(topology.to_owned()), task),
        None => (None, text),
    };
    let task = task.parse().map_err(|_| format!("{task:?} is no task number"))?;
    Ok(Subject::Executor { topology, task })
}

/// Executors of a node told one by one.
const EXECUTORS: usize = 12;

fn write(out: &mut impl Write, explained: &Explanation) -> std::io::Result<()> {
    writeln!(out, "{}", explained.subject)?;
    match &explained.node {
        Some(node) => writeln!(
            out,
            "node {} ({}): utilization {:.3}, {:+.3} from the mean; {} workers, {} executors",
            node.id,
            node.host,
            node.utilization,
            node.utilization - node.mean,
            node.workers,
            node.executors
        )?,
        None => writeln!(out, "without a slot: it has to be placed")?,
    }
    let mut executors = report::table(["executor", "component", "topology", "slot", "cores", "known from"]);
    for known in explained.executors.iter().take(EXECUTORS) {
        executors.add_row([
            Cell::new(known.tasks),
            Cell::new(&known.component),
            Cell::new(&known.topology),
            Cell::new(known.slot.as_deref().unwrap_or("-")),
            right(format!("{:.3}", known.cpu_cores)),
            Cell::new(report::code(known.source)),
        ]);
    }
    writeln!(out, "\n{}", executors.trim_fmt())?;
    let more = explained.executors.len().saturating_sub(EXECUTORS);
    if more > 0 {
        writeln!(out, "and {more} lighter ones")?;
    }
    match explained.planned.is_empty() {
        true => writeln!(out, "\nthe plan leaves it where it is")?,
        false => writeln!(out, "\nthe plan:")?,
    }
    for step in &explained.planned {
        let from = step.from.as_ref().map_or("nowhere".to_owned(), ToString::to_string);
        writeln!(out, "  {} from {from} to {}: {}", report::code(step.kind), step.to, step.because)?;
    }
    let mut choices = report::table(["what", "to", "load distance", "restarts", "tuples/s across nodes", ""]);
    for choice in &explained.choices {
        let or_dash = |figure: Option<String>| right(figure.unwrap_or_else(|| "-".to_owned()));
        choices.add_row([
            Cell::new(&choice.what),
            Cell::new(&choice.to),
            or_dash(choice.load_distance.map(|after| format!("{:.3} → {after:.3}", explained.load_distance))),
            or_dash(choice.restarts.map(|count| count.to_string())),
            or_dash(choice.cross_node_per_sec.map(|rate| format!("{rate:.0}"))),
            Cell::new(&choice.verdict),
        ]);
    }
    writeln!(out, "\n{}", choices.trim_fmt())?;
    let notes = explained.notes.iter().map(|note| Row::from([report::code(note.code), note.detail.clone()]));
    writeln!(out, "\n{}", report::plain(notes).trim_fmt())
}
