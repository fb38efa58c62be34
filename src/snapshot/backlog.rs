//! What waits before the spouts: how much of a topology's load is still to come.

use crate::units::Share;
use crate::wire::Backlog;

/// Arrivals may differ from what is taken by this much and more from one reading to the next without any lag.
const NOISE: f64 = 0.05;
/// Seconds' worth of tuples that are on their way rather than waiting.
const ON_THEIR_WAY_SECS: f64 = 10.0;
/// Most that a backlog foretells: a spout that has just begun to read says nothing yet of what its bolts will bear.
const MOST: f64 = 10.0;

/// How many times the measured load is to be expected, at least once, and whether the input lags.
pub(super) fn demand(backlog: Option<&Backlog>) -> (Share, bool) {
    const ONCE: Share = Share(1_000_000_000);
    let Some(backlog) = backlog else { return (ONCE, false) };
    let (arrived, processed) = (backlog.arrived_per_sec, backlog.processed_per_sec);
    if processed <= 0.0 {
        // Nothing is taken, so the loads measured are of no use either.
        return (ONCE, arrived > 0.0 || backlog.tuples > 0.0);
    }
    let factor = arrived / processed;
    let waits = backlog.tuples / processed > ON_THEIR_WAY_SECS;
    (Share::from_fraction(factor.clamp(1.0, MOST)), factor > 1.0 + NOISE || waits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tuples: f64, arrived_per_sec: f64, processed_per_sec: f64) -> (f64, bool) {
        let (demand, lags) = demand(Some(&Backlog { tuples, arrived_per_sec, processed_per_sec }));
        (demand.fraction(), lags)
    }

    #[test]
    fn twice_as_many_arrivals_foretell_twice_the_load() {
        assert_eq!(of(2e6, 10_000.0, 5_000.0), (2.0, true));
    }

    #[test]
    fn catching_up_is_no_more_load_and_still_a_lag() {
        assert_eq!(of(2e6, 5_000.0, 10_000.0), (1.0, true));
        assert_eq!(of(500.0, 5_000.0, 5_010.0), (1.0, false));
    }

    #[test]
    fn a_topology_that_takes_nothing_lags_and_foretells_nothing() {
        assert_eq!(of(0.0, 100.0, 0.0), (1.0, true));
        assert_eq!(of(0.0, 0.0, 0.0), (1.0, false));
        assert_eq!(demand(None).0.fraction(), 1.0);
    }

    #[test]
    fn the_first_tuple_of_a_spout_is_no_forecast() {
        assert_eq!(of(0.0, 10_000.0, 1.0).0, 10.0);
    }
}
