//! Time is counted in steps; the clock only cuts. Two runs with the same steps give the same plan.

use std::time::{Duration, Instant};

use crate::wire::StoppedBy;

/// Steps and time a strategy may spend.
#[derive(Debug)]
pub struct Budget {
    steps_left: u64,
    steps_done: u64,
    deadline: Instant,
    late: bool,
}

impl Budget {
    /// A budget that starts now.
    pub fn new(steps: u64, time: Duration) -> Self {
        Self { steps_left: steps, steps_done: 0, deadline: Instant::now() + time, late: false }
    }

    /// Takes one step; false when steps or time are spent.
    pub fn step(&mut self) -> bool {
        // A look at the clock costs nothing beside a step, which takes milliseconds on a large cluster.
        self.late = self.late || Instant::now() >= self.deadline;
        if self.late || self.steps_left == 0 {
            return false;
        }
        self.steps_left -= 1;
        self.steps_done += 1;
        true
    }

    /// Lets a part of a search spend so many sixteenths of what is left, so that something is left for the next part.
    pub fn part<T>(&mut self, sixteenths: u32, spend: impl FnOnce(&mut Self) -> T) -> T {
        let steps = (u128::from(self.steps_left) * u128::from(sixteenths) / 16) as u64;
        let mut part = Self::new(steps, self.time_left() * sixteenths / 16);
        let spent = spend(&mut part);
        self.steps_left -= part.steps_done;
        self.steps_done += part.steps_done;
        spent
    }

    /// Steps taken so far.
    pub fn steps_done(&self) -> u64 {
        self.steps_done
    }

    /// Time until the deadline.
    pub fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Which of the two ended it; `Done` when neither did.
    pub fn spent(&self) -> StoppedBy {
        match (self.late, self.steps_left) {
            (true, _) => StoppedBy::Time,
            (false, 0) => StoppedBy::Steps,
            _ => StoppedBy::Done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_it_before_the_clock_does() {
        let mut budget = Budget::new(3, Duration::from_secs(3600));
        while budget.step() {}
        assert_eq!((budget.steps_done(), budget.spent()), (3, StoppedBy::Steps));
    }

    #[test]
    fn a_part_spends_its_share_and_leaves_the_rest() {
        let mut budget = Budget::new(32, Duration::from_secs(3600));
        budget.part(12, |part| while part.step() {});
        assert_eq!((budget.steps_done(), budget.spent()), (24, StoppedBy::Done));
        while budget.step() {}
        assert_eq!(budget.steps_done(), 32);
    }

    #[test]
    fn no_time_means_no_step() {
        let mut budget = Budget::new(3, Duration::ZERO);
        assert!(!budget.step());
        assert_eq!((budget.steps_done(), budget.spent()), (0, StoppedBy::Time));
    }
}
