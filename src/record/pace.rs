//! When the UI is read.

use std::time::Duration;

/// Longest pause after errors, unless readings are further apart anyway.
const PAUSE_MAX: Duration = Duration::from_secs(300);

/// When to read, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// From the beginning of one reading to that of the next.
    pub every: Duration,
    /// No reading begins later than this after the first one; none: until stopped.
    pub lasts: Option<Duration>,
    /// One reading, which has to succeed.
    pub once: bool,
}

impl Pace {
    /// Pause after a reading that took so long: the UI is never asked more than half of the time.
    pub(super) fn after(&self, took: Duration) -> Duration {
        self.every.saturating_sub(took).max(took)
    }

    /// Whether a reading so long after the first one would come too late; a tenth of a pause is none.
    pub(super) fn is_over(&self, begins: Duration) -> bool {
        self.lasts.is_some_and(|lasts| begins > lasts + self.every / 10)
    }

    /// Pause after so many readings in a row that failed: it doubles.
    pub(super) fn after_failures(&self, failures: u32) -> Duration {
        let pause = self.every.saturating_mul(1u32.checked_shl(failures).unwrap_or(u32::MAX).max(1));
        pause.min(PAUSE_MAX.max(self.every))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: Pace = Pace { every: Duration::from_secs(60), lasts: None, once: false };

    #[test]
    fn no_more_than_half_of_the_time_is_spent_asking() {
        assert_eq!(EVERY.after(Duration::from_secs(5)), Duration::from_secs(55));
        assert_eq!(EVERY.after(Duration::from_secs(45)), Duration::from_secs(45));
    }

    #[test]
    fn two_hours_of_minutes_are_121_readings() {
        let lasting = Pace { lasts: Some(Duration::from_secs(7200)), ..EVERY };
        assert!(!lasting.is_over(Duration::from_millis(7_200_900)));
        assert!(lasting.is_over(Duration::from_secs(7260)));
        assert!(!EVERY.is_over(Duration::MAX));
    }

    #[test]
    fn errors_make_it_ask_less_often() {
        let pauses: Vec<u64> = (1..=5).map(|n| EVERY.after_failures(n).as_secs()).collect();
        assert_eq!(pauses, [120, 240, 300, 300, 300]);
        assert_eq!(EVERY.after_failures(u32::MAX), PAUSE_MAX);
        let hourly = Pace { every: Duration::from_secs(3600), ..EVERY };
        assert_eq!(hourly.after_failures(3).as_secs(), 3600);
    }
}
