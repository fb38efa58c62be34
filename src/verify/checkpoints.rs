//! Advice on copies of states, held against the request: where a copy may lie, limits, budgets and figures.

use std::collections::{HashMap, HashSet};

use super::figures::{Figures, cores_tolerance};
use super::scene::{Executor, Scene};
use super::{Found, Rule, close};
use crate::wire::{Checkpoints, NodeState, Replicas, TaskRange};

/// Bytes.
const BYTES_A_MIB: f64 = 1_048_576.0;
/// Where nothing is said of a node's room, it may hold so much more than if all held alike.
const MORE: f64 = 0.3;
/// Where no budget is set: one part of so many of all states.
const BUDGET_PARTS: u64 = 400;

pub(super) fn check(scene: &Scene<'_>, after: &Figures<'_>, found: &mut Found) {
    let Some(advice) = &scene.reply.checkpoints else { return };
    let ids: HashMap<&str, u32> = (0_u32..).zip(&scene.nodes).map(|(at, node)| (node.id, at)).collect();
    let (racks, present) = (racks(scene), Present::of(scene));
    let mut judge = Judge { scene, advice, ids, after, racks, present, placed: Vec::new(), found };
    judge.place();
    judge.books();
    judge.losses();
}

/// Rack of every node by number, a node of none having its own; none where they do not count.
fn racks(scene: &Scene<'_>) -> Option<Vec<usize>> {
    let name = |at: usize| scene.request.nodes.get(at).and_then(|node| node.rack.as_deref()).unwrap_or("");
    let taking = (0..scene.nodes.len()).filter(|at| scene.nodes[*at].state == NodeState::Active);
    let known: HashSet<&str> = taking.map(name).collect();
    let mut numbers = HashMap::<&str, usize>::new();
    let all = (0..scene.nodes.len()).map(|at| match name(at) {
        "" => at,
        rack => *numbers.entry(rack).or_insert(at),
    });
    (known.len() > 1).then(|| all.collect())
}

/// Where copies lie by topology and executor, with their slots; and the topologies by id.
struct Present<'r> {
    copies: HashMap<(&'r str, TaskRange), Vec<(u32, &'r str)>>,
    topologies: HashMap<&'r str, usize>,
}

impl<'r> Present<'r> {
    fn of(scene: &Scene<'r>) -> Self {
        let mut copies = HashMap::<_, Vec<(u32, &str)>>::new();
        let mut topologies = HashMap::new();
        for (at, facts) in scene.topologies.iter().enumerate() {
            topologies.insert(facts.wire.id.as_str(), at);
            for copy in &facts.wire.checkpoints {
                let slot = copy.slot.unwrap_or(u32::MAX);
                copies.entry((facts.wire.id.as_str(), copy.executor)).or_default().push((slot, &copy.node));
            }
        }
        copies.values_mut().for_each(|copies| copies.sort_unstable());
        Self { copies, topologies }
    }
}

/// The copies of one state, as far as they can be understood.
struct Placed {
    home: u32,
    cores: f64,
    bytes: u64,
    /// Where it lay, with the roles changed if it moved.
    lying: Vec<u32>,
    nodes: Vec<u32>,
}

struct Judge<'j, 'r> {
    scene: &'j Scene<'r>,
    advice: &'j Checkpoints,
    ids: HashMap<&'j str, u32>,
    after: &'j Figures<'r>,
    racks: Option<Vec<usize>>,
    present: Present<'r>,
    placed: Vec<Placed>,
    found: &'j mut Found,
}

impl Judge<'_, '_> {
    fn wrong(&mut self, detail: String) {
        self.found.add(Rule::Checkpoints, detail);
    }

    fn takes(&self, node: u32) -> bool {
        let node = &self.scene.nodes[node as usize];
        node.listed && node.state == NodeState::Active
    }

    fn fall_together(&self, one: u32, other: u32) -> bool {
        let alike = |racks: &Vec<usize>| racks[one as usize] == racks[other as usize];
        one == other || self.racks.as_ref().is_some_and(alike)
    }

