//! The search for the papers' balance problem: threshold greedy aimed at the lower bound.
//!
//! Goals in their order ([`score::Score`]): overload, load distance down to the target, drained load, the distances
//! beyond the target by leximax, and then the fewest moves and bytes.

mod bands;
mod field;
mod greedy;
mod score;
mod shed;
mod state;

use bands::Bands;
use field::Field;
use greedy::Greedy;
use score::Score;
use shed::Last;
use state::{Send, State};

use super::Instance;
use crate::solve::Budget;
use crate::units::Share;
use crate::wire::StoppedBy;

/// How far above the aim the greedy is tried, in parts per thousand of it.
const ABOVE: [i64; 7] = [0, 1, 3, 10, 30, 100, 300];

/// Looks for the best plan: a host for every group, never worse than staying and always within both budgets.
///
/// No plan can have a load distance below the bound, so that the search for a smaller one ends there.
pub fn solve(instance: &Instance, bound: Share, budget: &mut Budget) -> Vec<u32> {
    let field = Field::of(instance);
    if field.is_stuck() {
        return instance.home.clone();
    }
    Search::new(&field, bound).run(budget)
}

struct Search<'f> {
    field: &'f Field<'f>,
    /// No plan can do better, and none has to.
    aim: Share,
    /// Where things are tried.
    state: State<'f>,
    best: Vec<Send>,
    score: Score,
}

impl<'f> Search<'f> {
    fn new(field: &'f Field<'f>, bound: Share) -> Self {
        let state = State::at_home(field);
        let score = Score::of(&state);
        Self { field, aim: bound.max(field.instance.target), state, best: Vec::new(), score }
    }

    fn run(mut self, budget: &mut Budget) -> Vec<u32> {
        self.construct(budget);
        self.state.become_like(&self.best);
        self.state.host
    }

    /// Keeps the state as it is if it is better than the best so far.
    fn offer(&mut self) -> bool {
        debug_assert!(self.state.moves <= self.field.instance.budget_moves, "the budget is hard");
        let score = Score::of(&self.state);
        let better = score < self.score;
        if better {
            self.score = score;
            self.best = self.state.plan();
        }
        better
    }

    /// The greedy at the aim and above it, from home.
    fn construct(&mut self, budget: &mut Budget) {
        let drains = self.score.drained > 0;
        for per_thousand in ABOVE {
            let distance = Share(self.aim.0 + self.aim.0 / 1000 * per_thousand);
            let mut bands = Bands::around(self.field, distance);
            let mut left = i64::MAX;
            for last in [Last::Largest, Last::Smallest] {
                left = left.min(self.greedy(&bands, last, budget));
                if left == 0 {
                    break;
                }
            }
            if drains {
                bands.drain(self.field);
                self.greedy(&bands, Last::Smallest, budget);
            }
            if left == 0 || budget.spent() != StoppedBy::Done {
                break;
            }
        }
        if self.score.overload > Share::ZERO {
            let bands = Bands::below_overload(self.field);
            self.greedy(&bands, Last::Smallest, budget);
        }
    }

    /// One greedy pass from home; returned is what it left outside the bands.
    fn greedy(&mut self, bands: &Bands, last: Last, budget: &mut Budget) -> i64 {
        self.state.become_like(&[]);
        Greedy { bands, last }.run(&mut self.state, budget);
        self.offer();
        bands.violation(&self.state)
    }
}
