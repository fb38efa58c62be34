//! A cluster that grows and shrinks: load that doubles and halves, nodes that get lost, and what each policy makes of
//! it over many periods.
//!
//! Every period the loads are those of the profile, the engine answers, its plan is carried out, and the operator does
//! what the policy has him do: nodes asked for come some periods later, those released are shut down.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::json;

use super::Effort;
use crate::engine;
use crate::generate::Groups;
use crate::replay::carry_out;
use crate::units::Load;
use crate::wire::{Node, NodeState, NoteCode, Refusal, Reply, Request, ScalingVerdict};

/// The limits of all policies: utilization of the fullest node, and the mean.
const OUT_LOAD: f64 = 0.8;
const IN_LOAD: f64 = 0.3;

/// Who decides on nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Nobody moves anything.
    Stay,
    /// Loads are balanced on the nodes there are.
    Balance,
    /// A rule of thumb beside the balance: one node more whenever one is above `scale.out.load` now, the emptiest
    /// drained whenever the mean is below `scale.in.load`.
    Threshold,
    /// The engine's advice, followed.
    Scale,
}

impl Policy {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Stay, Self::Balance, Self::Threshold, Self::Scale];
}

/// What is simulated.
#[derive(Debug, Clone, Copy)]
pub struct Elastic {
    /// Nodes at first, of equal capacity.
    pub nodes: usize,
    /// Workers a node, of one executor each.
    pub per_node: usize,
    /// Mean utilization at first.
    pub mean: f64,
    /// Periods.
    pub periods: u32,
    /// Periods from asking for a node to its coming.
    pub delivery: u32,
    /// Workers that may be restarted a period.
    pub budget: u32,
    /// Same seed, same loads and losses, whatever the policy.
    pub seed: u64,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ElasticRun {
    /// Who decided.
    pub policy: Policy,
    /// The seed.
    pub seed: u64,
    /// Periods that ended with a node above `scale.out.load`.
    pub overloads: u32,
    /// Those of them that balancing would have avoided, with restarts left and no node that had yet to settle.
    pub avoidable: u32,
    /// Periods that the load changed its level or a node got lost.
    pub shocks: u32,
    /// Times that nodes were asked for, kept or drained.
    pub changes: u32,
    /// Sum of the nodes in use over all periods.
    pub node_periods: u32,
    /// Drains that came to their end.
    pub drains: u32,
    /// Periods that the slowest of them took beyond what its workers need within the budget.
    pub drain_delay: u32,
    /// Workers restarted.
    pub restarts: u32,
}

/// Lets a policy live through the periods.
pub fn elastic(set_up: &Elastic, policy: Policy, effort: Effort) -> Result<ElasticRun, Refusal> {
    let mut world = World::new(set_up, policy, effort);
    for period in 0..set_up.periods {
        world.period(period)?;
    }
    Ok(world.run)
}

/// Level of the load and the losses, period by period.
struct Profile {
    levels: Vec<f64>,
    losses: Vec<bool>,
}

impl Profile {
    /// Steps of a factor of two between a half and twice the load, each held for 15 to 34 periods; one node lost in the
    /// middle of every third.
    fn of(set_up: &Elastic) -> Self {
        let mut random = fastrand::Rng::with_seed(set_up.seed);
        let mut profile = Self { levels: Vec::new(), losses: Vec::new() };
        let (mut level, mut held) = (1.0, 0);
        while profile.levels.len() < set_up.periods as usize {
            let periods = random.usize(15..35);
            for at in 0..periods {
                profile.levels.push(level);
                profile.losses.push(held % 3 == 2 && at == periods / 2);
            }
            held += 1;
            level = match level {
                l if l > 1.5 => 1.0,
                l if l < 0.75 => 1.0,
                _ if random.bool() => 2.0,
                _ => 0.5,
            };
        }
        profile
    }
}

/// A drain under way.
struct Drain {
    since: u32,
    nodes: Vec<String>,
    /// Fewest periods that its workers need within the budget.
    least: u32,
}

struct World {
    set_up: Elastic,
    profile: Profile,
    request: Request,
    /// Load of every executor at level 1.
    base: Vec<f64>,
    /// Periods in which ordered nodes come.
    ordered: Vec<u32>,
    made: usize,
    drain: Option<Drain>,
    run: ElasticRun,
}

impl World {
    fn new(set_up: &Elastic, policy: Policy, effort: Effort) -> Self {
        let groups = Groups {
            nodes: set_up.nodes,
            per_node: set_up.per_node,
            variation: 0.2,
            shares: crate::generate::Shares::Uniform,
            budget: set_up.budget,
            seed: set_up.seed,
            target: 0.05,
            state: None,
        };
        let mut request = groups.request();
        let scale = if policy == Policy::Scale { "apply" } else { "advise" };
        for (key, value) in [
            ("scale.mode", json!(scale)),
            ("strategy", json!(if policy == Policy::Stay { "stay" } else { "search" })),
            ("overload", json!(OUT_LOAD)),
            ("scale.out.load", json!(OUT_LOAD)),
            ("scale.in.load", json!(IN_LOAD)),
            ("cooldown.secs", json!(0)),
            ("solver.steps", json!(effort.steps)),
            ("solver.time.ms", json!(effort.time_ms)),
        ] {
            request.settings.insert(key.to_owned(), value);
        }
        let slots = 3 * set_up.per_node as u16;
        request.nodes.iter_mut().for_each(|node| node.ports = (6700..6700 + slots).collect());
        let executors = || request.topologies.iter().flat_map(|topology| &topology.executors);
        let total: f64 = executors().filter_map(|executor| executor.cpu_cores).sum();
        let capacity: f64 = request.nodes.iter().filter_map(|node| node.cpu_cores).sum();
        let factor = set_up.mean * capacity / total;
        let base = executors().map(|executor| executor.cpu_cores.unwrap_or(0.0) * factor).collect();
        let run = ElasticRun {
            policy,
            seed: set_up.seed,
            overloads: 0,
            avoidable: 0,
            shocks: 0,
            changes: 0,
            node_periods: 0,
            drains: 0,
            drain_delay: 0,
            restarts: 0,
        };
        let (profile, made) = (Profile::of(set_up), set_up.nodes);
        Self { set_up: *set_up, profile, request, base, ordered: Vec::new(), made, drain: None, run }
    }

