//! Which components belong together: those joined by streams, as long as they need few enough nodes for it to pay.

use crate::model::{Problem, TopologyIx};

/// Components in groups; the members of one are placed side by side.
///
/// A component dealt evenly over `s` nodes meets a neighbor dealt over the same ones with 1/s of its stream on the
/// same node. So merging two groups gains their common streams over the size of the union, and loses on the streams
/// inside each. Merged greedily while that gains. `sizes` are the demands of the components in nodes, by position.
pub(super) fn groups(problem: &Problem, topology: TopologyIx, sizes: &[f64]) -> Vec<Vec<usize>> {
    let first = problem.topology(topology).components.start;
    let count = sizes.len();
    let mut streams = vec![vec![0.0_f64; count]; count];
    for (to, component) in problem.components[first..first + count].iter().enumerate() {
        for edge in &component.inputs {
            let from = edge.from.at() - first;
            streams[to][from] += 1.0;
            if to != from {
                streams[from][to] += 1.0;
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = (0..count).map(|at| vec![at]).collect();
    let mut sizes = sizes.to_vec();
    while let Some((one, other)) = best_pair(&streams, &sizes, &groups) {
        let moved = std::mem::take(&mut groups[other]);
        groups[one].extend(moved);
        sizes[one] += sizes[other];
        let inside = streams[one][one] + streams[other][other] + streams[one][other];
        let joined: Vec<f64> = streams[one].iter().zip(&streams[other]).map(|(a, b)| a + b).collect();
        joined.iter().zip(&mut streams).for_each(|(sum, row)| row[one] = *sum);
        streams[one] = joined;
        streams[one][one] = inside;
    }
    let mut order: Vec<usize> = (0..count).filter(|at| !groups[*at].is_empty()).collect();
    order.sort_by(|a, b| sizes[*b].total_cmp(&sizes[*a]).then(a.cmp(b)));
    order.into_iter().map(|at| std::mem::take(&mut groups[at])).collect()
}

fn best_pair(streams: &[Vec<f64>], sizes: &[f64], groups: &[Vec<usize>]) -> Option<(usize, usize)> {
    let share = |size: f64| 1.0 / size.max(1.0);
    let mut best: Option<(f64, usize, usize)> = None;
    for one in 0..groups.len() {
        for other in one + 1..groups.len() {
            if groups[one].is_empty() || groups[other].is_empty() || streams[one][other] == 0.0 {
                continue;
            }
            let union = share(sizes[one] + sizes[other]);
            let lost = |at: usize| streams[at][at] * (share(sizes[at]) - union);
            let gain = streams[one][other] * union - lost(one) - lost(other);
            if gain > 0.0 && best.is_none_or(|(most, _, _)| gain > most) {
                best = Some((gain, one, other));
            }
        }
    }
    best.map(|(_, one, other)| (one, other))
}
