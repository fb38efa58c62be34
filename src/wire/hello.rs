//! The handshake: versions are compared and settings checked before the first request.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the shim says first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Always `hello`.
    pub ballast: String,
    /// Version of the wire the shim speaks.
    pub version: u32,
    /// Settings by name, without the prefix `ballast.`.
    #[serde(default)]
    pub settings: Map<String, Value>,
}

/// What the library answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Welcome {
    /// Always `welcome`.
    pub ballast: String,
    /// Version of the wire the library speaks.
    pub version: u32,
    /// Version of the library.
    pub library: String,
    /// Names of the strategies it has, sorted.
    pub strategies: Vec<String>,
    /// Effective settings, every name present.
    pub settings: Map<String, Value>,
    /// Settings that were not understood; their defaults are in force.
    pub problems: Vec<SettingProblem>,
}

/// A setting that was not understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingProblem {
    /// Its name as given.
    pub setting: String,
    /// What is wrong, with the value.
    pub detail: String,
    /// What to do about it.
    pub advice: String,
}
