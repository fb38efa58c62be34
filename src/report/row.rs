//! The figures of a policy as the page and the terminal show them.

use super::words::{bytes, count, fraction, rate, span};
use crate::replay::Figures;

/// A figure: its value as JSON has it, and as people read it.
pub(super) struct Figure {
    /// The field of [`Figures`].
    pub(super) field: &'static str,
    /// For machines; empty where it is absent.
    pub(super) value: String,
    /// For people.
    pub(super) text: String,
}

/// Head of a column: its name, and what it means.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
}

/// The columns, in the order of [`figures`].
pub(super) const COLUMNS: [Column; 12] = [
    column("mean", "mean load distance"),
    column("p95", "load distance that 95 of 100 windows stay within"),
    column("worst", "worst load distance"),
    column("bound", "mean of the lower bounds: no placement at all is nearer, whatever it restarts"),
    column("gap", "mean of load distance less bound"),
    column("overload", "time that nodes were overloaded, added up"),
    column("tuples/s", "mean tuples a second between nodes"),
    column("restarts", "workers restarted"),
    column("moved", "executors moved"),
    column("state", "state read again or shipped"),
    column("paused", "time that executors were paused, added up"),
    column("plans", "plans carried out"),
];

const fn column(name: &'static str, about: &'static str) -> Column {
    Column { name, about }
}

/// The figures of a policy, one a column.
pub(super) fn figures(of: &Figures) -> [Figure; 12] {
    let distance = |field, value: f64| Figure { field, value: value.to_string(), text: fraction(value) };
    let secs = |field, value: f64| Figure { field, value: value.to_string(), text: span(value) };
    let number = |field, value: u64| Figure { field, value: value.to_string(), text: count(value) };
    let tuples = of.cross_node_tuples_per_sec;
    [
        distance("load_distance_mean", of.load_distance_mean),
        distance("load_distance_p95", of.load_distance_p95),
        distance("load_distance_worst", of.load_distance_worst),
        distance("bound_mean", of.bound_mean),
        distance("gap_mean", of.gap_mean),
        secs("overload_secs", of.overload_secs),
        Figure {
            field: "cross_node_tuples_per_sec",
            value: tuples.map(|value| value.to_string()).unwrap_or_default(),
            text: tuples.map_or_else(|| "unknown".to_owned(), rate),
        },
        number("restarts", of.restarts),
        number("executors_moved", of.executors_moved),
        Figure { field: "shipped_bytes", value: of.shipped_bytes.to_string(), text: bytes(of.shipped_bytes) },
        secs("paused_executor_secs", of.paused_executor_secs),
        number("plans", of.plans),
    ]
}
