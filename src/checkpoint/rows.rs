//! Load that a lost domain would bring to each node: a row a domain.

/// A table of loads by domain and node. Most rows hold a handful of nodes, those of large racks nearly all.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    rows: Vec<Row>,
}

#[derive(Debug, Clone)]
enum Row {
    /// Sorted by node, and a bit for every remainder that a node in it leaves: most nodes asked for are not in it, and
    /// most of those are told by their bit alone.
    Few(Vec<(u32, i64)>, u128),
    /// By position.
    Many(Vec<i64>),
}

impl Rows {
    /// Empty rows, for so many groups a domain.
    pub(super) fn new(groups: impl Iterator<Item = usize>, nodes: usize) -> Self {
        let row = |groups| {
            if groups > nodes / 8 {
                Row::Many(vec![0; nodes])
            } else {
                Row::Few(Vec::with_capacity(groups), 0)
            }
        };
        Self { rows: groups.map(row).collect() }
    }

    /// Load from a domain on a node.
    pub(super) fn get(&self, domain: usize, node: u32) -> i64 {
        match &self.rows[domain] {
            Row::Many(row) => row[node as usize],
            Row::Few(_, bits) if bits & bit(node) == 0 => 0,
            Row::Few(row, _) => row.binary_search_by_key(&node, |entry| entry.0).map_or(0, |at| row[at].1),
        }
    }

    /// Adds load, which may be negative.
    pub(super) fn add(&mut self, domain: usize, node: u32, load: i64) {
        match &mut self.rows[domain] {
            Row::Many(row) => row[node as usize] += load,
            Row::Few(row, bits) => match row.binary_search_by_key(&node, |entry| entry.0) {
                Ok(at) => row[at].1 += load,
                Err(at) => {
                    row.insert(at, (node, load));
                    *bits |= bit(node);
                }
            },
        }
    }

    /// Nodes with load from a domain.
    pub(super) fn of(&self, domain: usize) -> Box<dyn Iterator<Item = (u32, i64)> + '_> {
        match &self.rows[domain] {
            Row::Few(row, _) => Box::new(row.iter().copied().filter(|(_, load)| *load != 0)),
            Row::Many(row) => Box::new((0_u32..).zip(row.iter().copied()).filter(|(_, load)| *load != 0)),
        }
    }

    /// Number of domains.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}

/// The bit of a node.
fn bit(node: u32) -> u128 {
    1 << (node % u128::BITS)
}
