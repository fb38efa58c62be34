//! The strategy `potc`: each worker has two nodes by hash and takes the less loaded one.
//!
//! Nasir, De Francisci Morales, García-Soriano, Kourtellis, Serafini: The power of both choices (ICDE 2015). There every
//! key has two workers by two hash functions and each tuple goes to the less loaded of them; keys are split and nothing
//! migrates. Storm places workers, not tuples, so this is an adaptation: a worker that may move has two nodes by hash
//! among those that take moves, and goes to the less loaded one if that ends below where its own node is now. The hash
//! is of the topology's id and the worker's first task, so that a worker keeps its two nodes wherever it runs.
//!
//! The paper decides in the order of arrival. Here everything is there already and moves are few, so workers of the
//! most loaded nodes decide first (of nodes being drained before all), the largest first. Each decision looks at three
//! nodes alone: that is what the paper is about, and what the gap to the bound shows the price of.

use std::cmp::Reverse;

use sha2::{Digest, Sha256};

use super::fleet::Fleet;
use super::{Budget, Failed, Outcome, Strategy};
use crate::model::{NodeIx, Problem};
use crate::units::{Load, Share};

pub(super) struct Potc;

impl Strategy for Potc {
    fn name(&self) -> &'static str {
        "potc"
    }

    fn about(&self) -> &'static str {
        "each worker takes the less loaded of two nodes by hash (power of both choices, ICDE 2015)"
    }

    fn solve(&self, problem: &Problem, _: Share, budget: &mut Budget) -> Result<Outcome, Failed> {
        let mut fleet = Fleet::of(problem);
        let takers: Vec<NodeIx> =
            problem.node_ids().filter(|node| problem.node(*node).takes_moves()).collect();
        if takers.is_empty() {
            return Ok(fleet.outcome(budget));
        }
        let mut order: Vec<usize> = (0..fleet.units.len()).collect();
        order.sort_by_key(|at| {
            let unit = &fleet.units[*at];
            let load = fleet.utilization(unit.node, Load::ZERO);
            (!fleet.is_draining(unit.node), Reverse(load), unit.node, Reverse(unit.load), *at)
        });
        for unit in order {
            if !fleet.may_spend() || !budget.step() {
                break;
            }
            if let Some(to) = choice(&fleet, unit, &takers) {
                fleet.send(unit, to);
            }
        }
        Ok(fleet.outcome(budget))
    }
}

/// The better of a unit's two nodes, if it is better than where the unit is.
fn choice(fleet: &Fleet, at: usize, takers: &[NodeIx]) -> Option<NodeIx> {
    let unit = &fleet.units[at];
    let here = fleet.utilization(unit.node, Load::ZERO);
    let helps = |to: &NodeIx| {
        let after = fleet.utilization(*to, unit.load);
        if fleet.is_draining(unit.node) { after <= fleet.problem.limits.overload } else { after < here }
    };
    candidates(&unit.name, takers)
        .into_iter()
        .filter(|to| fleet.fits(at, *to) && helps(to))
        .min_by_key(|to| (fleet.utilization(*to, unit.load), *to))
}

/// The two nodes of a unit; one and the same now and then, as with any two hash functions.
fn candidates(name: &str, takers: &[NodeIx]) -> [NodeIx; 2] {
    let hash = Sha256::digest(name.as_bytes());
    [0, 8].map(|from| {
        let bytes = hash[from..from + 8].try_into().expect("eight of thirty-two bytes");
        takers[(u64::from_be_bytes(bytes) % takers.len() as u64) as usize]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(count: usize) -> Vec<NodeIx> {
        (0..count).map(NodeIx::from_at).collect()
    }

    #[test]
    fn a_worker_keeps_its_two_nodes_from_release_to_release() {
        assert_eq!(candidates("groups-1-0/1", &nodes(20)), [NodeIx::from_at(1), NodeIx::from_at(7)]);
    }

    #[test]
    fn the_two_choices_fall_on_all_nodes_alike() {
        let mut chosen = [0; 10];
        for task in 0..1000 {
            for node in candidates(&format!("t/{task}"), &nodes(10)) {
                chosen[node.at()] += 1;
            }
        }
        assert!(chosen.iter().all(|times| (150..250).contains(times)), "{chosen:?}");
    }
}
