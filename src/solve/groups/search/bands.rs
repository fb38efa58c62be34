//! The loads that a threshold allows every host.

use super::field::{Field, Price};
use super::state::State;
use crate::units::Share;

/// Amounts allowed on a host, both ends included, and the price of what is outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) price: Price,
}

impl Range {
    /// How far a load is outside, by its price.
    pub(super) fn violation(&self, load: i64) -> i64 {
        let Price { weight, shift } = self.price;
        // Rounded up, so that nothing outside is free.
        (weight * (load - self.high).max(self.low - load).max(0) + (1 << shift) - 1) >> shift
    }
}

/// Far beyond any load.
const ANY: i64 = i64::MAX / 4;

/// What counts more than anything a host of weight 1 can gain from one move.
const HEAVY: i64 = 64;

/// A range a row of the field: one a host, and one more a host for every resource beside CPU.
///
/// In integers on purpose: a host is in its range exactly when its utilization, rounded as a reply shows it, is no
/// farther from the mean than the threshold.
#[derive(Debug, Clone)]
pub(super) struct Bands(pub(super) Vec<Range>);

impl Bands {
    /// Loads no farther than a distance from the mean, none of them overloaded unless the mean is.
    pub(super) fn around(field: &Field, distance: Share) -> Self {
        let overload = field.instance.overload;
        let range = |row: usize| {
            let (mean, capacity, price) = (field.mean_of(row), field.capacity_of(row), field.price_of(row));
            let top = if mean <= overload { (mean + distance).min(overload) } else { mean + distance };
            let host = &field.instance.hosts[field.host_of(row)];
            match (host.listed, host.draining) {
                (false, _) => Range { low: -ANY, high: ANY, price },
                (true, true) => Range { low: -ANY, high: top.most(capacity).0, price },
                (true, false) => {
                    let low = (mean - distance).least(capacity).0;
                    Range { low, high: top.most(capacity).0.max(low), price }
                }
            }
        };
        Self((0..field.rows()).map(range).collect())
    }

    /// Loads that overload no host, whatever the balance.
    pub(super) fn below_overload(field: &Field) -> Self {
        let range = |row: usize| {
            let listed = field.instance.hosts[field.host_of(row)].listed;
            let high = field.instance.overload.most(field.capacity_of(row)).0;
            Range { low: -ANY, high: if listed { high } else { ANY }, price: field.price_of(row) }
        };
        Self((0..field.rows()).map(range).collect())
    }

    /// No host farther than in a state, or than the target; no draining host fuller.
    pub(super) fn reached(state: &State) -> Self {
        let mut bands = Self::around(state.field, state.field.instance.target);
        for (row, range) in bands.0.iter_mut().enumerate() {
            let (info, load) = (&state.field.instance.hosts[state.field.host_of(row)], state.load[row]);
            range.high = if info.draining { load } else { range.high.max(load) };
            range.low = range.low.min(load);
        }
        bands
    }

    /// Wants draining hosts empty; leaving the band elsewhere costs more than any load drained is worth.
    pub(super) fn drain(&mut self, field: &Field) {
        for (row, range) in self.0.iter_mut().enumerate() {
            if field.instance.hosts[field.host_of(row)].draining {
                range.high = 0;
            } else {
                range.price.weight *= HEAVY;
            }
        }
    }

    /// How far all hosts together are outside.
    pub(super) fn violation(&self, state: &State) -> i64 {
        self.0.iter().zip(&state.load).map(|(range, load)| range.violation(*load)).sum()
    }
}
