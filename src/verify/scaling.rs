//! Advice on scaling, held against the request: figures, names, and the limits and rounds of the settings.

use super::figures::{TOLERANCE_SHARE, cores_tolerance, covered};
use super::scene::Scene;
use super::{Found, Rule, close};
use crate::wire::{
    Ask, Backlog, ComponentKind, Node, NodeState, NoteCode, Parallelism, Scaling, ScalingVerdict,
};

/// Most that a backlog foretells.
const MOST_DEMAND: f64 = 10.0;

pub(super) fn check(scene: &Scene<'_>, found: &mut Found) {
    let Some(scaling) = &scene.reply.scaling else { return };
    let mut judge = Judge { scene, scaling, found };
    if scene.request.ask == Ask::Place || scene.settings.switch("freeze") {
        judge.wrong("nobody asked".to_owned());
    }
    judge.names();
    judge.verdict();
    judge.figures();
    for advice in &scaling.parallelism {
        judge.parallelism(advice);
    }
}

struct Judge<'a, 'r> {
    scene: &'a Scene<'r>,
    scaling: &'a Scaling,
    found: &'a mut Found,
}

impl Judge<'_, '_> {
    fn wrong(&mut self, detail: String) {
        self.found.add(Rule::Scaling, detail);
    }

    fn number(&self, name: &str) -> f64 {
        self.scene.settings.number(name)
    }

    /// An operator wants it drained, in the request's own words or the settings'.
    fn drains(&self, node: &Node) -> bool {
        let asked = self.scene.settings.drains().iter().any(|name| *name == node.id || *name == node.host);
        node.state == NodeState::Draining || (node.state == NodeState::Active && asked)
    }

    fn names(&mut self) {
        let used = |id: &str| {
            let at = self.scene.nodes.iter().position(|node| node.id == id);
            at.is_some_and(|at| self.scene.workers_before.iter().any(|worker| worker.slot.0 as usize == at))
        };
        let asked = self.scene.settings.drains();
        let operators = |node: &Node| asked.iter().any(|name| *name == node.id || *name == node.host);
        let mut wrong = Vec::new();
        let mut each = |what: &str, list: &[String], may: &dyn Fn(&Node) -> bool| {
            for (at, id) in list.iter().enumerate() {
                let node = self.scene.request.nodes.iter().find(|node| node.id == *id);
                if !node.is_some_and(may) || list[..at].contains(id) {
                    wrong.push(format!("{what} names {id}, which it may not"));
                }
            }
        };
        each("drain", &self.scaling.drain, &|node| node.state == NodeState::Active && !self.drains(node));
        each("keep", &self.scaling.keep, &|node| {
            node.state == NodeState::Draining && node.scaled_in && !operators(node)
        });
        each("release", &self.scaling.release, &|node| self.drains(node) && !used(&node.id));
        wrong.into_iter().for_each(|detail| self.wrong(detail));
    }

    fn verdict(&mut self) {
        let scaling = self.scaling;
        let covered = covered(self.scene);
        let least = self.number("load.coverage.min");
        let sufficient =
            covered.expected == 0 || f64::from(covered.measured) / f64::from(covered.expected) >= least;
        let rounds = self.scene.request.covered_rounds.map(|rounds| f64::from(rounds) + 1.0);
        let known = sufficient && rounds.is_none_or(|rounds| rounds >= self.number("settle.rounds"));
        if known == (scaling.verdict == ScalingVerdict::Unknown) {
            self.wrong(format!(
                "{:?}, yet the loads are {}known",
                scaling.verdict,
                if known { "" } else { "not " }
            ));
        }
        if !known && !scaling.parallelism.is_empty() {
            self.wrong("executors are advised on loads that are not known".to_owned());
        }
        let asks = scaling.nodes > 0 || !scaling.keep.is_empty();
        if asks != (scaling.verdict == ScalingVerdict::Out)
            || (scaling.nodes > 0) != scaling.node_cores.is_some()
        {
            let detail =
                format!("{:?} with {} nodes of {:?}", scaling.verdict, scaling.nodes, scaling.node_cores);
            self.wrong(detail);
        }
        let no_slot = self.scene.reply.notes.iter().any(|note| note.code == NoteCode::NoSlot);
        let out = self.number("scale.out.load");
        if scaling.verdict == ScalingVerdict::Out && scaling.peak <= out && !no_slot {
            self.wrong(format!("nodes are asked for at a peak of {}, the limit is {out}", scaling.peak));
        }
        if scaling.drain.is_empty() == (scaling.verdict == ScalingVerdict::In) {
            self.wrong(format!("{:?} with {} nodes to drain", scaling.verdict, scaling.drain.len()));
        }
        let fewer = matches!(scaling.verdict, ScalingVerdict::In | ScalingVerdict::Blocked);
        let low_rounds = f64::from(self.scene.request.low_rounds.unwrap_or(0)) + 1.0;
        if fewer && (!scaling.low || low_rounds < self.number("scale.in.rounds")) {
            self.wrong(format!("{:?} after {low_rounds} rounds, low: {}", scaling.verdict, scaling.low));
        }
        if scaling.low && (scaling.mean >= self.number("scale.in.load") || !known || self.lags()) {
            self.wrong(format!("low at a mean of {}, known: {known}, lag: {}", scaling.mean, self.lags()));
        }
    }

