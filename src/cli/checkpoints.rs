//! `ballast checkpoints`: where copies of the states should lie.

use std::io::{IsTerminal, Write};
use std::str::FromStr;

use ballast::wire::{Ask, CheckpointNode, Checkpoints as Advice, Loss, Note, NoteCode, Request};
use ballast::{checkpoint, engine};
use clap::Args;
use comfy_table::Table;

use super::plan::Format;
use super::setting::{self, Setting};
use super::{Ended, input, progress, report};

/// Nodes and states shown in the table; JSON has all of them.
const SHOWN: usize = 40;

/// Advise where copies of the executors' states should lie, for the cluster as it is.
///
/// Checkpoints that lie well make the next failure harmless and the next migration cheap. The first node of a state is
/// its restart target. Reply's part `checkpoints`; `ballast plan` gives it for the cluster as its plan leaves it.
#[derive(Args)]
#[command(after_long_help = "\
Units: losses are utilizations of the fullest node left after the worst loss of one node, or rack, as fractions of its
capacity; no allocation has one below the bound. Readiness, 0 to 1, is the part of a node's excess that could leave for
nodes with a copy, were its load to double.

Exit codes:
  0  advice
  1  the input cannot be used, or nothing in it has a state; standard error says why
  2  the command line was not understood
  3  refused: the request is fine, but no advice could be made

Examples:
  ballast checkpoints 41-request.json
  ballast checkpoints 41-request.json --copies 2 --format json
  ballast checkpoints 41-request.json --strategy roundrobin")]
pub(crate) struct Checkpoints {
    /// The request, a JSON file, or - for standard input
    #[arg(value_name = "REQUEST.json")]
    request: String,
    /// How copies are placed, instead of the request's checkpoint.strategy; `ballast strategies` lists them
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// Copies of every state, instead of the request's checkpoint.copies
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=16))]
    copies: Option<u32>,
    /// Replace one setting of the request, by its name in storm.yaml; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = Setting::from_str)]
    set: Vec<Setting>,
    /// How the advice is printed [default: table on a terminal, json elsewhere]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

impl Checkpoints {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        let origin = input::name(&self.request);
        let mut request = input::request(&self.request)?;
        setting::lay_over(&mut request.settings, &self.set)?;
        if let Some(name) = &self.strategy {
            request.settings.insert("checkpoint.strategy".to_owned(), known(name)?.into());
        }
        if let Some(copies) = self.copies {
            request.settings.insert("checkpoint.copies".to_owned(), copies.into());
        }
        // The cluster as it is: nothing moves.
        request.ask = Ask::Plan;
        request.settings.insert("strategy".to_owned(), "stay".into());
        let reply = progress::during("placing copies", || engine::answer(&request));
        if let Some(refusal) = reply.refusal {
            return Err(if refusal.code.blames_the_request() {
                Ended::unusable(origin, refusal)
            } else {
                Ended::Refused { origin: origin.to_owned(), refusal }
            });
        }
        let notes: Vec<&Note> = reply.notes.iter().filter(|note| is_about_states(note.code)).collect();
        let Some(advice) = &reply.checkpoints else { return Err(stateless(origin, &notes)) };
        self.print(&request, advice, &notes)
    }

    fn print(&self, request: &Request, advice: &Advice, notes: &[&Note]) -> Result<(), Ended> {
        let out = std::io::stdout();
        let usual = if out.is_terminal() { Format::Table } else { Format::Json };
        let mut out = out.lock();
        match self.format.unwrap_or(usual) {
            Format::Json => {
                serde_json::to_writer_pretty(&mut out, advice).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
            Format::Table => {
                writeln!(out, "{}", figures(advice).trim_fmt())?;
                writeln!(out, "\n{}", nodes(request, advice).trim_fmt())?;
                writeln!(out, "\n{}", replicas(advice).trim_fmt())?;
                for (what, all) in [("nodes", advice.nodes.len()), ("states", advice.replicas.len())] {
                    if all > SHOWN {
                        writeln!(out, "{} more {what} with --format json", all - SHOWN)?;
                    }
                }
                for note in notes {
                    writeln!(out, "{}  {}", report::code(note.code), note.detail)?;
                }
            }
        }
        out.flush()?;
        Ok(())
    }
}

