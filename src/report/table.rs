//! A replay as a table for the terminal.

use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};

use super::words::counted;
use super::{grounds, headline, idle, row};
use crate::replay::Outcome;

/// A line under the header and none between the rows.
const RULED: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
/// Characters of a line at most.
const LINE: usize = 480;

/// The answer, the figures of each policy, and what they rest on.
pub fn table(outcome: &Outcome) -> String {
    let headline = headline::headline(outcome);
    let mut lines = vec![one_line(&headline.sentence), String::new(), figures(outcome), String::new()];
    lines.extend(headline.more.iter().map(|line| one_line(line)));
    lines.push(String::new());
    lines.extend(idle::idle(outcome).iter().map(|idle| {
        let (who, windows) = (idle.policies.join(", "), counted(idle.windows, "window"));
        one_line(&format!("{who} held back in {windows}: {}", idle.reason))
    }));
    lines.extend(outcome.what_if.iter().map(|what| format!("what if: {}", one_line(what))));
    lines.extend(grounds::caveats(outcome));
    for source in grounds::sources(outcome) {
        lines.push(format!(
            "  {} {}: {}, {}",
            source.executors,
            one_line(source.name),
            source.kind,
            source.about
        ));
    }
    for remark in &outcome.remarks {
        let (name, about) = grounds::remark(remark.code);
        lines.push(format!("  {} {name}: {about}", remark.count));
        lines.extend(remark.examples.iter().map(|example| format!("    {}", one_line(example))));
    }
    lines.extend(outcome.refused.iter().map(|why| format!("  refused: {}", one_line(why))));
    lines.push(String::new());
    lines.join("\n")
}

fn figures(outcome: &Outcome) -> String {
    let mut table = Table::new();
    table.load_style(RULED);
    let heads = row::COLUMNS.iter().map(|column| Cell::new(column.name).set_alignment(CellAlignment::Right));
    table.set_header(std::iter::once(Cell::new("policy")).chain(heads));
    for policy in &outcome.policies {
        let cells = row::figures(&policy.figures).map(|figure| {
            let text = if figure.value.is_empty() { "-".to_owned() } else { figure.text };
            Cell::new(text).set_alignment(CellAlignment::Right)
        });
        table.add_row(std::iter::once(Cell::new(one_line(&policy.policy))).chain(cells));
    }
    table.trim_fmt()
}

/// Text of a recording as a terminal may show it: on one line, without what would steer it.
fn one_line(text: &str) -> String {
    let clean = |c: char| if c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c) { ' ' } else { c };
    let mut line: String = text.chars().take(LINE).map(clean).collect();
    if text.chars().nth(LINE).is_some() {
        line.push('…');
    }
    line
}
