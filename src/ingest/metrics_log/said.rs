//! Remarks about what stays as it is from window to window, each made once.

use std::collections::BTreeSet;

use crate::ingest::{RemarkCode, Remarks};

/// What a remark is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum About {
    /// Tasks of a component.
    Tasks(usize),
    /// Groupings of a component.
    Groupings(usize),
    /// An input of a component, by name.
    Input(usize, usize),
    /// A worker.
    Worker(usize),
}

/// Remarks, and what was remarked once and for all.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) remarks: Remarks,
    once: BTreeSet<(RemarkCode, About)>,
}

impl Said {
    /// Notes something, once.
    pub(super) fn once(&mut self, code: RemarkCode, about: About, example: impl FnOnce() -> String) {
        if self.once.insert((code, about)) {
            self.remarks.add(code, example);
        }
    }
}
