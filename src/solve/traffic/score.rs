//! Score: which pairs of executors talk.
//!
//! ALBIC (ICDE 2017): a pair of key groups counts when out(k, l) > s_F x the average of out(k, .), the average taken
//! over all key groups downstream of k, silent ones too. Only measured pairs are scored: the pairs of an estimated
//! stream all follow one pattern, and what they are worth is weighed as a whole when a worker is moved.

use std::collections::BTreeSet;

use crate::model::Problem;

/// Whether each measured pair of a problem talks, in the order of the pairs.
pub(in crate::solve) fn talking(problem: &Problem) -> Vec<bool> {
    let downstream = downstream(problem);
    let pairs = &problem.traffic.pairs;
    let mut talks = Vec::with_capacity(pairs.len());
    for own in pairs.chunk_by(|a, b| a.from == b.from) {
        let sum: i64 = own.iter().map(|pair| pair.rate.0).sum();
        let component = problem.executor(own[0].from).component;
        let average = sum as f64 / downstream[component.at()].max(1) as f64;
        talks.extend(own.iter().map(|pair| pair.rate.0 as f64 > problem.limits.score_factor * average));
    }
    talks
}

/// Executors downstream of each component: those of every component that reads from it or was seen to receive from it.
fn downstream(problem: &Problem) -> Vec<usize> {
    let mut executors = vec![0; problem.components.len()];
    for executor in &problem.executors {
        executors[executor.component.at()] += 1;
    }
    let mut readers: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (at, component) in problem.components.iter().enumerate() {
        readers.extend(component.inputs.iter().map(|edge| (edge.from.at(), at)));
    }
    for pair in &problem.traffic.pairs {
        let component = |executor| problem.executor(executor).component.at();
        readers.insert((component(pair.from), component(pair.to)));
    }
    let mut downstream = vec![0; problem.components.len()];
    for (from, to) in readers {
        downstream[from] += executors[to];
    }
    downstream
}
