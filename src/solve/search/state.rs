//! A placement under construction, with every sum kept up to date and a log to take steps back.

use super::field::{Field, NONE};

/// Where every touchable worker and executor is, and the sums that follow.
///
/// Two elementary steps change it: a worker goes to a node, an executor goes to a worker. Everything else is made of
/// these, so that one log undoes all.
#[derive(Debug, Clone)]
pub(super) struct State<'f> {
    pub(super) field: &'f Field<'f>,
    /// Load of every node, in millionths of a core.
    pub(super) load: Vec<i64>,
    memory: Vec<i64>,
    /// Free slots of every node.
    free: Vec<i32>,
    /// Touchable workers on every node.
    pub(super) on: Vec<Vec<u32>>,
    /// Node of every worker; `NONE` while it is not open.
    pub(super) node: Vec<u32>,
    /// Load of every worker.
    pub(super) worker_load: Vec<i64>,
    worker_memory: Vec<i64>,
    worker_heap: Vec<i64>,
    /// Executors of every worker.
    pub(super) executors: Vec<Vec<u32>>,
    /// Worker of every executor.
    pub(super) worker: Vec<u32>,
    at_node: Vec<u32>,
    at_worker: Vec<u32>,
    /// Executors a worker has that are not its own, and executors of its own that it lacks.
    foreign: Vec<u32>,
    missing: Vec<u32>,
    /// Workers that this placement restarts.
    pub(super) dirty: usize,
    /// Workers open beyond the running ones.
    pub(super) opened: usize,
    /// Bytes of state that the executors of restarted workers read again.
    pub(super) shipped: i64,
    log: Vec<Step>,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Worker { worker: u32, from: u32 },
    Executor { executor: u32, from: u32 },
}

/// A place in the log to go back to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark(usize);

impl<'f> State<'f> {
    /// The present placement.
    pub(super) fn present(field: &'f Field<'f>) -> Self {
        let workers = field.pieces.len();
        let mut state = Self {
            field,
            load: field.load.clone(),
            memory: field.memory.clone(),
            free: field.free.clone(),
            on: vec![Vec::new(); field.load.len()],
            node: vec![NONE; workers],
            worker_load: vec![0; workers],
            worker_memory: vec![0; workers],
            worker_heap: vec![0; workers],
            executors: vec![Vec::new(); workers],
            worker: field.home.clone(),
            at_node: vec![0; workers],
            at_worker: vec![0; field.home.len()],
            foreign: vec![0; workers],
            missing: vec![0; workers],
            dirty: 0,
            opened: 0,
            shipped: 0,
            log: Vec::new(),
        };
        for (at, piece) in field.pieces.iter().enumerate() {
            if let Some(slot) = piece.home {
                state.node[at] = slot.node.at() as u32;
                state.at_node[at] = state.on[slot.node.at()].len() as u32;
                state.on[slot.node.at()].push(at as u32);
            }
        }
        for (executor, worker) in field.home.iter().enumerate().filter(|(_, worker)| **worker != NONE) {
            let (worker, info) = (*worker as usize, &field.problem.executors[executor]);
            state.worker_load[worker] += info.load.0;
            state.worker_memory[worker] += info.memory().0;
            state.worker_heap[worker] += info.onheap.0;
            state.at_worker[executor] = state.executors[worker].len() as u32;
            state.executors[worker].push(executor as u32);
        }
        state
    }

    /// Load of an executor.
    pub(super) fn load_of(&self, executor: u32) -> i64 {
        self.field.problem.executors[executor as usize].load.0
    }

    /// True when a worker runs now and will be restarted.
    pub(super) fn is_dirty(&self, worker: u32) -> bool {
        let at = worker as usize;
        match self.field.pieces[at].home {
            Some(slot) => {
                self.node[at] != slot.node.at() as u32 || self.foreign[at] > 0 || self.missing[at] > 0
            }
            None => false,
        }
    }

    /// Restarts that touching a worker adds.
    pub(super) fn price(&self, worker: u32) -> usize {
        usize::from(self.field.pieces[worker as usize].home.is_some() && !self.is_dirty(worker))
    }

    /// Bytes that may still be read again.
    pub(super) fn bytes_left(&self) -> i64 {
        self.field.bytes.saturating_sub(self.shipped)
    }

