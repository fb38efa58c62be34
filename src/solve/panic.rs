//! Panics. Only in a library built with the feature `fault-injection`, to prove that the door survives it.

use super::{Budget, Failed, Outcome, Strategy};
use crate::model::Problem;
use crate::units::Share;

pub(super) struct Panic;

impl Strategy for Panic {
    fn name(&self) -> &'static str {
        "panic"
    }

    fn about(&self) -> &'static str {
        "panics, for the tests of the boundary"
    }

    fn solve(&self, _: &Problem, _: Share, _: &mut Budget) -> Result<Outcome, Failed> {
        panic!("as the strategy panic does")
    }
}
