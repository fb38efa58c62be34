//! Why policies moved nothing, for those who see a policy that did less than they thought.

use crate::replay::{Outcome, RECORDED};
use crate::wire::NoteCode;

/// Notes that say why a plan moved nothing, or not all.
const WHY: [NoteCode; 10] = [
    NoteCode::Frozen,
    NoteCode::Balanced,
    NoteCode::GainTooSmall,
    NoteCode::NoBetterPlan,
    NoteCode::CoverageLow,
    NoteCode::NotSettled,
    NoteCode::NodeUnsettled,
    NoteCode::BelowFloor,
    NoteCode::Cooldown,
    NoteCode::TopologyDisabled,
];

/// A reason, the policies it held back, and in how many windows each.
pub(super) struct Idle<'o> {
    pub(super) policies: Vec<&'o str>,
    pub(super) windows: u64,
    pub(super) reason: &'o str,
}

/// All reasons; policies held back alike stand together.
pub(super) fn idle(outcome: &Outcome) -> Vec<Idle<'_>> {
    let mut all: Vec<Idle<'_>> = Vec::new();
    for policy in outcome.policies.iter().filter(|policy| policy.policy != RECORDED) {
        for note in policy.notes.iter().filter(|note| WHY.contains(&note.code)) {
            match all.iter_mut().find(|known| (known.windows, known.reason) == (note.windows, &note.detail)) {
                Some(known) => known.policies.push(&policy.policy),
                None => all.push(Idle {
                    policies: vec![&policy.policy],
                    windows: note.windows,
                    reason: &note.detail,
                }),
            }
        }
    }
    all
}
