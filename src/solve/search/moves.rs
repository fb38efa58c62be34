//! Moves that take load from one node and bring it to another.

use super::deal::{Deal, Pair, Wanted, deal};
use super::field::NONE;
use super::state::State;
use crate::solve::band::Band;

/// A change that a plan is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Move {
    /// A worker goes to a free slot of a node.
    Relocate { worker: u32, to: usize },
    /// Two workers exchange their nodes.
    Swap { one: u32, other: u32 },
    /// Executors change hands between two workers of a topology.
    Exchange { giver: u32, taker: u32, deal: Deal },
    /// A worker is opened on a node with executors of another.
    Open { giver: u32, worker: u32, to: usize, deal: Deal },
}

/// A move and what it is worth.
#[derive(Debug, Clone)]
pub(super) struct Offer {
    pub(super) step: Move,
    /// Nodes that give and take.
    pub(super) nodes: (usize, usize),
    /// Load it brings back into the band, by its price.
    pub(super) cut: i64,
    /// Restarts it adds.
    pub(super) price: usize,
    /// Executors it carries.
    pub(super) carried: usize,
}

/// A cut per restart. A move inside what restarts anyway is worth twenty times its cut, not infinitely much, so that a
/// small free gain does not keep a large paid one waiting for ever.
fn worth(cut: i64, price: usize) -> i64 {
    cut.saturating_mul(20 * SCALE) / (20 * price as i64 + 1)
}

/// Scale of a worth, of which a noisy search takes from 8 to 16.
const SCALE: i64 = 16;

/// The best of all offers.
pub(super) struct Best<'r> {
    /// Chance that disturbs the worth of a move.
    noise: Option<&'r mut fastrand::Rng>,
    /// Violation that a restart must at least cut.
    least_cut: i64,
    worth: i64,
    found: Option<Offer>,
}

impl<'r> Best<'r> {
    pub(super) fn new(noise: Option<&'r mut fastrand::Rng>, least_cut: i64) -> Self {
        Self { noise, least_cut, worth: 0, found: None }
    }

    /// False when no offer of this cut and price can be the best.
    fn can_win(&self, cut: i64, price: usize) -> bool {
        cut > 0 && cut >= self.least_cut.saturating_mul(price as i64) && worth(cut, price) >= self.worth
    }

    fn consider(&mut self, offer: Offer) {
        if !self.can_win(offer.cut, offer.price) {
            return;
        }
        let mut worth = worth(offer.cut, offer.price);
        if let Some(random) = self.noise.as_deref_mut() {
            worth = worth / SCALE * random.i64(8..=16);
        }
        let fewer = |held: &Offer| worth == self.worth && offer.carried < held.carried;
        if worth > self.worth || self.found.as_ref().is_none_or(fewer) {
            self.worth = worth;
            self.found = Some(offer);
        }
    }

    pub(super) fn found(self) -> Option<Offer> {
        self.found
    }
}

/// The best move from one node to another within the restarts left, by cut per restart.
pub(super) struct Between<'a, 'f> {
    pub(super) state: &'a State<'f>,
    pub(super) band: &'a Band,
    pub(super) giver: usize,
    pub(super) taker: usize,
    pub(super) restarts_left: usize,
}

impl Between<'_, '_> {
    /// Offers the useful moves. The cheap kind comes first, so that the dear ones are only worked out where they can
    /// still win.
    pub(super) fn offer_to(&self, best: &mut Best) {
        let wanted = self.wanted();
        let most = self.cut(wanted.0);
        if !best.can_win(most, 0) {
            return;
        }
        let workers = &self.state.on[self.giver];
        for worker in workers {
            self.relocations(*worker, best);
        }
        for worker in workers {
            let own = self.state.price(*worker);
            if own <= self.restarts_left && best.can_win(most, own) {
                self.swaps(*worker, most, best);
                self.deals(*worker, wanted, most, best);
            }
        }
    }

    /// True when so many more bytes may be read again. Where there is no limit they are not counted.
    fn may_ship(&self, bytes: impl FnOnce() -> i64) -> bool {
        self.state.field.bytes == i64::MAX || bytes() <= self.state.bytes_left()
    }

    /// Violation that moving this much load between the two nodes takes away.
    fn cut(&self, amount: i64) -> i64 {
        let (state, band) = (self.state, self.band);
        let (from, to) = (state.load[self.giver], state.load[self.taker]);
        band.violation(self.giver, from) - band.violation(self.giver, from - amount)
            + band.violation(self.taker, to)
            - band.violation(self.taker, to + amount)
    }

