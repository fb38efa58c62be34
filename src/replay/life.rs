//! A policy's own placement, carried from window to window.

use std::collections::{BTreeMap, BTreeSet};

use super::recorded::workers;
use crate::wire::{Executor, Request, TaskRange, Topology};

/// A node and a port.
type Slot = (String, u16);

/// Where a policy has put executors, by topology id.
#[derive(Debug, Default)]
pub(super) struct Life {
    /// Sorted by task.
    slots: BTreeMap<String, Vec<(TaskRange, Slot)>>,
    /// When the policy last restarted a worker.
    restarted: BTreeMap<(String, Slot), i64>,
}

impl Life {
    /// Puts the executors of a window where the policy has them: those it knows where it left them, others where the
    /// recording has them. Where that cannot be, the node being gone or the slot another's by now, they are homeless.
    pub(super) fn move_in(&mut self, request: &mut Request, at: i64) {
        let here: BTreeSet<&str> = request.topologies.iter().map(|topology| topology.id.as_str()).collect();
        self.slots.retain(|id, _| here.contains(id.as_str()));
        self.restarted.retain(|(id, _), _| here.contains(id.as_str()));
        let nodes: BTreeSet<&str> = request.nodes.iter().map(|node| node.id.as_str()).collect();
        let mut taken: BTreeMap<Slot, String> = BTreeMap::new();
        for (id, known) in &self.slots {
            taken.extend(known.iter().map(|(_, slot)| (slot.clone(), id.clone())));
        }
        for topology in &mut request.topologies {
            self.move_one_in(topology, &nodes, &mut taken, at);
        }
    }

    fn move_one_in(
        &self,
        topology: &mut Topology,
        nodes: &BTreeSet<&str>,
        taken: &mut BTreeMap<Slot, String>,
        at: i64,
    ) {
        let known = self.slots.get(&topology.id).map_or(&[][..], Vec::as_slice);
        for executor in &mut topology.executors {
            // After a rebalance the ranges are others; an executor is where one that shares a task with it was.
            let from = known.partition_point(|(tasks, _)| tasks.1 < executor.tasks.0);
            let own = known
                .get(from)
                .filter(|(tasks, _)| tasks.0 <= executor.tasks.1)
                .map(|(_, slot)| slot.clone());
            let recorded = || executor.node.clone().zip(executor.port);
            let Some(slot) = own.or_else(recorded) else { continue };
            let owner = taken.entry(slot.clone()).or_insert_with(|| topology.id.clone());
            let (node, port) = slot.clone();
            if *owner == topology.id && nodes.contains(node.as_str()) {
                (executor.node, executor.port) = (Some(node), Some(port));
                if let Some(since) = self.restarted.get(&(topology.id.clone(), slot)) {
                    let age = (at - since) as f64;
                    executor.uptime_secs = Some(executor.uptime_secs.map_or(age, |known| known.min(age)));
                }
            } else {
                (executor.node, executor.port) = (None, None);
                (executor.last_node, executor.last_port) = (Some(node), Some(port));
            }
        }
        // The state it is beside of is on its own node now.
        let home: BTreeMap<TaskRange, &str> = topology
            .executors
            .iter()
            .filter_map(|executor| Some((executor.tasks, executor.node.as_deref()?)))
            .collect();
        topology.checkpoints.retain(|copy| home.get(&copy.executor) != Some(&copy.node.as_str()));
    }

    /// Remembers where a plan has put everything, and which workers are new by it. `before` and `after` are the request of
    /// one window, the plan not yet and already carried out.
    pub(super) fn settle(&mut self, before: &Request, after: &Request, at: i64) {
        let old = workers(before);
        let new = workers(after).into_iter().filter(|(worker, executors)| old.get(worker) != Some(executors));
        self.restarted
            .extend(new.map(|((id, node, port), _)| ((id.to_owned(), (node.to_owned(), port)), at)));
        for topology in &after.topologies {
            let slot = |executor: &Executor| executor.node.clone().zip(executor.port);
            let mut slots: Vec<(TaskRange, Slot)> =
                topology.executors.iter().filter_map(|e| Some((e.tasks, slot(e)?))).collect();
            slots.sort();
            self.slots.insert(topology.id.clone(), slots);
        }
    }
}
