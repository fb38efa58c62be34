//! The judge: request and reply, and every violation found in them. It shares no code with whoever made the reply.

use std::fmt;

use crate::wire::{Reply, Request};

/// A rule that a reply breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// What is broken, where, with the values.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

/// All violations of a reply.
pub fn verify(request: &Request, reply: &Reply) -> Vec<Violation> {
    let mut violations = Vec::new();
    if reply.generation != request.generation {
        let detail = format!("generation {} answers {}", reply.generation, request.generation);
        violations.push(Violation { detail });
    }
    violations
}
