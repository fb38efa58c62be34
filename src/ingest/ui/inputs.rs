//! Streams between components: which there are is told by the visualization, what they carry by the pages of receiver
//! and sender.

use std::collections::BTreeMap;

use super::rates::{MOST_PER_SEC, PerSec};
use super::shapes::{ComponentPage, Drawing, DrawnInput};
use crate::ingest::{RemarkCode, Remarks, quoted};
use crate::wire::Input;

/// Grouping where no visualization tells it; receivers' parts then go by what they received.
const UNKNOWN: &str = "unknown";

/// Pages by component id.
pub(super) type Pages<'a> = BTreeMap<&'a str, &'a ComponentPage>;

/// What a component reads, by sender and stream.
pub(super) fn inputs(
    component: &str,
    drawing: Option<&Drawing>,
    pages: &Pages,
    remarks: &mut Remarks,
) -> Vec<Input> {
    let mut inputs = match drawing.and_then(|drawing| drawing.get(component)) {
        Some(drawn) => drawn.inputs.iter().map(|input| drawn_input(component, input, pages)).collect(),
        None => counted(component, pages, remarks),
    };
    inputs.sort_by(|a, b| (&a.from, &a.stream).cmp(&(&b.from, &b.stream)));
    inputs.dedup_by(|a, b| (&a.from, &a.stream) == (&b.from, &b.stream));
    inputs
}

fn drawn_input(component: &str, input: &DrawnInput, pages: &Pages) -> Input {
    let (from, stream) = (&input.component.0, &input.stream.0);
    let grouping = input.grouping.0.to_lowercase();
    let tuples_per_sec =
        received(component, from, stream, pages).or_else(|| sent(component, from, stream, &grouping, pages));
    Input { from: from.clone(), stream: stream.clone(), grouping, tuples_per_sec }
}

/// Streams that the component counted, without those of Storm's own.
fn counted(component: &str, pages: &Pages, remarks: &mut Remarks) -> Vec<Input> {
    let streams = pages.get(component).map_or(&[][..], |page| &page.input_stats);
    let own = streams.iter().filter(|s| !s.stream.0.starts_with("__") && !s.component.0.starts_with("__"));
    let inputs: Vec<Input> = own
        .map(|input| Input {
            from: input.component.0.clone(),
            stream: input.stream.0.clone(),
            grouping: UNKNOWN.to_owned(),
            tuples_per_sec: received(component, &input.component.0, &input.stream.0, pages),
        })
        .collect();
    if !inputs.is_empty() {
        remarks.add(RemarkCode::Guessed, || {
            format!(
                "{}: no visualization tells its groupings; its executors' parts go by what they received",
                quoted(component)
            )
        });
    }
    inputs
}

/// As the receiver counted.
fn received(component: &str, from: &str, stream: &str, pages: &Pages) -> Option<f64> {
    let page = pages.get(component)?;
    let counted = page.input_stats.iter().find(|s| s.component.0 == from && s.stream.0 == stream)?;
    believable(counted.executed.positive()? * PerSec::of(page).received?)
}

/// As the sender counted: every receiving component gets all of a stream, and every task of it where the grouping is
/// `all`.
fn sent(component: &str, from: &str, stream: &str, grouping: &str, pages: &Pages) -> Option<f64> {
    let page = pages.get(from)?;
    let counted = page.output_stats.iter().find(|output| output.stream.0 == stream)?;
    let copies = if grouping == "all" { pages.get(component)?.tasks.positive()? } else { 1.0 };
    believable(counted.emitted.positive()? * PerSec::of(page).emitted? * copies)
}

fn believable(rate: f64) -> Option<f64> {
    (0.0..=MOST_PER_SEC).contains(&rate).then_some(rate)
}
