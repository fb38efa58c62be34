//! The loads a distance allows every host.

use super::super::Instance;
use crate::units::{Load, Share};

/// Where no limit is. Sums of a few of them stay within the integers.
const FAR: i64 = i64::MAX / 8;

/// Allowed load of every host, in millionths of a core: from `low` to `high`, both included.
///
/// In integers on purpose: a host is inside exactly when its utilization, rounded as a reply shows it, is no farther
/// from the mean than the distance.
#[derive(Debug, Clone, Default)]
pub(super) struct Windows {
    pub(super) low: Vec<i64>,
    pub(super) high: Vec<i64>,
}

impl Windows {
    /// Loads no farther than `distance` from `mean`.
    pub(super) fn around(instance: &Instance, mean: Share, distance: Share) -> Self {
        let mut windows = Self::default();
        windows.set(instance, mean, distance);
        windows
    }

    /// The same in the room of older ones.
    pub(super) fn set(&mut self, instance: &Instance, mean: Share, distance: Share) {
        self.low.clear();
        self.high.clear();
        for host in &instance.hosts {
            let capacity = Load(host.capacity);
            let high = if host.listed { (mean + distance).most(capacity).0 } else { FAR };
            let low = match (host.listed, host.draining) {
                (false, _) => -FAR,
                (true, true) => 0,
                (true, false) => (mean - distance).least(capacity).0,
            };
            self.low.push(low);
            self.high.push(high);
        }
    }

    /// Load that a host must give away, and load that it must receive; at most one of them is not zero.
    pub(super) fn demand(&self, host: usize, load: i64) -> (i64, i64) {
        ((load - self.high[host]).max(0), (self.low[host] - load).max(0))
    }
}
