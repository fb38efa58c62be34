//! Figures over time, in no more stretches than a picture has room for.

use std::collections::BTreeMap;

use super::outcome::{HeatMap, Series};

/// Stretches kept at most; twice as many are gathered before pairs become one.
const MOST: usize = 480;

/// One stretch.
#[derive(Debug, Clone)]
pub(super) struct Stretch {
    pub(super) at: i64,
    pub(super) load_distance: f64,
    pub(super) bound: f64,
    /// Sum and number of the windows it is known in.
    pub(super) cross_node: (f64, u32),
    pub(super) restarts: u64,
    /// Worst utilization by node.
    pub(super) nodes: BTreeMap<String, f64>,
}

impl Stretch {
    fn join(self, later: Self) -> Self {
        let (load_distance, bound) = match self.load_distance >= later.load_distance {
            true => (self.load_distance, self.bound),
            false => (later.load_distance, later.bound),
        };
        let mut nodes = self.nodes;
        for (node, utilization) in later.nodes {
            let worst = nodes.entry(node).or_insert(utilization);
            *worst = worst.max(utilization);
        }
        Self {
            at: later.at,
            load_distance,
            bound,
            cross_node: (self.cross_node.0 + later.cross_node.0, self.cross_node.1 + later.cross_node.1),
            restarts: self.restarts + later.restarts,
            nodes,
        }
    }
}

/// Stretches as they come.
#[derive(Debug)]
pub(super) struct Stretches {
    done: Vec<Stretch>,
    /// The last one, and the windows in it.
    open: Option<(Stretch, u64)>,
    /// Windows in a stretch.
    length: u64,
}

impl Stretches {
    pub(super) fn new() -> Self {
        Self { done: Vec::new(), open: None, length: 1 }
    }

    /// Adds a window.
    pub(super) fn push(&mut self, window: Stretch) {
        let (stretch, windows) = match self.open.take() {
            Some((open, windows)) => (open.join(window), windows + 1),
            None => (window, 1),
        };
        if windows < self.length {
            self.open = Some((stretch, windows));
            return;
        }
        self.done.push(stretch);
        if self.done.len() == 2 * MOST {
            let mut pairs = std::mem::take(&mut self.done).into_iter();
            while let (Some(one), Some(other)) = (pairs.next(), pairs.next()) {
                self.done.push(one.join(other));
            }
            self.length *= 2;
        }
    }

    /// As the outcome has them.
    pub(super) fn finish(mut self) -> (Series, HeatMap) {
        self.done.extend(self.open.take().map(|(stretch, _)| stretch));
        let mut series = Series::default();
        let mut heat = HeatMap::default();
        let mut rows: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
        for stretch in &self.done {
            for node in stretch.nodes.keys() {
                rows.entry(node).or_insert_with(|| vec![None; self.done.len()]);
            }
        }
        for (at, stretch) in self.done.iter().enumerate() {
            let (sum, windows) = stretch.cross_node;
            series.at.push(stretch.at);
            series.load_distance.push(stretch.load_distance);
            series.bound.push(stretch.bound);
            series.cross_node_tuples_per_sec.push((windows > 0).then(|| sum / f64::from(windows)));
            series.restarts.push(stretch.restarts);
            for (node, utilization) in &stretch.nodes {
                if let Some(row) = rows.get_mut(node.as_str()) {
                    row[at] = Some(*utilization);
                }
            }
        }
        heat.at.clone_from(&series.at);
        heat.nodes = rows.keys().map(|node| (*node).to_owned()).collect();
        heat.utilization = rows.into_values().collect();
        (series, heat)
    }
}
