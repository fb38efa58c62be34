//! The planner of groups on a cluster with copies: where a copy lies a move ships the delta, elsewhere all of the state.

use std::time::Duration;

use crate::checkpoint::{Allocation, Instance, Present, roles_changed};
use crate::solve::Budget;
use crate::solve::groups::{self, Copies, Host};

/// Steps of a plan. They and not the clock end it, so that every row can be made again.
const STEPS: u64 = 20_000;

/// No plan takes so long.
const TIME: Duration = Duration::from_secs(600);

/// What a restart is worth, in bytes.
const RESTART: i64 = 10_000_000;

/// Whether the planner knows of the copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// A move to a copy ships the delta.
    Aware,
    /// Every move ships all of the state.
    Blind,
}

/// A plan, and what it takes.
pub(super) struct Plan {
    /// Node of every group.
    pub(super) hosts: Vec<u32>,
    /// Load distance reached, as a fraction of capacity.
    pub(super) distance: f64,
    pub(super) moves: u64,
    pub(super) bytes: i64,
}

/// The planner's problem: the tolerated distance with no limit to what it takes.
pub(super) fn problem(instance: &Instance, allocation: &Allocation, sight: Sight) -> groups::Instance {
    let copies =
        |group: usize| allocation.placed(group).map(move |node| (group as u32, node, instance.delta[group]));
    groups::Instance {
        hosts: instance
            .nodes
            .iter()
            .map(|node| Host {
                capacity: node.capacity,
                fixed: 0,
                takes: node.takes,
                draining: false,
                listed: node.listed,
                slots: i64::MAX / 4,
                memory: i64::MAX,
            })
            .collect(),
        load: instance.load.clone(),
        home: instance.home.clone(),
        bytes: instance.state.clone(),
        copies: match sight {
            Sight::Aware => Copies::new((0..instance.groups()).flat_map(copies).collect()),
            Sight::Blind => Copies::default(),
        },
        budget_moves: u64::MAX / 4,
        move_price: Some(RESTART),
        target: instance.distance,
        overload: crate::units::Share::ONE,
        ..groups::Instance::default()
    }
}

/// Plans.
pub(super) fn plan(problem: &groups::Instance) -> Plan {
    let bound = groups::bound(problem);
    let hosts = groups::solve(problem, bound, &mut Budget::new(STEPS, TIME));
    Plan {
        distance: problem.load_distance(&hosts).fraction(),
        moves: problem.moved(&hosts),
        bytes: (0_u32..).zip(&hosts).map(|(group, host)| problem.bytes_to(group, *host)).sum(),
        hosts,
    }
}

/// Carries a plan out: a group that moves to a copy swaps roles with it, and its old home keeps a copy in any case.
pub(super) fn carry_out(instance: &mut Instance, allocation: &Allocation, hosts: &[u32]) {
    let mut present = Present::default();
    for (group, host) in hosts.iter().enumerate() {
        let (home, load) = (instance.home[group], instance.load[group]);
        let left = (*host != home).then_some(home);
        present.push(&roles_changed(allocation.placed(group), *host, left));
        if left.is_some() {
            instance.nodes[home as usize].load -= load;
            instance.nodes[*host as usize].load += load;
            instance.home[group] = *host;
        }
    }
    instance.present = present;
}
