//! No move at all: what every other strategy is measured against.

use super::{Budget, Failed, Outcome, Strategy};
use crate::model::Problem;
use crate::units::Share;

pub(super) struct Stay;

impl Strategy for Stay {
    fn name(&self) -> &'static str {
        "stay"
    }

    fn about(&self) -> &'static str {
        "moves nothing; the measure of all others"
    }

    fn solve(&self, problem: &Problem, _: Share, _: &mut Budget) -> Result<Outcome, Failed> {
        Ok(Outcome::unchanged(problem))
    }
}