    /// Amounts that cut most: between the second and the third of the four loads at which one of the two nodes enters
    /// or leaves its band, since each of them lowers the slope by one, from two to minus two.
    fn wanted(&self) -> Wanted {
        let (from, to) = (self.state.load[self.giver], self.state.load[self.taker]);
        let (giver, taker) = (self.giver, self.taker);
        let mut ends = [
            from - self.band.high[giver],
            from - self.band.low[giver],
            self.band.low[taker] - to,
            self.band.high[taker] - to,
        ];
        ends.sort_unstable();
        Wanted(ends[1].max(1), ends[2].max(1))
    }

    fn relocations(&self, worker: u32, best: &mut Best) {
        let state = self.state;
        let price = state.price(worker);
        let ships = || state.bytes_on(worker, self.taker as u32);
        if price > self.restarts_left || !state.fits(worker, self.taker) || !self.may_ship(ships) {
            return;
        }
        let carried = state.executors[worker as usize].len();
        let cut = self.cut(state.worker_load[worker as usize]);
        if cut > 0 {
            best.consider(Offer {
                step: Move::Relocate { worker, to: self.taker },
                cut,
                price,
                carried,
                nodes: (self.giver, self.taker),
            });
        }
    }

    fn swaps(&self, one: u32, most: i64, best: &mut Best) {
        let state = self.state;
        let own = state.price(one);
        for other in &state.on[self.taker] {
            let amount = state.worker_load[one as usize] - state.worker_load[*other as usize];
            let price = own + state.price(*other);
            if amount <= 0 || price > self.restarts_left || !best.can_win(most, price) {
                continue;
            }
            let cut = self.cut(amount);
            let ships = || state.bytes_on(one, self.taker as u32) + state.bytes_on(*other, self.giver as u32);
            if best.can_win(cut, price) && self.may_ship(ships) && state.may_swap(one, *other) {
                let carried = state.executors[one as usize].len() + state.executors[*other as usize].len();
                best.consider(Offer {
                    step: Move::Swap { one, other: *other },
                    cut,
                    price,
                    carried,
                    nodes: (self.giver, self.taker),
                });
            }
        }
    }

    fn deals(&self, giver: u32, wanted: Wanted, most: i64, best: &mut Best) {
        let state = self.state;
        let own = state.price(giver);
        if state.executors[giver as usize].len() < 2 {
            return;
        }
        let topology = state.field.pieces[giver as usize].topology;
        let mut may_open = state.can_open_on(self.taker);
        for partner in &state.field.by_topology[topology] {
            let node = state.node[*partner as usize];
            let price = own + state.price(*partner);
            let opens = node == NONE && may_open;
            let here = opens || node == self.taker as u32;
            if *partner == giver || !here || price > self.restarts_left || !best.can_win(most, price) {
                continue;
            }
            // Workers that are not open yet are all alike: one of them stands for the rest.
            may_open &= !opens;
            // Executors that change hands may find less of their state than where they are; whoever applies it looks.
            let restart = |worker: u32, node: usize| match state.price(worker) {
                0 => 0,
                _ => state.bytes_on(worker, node as u32),
            };
            if !self.may_ship(|| restart(giver, self.giver) + restart(*partner, self.taker)) {
                continue;
            }
            let pair = Pair { giver, taker: *partner, node: self.taker };
            let Some(deal) = deal(state, pair, wanted) else { continue };
            let cut = self.cut(deal.amount);
            let carried = deal.there.len() + deal.back.len();
            if cut > 0 {
                let step = if opens {
                    Move::Open { giver, worker: *partner, to: self.taker, deal }
                } else {
                    Move::Exchange { giver, taker: *partner, deal }
                };
                best.consider(Offer { step, cut, price, carried, nodes: (self.giver, self.taker) });
            }
        }
    }
}

/// Carries a move out.
pub(super) fn apply(state: &mut State, step: &Move) {
    match step {
        Move::Relocate { worker, to } => state.send(*worker, *to as u32),
        Move::Swap { one, other } => {
            let (a, b) = (state.node[*one as usize], state.node[*other as usize]);
            state.send(*one, b);
            state.send(*other, a);
        }
        Move::Exchange { giver, taker, deal } => hand_over(state, *giver, *taker, deal),
        Move::Open { giver, worker, to, deal } => {
            state.send(*worker, *to as u32);
            hand_over(state, *giver, *worker, deal);
        }
    }
}

fn hand_over(state: &mut State, giver: u32, taker: u32, deal: &Deal) {
    for executor in &deal.there {
        state.give(*executor, taker);
    }
    for executor in &deal.back {
        state.give(*executor, giver);
    }
}
