//! Recording a cluster through its UI: reads Storm's REST API at a steady pace and keeps each reading as a request.
//!
//! One reading asks for the lists of topologies and supervisors, the page of every topology and of every component, all
//! with `sys=true&window=600`, and once in a topology's life for its visualization: one question at a time over one
//! connection, never more than half of the time, and less often while the UI is away or answers errors. Loads and rates
//! then speak of the same last 10 minutes, so no state is needed between two readings, and each stands for itself;
//! readings less than 10 minutes apart overlap.
//!
//! A recording holds one request a line, each a gzip member of its own: it can be appended to, and what a crash cuts off
//! is at most the last one. Where the UI is away there is no request; nothing is made up for it.

mod address;
mod client;
mod file;
mod pace;
mod poll;
mod run;

pub use address::{Access, Login};
pub use client::Trouble;
pub use file::Recording;
pub use pace::Pace;
pub use poll::Ui;
pub use run::{Event, Summary, run};
