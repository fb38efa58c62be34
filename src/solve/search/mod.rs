//! The strategy `search`: threshold greedy aimed at the lower bound, then ruin and recreate.
//!
//! Goals in their order ([`score::Score`]): overload, load distance down to `load.distance.max`, drained load, the
//! distances beyond the limit by leximax, workers asked for and not open, and then the fewest restarts.

mod deal;
mod field;
mod grow;
mod moves;
mod polish;
mod ports;
mod repair;
mod ruin;
mod score;
mod state;

use field::Field;
use repair::Repair;
use ruin::Ruin;
use score::Score;
use state::State;

use super::band::Band;
use super::{Budget, Failed, Outcome, Strategy, restarts_needed};
use crate::model::Problem;
use crate::units::Share;

pub(super) struct Search;

impl Strategy for Search {
    fn name(&self) -> &'static str {
        "search"
    }

    fn about(&self) -> &'static str {
        "threshold greedy aimed at the lower bound, then ruin and recreate on the restarted workers"
    }

    fn solve(&self, problem: &Problem, bound: Share, budget: &mut Budget) -> Result<Outcome, Failed> {
        let field = Field::of(problem);
        if field.is_stuck() {
            return Ok(Outcome::unchanged(problem));
        }
        let best = Plan::new(&field, bound).seek(budget);
        Ok(Outcome { placement: ports::placement(&best), stopped_by: budget.spent(), notes: Vec::new() })
    }
}

/// Seed of every search: the same request gives the same plan.
const SEED: u64 = 0x0ba1_1a57;

/// How far above the aim the greedy is tried, in parts per thousand of it.
const ABOVE: [i64; 7] = [0, 1, 3, 10, 30, 100, 300];

/// Rounds of ruin and recreate without progress after which an aim is given up.
const PATIENCE: usize = 2_000;

struct Plan<'f> {
    field: &'f Field<'f>,
    /// No plan can do better, and none has to.
    aim: Share,
    random: fastrand::Rng,
    best: State<'f>,
    score: Score,
}

impl<'f> Plan<'f> {
    fn new(field: &'f Field<'f>, bound: Share) -> Self {
        let best = State::present(field);
        let score = Score::of(&best);
        let aim = bound.max(field.problem.limits.distance_max);
        Self { field, aim, random: fastrand::Rng::with_seed(SEED), best, score }
    }

    fn seek(mut self, budget: &mut Budget) -> State<'f> {
        self.construct(budget);
        self.improve(budget);
        self.save_restarts(budget);
        self.go_on(budget);
        self.best
    }

    /// Keeps a state if it is better than the best so far.
    fn offer(&mut self, state: &State<'f>) -> bool {
        debug_assert!(state.dirty <= self.field.restarts, "a search keeps within its restarts");
        let score = Score::of(state);
        let better = score < self.score;
        if better {
            self.score = score;
            self.best.become_like(state);
        }
        better
    }

    /// The band of a distance; no band asks for more overload than there must be.
    fn band(&self, distance: Share) -> Band {
        let problem = self.field.problem;
        let mut band = Band::around(problem, self.field.mean, distance);
        if self.field.mean <= problem.limits.overload {
            band.cap_at_overload(problem);
        }
        band
    }

    fn greedy(&mut self, state: &mut State<'f>, band: &Band, least_cut: i64, budget: &mut Budget) -> i64 {
        Repair { band, restarts: self.field.restarts, noise: None, least_cut }.run(state, budget)
    }

    /// The greedy at the aim and above it, from the present placement.
    fn construct(&mut self, budget: &mut Budget) {
        let drains = self.score.drained > 0;
        for per_thousand in ABOVE {
            let distance = Share(self.aim.0 + self.aim.0 / 1000 * per_thousand);
            let mut band = self.band(distance);
            let mut state = State::present(self.field);
            let left = self.greedy(&mut state, &band, 0, budget);
            self.offer(&state);
            if drains {
                band.drain(self.field.problem);
                self.greedy(&mut state, &band, 0, budget);
                self.offer(&state);
                let mut state = State::present(self.field);
                self.greedy(&mut state, &band, 0, budget);
                self.offer(&state);
            }
            if left == 0 {
                break;
            }
        }
        if self.score.overload > Share::ZERO {
            let band = Band::below_overload(self.field.problem);
            let mut state = State::present(self.field);
            self.greedy(&mut state, &band, 0, budget);
            self.offer(&state);
        }
    }

    /// Walks the load distance down, one per cent of the best a time, until the aim is met or nothing is gained.
    fn improve(&mut self, budget: &mut Budget) {
        while self.score.load_distance() > self.aim {
            let distance = self.score.load_distance();
            let next = Share((distance.0 - distance.0 / 100 - 1).max(self.aim.0));
            let band = self.band(next);
            let mut state = self.best.clone();
            let mut ruin = Ruin { band: &band, restarts: self.field.restarts, random: &mut self.random };
            let left = ruin.run(&mut state, PATIENCE, budget);
            let better = self.offer(&state);
            if left > 0 && !better {
                break;
            }
        }
    }

    /// The same distance with fewer restarts, while one can be spared.
    fn save_restarts(&mut self, budget: &mut Budget) {
        let limit = self.field.problem.limits.distance_max;
        if self.score.load_distance() > limit || self.score.overload > Share::ZERO || self.score.drained > 0 {
            return;
        }
        let needed = restarts_needed(self.field.problem, limit).unwrap_or(0);
        while self.best.dirty > needed {
            let band = self.band(limit);
            let mut state = self.best.clone();
            let restarts = self.best.dirty - 1;
            let mut ruin = Ruin { band: &band, restarts, random: &mut self.random };
            if ruin.run(&mut state, PATIENCE, budget) > 0 || !self.offer(&state) {
                break;
            }
        }
    }

    /// What the first goal leaves of the restarts goes to the later ones.
    fn go_on(&mut self, budget: &mut Budget) {
        let problem = self.field.problem;
        let limit = problem.limits.distance_max;
        let reached = self.score.load_distance();
        let mut band = self.band(limit);
        let mut state = self.best.clone();
        if reached > limit {
            self.greedy(&mut state, &band, 0, budget);
            self.offer(&state);
            state.become_like(&self.best);
        }
        if self.score.drained > 0 {
            band = self.band(reached.max(limit));
            band.drain(problem);
            self.greedy(&mut state, &band, 0, budget);
            self.offer(&state);
            state.become_like(&self.best);
        }
        polish::polish(&mut state, budget);
        self.offer(&state);
        state.become_like(&self.best);
        // Last, since polishing would give executors of the opened workers back.
        grow::grow(&mut state, self.field.restarts);
        self.offer(&state);
    }
}
