//! The outcome of a replay for people.

use std::io::{self, Write};

use ballast::replay::{Outcome, PolicyOutcome, RECORDED};
use ballast::wire::NoteCode;
use comfy_table::Cell;

use super::report::{self, right};

/// Notes that say why a plan moved nothing.
const WHY_NOT: [NoteCode; 9] = [
    NoteCode::Frozen,
    NoteCode::Balanced,
    NoteCode::GainTooSmall,
    NoteCode::NoBetterPlan,
    NoteCode::CoverageLow,
    NoteCode::NotSettled,
    NoteCode::BelowFloor,
    NoteCode::Cooldown,
    NoteCode::TopologyDisabled,
];

/// Writes an outcome.
pub(crate) fn write(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    writeln!(out, "{}", span(outcome))?;
    for change in &outcome.what_if {
        writeln!(out, "what if: {change}")?;
    }
    writeln!(out, "\n{}", policies(outcome).trim_fmt())?;
    writeln!(out, "\n{}", known(outcome))?;
    for policy in outcome.policies.iter().filter(|policy| policy.policy != RECORDED) {
        for note in policy.notes.iter().filter(|note| WHY_NOT.contains(&note.code)) {
            let windows = if note.windows == 1 { "window" } else { "windows" };
            writeln!(
                out,
                "{} did nothing in {} {windows}: {}, {}",
                policy.policy,
                note.windows,
                report::code(note.code),
                note.detail
            )?;
        }
    }
    for remark in &outcome.remarks {
        writeln!(out, "{} x {}: {}", remark.count, report::code(remark.code), remark.examples.join("; "))?;
    }
    for refused in &outcome.refused {
        writeln!(out, "no plan: {refused}")?;
    }
    Ok(())
}

fn span(outcome: &Outcome) -> String {
    let time = |secs: i64| {
        let since = std::time::Duration::from_secs(secs.max(0) as u64);
        humantime::format_rfc3339_seconds(std::time::UNIX_EPOCH + since).to_string()
    };
    let windows = if outcome.windows == 1 { "window" } else { "windows" };
    format!("{} {windows} from {} to {}", outcome.windows, time(outcome.from), time(outcome.to))
}

fn policies(outcome: &Outcome) -> comfy_table::Table {
    let mut table = report::table([
        "policy",
        "load distance, mean",
        "p95",
        "worst",
        "bound",
        "gap",
        "overload s",
        "tuples/s across nodes",
        "restarts",
        "executors moved",
        "state MiB",
        "paused executor s",
    ]);
    let points = |share: f64| right(format!("{:.2}", share * 100.0));
    for PolicyOutcome { policy, figures, .. } in &outcome.policies {
        table.add_row([
            Cell::new(policy),
            points(figures.load_distance_mean),
            points(figures.load_distance_p95),
            points(figures.load_distance_worst),
            points(figures.bound_mean),
            points(figures.gap_mean),
            right(format!("{:.0}", figures.overload_secs)),
            right(figures.cross_node_tuples_per_sec.map_or("-".to_owned(), |rate| format!("{rate:.0}"))),
            right(figures.restarts.to_string()),
            right(figures.executors_moved.to_string()),
            right(format!("{:.1}", figures.shipped_bytes as f64 / 1_048_576.0)),
            right(format!("{:.0}", figures.paused_executor_secs)),
        ]);
    }
    table
}

/// What was measured and what was not.
fn known(outcome: &Outcome) -> String {
    let coverage = outcome.coverage.map_or("n/a".to_owned(), |part| format!("{:.0} %", part * 100.0));
    let sources: Vec<String> =
        outcome.sources.iter().map(|known| format!("{} {}", known.executors, known.source)).collect();
    format!(
        "measured loads: {coverage}; executors by source: {}; policy \"{RECORDED}\" is what was",
        sources.join(", ")
    )
}
