//! A reply for people: nodes before and after, what the plan does, costs and assumes.

use std::collections::BTreeMap;
use std::io::{self, Write};

use ballast::settings;
use ballast::solve;
use ballast::wire::{Balance, NodeBalance, NodeState, NoteCode, Reply, Request, TaskRange};
use comfy_table::{Cell, CellAlignment, Color, LineStyle, Row, Table, TableStyle, presets};

use super::bars::bar;

/// More nodes than this and only those farthest from the mean are shown.
const NODES_SHOWN: usize = 40;
/// More executors than this in one move and the rest is a number.
const EXECUTORS_SHOWN: usize = 6;

/// A line under the header and none between the rows.
const RULED: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Writes a reply.
pub(crate) fn write(out: &mut impl Write, request: &Request, reply: &Reply) -> io::Result<()> {
    let verdict = format!("{:?}", reply.verdict).to_lowercase();
    writeln!(out, "{verdict}: {} for generation {}", reply.id, reply.generation)?;
    if let (Some(before), Some(after)) = (&reply.before, &reply.after) {
        writeln!(out, "\n{}", nodes(request, before, after).trim_fmt())?;
        let hidden = before.nodes.len().saturating_sub(NODES_SHOWN);
        if hidden > 0 {
            writeln!(out, "and {hidden} nodes nearer to the mean")?;
        }
        writeln!(out, "\n{}", figures(reply, before, after).trim_fmt())?;
    }
    if !reply.moves.is_empty() {
        writeln!(out, "\n{}", moves(reply).trim_fmt())?;
    }
    if !reply.notes.is_empty() {
        writeln!(out)?;
        let rows = reply.notes.iter().map(|note| [code(note.code), note.detail.clone()]);
        writeln!(out, "{}", plain(rows.map(Row::from)).trim_fmt())?;
    }
    Ok(())
}

/// The limits a reply still breaks, with their values.
pub(crate) fn broken_limits(request: &Request, reply: &Reply) -> String {
    let settings = settings::check(&request.settings, &solve::names()).settings;
    let mut broken = Vec::new();
    if let Some(after) = &reply.after {
        let allowed = settings.distance_max.fraction();
        if after.load_distance > allowed {
            broken.push(format!("load distance {:.3} > {allowed}", after.load_distance));
        }
        if after.overload > 0.0 {
            broken.push(format!(
                "overload {:.3} above utilization {}",
                after.overload,
                settings.overload.fraction()
            ));
        }
        if after.drained_cores > 0.0 {
            broken.push(format!("{:.2} cores still to be drained", after.drained_cores));
        }
    }
    broken.extend(
        reply.notes.iter().filter(|note| note.code == NoteCode::NoSlot).map(|note| note.detail.clone()),
    );
    broken.join("; ")
}

fn nodes(request: &Request, before: &Balance, after: &Balance) -> Table {
    let after_of: BTreeMap<&str, &NodeBalance> = after.nodes.iter().map(|n| (n.id.as_str(), n)).collect();
    let state_of: BTreeMap<&str, NodeState> =
        request.nodes.iter().map(|n| (n.id.as_str(), n.state)).collect();
    let all = || before.nodes.iter().chain(&after.nodes);
    let top = all().map(|node| node.utilisation).fold(1.0, f64::max);
    let mut shown: Vec<(&NodeBalance, &NodeBalance)> =
        before.nodes.iter().filter_map(|node| Some((node, *after_of.get(node.id.as_str())?))).collect();
    if shown.len() > NODES_SHOWN {
        let far = |n: &NodeBalance| (n.utilisation - before.mean).abs();
        shown.sort_by(|a, b| far(b.0).total_cmp(&far(a.0)).then_with(|| a.0.id.cmp(&b.0.id)));
        shown.truncate(NODES_SHOWN);
        shown.sort_by(|a, b| a.0.id.cmp(&b.0.id));
    }
    let mut table = table(["node", "before", "", "after", "", "cores", "workers", "executors", ""]);
    for (was, is) in shown {
        let changed = |from: String, to: String| if from == to { to } else { format!("{from} → {to}") };
        let state = match state_of.get(was.id.as_str()) {
            Some(NodeState::Draining) => "draining",
            Some(NodeState::Unusable) => "unusable",
            Some(NodeState::Active) | None => "",
        };
        table.add_row([
            Cell::new(&was.id),
            Cell::new(bar(was.utilisation, before.mean, top)),
            right(format!("{:.3}", was.utilisation)),
            Cell::new(bar(is.utilisation, after.mean, top)).fg(nearer(was, is, before.mean, after.mean)),
            right(format!("{:.3}", is.utilisation)),
            right(changed(format!("{:.2}", was.load_cores), format!("{:.2}", is.load_cores))),
            right(changed(was.workers.to_string(), is.workers.to_string())),
            right(changed(was.executors.to_string(), is.executors.to_string())),
            Cell::new(state),
        ]);
    }
    table
}

