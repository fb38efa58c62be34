//! What is given: hosts, groups, and what moving a group costs.

use crate::units::{Load, Share};

/// A node as far as the balance goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Host {
    /// Capacity in millionths of a core; positive unless the host is not listed.
    pub capacity: i64,
    /// Load that stays whatever is decided, in millionths of a core.
    pub fixed: i64,
    /// Groups of others may come.
    pub takes: bool,
    /// To be emptied (the paper's kill = 1): it counts only above the mean, and its capacity not at all.
    pub draining: bool,
    /// Takes part in the balance. A host that does not is neither too full nor too empty; its load is not in the mean.
    pub listed: bool,
    /// Free slots for groups of others, beside those that the groups here leave when they go.
    pub slots: i64,
    /// Memory in bytes left beside all groups that are here now; `i64::MAX` where there is no limit, and never negative:
    /// a limit already broken may not get worse.
    pub memory: i64,
}

/// The papers' problem, in dense numbers.
///
/// Vectors named of the groups have an entry a group, or are empty where all entries would be the default given.
#[derive(Debug, Clone, Default)]
pub struct Instance {
    /// The nodes.
    pub hosts: Vec<Host>,
    /// g_k: load of every group in millionths of a core, not negative.
    pub load: Vec<i64>,
    /// a_k: position of the host every group is on.
    pub home: Vec<u32>,
    /// Moves that a group away from home counts; 1 where empty. A partition of three key groups counts 3.
    pub moves: Vec<u32>,
    /// m_k: bytes shipped when a group moves; 0 where empty.
    pub bytes: Vec<i64>,
    /// What a move is worth beside the bytes it ships, in bytes, once the target is reached; none: more than all bytes.
    pub move_price: Option<i64>,
    /// m_ki: hosts where a group's move ships less than `bytes`, because a checkpoint lies there.
    pub copies: Copies,
    /// Memory of every group in bytes; 0 where empty.
    pub memory: Vec<i64>,
    /// Whether a group's slot is of use to others once it has left; true where empty.
    pub leaves_slot: Vec<bool>,
    /// Moves the groups away from home may count together.
    pub budget_moves: u64,
    /// Bytes they may ship together; none means no limit.
    pub budget_bytes: Option<i64>,
    /// Resources beside CPU that are balanced like it.
    pub resources: Vec<Resource>,
    /// Load distance that is good enough: from here on fewer moves count more.
    pub target: Share,
    /// Utilization above which a host is overloaded.
    pub overload: Share,
}

/// A resource beside CPU, in millionths of its unit.
#[derive(Debug, Clone)]
pub struct Resource {
    /// Capacity of every host, positive on listed ones.
    pub capacity: Vec<i64>,
    /// What stays on every host whatever is decided.
    pub fixed: Vec<i64>,
    /// What every group uses.
    pub load: Vec<i64>,
}

/// Exceptions to what a move costs, by group.
#[derive(Debug, Clone, Default)]
pub struct Copies {
    /// Sorted by group and host: group, host, bytes shipped when the group moves there.
    entries: Vec<(u32, u32, i64)>,
}

impl Copies {
    /// From entries in any order; of two for one group and host the cheaper one counts.
    pub fn new(mut entries: Vec<(u32, u32, i64)>) -> Self {
        entries.sort_unstable();
        entries.dedup_by_key(|(group, host, _)| (*group, *host));
        Self { entries }
    }

    /// Hosts with a copy of a group, and the bytes shipped when it moves there.
    pub fn of(&self, group: u32) -> &[(u32, u32, i64)] {
        let from = self.entries.partition_point(|(known, _, _)| *known < group);
        let to = from + self.entries[from..].partition_point(|(known, _, _)| *known == group);
        &self.entries[from..to]
    }

    /// True where no group has any.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Instance {
    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.load.len()
    }

    /// Moves that a group away from home counts.
    pub fn moves_of(&self, group: u32) -> u64 {
        self.moves.get(group as usize).map_or(1, |moves| u64::from(*moves))
    }

    /// Bytes shipped when a group is on a host; none are at home.
    pub fn bytes_to(&self, group: u32, host: u32) -> i64 {
        if self.home[group as usize] == host {
            return 0;
        }
        let full = self.bytes.get(group as usize).copied().unwrap_or(0);
        if self.copies.is_empty() {
            return full;
        }
        let copies = self.copies.of(group);
        copies.binary_search_by_key(&host, |copy| copy.1).map_or(full, |at| copies[at].2.min(full))
    }

    /// Fewest bytes that a group ships wherever it goes.
    pub fn least_bytes(&self, group: u32) -> i64 {
        let full = self.bytes.get(group as usize).copied().unwrap_or(0);
        self.copies.of(group).iter().map(|copy| copy.2).min().map_or(full, |copy| copy.min(full))
    }

    /// Memory of a group in bytes.
    pub fn memory_of(&self, group: u32) -> i64 {
        self.memory.get(group as usize).copied().unwrap_or(0)
    }

    /// The instance as if a resource beside CPU were the load and nothing else mattered.
    pub fn seen_by(&self, resource: &Resource) -> Self {
        let mut seen = Self { load: resource.load.clone(), resources: Vec::new(), ..self.clone() };
        for (host, (capacity, fixed)) in
            seen.hosts.iter_mut().zip(resource.capacity.iter().zip(&resource.fixed))
        {
            (host.capacity, host.fixed) = (*capacity, *fixed);
        }
        seen
    }

    /// Load of every host at present.
    pub fn present(&self) -> Vec<i64> {
        let mut loads: Vec<i64> = self.hosts.iter().map(|host| host.fixed).collect();
        for (home, load) in self.home.iter().zip(&self.load) {
            loads[*home as usize] += load;
        }
        loads
    }

    /// Load of all listed hosts over the capacity of those that are not draining; no move changes it.
    pub fn mean(&self) -> Share {
        let present = self.present();
        let listed = || self.hosts.iter().zip(&present).filter(|(host, _)| host.listed);
        let capacity: i64 = listed().filter(|(host, _)| !host.draining).map(|(host, _)| host.capacity).sum();
        let load: i64 = listed().map(|(_, load)| *load).sum();
        if capacity > 0 { Load(load).over(Load(capacity)) } else { Share::ZERO }
    }

    /// Load distance when every group is on the host given: of all resources the largest.
    pub fn load_distance(&self, hosts: &[u32]) -> Share {
        let others = self.resources.iter().map(|resource| self.seen_by(resource).load_distance(hosts));
        others.fold(self.distance_of_load(hosts), Share::max)
    }

    fn distance_of_load(&self, hosts: &[u32]) -> Share {
        let mut loads: Vec<i64> = self.hosts.iter().map(|host| host.fixed).collect();
        for (host, load) in hosts.iter().zip(&self.load) {
            loads[*host as usize] += load;
        }
        self.distance_of(&loads, self.mean())
    }

    /// Load distance of the loads of all hosts: the largest |u_i - mean|, of a draining host only what lies above.
    pub(super) fn distance_of(&self, loads: &[i64], mean: Share) -> Share {
        let listed = self.hosts.iter().zip(loads).filter(|(host, _)| host.listed);
        let distances = listed
            .map(|(host, load)| Load(*load).over(Load(host.capacity)).distance_from(mean, host.draining));
        distances.max().unwrap_or(Share::ZERO)
    }

    /// Moves that the hosts given count.
    pub fn moved(&self, hosts: &[u32]) -> u64 {
        let away = (0..self.groups()).filter(|group| hosts[*group] != self.home[*group]);
        away.map(|group| self.moves_of(group as u32)).sum()
    }
}
