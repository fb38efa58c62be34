//! The heat map as the page carries it: no more columns than can be seen, utilization in thousandths.

use serde::Serialize;

use crate::replay::HeatMap;

/// Cells of one policy's map, about: what a browser draws in a blink.
const CELLS: usize = 36_000;
/// Columns at least and at most; more than these cannot be told apart on a screen.
const COLUMNS: (usize, usize) = (60, 240);

/// A heat map for the page.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Heat<'a> {
    /// Ends of the columns, seconds since the epoch.
    at: Vec<i64>,
    nodes: &'a [String],
    /// Stretches that one column shows the worst of.
    stretches: usize,
    /// By node, by column: worst utilization in thousandths; null where the node was not there.
    permille: Vec<Vec<Option<u64>>>,
}

/// The map with its stretches joined until it can be drawn.
pub(super) fn condensed(map: &HeatMap) -> Heat<'_> {
    let columns = (CELLS / map.nodes.len().max(1)).clamp(COLUMNS.0, COLUMNS.1);
    let stretches = map.at.len().div_ceil(columns).max(1);
    let worst = |cells: &[Option<f64>]| {
        cells.iter().flatten().copied().reduce(f64::max).map(|worst| (worst * 1000.0).round() as u64)
    };
    Heat {
        at: map.at.chunks(stretches).filter_map(|chunk| chunk.last().copied()).collect(),
        nodes: &map.nodes,
        stretches,
        permille: map.utilization.iter().map(|row| row.chunks(stretches).map(worst).collect()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(nodes: usize, stretches: i64) -> HeatMap {
        HeatMap {
            at: (1..=stretches).collect(),
            nodes: (0..nodes).map(|n| format!("n{n}")).collect(),
            utilization: vec![(1..=stretches).map(|at| Some(at as f64 / 1000.0)).collect(); nodes],
        }
    }

    #[test]
    fn a_small_map_stays_as_it_is_and_a_missing_node_stays_missing() {
        let mut small = map(2, 3);
        small.utilization[1][1] = None;
        let heat = condensed(&small);
        assert_eq!((heat.stretches, heat.at), (1, vec![1, 2, 3]));
        assert_eq!(heat.permille[1], [Some(1), None, Some(3)]);
    }

    #[test]
    fn a_large_map_keeps_the_worst_of_each_column() {
        let large = map(300, 480);
        let heat = condensed(&large);
        assert_eq!((heat.stretches, heat.at.len()), (4, 120));
        assert_eq!((heat.at[0], heat.permille[299][0], heat.permille[0][119]), (4, Some(4), Some(480)));
    }
}
