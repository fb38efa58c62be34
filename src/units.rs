//! Quantities as integers, so that sums taken apart return exactly. Conversions happen at the edge, once.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub i64);

        impl $name {
            /// Nothing of it.
            pub const ZERO: Self = Self(0);
        }
        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }
        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }
        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }
        impl SubAssign for $name {
            fn sub_assign(&mut self, other: Self) {
                self.0 -= other.0;
            }
        }
        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
                Self(all.map(|q| q.0).sum())
            }
        }
    };
}

quantity! {
    /// CPU load or capacity in millionths of a core; of another resource in millionths of its unit.
    Load
}
quantity! {
    /// Memory in bytes.
    Size
}
quantity! {
    /// Tuples a second, in thousandths.
    Rate
}
quantity! {
    /// CPU time of a tuple in nanoseconds.
    TupleCost
}
quantity! {
    /// A fraction of a node's capacity (utilisation, load distance) in billionths.
    Share
}

/// Parts of a whole that a [`Share`] counts.
const BILLION: i64 = 1_000_000_000;

impl Load {
    /// From cores. Finite and at most about 9e12 cores, which the wire has checked.
    pub fn from_cores(cores: f64) -> Self {
        Self((cores * 1e6).round() as i64)
    }

    /// From Storm's `cpu.pcore.percent`: 100 is one core.
    pub fn from_pcore_percent(percent: f64) -> Self {
        Self::from_cores(percent / 100.0)
    }

    /// In cores.
    pub fn cores(self) -> f64 {
        self.0 as f64 / 1e6
    }

    const MOST_SHARE: i64 = 1 << 53;

    /// This load as a fraction of a positive capacity, rounded to the nearest billionth; nine million times the capacity
    /// and more are all the same, so that sums of shares stay within their integers.
    pub fn over(self, capacity: Load) -> Share {
        debug_assert!(capacity.0 > 0, "capacity is positive in every problem");
        let half = capacity.0 / 2 * self.0.signum();
        // Division of 128 bits takes ten times as long, and only loads beyond 9,000 cores need it.
        match self.0.checked_mul(BILLION).and_then(|numerator| numerator.checked_add(half)) {
            Some(numerator) => Share((numerator / capacity.0).clamp(-Self::MOST_SHARE, Self::MOST_SHARE)),
            None => {
                let numerator = i128::from(self.0) * i128::from(BILLION) + i128::from(half);
                let most = i128::from(Self::MOST_SHARE);
                Share((numerator / i128::from(capacity.0)).clamp(-most, most) as i64)
            }
        }
    }
}

impl Size {
    /// From MiB, Storm's memory unit (its "mb" are MiB).
    pub fn from_mib(mib: f64) -> Self {
        Self((mib * 1_048_576.0).round() as i64)
    }

    /// In MiB.
    pub fn mib(self) -> f64 {
        self.0 as f64 / 1_048_576.0
    }
}

impl Rate {
    /// From tuples a second. Finite and at most about 9e15, which the wire has checked.
    pub fn from_tuples(per_sec: f64) -> Self {
        Self((per_sec * 1e3).round() as i64)
    }

    /// In tuples a second.
    pub fn tuples(self) -> f64 {
        self.0 as f64 / 1e3
    }
}

impl TupleCost {
    /// From microseconds. Finite and at most about 9e12, which the settings have checked.
    pub fn from_micros(micros: f64) -> Self {
        Self((micros * 1e3).round() as i64)
    }

    const MOST_LOAD: i128 = 1 << 53;

    /// What so many tuples of this cost keep busy, rounded down; nine thousand million cores and more are all the same.
    pub fn of(self, rate: Rate) -> Load {
        Load((i128::from(self.0) * i128::from(rate.0) / 1_000_000).min(Self::MOST_LOAD) as i64)
    }
}

impl Share {
    /// All of it.
    pub const ONE: Self = Self(BILLION);

    /// From a fraction: 1.0 is the whole.
    pub fn from_fraction(fraction: f64) -> Self {
        Self((fraction * 1e9).round() as i64)
    }

    /// As a fraction: 1.0 is the whole.
    pub fn fraction(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// How far this utilization is from a mean; where only what lies above counts, as on a draining node, nothing below.
    pub fn distance_from(self, mean: Self, above_only: bool) -> Self {
        let above = self - mean;
        if above_only { above.max(Self::ZERO) } else { above.abs() }
    }

    /// Its size, without the sign.
    pub fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// The largest load whose utilisation of a capacity, rounded as [`Load::over`] rounds, is at most this share;
    /// negative when even no load is too much.
    pub fn most(self, capacity: Load) -> Load {
        Load(self.times(capacity.0, capacity.0 - 1 - capacity.0 / 2))
    }

    /// The smallest load whose utilisation of a capacity, rounded as [`Load::over`] rounds, is at least this share;
    /// zero when no load will do.
    pub fn least(self, capacity: Load) -> Load {
        // Rounded up.
        Load(self.times(capacity.0, BILLION - 1 - capacity.0 / 2).max(0))
    }

    /// This share of a capacity, rounded down.
    pub fn of(self, capacity: Load) -> Load {
        Load(self.times(capacity.0, 0))
    }

    /// This share of a quantity and some billionths of its unit more, rounded down.
    fn times(self, quantity: i64, billionths: i64) -> i64 {
        match self.0.checked_mul(quantity).and_then(|product| product.checked_add(billionths)) {
            Some(sum) => sum.div_euclid(BILLION),
            None => {
                let sum = i128::from(self.0) * i128::from(quantity) + i128::from(billionths);
                sum.div_euclid(i128::from(BILLION)) as i64
            }
        }
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} cores", self.cores())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} MiB", self.mib())
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} tuples/s", self.tuples())
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.fraction())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_to_the_nearest_billionth_on_both_sides_of_zero() {
        assert_eq!(Load(1).over(Load(3)), Share(333_333_333));
        assert_eq!(Load(2).over(Load(3)), Share(666_666_667));
        assert_eq!(Load(-2).over(Load(3)), Share(-666_666_667));
        assert_eq!(Load(i64::MAX / 3 * 2).over(Load(i64::MAX / 3)), Share(2_000_000_000));
    }

    #[test]
    fn pcore_percent_is_a_hundredth_of_a_core() {
        assert_eq!(Load::from_pcore_percent(250.0), Load::from_cores(2.5));
    }

    #[test]
    fn the_loads_within_a_share_are_those_whose_utilisation_is() {
        for capacity in [Load(1), Load(3), Load(7), Load(4_000_001), Load(i64::MAX / 2)] {
            for share in [Share(0), Share(1), Share(333_333_333), Share(500_000_000), Share(999_999_999)] {
                let (most, least) = (share.most(capacity), share.least(capacity));
                assert!(most < Load::ZERO || most.over(capacity) <= share, "{capacity:?} {share:?}");
                assert!((most + Load(1)).over(capacity) > share, "{capacity:?} {share:?}");
                assert!(least.over(capacity) >= share, "{capacity:?} {share:?}");
                assert!(
                    least == Load::ZERO || (least - Load(1)).over(capacity) < share,
                    "{capacity:?} {share:?}"
                );
            }
        }
        assert!(Share(-1).most(Load(4_000_000)) < Load::ZERO);
    }

    #[test]
    fn a_share_of_a_capacity_never_exceeds_it() {
        assert_eq!(Share::from_fraction(0.05).of(Load::from_cores(4.0)), Load::from_cores(0.2));
        assert_eq!(Share(-1).of(Load(1)), Load(-1));
    }
}