    /// Bytes that restarting a worker on a node adds; of one that restarts anyway, those of its executors beyond what
    /// they read where they are.
    pub(super) fn bytes_on(&self, worker: u32, node: u32) -> i64 {
        if self.field.own.is_empty() || self.field.pieces[worker as usize].home.is_none() {
            return 0;
        }
        let executors = self.executors[worker as usize].iter();
        executors.map(|executor| self.field.shipped(*executor, node) - self.bytes(*executor)).sum()
    }

    /// True while a worker is on the node it runs on now.
    pub(super) fn is_home(&self, worker: u32) -> bool {
        let home = self.field.pieces[worker as usize].home;
        home.is_some_and(|slot| slot.node.at() as u32 == self.node[worker as usize])
    }

    /// True when an executor changes its slot.
    pub(super) fn is_displaced(&self, executor: u32) -> bool {
        let worker = self.worker[executor as usize];
        worker != self.field.home[executor as usize] || !self.is_home(worker)
    }

    /// Executors that change their slot.
    pub(super) fn displaced(&self) -> usize {
        let of = |worker: usize| {
            if self.is_home(worker as u32) {
                self.foreign[worker] as usize
            } else {
                self.executors[worker].len()
            }
        };
        (0..self.executors.len()).map(of).sum()
    }

    /// Bytes of state that executors do not find on the node they go to.
    pub(super) fn uprooted(&self) -> i64 {
        let of = |worker: usize| -> i64 {
            let Some(home) = self.field.pieces[worker].home else { return 0 };
            let away = self.field.own[worker].iter().filter(|executor| {
                self.node[self.worker[**executor as usize] as usize] as usize != home.node.at()
            });
            away.map(|executor| self.bytes(*executor)).sum()
        };
        (0..self.field.own.len()).filter(|worker| self.is_dirty(*worker as u32)).map(of).sum()
    }

    /// True when a worker may go to a node for what the node takes, its slots aside. A node that takes nothing takes
    /// its own worker back, but not with executors of others that the worker took in elsewhere.
    fn is_welcome(&self, worker: u32, node: usize) -> bool {
        let home = self.field.pieces[worker as usize].home;
        let comes_home =
            home.is_some_and(|slot| slot.node.at() == node) && self.foreign[worker as usize] == 0;
        self.field.takes[node] || comes_home
    }

    /// True when a worker may go to a free slot of a node.
    pub(super) fn fits(&self, worker: u32, node: usize) -> bool {
        self.is_welcome(worker, node)
            && (self.free[node] > 0 || self.keeps_its_slot(worker, node))
            && self.memory[node] + self.worker_memory[worker as usize] <= self.field.memory_limit[node]
    }

    /// A port to be avoided is nobody else's, so its worker can always come back to it.
    fn keeps_its_slot(&self, worker: u32, node: usize) -> bool {
        let piece = &self.field.pieces[worker as usize];
        !piece.leaves_a_slot && piece.home.is_some_and(|slot| slot.node.at() == node)
    }

    /// True when a node has a slot for a worker to be opened.
    pub(super) fn can_open_on(&self, node: usize) -> bool {
        self.field.takes[node] && self.free[node] > 0
    }

    /// True when two workers may exchange their slots.
    pub(super) fn may_swap(&self, one: u32, other: u32) -> bool {
        let (a, b) = (self.node[one as usize] as usize, self.node[other as usize] as usize);
        let (one_memory, other_memory) =
            (self.worker_memory[one as usize], self.worker_memory[other as usize]);
        let usable = |worker: u32, node: usize| {
            self.free[node] > 0 || self.field.pieces[worker as usize].leaves_a_slot || !self.is_home(worker)
        };
        self.is_welcome(one, b)
            && self.is_welcome(other, a)
            && usable(one, a)
            && usable(other, b)
            && self.memory[a] - one_memory + other_memory <= self.field.memory_limit[a]
            && self.memory[b] - other_memory + one_memory <= self.field.memory_limit[b]
    }

    /// True when an executor may go to a worker on a node at all, limits aside: where nothing is received, a worker
    /// only ever gets its own executors back.
    pub(super) fn may_hold(&self, worker: u32, node: usize, executor: u32) -> bool {
        let own = self.field.home[executor as usize] == worker && self.is_home(worker);
        own || self.field.takes[node]
    }

