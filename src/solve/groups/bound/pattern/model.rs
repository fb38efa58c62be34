//! One price a group, and what all hosts cost at those prices.

use super::super::facts::Facts;
use super::super::room::{self, Room};
use super::super::windows::Windows;
use super::host::{Gain, Incoming, Settled};
use super::knapsack::{Item, Knapsack, NONE};
use crate::units::Share;

/// What the average group costs, in the whole numbers of prices, and the largest size of a price.
const AVERAGE: f64 = 1024.0;
const LARGEST: f64 = 8192.0;

/// Cells computed at most for one sum over all hosts, and cells that a grid has at least.
const WORK: usize = 16_000_000;
const CELLS: usize = 256;

/// Groups beyond which no grid is worth its time.
pub(in super::super) const MOST_GROUPS: usize = WORK / CELLS;

/// What groups cost together against what may be spent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spending {
    /// A whole budget of moves counts this much, and so does
    pub(super) moves: f64,
    /// one of bytes.
    pub(super) bytes: f64,
}

/// Groups, their costs and prices. All vectors of groups are host by host.
pub(super) struct Model<'f> {
    facts: &'f Facts<'f>,
    starts: Vec<usize>,
    load: Vec<i64>,
    cost: Vec<i16>,
    /// What leaving costs; coming costs the rest of the cost. Of either sign.
    pub(super) leaving: Vec<f64>,
    /// What may be spent, in the unit of the costs.
    pub(super) budget: f64,
    /// Load of one cell.
    cell: i64,
    /// Cells of what comes to the host that can take most.
    cells: usize,
    /// Heaviest load that may leave each host.
    may_leave: Vec<i64>,
    incoming: Incoming,
    come: Knapsack,
    leave: Knapsack,
    /// Least prices of what leaves, host by host, of the hosts that need looking at.
    outgoing: Vec<i16>,
    looked_at: Vec<(usize, std::ops::Range<usize>)>,
}

impl<'f> Model<'f> {
    /// Prices for distances up to `widest` on a grid of so many cells, fewer where there are many groups; none where
    /// there are too many groups for a grid worth its time.
    pub(super) fn new(facts: &'f Facts<'f>, spending: Spending, widest: Share, cells: usize) -> Option<Self> {
        let instance = facts.instance;
        let mut order: Vec<u32> =
            (0..instance.groups() as u32).filter(|group| instance.load[*group as usize] > 0).collect();
        order.sort_by_key(|group| instance.home[*group as usize]);
        let moves = spending.moves / (instance.budget_moves.max(1) as f64);
        let bytes = spending.bytes / (instance.budget_bytes.unwrap_or(1).max(1) as f64);
        let cost = |group: &u32| {
            moves * instance.moves_of(*group) as f64 + bytes * instance.least_bytes(*group) as f64
        };
        let sum: f64 = order.iter().map(cost).sum();
        let scale = AVERAGE * order.len() as f64 / sum;
        let windows = Windows::around(instance, facts.mean, widest);
        let room = Room::of(facts, &windows);
        // A host outside the balance that takes groups could take all of them: no grid holds that.
        if instance.hosts.iter().any(|host| host.takes && !host.listed) {
            return None;
        }
        let most = (0..facts.hosts()).map(|host| room::on(facts, &windows, host)).max()?;
        let cells = cells.min(WORK / order.len().max(1));
        if cells < CELLS || most <= 0 || !scale.is_finite() {
            return None;
        }
        let cell = most / cells as i64 + 1;
        let mut starts = vec![0; facts.hosts() + 1];
        for group in &order {
            starts[instance.home[*group as usize] as usize + 1] += 1;
        }
        for host in 1..starts.len() {
            starts[host] += starts[host - 1];
        }
        Some(Self {
            facts,
            starts,
            load: order.iter().map(|group| instance.load[*group as usize]).collect(),
            cost: order
                .iter()
                .map(|group| (cost(group) * scale * (1.0 + 1e-12)).floor().min(LARGEST) as i16)
                .collect(),
            leaving: vec![0.0; order.len()],
            // A little more than it is, since the costs are rounded in floating point.
            budget: (spending.moves + spending.bytes) * scale * (1.0 + 1e-9),
            cell,
            cells: (most / cell) as usize + 1,
            may_leave: (0..facts.hosts()).map(|host| room.elsewhere(host)).collect(),
            incoming: Incoming::default(),
            come: Knapsack::default(),
            leave: Knapsack::default(),
            outgoing: Vec::new(),
            looked_at: Vec::new(),
        })
    }

