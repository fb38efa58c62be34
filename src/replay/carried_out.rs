//! A plan carried out on the request that it answers.

use std::collections::BTreeMap;

use crate::wire::{Reply, Request, TaskRange};

/// Puts the executors of a request where a plan's assignments want them.
pub fn carry_out(request: &mut Request, reply: &Reply) {
    for assignment in &reply.assignments {
        let topology = request.topologies.iter_mut().find(|topology| topology.id == assignment.topology);
        let Some(topology) = topology else { continue };
        let slots: BTreeMap<TaskRange, (&str, u16)> = assignment
            .workers
            .iter()
            .flat_map(|worker| worker.executors.iter().map(|e| (*e, (worker.node.as_str(), worker.port))))
            .collect();
        for executor in &mut topology.executors {
            let slot = slots.get(&executor.tasks);
            executor.node = slot.map(|(node, _)| (*node).to_owned());
            executor.port = slot.map(|(_, port)| *port);
        }
    }
}
