//! The answer: nodes for the copies of every group.

use super::Instance;

/// Stands for "nowhere".
pub const NONE: u32 = u32::MAX;

/// Nodes for the copies of every group, r a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    copies: usize,
    slots: Vec<u32>,
}

/// What an allocation ships, beside the copies there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shipped {
    /// Bytes of copies that lay nowhere.
    pub missing: i64,
    /// Bytes of copies that lay elsewhere.
    pub moved: i64,
}

impl Allocation {
    /// No copy anywhere.
    pub fn empty(instance: &Instance) -> Self {
        Self { copies: instance.copies, slots: vec![NONE; instance.copies * instance.groups()] }
    }

    /// The copies that lie where they may, as many of each group as are wanted, and nothing else.
    pub fn kept(instance: &Instance) -> Self {
        let mut kept = Self::empty(instance);
        for group in 0..instance.groups() {
            let mut slot = 0;
            for node in instance.present.of(group) {
                if slot < instance.copies && kept.may_lie(instance, group, *node) {
                    kept.set(group, slot, *node);
                    slot += 1;
                }
            }
        }
        kept
    }

    /// Nodes of a group's copies, the restart target first; [`NONE`] where one lies nowhere.
    pub fn of(&self, group: usize) -> &[u32] {
        &self.slots[group * self.copies..(group + 1) * self.copies]
    }

    /// Nodes of a group's copies, without those that lie nowhere.
    pub fn placed(&self, group: usize) -> impl Iterator<Item = u32> + '_ {
        self.of(group).iter().copied().filter(|node| *node != NONE)
    }

    /// Where a group restarts when its home is lost; none when it has no copy.
    pub fn target(&self, group: usize) -> Option<u32> {
        self.of(group).first().copied().filter(|node| *node != NONE)
    }

    /// Puts a copy somewhere, whatever the limits.
    pub fn set(&mut self, group: usize, slot: usize, node: u32) {
        self.slots[group * self.copies + slot] = node;
    }

    /// True when a copy of a group beside its others may lie on a node, as far as domains go.
    pub fn may_lie(&self, instance: &Instance, group: usize, node: u32) -> bool {
        instance.nodes[node as usize].takes
            && !instance.fall_together(node, instance.home[group])
            && self.placed(group).all(|other| !instance.fall_together(node, other))
    }

    /// Copies of a group that do not lie there yet.
    pub(super) fn fresh(&self, instance: &Instance, group: usize) -> i64 {
        let present = instance.present.of(group);
        self.placed(group).filter(|node| !present.contains(node)).count() as i64
    }

    /// What it ships.
    pub fn shipped(&self, instance: &Instance) -> Shipped {
        let kept = Self::kept(instance);
        (0..instance.groups()).fold(Shipped::default(), |sum, group| {
            let missing = (self.copies - kept.placed(group).count()) as i64;
            let fresh = self.fresh(instance, group);
            let state = instance.state[group];
            Shipped {
                missing: sum.missing + state * fresh.min(missing),
                moved: sum.moved + state * (fresh - missing).max(0),
            }
        })
    }
}
