//! Cheapest sets of groups by their load, on a grid.

/// What no set costs: there is none. Prices add up to no more than that, which only makes them lower bounds of the true
/// sums; sixteen bits hold eight prices a register of every processor, and those of a host seldom need more.
pub(super) const NONE: i16 = i16::MAX;

/// A group on the grid: its load lies from `steps` to `steps` + 1 cells, or is just `steps` where `exact`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) steps: usize,
    pub(super) exact: bool,
    /// Of either sign.
    pub(super) price: i16,
}

impl Item {
    /// A load in cells of a size.
    pub(super) fn new(load: i64, cell: i64, price: i16) -> Self {
        Self { steps: (load / cell) as usize, exact: load % cell == 0, price }
    }
}

/// The least price of a set of items for every load, by dynamic programming.
///
/// Entry w bounds from below the price of every set whose load, rounded down to cells, is w: an item may count for the
/// cells on either side of it, so that a set finds its own load among what is counted.
#[derive(Debug, Default)]
pub(super) struct Knapsack {
    items: Vec<Item>,
    cells: usize,
    /// A layer for every number of items looked at, one after the other.
    layers: Vec<i16>,
}

impl Knapsack {
    /// Fills all layers for other items and cells.
    pub(super) fn fill(&mut self, items: impl Iterator<Item = Item>, cells: usize) {
        self.items.clear();
        self.items.extend(items);
        self.cells = cells;
        // Layers of an earlier filling are written over before they are read.
        self.layers.resize((self.items.len() + 1) * cells, NONE);
        self.layers[..cells].fill(NONE);
        self.layers[0] = 0;
        for (at, item) in self.items.iter().enumerate() {
            let (done, rest) = self.layers.split_at_mut((at + 1) * cells);
            add(*item, &done[at * cells..], &mut rest[..cells]);
        }
    }

    /// Least price by load, over all items.
    pub(super) fn least(&self) -> &[i16] {
        self.layer(self.items.len())
    }

    /// Whether some set may be cheaper than sixteen bits can say, so that nothing is a bound. Least prices never rise
    /// from layer to layer, hence it shows in the last.
    pub(super) fn overflows(&self) -> bool {
        self.least().contains(&i16::MIN)
    }

    /// Positions of the items of a cheapest set with a load.
    pub(super) fn set(&self, load: usize, mut each: impl FnMut(usize)) {
        let mut at = load;
        for item in (0..self.items.len()).rev() {
            let (before, price) = (self.layer(item), self.layer(item + 1)[at]);
            if before[at] == price {
                continue;
            }
            let Item { steps, price: own, .. } = self.items[item];
            each(item);
            at -= if at >= steps && before[at - steps].saturating_add(own) == price {
                steps
            } else {
                steps + 1
            };
        }
    }

    fn layer(&self, at: usize) -> &[i16] {
        &self.layers[at * self.cells..(at + 1) * self.cells]
    }
}

/// One more layer: each load without the item or with it.
fn add(item: Item, without: &[i16], with: &mut [i16]) {
    let Item { steps, exact, price } = item;
    if steps >= without.len() {
        with.copy_from_slice(without);
        return;
    }
    with[..steps].copy_from_slice(&without[..steps]);
    let shifted = &without[..without.len() - steps];
    with[steps] = without[steps].min(shifted[0].saturating_add(price));
    let rest = with[steps + 1..].iter_mut().zip(&without[steps + 1..]);
    if exact {
        for ((with, without), at) in rest.zip(&shifted[1..]) {
            *with = (*without).min(at.saturating_add(price));
        }
    } else {
        for (((with, without), at), below) in rest.zip(&shifted[1..]).zip(shifted) {
            *with = (*without).min((*at).min(*below).saturating_add(price));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_finds_its_own_load_and_the_set_found_has_the_price() {
        let loads = [37, 20, 5, 11, 48, 60];
        let prices = [3, -1, 4, 1, 5, 9];
        let mut knapsack = Knapsack::default();
        knapsack.fill(loads.iter().zip(prices).map(|(load, price)| Item::new(*load, 10, price)), 20);
        for set in 0_usize..64 {
            let within = |at: &usize| set >> at & 1 == 1;
            let load: i64 = (0..6).filter(within).map(|at| loads[at]).sum();
            let price: i16 = (0..6).filter(within).map(|at| prices[at]).sum();
            let Some(least) = knapsack.least().get((load / 10) as usize) else { continue };
            assert!(*least <= price, "set {set:b}: {least} for {price}");
        }
        for (load, least) in knapsack.least().iter().enumerate().filter(|(_, least)| **least < NONE) {
            let mut price = 0;
            knapsack.set(load, |at| price += prices[at]);
            assert_eq!(price, *least, "load {load}");
        }
    }
}
