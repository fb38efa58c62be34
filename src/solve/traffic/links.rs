//! What workers send each other, and which of their executors talk.

use super::field::NONE;
use super::score;
use crate::model::{ExecutorIx, Problem, WHOLE, Worker};
use crate::units::Rate;

/// Traffic with another group, or with workers of a host that may not move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::solve) struct Link {
    /// The other group; `NONE` for workers that stay.
    pub(in crate::solve) group: u32,
    /// The host of those that stay.
    pub(in crate::solve) host: u32,
    /// Traffic both ways, in thousandths of a tuple a second.
    pub(in crate::solve) rate: i64,
    /// Some of their executors talk, as ALBIC scores it.
    pub(in crate::solve) talks: bool,
}

/// A group's parts of a stream.
#[derive(Debug, Clone, Copy)]
pub(in crate::solve) struct Part {
    pub(in crate::solve) stream: u32,
    pub(in crate::solve) sends: i64,
    pub(in crate::solve) receives: i64,
}

/// A stream as far as it does not hang on the groups.
#[derive(Debug)]
pub(in crate::solve) struct Estimated {
    /// All of its traffic.
    pub(in crate::solve) rate: Rate,
    /// Hosts, and what workers there that stay send and receive; a host may be named more than once.
    pub(in crate::solve) stays: Vec<(u32, [i64; 2])>,
    /// Part of it kept in workers wherever they are, of `WHOLE` x `WHOLE`: local-or-shuffle beside a receiver.
    pub(in crate::solve) local: i64,
}

/// Traffic of groups.
#[derive(Debug)]
pub(in crate::solve) struct Links {
    pairs: Vec<Link>,
    pair_starts: Vec<u32>,
    parts: Vec<Part>,
    part_starts: Vec<u32>,
    /// Streams of the problem.
    pub(in crate::solve) streams: Vec<Estimated>,
}

impl Links {
    /// Traffic of the groups; all other workers stay where they are.
    pub(in crate::solve) fn of(problem: &Problem, groups: &[Worker]) -> Self {
        let mut group_of = vec![NONE; problem.executors.len()];
        for (at, worker) in groups.iter().enumerate() {
            worker.executors.iter().for_each(|executor| group_of[executor.at()] = at as u32);
        }
        let mut links = Self {
            pairs: Vec::new(),
            pair_starts: Vec::new(),
            parts: Vec::new(),
            part_starts: Vec::new(),
            streams: Vec::new(),
        };
        links.add_pairs(problem, groups.len(), &group_of);
        links.add_streams(problem, groups.len(), &group_of);
        links
    }

    /// Traffic with others, by group and host of the others.
    pub(in crate::solve) fn pairs(&self, group: u32) -> &[Link] {
        &self.pairs[span(&self.pair_starts, group)]
    }

    /// Parts of streams.
    pub(in crate::solve) fn parts(&self, group: u32) -> &[Part] {
        &self.parts[span(&self.part_starts, group)]
    }

    fn add_pairs(&mut self, problem: &Problem, groups: usize, group_of: &[u32]) {
        let talks = score::talking(problem);
        let mut all: Vec<(u32, Link)> = Vec::with_capacity(2 * problem.traffic.pairs.len());
        let host = |executor: ExecutorIx| problem.present.slot(executor).map(|slot| slot.node.at() as u32);
        for (pair, talks) in problem.traffic.pairs.iter().zip(talks) {
            for (one, other) in [(pair.from, pair.to), (pair.to, pair.from)] {
                let (own, group) = (group_of[one.at()], group_of[other.at()]);
                let stays = if group == NONE { host(other) } else { Some(NONE) };
                if let Some(host) = stays.filter(|_| own != NONE && own != group) {
                    all.push((own, Link { group, host, rate: pair.rate.0, talks }));
                }
            }
        }
        all.sort_unstable();
        all.dedup_by(|next, held| {
            let same = (held.0, held.1.group, held.1.host) == (next.0, next.1.group, next.1.host);
            if same {
                held.1.rate += next.1.rate;
                held.1.talks |= next.1.talks;
            }
            same
        });
        self.pair_starts = starts(groups, all.iter().map(|(group, _)| *group));
        self.pairs = all.into_iter().map(|(_, link)| link).collect();
    }

    fn add_streams(&mut self, problem: &Problem, groups: usize, group_of: &[u32]) {
        let mut all: Vec<(u32, Part)> = Vec::new();
        for (at, stream) in problem.traffic.streams.iter().enumerate() {
            // By worker first: those that stay have a slot for a name.
            let mut by_worker: Vec<(u32, u32, u16, [i64; 2])> = Vec::new();
            for (side, list) in [&stream.senders, &stream.receivers].into_iter().enumerate() {
                for (executor, part) in list {
                    let Some(slot) = problem.present.slot(*executor) else { continue };
                    let mut parts = [0; 2];
                    parts[side] = *part;
                    by_worker.push((group_of[executor.at()], slot.node.at() as u32, slot.port, parts));
                }
            }
            by_worker.sort_unstable();
            let mut stays: Vec<(u32, [i64; 2])> = Vec::new();
            let mut local = 0;
            for worker in by_worker.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
                let [mut sends, mut receives] = [0, 0];
                for (.., parts) in worker {
                    (sends, receives) = (sends + parts[0], receives + parts[1]);
                }
                if stream.local_first && receives > 0 {
                    local += std::mem::take(&mut sends) * WHOLE;
                }
                let (group, host, ..) = worker[0];
                if group == NONE {
                    stays.push((host, [sends, receives]));
                } else {
                    all.push((group, Part { stream: at as u32, sends, receives }));
                }
            }
            self.streams.push(Estimated { rate: stream.rate, stays, local });
        }
        all.sort_by_key(|(group, part)| (*group, part.stream));
        self.part_starts = starts(groups, all.iter().map(|(group, _)| *group));
        self.parts = all.into_iter().map(|(_, part)| part).collect();
    }
}

fn span(starts: &[u32], group: u32) -> std::ops::Range<usize> {
    starts[group as usize] as usize..starts[group as usize + 1] as usize
}

/// Where the entries of each group begin; `sorted` has the group of every entry.
fn starts(groups: usize, sorted: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; groups + 1];
    for group in sorted {
        starts[group as usize + 1] += 1;
    }
    for at in 0..groups {
        starts[at + 1] += starts[at];
    }
    starts
}
