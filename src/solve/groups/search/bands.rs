//! The loads that a threshold allows every host.

use super::field::Field;
use super::state::State;
use crate::units::{Load, Share};

/// Loads allowed on a host, both ends included, and the price of a unit outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) weight: i64,
}

impl Range {
    /// How far a load is outside, by its price.
    pub(super) fn violation(&self, load: i64) -> i64 {
        self.weight * (load - self.high).max(self.low - load).max(0)
    }
}

/// Far beyond any load.
const ANY: i64 = i64::MAX / 4;

/// What counts more than anything a host of weight 1 can gain from one move.
const HEAVY: i64 = 64;

/// A range a host.
///
/// In integers on purpose: a host is in its range exactly when its utilization, rounded as a reply shows it, is no
/// farther from the mean than the threshold.
#[derive(Debug, Clone)]
pub(super) struct Bands(pub(super) Vec<Range>);

impl Bands {
    /// Loads no farther than a distance from the mean, none of them overloaded unless the mean is.
    pub(super) fn around(field: &Field, distance: Share) -> Self {
        let (mean, overload) = (field.mean, field.instance.overload);
        let top = if mean <= overload { (mean + distance).min(overload) } else { mean + distance };
        let hosts = field.instance.hosts.iter();
        Self(
            hosts
                .map(|host| {
                    let capacity = Load(host.capacity);
                    match (host.listed, host.draining) {
                        (false, _) => Range { low: -ANY, high: ANY, weight: 1 },
                        (true, true) => Range { low: -ANY, high: top.most(capacity).0, weight: 1 },
                        (true, false) => {
                            let low = (mean - distance).least(capacity).0;
                            Range { low, high: top.most(capacity).0.max(low), weight: 1 }
                        }
                    }
                })
                .collect(),
        )
    }

    /// Loads that overload no host, whatever the balance.
    pub(super) fn below_overload(field: &Field) -> Self {
        let hosts = field.instance.hosts.iter();
        let high = |capacity| field.instance.overload.most(Load(capacity)).0;
        Self(
            hosts
                .map(|host| Range {
                    low: -ANY,
                    high: if host.listed { high(host.capacity) } else { ANY },
                    weight: 1,
                })
                .collect(),
        )
    }

    /// No host farther than in a state, or than the target; no draining host fuller.
    pub(super) fn reached(state: &State) -> Self {
        let mut bands = Self::around(state.field, state.field.instance.target);
        for (host, range) in bands.0.iter_mut().enumerate() {
            let (info, load) = (&state.field.instance.hosts[host], state.load[host]);
            range.high = if info.draining { load } else { range.high.max(load) };
            range.low = range.low.min(load);
        }
        bands
    }

    /// Wants draining hosts empty; leaving the band elsewhere costs more than any load drained is worth.
    pub(super) fn drain(&mut self, field: &Field) {
        for (range, host) in self.0.iter_mut().zip(&field.instance.hosts) {
            if host.draining {
                range.high = 0;
            } else {
                range.weight = HEAVY;
            }
        }
    }

    /// How far all hosts together are outside.
    pub(super) fn violation(&self, state: &State) -> i64 {
        self.0.iter().zip(&state.load).map(|(range, load)| range.violation(*load)).sum()
    }
}
