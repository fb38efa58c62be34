//! Answers of the Storm UI's REST API (`/api/v1/...`), saved in a folder or asked for by `ballast record`.
//!
//! What is read, best all of it and with `sys=true`:
//!
//! | answer | what it gives |
//! |---|---|
//! | `supervisor/summary`, `supervisor?id=` | nodes: capacity as `supervisor.cpu.capacity` has it (400 by default, whatever the machine), slots |
//! | `topology/summary` | which topologies there are |
//! | `topology/ID` | workers with their supervisors and how many executors they have, components, configuration |
//! | `topology/ID/component/COMPONENT` | executors: slot, uptime, load, rates |
//! | `topology/ID/visualization` | streams and groupings |
//!
//! Loads are those of the last 10 minutes whatever window was asked for (`executors.rs`); rates are counts over the
//! window of the page (`rates.rs`), so `window=600` makes both speak of the same time. Executors that are counted and not
//! shown occupy their slots (`hidden.rs`). What the UI does not tell is absent or, where a request needs it, guessed with
//! a remark: ports of free slots (`nodes.rs`), tasks of executors not shown. Not told at all: racks, which components have
//! a state, and whether memory requests are meant, so there are none.
//!
//! An answer that is an error, an HTML page, or wrapped for JSONP is told by its content and never read as a cluster
//! without executors (`answer.rs`).

mod answer;
mod answers;
mod executors;
mod folder;
mod hidden;
mod inputs;
mod lenient;
mod nodes;
mod rates;
mod series;
mod shapes;
mod slots;
mod snapshot;
mod topology;

pub use answer::is_mine;
pub use folder::UiFolder;
pub use series::UiSeries;

#[cfg(feature = "record")]
pub(crate) use answer::{Answer, MOST_BYTES, Unusable};
#[cfg(feature = "record")]
pub(crate) use answers::{Answers, Origin};
#[cfg(feature = "record")]
pub(crate) use snapshot::request;
