//! What does not change while a plan is sought.

use crate::solve::groups::{Host, Instance};
use crate::units::Share;

/// Stands for "none" among positions.
pub(super) const NONE: u32 = u32::MAX;

/// An instance with its groups by home, in flat arrays.
#[derive(Debug)]
pub(super) struct Field<'i> {
    pub(super) instance: &'i Instance,
    /// Mean utilization; no move changes it.
    pub(super) mean: Share,
    /// Hosts that groups of others may come to.
    pub(super) takers: Vec<u32>,
    /// Load of the largest group, and of the average one.
    pub(super) largest: i64,
    pub(super) average: i64,
    /// Groups differ in the bytes they ship.
    pub(super) has_bytes: bool,
    /// Slots or memory may stand against a move.
    pub(super) is_tight: bool,
    /// Groups by home: those of host h are `groups[starts[h]..starts[h + 1]]`, by position.
    groups: Vec<u32>,
    starts: Vec<u32>,
}

impl<'i> Field<'i> {
    pub(super) fn of(instance: &'i Instance) -> Self {
        let hosts = instance.hosts.len();
        let mut starts = vec![0_u32; hosts + 1];
        for home in &instance.home {
            starts[*home as usize + 1] += 1;
        }
        for host in 0..hosts {
            starts[host + 1] += starts[host];
        }
        let mut next = starts.clone();
        let mut groups = vec![0; instance.groups()];
        for (group, home) in instance.home.iter().enumerate() {
            let at = &mut next[*home as usize];
            groups[*at as usize] = group as u32;
            *at += 1;
        }
        let total: i64 = instance.load.iter().sum();
        let takers: Vec<u32> =
            (0..hosts as u32).filter(|host| takes(&instance.hosts[*host as usize])).collect();
        let most = instance.budget_moves.min(instance.groups() as u64) as i64;
        let is_tight = takers
            .iter()
            .map(|host| &instance.hosts[*host as usize])
            .any(|host| host.slots < most || (host.memory != i64::MAX && !instance.memory.is_empty()));
        Self {
            instance,
            mean: instance.mean(),
            takers,
            largest: instance.load.iter().copied().max().unwrap_or(0),
            average: total / (instance.groups() as i64).max(1),
            has_bytes: instance.bytes.iter().any(|bytes| *bytes > 0),
            is_tight,
            groups,
            starts,
        }
    }

    /// Groups whose home is a host.
    pub(super) fn at_home(&self, host: u32) -> &[u32] {
        &self.groups[self.starts[host as usize] as usize..self.starts[host as usize + 1] as usize]
    }

    /// Load of a group.
    pub(super) fn load(&self, group: u32) -> i64 {
        self.instance.load[group as usize]
    }

    /// Home of a group.
    pub(super) fn home(&self, group: u32) -> u32 {
        self.instance.home[group as usize]
    }

    /// True where a group may be for what the host takes: at home, or where groups of others may come.
    pub(super) fn may_be(&self, group: u32, host: u32) -> bool {
        self.home(group) == host || takes(&self.instance.hosts[host as usize])
    }

    /// True when a group gives others a slot by leaving its home.
    pub(super) fn leaves_slot(&self, group: u32) -> bool {
        self.instance.leaves_slot.get(group as usize).copied().unwrap_or(true)
    }

    /// True when nothing could ever be moved.
    pub(super) fn is_stuck(&self) -> bool {
        self.takers.is_empty() || self.instance.budget_moves == 0 || self.instance.groups() == 0
    }
}

/// A draining host is never a destination, whatever else is said of it.
fn takes(host: &Host) -> bool {
    host.takes && !host.draining
}
