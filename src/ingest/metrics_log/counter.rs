//! One counter of a task from tick to tick.

use super::names::Metric;

/// Values of one cut name at one tick: streams whose names are alike as far as they are printed.
const MOST_ALIKE: usize = 64;

/// A counter.
#[derive(Debug)]
pub(super) struct Counter {
    pub(super) metric: Metric,
    /// Its stream, or source and stream, as far as printed.
    pub(super) name: usize,
    /// Dialect V2: it counts since the worker's start. Otherwise since the tick before.
    pub(super) flat: bool,
    cut: bool,
    /// Values of this tick in the order they were printed.
    now: Vec<f64>,
    /// A value that came twice was taken for one.
    merged: bool,
    before: Before,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Before {
    /// It was never printed: it is created with the first tuple.
    New,
    /// Streams of the name, their sum, and whether two may have been taken for one.
    Known { streams: usize, sum: f64, doubtful: bool },
    /// It was not printed at the last tick.
    Lost,
}

impl Counter {
    pub(super) fn new(metric: Metric, name: usize, flat: bool, cut: bool, value: f64) -> Self {
        Self { metric, name, flat, cut, now: vec![value], merged: false, before: Before::New }
    }

    /// Notes a value.
    pub(super) fn add(&mut self, value: f64) {
        if self.now.len() < MOST_ALIKE {
            self.now.push(value);
        }
    }

    /// Leaves each stream's value once; how many were there twice.
    ///
    /// A tick that is delivered twice prints the same line twice. So do two streams whose names are cut alike and whose
    /// counts are equal; that is believed where the tick before had that many streams.
    pub(super) fn settle(&mut self) -> usize {
        if self.now.len() < 2 {
            return 0;
        }
        if !self.cut || !self.flat {
            let more = self.now.len() - 1;
            self.now.truncate(1);
            return more;
        }
        let (mut distinct, mut again) = (Vec::new(), Vec::new());
        for value in &self.now {
            if distinct.contains(value) { again.push(*value) } else { distinct.push(*value) }
        }
        if let Before::Known { streams, .. } = self.before {
            let missing = streams.saturating_sub(distinct.len()).min(again.len());
            distinct.extend(again.drain(..missing));
        }
        self.now = distinct;
        self.merged = !again.is_empty();
        again.len()
    }

    fn sum(&self) -> f64 {
        self.now.iter().sum()
    }

    /// A counter only falls when its worker begins anew.
    pub(super) fn fell(&self) -> bool {
        let Before::Known { streams, sum, .. } = self.before else { return false };
        self.flat && self.now.len() >= streams && self.sum() < sum
    }

    /// The worker began anew: all it counts is of the time since.
    pub(super) fn begin_anew(&mut self) {
        self.before = Before::New;
    }

    /// Tuples since the tick before; none where that is not known.
    pub(super) fn difference(&self) -> Option<f64> {
        match self.before {
            Before::New => Some(self.sum()),
            _ if !self.flat => Some(self.sum()),
            _ if self.now.is_empty() => None,
            Before::Known { streams, sum, doubtful } => {
                let same = self.now.len() == streams || (self.now.len() > streams && !doubtful);
                Some(self.sum() - sum).filter(|tuples| same && *tuples >= 0.0)
            }
            Before::Lost => None,
        }
    }

    /// Ends the tick.
    pub(super) fn keep(&mut self) {
        self.before = match (self.now.len(), self.before) {
            (0, Before::New) => Before::New,
            (0, _) => Before::Lost,
            (streams, _) => Before::Known { streams, sum: self.sum(), doubtful: self.merged },
        };
        self.merged = false;
        self.now.clear();
    }

    /// Streams that had a value at this tick, once it is settled.
    pub(super) fn streams(&self) -> usize {
        self.now.len()
    }

    /// Several streams shared the name at the last tick that ended.
    pub(super) fn shared(&self) -> bool {
        matches!(self.before, Before::Known { streams: 2.., .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences of a cut name's counter over ticks with these values.
    fn differences(ticks: &[&[f64]]) -> Vec<Option<f64>> {
        let mut counter = Counter::new(Metric::Executed, 0, true, true, 0.0);
        counter.now.clear();
        let tick = |values: &&[f64]| {
            values.iter().for_each(|value| counter.add(*value));
            counter.settle();
            let difference = counter.difference();
            counter.keep();
            difference
        };
        ticks.iter().map(tick).collect()
    }

    #[test]
    fn streams_whose_names_are_cut_alike_are_added() {
        assert_eq!(differences(&[&[100.0, 40.0], &[160.0, 100.0]])[1], Some(120.0));
        // A third stream begins.
        assert_eq!(differences(&[&[100.0, 40.0], &[100.0, 40.0, 20.0]])[1], Some(20.0));
    }

    #[test]
    fn equal_counts_are_two_streams_where_two_were_before_and_else_one_line_twice() {
        assert_eq!(differences(&[&[100.0, 40.0], &[200.0, 200.0]])[1], Some(260.0));
        assert_eq!(differences(&[&[100.0, 100.0], &[160.0, 160.0]])[1], Some(60.0));
        // Whether the first tick was of one stream or two is not known.
        assert_eq!(
            differences(&[&[100.0, 100.0], &[160.0, 170.0], &[220.0, 230.0]])[1..],
            [None, Some(120.0)]
        );
    }

    #[test]
    fn a_counter_that_was_not_printed_has_no_difference_across_the_gap() {
        assert_eq!(
            differences(&[&[], &[20.0], &[], &[80.0], &[100.0]]),
            [Some(0.0), Some(20.0), None, None, Some(20.0)]
        );
    }
}
