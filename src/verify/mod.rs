//! The judge: request and reply, and every violation found in them. It shares no code with whoever made the reply.
//!
//! It sees the wire and the table of the settings' defaults, and computes all figures by its own floating point
//! arithmetic. It never stops at the first fault. Invariant: `rules` lists every code, and each has a test in
//! `verify/tests` with a reply that it catches.

mod checkpoints;
mod cost;
mod envelope;
mod figures;
mod gates;
mod limits;
mod moves;
mod reported;
mod resources;
mod rules;
mod scaling;
mod scene;
mod slots;
mod structure;
#[cfg(test)]
mod tests;
mod traffic;
mod worker_cpu;
mod workers;

pub use rules::{Rule, Violation};

use crate::wire::{Reply, Request, Verdict};
use scene::Scene;

/// All violations of a reply, in the order of the rules' files; empty for a reply that may be carried out.
pub fn verify(request: &Request, reply: &Reply) -> Vec<Violation> {
    let mut found = Found::default();
    envelope::check(request, reply, &mut found);
    if reply.verdict == Verdict::Refused {
        return found.violations;
    }
    let scene = Scene::of(request, reply);
    structure::check(&scene, &mut found);
    slots::check(&scene, &mut found);
    limits::check(&scene, &mut found);
    workers::check(&scene, &mut found);
    moves::check(&scene, &mut found);
    cost::check(&scene, &mut found);
    let before = figures::Figures::of(&scene, scene::When::Before);
    let after = figures::Figures::of(&scene, scene::When::After);
    reported::check(&scene, &before, &after, &mut found);
    traffic::check(&scene, &mut found);
    scaling::check(&scene, &mut found);
    checkpoints::check(&scene, &after, &mut found);
    gates::check(&scene, &before, &after, &mut found);
    found.violations
}

/// Collects violations.
#[derive(Default)]
struct Found {
    violations: Vec<Violation>,
}

impl Found {
    fn add(&mut self, rule: Rule, detail: impl Into<String>) {
        self.violations.push(Violation { rule, detail: detail.into() });
    }
}

/// True when two figures differ by no more than the tolerance; NaN is close to nothing.
fn close(one: f64, other: f64, tolerance: f64) -> bool {
    (one - other).abs() <= tolerance
}
