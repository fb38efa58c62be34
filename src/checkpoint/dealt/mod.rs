//! Ballast's own: copies are dealt the heaviest first, each to the node where it serves all goals best; then the worst
//! pairs of a lost domain and a restart target are mended one by one, as far as the budget of bytes goes.
//!
//! Source: the goals of checkpoint allocation (CIKM 2015); formulation and search are ours.

mod deal;
mod mend;

use deal::Deal;
use mend::Mend;

use super::books::{Books, Limits};
use super::loss::losses;
use super::{Allocation, Bounds, Instance, Strategy};
use crate::units::Share;

/// The strategy `dealt`.
pub(super) struct Dealt;

/// Nodes up to which dealing is tried anew with noise, and how often.
const FEW: usize = 24;
const TRIES: u64 = 60;

/// Seed of all choices: the same instance gets the same allocation.
const SEED: u64 = 0x0ba1_1a57;

impl Strategy for Dealt {
    fn name(&self) -> &'static str {
        "dealt"
    }

    fn about(&self) -> &'static str {
        "Ballast: recover, fit, spread and sticky together, dealt and mended (CIKM 2015, formulation ours)"
    }

    fn allocate(&self, instance: &Instance, bounds: &Bounds) -> Allocation {
        let limits = Limits::new(instance, bounds);
        let (homes, racks) = (instance.by_home(), instance.by_rack());
        // Deals what lies nowhere, then mends.
        let once = |seed: u64, noise: f64| {
            let mut books = Books::kept(instance, &homes);
            Deal::new(instance, &limits, seed, noise).run(&mut books);
            Mend::new(instance, &limits, &homes, &racks).run(&mut books);
            books.allocation
        };
        let first = once(SEED, 0.0);
        if !instance.is_unplaced() || instance.nodes.len() > FEW {
            return first;
        }
        let excess = |allocation: &Allocation| {
            let over =
                |gap: Option<Share>| gap.map_or(Share::ZERO, |gap| (gap - instance.slack).max(Share::ZERO));
            let (node, rack) = losses(instance, allocation).gaps(bounds);
            over(node) + over(rack)
        };
        let mut best = (excess(&first), first);
        for attempt in 1..TRIES {
            // Noise costs some of the soft goals, so there is no more of it than the hard one needs.
            if best.0 == Share::ZERO {
                break;
            }
            let next = once(SEED + attempt, 0.3 * (1 + attempt % 10) as f64);
            let left = excess(&next);
            if left < best.0 {
                best = (left, next);
            }
        }
        best.1
    }
}
