//! Key groups: one topology, one executor a worker, as the papers' synthetic experiments have it.

use super::{balance_only, bolt, executor, node, request, topology};
use crate::wire::Request;

/// How the load of a node is shared among its groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shares {
    /// Uniform from 0.5 to 1.5 times the mean.
    Uniform,
    /// One over the rank: with 20 groups the largest has 28 % of its node.
    Zipf,
}

/// What the nodes can bear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capacities {
    /// 100 cores each.
    Even,
    /// 50, 100 and 200 cores in turn. Utilizations and the number of groups a node are those of the even cluster.
    Mixed,
}

impl Capacities {
    /// Cores of a node.
    fn cores(self, node: usize) -> f64 {
        match self {
            Self::Even => CORES,
            Self::Mixed => [CORES / 2.0, CORES, CORES * 2.0][node % 3],
        }
    }
}

/// A cluster of key groups.
#[derive(Debug, Clone, Copy)]
pub struct Groups {
    /// Nodes.
    pub nodes: usize,
    /// Groups a node, at most [`Groups::MOST_PER_NODE`].
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
    /// Groups that fit on a node: each has a port of its own from 6700 on, and as many ports stay free for others.
    pub const MOST_PER_NODE: usize = 25_000;

    /// The request, for nodes of 100 cores each.
    pub fn request(&self) -> Request {
        self.request_on(Capacities::Even)
    }

    /// The request, for nodes of the given capacities.
    pub fn request_on(&self, capacities: Capacities) -> Request {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let slots = 2 * self.per_node.min(Self::MOST_PER_NODE) as u16;
        let mut executors = Vec::new();
        for at in 0..self.nodes {
            let load = capacities.cores(at) * 0.5 * (1.0 + self.variation * (2.0 * random.f64() - 1.0));
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
        made.nodes = (0..self.nodes).map(|at| node(at, capacities.cores(at), slots)).collect();
        let (id, workers) = ("groups-1-0".to_owned(), executors.len() as u32);
        made.topologies.push(topology(id, workers, vec![bolt("groups".to_owned())], executors));
        made
    }
}
