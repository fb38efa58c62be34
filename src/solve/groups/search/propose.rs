//! Small changes of a plan, drawn at random: half of them at a host outside its band, half anywhere.

use super::bands::Bands;
use super::state::{Send, State};

/// Groups that change their host together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proposal {
    sends: [Send; MOST],
    count: usize,
}

/// Groups in a proposal: two that trade places, and what goes back home for them.
const MOST: usize = 5;

impl Proposal {
    pub(super) fn of(sends: &[Send]) -> Self {
        let mut proposal = Self { sends: [(0, 0); MOST], count: sends.len() };
        proposal.sends[..sends.len()].copy_from_slice(sends);
        proposal
    }

    pub(super) fn sends(&self) -> &[Send] {
        &self.sends[..self.count]
    }

    /// True when both budgets are kept after it.
    pub(super) fn is_affordable(&self, state: &State) -> bool {
        let (moves, bytes) = self.spent_after(state);
        moves <= state.most_moves && bytes <= state.most_bytes
    }

    /// What it adds to the price of moves and bytes.
    pub(super) fn price(&self, state: &State) -> i128 {
        let (moves, bytes) = self.spent_after(state);
        state.price_of(moves, bytes) - state.price()
    }

    /// Moves and bytes spent after it.
    fn spent_after(&self, state: &State) -> (u64, i64) {
        let (field, instance) = (state.field, state.field.instance);
        let (mut moves, mut bytes) = (state.moves, state.bytes);
        for (group, to) in self.sends() {
            let (home, from) = (field.home(*group), state.host[*group as usize]);
            if from == home {
                moves += instance.moves_of(*group);
            }
            if *to == home {
                moves -= instance.moves_of(*group);
            }
            if field.has_bytes {
                bytes += instance.bytes_to(*group, *to) - instance.bytes_to(*group, from);
            }
        }
        (moves, bytes)
    }

    /// What it adds outside the bands, by its price; none when a limit stands against it.
    pub(super) fn change(&self, state: &State, bands: &Bands) -> Option<i64> {
        let field = state.field;
        let mut touched = [Touched::default(); 2 * MOST];
        let mut count = 0;
        for (group, to) in self.sends() {
            if !field.may_be(*group, *to) {
                return None;
            }
            for (host, sign) in [(state.host[*group as usize], -1), (*to, 1)] {
                let known = touched[..count].iter().position(|touched| touched.host == host);
                let at = known.unwrap_or_else(|| {
                    touched[count].host = host;
                    count += 1;
                    count - 1
                });
                let touched = &mut touched[at];
                touched.load += sign * field.load(*group);
                if field.is_tight {
                    touched.memory += sign * field.instance.memory_of(*group);
                    touched.slots += sign * state.slots_of(*group, host);
                }
            }
        }
        let mut change = 0;
        for touched in &touched[..count] {
            let host = touched.host as usize;
            // Only what grows must fit: a limit that is broken already stays as it is.
            if (touched.memory > 0 && touched.memory > state.memory[host])
                || (touched.slots > 0 && touched.slots > state.slots[host])
            {
                return None;
            }
            let (range, load) = (&bands.0[host], state.load[host]);
            change += range.violation(load + touched.load) - range.violation(load);
        }
        if !field.instance.resources.is_empty() {
            change += touched[..count]
                .iter()
                .map(|touched| self.change_beside(state, bands, touched.host))
                .sum::<i64>();
        }
        Some(change)
    }

    /// What it adds outside the bands of a host in the resources beside CPU.
    fn change_beside(&self, state: &State, bands: &Bands, host: u32) -> i64 {
        let rows = state.field.rows_of(host).skip(1);
        rows.zip(&state.field.instance.resources)
            .map(|(row, resource)| {
                let brings = |(group, to): &Send| {
                    let comes = i64::from(*to == host) - i64::from(state.host[*group as usize] == host);
                    comes * resource.load[*group as usize]
                };
                let (range, used) = (&bands.0[row], state.load[row]);
                let more: i64 = self.sends().iter().map(brings).sum();
                range.violation(used + more) - range.violation(used)
            })
            .sum()
    }
}

/// What a proposal brings to a host.
#[derive(Debug, Clone, Copy, Default)]
struct Touched {
    host: u32,
    load: i64,
    memory: i64,
    slots: i64,
}

/// Where proposals come from.
pub(super) struct Propose<'a, 'f> {
    pub(super) state: &'a State<'f>,
    pub(super) bands: &'a Bands,
    /// Rows outside their bands.
    pub(super) outside: &'a [u32],
}

