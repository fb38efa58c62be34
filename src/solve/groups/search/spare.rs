//! Takes back what a plan does not need: moves first, then bytes.

use super::Search;
use super::bands::Bands;
use super::chain::{Aim, Course};
use super::fewest::trim;
use super::state::State;
use crate::solve::Budget;
use crate::units::{Load, Share};
use crate::wire::StoppedBy;

/// Groups tried that make one step of the budget.
const TRIED: usize = 64;

/// Steps of a chain that saves bytes.
const CHAIN: i64 = 20;

impl Search<'_> {
    /// Groups go home, or where they ship less, if no goal before that suffers.
    pub(super) fn spare(&mut self, budget: &mut Budget) {
        self.state.become_like(&self.best);
        let mut away = self.state.away.clone();
        away.sort_unstable_by_key(|group| (self.field.load(*group), *group));
        for (at, group) in away.into_iter().enumerate() {
            if at % TRIED == 0 && !budget.step() {
                break;
            }
            if self.send_if_no_worse(group, self.field.home(group)) {
                continue;
            }
            let instance = self.field.instance;
            for (_, host, bytes) in instance.copies.of(group) {
                if *bytes < instance.bytes_to(group, self.state.host[group as usize]) {
                    self.send_if_no_worse(group, *host);
                }
            }
        }
        self.offer();
        self.save_bytes(budget);
    }

    /// Other groups in the place of those that move, if that ships less and brings no host farther.
    fn save_bytes(&mut self, budget: &mut Budget) {
        if !self.field.has_bytes {
            return;
        }
        self.state.become_like(&self.best);
        let bands = Bands::reached(&self.state);
        let mut part = 4;
        while part > 0 && self.score.bytes > 0 && budget.spent() == StoppedBy::Done {
            self.state.become_like(&self.best);
            self.state.most_moves = self.score.moves;
            self.state.most_bytes = self.score.bytes - (self.score.bytes >> (8 - part)).max(1);
            trim(&mut self.state, &bands);
            let course = Course { heat: self.field.average / 16, steps: self.steps(CHAIN) };
            if !self.chain(&Aim::Bands(bands.clone()), course, budget) {
                part -= 1;
            }
        }
        self.state.most_moves = self.field.instance.budget_moves;
        self.state.most_bytes = self.field.instance.budget_bytes.unwrap_or(i64::MAX);
    }

    fn send_if_no_worse(&mut self, group: u32, to: u32) -> bool {
        let from = self.state.host[group as usize];
        if from == to || !self.state.fits(group, to) {
            return false;
        }
        let before = Pair::of(&self.state, from, to);
        self.state.send(group, to);
        let fine = Pair::of(&self.state, from, to) <= before;
        if !fine {
            self.state.send(group, from);
        }
        fine
    }
}

/// The goals as far as two hosts decide them: when all others stay as they are, leximax is that of the two.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    overload: Share,
    farther: Share,
    drained: i64,
    nearer: Share,
}

impl Pair {
    fn of(state: &State, one: u32, other: u32) -> Self {
        let (mut pair, instance) = (Self::none(), state.field.instance);
        for host in [one, other] {
            let (info, load) = (&instance.hosts[host as usize], state.load[host as usize]);
            if info.draining {
                pair.drained += load;
            }
            if !info.listed {
                continue;
            }
            let mut farthest = instance.target;
            for row in state.field.rows_of(host) {
                let utilization = Load(state.load[row]).over(state.field.capacity_of(row));
                pair.overload += (utilization - instance.overload).max(Share::ZERO);
                farthest = farthest.max(utilization.distance_from(state.field.mean_of(row), info.draining));
            }
            pair.nearer = pair.nearer.max(pair.farther.min(farthest));
            pair.farther = pair.farther.max(farthest);
        }
        pair
    }

    fn none() -> Self {
        Self { overload: Share::ZERO, farther: Share::ZERO, drained: 0, nearer: Share::ZERO }
    }
}
