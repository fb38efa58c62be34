//! What does not change while a plan is sought.

use crate::solve::groups::{Host, Instance};
use crate::units::{Load, Share};

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
    /// Means of the resources beside CPU, and what an amount of each is worth beside an amount of load.
    others: Vec<(Share, Price)>,
    /// Groups by home: those of host h are `groups[starts[h]..starts[h + 1]]`, by position.
    groups: Vec<u32>,
    starts: Vec<u32>,
}

/// What an amount outside a range costs: so many times the amount, shifted to the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Price {
    pub(super) weight: i64,
    pub(super) shift: u32,
}

impl Price {
    /// Of a load.
    pub(super) const LOAD: Self = Self { weight: 1, shift: 0 };

    /// Of a resource whose total capacity is worth that of the load.
    fn worth(load: i64, resource: i64) -> Self {
        const SHIFT: u32 = 16;
        let ratio = load as f64 / resource.max(1) as f64;
        if ratio >= 1.0 {
            Self { weight: ratio.round() as i64, shift: 0 }
        } else {
            Self { weight: ((ratio * f64::from(1 << SHIFT)) as i64).max(1), shift: SHIFT }
        }
    }
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
            others: others(instance),
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

    /// Number of hosts.
    pub(super) fn hosts(&self) -> usize {
        self.instance.hosts.len()
    }

    /// Rows of loads: one a host, and one more a host for every resource beside CPU.
    pub(super) fn rows(&self) -> usize {
        self.hosts() * (1 + self.others.len())
    }

    /// Rows of a host, that of the load first.
    pub(super) fn rows_of(&self, host: u32) -> impl Iterator<Item = usize> + use<> {
        (host as usize..self.rows()).step_by(self.hosts())
    }

    /// Host of a row.
    pub(super) fn host_of(&self, row: usize) -> usize {
        row % self.hosts()
    }

    /// The resource beside CPU of a row; none for the load.
    fn resource_of(&self, row: usize) -> Option<usize> {
        (row / self.hosts()).checked_sub(1)
    }

    /// Mean of the resource of a row.
    pub(super) fn mean_of(&self, row: usize) -> Share {
        self.resource_of(row).map_or(self.mean, |resource| self.others[resource].0)
    }

    /// Price of an amount of a row.
    pub(super) fn price_of(&self, row: usize) -> Price {
        self.resource_of(row).map_or(Price::LOAD, |resource| self.others[resource].1)
    }

    /// Capacity of a row.
    pub(super) fn capacity_of(&self, row: usize) -> Load {
        let host = self.host_of(row);
        Load(match self.resource_of(row) {
            None => self.instance.hosts[host].capacity,
            Some(resource) => self.instance.resources[resource].capacity[host],
        })
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

fn others(instance: &Instance) -> Vec<(Share, Price)> {
    let load: i64 = instance.hosts.iter().filter(|host| host.listed).map(|host| host.capacity).sum();
    let resources = instance.resources.iter();
    resources
        .map(|resource| {
            let listed = instance.hosts.iter().zip(&resource.capacity).filter(|(host, _)| host.listed);
            let capacity = listed.map(|(_, capacity)| *capacity).sum();
            (instance.seen_by(resource).mean(), Price::worth(load, capacity))
        })
        .collect()
}

/// A draining host is never a destination, whatever else is said of it.
fn takes(host: &Host) -> bool {
    host.takes && !host.draining
}