    fn period(&mut self, period: u32) -> Result<(), Refusal> {
        self.happen(period);
        let reply = engine::answer(&self.request);
        if let Some(refusal) = reply.refusal {
            return Err(refusal);
        }
        self.measure(&reply);
        carry_out(&mut self.request, &reply);
        match self.run.policy {
            Policy::Scale => self.follow(period, &reply),
            Policy::Threshold => self.rule_of_thumb(period, &reply),
            Policy::Stay | Policy::Balance => {}
        }
        self.finish_drain(period);
        Ok(())
    }

    /// Loads, losses, nodes that come, and time that passes.
    fn happen(&mut self, period: u32) {
        self.request.generation = u64::from(period) + 1;
        let at = period as usize;
        let level = self.profile.levels[at];
        let mut random = fastrand::Rng::with_seed(self.set_up.seed ^ (u64::from(period) << 32));
        let executors = self.request.topologies.iter_mut().flat_map(|topology| &mut topology.executors);
        for (executor, base) in executors.zip(&self.base) {
            let noise = 0.97 + 0.06 * random.f64();
            executor.cpu_cores = Some(Load::from_cores(base * level * noise).cores());
        }
        let changed = at > 0 && self.profile.levels[at - 1] != level;
        self.run.shocks += u32::from(changed) + u32::from(self.profile.losses[at]);
        if self.profile.losses[at] {
            self.lose_a_node();
        }
        for node in &mut self.request.nodes {
            node.seen_rounds = node.seen_rounds.map(|rounds| rounds + 1);
        }
        let come = self.ordered.iter().filter(|due| **due <= period).count();
        self.ordered.retain(|due| *due > period);
        for _ in 0..come {
            let id = format!("node-{:05}", self.made);
            self.made += 1;
            let like = self.request.nodes[0].clone();
            let (state, scaled_in, seen_rounds) = (NodeState::Active, false, Some(1));
            self.request.nodes.push(Node { host: id.clone(), id, state, scaled_in, seen_rounds, ..like });
        }
    }

    /// The first node in use is gone; what ran there has no home.
    fn lose_a_node(&mut self) {
        let Some(at) = self.request.nodes.iter().position(|node| node.state == NodeState::Active) else {
            return;
        };
        let lost = self.request.nodes.remove(at).id;
        for executor in self.request.topologies.iter_mut().flat_map(|topology| &mut topology.executors) {
            if executor.node.as_ref() == Some(&lost) {
                (executor.node, executor.port) = (None, None);
            }
        }
    }

