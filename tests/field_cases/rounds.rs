//! Successive rounds: each reply is applied to the cluster the next request shows, as the shim does on Nimbus.

use ballast::wire::{Node, Request, ScalingVerdict};

use crate::scene::{Answer, Scene, check};

/// A cluster over time.
pub(crate) struct Rounds {
    request: Request,
    /// Nodes that are away, with what they offered.
    away: Vec<Node>,
    /// Seconds between two rounds.
    period: f64,
}

impl Rounds {
    /// Rounds a minute apart.
    pub(crate) fn of(scene: Scene) -> Self {
        Self { request: scene.request, away: Vec::new(), period: 60.0 }
    }

    /// Changes the cluster between two rounds.
    pub(crate) fn edit(&mut self, edit: impl FnOnce(&mut Request)) {
        edit(&mut self.request);
    }

    /// A supervisor stops or starts reporting. What ran on it while it was listed stays assigned to it.
    pub(crate) fn present(&mut self, node: &str, present: bool) {
        let listed = self.request.nodes.iter().position(|n| n.id == node);
        match (listed, present) {
            (Some(at), false) => self.away.push(self.request.nodes.remove(at)),
            (None, true) => {
                let at = self.away.iter().position(|n| n.id == node).unwrap();
                let back = Node { seen_rounds: Some(0), ..self.away.remove(at) };
                self.request.nodes.push(back);
            }
            _ => {}
        }
    }

    /// One round: time passes, the engine is asked, its plan is carried out.
    #[track_caller]
    pub(crate) fn next(&mut self) -> Answer {
        self.pass_time();
        let answer = check(&self.request);
        self.apply(&answer);
        if answer.reply.coverage.as_ref().is_some_and(|coverage| coverage.sufficient) {
            self.request.covered_rounds = self.request.covered_rounds.map(|rounds| rounds + 1);
        }
        if let Some(scaling) = answer.reply.scaling.as_ref().filter(|s| s.verdict != ScalingVerdict::Unknown)
        {
            let low = self.request.low_rounds.unwrap_or(0) + 1;
            self.request.low_rounds = Some(if scaling.low { low } else { 0 });
        }
        answer
    }

    /// The next rounds' answers.
    #[track_caller]
    pub(crate) fn next_many(&mut self, rounds: usize) -> Vec<Answer> {
        (0..rounds).map(|_| self.next()).collect()
    }

    fn pass_time(&mut self) {
        self.request.generation += 1;
        for node in &mut self.request.nodes {
            node.seen_rounds = node.seen_rounds.map(|rounds| rounds + 1);
        }
        for topology in &mut self.request.topologies {
            topology.last_change_secs = topology.last_change_secs.map(|secs| secs + self.period);
            for executor in &mut topology.executors {
                executor.uptime_secs = executor.uptime_secs.map(|secs| secs + self.period);
            }
        }
    }

    fn apply(&mut self, answer: &Answer) {
        for topology in &mut self.request.topologies {
            let before = answer.reply.moves.iter().filter(|step| step.topology == topology.id);
            if before.clone().any(|step| step.from.is_some()) {
                topology.last_change_secs = Some(0.0);
            }
            let touched: Vec<(String, u16)> = before
                .flat_map(|step| step.from.iter().chain([&step.to]))
                .map(|slot| (slot.node.clone(), slot.port))
                .collect();
            for executor in &mut topology.executors {
                let Some((node, port)) = answer.slot(&topology.id, executor.tasks.0).split_once(':') else {
                    continue;
                };
                executor.node = Some(node.to_owned());
                executor.port = Some(port.parse().unwrap());
                (executor.last_node, executor.last_port) = (None, None);
                if touched.iter().any(|(n, p)| n == node && Some(*p) == executor.port) {
                    executor.uptime_secs = Some(0.0);
                }
            }
        }
    }
}
