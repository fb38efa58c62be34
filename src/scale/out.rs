//! More nodes: those that scaling drains are kept first, then new ones are asked for, and no more than help.

use super::potential::{Potential, new_node};
use super::{Advice, Scaler, count};
use crate::model::{NodeIx, NodeState};
use crate::units::{Load, Share};
use crate::wire::ScalingVerdict;

/// Peak that new nodes must at least take away to be worth asking for.
const WORTH: Share = Share(10_000_000);

impl Scaler<'_> {
    /// What to do when the best plan leaves a node above the limit, or an executor without a slot.
    pub(super) fn decide_out(&self, best: &Potential) -> Advice {
        let peak = best.peak();
        let short = self.shortage(best);
        let kept = self.kept(best);
        if !kept.is_empty() {
            let with = self.potential(|problem| keep(problem, &kept));
            if with.fits(self.settings) {
                let because = format!(
                    "{short}; keeping {}, which is being drained, brings the fullest node to {}",
                    self.names(&kept),
                    with.peak()
                );
                return Advice { keep: kept, ..Advice::new(ScalingVerdict::Out, peak, because) };
            }
        }
        let drained = self.scaled_in();
        let fewest = self.fewest_new(&drained);
        for nodes in [fewest, fewest + fewest / 2 + 1] {
            let with = self.potential(|problem| {
                keep(problem, &drained);
                add(problem, nodes, self.node_size());
            });
            let helps = with.reached.homeless < best.reached.homeless || with.peak() + WORTH <= peak;
            let last = nodes > fewest;
            if with.fits(self.settings) || (last && helps) {
                return self.ask_for(nodes, drained, peak, &short, &with);
            }
            if last {
                let because = format!("{short}; more nodes do not help: {}", heaviest(&with));
                return Advice::new(ScalingVerdict::None, peak, because);
            }
        }
        unreachable!("the second number of nodes is the last")
    }

    fn ask_for(&self, nodes: usize, keep: Vec<usize>, peak: Share, short: &str, with: &Potential) -> Advice {
        let kept = if keep.is_empty() { String::new() } else { format!("keep {} and ", self.names(&keep)) };
        let mut because = format!(
            "{short}: {kept}add {} of {} cores, which brings the mean to {} and the fullest node to {}",
            count(nodes, "node"),
            self.node_size().cores(),
            with.reached.mean,
            with.peak()
        );
        if !with.fits(self.settings) {
            because = format!("{because}; for less, {}", heaviest(with));
        }
        let out = Advice::new(ScalingVerdict::Out, peak, because);
        Advice { nodes: nodes as u32, keep, ..out }
    }

    /// What is wrong with the best plan.
    fn shortage(&self, best: &Potential) -> String {
        match best.reached.homeless {
            0 => format!("the balanced plan peaks at {}, above {}", best.peak(), self.limit()),
            n => format!("{} have no slot", count(n, "executor")),
        }
    }

    /// Nodes that scaling drains, those that still hold most first: keeping them saves most restarts.
    fn scaled_in(&self) -> Vec<usize> {
        let nodes = &self.problem.nodes;
        let drains = |at: &usize| nodes[*at].scaled_in && nodes[*at].state == NodeState::Draining;
        let mut drained: Vec<usize> = (0..nodes.len()).filter(drains).collect();
        drained.sort_by_key(|at| (std::cmp::Reverse(self.demand.loads[*at]), *at));
        drained
    }

    /// The fewest of them that bring the mean down far enough; all where not even they do.
    fn kept(&self, best: &Potential) -> Vec<usize> {
        let mut drained = self.scaled_in();
        let mut capacity = best.reached.problem.lasting_capacity();
        let enough = drained.iter().position(|at| {
            capacity += self.problem.nodes[*at].capacity;
            self.demand.total.over(capacity) <= self.most_mean()
        });
        drained.truncate(enough.map_or(drained.len(), |at| at + 1));
        drained
    }

    /// The fewest new nodes that bring the mean down far enough, at least one.
    fn fewest_new(&self, kept: &[usize]) -> usize {
        let size = self.node_size().0;
        let kept: Load = kept.iter().map(|at| self.problem.nodes[*at].capacity).sum();
        let capacity = (self.problem.lasting_capacity() + kept).0;
        let needed = i128::from(self.demand.total.0) * 1_000_000_000 / i128::from(self.most_mean().0.max(1));
        let lacking = (needed - i128::from(capacity)).max(0) as i64;
        (lacking / size + i64::from(lacking % size > 0)).max(1) as usize
    }
}

fn keep(problem: &mut crate::model::Problem, nodes: &[usize]) {
    for at in nodes {
        problem.nodes[*at].state = NodeState::Active;
    }
}

fn add(problem: &mut crate::model::Problem, nodes: usize, capacity: Load) {
    for number in 1..=nodes {
        let node = new_node(problem, number, capacity);
        // Beside CPU a new node has as much as the best of those in use, as it has their slots and memory.
        for resource in &mut problem.resources {
            let in_use = problem.nodes.iter().zip(&resource.capacity).filter(|(node, _)| node.state.lasts());
            let most = in_use.map(|(_, capacity)| *capacity).max();
            // Where nothing lasts, what is being drained shows how large nodes are.
            let most = most.or_else(|| resource.capacity.iter().copied().max());
            resource.capacity.push(most.expect("a resource is one that some node offers"));
        }
        problem.nodes.push(node);
    }
}

/// Why the fullest node of a plan cannot be helped by another node: one executor or one worker is too much for it.
fn heaviest(plan: &Potential) -> String {
    let problem = &plan.reached.problem;
    let Some(at) = plan.reached.fullest() else { return "no node is listed".to_owned() };
    let (node, limit) = (&problem.nodes[at], problem.limits.overload);
    let load = |worker: &crate::model::Worker| -> Load {
        worker.executors.iter().map(|executor| problem.executor(*executor).load).sum()
    };
    let workers = problem.present.workers(problem);
    let here = workers.iter().filter(|worker| worker.slot.node == NodeIx::from_at(at));
    let Some(worker) = here.max_by_key(|worker| (load(worker), std::cmp::Reverse(worker.slot))) else {
        return "every node has the slots it needs".to_owned();
    };
    let topology = problem.topology(worker.topology);
    let alone =
        worker.executors.iter().max_by_key(|executor| (problem.executor(**executor).load, **executor));
    let alone = problem.executor(*alone.expect("a worker has executors"));
    if alone.load.over(node.capacity) > limit {
        let component = &problem.components[alone.component.at()].id;
        return format!(
            "one executor of {}/{component} alone takes {} of {}: the component needs more executors",
            topology.id, alone.load, node.capacity
        );
    }
    if load(worker).over(node.capacity) > limit {
        return format!(
            "one worker of {0} alone takes {1} of {2}: {0} needs more than {3} workers",
            topology.id,
            load(worker),
            node.capacity,
            topology.workers
        );
    }
    let free: usize = super::potential::free_slots(problem).into_iter().sum();
    format!(
        "memory or the size of its workers keeps load on {}, with {} free elsewhere",
        node.name,
        count(free, "slot")
    )
}
