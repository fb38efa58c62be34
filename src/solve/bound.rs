//! A lower bound of the load distance that a number of restarts allows, without any search.
//!
//! For a trial distance every node above its band must give the excess away and every node below it must receive the
//! shortfall. What is counted is restarted workers, once by the node they are on now and once by the node they end on;
//! both counts are at most the budget (plus, by destination, the workers that are newly opened). The smallest distance
//! for which no count contradicts is the bound. Every relaxation here allows more than a plan may do: inside the
//! restarted workers of a topology executors are dealt in any way, ports to be avoided count as free, memory is not
//! looked at. With one executor a worker nothing can be dealt, and the bound for moves of single key groups
//! ([`groups::bound`]) holds beside this one; it looks closer at which groups fit where.

mod demand;
mod facts;

use facts::Facts;

use super::Budget;
use super::band::Band;
use super::groups::{self, Workers};
use crate::model::Problem;
use crate::objective::Balance;
use crate::units::Share;

/// A lower bound of the load distance within the budget of restarts: of all resources the largest.
pub fn bound(problem: &Problem) -> Share {
    let others = problem.resources.iter().map(|resource| of_load(&problem.seen_by(resource)));
    others.fold(of_load(problem), Share::max)
}

/// The bound of the load alone.
fn of_load(problem: &Problem) -> Share {
    let facts = Facts::of(problem);
    let present = Balance::of(problem, &problem.present);
    let restarts = problem.limits.restarts as usize;
    if restarts == 0 {
        return present.load_distance;
    }
    // The smallest distance nothing speaks against; what is possible stays possible at a larger one.
    let (mut low, mut high) = (-1, present.load_distance.0);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let band = Band::around(problem, present.mean, Share(middle));
        if demand::least_restarts(&facts, &band).is_some_and(|least| least <= restarts) {
            high = middle;
        } else {
            low = middle;
        }
    }
    if facts.is_of_single_executors() {
        return Share(high).max(groups::bound(&Workers::at_best(problem)));
    }
    Share(high)
}

/// A dearer lower bound between `bound` and the load distance of the best plan known, while the budget lasts; the same
/// bound where workers have more than one executor, which only the cheap one understands.
pub fn sharpen(problem: &Problem, bound: Share, best_known: Share, budget: &mut Budget) -> Share {
    if bound >= best_known || !Facts::of(problem).is_of_single_executors() {
        return bound;
    }
    groups::sharpen(&Workers::at_best(problem), bound, best_known, budget)
}

/// A lower bound of the restarts that a load distance costs; none when no number of restarts reaches it.
pub fn restarts_needed(problem: &Problem, distance: Share) -> Option<usize> {
    let mut needed = needed_for_load(problem, distance)?;
    for resource in &problem.resources {
        needed = needed.max(needed_for_load(&problem.seen_by(resource), distance)?);
    }
    Some(needed)
}

fn needed_for_load(problem: &Problem, distance: Share) -> Option<usize> {
    let facts = Facts::of(problem);
    let mean = Balance::of(problem, &problem.present).mean;
    let needed = demand::least_restarts(&facts, &Band::around(problem, mean, distance))?;
    if facts.is_of_single_executors() {
        let moves = groups::moves_needed(&Workers::at_best(problem), distance)?;
        return Some(needed.max(usize::try_from(moves).unwrap_or(usize::MAX)));
    }
    Some(needed)
}
