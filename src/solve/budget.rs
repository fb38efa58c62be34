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
    fn no_time_means_no_step() {
        let mut budget = Budget::new(3, Duration::ZERO);
        assert!(!budget.step());
        assert_eq!((budget.steps_done(), budget.spent()), (0, StoppedBy::Time));
    }
}
