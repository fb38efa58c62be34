//! Refusals: a closed code, the values, and advice.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a request got no plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(deny_unknown_fields)]
#[error("{code}: {detail} ({advice})")]
pub struct Refusal {
    /// What kind of refusal.
    pub code: RefusalCode,
    /// What is wrong, where, with the value.
    pub detail: String,
    /// What to do about it.
    pub advice: String,
}

impl Refusal {
    /// A refusal with its detail and advice.
    pub fn new(code: RefusalCode, detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), advice: advice.into() }
    }
}

/// Codes of refusals, as listed in `src/wire/README.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalCode {
    /// Not JSON, or a field unknown, missing or of the wrong type.
    BadJson,
    /// Another version of the wire.
    BadVersion,
    /// A value outside its range, an id used twice, a dangling reference.
    BadValue,
    /// An unknown setting or a value it does not take.
    BadSetting,
    /// One slot claimed by two topologies.
    SlotConflict,
    /// The strategy could not run, or its plan did not pass the judge.
    SolverFailed,
}

impl RefusalCode {
    /// True when the request itself is unusable, false when a usable one could not be answered.
    pub fn blames_the_request(self) -> bool {
        self != Self::SolverFailed
    }
}

impl std::fmt::Display for RefusalCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::BadJson => "bad-json",
            Self::BadVersion => "bad-version",
            Self::BadValue => "bad-value",
            Self::BadSetting => "bad-setting",
            Self::SlotConflict => "slot-conflict",
            Self::SolverFailed => "solver-failed",
        })
    }
}
