//! The strategy `search`: threshold greedy aimed at the lower bound, then ruin and recreate; where every worker is one
//! executor, the search of [`super::groups`].
//!
//! Goals in their order ([`score::Score`]): overload, load distance down to `load.distance.max`, drained load, the
//! distances beyond the limit by leximax, workers asked for and not open, and then the fewest restarts and the least
//! state to be read again, or the least price of both.

mod deal;
mod field;
mod grow;
mod lighten;
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
use super::groups::{self, Workers};
use super::{Budget, Failed, Outcome, Strategy, restarts_needed};
use crate::model::{NodeIx, Placement, Problem, Slot};
use crate::objective::{Migration, distance};
use crate::units::{Load, Share};
use crate::wire::StoppedBy;

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
        let workers = Workers::of(problem);
        // Where every worker is one executor there is nothing to deal: it is the papers' problem.
        if field.is_of_single_executors() {
            let hosts = groups::solve(&workers.instance, bound, budget);
            let placement = workers.placement(problem, &hosts);
            return Ok(Outcome { placement, stopped_by: budget.spent(), notes: Vec::new() });
        }
        let mut plan = Plan::new(&field, bound);
        let hosts = budget.part(WHOLE, |budget| groups::solve(&workers.instance, bound, budget));
        plan.relocate(&workers, &hosts);
        let best = plan.seek(budget);
        Ok(Outcome { placement: ports::placement(&best), stopped_by: budget.spent(), notes: Vec::new() })
    }
}

/// Seed of every search: the same request gives the same plan.
const SEED: u64 = 0x0ba1_1a57;

/// What plans of whole workers alone may spend, in sixteenths.
const WHOLE: u32 = 2;

/// How far above the aim the greedy is tried, in parts per thousand of it.
const ABOVE: [i64; 7] = [0, 1, 3, 10, 30, 100, 300];

/// Rounds of ruin and recreate without progress after which an aim is given up.
const PATIENCE: usize = 2_000;

/// The placement that sends whole workers, named by their slots, to nodes; the present one if that is no worse, none if
/// slots, memory, restarts or the state that may be read again do not suffice.
pub(super) fn relocated(problem: &Problem, chosen: &[(Slot, NodeIx)]) -> Option<Placement> {
    let field = Field::of(problem);
    let present = State::present(&field);
    let mut state = present.clone();
    if !send_all(&mut state, chosen)
        || state.dirty > field.restarts
        || state.bytes_left() < 0
        || !(0..field.pieces.len() as u32).all(|worker| !state.is_dirty(worker) || state.is_sound(worker))
        || state.is_crowded()
    {
        return None;
    }
    Some(ports::placement(if Score::of(&state) < Score::of(&present) { &state } else { &present }))
}

/// Sends workers, named by their slots, to nodes; false when one of them is none that may move.
fn send_all(state: &mut State, chosen: &[(Slot, NodeIx)]) -> bool {
    let pieces = &state.field.pieces;
    let running = &pieces[..pieces.partition_point(|piece| piece.home.is_some())];
    chosen.iter().all(|(slot, node)| {
        let found = running.binary_search_by_key(slot, |piece| piece.home.expect("it runs"));
        if let Ok(worker) = found
            && slot.node != *node
        {
            state.send(worker as u32, node.at() as u32);
        }
        found.is_ok()
    })
}

/// Stages of leximax: nodes pinned or brought nearer.
const LEVELS: usize = 24;

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

    /// Begins with a plan of whole workers, if it is better than to stay.
    fn relocate(&mut self, workers: &Workers, hosts: &[u32]) {
        let mut state = self.best.clone();
        if send_all(&mut state, &workers.chosen(hosts)) {
            self.offer(&state);
        }
    }

    /// Keeps a state if it is better than the best so far.
    fn offer(&mut self, state: &State<'f>) -> bool {
        debug_assert!(state.dirty <= self.field.restarts, "a search keeps within its restarts");
        debug_assert!(agrees(state), "sums kept up to date are those counted anew");
        let score = Score::of(state);
        let better = state.bytes_left() >= 0 && score < self.score;
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
            if left == 0 || budget.spent() != StoppedBy::Done {
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
            ruin.run(&mut state, PATIENCE, budget);
            // A band is of CPU alone; another resource may be what holds the load distance.
            if !self.offer(&state) {
                break;
            }
        }
    }

    /// Leximax: nodes that cannot come nearer are pinned where they are, the farthest of the others is brought nearer.
    fn level(&mut self, budget: &mut Budget) {
        let problem = self.field.problem;
        let limit = problem.limits.distance_max;
        let mut pinned = 1;
        for _ in 0..LEVELS {
            // Without steps each stage would still set up bands and states, for nothing.
            if budget.spent() != StoppedBy::Done {
                break;
            }
            let Some(farthest) = self.score.distances.get(pinned).copied().filter(|d| *d > limit) else {
                break;
            };
            let held = self.score.distances[pinned - 1];
            let outer = self.band(held);
            let nearer =
                [limit, limit + Share((farthest - limit).0 / 2), Share(farthest.0 - farthest.0 / 16 - 1)];
            let reached = nearer.into_iter().any(|aim| {
                let mut band = self.band(aim.max(limit));
                for (node, load) in self.best.load.iter().enumerate() {
                    if outer.violation(node, *load) > 0 || self.distance(node) >= held {
                        (band.low[node], band.high[node]) =
                            (band.low[node].min(*load), band.high[node].max(*load));
                    }
                }
                let mut state = self.best.clone();
                self.greedy(&mut state, &band, 0, budget) == 0 && self.offer(&state)
            });
            pinned += usize::from(!reached);
        }
    }

    /// Distance of a node of the best state from the mean.
    fn distance(&self, node: usize) -> Share {
        let info = &self.field.problem.nodes[node];
        if !info.state.listed() {
            return Share::ZERO;
        }
        distance(info.state, Load(self.best.load[node]).over(info.capacity), self.field.mean)
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
            let least_cut = problem.limits.gain_min.of(mean_capacity(problem)).0;
            self.greedy(&mut state, &band, least_cut, budget);
            self.offer(&state);
            // With restarts to spend: dealing anew among what restarts anyway takes long and gains next to nothing.
            if self.best.dirty < self.field.restarts {
                self.level(budget);
            }
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
        lighten::lighten(&mut state, budget);
        self.offer(&state);
        state.become_like(&self.best);
        // Last, since polishing would give executors of the opened workers back.
        grow::grow(&mut state, self.field.restarts);
        self.offer(&state);
    }
}

/// Whether the sums of a state are what the objective's terms count of its placement. A restart may be counted too
/// much where two workers of a topology end as each other.
fn agrees(state: &State) -> bool {
    let problem = state.field.problem;
    let placement = ports::placement(state);
    let price = Migration::between(problem, &problem.present, &placement);
    let loads = placement.node_loads(problem);
    loads.iter().map(|load| load.0).eq(state.load.iter().copied())
        && price.restarts <= state.dirty
        && price.shipped.unwrap_or_default().0 <= state.shipped
}

/// Capacity of the average listed node.
fn mean_capacity(problem: &Problem) -> Load {
    let listed: Vec<Load> =
        problem.nodes.iter().filter(|node| node.state.listed()).map(|node| node.capacity).collect();
    let count = listed.len().max(1) as i64;
    Load(listed.into_iter().sum::<Load>().0 / count)
}
