//! Traffic of single executors: what a move is about.

use crate::model::{ExecutorIx, NodeIx, Placement, Problem, Stream};
use crate::units::Rate;

/// Measured pairs by executor, and the streams of each topology.
#[derive(Debug)]
pub struct Neighbors<'p> {
    problem: &'p Problem,
    /// By executor: position of a pair that it sends or receives by.
    pairs: Vec<(ExecutorIx, usize)>,
}

impl<'p> Neighbors<'p> {
    /// Of a problem.
    pub fn of(problem: &'p Problem) -> Self {
        let ends = problem.traffic.pairs.iter().enumerate();
        let mut pairs: Vec<(ExecutorIx, usize)> =
            ends.flat_map(|(at, pair)| [(pair.from, at), (pair.to, at)]).collect();
        pairs.sort_unstable();
        pairs.dedup();
        Self { problem, pairs }
    }

    /// Traffic between executors of one topology, in ascending order, and all others that a placement has on a node.
    pub fn on_node(&self, executors: &[ExecutorIx], placement: &Placement, node: NodeIx) -> Rate {
        let is_other = |executor: ExecutorIx| {
            executors.binary_search(&executor).is_err()
                && placement.slot(executor).is_some_and(|slot| slot.node == node)
        };
        let mut rate = Rate::ZERO;
        for executor in executors {
            let from = self.pairs.partition_point(|(end, _)| end < executor);
            for (_, at) in self.pairs[from..].iter().take_while(|(end, _)| end == executor) {
                let pair = self.problem.traffic.pairs[*at];
                let other = if pair.from == *executor { pair.to } else { pair.from };
                rate += if is_other(other) { pair.rate } else { Rate::ZERO };
            }
        }
        let Some(first) = executors.first() else { return rate };
        let topology = self.problem.executor(*first).topology;
        let own = |stream: &&Stream| {
            stream.senders.first().is_some_and(|(e, _)| self.problem.executor(*e).topology == topology)
        };
        for stream in self.problem.traffic.streams.iter().filter(own) {
            let part = |list: &[(ExecutorIx, i64)], of: &dyn Fn(ExecutorIx) -> bool| -> i64 {
                list.iter().filter(|(executor, _)| of(*executor)).map(|(_, part)| part).sum()
            };
            let own = |executor: ExecutorIx| executors.binary_search(&executor).is_ok();
            let kept = part(&stream.senders, &own) * part(&stream.receivers, &is_other)
                + part(&stream.senders, &is_other) * part(&stream.receivers, &own);
            rate += stream.rate_of(kept);
        }
        rate
    }
}
