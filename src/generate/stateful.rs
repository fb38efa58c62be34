//! Key groups with a state, whose copies are to be placed: balanced nodes, loads and states as skewed as is asked for.

use super::{balance_only, bolt, executor, node, request, topology};
use crate::checkpoint::{Instance, Node, Present};
use crate::units::{Load, Share, Size};
use crate::wire::{Component, Executor, Request};

/// How load is shared among the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadShares {
    /// On every node uniform from 0.5 to 1.5 times the mean.
    Uniform,
    /// On every node one over the rank: with 20 groups the largest has 14 points of its node's 50.
    Zipf,
    /// One over the rank among all groups, but at most 20 points, placed on the emptiest node from the largest on.
    Global,
}

/// What the size of a state has to do with the load of its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateSizes {
    /// The load times 0.8 to 1.2.
    Correlated,
    /// Nothing: log-normal with sigma 1.
    Uncorrelated,
}

/// A cluster of key groups with a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stateful {
    /// Nodes, of 100 cores each.
    pub nodes: usize,
    /// Loads of the nodes are uniform in 50 % times 1 - variation to 1 + variation, unless they are shared globally.
    pub variation: f64,
    /// Groups a node, on average where loads are shared globally.
    pub per_node: usize,
    /// How load is shared.
    pub loads: LoadShares,
    /// How large states are beside each other.
    pub states: StateSizes,
    /// Bytes of a state in the mean.
    pub mean_state: f64,
    /// r: copies of every state.
    pub copies: usize,
    /// Racks, to which nodes belong in turn; 0 or 1: racks do not count.
    pub racks: usize,
    /// tau: how much fuller than unavoidable a loss may make a node, as a fraction of capacity.
    pub slack: f64,
    /// Same seed, same cluster.
    pub seed: u64,
}

/// Capacity of a node: large, so that a load in millionths of a core is a fine scale.
const CORES: f64 = 100.0;

/// Part of a state that changes between two checkpoints: from this much to that.
const DELTA: (f64, f64) = (0.02, 0.1);

/// Room for copies, of what a node would hold on average; more where the largest state needs it.
const ROOM: f64 = 1.3;

/// Load distance that is good enough.
const DISTANCE: f64 = 0.05;

/// Most load of a group where loads are shared globally, as a fraction of capacity.
const MOST: f64 = 0.2;

/// A group before it is anything else.
struct Sketch {
    home: usize,
    /// Fraction of a node.
    load: f64,
    /// Bytes.
    state: f64,
    delta: f64,
}

impl Stateful {
    /// The allocator's problem. No copies lie anywhere yet.
    pub fn instance(&self) -> Instance {
        let sketches = self.sketches();
        let racks = if self.racks > 1 { self.racks } else { 0 };
        let state: Vec<i64> = sketches.iter().map(|group| group.state.round() as i64).collect();
        let mean = state.iter().sum::<i64>() as f64 * self.copies as f64 / self.nodes as f64;
        let storage = ((ROOM * mean) as i64).max(state.iter().copied().max().unwrap_or(0));
        let mut nodes: Vec<Node> = (0..self.nodes)
            .map(|at| Node {
                capacity: Load::from_cores(CORES).0,
                load: 0,
                rack: if racks > 0 { at % racks } else { at } as u32,
                listed: true,
                takes: true,
                storage,
                network: i64::MAX,
            })
            .collect();
        let load: Vec<i64> = sketches.iter().map(|group| Load::from_cores(CORES * group.load).0).collect();
        for (group, load) in sketches.iter().zip(&load) {
            nodes[group.home].load += load;
        }
        Instance {
            nodes,
            racks,
            home: sketches.iter().map(|group| group.home as u32).collect(),
            delta: sketches.iter().map(|group| (group.state * group.delta).round() as i64).collect(),
            copies: self.copies,
            present: Present::none(load.len()),
            budget: 0,
            slack: Share::from_fraction(self.slack),
            distance: Share::from_fraction(DISTANCE),
            load,
            state,
        }
    }

