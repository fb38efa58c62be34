//! The search for the papers' balance problem: threshold greedy aimed at the lower bound.
//!
//! Goals in their order ([`score::Score`]): overload, load distance down to the target, drained load, the distances
//! beyond the target by leximax, and then the fewest moves and bytes.

mod anneal;
mod bands;
mod field;
mod greedy;
mod propose;
mod score;
mod shed;
mod state;

use anneal::Anneal;
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

/// Seed of every search: the same instance gives the same plan.
const SEED: u64 = 0x0ba1_1a57;

/// Where in the gap between aim and best a chain aims, in 16 parts.
const PARTS: [i64; 3] = [15, 8, 0];

/// Chains without progress after which annealing is given up, and the steps of the first of them.
const CHAINS: usize = 150;
const CHAIN: i64 = 100;

/// Halvings of the heat in a chain.
const HALVINGS: i64 = 10;

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
        self.close(budget);
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

    /// Chains of annealing while the gap is open: cool ones first, since most gaps are small, but only heat of the size
    /// of the largest group crosses all hills.
    fn close(&mut self, budget: &mut Budget) {
        let (average, largest) = (self.field.average, self.field.largest);
        let heats = [average / 4, average, average / 16, largest / 2, 2 * largest];
        let mut idle = 0;
        while self.score.load_distance > self.aim && idle < CHAINS && budget.spent() == StoppedBy::Done {
            let part = PARTS[idle % PARTS.len()];
            let heat = heats[idle / PARTS.len() % heats.len()];
            let steps = CHAIN << (idle / (PARTS.len() * heats.len())).min(8);
            idle = if self.chain(part, heat, steps, budget) { 0 } else { idle + 1 };
        }
    }

    /// One chain from hot to cold; true when it found a better plan.
    fn chain(&mut self, part: i64, heat: i64, steps: i64, budget: &mut Budget) -> bool {
        self.state.become_like(&self.best);
        let bands = Bands::around(self.field, self.nearer(part));
        let mut anneal = Anneal::new(&self.state, bands, self.random.fork());
        let mut better = false;
        for step in 0..steps {
            if !budget.step() {
                break;
            }
            anneal.step(&mut self.state, cooled(heat, step, steps));
            if anneal.left == 0 {
                better |= self.offer();
                if self.score.load_distance <= self.aim {
                    return true;
                }
                let bands = Bands::around(self.field, self.nearer(part));
                anneal.aim(&self.state, bands);
            }
        }
        self.offer() || better
    }

    /// A distance below the best one, by parts of the gap in 16.
    fn nearer(&self, part: i64) -> Share {
        let reached = self.score.load_distance.0;
        Share((self.aim.0 + (reached - self.aim.0) * part / 16).min(reached - 1))
    }

    /// One greedy pass from home; returned is what it left outside the bands.
    fn greedy(&mut self, bands: &Bands, last: Last, budget: &mut Budget) -> i64 {
        self.state.become_like(&[]);
        Greedy { bands, last }.run(&mut self.state, budget);
        self.offer();
        bands.violation(&self.state)
    }
}

/// Geometric cooling by halves, straight in between.
fn cooled(heat: i64, step: i64, steps: i64) -> i64 {
    let (halvings, part) = (step * HALVINGS / steps, step * HALVINGS % steps);
    let heat = heat >> halvings;
    heat - heat / 2 * part / steps
}