    /// More arrives than is taken, beyond what two readings may differ by.
    fn lags(&self) -> bool {
        let behind = |backlog: &Backlog| backlog.arrived_per_sec > backlog.processed_per_sec * 1.06;
        self.scene.topologies.iter().any(|topology| topology.wire.backlog.as_ref().is_some_and(behind))
    }

    /// The mean counts what is to be expected over the nodes that were to stay before any advice.
    fn figures(&mut self) {
        let scene = self.scene;
        let mut load = 0.0;
        for (executor, cores) in scene.executors.iter().zip(&scene.loads) {
            let listed = executor.before.is_none_or(|(node, _)| scene.nodes[node as usize].listed);
            if listed {
                load += cores * demand(scene.topologies[executor.topology as usize].wire.backlog.as_ref());
            }
        }
        let nodes = scene.nodes.iter().zip(&scene.request.nodes);
        let capacity: f64 = nodes.filter(|(_, wire)| !self.drains(wire)).map(|(node, _)| node.capacity).sum();
        let mean = if capacity > 0.0 { load / capacity } else { 0.0 };
        let tolerance = TOLERANCE_SHARE
            + if capacity > 0.0 {
                cores_tolerance(scene.executors.len() as u32) * MOST_DEMAND / capacity
            } else {
                0.0
            };
        if !close(self.scaling.mean, mean, tolerance) {
            self.wrong(format!("mean: {} said, {mean} computed", self.scaling.mean));
        }
        if self.scaling.peak.is_nan() || self.scaling.peak < 0.0 {
            self.wrong(format!("peak: {}", self.scaling.peak));
        }
    }

    fn parallelism(&mut self, advice: &Parallelism) {
        let scene = self.scene;
        let place = format!("{}/{}", advice.topology, advice.component);
        let topology = scene.topologies.iter().find(|topology| topology.wire.id == advice.topology);
        let component = topology.and_then(|topology| {
            let at = topology.wire.components.iter().position(|c| c.id == advice.component)?;
            Some((topology, at as u32, topology.wire.components[at].kind))
        });
        let Some((topology, at, kind)) = component else {
            return self.wrong(format!("{place} does not exist"));
        };
        let range = topology.executors.clone();
        let members = scene.executors[range.clone()].iter().zip(&scene.loads[range]);
        let members: Vec<_> = members.filter(|(executor, _)| executor.component == Some(at)).collect();
        let tasks: i32 = members.iter().map(|(e, _)| e.tasks.1 - e.tasks.0 + 1).sum();
        let busy = members.iter().map(|(_, cores)| **cores).sum::<f64>() / members.len().max(1) as f64;
        if kind == ComponentKind::System || !topology.wire.enabled {
            self.wrong(format!("{place} is none of ours"));
        }
        if advice.executors as usize != members.len() || i64::from(advice.tasks) != i64::from(tasks) {
            let counted = members.len();
            let (executors, said) = (advice.executors, advice.tasks);
            self.wrong(format!(
                "{place}: {executors} executors, {said} tasks said; {counted}, {tasks} counted"
            ));
        }
        if advice.advised == 0 || advice.advised > advice.tasks || advice.advised == advice.executors {
            let (advised, executors, tasks) = (advice.advised, advice.executors, advice.tasks);
            self.wrong(format!("{place}: {advised} advised of {executors} executors with {tasks} tasks"));
        }
        if !close(advice.busy, busy, cores_tolerance(1)) {
            self.wrong(format!("{place}: busy {} said, {busy} computed", advice.busy));
        }
    }
}

fn demand(backlog: Option<&Backlog>) -> f64 {
    let Some(backlog) = backlog.filter(|backlog| backlog.processed_per_sec > 0.0) else { return 1.0 };
    (backlog.arrived_per_sec / backlog.processed_per_sec).clamp(1.0, MOST_DEMAND)
}
