//! Filling one node with executors of one topology: which ones, and in which workers.

use super::room::{Room, Tier, Worker};
use crate::model::{ExecutorIx, NodeIx, TopologyIx};
use crate::units::{Load, Size};

/// Executors of one component that wait; they all demand the same.
#[derive(Debug)]
pub(super) struct Kind {
    /// Last first.
    pub(super) waiting: Vec<ExecutorIx>,
    pub(super) total: usize,
    pub(super) cpu: Load,
    pub(super) heap: Size,
    pub(super) memory: Size,
}

impl Kind {
    /// Nothing that waits.
    pub(super) fn none() -> Self {
        Self { waiting: Vec::new(), total: 0, cpu: Load::ZERO, heap: Size::ZERO, memory: Size::ZERO }
    }
}

/// Executors of one topology that wait, by component, and the groups that belong together.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) topology: TopologyIx,
    pub(super) kinds: Vec<Kind>,
    /// Positions of kinds, group by group.
    pub(super) groups: Vec<Vec<usize>>,
    /// Positions of kinds by falling heap.
    pub(super) by_heap: Vec<usize>,
    /// Positions of kinds, those side by side that should share a worker.
    pub(super) by_worker: Vec<usize>,
    pub(super) heap_max: Size,
}

/// What a node may be filled with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    pub(super) tier: Tier,
    /// Part of a node's capacity that requests may sum up to.
    pub(super) stretch: f64,
    /// A worker that would be less than this full is not opened here as long as there are other nodes.
    pub(super) full_from: f64,
    /// Workers that run already take executors in, and no worker is opened.
    pub(super) join: bool,
}

impl Batch {
    pub(super) fn is_empty(&self) -> bool {
        self.kinds.iter().all(|kind| kind.waiting.is_empty())
    }

    /// CPU and memory of all that waits.
    pub(super) fn demand(&self) -> (Load, Size) {
        let all = |of: fn(&Kind) -> i64| self.kinds.iter().map(|k| of(k) * k.waiting.len() as i64).sum();
        (Load(all(|kind| kind.cpu.0)), Size(all(|kind| kind.memory.0)))
    }

    /// Puts as much as fits on a node; true if anything did.
    pub(super) fn fill(&mut self, room: &mut Room<'_>, node: NodeIx, terms: Terms) -> bool {
        let takes_in = |worker: &&Worker| worker.opened || (terms.join && room.joinable(worker));
        let there: Vec<Worker> = room.workers_on(self.topology, node).filter(takes_in).copied().collect();
        let slots = if terms.join { 0 } else { room.free(node, terms.tier) };
        if there.is_empty() && slots == 0 {
            return false;
        }
        let chosen = self.choose(room, node, terms);
        let open: Vec<Bin> = there.iter().map(|worker| Bin::of(worker.heap)).collect();
        let mut bins = self.pack(&chosen, open.clone(), there.len() + slots, &self.by_heap);
        // Neighbors in one worker, where that costs no worker more.
        let friendly = self.pack(&chosen, open, there.len() + slots, &self.by_worker);
        if friendly.len() <= bins.len() && executors(&friendly) >= executors(&bins) {
            bins = friendly;
        }
        self.spare_thin_worker(room, node, &mut bins, there.len(), terms);
        let mut any = false;
        for (at, bin) in bins.into_iter().enumerate().filter(|(_, bin)| !bin.kinds.is_empty()) {
            any = true;
            let slot = match there.get(at) {
                Some(worker) => worker.slot,
                None => {
                    let slot = room.next_slot(node, terms.tier).expect("no more bins than free slots");
                    room.open(self.topology, slot);
                    slot
                }
            };
            for (kind, count) in bin.kinds {
                for _ in 0..count {
                    let executor = self.kinds[kind].waiting.pop().expect("no more chosen than wait");
                    room.put(executor, slot);
                }
            }
        }
        any
    }

