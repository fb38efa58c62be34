//! What does not change while a plan is sought: workers as groups, and what they send each other.

use super::links::Links;
use super::measure::Measure;
use crate::model::{NodeIx, Placement, Problem, Slot};
use crate::solve::groups::{Instance, Workers};
use crate::units::Share;

/// Stands for "not a group": a worker that may not move.
pub(in crate::solve) const NONE: u32 = u32::MAX;

/// The papers' problem over the workers of a placement, with their traffic.
#[derive(Debug)]
pub(in crate::solve) struct Field<'p> {
    pub(in crate::solve) problem: &'p Problem,
    /// Balance: hosts, loads, homes, prices and budgets.
    pub(in crate::solve) workers: Workers,
    /// Traffic.
    pub(in crate::solve) links: Links,
    /// CPU, and the resources beside it.
    pub(in crate::solve) measures: Vec<Measure>,
    /// Mean utilization; no move changes it.
    pub(in crate::solve) mean: Share,
    /// Traffic that a restart must at least keep from the network: `gain.min` of all.
    pub(in crate::solve) least: i64,
    /// Rate that a unit of load outside its range is weighed against.
    pub(in crate::solve) weight: f64,
}

impl<'p> Field<'p> {
    /// The workers of the present placement.
    pub(in crate::solve) fn of(problem: &'p Problem) -> Self {
        let workers = Workers::of(problem);
        let links = Links::of(problem, &workers.workers);
        let rate = problem.traffic.rate().0;
        let least = (i128::from(rate) * i128::from(problem.limits.gain_min.0) / 1_000_000_000) as i64;
        let measures = Measure::all(problem, &workers.instance);
        let load: i64 = workers.instance.load.iter().sum();
        let weight = HEAVY * rate.max(1) as f64 / load.max(1) as f64;
        let mean = workers.instance.mean();
        Self { problem, workers, links, measures, mean, least: least.max(1), weight }
    }

    pub(in crate::solve) fn instance(&self) -> &Instance {
        &self.workers.instance
    }

    /// Groups.
    pub(in crate::solve) fn groups(&self) -> usize {
        self.workers.instance.groups()
    }

    /// True where groups of others may come.
    pub(in crate::solve) fn takes(&self, host: u32) -> bool {
        let host = &self.instance().hosts[host as usize];
        host.takes && !host.draining
    }

    /// The placement that has every group on its host: who stays keeps its port, who comes gets the lowest free one.
    pub(in crate::solve) fn placement(&self, hosts: &[u32]) -> Placement {
        let problem = self.problem;
        let mut placement = problem.present.clone();
        let homes = &self.instance().home;
        let moved: Vec<usize> = (0..hosts.len()).filter(|group| hosts[*group] != homes[*group]).collect();
        if moved.is_empty() {
            return placement;
        }
        let mut left: Vec<Slot> = moved.iter().map(|group| self.workers.workers[*group].slot).collect();
        left.sort_unstable();
        let present = problem.executor_ids().filter_map(|executor| problem.present.slot(executor));
        let mut taken: Vec<Slot> = present.filter(|slot| left.binary_search(slot).is_err()).collect();
        taken.sort_unstable();
        taken.dedup();
        // Ports already handed out are below, so each node is looked at from where it was left.
        let mut next = vec![0_usize; problem.nodes.len()];
        for group in moved {
            let node = NodeIx::from_at(hosts[group] as usize);
            let info = problem.node(node);
            let from = &mut next[node.at()];
            let slot = loop {
                let port = info.ports[*from];
                *from += 1;
                let slot = Slot { node, port };
                if !info.avoids(port) && taken.binary_search(&slot).is_err() {
                    break slot;
                }
            };
            for executor in &self.workers.workers[group].executors {
                placement.put(*executor, slot);
            }
        }
        placement
    }
}

/// How much more a load outside weighs than the traffic that as much load has on average.
const HEAVY: f64 = 8.0;
