//! What was noticed in a recording and does not stop it: guesses, contradictions, and what was left out.

use std::collections::BTreeMap;

use serde::Serialize;

/// Examples kept of each kind.
const EXAMPLES: usize = 3;

/// Kinds of remarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemarkCode {
    /// Two sources give one executor different loads; the more trusted one counts.
    Conflict,
    /// Figures that cannot all be true; what they say is left out.
    Contradiction,
    /// A line that ends in the middle, or bytes that are no text.
    Cut,
    /// The same line twice.
    Duplicate,
    /// A counter that does not move while its gauges stand still: nothing ran.
    Frozen,
    /// Something the recording does not say, and what was taken for it.
    Guessed,
    /// Executors that the recording counts and does not show.
    Hidden,
    /// A negative count.
    Negative,
    /// A worker without a heartbeat: its executors have no figures.
    NoHeartbeat,
    /// Counters began anew: the worker was restarted.
    Restarted,
    /// Executors of an earlier parallelism.
    Stale,
    /// A figure that cannot be believed; it is left out.
    Unbelievable,
    /// Lines or files that are not understood and were left out.
    Unknown,
    /// An executor too young for its figures to mean anything.
    Young,
}

/// How often something was noticed, and the first times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// What.
    pub code: RemarkCode,
    /// How often.
    pub count: u64,
    /// The first times, with place and values.
    pub examples: Vec<String>,
}

/// All that was noticed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remarks(BTreeMap<RemarkCode, Remark>);

impl Remarks {
    /// Notes something; the text is made only where it is kept. A text that was kept already is not kept twice.
    pub fn add(&mut self, code: RemarkCode, example: impl FnOnce() -> String) {
        let remark = self.0.entry(code).or_insert(Remark { code, count: 0, examples: Vec::new() });
        remark.count += 1;
        if remark.examples.len() < EXAMPLES {
            let example = example();
            if !remark.examples.contains(&example) {
                remark.examples.push(example);
            }
        }
    }

    /// Adds what was noticed elsewhere.
    pub fn extend(&mut self, other: &Self) {
        for (code, more) in &other.0 {
            let remark =
                self.0.entry(*code).or_insert(Remark { code: *code, count: 0, examples: Vec::new() });
            remark.count += more.count;
            for example in &more.examples {
                if remark.examples.len() < EXAMPLES && !remark.examples.contains(example) {
                    remark.examples.push(example.clone());
                }
            }
        }
    }

    /// Of one kind.
    pub fn of(&self, code: RemarkCode) -> Option<&Remark> {
        self.0.get(&code)
    }

    /// All of them, by kind.
    pub fn iter(&self) -> impl Iterator<Item = &Remark> {
        self.0.values()
    }
}
