//! Values as the UI writes them: Storm's `floatStr` makes texts of numbers, and what it does not know is null, `NaN` or
//! an empty text. Whatever is of another type than expected is not known either; one odd field spoils no answer.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A number, or a text that holds one; absent where it is neither or not finite.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Num(pub(super) Option<f64>);

impl<'de> Deserialize<'de> for Num {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = match Value::deserialize(from)? {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        Ok(Self(number.filter(|number| number.is_finite())))
    }
}

impl Num {
    /// A count or an amount: absent where it is below zero, which Storm's own subtraction of counts can make it.
    pub(super) fn positive(self) -> Option<f64> {
        self.0.filter(|number| *number >= 0.0)
    }

    /// Below zero.
    pub(super) fn negative(self) -> bool {
        self.0.is_some_and(|number| number < 0.0)
    }

    /// A whole number up to a largest one; anything else is absent.
    pub(super) fn whole(self, most: u32) -> Option<u32> {
        self.0.filter(|n| n.fract() == 0.0 && (0.0..=f64::from(most)).contains(n)).map(|number| number as u32)
    }

    /// A port.
    pub(super) fn port(self) -> Option<u16> {
        self.whole(u32::from(u16::MAX)).map(|port| port as u16).filter(|port| *port > 0)
    }
}

/// A text; empty where it is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Text(pub(super) String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Value::deserialize(from)? {
            Value::String(text) => Ok(Self(text)),
            _ => Ok(Self::default()),
        }
    }
}

/// A switch; off where it is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flag(pub(super) bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self(Value::deserialize(from)? == Value::Bool(true)))
    }
}

/// A list; empty where it is null.
pub(super) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}
