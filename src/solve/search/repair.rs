//! Threshold greedy: the node farthest outside its band first, the move that cuts most per restart.

use super::field::Field;
use super::moves::{Best, Between, Offer, apply};
use super::state::State;
use crate::solve::Budget;
use crate::solve::band::Band;

/// Nodes on the other side of a move that are looked at: the farthest out. With fewer nodes, all of them.
const PARTNERS: usize = 24;

/// A repair in progress: a band to be reached within a number of restarts.
pub(super) struct Repair<'a> {
    pub(super) band: &'a Band,
    /// Restarts the whole placement may cost.
    pub(super) restarts: usize,
    /// Chance that disturbs the worth of a move, for searches that repeat; none for the plain greedy.
    pub(super) noise: Option<&'a mut fastrand::Rng>,
    /// Violation that a restart must at least cut.
    pub(super) least_cut: i64,
}

/// All load outside the band, by its price.
pub(super) fn violation(state: &State, band: &Band) -> i64 {
    state.load.iter().enumerate().map(|(node, load)| band.violation(node, *load)).sum()
}

impl Repair<'_> {
    /// Moves load until every node is in its band, or no move helps, or the restarts are spent. One step of the
    /// budget is one move chosen among all of one node.
    pub(super) fn run(&mut self, state: &mut State, budget: &mut Budget) -> i64 {
        let mut helpless = vec![false; state.load.len()];
        let mut left = violation(state, self.band);
        while left > 0 && budget.step() {
            let Some(node) = self.worst(state, &helpless) else { break };
            match self.best(state, node) {
                Some(offer) => {
                    let mark = state.mark();
                    apply(state, &offer.step);
                    if state.bytes_left() < 0 {
                        state.undo(mark);
                        helpless[node] = true;
                        continue;
                    }
                    left -= offer.cut;
                    debug_assert_eq!(left, violation(state, self.band), "after {:?}", offer.step);
                    let (giver, taker) = offer.nodes;
                    (helpless[giver], helpless[taker]) = (false, false);
                }
                None => helpless[node] = true,
            }
        }
        left
    }

    fn worst(&mut self, state: &State, helpless: &[bool]) -> Option<usize> {
        let field = state.field;
        let outside = (0..state.load.len()).filter(|node| !helpless[*node]).filter_map(|node| {
            let out = self.band.violation(node, state.load[node]);
            (out > 0).then(|| (relative(field, node, out), std::cmp::Reverse(node)))
        });
        outside.max().map(|(_, node)| node.0)
    }

    fn best(&mut self, state: &State, node: usize) -> Option<Offer> {
        let gives = state.load[node] > self.band.high[node];
        let restarts_left = self.restarts.saturating_sub(state.dirty);
        // With all restarts spent only what restarts anyway can still go somewhere else.
        if restarts_left == 0 && gives && !has_free_workers(state, node) {
            return None;
        }
        let partners = self.partners(state, node, gives);
        let mut best = Best::new(self.noise.as_deref_mut(), self.least_cut);
        for partner in partners {
            let (giver, taker) = if gives { (node, partner) } else { (partner, node) };
            Between { state, band: self.band, giver, taker, restarts_left }.offer_to(&mut best);
        }
        best.found()
    }

    /// Nodes to exchange load with, the most promising first.
    fn partners(&mut self, state: &State, node: usize, gives: bool) -> Vec<usize> {
        let field = state.field;
        // A taker by what it lacks, or by its room once it lacks nothing; a giver likewise.
        let promise = |partner: usize| {
            let (lacks, room) = if gives {
                (self.band.low[partner] - state.load[partner], self.band.high[partner] - state.load[partner])
            } else {
                (state.load[partner] - self.band.high[partner], state.load[partner] - self.band.low[partner])
            };
            if lacks > 0 { (1, lacks) } else { (0, room) }
        };
        let spent = state.dirty >= self.restarts;
        let useful = |partner: &usize| {
            *partner != node
                && if gives {
                    field.takes[*partner] || !state.on[*partner].is_empty()
                } else if spent {
                    has_free_workers(state, *partner)
                } else {
                    !state.on[*partner].is_empty()
                }
        };
        let mut partners: Vec<usize> = (0..state.load.len()).filter(useful).collect();
        let by_promise = |partner: &usize| (std::cmp::Reverse(promise(*partner)), *partner);
        if partners.len() > PARTNERS {
            partners.select_nth_unstable_by_key(PARTNERS, by_promise);
            let rest = partners.split_off(PARTNERS);
            // One stranger keeps a search that repeats from being blind to all other nodes.
            if let Some(random) = self.noise.as_deref_mut() {
                partners.push(rest[random.usize(..rest.len())]);
            }
        }
        partners.sort_unstable_by_key(by_promise);
        partners
    }
}

/// Load outside the band as a fraction of capacity, in millionths.
fn relative(field: &Field, node: usize, out: i64) -> i64 {
    out.saturating_mul(1_000_000) / field.problem.nodes[node].capacity.0
}

/// Whether a node has workers that restart anyway, or do not run yet.
fn has_free_workers(state: &State, node: usize) -> bool {
    state.on[node].iter().any(|worker| state.price(*worker) == 0)
}