    fn measure(&mut self, reply: &Reply) {
        let nodes = reply.after.iter().flat_map(|after| &after.nodes);
        let over = nodes.map(|node| node.utilisation).fold(0.0, f64::max) > OUT_LOAD;
        let curable = reply.scaling.as_ref().is_some_and(|scaling| scaling.peak <= OUT_LOAD);
        let settles = reply.notes.iter().any(|note| note.code == NoteCode::NodeUnsettled);
        let spare = reply.cost.restarts < self.set_up.budget;
        self.run.overloads += u32::from(over);
        self.run.avoidable += u32::from(over && curable && spare && !settles);
        self.run.node_periods += self.request.nodes.len() as u32;
        self.run.restarts += reply.cost.restarts;
        if let Some(scaling) = reply.scaling.as_ref().filter(|s| s.verdict != ScalingVerdict::Unknown) {
            let low = self.request.low_rounds.unwrap_or(0) + 1;
            self.request.low_rounds = Some(if scaling.low { low } else { 0 });
        }
    }

    fn follow(&mut self, period: u32, reply: &Reply) {
        let Some(scaling) = &reply.scaling else { return };
        if !scaling.keep.is_empty() {
            self.run.changes += 1;
            for node in self.request.nodes.iter_mut().filter(|node| scaling.keep.contains(&node.id)) {
                (node.state, node.scaled_in) = (NodeState::Active, false);
            }
            self.drain = None;
        }
        self.order(period, scaling.nodes);
        self.begin_drain(period, scaling.drain.clone(), reply);
    }

    fn rule_of_thumb(&mut self, period: u32, reply: &Reply) {
        let Some(before) = &reply.before else { return };
        let active = |id: &String| {
            self.request.nodes.iter().any(|node| node.id == *id && node.state == NodeState::Active)
        };
        let in_use: Vec<_> = before.nodes.iter().filter(|node| active(&node.id)).collect();
        let lightest = in_use.iter().min_by(|a, b| a.utilisation.total_cmp(&b.utilisation));
        if in_use.iter().any(|node| node.utilisation > OUT_LOAD) {
            self.order(period, 1);
        } else if let Some(lightest) = lightest
            && before.mean < IN_LOAD
            && in_use.len() > 1
            && self.drain.is_none()
        {
            self.begin_drain(period, vec![lightest.id.clone()], reply);
        }
    }

    /// An operator who waits for nodes orders only what is asked for beyond them.
    fn order(&mut self, period: u32, nodes: u32) {
        let more = nodes.saturating_sub(self.ordered.len() as u32);
        self.run.changes += u32::from(more > 0);
        for _ in 0..more {
            self.ordered.push(period + self.set_up.delivery);
        }
    }

    fn begin_drain(&mut self, period: u32, nodes: Vec<String>, reply: &Reply) {
        if nodes.is_empty() {
            return;
        }
        self.run.changes += 1;
        let before = reply.before.iter().flat_map(|before| &before.nodes);
        let workers: u32 = before.filter(|node| nodes.contains(&node.id)).map(|node| node.workers).sum();
        for node in self.request.nodes.iter_mut().filter(|node| nodes.contains(&node.id)) {
            (node.state, node.scaled_in) = (NodeState::Draining, self.run.policy == Policy::Scale);
        }
        // The rule of thumb decides after the plan, so its drain begins a period later.
        let since = period + u32::from(self.run.policy == Policy::Threshold);
        self.drain = Some(Drain { since, nodes, least: workers.div_ceil(self.set_up.budget.max(1)) });
    }

    fn finish_drain(&mut self, period: u32) {
        let Some(drain) = &self.drain else { return };
        let executors = self.request.topologies.iter().flat_map(|topology| &topology.executors);
        let used: BTreeSet<&String> = executors.filter_map(|executor| executor.node.as_ref()).collect();
        if drain.nodes.iter().any(|node| used.contains(node)) {
            return;
        }
        let took = period + 1 - drain.since.min(period + 1);
        self.run.drains += 1;
        self.run.drain_delay = self.run.drain_delay.max(took.saturating_sub(drain.least));
        let gone = drain.nodes.clone();
        self.request.nodes.retain(|node| !gone.contains(&node.id));
        self.drain = None;
    }
}
