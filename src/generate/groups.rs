//! Key groups: one topology, one executor a worker, as the papers' synthetic experiments have it.

use super::{balance_only, bolt, executor, node, request, topology};
use crate::solve::groups::{Host, Instance};
use crate::units::{Load, Share, Size};
use crate::wire::{Executor, Request};

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
    /// Load distance that is good enough, as a fraction of capacity; 0 where every gain counts.
    pub target: f64,
    /// State of the groups, the papers' migration cost; none where it is not looked at.
    pub state: Option<State>,
}

/// State that groups carry along when they migrate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// Mean size in MiB; each group has 0.5 to 1.5 of it, uniformly and whatever its load.
    pub mean_mib: f64,
    /// MiB that a plan may have read again; none: no limit.
    pub budget_mib: Option<f64>,
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
        let slots = 2 * self.per_node.min(Self::MOST_PER_NODE) as u16;
        let mut executors = Vec::with_capacity(self.nodes * self.per_node);
        self.each(capacities, |node, rank, cores, state| {
            let task = executors.len() as i32 + 1;
            let group = executor(task, "groups", Some((node, 6700 + rank as u16)), cores);
            executors.push(Executor { state_bytes: state, ..group });
        });
        let mut made = request(balance_only(self.budget));
        made.settings.insert("load.distance.max".to_owned(), self.target.into());
        if let Some(mib) = self.state.and_then(|state| state.budget_mib) {
            made.settings.insert("budget.state.mib".to_owned(), mib.into());
        }
        made.nodes = (0..self.nodes).map(|at| node(at, capacities.cores(at), slots)).collect();
        let (id, workers) = ("groups-1-0".to_owned(), executors.len() as u32);
        made.topologies.push(topology(id, workers, vec![bolt("groups".to_owned())], executors));
        made
    }

    /// The same groups for the solver alone, without a request around them: a million of them fit.
    pub fn instance(&self, capacities: Capacities) -> Instance {
        let count = self.nodes * self.per_node;
        let mut instance = Instance {
            hosts: (0..self.nodes).map(|at| host(capacities.cores(at))).collect(),
            load: Vec::with_capacity(count),
            home: Vec::with_capacity(count),
            budget_moves: self.budget.into(),
            budget_bytes: self.state.and_then(|state| state.budget_mib).map(|mib| Size::from_mib(mib).0),
            target: Share::from_fraction(self.target),
            overload: Share::from_fraction(1.0),
            ..Instance::default()
        };
        self.each(capacities, |node, _, cores, state| {
            instance.load.push(Load::from_cores(cores).0);
            instance.home.push(node as u32);
            instance.bytes.extend(state.map(|bytes| bytes as i64));
        });
        instance
    }

    /// Node, rank on it, load in cores and state in bytes of every group.
    fn each(&self, capacities: Capacities, mut each: impl FnMut(usize, usize, f64, Option<u64>)) {
        let mut random = fastrand::Rng::with_seed(self.seed);
        // A sequence of its own, so that loads are the same with and without state.
        let mut sizes = fastrand::Rng::with_seed(!self.seed);
        let mut shares = Vec::with_capacity(self.per_node);
        for at in 0..self.nodes {
            let load = capacities.cores(at) * 0.5 * (1.0 + self.variation * (2.0 * random.f64() - 1.0));
            shares.clear();
            shares.extend((0..self.per_node).map(|rank| match self.shares {
                Shares::Uniform => 0.5 + random.f64(),
                Shares::Zipf => 1.0 / (rank + 1) as f64,
            }));
            let sum: f64 = shares.iter().sum();
            for (rank, share) in shares.iter().enumerate() {
                let state =
                    self.state.map(|state| Size::from_mib(state.mean_mib * (0.5 + sizes.f64())).0 as u64);
                each(at, rank, load * share / sum, state);
            }
        }
    }
}

/// A host of so many cores that has room for whatever comes.
fn host(cores: f64) -> Host {
    Host {
        capacity: Load::from_cores(cores).0,
        fixed: 0,
        takes: true,
        draining: false,
        listed: true,
        slots: i64::MAX / 4,
        memory: i64::MAX,
    }
}
