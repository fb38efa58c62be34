//! The cheapest way to settle one host: a set that leaves and a set that comes.

use super::knapsack::NONE;

/// Least prices of the sets that come, by load, ready to be asked for ranges of loads.
#[derive(Debug, Default)]
pub(super) struct Incoming {
    cells: usize,
    /// Level l holds the least of 2^l entries from each load on.
    levels: Vec<i16>,
}

/// What a host may gain at least and at most, in cells; negative where it must give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gain {
    pub(super) least: i64,
    pub(super) most: i64,
}

/// A cheapest way: its price, and the loads that leave and come, in cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Settled {
    pub(super) price: i16,
    pub(super) out: usize,
    pub(super) into: usize,
}

impl Gain {
    /// Of loads whose difference lies between two ends, when each of them is rounded down to cells.
    pub(super) fn between(least: i64, most: i64, cell: i64) -> Self {
        Self { least: least.div_euclid(cell), most: -(-most).div_euclid(cell) }
    }
}

impl Incoming {
    /// Takes over least prices by load.
    pub(super) fn set(&mut self, prices: &[i16]) {
        self.cells = prices.len();
        self.levels.clear();
        self.levels.extend_from_slice(prices);
        let (mut width, mut row) = (1, 0);
        while 2 * width <= self.cells {
            self.levels.resize(row + 2 * self.cells, NONE);
            let (before, level) = self.levels[row..].split_at_mut(self.cells);
            // The last entries of a level reach beyond the end; ranges are cut there before they are asked for.
            for ((level, one), other) in level.iter_mut().zip(&*before).zip(&before[width..]) {
                *level = (*one).min(*other);
            }
            (width, row) = (2 * width, row + self.cells);
        }
    }

    /// The cheapest way to gain, given the least prices of what leaves by load; `comes` false where nothing may come.
    /// The price is [`NONE`] where there is no way.
    pub(super) fn settle(&self, out: &[i16], gain: Gain, comes: bool) -> Settled {
        let cells = if comes { self.cells as i64 } else { 1 };
        let last = (cells - 1 - gain.least).min(out.len() as i64 - 1);
        let mut best = Settled { price: NONE, out: 0, into: 0 };
        // A window so narrow that no whole load lies in it.
        if gain.most < gain.least {
            return best;
        }
        let mut try_one = |leaves: i64| {
            let from = (leaves + gain.least).max(0);
            let to = (leaves + gain.most).min(cells - 1);
            let price = out[leaves as usize].saturating_add(self.least(from as usize, to as usize));
            if price < best.price {
                best = Settled { price, out: leaves as usize, into: from as usize };
            }
        };
        // Loads that leave for which the range of what comes is cut at neither end.
        let whole = (-gain.least).max(0)..=(cells - 1 - gain.most).min(last);
        let first = (-gain.most).max(0);
        if whole.is_empty() {
            (first..=last).for_each(try_one);
        } else {
            (first..*whole.start()).for_each(&mut try_one);
            try_one(self.cheapest(out, gain, &whole));
            (whole.end() + 1..=last).for_each(&mut try_one);
        }
        if best.price < NONE {
            let to = (best.out as i64 + gain.most).min(cells - 1) as usize;
            let wanted = self.least(best.into, to);
            best.into = (best.into..=to).find(|at| self.levels[*at] == wanted).unwrap_or(best.into);
        }
        best
    }

    /// The load whose leaving is cheapest, where every range of what comes has the same width.
    fn cheapest(&self, out: &[i16], gain: Gain, whole: &std::ops::RangeInclusive<i64>) -> i64 {
        let (first, count) = (*whole.start() as usize, (whole.end() - whole.start() + 1) as usize);
        let width = (gain.most - gain.least + 1) as usize;
        let level = width.ilog2();
        let row = level as usize * self.cells + (whole.start() + gain.least) as usize;
        let left = &self.levels[row..row + count];
        let right = &self.levels[row + width - (1 << level)..][..count];
        let prices = out[first..first + count].iter().zip(left).zip(right);
        let prices = prices.map(|((out, left), right)| out.saturating_add(*left.min(right)));
        let least = prices.clone().fold(NONE, i16::min);
        whole.start() + prices.into_iter().position(|price| price == least).unwrap_or(0) as i64
    }

    /// Least price of a range of loads, both ends included.
    fn least(&self, from: usize, to: usize) -> i16 {
        let level = (to - from + 1).ilog2() as usize;
        let row = level * self.cells;
        self.levels[row + from].min(self.levels[row + to + 1 - (1 << level)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_gives_receives_or_swaps_whatever_is_cheapest() {
        let mut incoming = Incoming::default();
        incoming.set(&[0, NONE, 5, 2, NONE, 4]);
        let out = [0, 1, NONE, 7];
        let settle = |least, most| incoming.settle(&out, Gain { least, most }, true);
        assert_eq!(settle(0, 0), Settled { price: 0, out: 0, into: 0 });
        assert_eq!(settle(-3, -3), Settled { price: 7, out: 3, into: 0 });
        assert_eq!(settle(2, 2), Settled { price: 3, out: 1, into: 3 });
        assert_eq!(settle(4, 5), Settled { price: 4, out: 0, into: 5 });
        assert_eq!(settle(6, 9).price, NONE);
        assert_eq!(settle(1, 0).price, NONE);
        assert_eq!(incoming.settle(&out, Gain { least: 2, most: 2 }, false).price, NONE);
        assert_eq!(incoming.settle(&out, Gain { least: -2, most: -1 }, false).price, 1);
    }

    #[test]
    fn ends_within_a_cell_reach_to_the_cell_around_them() {
        assert_eq!(Gain::between(-25, -11, 10), Gain { least: -3, most: -1 });
        assert_eq!(Gain::between(20, 30, 10), Gain { least: 2, most: 3 });
    }
}