    /// Every replica is of an executor with a home, and lies where it may.
    fn place(&mut self) {
        let mut seen = HashSet::new();
        for replicas in &self.advice.replicas {
            let of = format!("{}/{}", replicas.topology, replicas.executor);
            if !seen.insert((&replicas.topology, replicas.executor)) {
                self.wrong(format!("{of} is listed twice"));
                continue;
            }
            let Some(placed) = self.understand(replicas) else {
                self.wrong(format!("{of}: no executor with a slot, or a node that is not there"));
                continue;
            };
            if replicas.nodes.len() > self.advice.copies as usize {
                self.wrong(format!("{of}: {} copies of {}", replicas.nodes.len(), self.advice.copies));
            }
            for (at, node) in placed.nodes.iter().enumerate() {
                let earlier = || placed.nodes[..at].iter().chain([&placed.home]);
                if !self.takes(*node) {
                    self.wrong(format!("{of}: a copy on {}, which takes none", replicas.nodes[at]));
                } else if earlier().any(|other| self.fall_together(*node, *other)) {
                    self.wrong(format!(
                        "{of}: a copy on {} falls with its home or another",
                        replicas.nodes[at]
                    ));
                }
            }
            self.placed.push(placed);
        }
        let wanted = self.scene.settings.number("checkpoint.copies");
        if f64::from(self.advice.copies) > wanted {
            self.wrong(format!("{} copies where {wanted} are wanted", self.advice.copies));
        }
    }

    fn understand(&self, replicas: &Replicas) -> Option<Placed> {
        let (at, executor) = self.executor(&replicas.topology, replicas.executor)?;
        let home = executor.after?.0;
        let copies = self.present.copies.get(&(replicas.topology.as_str(), replicas.executor));
        let ids = copies.into_iter().flatten().filter_map(|(_, id)| self.ids.get(id).copied());
        let mut lying: Vec<u32> = ids.collect();
        // What it leaves is a copy.
        lying.extend(executor.before.map(|slot| slot.0));
        lying.retain(|node| *node != home && self.takes(*node));
        let nodes = replicas.nodes.iter().map(|id| self.ids.get(id.as_str()).copied());
        Some(Placed {
            home,
            cores: self.scene.loads[at],
            bytes: replicas.state_bytes,
            lying,
            nodes: nodes.collect::<Option<_>>()?,
        })
    }

    fn executor(&self, topology: &str, tasks: TaskRange) -> Option<(usize, &Executor)> {
        let facts = &self.scene.topologies[*self.present.topologies.get(topology)?];
        let (first, own) = (facts.executors.start, &self.scene.executors[facts.executors.clone()]);
        let at = own.binary_search_by_key(&tasks, |executor| executor.tasks).ok()?;
        Some((first + at, &own[at]))
    }

    /// Bytes: those of every node, what is shipped, and the budget.
    fn books(&mut self) {
        let mut nodes = vec![(0_u32, 0_u64, 0_u64); self.scene.nodes.len()];
        let (mut missing, mut moved, mut total) = (0, 0, 0);
        for placed in &self.placed {
            total += placed.bytes;
            let mut fresh = 0;
            for node in &placed.nodes {
                let (copies, stored, taken) = &mut nodes[*node as usize];
                let is_new = !placed.lying.contains(node);
                fresh += u64::from(is_new);
                *copies += 1;
                *stored += placed.bytes;
                *taken += if is_new { placed.bytes } else { 0 };
            }
            let mut kept: Vec<u32> = Vec::new();
            for node in &placed.lying {
                let apart = kept.iter().chain([&placed.home]).all(|other| !self.fall_together(*node, *other));
                if apart && kept.len() < self.advice.copies as usize {
                    kept.push(*node);
                }
            }
            let lacking = u64::from(self.advice.copies) - kept.len() as u64;
            missing += placed.bytes * fresh.min(lacking);
            moved += placed.bytes * fresh.saturating_sub(lacking);
        }
        let given = self.scene.settings.given_number("checkpoint.budget.mib");
        let budget = given.map_or(total / BUDGET_PARTS, |mib| (mib * BYTES_A_MIB).round() as u64);
        for (what, said, counted) in [
            ("missing_bytes", self.advice.missing_bytes, missing),
            ("moved_bytes", self.advice.moved_bytes, moved),
            ("budget_bytes", self.advice.budget_bytes, budget),
        ] {
            if said != counted {
                self.wrong(format!("{what}: {said} said, {counted} counted"));
            }
        }
        if moved > budget {
            self.wrong(format!("{moved} bytes of copies moved; the budget is {budget}"));
        }
        self.rooms(&nodes, total);
    }

