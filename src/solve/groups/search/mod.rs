//! The search for the papers' balance problem: threshold greedy aimed at the lower bound, then annealing.
//!
//! Goals in their order ([`score::Score`]): overload, load distance down to the target, drained load, the distances
//! beyond the target by leximax, and then the fewest moves and bytes, or the least price of both.

mod anneal;
mod bands;
mod chain;
mod cheapen;
mod close;
mod cover;
mod fewest;
mod field;
mod greedy;
mod later;
mod pairs;
mod propose;
mod score;
mod shed;
mod spare;
mod state;

use bands::Bands;
use chain::{Aim, Course};
use field::Field;
use greedy::Greedy;
use score::Score;
use shed::Last;
use state::{Send, State};

use super::Instance;
use crate::solve::Budget;
use crate::units::Share;
use crate::wire::StoppedBy;

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

/// Seed of every search: the same instance gives the same plan.
const SEED: u64 = 0x0ba1_1a57;

/// How far above the aim the greedy is tried, in parts per thousand of it.
const ABOVE: [i64; 7] = [0, 1, 3, 10, 30, 100, 300];

/// Steps of the chain that mends what a greedy pass of up to 64 moves left outside.
const MEND: i64 = 16;

struct Search<'f> {
    field: &'f Field<'f>,
    /// No plan can do better, and none has to.
    aim: Share,
    /// Where things are tried.
    state: State<'f>,
    best: Vec<Send>,
    score: Score,
    random: fastrand::Rng,
}

impl<'f> Search<'f> {
    fn new(field: &'f Field<'f>, bound: Share) -> Self {
        let state = State::at_home(field);
        let score = Score::of(&state);
        let (aim, random) = (bound.max(field.instance.target), fastrand::Rng::with_seed(SEED));
        Self { field, aim, state, best: Vec::new(), score, random }
    }

    fn run(mut self, budget: &mut Budget) -> Vec<u32> {
        self.construct(budget);
        // Later goals get their share of steps and time even where the gap stays open.
        budget.part(if self.score.drained > 0 { 8 } else { 14 }, |budget| {
            self.pair(budget);
            if self.aim == self.field.instance.target && self.field.instance.move_price.is_none() {
                self.reach_target(budget);
            }
            self.close(budget);
        });
        self.drain(budget);
        self.level(budget);
        self.spare(budget);
        self.cheapen(budget);
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
        if self.score.overload > Share::ZERO {
            let bands = Bands::below_overload(self.field);
            self.greedy(&bands, Last::Smallest, budget);
        }
        let mut distances = ABOVE.map(|above| Share(self.aim.0 + self.aim.0 / 1000 * above)).to_vec();
        // An aim of next to nothing is the same at every step above it.
        distances.dedup();
        for distance in distances {
            let bands = Bands::around(self.field, distance);
            let reached = [Last::Largest, Last::Smallest]
                .into_iter()
                .any(|last| self.greedy(&bands, last, budget) == 0 || self.mend(&bands, budget));
            if reached || budget.spent() != StoppedBy::Done {
                break;
            }
        }
    }

    /// A short cold chain on the hosts that the greedy left outside, if they are few; true when none is left.
    fn mend(&mut self, bands: &Bands, budget: &mut Budget) -> bool {
        let few = self.field.average * (4 + self.state.away.len() as i64 / 32);
        if bands.violation(&self.state) > few {
            return false;
        }
        let steps = (MEND * (1 + self.state.away.len() as i64 / 64)).min(self.steps(10 * MEND));
        let course = Course { heat: self.field.average / 64, steps };
        self.chain(&Aim::Bands(bands.clone()), course, budget);
        bands.violation(&self.state) == 0
    }

    /// One greedy pass from home; returned is what it left outside the bands.
    fn greedy(&mut self, bands: &Bands, last: Last, budget: &mut Budget) -> i64 {
        self.state.become_like(&[]);
        Greedy { bands, last }.run(&mut self.state, budget);
        self.offer();
        bands.violation(&self.state)
    }

    /// True when no plan can have a smaller load distance, or none has to.
    fn is_close(&self) -> bool {
        self.score.overload == Share::ZERO && self.score.load_distance <= self.aim
    }

    /// Steps of a chain that takes so many for 400 groups of which up to 64 move; with the plans they work on, chains
    /// grow and shrink.
    fn steps(&self, usual: i64) -> i64 {
        let groups = (self.field.instance.groups() as i64).min(400);
        (usual * groups / 400).max(4) * (1 + self.best.len() as i64 / 64)
    }
}
