//! Recordings to requests: whatever was kept of a cluster, as windows of time that the engine can be asked about.
//!
//! Each format has a [`Source`] of its own, which reads on as windows are asked for and never holds a recording in
//! memory. Formats are told by content ([`Format::of`]), never by name alone. What a source cannot know stays absent:
//! a window of a metrics log has no groupings, one of the UI's answers no traffic between executors.

mod fault;
mod format;
mod loadgen;
mod loads;
mod merge;
pub mod metrics_log;
mod open;
mod plain;
mod recording;
mod remarks;
mod text;
pub mod ui;

pub use fault::{Fault, quoted};
pub use format::Format;
pub use loadgen::Loadgen;
pub use loads::Loads;
pub use merge::Merged;
pub use metrics_log::Options;
pub use open::open;
pub use plain::plain;
pub use recording::{Recording, packed};
pub use remarks::{Remark, RemarkCode, Remarks};
pub use text::{ports, time};

use crate::wire::Request;

/// What a recording says of one window of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    /// End of the window, in seconds since the epoch.
    pub at: i64,
    /// The cluster in it. Its loads are means over the window, and absent where nothing was measured.
    pub request: Request,
}

/// Windows of one recording, in the order of time.
pub trait Source {
    /// The next window; none at the end.
    fn next(&mut self) -> Result<Option<Window>, Fault>;

    /// What was noticed so far, complete once [`Source::next`] gave none.
    fn remarks(&self) -> &Remarks;
}