    /// No node holds or takes more than it may; one that held too much already takes nothing more.
    fn rooms(&mut self, nodes: &[(u32, u64, u64)], total: u64) {
        let takers = (0..self.scene.nodes.len()).filter(|at| self.takes(*at as u32)).count().max(1);
        let largest = self.placed.iter().map(|placed| placed.bytes).max().unwrap_or(0) as f64;
        let fair = total as f64 * f64::from(self.advice.copies) / takers as f64;
        let said: HashMap<&str, _> = self.advice.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        for (at, (copies, stored, taken)) in nodes.iter().copied().enumerate() {
            let Some(given) = self.scene.request.nodes.get(at) else { continue };
            let room =
                given.checkpoint_storage_mib.map_or(fair + largest.max(fair * MORE), |mib| mib * BYTES_A_MIB);
            if stored as f64 > room + 1.0 && taken > 0 {
                self.wrong(format!("{}: {stored} bytes of copies, {room} have room", given.id));
            }
            if given.checkpoint_network_mib.is_some_and(|mib| taken as f64 > mib * BYTES_A_MIB + 1.0) {
                self.wrong(format!("{}: takes {taken} bytes of copies", given.id));
            }
            match said.get(given.id.as_str()) {
                Some(node)
                    if (node.copies, node.stored_bytes, node.taken_bytes) == (copies, stored, taken) =>
                {
                    if !(0.0..=1.0).contains(&node.readiness) {
                        self.wrong(format!("{}: readiness {}", given.id, node.readiness));
                    }
                }
                _ => {
                    self.wrong(format!("{}: {copies} copies, {stored} bytes, {taken} new counted", given.id))
                }
            }
        }
    }

    /// The worst losses, and bounds that do not pass them.
    fn losses(&mut self) {
        let count = self.scene.nodes.len();
        let each: Vec<usize> = (0..count).collect();
        let by_node = self.worst(&each);
        let by_rack = self.racks.clone().and_then(|racks| self.worst(&racks));
        for (what, said, counted) in
            [("node", self.advice.node_loss, by_node), ("rack", self.advice.rack_loss, by_rack)]
        {
            let tolerance = self.after.share_tolerance + cores_tolerance(self.placed.len() as u32);
            match (said, counted) {
                (None, None) => {}
                (Some(said), Some(counted)) => {
                    if !close(said.worst, counted, tolerance) {
                        self.wrong(format!("loss of a {what}: {} said, {counted} counted", said.worst));
                    }
                    if said.gap < 0.0 || !close(said.worst - said.lower_bound, said.gap, 1e-9) {
                        let (bound, gap) = (said.lower_bound, said.gap);
                        self.wrong(format!("loss of a {what}: bound {bound}, gap {gap}"));
                    }
                }
                _ => self.wrong(format!("loss of a {what}: {said:?} said, {counted:?} counted")),
            }
        }
    }

    /// Utilization of the fullest node left after the worst loss, where nodes of one number are lost together.
    fn worst(&self, domains: &[usize]) -> Option<f64> {
        let listed = |at: &usize| self.scene.nodes[*at].listed;
        let mut brought = HashMap::<(usize, u32), f64>::new();
        for placed in &self.placed {
            if let Some(target) = placed.nodes.first() {
                *brought.entry((domains[placed.home as usize], *target)).or_default() += placed.cores;
            }
        }
        let mut order: Vec<usize> = (0..domains.len()).filter(listed).collect();
        order.sort_by(|one, other| {
            self.after.nodes[*other].utilisation.total_cmp(&self.after.nodes[*one].utilisation)
        });
        let lost: HashSet<usize> = order.iter().map(|at| domains[*at]).collect();
        let unhurt = |domain: usize| order.iter().find(|at| domains[**at] != domain);
        let quiet = lost.iter().filter_map(|domain| Some(self.after.nodes[*unhurt(*domain)?].utilisation));
        let hurt = brought
            .iter()
            .filter(|((domain, node), _)| lost.contains(domain) && domains[*node as usize] != *domain);
        let hurt = hurt.map(|((_, node), cores)| {
            let at = *node as usize;
            (self.after.nodes[at].cores + cores) / self.scene.nodes[at].capacity
        });
        quiet.chain(hurt).reduce(f64::max)
    }
}
