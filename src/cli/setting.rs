//! `--set KEY=VALUE`: settings by the names of storm.yaml, checked by the library's own table.

use std::str::FromStr;

use ballast::settings::{self, SPECS, Takes};
use ballast::solve;
use serde_json::{Map, Value};

use super::Ended;

/// One KEY=VALUE.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    key: String,
    value: String,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = text.split_once('=').ok_or("it has no '='; write KEY=VALUE")?;
        // storm.yaml writes the prefix, the wire does not; both are understood.
        let key = key.trim().trim_start_matches("ballast.").to_owned();
        Ok(Self { key, value: value.trim().to_owned() })
    }
}

impl Setting {
    fn json(&self) -> Value {
        let given = || Value::String(self.value.clone());
        let takes = SPECS.iter().find(|spec| spec.name == self.key).map(|spec| &spec.takes);
        match takes {
            Some(Takes::Word(_) | Takes::Text) => given(),
            Some(Takes::Texts) => serde_json::from_str(&self.value).unwrap_or_else(|_| {
                self.value.split(',').map(str::trim).filter(|text| !text.is_empty()).collect()
            }),
            // What is no JSON stays a text, which the table then refuses with what the key takes.
            Some(Takes::Switch | Takes::Whole(..) | Takes::Number(..)) | None => {
                serde_json::from_str(&self.value).unwrap_or_else(|_| given())
            }
        }
    }
}

/// Lays given settings over those of a request; a later one replaces an earlier one.
pub(crate) fn lay_over(settings: &mut Map<String, Value>, given: &[Setting]) -> Result<(), Ended> {
    let given: Map<String, Value> = given.iter().map(|one| (one.key.clone(), one.json())).collect();
    check("--set", &given)?;
    settings.extend(given);
    Ok(())
}

/// Checks settings that come from somewhere.
pub(crate) fn check(origin: &str, given: &Map<String, Value>) -> Result<(), Ended> {
    match settings::check(given, &solve::names()).problems.into_iter().next() {
        None => Ok(()),
        Some(first) => Err(Ended::Unusable {
            origin: format!("{origin} {}", first.setting),
            detail: first.detail,
            advice: first.advice,
        }),
    }
}

/// Checks the name of a strategy that an option gives.
pub(crate) fn strategy(option: &str, name: &str) -> Result<Value, Ended> {
    if solve::by_name(name).is_some() {
        return Ok(Value::String(name.to_owned()));
    }
    Err(Ended::Unusable {
        origin: format!("{option} {name}"),
        detail: format!("there is no such strategy; there are {}", solve::names().join(", ")),
        advice: "`ballast strategies` tells what each does".to_owned(),
    })
}