    /// How many of each kind: of one group those that are furthest behind, so that every node gets a slice of all of
    /// it; of the groups after it those that fit as a whole.
    fn choose(&self, room: &Room<'_>, node: NodeIx, terms: Terms) -> Vec<usize> {
        let state = room.node(node);
        let extra = room.problem.node(node).capacity.0 as f64 * (terms.stretch - 1.0);
        let mut cpu = state.cpu.0.saturating_add(extra.min(i64::MAX as f64 / 4.0) as i64);
        let mut memory = state.memory.map_or(i64::MAX, |free| free.0);
        let mut chosen = vec![0; self.kinds.len()];
        let mut first = true;
        for group in &self.groups {
            let waiting = |at: &usize| self.kinds[*at].waiting.len() as i64;
            if group.iter().all(|at| waiting(at) == 0) {
                continue;
            }
            let whole_cpu: i64 = group.iter().map(|at| waiting(at) * self.kinds[*at].cpu.0).sum();
            let whole_memory: i64 = group.iter().map(|at| waiting(at) * self.kinds[*at].memory.0).sum();
            let whole = whole_cpu <= cpu && whole_memory <= memory;
            if whole {
                group.iter().for_each(|at| chosen[*at] = self.kinds[*at].waiting.len());
                (cpu, memory) = (cpu - whole_cpu, memory - whole_memory);
            } else if first {
                while let Some(at) = self.furthest_behind(group, &chosen, cpu, memory) {
                    chosen[at] += 1;
                    cpu -= self.kinds[at].cpu.0;
                    memory -= self.kinds[at].memory.0;
                }
            }
            first = false;
        }
        chosen
    }

    fn furthest_behind(&self, group: &[usize], chosen: &[usize], cpu: i64, memory: i64) -> Option<usize> {
        let fits = |at: &usize| {
            let kind = &self.kinds[*at];
            chosen[*at] < kind.waiting.len() && kind.cpu.0 <= cpu && kind.memory.0 <= memory
        };
        // Part of a kind that has a slot, counted to the middle of its next executor.
        let ahead = |at: usize| {
            let kind = &self.kinds[at];
            let placed = kind.total - kind.waiting.len() + chosen[at];
            (placed as f64 + 0.5) / kind.total as f64
        };
        group.iter().copied().filter(fits).min_by(|a, b| ahead(*a).total_cmp(&ahead(*b)).then(a.cmp(b)))
    }

    /// First fit in this order into at most so many workers; what finds none stays waiting.
    fn pack(&self, chosen: &[usize], mut bins: Vec<Bin>, most: usize, order: &[usize]) -> Vec<Bin> {
        for &at in order {
            let heap = self.kinds[at].heap;
            let mut from = 0;
            for _ in 0..chosen[at] {
                // All of a kind are alike, so a worker too full for one is too full for the next.
                while from < bins.len() && bins[from].heap + heap > self.heap_max {
                    from += 1;
                }
                if from == bins.len() {
                    if bins.len() == most || heap > self.heap_max {
                        break;
                    }
                    bins.push(Bin::of(Size::ZERO));
                }
                bins[from].add(at, heap);
            }
        }
        bins
    }

    /// Leaves the thinnest new worker out where it is better opened on another node.
    fn spare_thin_worker(&self, room: &Room<'_>, node: NodeIx, bins: &mut [Bin], there: usize, terms: Terms) {
        let placed = executors(bins);
        let waiting: usize = self.kinds.iter().map(|kind| kind.waiting.len()).sum();
        let fresh = bins.len() - there.min(bins.len());
        if placed == waiting || fresh == 0 || (fresh == 1 && room.node(node).load == Load::ZERO) {
            return;
        }
        let thinnest = bins[there..].iter_mut().min_by_key(|bin| bin.heap).expect("there is a new worker");
        if (thinnest.heap.0 as f64) < self.heap_max.0 as f64 * terms.full_from {
            thinnest.kinds.clear();
        }
    }
}

fn executors(bins: &[Bin]) -> usize {
    bins.iter().flat_map(|bin| &bin.kinds).map(|(_, count)| count).sum()
}

/// A worker in the making: positions of kinds and how many of each.
#[derive(Clone)]
struct Bin {
    heap: Size,
    kinds: Vec<(usize, usize)>,
}

impl Bin {
    fn of(heap: Size) -> Self {
        Self { heap, kinds: Vec::new() }
    }

    fn add(&mut self, kind: usize, heap: Size) {
        self.heap += heap;
        match self.kinds.last_mut() {
            Some((last, count)) if *last == kind => *count += 1,
            _ => self.kinds.push((kind, 1)),
        }
    }
}
