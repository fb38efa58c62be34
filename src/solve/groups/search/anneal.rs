//! Annealing on what lies outside the bands: what closes the gap that the greedy leaves.
//!
//! Both budgets are hard: a proposal that would overspend takes groups back home along with it. Acceptance draws from
//! integers only, so that every machine takes the same path.

use super::bands::Bands;
use super::field::NONE;
use super::propose::{Proposal, Propose};
use super::state::State;

/// Proposals that make one step of the budget.
const PROPOSALS: usize = 256;

/// A walk at one set of bands; how hot it is, is said step by step.
pub(super) struct Anneal {
    bands: Bands,
    random: fastrand::Rng,
    /// Rows outside their bands, in no order that matters, and the position of each in that list.
    outside: Vec<u32>,
    position: Vec<u32>,
    /// What all hosts together have outside their bands, by its price.
    pub(super) left: i64,
}

impl Anneal {
    /// A walk that starts where a state is.
    pub(super) fn new(state: &State, bands: Bands, random: fastrand::Rng) -> Self {
        let position = vec![NONE; state.load.len()];
        let mut anneal = Self { bands, random, outside: Vec::new(), position, left: 0 };
        anneal.count(state);
        anneal
    }

    /// Goes on at other bands.
    pub(super) fn aim(&mut self, state: &State, bands: Bands) {
        self.bands = bands;
        self.count(state);
    }

    fn count(&mut self, state: &State) {
        self.left = self.bands.violation(state);
        self.outside.clear();
        self.position.fill(NONE);
        for row in 0..state.load.len() {
            self.note(state, row);
        }
    }

    /// Makes proposals at one heat, the worsening in millionths of a core let through about every second time, until
    /// nothing is outside the bands.
    pub(super) fn step(&mut self, state: &mut State, heat: i64) {
        for _ in 0..PROPOSALS {
            if self.left == 0 {
                return;
            }
            let propose = Propose { state, bands: &self.bands, outside: &self.outside };
            let Some(proposal) = propose.draw(&mut self.random) else { continue };
            let Some(change) = proposal.change(state, &self.bands) else { continue };
            if change > 0 && change > luck(&mut self.random, heat) {
                continue;
            }
            self.carry_out(state, &proposal);
            self.left += change;
        }
        debug_assert_eq!(self.left, self.bands.violation(state), "changes add up to what is counted anew");
    }

    fn carry_out(&mut self, state: &mut State, proposal: &Proposal) {
        for (group, to) in proposal.sends() {
            let from = state.host[*group as usize];
            state.send(*group, *to);
            for row in state.field.rows_of(from).chain(state.field.rows_of(*to)) {
                self.note(state, row);
            }
        }
    }

    /// Keeps the list of rows outside their bands true for one of them.
    fn note(&mut self, state: &State, at: usize) {
        let is_outside = self.bands.0[at].violation(state.load[at]) > 0;
        match (is_outside, self.position[at]) {
            (true, NONE) => {
                self.position[at] = self.outside.len() as u32;
                self.outside.push(at as u32);
            }
            (false, position) if position != NONE => {
                self.outside.swap_remove(position as usize);
                if let Some(last) = self.outside.get(position as usize) {
                    self.position[*last as usize] = position;
                }
                self.position[at] = NONE;
            }
            _ => {}
        }
    }
}

/// How much worse may be let through: the heat times minus the logarithm to base 2 of a chance, in straight pieces.
pub(super) fn luck(random: &mut fastrand::Rng, heat: i64) -> i64 {
    let chance = random.u32(1..);
    let zeros = chance.leading_zeros();
    let rest = (chance << zeros << 1) >> 16;
    (heat * ((i64::from(zeros + 1) << 16) - i64::from(rest))) >> 16
}