    /// Charges a part of its cost for leaving to every group on a host that must give, and nothing to others.
    pub(super) fn divide(&mut self, distance: Share, part: f64) {
        let windows = Windows::around(self.facts.instance, self.facts.mean, distance);
        for host in 0..self.facts.hosts() {
            let (excess, _) = windows.demand(host, self.facts.load[host]);
            for at in self.starts[host]..self.starts[host + 1] {
                self.leaving[at] = if excess > 0 { part * f64::from(self.cost[at]) } else { 0.0 };
            }
        }
    }

    /// What all hosts cost at least to be within a distance, at the present prices; infinite where one cannot be.
    /// `slope` becomes, for every group, how that changes with its price of leaving.
    pub(super) fn cost_of(&mut self, distance: Share, slope: &mut Vec<f64>) -> f64 {
        let windows = Windows::around(self.facts.instance, self.facts.mean, distance);
        slope.clear();
        slope.resize(self.load.len(), 0.0);
        let (load, cost, leaving, cell) = (&self.load, &self.cost, &self.leaving, self.cell);
        let leaves = |at: usize| leaving[at].round().clamp(-LARGEST, LARGEST) as i16;
        let coming = |at: usize| cost[at] - leaves(at);
        let items = (0..load.len()).map(|at| Item::new(load[at], cell, coming(at)));
        self.come.fill(items, self.cells);
        if self.come.overflows() {
            return f64::NEG_INFINITY;
        }
        self.incoming.set(self.come.least());
        let all_cost = (0..load.len()).all(|at| coming(at) >= 0);
        self.outgoing.clear();
        self.looked_at.clear();
        let mut sum = 0.0;
        for host in 0..self.facts.hosts() {
            let range = self.starts[host]..self.starts[host + 1];
            let idle = windows.demand(host, self.facts.load[host]) == (0, 0);
            if idle && all_cost && leaving[range.clone()].iter().all(|price| *price >= 0.0) {
                continue;
            }
            let movable: i64 = load[range.clone()].iter().sum();
            let price = |at: usize| match load[at] <= self.may_leave[host] {
                true => leaves(at),
                false => NONE,
            };
            let items = range.clone().map(|at| Item::new(load[at], cell, price(at)));
            self.leave.fill(items, (movable / cell) as usize + 1);
            let settled = self.settle(&windows, host, self.leave.least());
            if self.leave.overflows() || settled.price == i16::MIN {
                return f64::NEG_INFINITY;
            }
            if settled.price < NONE {
                self.leave.set(settled.out, |at| slope[range.start + at] += 1.0);
                self.come.set(settled.into, |at| slope[at] -= 1.0);
            }
            sum += f64::from(settled.price);
            let first = self.outgoing.len();
            self.outgoing.extend_from_slice(self.leave.least());
            self.looked_at.push((host, first..self.outgoing.len()));
        }
        sum
    }

    /// The same for a larger distance, at the prices of the last call.
    pub(super) fn cost_of_wider(&self, distance: Share) -> f64 {
        let windows = Windows::around(self.facts.instance, self.facts.mean, distance);
        let each = self.looked_at.iter();
        each.map(|(host, range)| f64::from(self.settle(&windows, *host, &self.outgoing[range.clone()]).price))
            .sum()
    }

    fn settle(&self, windows: &Windows, host: usize, out: &[i16]) -> Settled {
        let load = self.facts.load[host];
        let gain = Gain::between(windows.low[host] - load, windows.high[host] - load, self.cell);
        self.incoming.settle(out, gain, self.facts.instance.hosts[host].takes)
    }
}
