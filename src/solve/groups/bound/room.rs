//! Which groups fit where at all, and whether the windows leave room for everything.

use super::facts::Facts;
use super::windows::Windows;

/// The most load a single group can have and still fit on a host other than its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// The host with most room for a group that comes, and that room.
    widest: (usize, i64),
    /// Most room on the others.
    second: i64,
}

impl Room {
    /// Room beside what stays on a host whatever is decided. Negative where nothing may come.
    pub(super) fn of(facts: &Facts, windows: &Windows) -> Self {
        let mut room = Self { widest: (usize::MAX, -1), second: -1 };
        for host in 0..facts.hosts() {
            let here = on(facts, windows, host);
            if here > room.widest.1 {
                room = Self { widest: (host, here), second: room.widest.1 };
            } else {
                room.second = room.second.max(here);
            }
        }
        room
    }

    /// Heaviest load that may leave a host: there must be another with room for it.
    pub(super) fn elsewhere(&self, host: usize) -> i64 {
        if host == self.widest.0 { self.second } else { self.widest.1 }
    }
}

/// Heaviest load that may come to a host.
pub(super) fn on(facts: &Facts, windows: &Windows, host: usize) -> i64 {
    let given = &facts.instance.hosts[host];
    if given.takes { windows.high[host] - given.fixed } else { -1 }
}

/// Whether the windows leave room for all load, wherever it may go, and for the heaviest groups each.
pub(super) fn suffices(facts: &Facts, windows: &Windows) -> bool {
    let (mut least, mut most, mut total) = (0_i128, 0_i128, 0_i128);
    for (host, given) in facts.instance.hosts.iter().enumerate() {
        let load = facts.load[host];
        if given.fixed.max(windows.low[host]) > windows.high[host] {
            return false;
        }
        least += i128::from(given.fixed.max(windows.low[host]));
        most += i128::from(if given.takes { windows.high[host] } else { windows.high[host].min(load) });
        total += i128::from(load);
    }
    least <= total && total <= most && heaviest_fit(facts, windows)
}

/// Whether every group fits at home or elsewhere, looking at those that are too heavy for the host with most room.
fn heaviest_fit(facts: &Facts, windows: &Windows) -> bool {
    let room = Room::of(facts, windows);
    facts.all.loads.iter().zip(&facts.home).take_while(|(load, _)| **load > room.second).all(
        |(load, home)| {
            let home = *home as usize;
            *load <= room.elsewhere(home) || *load <= windows.high[home] - facts.instance.hosts[home].fixed
        },
    )
}
