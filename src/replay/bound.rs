//! How near to the mean any placement of a window's executors could come.

use crate::settings;
use crate::snapshot;
use crate::solve;
use crate::wire::{Refusal, Request};

/// What is known of a window without a policy.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// Lower bound of the load distance with no limit to restarts, as a fraction of capacity.
    pub(super) bound: f64,
    /// Executors with a measured load, of those that could have one.
    pub(super) measured: u32,
    /// See `measured`.
    pub(super) expected: u32,
}

/// A refusal where the window cannot be planned for.
pub(super) fn of_any_placement(request: &Request) -> Result<Known, Refusal> {
    let mut settings = settings::check(&request.settings, &solve::names()).settings;
    settings.budget_restarts = u32::MAX;
    settings.budget_state = None;
    settings.cooldown_secs = 0.0;
    settings.settle_rounds = 0;
    let snapshot = snapshot::take(request, &settings)?;
    Ok(Known {
        bound: solve::bound(&snapshot.problem).fraction(),
        measured: snapshot.coverage.measured,
        expected: snapshot.coverage.expected,
    })
}