    /// True when a worker and its node bear so much more.
    pub(super) fn bears(&self, worker: u32, node: usize, more: Need) -> bool {
        let at = worker as usize;
        (more.heap <= 0 || self.worker_heap[at] + more.heap <= self.field.pieces[at].heap_limit)
            && (more.memory <= 0 || self.memory[node] + more.memory <= self.field.memory_limit[node])
    }

    /// True when an open worker and its node keep within their limits.
    pub(super) fn is_sound(&self, worker: u32) -> bool {
        let (at, node) = (worker as usize, self.node[worker as usize] as usize);
        self.worker_heap[at] <= self.field.pieces[at].heap_limit
            && self.memory[node] <= self.field.memory_limit[node]
            && self.executors[at].iter().all(|executor| self.may_hold(worker, node, *executor))
    }

    /// True when a node has more workers than slots.
    pub(super) fn is_crowded(&self) -> bool {
        self.free.iter().any(|free| *free < 0)
    }

    /// Sends a worker to a node, `NONE` to close it.
    pub(super) fn send(&mut self, worker: u32, to: u32) {
        let from = self.node[worker as usize];
        self.log.push(Step::Worker { worker, from });
        self.put_worker(worker, to);
    }

    /// Gives an executor to another worker of its topology.
    pub(super) fn give(&mut self, executor: u32, to: u32) {
        let from = self.worker[executor as usize];
        self.log.push(Step::Executor { executor, from });
        self.put_executor(executor, to);
    }

    /// Where the log stands.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    /// Takes every step since a mark back.
    pub(super) fn undo(&mut self, mark: Mark) {
        while self.log.len() > mark.0 {
            match self.log.pop().expect("the log is longer than the mark") {
                Step::Worker { worker, from } => self.put_worker(worker, from),
                Step::Executor { executor, from } => self.put_executor(executor, from),
            }
        }
    }

    /// Forgets the log: what was done stays done.
    pub(super) fn keep(&mut self) {
        self.log.clear();
    }

    /// Takes the workers and executors of another state of the same field.
    pub(super) fn become_like(&mut self, other: &Self) {
        // Into the memory that is there already: a large cluster has thousands of lists.
        let Self {
            field,
            load,
            memory,
            free,
            on,
            node,
            worker_load,
            worker_memory,
            worker_heap,
            executors,
            worker,
            at_node,
            at_worker,
            foreign,
            missing,
            dirty,
            opened,
            shipped,
            log: _,
        } = other;
        self.field = field;
        self.load.clone_from(load);
        self.memory.clone_from(memory);
        self.free.clone_from(free);
        self.on.clone_from(on);
        self.node.clone_from(node);
        self.worker_load.clone_from(worker_load);
        self.worker_memory.clone_from(worker_memory);
        self.worker_heap.clone_from(worker_heap);
        self.executors.clone_from(executors);
        self.worker.clone_from(worker);
        self.at_node.clone_from(at_node);
        self.at_worker.clone_from(at_worker);
        self.foreign.clone_from(foreign);
        self.missing.clone_from(missing);
        self.dirty = *dirty;
        self.opened = *opened;
        self.shipped = *shipped;
        self.log.clear();
    }

    fn put_worker(&mut self, worker: u32, to: u32) {
        let at = worker as usize;
        let was_dirty = self.is_dirty(worker);
        let was_shipped = self.shipped_around(worker);
        let from = self.node[at];
        if from != NONE {
            let node = from as usize;
            let last = self.on[node].pop().expect("a worker is on its node's list");
            if last != worker {
                let hole = self.at_node[at];
                self.on[node][hole as usize] = last;
                self.at_node[last as usize] = hole;
            }
            self.load[node] -= self.worker_load[at];
            self.memory[node] -= self.worker_memory[at];
            self.free[node] += i32::from(self.frees(worker, node));
        }
        self.node[at] = to;
        if to != NONE {
            let node = to as usize;
            self.at_node[at] = self.on[node].len() as u32;
            self.on[node].push(worker);
            self.load[node] += self.worker_load[at];
            self.memory[node] += self.worker_memory[at];
            // A swap passes through a moment with one worker more than slots; it ends within the same move.
            self.free[node] -= i32::from(self.frees(worker, node));
        }
        self.opened = self.opened + usize::from(self.is_extra(worker) && to != NONE)
            - usize::from(self.is_extra(worker) && from != NONE);
        self.count_dirty(worker, was_dirty);
        self.shipped += self.shipped_around(worker) - was_shipped;
    }

