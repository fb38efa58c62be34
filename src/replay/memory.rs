//! What a policy remembers of its earlier rounds: the shim's memory (RoundMemory and ScaleMemory in Java), replayed.

use std::collections::{BTreeMap, BTreeSet};

use crate::wire::{NodeState, Reply, Request, ScalingVerdict};

/// Memory of one policy. Times are seconds since the epoch.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Rounds in a row every node has been there.
    seen: BTreeMap<String, u32>,
    /// When the policy last changed a topology.
    changed: BTreeMap<String, i64>,
    /// Rounds in a row with enough measured loads; none before the first.
    covered: Option<u32>,
    /// Rounds in a row that could have done with fewer nodes.
    low: u32,
    /// Nodes that drain since a reply said so.
    drained: BTreeSet<String>,
}

impl Memory {
    /// Writes all of it into the request of a window.
    pub(super) fn recall(&mut self, request: &mut Request, at: i64) {
        let there: BTreeSet<&str> = request.nodes.iter().map(|node| node.id.as_str()).collect();
        let first = self.seen.is_empty();
        self.seen.retain(|id, _| there.contains(id.as_str()));
        self.drained.retain(|id| there.contains(id.as_str()));
        for node in &mut request.nodes {
            // The nodes of the first window have been there for long, as far as anybody can know.
            let rounds = self.seen.entry(node.id.clone()).or_insert(if first { u32::MAX / 2 } else { 0 });
            *rounds += 1;
            node.seen_rounds = Some(*rounds);
            if node.state == NodeState::Draining && node.scaled_in {
                // By the recorded Ballast, which is not this one.
                (node.state, node.scaled_in) = (NodeState::Active, false);
            }
            if node.state == NodeState::Active && self.drained.contains(&node.id) {
                (node.state, node.scaled_in) = (NodeState::Draining, true);
            }
        }
        for topology in &mut request.topologies {
            topology.last_change_secs = self.changed.get(&topology.id).map(|since| (at - since) as f64);
        }
        request.covered_rounds = self.covered;
        request.low_rounds = Some(self.low);
    }

    /// Learns from a reply that is carried out. `drains`: what it says of scaling is done.
    pub(super) fn learn(&mut self, reply: &Reply, at: i64, drains: bool) {
        for assignment in &reply.assignments {
            self.changed.insert(assignment.topology.clone(), at);
        }
        if let Some(coverage) = &reply.coverage {
            // The recording begins with loads that were known before.
            self.covered = match (coverage.sufficient, self.covered) {
                (true, None) => None,
                (true, Some(rounds)) => Some(rounds.saturating_add(1)),
                (false, _) => Some(0),
            };
        }
        let Some(scaling) = reply.scaling.as_ref().filter(|s| s.verdict != ScalingVerdict::Unknown) else {
            return;
        };
        self.low = if scaling.low { self.low + 1 } else { 0 };
        if drains {
            self.drained.extend(scaling.drain.iter().cloned());
            for kept in &scaling.keep {
                self.drained.remove(kept);
            }
        }
    }
}
