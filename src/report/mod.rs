//! A replay for people: a page to look at, and a table for the terminal.
//!
//! The page is one HTML file that needs no network: words and tables are written here ([`page`], templates in
//! `template/`), the charts are drawn by the scripts in `script/` with Observable Plot (`vendor/`) from JSON in the
//! page. Recordings come from elsewhere, so nothing in them can become markup or run: the templates escape, the JSON
//! has no `<`, the scripts only write text, and the page's own policy lets nothing run but what this crate put there.

mod color;
mod data;
mod fence;
mod grounds;
mod headline;
mod heat;
mod idle;
mod page;
mod row;
mod table;
mod words;

pub use page::page;
pub use table::table;
