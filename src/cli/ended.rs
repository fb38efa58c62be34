//! How a run ends when it does not end well: one line for the reader, one exit code for the script.

use std::io;

use ballast::wire::Refusal;
use thiserror::Error;

/// An end other than success.
#[derive(Debug, Error)]
pub(crate) enum Ended {
    /// The input cannot be used.
    #[error("{origin}: {detail}\n  {advice}")]
    Unusable {
        /// File or option it came from.
        origin: String,
        /// What is wrong, where, with the value.
        detail: String,
        /// What to do about it.
        advice: String,
    },
    /// The judge found violations; they are on standard output.
    #[error("{reply} is no answer to {request}: {}", counted(*.violations))]
    Violations {
        /// File of the request.
        request: String,
        /// File of the reply.
        reply: String,
        /// How many were found.
        violations: usize,
    },
    /// A usable request got no plan.
    #[error("{origin}: refused: {refusal}")]
    Refused {
        /// File of the request.
        origin: String,
        /// The library's words.
        refusal: Refusal,
    },
    /// There is a plan, and a limit is still broken after it.
    #[error("{origin}: the best plan found still breaks a limit: {limits}")]
    Unsatisfied {
        /// File of the request.
        origin: String,
        /// Which limits, with their values.
        limits: String,
    },
    /// Standard output could not be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

fn counted(violations: usize) -> String {
    format!("{violations} violation{}", if violations == 1 { "" } else { "s" })
}

impl Ended {
    /// A refusal that blames the input, told with the file it came from.
    pub(crate) fn unusable(origin: &str, refusal: Refusal) -> Self {
        let Refusal { code, detail, advice } = refusal;
        Self::Unusable { origin: origin.to_owned(), detail: format!("{code}: {detail}"), advice }
    }

    /// A value of the command line that cannot be used.
    pub(crate) fn value(origin: String, detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Unusable { origin, detail: detail.into(), advice: advice.into() }
    }

    /// The exit code. 2 is clap's: a command line that was not understood.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Unusable { .. } | Self::Violations { .. } | Self::Output(_) => 1,
            Self::Refused { .. } => 3,
            Self::Unsatisfied { .. } => 4,
        }
    }
}
