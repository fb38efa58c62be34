//! The strategy `albic`: load balance and collocation together, under the budget.
//!
//! Madsen, Zhou, Cao: Integrative dynamic reconfiguration in a parallel stream processing engine (ICDE 2017), algorithm
//! ALBIC. Every statistics period: [`super::traffic`] tells by its score which pairs talk, [`keep`] has those that are on one node already move
//! as one, [`balance()`] solves the balance over these partitions and falls back to smaller ones where that leaves the
//! load distance above maxLD, [`gain`] pins the best of the other pairs together. A key group is a worker here: it is
//! what restarts, and a partition that already exists. Beyond the paper: estimated streams count too, a restart must
//! keep `gain.min` of all traffic from the network to be worth it, and where gaining pairs one by one gets no farther,
//! [`walk`] searches balance and traffic at once. Balance of executors inside workers is `search`'s, whose plan is one
//! of those that traffic is gained on.
//!
//! Goals in their order are those of [`worth`]. Where no traffic is known the plan is `search`'s.

mod balance;
mod gain;
mod keep;
#[cfg(test)]
mod tests;
mod walk;
mod worth;

use balance::balance;
use gain::{Scope, gain, most_gained};
use walk::walk;
use worth::Worth;

use super::search::Search;
use super::traffic::{Field, Sent, State};
use super::{Budget, Failed, Outcome, Strategy};
use crate::model::{Placement, Problem};
use crate::objective::{Balance, Gain, Migration};
use crate::units::{Share, Size};

pub(super) struct Albic;

/// Seed of every walk: the same request gives the same plan.
const SEED: u64 = 0xa1b1c;

impl Strategy for Albic {
    fn name(&self) -> &'static str {
        "albic"
    }

    fn about(&self) -> &'static str {
        "keeps and gains collocated pairs while it balances, maxLD first (ALBIC, ICDE 2017)"
    }

    fn solve(&self, problem: &Problem, bound: Share, budget: &mut Budget) -> Result<Outcome, Failed> {
        if problem.traffic.is_empty() {
            return Search.solve(problem, bound, budget);
        }
        let field = Field::of(problem);
        let mut plan = Plan::new(problem, field.least);
        if problem.limits.restarts == 0 {
            return Ok(Outcome::unchanged(problem));
        }
        if !plan.worth.is_calm(problem.limits.distance_max) {
            // Balance first, with steps and time of its own: what traffic takes must not be missing here.
            let found = budget.part(12, |part| Search.solve(problem, bound, part))?;
            plan.offer(found.placement.clone());
            budget.part(5, |part| plan.collocate_more(found.placement, part));
            let balanced = budget.part(5, |part| balance(&field, part));
            budget.part(8, |part| plan.collocate(&field, &balanced, part));
        }
        plan.collocate(&field, &[], budget);
        Ok(Outcome { placement: plan.chosen(), stopped_by: budget.spent(), notes: Vec::new() })
    }
}

/// The best plan so far.
struct Plan<'p> {
    problem: &'p Problem,
    least: i64,
    best: Placement,
    worth: Worth,
    /// The best of those that are not worth their restarts.
    too_dear: Option<(Worth, Placement)>,
}

impl<'p> Plan<'p> {
    fn new(problem: &'p Problem, least: i64) -> Self {
        let best = problem.present.clone();
        let worth = Worth::of(problem, &best, least);
        Self { problem, least, best, worth, too_dear: None }
    }

    /// Keeps a placement that is better than the best so far and within both budgets.
    fn offer(&mut self, placement: Placement) {
        let (problem, limits) = (self.problem, &self.problem.limits);
        let price = Migration::between(problem, &problem.present, &placement);
        let state = limits.state.is_none_or(|most| price.shipped.unwrap_or_default() <= most);
        if price.restarts > limits.restarts as usize || !state {
            return;
        }
        let worth = Worth::of(problem, &placement, self.least);
        if worth >= self.worth {
            return;
        }
        if Gain::of(problem, &placement).is_worth_it(problem) {
            (self.best, self.worth) = (placement, worth);
        } else if self.too_dear.as_ref().is_none_or(|(held, _)| worth < *held) {
            self.too_dear = Some((worth, placement));
        }
    }

    /// The best plan, or one that is too dear where there is no other, so that it can be said why nothing is done.
    fn chosen(self) -> Placement {
        match self.too_dear {
            Some((_, placement)) if self.best == self.problem.present => placement,
            _ => self.best,
        }
    }

    /// Gains traffic on top of a plan of whole workers.
    fn collocate(&mut self, field: &Field, plan: &[Sent], budget: &mut Budget) {
        let mut state = State::at_home(field);
        state.become_like(plan);
        improve(&mut state, budget);
        self.offer_for_traffic(field.placement(&state.host));
    }

    /// Gains traffic on top of a placement that dealt executors anew, with the restarts that are left. Workers that
    /// restart already go anywhere for nothing.
    fn collocate_more(&mut self, placement: Placement, budget: &mut Budget) {
        let spent = Migration::between(self.problem, &self.problem.present, &placement);
        let mut problem = self.problem.clone();
        let present = std::mem::replace(&mut problem.present, placement);
        let limits = &mut problem.limits;
        limits.restarts = limits.restarts.saturating_sub(spent.restarts as u32);
        limits.state = limits.state.map(|most| (most - spent.shipped.unwrap_or_default()).max(Size::ZERO));
        let mut field = Field::of(&problem);
        let same = |worker: &crate::model::Worker| {
            worker.executors.iter().all(|executor| present.slot(*executor) == Some(worker.slot))
        };
        let moves = field.workers.workers.iter().map(|worker| u32::from(same(worker)));
        field.workers.instance.moves = moves.collect();
        let mut state = State::at_home(&field);
        improve(&mut state, budget);
        let found = field.placement(&state.host);
        if Migration::between(self.problem, &present, &found).restarts
            <= self.problem.limits.restarts as usize
        {
            self.offer_for_traffic(found);
        }
    }

    /// A plan made for its traffic, which must be less than at present where the load distance is more: workers that it
    /// opens beside may have taken away again what it gained.
    fn offer_for_traffic(&mut self, placement: Placement) {
        let distance = |placement| Balance::of(self.problem, placement).load_distance;
        let farther = distance(&placement) > distance(&self.problem.present);
        if !farther || Gain::of(self.problem, &placement).kept > Share::ZERO {
            self.offer(placement);
        }
    }
}

/// ALBIC's gains, then all others, then the walk where something is left to gain.
fn improve(state: &mut State, budget: &mut Budget) {
    let (before, most) = (state.kept, most_gained(state));
    gain(state, Scope::Talking, budget);
    if state.violation == 0 && most.is_some_and(|most| state.kept - before >= most) {
        return;
    }
    gain(state, Scope::All, budget);
    walk(state, budget, &mut fastrand::Rng::with_seed(SEED));
    gain(state, Scope::All, budget);
}
