//! Remarks about what stays as it is from window to window, each made once.

use std::collections::BTreeSet;

use crate::ingest::{RemarkCode, Remarks};

/// Remarks, and what was remarked of a component and one of its inputs.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) remarks: Remarks,
    once: BTreeSet<(RemarkCode, (usize, usize))>,
}

impl Said {
    /// Notes something of a component, once.
    pub(super) fn once(&mut self, code: RemarkCode, of: (usize, usize), example: impl FnOnce() -> String) {
        if self.once.insert((code, of)) {
            self.remarks.add(code, example);
        }
    }
}
