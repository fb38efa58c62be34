//! Traffic that stays on one node, or in one worker, and traffic that does not.
//!
//! Collocation factor: traffic whose two ends are on one node over all traffic. ALBIC (ICDE 2017), section on
//! collocation; a tuple that leaves its node takes the network, one that leaves its worker is serialized. Unit:
//! tuples a second.

use std::collections::BTreeMap;

use crate::model::{NodeIx, Placement, Problem, Slot, Stream, WHOLE};
use crate::units::{Load, Rate};

/// Traffic of one placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collocation {
    /// All traffic between executors, positive.
    pub rate: Rate,
    /// Traffic that leaves its worker.
    pub cross_worker: Rate,
    /// Traffic that leaves its node.
    pub cross_node: Rate,
    /// Traffic that was estimated and not measured.
    pub estimated: Rate,
}

impl Collocation {
    /// Traffic of a placement, computed from nothing but it and the problem; none where no traffic is known. What a
    /// homeless executor sends or receives leaves its worker and its node.
    pub fn of(problem: &Problem, placement: &Placement) -> Option<Self> {
        let traffic = &problem.traffic;
        if traffic.is_empty() {
            return None;
        }
        let (mut in_worker, mut on_node) = (Rate::ZERO, Rate::ZERO);
        for pair in &traffic.pairs {
            if let (Some(from), Some(to)) = (placement.slot(pair.from), placement.slot(pair.to)) {
                on_node += if from.node == to.node { pair.rate } else { Rate::ZERO };
                in_worker += if from == to { pair.rate } else { Rate::ZERO };
            }
        }
        for stream in &traffic.streams {
            let kept = Kept::of(stream, placement);
            in_worker += stream.rate_of(kept.in_worker);
            on_node += stream.rate_of(kept.on_node);
        }
        let (rate, estimated) = (traffic.rate(), traffic.estimated());
        Some(Self { rate, cross_worker: rate - in_worker, cross_node: rate - on_node, estimated })
    }

    /// CPU that tuples cost because they leave their worker: serialization, the network, deserialization. None where
    /// nobody knows what a tuple costs.
    pub fn remote_load(&self, problem: &Problem) -> Option<Load> {
        problem.limits.remote_tuple.map(|cost| cost.of(self.cross_worker))
    }

    /// Traffic kept on one node over all traffic.
    pub fn factor(&self) -> f64 {
        (self.rate - self.cross_node).0 as f64 / self.rate.0 as f64
    }
}

/// Parts of a stream that stay, of `WHOLE` x `WHOLE`.
struct Kept {
    in_worker: i64,
    on_node: i64,
}

impl Kept {
    fn of(stream: &Stream, placement: &Placement) -> Self {
        let mut workers = BTreeMap::<Slot, (i64, i64)>::new();
        for (executor, part) in &stream.senders {
            if let Some(slot) = placement.slot(*executor) {
                workers.entry(slot).or_default().0 += part;
            }
        }
        for (executor, part) in &stream.receivers {
            if let Some(slot) = placement.slot(*executor) {
                workers.entry(slot).or_default().1 += part;
            }
        }
        let mut nodes = BTreeMap::<NodeIx, (i64, i64)>::new();
        let mut kept = Self { in_worker: 0, on_node: 0 };
        for (slot, (sent, received)) in workers {
            let node = nodes.entry(slot.node).or_default();
            node.1 += received;
            if stream.local_first && received > 0 {
                kept.in_worker += sent * WHOLE;
                kept.on_node += sent * WHOLE;
            } else {
                kept.in_worker += sent * received;
                node.0 += sent;
            }
        }
        kept.on_node += nodes.values().map(|(sent, received)| sent * received).sum::<i64>();
        kept
    }
}
