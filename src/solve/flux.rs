//! The strategy `flux`: the most loaded node gives to the least loaded one, the second to the second last, and so on.
//!
//! Shah, Hellerstein, Chandrasekaran, Franklin: Flux, an adaptive partitioning operator for continuous query systems
//! (ICDE 2003), its balancing policy, as ALBIC (ICDE 2017) compares itself with it: nodes sorted by load are paired from
//! both ends, and each pair moves the largest group that fits and helps, until the budget of moves is spent or no pair
//! gains. Groups are whole workers here. A group helps when the receiver ends below where the giver began: then the
//! larger of the two utilizations falls. A node being drained comes before all others and gives whatever does not
//! overload the receiver, which the paper does not have.

use std::cmp::Reverse;

use super::fleet::Fleet;
use super::{Budget, Failed, Outcome, Strategy};
use crate::model::{NodeIx, Problem};
use crate::units::{Load, Share};

pub(super) struct Flux;

impl Strategy for Flux {
    fn name(&self) -> &'static str {
        "flux"
    }

    fn about(&self) -> &'static str {
        "pairs the most with the least loaded nodes and moves the largest worker that helps (Flux, ICDE 2003)"
    }

    fn solve(&self, problem: &Problem, _: Share, budget: &mut Budget) -> Result<Outcome, Failed> {
        let mut fleet = Fleet::of(problem);
        while adapt(&mut fleet, budget) {}
        Ok(fleet.outcome(budget))
    }
}

/// One round over all pairs; false when none moved anything.
fn adapt(fleet: &mut Fleet, budget: &mut Budget) -> bool {
    let mut sorted: Vec<NodeIx> =
        fleet.problem.node_ids().filter(|node| fleet.problem.node(*node).state.listed()).collect();
    sorted.sort_by_key(|node| {
        (!fleet.is_draining(*node), Reverse(fleet.utilization(*node, Load::ZERO)), *node)
    });
    let mut moved = false;
    for pair in 0..sorted.len() / 2 {
        if !fleet.may_spend() || !budget.step() {
            return false;
        }
        let (from, to) = (sorted[pair], sorted[sorted.len() - 1 - pair]);
        if let Some(unit) = largest(fleet, from, to) {
            fleet.send(unit, to);
            moved = true;
        }
    }
    moved
}

/// The largest unit of a node that the other takes and that helps the pair; of equal ones the first by slot.
fn largest(fleet: &Fleet, from: NodeIx, to: NodeIx) -> Option<usize> {
    let before = fleet.utilization(from, Load::ZERO);
    let helps = |load: Load| {
        let after = fleet.utilization(to, load);
        if fleet.is_draining(from) { after <= fleet.problem.limits.overload } else { after < before }
    };
    let suits = |unit: &usize| fleet.fits(*unit, to) && helps(fleet.units[*unit].load);
    let candidates = fleet.movable_on(from).filter(suits);
    candidates
        .max_by_key(|unit| (fleet.units[*unit].load, Reverse(*unit)))
        .filter(|unit| fleet.is_draining(from) || fleet.units[*unit].load > Load::ZERO)
}
