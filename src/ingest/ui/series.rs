//! Folders of answers as a recording: one window a folder, in the order of time.

use std::collections::VecDeque;
use std::path::PathBuf;

use super::folder::{UiFolder, time_of};
use crate::ingest::{Fault, RemarkCode, Remarks, Source, Window};

/// Folders, each read when its window is asked for.
#[derive(Debug)]
pub struct UiSeries {
    folders: VecDeque<PathBuf>,
    /// What is wrong with the first folder that cannot be used.
    fault: Option<Fault>,
    /// A folder could be used.
    usable: bool,
    remarks: Remarks,
}

impl UiSeries {
    /// Folders, in any order.
    pub fn new(mut folders: Vec<PathBuf>) -> Self {
        folders.sort_by_cached_key(|folder| (time_of(folder), folder.clone()));
        Self { folders: folders.into(), fault: None, usable: false, remarks: Remarks::default() }
    }
}

impl Source for UiSeries {
    /// # Errors
    /// Where no folder can be used: what is wrong with the first. One of several that cannot be used is left out with a
    /// remark: the UI was away, or answered with an error.
    fn next(&mut self) -> Result<Option<Window>, Fault> {
        while let Some(folder) = self.folders.pop_front() {
            let mut read = match UiFolder::open(&folder) {
                Ok(read) => read,
                Err(fault) => {
                    self.remarks
                        .add(RemarkCode::Unknown, || format!("{}: {}; left out", fault.place, fault.detail));
                    self.fault.get_or_insert(fault);
                    continue;
                }
            };
            let window = read.next()?;
            self.remarks.extend(read.remarks());
            if window.is_some() {
                self.usable = true;
                return Ok(window);
            }
        }
        match self.fault.take() {
            Some(fault) if !self.usable => Err(fault),
            _ => Ok(None),
        }
    }

    fn remarks(&self) -> &Remarks {
        &self.remarks
    }
}
