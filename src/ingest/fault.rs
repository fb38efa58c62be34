//! Why a recording cannot be used.

use std::fmt;

use thiserror::Error;

/// Characters of a recording that an error quotes at most.
const QUOTED: usize = 200;

/// A recording that cannot be used, or not from here on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {detail}\n  {advice}")]
pub struct Fault {
    /// File, and the line or field where there is one.
    pub place: String,
    /// What is wrong, with the value.
    pub detail: String,
    /// What to do about it.
    pub advice: String,
}

impl Fault {
    /// A fault at a place.
    pub fn new(place: impl Into<String>, detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { place: place.into(), detail: detail.into(), advice: advice.into() }
    }

    /// A file that cannot be read.
    pub fn unreadable(place: impl fmt::Display, error: &std::io::Error) -> Self {
        Self::new(place.to_string(), error.to_string(), "give files and folders that can be read")
    }
}

/// Text of a recording as it may stand in a message: cut, on one line, without control characters.
pub fn quoted(text: &str) -> String {
    let mut kept: String = text.chars().take(QUOTED).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(QUOTED).is_some() {
        kept.push('…');
    }
    kept
}
