//! Load that a lost domain would bring to each node: a row a domain.

/// A table of loads by domain and node. Most rows hold a handful of nodes, those of large racks nearly all.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    rows: Vec<Row>,
}

#[derive(Debug, Clone)]
enum Row {
    /// Sorted by node.
    Few(Vec<(u32, i64)>),
    /// By position.
    Many(Vec<i64>),
}

impl Rows {
    /// Empty rows, for so many groups a domain.
    pub(super) fn new(groups: impl Iterator<Item = usize>, nodes: usize) -> Self {
        let row = |groups| if groups > nodes / 8 { Row::Many(vec![0; nodes]) } else { Row::Few(Vec::new()) };
        Self { rows: groups.map(row).collect() }
    }

    /// Load from a domain on a node.
    pub(super) fn get(&self, domain: usize, node: u32) -> i64 {
        match &self.rows[domain] {
            Row::Many(row) => row[node as usize],
            Row::Few(row) => row.binary_search_by_key(&node, |entry| entry.0).map_or(0, |at| row[at].1),
        }
    }

    /// Adds load, which may be negative.
    pub(super) fn add(&mut self, domain: usize, node: u32, load: i64) {
        match &mut self.rows[domain] {
            Row::Many(row) => row[node as usize] += load,
            Row::Few(row) => match row.binary_search_by_key(&node, |entry| entry.0) {
                Ok(at) => row[at].1 += load,
                Err(at) => row.insert(at, (node, load)),
            },
        }
    }

    /// Nodes with load from a domain.
    pub(super) fn of(&self, domain: usize) -> Box<dyn Iterator<Item = (u32, i64)> + '_> {
        match &self.rows[domain] {
            Row::Few(row) => Box::new(row.iter().copied().filter(|(_, load)| *load != 0)),
            Row::Many(row) => Box::new((0_u32..).zip(row.iter().copied()).filter(|(_, load)| *load != 0)),
        }
    }

    /// Number of domains.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }
}