    /// The same as a request, in which so many groups may migrate.
    pub fn request(&self, budget: u32) -> Request {
        let instance = self.instance();
        let mut on = vec![0; self.nodes];
        let executors: Vec<Executor> = (0..instance.groups())
            .map(|group| {
                let home = instance.home[group] as usize;
                on[home] += 1;
                let slot = Some((home, 6700 + on[home] - 1));
                let cores = Load(instance.load[group]).cores();
                let state = Some(instance.state[group] as u64);
                let delta = Some(instance.delta[group] as u64);
                Executor {
                    state_bytes: state,
                    delta_bytes: delta,
                    ..executor(group as i32 + 1, "groups", slot, cores)
                }
            })
            .collect();
        let mut made = request(balance_only(budget));
        made.settings.insert("load.distance.max".to_owned(), DISTANCE.into());
        made.settings.insert("checkpoint.copies".to_owned(), self.copies.into());
        made.settings.insert("checkpoint.loss.slack".to_owned(), self.slack.into());
        let slots = 2 * on.iter().copied().max().unwrap_or(0);
        made.nodes = (0..self.nodes)
            .map(|at| crate::wire::Node {
                rack: (instance.racks > 0).then(|| format!("rack-{:03}", instance.nodes[at].rack)),
                checkpoint_storage_mib: Some(Size(instance.nodes[at].storage).mib()),
                ..node(at, CORES, slots)
            })
            .collect();
        let (id, workers) = ("stateful-1-0".to_owned(), executors.len() as u32);
        let component = Component { stateful: true, ..bolt("groups".to_owned()) };
        made.topologies.push(topology(id, workers, vec![component], executors));
        made
    }

    /// All groups, node after node unless loads are shared globally.
    fn sketches(&self) -> Vec<Sketch> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut sketches = match self.loads {
            LoadShares::Global => self.global(),
            LoadShares::Uniform | LoadShares::Zipf => self.by_node(&mut random),
        };
        for group in &mut sketches {
            group.state = match self.states {
                StateSizes::Correlated => group.load * (0.8 + 0.4 * random.f64()),
                StateSizes::Uncorrelated => normal(&mut random).exp(),
            };
            group.delta = DELTA.0 + (DELTA.1 - DELTA.0) * random.f64();
        }
        let mean = sketches.iter().map(|group| group.state).sum::<f64>() / sketches.len() as f64;
        sketches.iter_mut().for_each(|group| group.state *= self.mean_state / mean);
        sketches
    }

    fn by_node(&self, random: &mut fastrand::Rng) -> Vec<Sketch> {
        let mut sketches = Vec::with_capacity(self.nodes * self.per_node);
        for home in 0..self.nodes {
            let node = 0.5 * (1.0 + self.variation * (2.0 * random.f64() - 1.0));
            let shares: Vec<f64> = (0..self.per_node)
                .map(|rank| match self.loads {
                    LoadShares::Uniform => 0.5 + random.f64(),
                    LoadShares::Zipf | LoadShares::Global => 1.0 / (rank + 1) as f64,
                })
                .collect();
            let sum: f64 = shares.iter().sum();
            sketches.extend(shares.into_iter().map(|share| Sketch {
                home,
                load: node * share / sum,
                state: 0.0,
                delta: 0.0,
            }));
        }
        sketches
    }

    fn global(&self) -> Vec<Sketch> {
        let count = self.nodes * self.per_node;
        let wanted = 0.5 * self.nodes as f64;
        let load = |first: f64, rank: usize| (first / (rank + 1) as f64).min(MOST);
        // Load of the first group if there were no most, by bisection.
        let (mut low, mut high) = (0.0, wanted);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if (0..count).map(|rank| load(middle, rank)).sum::<f64>() < wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut emptiest: std::collections::BTreeSet<(i64, usize)> =
            (0..self.nodes).map(|at| (0, at)).collect();
        (0..count)
            .map(|rank| {
                let load = load(high, rank);
                let (held, home) = emptiest.pop_first().expect("there are nodes");
                emptiest.insert((held + Load::from_cores(load).0, home));
                Sketch { home, load, state: 0.0, delta: 0.0 }
            })
            .collect()
    }
}

/// A standard normal variable (Box and Muller, 1958).
pub(super) fn normal(random: &mut fastrand::Rng) -> f64 {
    let (radius, angle) = ((-2.0 * (1.0 - random.f64()).ln()).sqrt(), std::f64::consts::TAU * random.f64());
    radius * angle.cos()
}
