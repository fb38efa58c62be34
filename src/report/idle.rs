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

/// A reason, and the windows that it held in.
pub(super) struct Idle<'o> {
    pub(super) policy: &'o str,
    pub(super) windows: u64,
    pub(super) reason: &'o str,
}

/// All reasons, by policy.
pub(super) fn idle(outcome: &Outcome) -> Vec<Idle<'_>> {
    let policies = outcome.policies.iter().filter(|policy| policy.policy != RECORDED);
    policies
        .flat_map(|policy| {
            let notes = policy.notes.iter().filter(|note| WHY.contains(&note.code));
            notes.map(|note| Idle { policy: &policy.policy, windows: note.windows, reason: &note.detail })
        })
        .collect()
}
