//! The strategy `even`: as many workers on every node, as Storm's `EvenScheduler` and `DefaultScheduler` deal them.
//!
//! Storm sorts the free slots so that they take turns between nodes, those with most free slots first
//! (`org.apache.storm.scheduler.EvenScheduler.sortSlots`), and deals executors over them by number. Loads play no part.
//! `DefaultScheduler` adds that a topology with fewer workers than it could have gets some of them freed and dealt
//! anew. Both look only at topologies that lack executors or workers (`Cluster.needsSchedulingTopologies`): once all is
//! placed, Storm itself moves nothing.
//!
//! What of it applies to a cluster in which everything is placed is the aim: counts that differ by one at most. So a
//! worker goes from the node with the most workers to the one with the fewest (of those the one with most free slots)
//! until that is reached or the budget is spent; from a node being drained in any case. Of a node's workers the one on
//! the highest port goes, the last dealt. With equal counts, as in the papers' set-ups, it moves nothing whatever the
//! loads, and a plan by counts that is worse by load is given up as a whole.

use std::cmp::Reverse;

use super::fleet::Fleet;
use super::{Budget, Failed, Outcome, Strategy};
use crate::model::{NodeIx, Problem};
use crate::units::Share;

pub(super) struct Even;

impl Strategy for Even {
    fn name(&self) -> &'static str {
        "even"
    }

    fn about(&self) -> &'static str {
        "as many workers on every node whatever their load, as Storm's EvenScheduler deals slots"
    }

    fn solve(&self, problem: &Problem, _: Share, budget: &mut Budget) -> Result<Outcome, Failed> {
        let mut fleet = Fleet::of(problem);
        while fleet.may_spend() && budget.step() {
            let Some((unit, to)) = next(&fleet) else { break };
            fleet.send(unit, to);
        }
        Ok(fleet.outcome(budget))
    }
}

/// The next worker to go, and where; none when the counts are even or nothing fits.
fn next(fleet: &Fleet) -> Option<(usize, NodeIx)> {
    let problem = fleet.problem;
    let mut givers: Vec<NodeIx> = problem.node_ids().filter(|node| fleet.workers[node.at()] > 0).collect();
    givers.sort_by_key(|node| (!fleet.is_draining(*node), Reverse(fleet.workers[node.at()]), *node));
    let mut takers: Vec<NodeIx> = problem.node_ids().filter(|node| fleet.free[node.at()] > 0).collect();
    takers.sort_by_key(|node| (fleet.workers[node.at()], Reverse(fleet.free[node.at()]), *node));
    givers.into_iter().find_map(|from| {
        let unit = fleet.movable_on(from).max_by_key(|unit| fleet.units[*unit].home.port)?;
        let helps =
            |to: NodeIx| fleet.is_draining(from) || fleet.workers[from.at()] > fleet.workers[to.at()] + 1;
        let to = takers.iter().copied().find(|to| helps(*to) && fleet.fits(unit, *to))?;
        Some((unit, to))
    })
}
