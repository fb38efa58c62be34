//! Fewer nodes: which to empty, and whether what has to leave fits elsewhere.

use super::potential::{Potential, free_slots};
use super::{Advice, Scaler, count};
use crate::model::{NodeState, Worker};
use crate::units::{Load, Share, Size};
use crate::wire::ScalingVerdict;

/// A node that could be emptied, and what that costs.
struct Candidate {
    node: usize,
    capacity: Load,
    load: Load,
    restarts: usize,
    bytes: Size,
}

impl Scaler<'_> {
    /// What to do when no node is too full: nothing, or, below the lower limit for long enough, a drain.
    pub(super) fn decide_low(&self, peak: Share) -> Advice {
        let none = |because: String| Advice::new(ScalingVerdict::None, peak, because);
        if self.problem.executors.is_empty() {
            // Nodes that wait for the first topology are not there in vain.
            return none("nothing runs, so nothing tells how many nodes are needed".to_owned());
        }
        let (settings, mean) = (self.settings, self.demand.mean);
        let in_load = settings.scale_in_load;
        if mean >= in_load {
            return none(format!(
                "the balanced plan peaks at {peak}, its mean is {mean}: between {} and {}",
                in_load.fraction(),
                settings.scale_out_load.fraction()
            ));
        }
        let below = format!("the mean is {mean}, below scale.in.load {}", in_load.fraction());
        let behind: Vec<&str> =
            self.problem.topologies.iter().filter(|t| t.lags).map(|t| t.id.as_str()).collect();
        if !behind.is_empty() {
            return none(format!("{below}, but the input lags of {}", crate::snapshot::some_of(&behind)));
        }
        if self.placed {
            return none(format!("{below}, but executors got a slot in this round"));
        }
        let draining = self.demand.drained();
        if draining > Load::ZERO {
            return none(format!("{below}, and {draining} are still to leave draining nodes"));
        }
        let candidates = self.candidates();
        let chosen = self.affordable(&candidates);
        if chosen.is_empty() {
            return none(format!(
                "{below}, but without one of its nodes the mean would be above {}",
                self.middle()
            ));
        }
        let rounds = self.low_rounds.saturating_add(1);
        if rounds < settings.scale_in_rounds {
            let because = format!("{below}, for {rounds} of {} rounds", settings.scale_in_rounds);
            return Advice { low: true, ..none(because) };
        }
        Advice { low: true, ..self.drain(peak, &below, &chosen) }
    }

    /// The most of the chosen nodes that can be emptied, else what is missing to empty the first.
    fn drain(&self, peak: Share, below: &str, chosen: &[&Candidate]) -> Advice {
        let mut take = chosen.len();
        loop {
            let drained: Vec<usize> = chosen[..take].iter().map(|candidate| candidate.node).collect();
            let without = self.without(&drained);
            if without.fits(self.settings) && without.reached.drained() == Load::ZERO {
                let restarts: usize = chosen[..take].iter().map(|candidate| candidate.restarts).sum();
                let bytes: i64 = chosen[..take].iter().map(|candidate| candidate.bytes.0).sum();
                let state = if bytes > 0 { format!(" and {} of state", Size(bytes)) } else { String::new() };
                let because = format!(
                    "{below}: drain {}, which takes {}{state} and leaves a mean of {} and a fullest node at {}",
                    self.names(&drained),
                    count(restarts, "restart"),
                    without.reached.mean,
                    without.peak()
                );
                return Advice { drain: drained, ..Advice::new(ScalingVerdict::In, peak, because) };
            }
            if take == 1 {
                let because = format!("{below}, but {}", self.lack(chosen[0], &without));
                return Advice::new(ScalingVerdict::Blocked, peak, because);
            }
            take /= 2;
        }
    }

    /// The potential plan when these nodes drain.
    fn without(&self, drained: &[usize]) -> Potential {
        self.potential(|problem| {
            for at in drained {
                problem.nodes[*at].state = NodeState::Draining;
            }
        })
    }

    /// Nodes that could be emptied, the cheapest first: by restarts, by state to be read again, by load, by name.
    fn candidates(&self) -> Vec<Candidate> {
        let problem = &self.demand.problem;
        let workers = problem.present.workers(problem);
        let leaves = |worker: &Worker| {
            let node = problem.node(worker.slot.node);
            problem.topology(worker.topology).enabled && node.ports.binary_search(&worker.slot.port).is_ok()
        };
        let candidate = |at: usize| {
            let mut candidate = Candidate {
                node: at,
                capacity: problem.nodes[at].capacity,
                load: self.demand.loads[at],
                restarts: 0,
                bytes: Size::ZERO,
            };
            for worker in workers.iter().filter(|worker| worker.slot.node.at() == at) {
                if !leaves(worker) {
                    return None;
                }
                candidate.restarts += 1;
                let state = |executor: &crate::model::ExecutorIx| problem.executor(*executor).state;
                candidate.bytes += worker.executors.iter().filter_map(state).sum();
            }
            Some(candidate)
        };
        let active = (0..problem.nodes.len()).filter(|at| problem.nodes[*at].state == NodeState::Active);
        let mut candidates: Vec<Candidate> = active.filter_map(candidate).collect();
        candidates.sort_by_key(|c| (c.restarts, c.bytes, c.load, c.node));
        candidates
    }

    /// Those of the candidates, cheapest first, without whom the mean stays at or below the middle.
    fn affordable<'c>(&self, candidates: &'c [Candidate]) -> Vec<&'c Candidate> {
        let mut capacity = self.problem.lasting_capacity();
        let mut chosen = Vec::new();
        for candidate in candidates {
            let left = capacity - candidate.capacity;
            if left > Load::ZERO && self.demand.total.over(left) <= self.middle() {
                capacity = left;
                chosen.push(candidate);
            }
        }
        chosen
    }

    /// The mean a drain may leave: half way between the two limits, as far as can be from either, so that no small
    /// change of load asks for the nodes back or for the next drain.
    fn middle(&self) -> Share {
        let (low, high) = (self.settings.scale_in_load, self.settings.scale_out_load);
        Share((low.0 + high.0) / 2).min(self.most_mean())
    }

    /// What is missing for the cheapest node to be emptied.
    fn lack(&self, candidate: &Candidate, without: &Potential) -> String {
        let problem = &self.demand.problem;
        let others = || {
            (0..problem.nodes.len())
                .filter(|at| *at != candidate.node && problem.nodes[*at].state == NodeState::Active)
        };
        let slots: usize = {
            let free = free_slots(problem);
            others().map(|at| free[at]).sum()
        };
        let room: Load = others()
            .map(|at| {
                let most = self.settings.scale_out_load.most(problem.nodes[at].capacity);
                (most - self.demand.loads[at]).max(Load::ZERO)
            })
            .sum();
        let name = &problem.nodes[candidate.node].name;
        let leaving = format!(
            "to empty {name} {} in {} have to leave; the other nodes have room for {room} below {} and {}",
            candidate.load,
            count(candidate.restarts, "worker"),
            self.settings.scale_out_load.fraction(),
            count(slots, "free slot")
        );
        let (load, more) =
            (candidate.load - room.min(candidate.load), candidate.restarts.saturating_sub(slots));
        if load == Load::ZERO && more == 0 {
            let stuck = without.reached.drained();
            return format!("{leaving}, but memory or the size of workers keeps {stuck} from fitting");
        }
        format!("{leaving}: {}", missing(load, more))
    }
}

/// What is missing, in load and in slots, as far as anything is.
pub(crate) fn missing(load: Load, slots: usize) -> String {
    match (load, slots) {
        (Load::ZERO, slots) => format!("{} more are missing", count(slots, "slot")),
        (load, 0) => format!("room for {load} more is missing"),
        (load, slots) => format!("room for {load} more and {} more are missing", count(slots, "slot")),
    }
}
