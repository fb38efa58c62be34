//! Workers of many executors: topologies as a shared Storm cluster runs them, dealt out by count as Storm deals.

use super::{balance_only, bolt, executor, node, request};
use crate::wire::{Request, Topology};

/// A cluster of topologies.
#[derive(Debug, Clone, Copy)]
pub struct Cluster {
    /// Nodes, of 16 cores each.
    pub nodes: usize,
    /// Slots a node.
    pub slots: u16,
    /// Topologies, of 1 to 40 workers with 2 to 20 executors each.
    pub topologies: usize,
    /// Load over capacity.
    pub mean: f64,
    /// Workers that may be restarted.
    pub budget: u32,
    /// Same seed, same cluster.
    pub seed: u64,
}

const CORES: f64 = 16.0;

/// A component's executors and their loads before scaling.
struct Sketch {
    workers: usize,
    components: Vec<Vec<f64>>,
}

impl Cluster {
    /// The request. Topologies that find no slot any more are left out.
    pub fn request(&self) -> Request {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut free: Vec<(u16, usize)> = (0..self.nodes).map(|at| (0, at)).collect();
        let mut sketches = Vec::new();
        for _ in 0..self.topologies {
            let sketch = sketch(&mut random);
            let taken: usize = sketches.iter().map(|(s, _): &(Sketch, _)| s.workers).sum();
            if taken + sketch.workers > self.nodes * usize::from(self.slots) {
                continue;
            }
            // Each worker to a node with the fewest, as Storm's even scheduler interleaves slots.
            let homes: Vec<(usize, u16)> = (0..sketch.workers)
                .map(|_| {
                    let lightest = free.iter_mut().min_by_key(|(used, at)| (*used, *at)).expect("nodes");
                    lightest.0 += 1;
                    (lightest.1, 6700 + lightest.0 - 1)
                })
                .collect();
            sketches.push((sketch, homes));
        }
        let scale = self.scale(&sketches);
        let mut made = request(balance_only(self.budget));
        made.nodes = (0..self.nodes).map(|at| node(at, CORES, self.slots)).collect();
        for (at, (sketch, homes)) in sketches.iter().enumerate() {
            made.topologies.push(topology(at, sketch, homes, scale));
        }
        made
    }

    fn scale(&self, sketches: &[(Sketch, Vec<(usize, u16)>)]) -> f64 {
        let all = sketches.iter().flat_map(|(sketch, _)| sketch.components.iter().flatten());
        self.mean * CORES * self.nodes as f64 / all.sum::<f64>()
    }
}

/// A topology: workers and executors log-uniform, component loads log-normal, keys skewed inside half the components.
fn sketch(random: &mut fastrand::Rng) -> Sketch {
    let log_uniform = |random: &mut fastrand::Rng, low: f64, high: f64| {
        (low.ln() + random.f64() * (high / low).ln()).exp().round() as usize
    };
    let workers = log_uniform(random, 1.0, 40.0);
    let executors = workers * log_uniform(random, 2.0, 20.0);
    let components = 3 + random.usize(..6);
    let components = (0..components)
        .map(|at| {
            let count = (executors / components).max(1) + usize::from(at < executors % components);
            let normal = (0..12).map(|_| random.f64()).sum::<f64>() - 6.0;
            let skew = if random.bool() { random.f64() } else { 0.0 };
            let shares: Vec<f64> =
                (0..count).map(|rank| ((rank + 1) as f64).powf(-skew) * (0.9 + 0.2 * random.f64())).collect();
            let sum: f64 = shares.iter().sum();
            let load = normal.exp() * count as f64;
            shares.into_iter().map(|share| load * share / sum).collect()
        })
        .collect();
    Sketch { workers, components }
}

fn topology(at: usize, sketch: &Sketch, homes: &[(usize, u16)], scale: f64) -> Topology {
    let id = format!("topology-{at:04}-1");
    let mut executors = Vec::new();
    for (component, loads) in sketch.components.iter().enumerate() {
        for load in loads {
            let task = executors.len() as i32 + 1;
            // An executor is a thread and uses at most a core.
            let cores = (load * scale).min(0.95);
            let home = homes[executors.len() % homes.len()];
            executors.push(executor(task, &format!("bolt-{component}"), Some(home), cores));
        }
    }
    let components = (0..sketch.components.len()).map(|at| bolt(format!("bolt-{at}"))).collect();
    super::topology(id, sketch.workers as u32, components, executors)
}
