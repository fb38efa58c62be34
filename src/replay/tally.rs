//! What a policy is judged by, gathered window by window.

use std::collections::{BTreeMap, BTreeSet};

use super::outcome::{Figures, MoveMade, NodePlaced, NoteSeen, PolicyOutcome};
use super::series::{Stretch, Stretches};
use crate::wire::{Balance, MoveKind, Note, NoteCode, Reply, Request};

/// Moves told one by one.
const MOVES: usize = 2_000;

/// A window as all policies have it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    pub(super) at: i64,
    /// Seconds that it stands for.
    pub(super) secs: f64,
    /// Lower bound of any placement.
    pub(super) bound: f64,
    /// The setting `overload`.
    pub(super) overload: f64,
    /// Executors with a measured load, of those that could have one.
    pub(super) measured: u32,
    /// See `measured`.
    pub(super) expected: u32,
}

impl Facts {
    /// There are loads that could have been measured, and none was.
    pub(super) fn unmeasured(self) -> bool {
        self.expected > 0 && self.measured == 0
    }
}

/// What it cost to go from one window's placement to the next.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Price {
    pub(super) restarts: u64,
    pub(super) executors_moved: u64,
    pub(super) shipped_bytes: u64,
    pub(super) paused_executor_secs: f64,
}

/// Figures of the windows that count.
struct Sums {
    distances: Vec<f64>,
    bounds: f64,
    overload_secs: f64,
    cross_node: (f64, u32),
    stretches: Stretches,
}

impl Sums {
    fn new() -> Self {
        Self {
            distances: Vec::new(),
            bounds: 0.0,
            overload_secs: 0.0,
            cross_node: (0.0, 0),
            stretches: Stretches::new(),
        }
    }
}

/// Figures so far.
pub(super) struct Tally {
    policy: String,
    sums: Sums,
    /// Some window had a measured load, so those without any do not count.
    measured: bool,
    /// Restarts of windows that do not count, for the next one that does.
    restarts: u64,
    price: Price,
    plans: u64,
    moves: Vec<MoveMade>,
    moves_left_out: u64,
    notes: BTreeMap<NoteCode, NoteSeen>,
}

impl Tally {
    pub(super) fn new(policy: &str) -> Self {
        Self {
            policy: policy.to_owned(),
            sums: Sums::new(),
            measured: false,
            restarts: 0,
            price: Price::default(),
            plans: 0,
            moves: Vec::new(),
            moves_left_out: 0,
            notes: BTreeMap::new(),
        }
    }

    /// A window lived through with a placement, and what the changes in it cost. A window in which nothing was measured
    /// has its price, but how its nodes are loaded is not known: it counts only while no window was measured.
    pub(super) fn window(&mut self, facts: Facts, balance: &Balance, price: Price) {
        self.price.restarts += price.restarts;
        self.price.executors_moved += price.executors_moved;
        self.price.shipped_bytes += price.shipped_bytes;
        self.price.paused_executor_secs += price.paused_executor_secs;
        self.restarts += price.restarts;
        if facts.unmeasured() && self.measured {
            return;
        }
        if !facts.unmeasured() && !self.measured {
            (self.measured, self.sums, self.restarts) = (true, Sums::new(), self.price.restarts);
        }
        let sums = &mut self.sums;
        sums.distances.push(balance.load_distance);
        sums.bounds += facts.bound;
        let full = balance.nodes.iter().filter(|node| node.utilisation > facts.overload).count();
        sums.overload_secs += full as f64 * facts.secs;
        let cross = balance.traffic.as_ref().map_or((0.0, 0), |traffic| (traffic.cross_node_per_sec, 1));
        sums.cross_node = (sums.cross_node.0 + cross.0, sums.cross_node.1 + cross.1);
        sums.stretches.push(Stretch {
            at: facts.at,
            load_distance: balance.load_distance,
            bound: facts.bound,
            cross_node: cross,
            restarts: std::mem::take(&mut self.restarts),
            nodes: balance.nodes.iter().map(|node| (node.id.clone(), node.utilisation)).collect(),
        });
    }