    fn is_extra(&self, worker: u32) -> bool {
        self.field.pieces[worker as usize].home.is_none()
    }

    /// True when a worker's leaving this node gives others a slot.
    fn frees(&self, worker: u32, node: usize) -> bool {
        let piece = &self.field.pieces[worker as usize];
        piece.leaves_a_slot || piece.home.is_none_or(|slot| slot.node.at() != node)
    }

    fn put_executor(&mut self, executor: u32, to: u32) {
        let from = self.worker[executor as usize];
        let home = self.field.home[executor as usize];
        let was_dirty = (self.is_dirty(from), self.is_dirty(to), self.is_dirty(home));
        let touched =
            [Some(from), Some(to).filter(|w| *w != from), Some(home).filter(|w| *w != from && *w != to)];
        let was_shipped = self.shipped_of_own(touched);
        let last = self.executors[from as usize].pop().expect("an executor is on its worker's list");
        if last != executor {
            let hole = self.at_worker[executor as usize];
            self.executors[from as usize][hole as usize] = last;
            self.at_worker[last as usize] = hole;
        }
        self.at_worker[executor as usize] = self.executors[to as usize].len() as u32;
        self.executors[to as usize].push(executor);
        self.worker[executor as usize] = to;
        let info = &self.field.problem.executors[executor as usize];
        for (worker, sign) in [(from as usize, -1), (to as usize, 1)] {
            self.worker_load[worker] += sign * info.load.0;
            self.worker_memory[worker] += sign * info.memory().0;
            self.worker_heap[worker] += sign * info.onheap.0;
            if self.node[worker] != NONE {
                self.load[self.node[worker] as usize] += sign * info.load.0;
                self.memory[self.node[worker] as usize] += sign * info.memory().0;
            }
        }
        if from == home {
            self.missing[home as usize] += 1;
        } else {
            self.foreign[from as usize] -= 1;
        }
        if to == home {
            self.missing[home as usize] -= 1;
        } else {
            self.foreign[to as usize] += 1;
        }
        self.count_dirty(from, was_dirty.0);
        self.count_dirty(to, was_dirty.1);
        if home != from && home != to {
            self.count_dirty(home, was_dirty.2);
        }
        self.shipped += self.shipped_of_own(touched) - was_shipped;
    }

    /// Bytes that an executor reads again in this placement.
    fn bytes(&self, executor: u32) -> i64 {
        let node = self.node[self.worker[executor as usize] as usize];
        let paused = node != NONE && self.is_dirty(self.field.home[executor as usize]);
        if paused { self.field.shipped(executor, node) } else { 0 }
    }

    /// Bytes of the executors that a worker had or has.
    fn shipped_around(&self, worker: u32) -> i64 {
        let Some(own) = self.field.own.get(worker as usize) else { return 0 };
        let foreign = self.executors[worker as usize].iter();
        let foreign = foreign.filter(|executor| self.field.home[**executor as usize] != worker);
        own.iter().chain(foreign).map(|executor| self.bytes(*executor)).sum()
    }

    /// Bytes of the executors that workers had.
    fn shipped_of_own(&self, workers: [Option<u32>; 3]) -> i64 {
        if self.field.own.is_empty() {
            return 0;
        }
        let own = workers.into_iter().flatten().flat_map(|worker| &self.field.own[worker as usize]);
        own.map(|executor| self.bytes(*executor)).sum()
    }

    fn count_dirty(&mut self, worker: u32, was: bool) {
        self.dirty = self.dirty + usize::from(self.is_dirty(worker)) - usize::from(was);
    }
}

/// Heap and memory that executors ask for, in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Need {
    pub(super) heap: i64,
    pub(super) memory: i64,
}

impl Need {
    pub(super) fn of(state: &State, executor: u32) -> Self {
        let info = &state.field.problem.executors[executor as usize];
        Self { heap: info.onheap.0, memory: info.memory().0 }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { heap: self.heap + other.heap, memory: self.memory + other.memory }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self { heap: self.heap - other.heap, memory: self.memory - other.memory }
    }
}
