//! One chain of annealing, from hot to cold.

use super::Search;
use super::anneal::Anneal;
use super::bands::Bands;
use crate::solve::Budget;
use crate::units::Share;

/// Halvings of the heat in a chain.
const HALVINGS: i64 = 10;

/// Hosts from which on only every so many steps of a chain are looked at.
const MANY: usize = 256;
const LOOKS: i64 = 16;

/// What a chain works towards.
pub(super) enum Aim {
    /// A load distance below the best one by so many parts of the gap in 16, and on to the next once it is reached.
    Nearer(i64),
    /// These bands.
    Bands(Bands),
}

/// How hot a chain begins, the worsening in millionths of a core let through about every second time, and how long it is
/// in steps of the budget.
#[derive(Debug, Clone, Copy)]
pub(super) struct Course {
    pub(super) heat: i64,
    pub(super) steps: i64,
}

impl Search<'_> {
    /// Runs a chain from the state as it is; true when it found a better plan.
    pub(super) fn chain(&mut self, aim: &Aim, course: Course, budget: &mut Budget) -> bool {
        let bands = match aim {
            Aim::Nearer(part) => Bands::around(self.field, self.nearer(*part)),
            Aim::Bands(bands) => bands.clone(),
        };
        let mut anneal = Anneal::new(&self.state, bands, self.random.fork());
        let (mut better, mut least) = (false, anneal.left);
        for step in 0..course.steps {
            if !budget.step() {
                break;
            }
            anneal.step(&mut self.state, cooled(course, step));
            // On many hosts looking at a plan as a whole takes longer than a step.
            let looks = anneal.left == 0 || step % LOOKS == 0 || self.state.load.len() < MANY;
            if anneal.left < least && looks {
                least = anneal.left;
                better |= self.offer();
            }
            match aim {
                _ if anneal.left > 0 => {}
                Aim::Nearer(part) if !self.is_close() => {
                    anneal.aim(&self.state, Bands::around(self.field, self.nearer(*part)));
                    least = anneal.left;
                }
                _ => return better,
            }
        }
        better
    }

    /// A distance below the best one, by parts of the gap in 16.
    fn nearer(&self, part: i64) -> Share {
        let reached = self.score.load_distance.0;
        Share((self.aim.0 + (reached - self.aim.0) * part / 16).min(reached - 1).max(0))
    }
}

/// Geometric cooling by halves, straight in between.
fn cooled(course: Course, step: i64) -> i64 {
    let (halvings, part) = (step * HALVINGS / course.steps, step * HALVINGS % course.steps);
    let heat = course.heat >> halvings;
    heat - heat / 2 * part / course.steps
}
