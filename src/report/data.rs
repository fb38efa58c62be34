//! What the page's scripts draw from.

use serde::Serialize;

use super::color;
use super::heat::{self, Heat};
use crate::replay::{Figures, MoveMade, NodePlaced, NoteSeen, Outcome, PolicyOutcome, Series};

/// The outcome, with placements that several policies share written once.
#[derive(Debug, Serialize)]
pub(super) struct Data<'a> {
    overload: f64,
    placements: Vec<&'a [NodePlaced]>,
    policies: Vec<Policy<'a>>,
    /// Index of the policy shown closely at first.
    shown: usize,
}

#[derive(Debug, Serialize)]
struct Policy<'a> {
    policy: &'a str,
    color: usize,
    figures: &'a Figures,
    series: &'a Series,
    heat: Heat<'a>,
    moves: &'a [MoveMade],
    moves_left_out: u64,
    notes: &'a [NoteSeen],
    /// Indices into `placements`.
    before: usize,
    after: usize,
}

impl<'a> Data<'a> {
    pub(super) fn new(outcome: &'a Outcome, shown: usize) -> Self {
        let mut placements = Vec::new();
        let mut others = 0;
        let policies =
            outcome.policies.iter().map(|policy| Policy::new(policy, &mut others, &mut placements)).collect();
        Self { overload: outcome.overload, placements, policies, shown }
    }
}

impl<'a> Policy<'a> {
    fn new(from: &'a PolicyOutcome, others: &mut usize, placements: &mut Vec<&'a [NodePlaced]>) -> Self {
        let mut index = |nodes: &'a [NodePlaced]| {
            placements.iter().position(|known| *known == nodes).unwrap_or_else(|| {
                placements.push(nodes);
                placements.len() - 1
            })
        };
        Self {
            policy: &from.policy,
            color: color::of(&from.policy, others),
            figures: &from.figures,
            series: &from.series,
            heat: heat::condensed(&from.heat),
            moves: &from.moves,
            moves_left_out: from.moves_left_out,
            notes: &from.notes,
            before: index(&from.before),
            after: index(&from.after),
        }
    }
}
