//! Balance over partitions: section on load balance of ALBIC (ICDE 2017), with what is kept together moving as one.

use super::keep;
use crate::solve::Budget;
use crate::solve::groups::{self, Instance, Resource};
use crate::solve::traffic::{Field, Sent, State};
use crate::units::Share;

/// Times maxPL is lowered before every group goes by itself.
const LOWERED: u32 = 3;

/// A plan that balances: partitions as large as maxPL at first, then smaller ones while the load distance it reaches is
/// above maxLD. The best of them.
pub(super) fn balance(field: &Field, budget: &mut Budget) -> Vec<Sent> {
    let mut state = State::at_home(field);
    let mut best: Option<((Share, i64), Vec<Sent>)> = None;
    let mut tried = 0;
    for lowered in 0..=LOWERED {
        let most = if lowered == LOWERED { 0 } else { field.problem.limits.partition_load_max.0 >> lowered };
        let partitions = keep::partitions(field, Share(most));
        // The same partitions would give the same plan.
        if std::mem::replace(&mut tried, partitions.len()) == partitions.len() {
            continue;
        }
        let instance = united(field.instance(), &partitions);
        let hosts = groups::solve(&instance, groups::bound(&instance), budget);
        state.become_like(&[]);
        carry_out(&mut state, &partitions, &hosts);
        let distance = field.instance().load_distance(&state.host).max(field.instance().target);
        let key = (distance, state.violation);
        if best.as_ref().is_none_or(|(held, _)| key < *held) {
            best = Some((key, state.plan()));
        }
        if distance <= field.instance().target {
            break;
        }
    }
    best.map_or_else(Vec::new, |(_, plan)| plan)
}

/// The instance whose groups are the partitions.
fn united(instance: &Instance, partitions: &[Vec<u32>]) -> Instance {
    let sum = |of: &dyn Fn(u32) -> i64| -> Vec<i64> {
        partitions.iter().map(|partition| partition.iter().map(|group| of(*group)).sum()).collect()
    };
    Instance {
        hosts: instance.hosts.clone(),
        load: sum(&|group| instance.load[group as usize]),
        home: partitions.iter().map(|partition| instance.home[partition[0] as usize]).collect(),
        moves: sum(&|group| instance.moves_of(group) as i64).into_iter().map(|moves| moves as u32).collect(),
        // A checkpoint makes a move cheaper than what is reckoned with here.
        bytes: if instance.bytes.is_empty() {
            Vec::new()
        } else {
            sum(&|group| instance.bytes[group as usize])
        },
        memory: sum(&|group| instance.memory_of(group)),
        leaves_slot: Vec::new(),
        copies: groups::Copies::default(),
        resources: instance
            .resources
            .iter()
            .map(|resource| Resource {
                load: sum(&|group| resource.load[group as usize]),
                ..resource.clone()
            })
            .collect(),
        ..*instance
    }
}

/// Sends the partitions to their hosts, as far as slots suffice: the balance knows one slot a partition.
fn carry_out(state: &mut State, partitions: &[Vec<u32>], hosts: &[u32]) {
    let homes = &state.field.instance().home;
    let mut waiting: Vec<Sent> = partitions
        .iter()
        .zip(hosts)
        .flat_map(|(partition, host)| partition.iter().map(|group| (*group, *host)))
        .filter(|(group, host)| homes[*group as usize] != *host)
        .collect();
    // One group may leave the slot that another one takes.
    loop {
        let before = waiting.len();
        waiting.retain(|(group, host)| {
            let fits = state.fits(*group, *host);
            if fits {
                state.send(*group, *host);
            }
            !fits
        });
        if waiting.len() == before {
            break;
        }
    }
}
