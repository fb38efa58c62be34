//! Key groups: one topology, one executor a worker, as the papers' synthetic experiments have it.

use super::{balance_only, bolt, executor, node, request};
use crate::wire::{Request, Topology};

/// How the load of a node is shared among its groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shares {
    /// Uniform from 0.5 to 1.5 times the mean.
    Uniform,
    /// One over the rank: with 20 groups the largest has 28 % of its node.
    Zipf,
}

/// A cluster of key groups.
#[derive(Debug, Clone, Copy)]
pub struct Groups {
    /// Nodes, of 100 cores each.
    pub nodes: usize,
    /// Groups a node.
    pub per_node: usize,
    /// Loads of the nodes are uniform in 50 % times 1 - variation to 1 + variation.
    pub variation: f64,
    /// How the load of a node is shared.
    pub shares: Shares,
    /// Groups that may migrate.
    pub budget: u32,
    /// Same seed, same cluster.
    pub seed: u64,
}

/// Capacity of a node: large, so that a load in millionths of a core is a fine scale.
const CORES: f64 = 100.0;

impl Groups {
    /// The request.
    pub fn request(&self) -> Request {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let slots = (2 * self.per_node).min(50_000) as u16;
        let mut executors = Vec::new();
        for at in 0..self.nodes {
            let load = CORES * 0.5 * (1.0 + self.variation * (2.0 * random.f64() - 1.0));
            let shares: Vec<f64> = (0..self.per_node)
                .map(|rank| match self.shares {
                    Shares::Uniform => 0.5 + random.f64(),
                    Shares::Zipf => 1.0 / (rank + 1) as f64,
                })
                .collect();
            let sum: f64 = shares.iter().sum();
            for (rank, share) in shares.into_iter().enumerate() {
                let task = executors.len() as i32 + 1;
                executors.push(executor(task, "groups", Some((at, 6700 + rank as u16)), load * share / sum));
            }
        }
        let mut made = request(balance_only(self.budget));
        made.nodes = (0..self.nodes).map(|at| node(at, CORES, slots)).collect();
        made.topologies.push(Topology {
            id: "groups-1-0".to_owned(),
            name: "groups".to_owned(),
            workers: executors.len() as u32,
            priority: 29,
            enabled: true,
            worker_heap_max_mib: None,
            last_change_secs: None,
            components: vec![bolt("groups".to_owned())],
            executors,
        });
        made
    }
}