    /// What a reply noted.
    pub(super) fn notes(&mut self, reply: &Reply) {
        let mut of_window: Vec<&Note> = reply.notes.iter().collect();
        of_window.sort_by_key(|note| note.code);
        for same in of_window.chunk_by(|one, other| one.code == other.code) {
            let code = same[0].code;
            let seen = self.notes.entry(code).or_insert(NoteSeen { code, windows: 0, detail: String::new() });
            seen.windows += 1;
            seen.detail.clone_from(&same[0].detail);
        }
    }

    /// A plan that is carried out.
    pub(super) fn plan(&mut self, at: i64, request: &Request, reply: &Reply) {
        self.plans += u64::from(!reply.assignments.is_empty());
        let distance = |balance: &Option<Balance>| balance.as_ref().map_or(0.0, |known| known.load_distance);
        let gain = distance(&reply.before) - distance(&reply.after);
        for step in &reply.moves {
            if self.moves.len() == MOVES {
                self.moves_left_out += 1;
                continue;
            }
            let moved = request.topologies.iter().filter(|topology| topology.id == step.topology);
            let components: BTreeSet<&str> = moved
                .flat_map(|topology| &topology.executors)
                .filter(|executor| step.executors.contains(&executor.tasks))
                .map(|executor| executor.component.as_str())
                .collect();
            self.moves.push(MoveMade {
                at,
                topology: step.topology.clone(),
                executors: step.executors.clone(),
                components: components.into_iter().map(str::to_owned).collect(),
                kind: step.kind,
                from: step.from.as_ref().map(ToString::to_string),
                to: step.to.to_string(),
                because: step.because.clone(),
                load_distance_gain: gain,
            });
        }
    }

    pub(super) fn finish(self, before: Vec<NodePlaced>, after: Vec<NodePlaced>) -> PolicyOutcome {
        let Sums { mut distances, bounds, overload_secs, cross_node, stretches } = self.sums;
        let windows = distances.len().max(1) as f64;
        let mean = distances.iter().sum::<f64>() / windows;
        let bound = bounds / windows;
        distances.sort_by(f64::total_cmp);
        let (series, heat) = stretches.finish();
        PolicyOutcome {
            policy: self.policy,
            figures: Figures {
                load_distance_mean: mean,
                load_distance_p95: nearest_rank(&distances, 0.95),
                load_distance_worst: distances.last().copied().unwrap_or(0.0),
                bound_mean: bound,
                gap_mean: mean - bound,
                overload_secs,
                cross_node_tuples_per_sec: (cross_node.1 > 0).then(|| cross_node.0 / f64::from(cross_node.1)),
                restarts: self.price.restarts,
                executors_moved: self.price.executors_moved,
                shipped_bytes: self.price.shipped_bytes,
                paused_executor_secs: self.price.paused_executor_secs,
                plans: self.plans,
            },
            series,
            heat,
            moves: self.moves,
            moves_left_out: self.moves_left_out,
            notes: self.notes.into_values().collect(),
            before,
            after,
        }
    }
}

/// What a reply's plan costs.
pub(super) fn price_of(reply: &Reply) -> Price {
    let moved = reply.moves.iter().filter(|step| step.kind != MoveKind::Place);
    Price {
        restarts: u64::from(reply.cost.restarts),
        executors_moved: moved.map(|step| step.executors.len() as u64).sum(),
        shipped_bytes: reply.cost.shipped_bytes.unwrap_or(0),
        paused_executor_secs: match reply.cost.restarts {
            0 => 0.0,
            restarts => {
                let pause = reply.cost.pause_secs_estimate / f64::from(restarts);
                f64::from(reply.cost.executors_paused) * pause
            }
        },
    }
}

/// The smallest value that a part of all stay within.
fn nearest_rank(sorted: &[f64], part: f64) -> f64 {
    let rank = (sorted.len() as f64 * part).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}
