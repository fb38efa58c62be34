//! How much all nodes together come and go by themselves: a plan that gains no more has gained nothing.
//!
//! Loads of executors swing by their standard deviation, as if each did so for itself. So the variance of a node's load is
//! the sum of its executors', and the swing of all nodes is the root of the sum of their variances over capacity squared.

use crate::model::Problem;
use crate::units::{Load, Share};

/// Swing of the nodes' utilizations as the executors lie now, in fractions of capacity, rounded down. Nodes that are not
/// listed have no utilization, and executors whose swing nobody measured add none.
pub(super) fn swing(problem: &Problem) -> Share {
    let mut squares = vec![0_u128; problem.nodes.len()];
    for (ix, executor) in problem.executor_ids().zip(&problem.executors) {
        if let Some(slot) = problem.present.slot(ix) {
            squares[slot.node.at()] += u128::from(executor.swing.0.unsigned_abs()).pow(2);
        }
    }
    let of_node = |square: u128, capacity: Load| -> u128 {
        let swing = i64::try_from(square.isqrt()).unwrap_or(i64::MAX);
        u128::from(Load(swing).over(capacity).0.unsigned_abs()).pow(2)
    };
    let nodes = problem.nodes.iter().zip(squares).filter(|(node, _)| node.state.listed());
    let sum: u128 = nodes.map(|(node, square)| of_node(square, node.capacity)).sum();
    Share(i64::try_from(sum.isqrt()).unwrap_or(i64::MAX))
}
