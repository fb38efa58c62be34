//! Where every group is, with every sum kept up to date.

use super::field::{Field, NONE};
use crate::solve::groups::Instance;

/// A group and the host it goes to.
pub(super) type Send = (u32, u32);

/// The hosts of all groups, and the sums that follow.
#[derive(Debug)]
pub(super) struct State<'f> {
    pub(super) field: &'f Field<'f>,
    /// Host of every group.
    pub(super) host: Vec<u32>,
    /// Load of every host, and then what is used of each resource beside CPU on every host: the rows of the field.
    pub(super) load: Vec<i64>,
    /// Memory left on every host.
    pub(super) memory: Vec<i64>,
    /// Slots left on every host.
    pub(super) slots: Vec<i64>,
    /// Groups away from home, in no order that matters.
    pub(super) away: Vec<u32>,
    /// Groups away from home by the host they are on.
    pub(super) guests: Vec<Vec<u32>>,
    /// Groups away from home by their home.
    pub(super) gone: Vec<Vec<u32>>,
    /// Positions of a group in these three lists, while it is away.
    at: Vec<[u32; 3]>,
    /// Moves spent.
    pub(super) moves: u64,
    /// Bytes spent.
    pub(super) bytes: i64,
    /// Moves that may be spent: the budget, or less while a cheaper plan is sought.
    pub(super) most_moves: u64,
    /// Bytes that may be spent.
    pub(super) most_bytes: i64,
}

impl<'f> State<'f> {
    /// Every group at home.
    pub(super) fn at_home(field: &'f Field<'f>) -> Self {
        let instance = field.instance;
        let hosts = instance.hosts.len();
        Self {
            field,
            host: instance.home.clone(),
            load: present(instance),
            memory: instance.hosts.iter().map(|host| host.memory).collect(),
            slots: instance.hosts.iter().map(|host| host.slots).collect(),
            away: Vec::new(),
            guests: vec![Vec::new(); hosts],
            gone: vec![Vec::new(); hosts],
            at: vec![[NONE; 3]; instance.groups()],
            moves: 0,
            bytes: 0,
            most_moves: instance.budget_moves,
            most_bytes: instance.budget_bytes.unwrap_or(i64::MAX),
        }
    }

    /// True while a group is not at home.
    pub(super) fn is_away(&self, group: u32) -> bool {
        self.host[group as usize] != self.field.home(group)
    }

    /// Sends a group to a host, whatever the limits.
    pub(super) fn send(&mut self, group: u32, to: u32) {
        let from = self.host[group as usize];
        if from == to {
            return;
        }
        let instance = self.field.instance;
        let (home, load, memory) =
            (self.field.home(group), self.field.load(group), instance.memory_of(group));
        self.bytes += instance.bytes_to(group, to) - instance.bytes_to(group, from);
        for (host, sign) in [(from, -1), (to, 1)] {
            self.load[host as usize] += sign * load;
            for (at, resource) in instance.resources.iter().enumerate() {
                self.load[(at + 1) * self.field.hosts() + host as usize] +=
                    sign * resource.load[group as usize];
            }
            if memory > 0 && instance.hosts[host as usize].memory != i64::MAX {
                self.memory[host as usize] -= sign * memory;
            }
            self.slots[host as usize] -= sign * self.slots_of(group, host);
        }
        let [in_away, in_guests, in_gone] = self.at[group as usize];
        if from == home {
            self.moves += instance.moves_of(group);
            self.at[group as usize][0] = push(&mut self.away, group);
            self.at[group as usize][2] = push(&mut self.gone[home as usize], group);
        } else if let Some(last) = remove(&mut self.guests[from as usize], in_guests) {
            self.at[last as usize][1] = in_guests;
        }
        if to == home {
            self.moves -= instance.moves_of(group);
            if let Some(last) = remove(&mut self.away, in_away) {
                self.at[last as usize][0] = in_away;
            }
            if let Some(last) = remove(&mut self.gone[home as usize], in_gone) {
                self.at[last as usize][2] = in_gone;
            }
        } else {
            self.at[group as usize][1] = push(&mut self.guests[to as usize], group);
        }
        self.host[group as usize] = to;
    }

    /// Slots a group takes on a host: none at home where it keeps one that is of no use to others.
    pub(super) fn slots_of(&self, group: u32, host: u32) -> i64 {
        i64::from(host != self.field.home(group) || self.field.leaves_slot(group))
    }

    /// True when a group fits on another host within all limits and both budgets.
    pub(super) fn fits(&self, group: u32, to: u32) -> bool {
        let instance = self.field.instance;
        let bytes = instance.bytes_to(group, to) - instance.bytes_to(group, self.host[group as usize]);
        let moves = if self.is_away(group) { 0 } else { instance.moves_of(group) };
        self.field.may_be(group, to)
            && self.slots[to as usize] >= self.slots_of(group, to)
            && self.memory[to as usize] >= instance.memory_of(group)
            && (to == self.field.home(group) || self.moves + moves <= self.most_moves)
            && (bytes <= 0 || self.bytes + bytes <= self.most_bytes)
    }

    /// What moves and bytes cost together, in bytes.
    pub(super) fn price(&self) -> i128 {
        self.price_of(self.moves, self.bytes)
    }

    /// The same of any.
    pub(super) fn price_of(&self, moves: u64, bytes: i64) -> i128 {
        // Without a price no bytes outweigh a move.
        const MOST: i64 = i64::MAX / 2;
        let price = self.field.instance.move_price.unwrap_or(MOST);
        i128::from(moves) * i128::from(price) + i128::from(bytes)
    }

    /// The groups away from home and where they are.
    pub(super) fn plan(&self) -> Vec<Send> {
        self.away.iter().map(|group| (*group, self.host[*group as usize])).collect()
    }

    /// Puts exactly the groups of a plan away from home.
    pub(super) fn become_like(&mut self, plan: &[Send]) {
        while let Some(group) = self.away.last().copied() {
            self.send(group, self.field.home(group));
        }
        for (group, host) in plan {
            self.send(*group, *host);
        }
    }
}

fn present(instance: &Instance) -> Vec<i64> {
    let mut rows = instance.present();
    for resource in &instance.resources {
        rows.extend(instance.seen_by(resource).present());
    }
    rows
}

fn push(list: &mut Vec<u32>, group: u32) -> u32 {
    list.push(group);
    list.len() as u32 - 1
}

/// Takes an entry out; returned is the one that took its position, if it was not the last.
fn remove(list: &mut Vec<u32>, at: u32) -> Option<u32> {
    list.swap_remove(at as usize);
    list.get(at as usize).copied()
}
