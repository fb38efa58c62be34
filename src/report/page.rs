//! The page.

use askama::Template;

use super::data::Data;
use super::grounds::{self, Source};
use super::headline::{self, Headline};
use super::row::{self, Column, Figure};
use super::{color, fence, words};
use crate::replay::Outcome;

/// The libraries, then what draws with them, in the order they run. All of them see each other's functions.
const SCRIPTS: [&str; 11] = [
    include_str!("vendor/d3.min.js"),
    include_str!("vendor/plot.umd.min.js"),
    include_str!("script/words.js"),
    include_str!("script/dom.js"),
    include_str!("script/data.js"),
    include_str!("script/lines.js"),
    include_str!("script/costs.js"),
    include_str!("script/heat.js"),
    include_str!("script/placements.js"),
    include_str!("script/moves.js"),
    include_str!("script/main.js"),
];

/// Licences of the libraries, which every copy must carry.
const LICENCES: [(&str, &str); 5] = [
    ("Observable Plot 0.6.17", include_str!("vendor/plot.LICENSE")),
    ("D3 7.9.0", include_str!("vendor/d3.LICENSE")),
    ("isoformat, in Observable Plot", include_str!("vendor/isoformat.LICENSE")),
    ("interval-tree-1d, in Observable Plot", include_str!("vendor/interval-tree-1d.LICENSE")),
    ("binary-search-bounds, in Observable Plot", include_str!("vendor/binary-search-bounds.LICENSE")),
];

/// What the templates are filled with. The templates escape everything but `policy`, `style`, `scripts` and
/// `data`, which are this crate's own, or made safe by [`fence`].
#[derive(Template)]
#[template(path = "page.html", config = "src/report/askama.toml")]
struct Page<'a> {
    outcome: &'a Outcome,
    version: &'static str,
    policy: String,
    style: &'static str,
    scripts: &'static [&'static str],
    licences: &'static [(&'static str, &'static str)],
    data: String,
    headline: Headline,
    held_back: Vec<String>,
    columns: &'static [Column],
    rows: Vec<Row<'a>>,
    caveats: Vec<String>,
    sources: Vec<Source<'a>>,
}

struct Row<'a> {
    policy: &'a str,
    color: usize,
    shown: bool,
    figures: [Figure; 12],
}

/// A replay as one HTML file, which needs no network and in which nothing of a recording can run.
pub fn page(outcome: &Outcome) -> String {
    let best = headline::best(outcome);
    let shown = best.unwrap_or(0);
    let page = Page {
        outcome,
        version: env!("CARGO_PKG_VERSION"),
        policy: fence::policy(&SCRIPTS),
        style: include_str!("page.css"),
        scripts: &SCRIPTS,
        licences: &LICENCES,
        data: fence::json(&Data::new(outcome, shown)),
        headline: headline::headline(outcome),
        held_back: headline::held_back(outcome),
        columns: &row::COLUMNS,
        rows: rows(outcome, shown),
        caveats: grounds::caveats(outcome),
        sources: grounds::sources(outcome),
    };
    page.render().expect("writing to a string does not fail")
}

fn rows(outcome: &Outcome, shown: usize) -> Vec<Row<'_>> {
    let mut others = 0;
    let policies = outcome.policies.iter().enumerate();
    policies
        .map(|(index, of)| Row {
            policy: &of.policy,
            color: color::of(&of.policy, &mut others),
            shown: index == shown,
            figures: row::figures(&of.figures),
        })
        .collect()
}
