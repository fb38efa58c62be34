//! One-to-one jobs: two operators whose key groups talk in pairs, dealt out without a thought of it.

use super::{balance_only, bolt, executor, node, request, topology};
use crate::wire::{Input, Request, TaskRange, Traffic};

/// A job of two operators: group k of the first sends all it emits to group k of the second.
///
/// Placed at random with as many groups on every node; a load of 50 % on average. ALBIC (ICDE 2017), the synthetic
/// experiments on collocation.
#[derive(Debug, Clone, Copy)]
pub struct OneToOne {
    /// Nodes.
    pub nodes: usize,
    /// Pairs: groups of each operator. Twice as many are dealt to the nodes.
    pub pairs: usize,
    /// Loads of the groups are uniform in their mean times 1 - variation to 1 + variation.
    pub variation: f64,
    /// Part of the traffic that goes by pairs, 0 to 1; the rest of what a group emits goes to all groups of the second
    /// operator alike.
    pub paired: f64,
    /// Groups that may migrate in a period.
    pub budget: u32,
    /// Load distance that is good enough (maxLD).
    pub distance_max: f64,
    /// Same seed, same job.
    pub seed: u64,
}

/// Capacity of a node in cores.
const CORES: f64 = 100.0;

/// Tuples a second that a group of the first operator emits.
const PER_SEC: f64 = 1000.0;

impl OneToOne {
    /// The request.
    pub fn request(&self) -> Request {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let groups = 2 * self.pairs;
        let mut dealt: Vec<usize> = (0..groups).collect();
        random.shuffle(&mut dealt);
        let mut homes = vec![(0, 0); groups];
        for (at, group) in dealt.into_iter().enumerate() {
            homes[group] = (at % self.nodes, 6700 + (at / self.nodes) as u16);
        }
        let mean = CORES * 0.5 * self.nodes as f64 / groups as f64;
        let executors = homes.into_iter().enumerate().map(|(at, home)| {
            let load = mean * (1.0 + self.variation * (2.0 * random.f64() - 1.0));
            let operator = if at < self.pairs { "first" } else { "second" };
            executor(at as i32 + 1, operator, Some(home), load)
        });
        let mut made = request(balance_only(self.budget));
        made.settings.insert("load.distance.max".to_owned(), self.distance_max.into());
        // Twice the slots that are used: gaining pairs makes the counts uneven.
        let slots = 2 * groups.div_ceil(self.nodes) as u16;
        made.nodes = (0..self.nodes).map(|at| node(at, CORES, slots)).collect();
        let mut second = bolt("second".to_owned());
        second.inputs.push(Input {
            from: "first".to_owned(),
            stream: "default".to_owned(),
            grouping: "fields".to_owned(),
            tuples_per_sec: None,
        });
        let components = vec![bolt("first".to_owned()), second];
        let mut job = topology("one-to-one-1-0".to_owned(), groups as u32, components, executors.collect());
        job.traffic = self.traffic();
        made.topologies.push(job);
        made
    }

    fn traffic(&self) -> Vec<Traffic> {
        let task = |at: usize| TaskRange(at as i32 + 1, at as i32 + 1);
        let mut traffic = Vec::new();
        let even = PER_SEC * (1.0 - self.paired) / self.pairs as f64;
        for from in 0..self.pairs {
            // Rates of zero are left out, so that a job of pairs alone stays as small as it is.
            for to in if self.paired < 1.0 { 0..self.pairs } else { from..from + 1 } {
                let own = if from == to { PER_SEC * self.paired } else { 0.0 };
                traffic.push(Traffic {
                    from: task(from),
                    to: task(self.pairs + to),
                    tuples_per_sec: even + own,
                    bytes_per_sec: None,
                });
            }
        }
        traffic
    }
}