fn nearer(was: &NodeBalance, is: &NodeBalance, mean_before: f64, mean_after: f64) -> Color {
    let (before, after) = ((was.utilisation - mean_before).abs(), (is.utilisation - mean_after).abs());
    match after.total_cmp(&before) {
        std::cmp::Ordering::Less => Color::Green,
        std::cmp::Ordering::Equal => Color::Reset,
        std::cmp::Ordering::Greater => Color::Yellow,
    }
}

fn figures(reply: &Reply, before: &Balance, after: &Balance) -> Table {
    let cost = &reply.cost;
    let mut rows = vec![
        ["mean utilization".to_owned(), format!("{:.3}", after.mean)],
        ["load distance".to_owned(), format!("{:.3} → {:.3}", before.load_distance, after.load_distance)],
    ];
    if let Some(found) = &reply.certificate {
        let proof = if found.optimal { "optimal" } else { "not proved optimal" };
        let ended = format!("{:?}", found.stopped_by).to_lowercase();
        rows.push([
            "lower bound".to_owned(),
            format!(
                "{:.3}, gap {:.3}, {proof} ({}, {} steps, ended by {ended})",
                found.lower_bound, found.gap, found.strategy, found.steps
            ),
        ]);
    }
    rows.push(["overload".to_owned(), format!("{:.3} → {:.3}", before.overload, after.overload)]);
    if before.drained_cores > 0.0 {
        rows.push([
            "to drain".to_owned(),
            format!("{:.2} → {:.2} cores", before.drained_cores, after.drained_cores),
        ]);
    }
    if before.unlisted_cores > 0.0 {
        rows.push(["on unlisted nodes".to_owned(), format!("{:.2} cores", before.unlisted_cores)]);
    }
    rows.push([
        "cost".to_owned(),
        format!(
            "{}, {}, {}; {} paused, about {:.0} s in all",
            counted(cost.restarts, "restart"),
            counted(cost.starts, "start"),
            counted(cost.stops, "stop"),
            counted(cost.executors_paused, "executor"),
            cost.pause_secs_estimate
        ),
    ]);
    if let Some(coverage) = &reply.coverage {
        let percent = coverage.fraction.map_or("n/a".to_owned(), |f| format!("{:.0} %", f * 100.0));
        let enough = if coverage.sufficient { "enough" } else { "too few" };
        rows.push([
            "measured loads".to_owned(),
            format!("{} of {} ({percent}), {enough}", coverage.measured, coverage.expected),
        ]);
        for missing in &coverage.missing {
            rows.push([
                String::new(),
                format!("missing: {} of {}/{}", missing.executors, missing.topology, missing.component),
            ]);
        }
    }
    plain(rows.into_iter().map(Row::from))
}

fn moves(reply: &Reply) -> Table {
    let mut table = table(["move", "topology", "executors", "from", "to", "because"]);
    for step in &reply.moves {
        table.add_row([
            code(step.kind),
            step.topology.clone(),
            executors(&step.executors),
            step.from.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string),
            step.to.to_string(),
            step.because.clone(),
        ]);
    }
    table
}

fn executors(ranges: &[TaskRange]) -> String {
    let shown: Vec<String> = ranges.iter().take(EXECUTORS_SHOWN).map(ToString::to_string).collect();
    match ranges.len().saturating_sub(EXECUTORS_SHOWN) {
        0 => shown.join(" "),
        more => format!("{} and {more} more", shown.join(" ")),
    }
}

fn counted(n: u32, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A code as the wire writes it.
pub(super) fn code(code: impl serde::Serialize) -> String {
    match serde_json::to_value(code) {
        Ok(serde_json::Value::String(code)) => code,
        other => format!("{other:?}"),
    }
}

/// A cell of figures.
pub(crate) fn right(text: String) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

/// An empty table under its header.
pub(crate) fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(RULED).set_header(header);
    without_color(table)
}

/// A table that is Markdown too.
pub(crate) fn markdown<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    without_color(table)
}

pub(super) fn plain(rows: impl Iterator<Item = Row>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).add_rows(rows);
    without_color(table)
}

/// Color only on a terminal, and not where NO_COLOR asks for none (no-color.org).
fn without_color(mut table: Table) -> Table {
    if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        table.force_no_tty();
    }
    table
}
