//! Walks the prices up, and the distance with them.

use super::model::Model;
use crate::solve::Budget;
use crate::units::Share;

/// Parts of the cost charged for leaving at first.
const PARTS: [f64; 5] = [0.5, 0.25, 0.75, 0.0, 1.0];

/// How much of the pace stays after steps without progress.
const SLOWER: f64 = 0.7;

/// Steps without progress after which the pace falls, and how often it falls before a distance is given up.
const PATIENCE: usize = 10;
const FALLS: usize = 3;

/// How much of the last direction is kept. Most groups are alike, so that one subgradient says next to nothing.
const MOMENTUM: f64 = 0.9;

/// Where the steps aim, in parts of the budget: a little beyond it.
const AIM: f64 = 1.02;

/// Parts of the distance between the bound and the best known that are told apart.
const FINE: i64 = 256;

/// The search for prices that rule out more.
pub(super) struct Ascent<'f> {
    model: Model<'f>,
    /// Share of Polyak's step that is taken at first.
    pace: f64,
    /// A lower bound: all distances below it are ruled out.
    pub(super) bound: Share,
    /// Prices that ruled out most so far; those of the start when they ruled out nothing.
    pub(super) proved: Vec<f64>,
    best_known: Share,
    slope: Vec<f64>,
}

/// How an attempt to rule out a distance ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attempt {
    RuledOut,
    Failed,
    Stopped,
}

impl<'f> Ascent<'f> {
    pub(super) fn new(model: Model<'f>, pace: f64, bound: Share, best_known: Share) -> Self {
        Self { model, pace, bound, proved: Vec::new(), best_known, slope: Vec::new() }
    }

    /// Charges that part of the costs for leaving that says most a little above the bound.
    pub(super) fn start(&mut self, budget: &mut Budget) {
        let distance = Share(self.bound.0 + (self.best_known - self.bound).0 / 4);
        let mut best = (f64::NEG_INFINITY, PARTS[0]);
        for part in PARTS {
            if !budget.step() {
                break;
            }
            self.model.divide(distance, part);
            let cost = self.model.cost_of(distance, &mut self.slope);
            if cost > best.0 {
                best = (cost, part);
            }
        }
        self.model.divide(distance, best.1);
        self.proved.clone_from(&self.model.leaving);
    }

    /// Goes on from prices found on another grid.
    pub(super) fn resume(&mut self, prices: Vec<f64>, budget: &mut Budget) {
        self.model.leaving.clone_from(&prices);
        self.proved = prices;
        if budget.step() && self.model.cost_of(self.bound, &mut self.slope) > self.model.budget {
            self.rule_out(self.bound);
        }
    }

    /// Tries distances between what is ruled out and what could not be, nearer to the former: failing takes longest.
    pub(super) fn run(&mut self, budget: &mut Budget) {
        let mut open = self.best_known;
        let fine = Share(((open - self.bound).0 / FINE).max(1));
        while open - self.bound > fine {
            let distance = Share(self.bound.0 + (open - self.bound).0 / 3);
            match self.attempt(distance, budget) {
                Attempt::RuledOut => self.rule_out(distance),
                Attempt::Failed => open = distance,
                Attempt::Stopped => return,
            }
        }
    }

    /// Subgradient steps from the present prices until they rule a distance out.
    fn attempt(&mut self, distance: Share, budget: &mut Budget) -> Attempt {
        let (mut most, mut pace, mut idle, mut falls) = (f64::NEG_INFINITY, self.pace, 0, 0);
        let mut direction = vec![0.0; self.model.leaving.len()];
        while budget.step() {
            let cost = self.model.cost_of(distance, &mut self.slope);
            if cost > self.model.budget {
                return Attempt::RuledOut;
            }
            idle += 1;
            if cost > most {
                (most, idle) = (cost, 0);
            }
            if idle == PATIENCE {
                (idle, falls, pace) = (0, falls + 1, pace * SLOWER);
            }
            let square: f64 = self.slope.iter().map(|slope| slope * slope).sum();
            if falls > FALLS || square == 0.0 {
                return Attempt::Failed;
            }
            let step = pace * (self.model.budget * AIM - cost) / square;
            let each = self.model.leaving.iter_mut().zip(&mut direction).zip(&self.slope);
            for ((price, direction), slope) in each {
                *direction = MOMENTUM * *direction + slope;
                *price += step * *direction;
            }
        }
        Attempt::Stopped
    }

    /// Moves the bound beyond a distance that the present prices rule out, as far as they do.
    fn rule_out(&mut self, distance: Share) {
        let (mut out, mut open) = (distance.0, self.best_known.0);
        while open - out > 1 {
            let middle = out + (open - out) / 2;
            if self.model.cost_of_wider(Share(middle)) > self.model.budget {
                out = middle;
            } else {
                open = middle;
            }
        }
        self.bound = Share(open);
        self.proved.clone_from(&self.model.leaving);
    }
}