impl Propose<'_, '_> {
    /// A proposal within both budgets, if the draw makes one.
    pub(super) fn draw(&self, random: &mut fastrand::Rng) -> Option<Proposal> {
        let kind = random.u8(..16);
        let proposal = if kind < 8 && !self.outside.is_empty() {
            let row = self.outside[random.usize(..self.outside.len())] as usize;
            let host = self.state.field.host_of(row) as u32;
            if self.state.load[row] > self.bands.0[row].high {
                self.relieve(host, kind, random)
            } else {
                self.fill(host, kind, random)
            }
        } else {
            self.anywhere(kind & 7, random)
        }?;
        self.within_budgets(proposal, random)
    }

    /// A host has too much.
    fn relieve(&self, host: u32, kind: u8, random: &mut fastrand::Rng) -> Option<Proposal> {
        let state = self.state;
        match kind & 3 {
            0 => self.one(self.resident(host, random)?, self.taker(random)),
            1 => self.one(self.guest(host, random)?, self.taker(random)),
            2 => self.trade(self.guest(host, random)?, any(&state.away, random)?),
            _ => self.replace(any(&state.gone[host as usize], random)?, self.resident(host, random)?),
        }
    }

    /// A host lacks something.
    fn fill(&self, host: u32, kind: u8, random: &mut fastrand::Rng) -> Option<Proposal> {
        let state = self.state;
        match kind & 7 {
            0 | 1 => self.one(any(&state.away, random)?, host),
            2 | 3 => self.one(random.u32(..state.host.len() as u32), host),
            4 => self.trade(self.guest(host, random)?, any(&state.away, random)?),
            5 => {
                let gone = any(&state.gone[host as usize], random)?;
                if random.bool() {
                    self.one(gone, host)
                } else {
                    self.replace(gone, self.resident(host, random)?)
                }
            }
            6 => {
                let guest = self.guest(host, random)?;
                self.replace(guest, self.resident(state.field.home(guest), random)?)
            }
            _ => self.replace(self.guest(host, random)?, random.u32(..state.host.len() as u32)),
        }
    }

    fn anywhere(&self, kind: u8, random: &mut fastrand::Rng) -> Option<Proposal> {
        let state = self.state;
        let group = random.u32(..state.host.len() as u32);
        match kind {
            0 => self.one(group, self.taker(random)),
            1 => {
                let gone = any(&state.away, random)?;
                self.one(gone, state.field.home(gone))
            }
            2 => self.one(any(&state.away, random)?, self.taker(random)),
            3 => self.trade(any(&state.away, random)?, any(&state.away, random)?),
            4 | 5 => {
                let gone = any(&state.away, random)?;
                self.replace(gone, self.resident(state.field.home(gone), random)?)
            }
            6 => self.replace(any(&state.away, random)?, group),
            _ => self.trade(group, random.u32(..state.host.len() as u32)),
        }
    }

    /// A group goes to a host.
    fn one(&self, group: u32, to: u32) -> Option<Proposal> {
        (self.state.host[group as usize] != to).then(|| Proposal::of(&[(group, to)]))
    }

    /// Two groups trade their hosts.
    fn trade(&self, one: u32, other: u32) -> Option<Proposal> {
        let (a, b) = (self.state.host[one as usize], self.state.host[other as usize]);
        (a != b).then(|| Proposal::of(&[(one, b), (other, a)]))
    }

    /// A group goes back home, and another one goes where it was.
    fn replace(&self, gone: u32, other: u32) -> Option<Proposal> {
        let (home, at) = (self.state.field.home(gone), self.state.host[gone as usize]);
        if self.state.host[other as usize] == at || other == gone {
            return None;
        }
        Some(Proposal::of(&[(gone, home), (other, at)]))
    }

    fn taker(&self, random: &mut fastrand::Rng) -> u32 {
        let takers = &self.state.field.takers;
        takers[random.usize(..takers.len())]
    }

    fn guest(&self, host: u32, random: &mut fastrand::Rng) -> Option<u32> {
        any(&self.state.guests[host as usize], random)
    }

    /// A group that is at home on a host.
    fn resident(&self, host: u32, random: &mut fastrand::Rng) -> Option<u32> {
        any(self.state.field.at_home(host), random).filter(|group| !self.state.is_away(*group))
    }

    /// Takes groups back home until the budgets are kept.
    fn within_budgets(&self, mut proposal: Proposal, random: &mut fastrand::Rng) -> Option<Proposal> {
        let state = self.state;
        while !proposal.is_affordable(state) {
            let gone = any(&state.away, random)?;
            let known = proposal.sends().iter().any(|(group, _)| *group == gone);
            if known || proposal.count == MOST {
                return None;
            }
            proposal.sends[proposal.count] = (gone, state.field.home(gone));
            proposal.count += 1;
        }
        Some(proposal)
    }
}

fn any(list: &[u32], random: &mut fastrand::Rng) -> Option<u32> {
    if list.is_empty() { None } else { Some(list[random.usize(..list.len())]) }
}