fn known(name: &str) -> Result<&str, Ended> {
    if checkpoint::by_name(name).is_some() {
        return Ok(name);
    }
    let names: Vec<&str> = checkpoint::registry().iter().map(|strategy| strategy.name()).collect();
    Err(Ended::Unusable {
        origin: "--strategy".to_owned(),
        detail: format!("there is no \"{name}\" for checkpoints"),
        advice: format!("take one of {}", names.join(", ")),
    })
}

fn is_about_states(code: NoteCode) -> bool {
    use NoteCode::{CopiesFewer, CopyLost, CopyNoRoom, MilpOff, StateEstimated, StateLost};
    matches!(code, CopiesFewer | CopyLost | CopyNoRoom | MilpOff | StateEstimated | StateLost)
}

fn stateless(origin: &str, notes: &[&Note]) -> Ended {
    let lost = notes.iter().find(|note| note.code == NoteCode::StateLost);
    Ended::Unusable {
        origin: origin.to_owned(),
        detail: lost.map_or("nothing here has a state to copy".to_owned(), |note| note.detail.clone()),
        advice:
            "states come from components[].stateful, executors[].state_bytes or topologies[].checkpoints, of \
                 topologies that take part and whose states survive a restart; --copies must not be 0"
                .to_owned(),
    }
}

fn figures(advice: &Advice) -> Table {
    let mut rows = vec![
        ["strategy".to_owned(), advice.strategy.clone()],
        ["copies of a state".to_owned(), advice.copies.to_string()],
    ];
    let said = |loss: Loss| format!("{:.3}, bound {:.3}, gap {:.3}", loss.worst, loss.lower_bound, loss.gap);
    for (what, loss) in [("node", advice.node_loss), ("rack", advice.rack_loss)] {
        rows.extend(loss.map(|loss| [format!("worst loss of a {what}"), said(loss)]));
    }
    let readiness = advice.nodes.iter().map(|node| node.readiness).fold(1.0, f64::min);
    rows.push(["least readiness".to_owned(), format!("{readiness:.3}")]);
    let (missing, moved, budget) = (advice.missing_bytes, advice.moved_bytes, advice.budget_bytes);
    rows.push(["copies to be made".to_owned(), mib(missing)]);
    rows.push(["copies to be moved".to_owned(), format!("{} of {} allowed", mib(moved), mib(budget))]);
    report::plain(rows.into_iter().map(comfy_table::Row::from))
}

fn nodes(request: &Request, advice: &Advice) -> Table {
    let mut table = report::table(["node", "copies", "stored", "to be brought", "loss", "readiness"]);
    let host = |node: &CheckpointNode| {
        let known = request.nodes.iter().find(|given| given.id == node.id);
        known.map_or(node.id.clone(), |given| format!("{} ({})", given.host, given.id))
    };
    for node in advice.nodes.iter().take(SHOWN) {
        table.add_row([
            comfy_table::Cell::new(host(node)),
            report::right(node.copies.to_string()),
            report::right(mib(node.stored_bytes)),
            report::right(mib(node.taken_bytes)),
            report::right(node.loss.map_or("-".to_owned(), |loss| format!("{loss:.3}"))),
            report::right(format!("{:.3}", node.readiness)),
        ]);
    }
    table
}

fn replicas(advice: &Advice) -> Table {
    let mut table = report::table(["topology", "executor", "state", "copies on, the restart target first"]);
    for one in advice.replicas.iter().take(SHOWN) {
        let size = format!("{}{}", if one.estimated { "about " } else { "" }, mib(one.state_bytes));
        let on = if one.nodes.is_empty() { "nowhere".to_owned() } else { one.nodes.join(", ") };
        table.add_row([
            comfy_table::Cell::new(&one.topology),
            comfy_table::Cell::new(one.executor.to_string()),
            report::right(size),
            comfy_table::Cell::new(on),
        ]);
    }
    table
}

fn mib(bytes: u64) -> String {
    format!("{:.2} MiB", bytes as f64 / f64::from(1 << 20))
}
