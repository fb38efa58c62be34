//! Threshold greedy: every host above its band sheds its largest groups, and the host that lacks most gets the largest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::bands::Bands;
use super::cover::cover;
use super::field::NONE;
use super::shed::{Last, largest_first, shed};
use super::state::State;
use crate::solve::Budget;

/// Receivers that are tried when the neediest one cannot take a group.
const TRIES: usize = 8;

/// Groups handed out that make one step of the budget.
const HANDED: usize = 64;

/// A greedy pass from where a state is.
pub(super) struct Greedy<'a> {
    pub(super) bands: &'a Bands,
    pub(super) last: Last,
}

impl Greedy<'_> {
    /// Brings every host it can into its band; a group leaves home only when it has somewhere to go.
    pub(super) fn run(&self, state: &mut State, budget: &mut Budget) {
        let pool = cover(self.bands, state, &self.pool(state, budget));
        let mut takers = Takers::of(self.bands, state);
        for (at, group) in pool.iter().enumerate() {
            if at % HANDED == 0 && !budget.step() {
                return;
            }
            takers.hand(state, *group);
        }
        self.fetch(state, &mut takers, budget);
    }

    /// What all hosts above their bands shed, the largest first.
    fn pool(&self, state: &State, budget: &mut Budget) -> Vec<u32> {
        let field = state.field;
        let excess = |host: &u32| state.load[*host as usize] - self.bands.0[*host as usize].high;
        let mut givers: Vec<u32> = (0..field.hosts() as u32).filter(|host| excess(host) > 0).collect();
        // The worst first, should a budget not suffice for all.
        givers.sort_by_key(|host| {
            Reverse(
                excess(host).saturating_mul(1_000_000) / field.instance.hosts[*host as usize].capacity.max(1),
            )
        });
        let mut pool = Vec::new();
        for host in givers {
            if !budget.step() {
                break;
            }
            let most = state.load[host as usize] - self.bands.0[host as usize].low;
            pool.extend(shed(field, &largest_first(state, host), excess(&host), most, self.last));
        }
        pool.sort_unstable_by_key(|group| (-field.load(*group), *group));
        pool
    }

    /// Hosts that still lack something get it from those that can spare it.
    fn fetch(&self, state: &mut State, takers: &mut Takers, budget: &mut Budget) {
        let field = state.field;
        if !takers.lack() || state.moves >= state.most_moves {
            return;
        }
        let spare = |state: &State, host: u32| state.load[host as usize] - self.bands.0[host as usize].low;
        let mut givers: BinaryHeap<(i64, Reverse<u32>)> = (0..field.hosts() as u32)
            .filter(|host| !field.at_home(*host).is_empty() && field.instance.hosts[*host as usize].listed)
            .map(|host| (spare(state, host), Reverse(host)))
            .filter(|(spare, _)| *spare > 0)
            .collect();
        let mut sorted: Vec<Option<(Vec<u32>, usize)>> = vec![None; field.hosts()];
        while let Some((_, Reverse(host))) = givers.pop()
            && takers.lack()
            && budget.step()
        {
            let left = spare(state, host);
            let (groups, next) = sorted[host as usize].get_or_insert_with(|| (largest_first(state, host), 0));
            while let Some(group) = groups.get(*next).copied() {
                *next += 1;
                let load = field.load(group);
                if load > left || load == 0 || state.is_away(group) {
                    continue;
                }
                if takers.hand(state, group) {
                    givers.push((left - load, Reverse(host)));
                }
                break;
            }
        }
    }
}

/// Hosts by what they lack, and by their room once they lack nothing.
struct Takers<'a> {
    bands: &'a Bands,
    heap: BinaryHeap<(bool, i64, Reverse<u32>)>,
}

impl<'a> Takers<'a> {
    fn of(bands: &'a Bands, state: &State) -> Self {
        let mut takers = Self { bands, heap: BinaryHeap::new() };
        takers.heap = state.field.takers.iter().map(|host| takers.need(state, *host)).collect();
        takers
    }

    fn need(&self, state: &State, host: u32) -> (bool, i64, Reverse<u32>) {
        let (range, load) = (self.bands.0[host as usize], state.load[host as usize]);
        let lacks = range.low - load;
        (lacks > 0, if lacks > 0 { lacks } else { range.high - load }, Reverse(host))
    }

    fn lack(&self) -> bool {
        self.heap.peek().is_some_and(|(lacks, ..)| *lacks)
    }

    /// Sends a group to the neediest host that can take it; false when none of those tried can.
    fn hand(&mut self, state: &mut State, group: u32) -> bool {
        let load = state.field.load(group);
        let mut passed = Vec::new();
        let mut chosen = NONE;
        while let Some(need) = self.heap.pop() {
            let host = need.2.0;
            // A host that shed since has more room than the heap knows.
            let fresh = self.need(state, host);
            if fresh != need {
                self.heap.push(fresh);
                continue;
            }
            let room = self.bands.0[host as usize].high - state.load[host as usize];
            if host != state.field.home(group) && load <= room && state.fits(group, host) {
                chosen = host;
                break;
            }
            passed.push(need);
            if passed.len() == TRIES {
                break;
            }
        }
        if chosen != NONE {
            state.send(group, chosen);
            passed.push(self.need(state, chosen));
        }
        self.heap.extend(passed);
        chosen != NONE
    }
}
