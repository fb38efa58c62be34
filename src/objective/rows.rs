//! The paper's problem as rows: columns, rows and choices, whatever solver reads them.
//!
//! Each term adds what it knows: [`super::Balance::rows`] the load distance, [`super::Migration::rows`] the budget,
//! [`Choices::rows`] that every unit is somewhere and that slots and memory suffice. ALBIC (ICDE 2017), with workers
//! as key groups, since a worker is what restarts.

use crate::model::{NodeIx, Problem, Worker};

/// A mixed-integer linear program to be minimized.
#[derive(Debug, Clone, Default)]
pub struct Milp {
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows.
    pub rows: Vec<Row>,
}

/// A column; continuous ones are at least zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    /// Zero or one; otherwise continuous.
    pub binary: bool,
    /// Coefficient in the objective.
    pub cost: f64,
}

/// A row: lower <= sum of weight x column <= upper.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Columns and their weights.
    pub terms: Vec<(usize, f64)>,
    /// Least value.
    pub lower: f64,
    /// Greatest value.
    pub upper: f64,
}

impl Milp {
    /// Adds a column and says where it is.
    pub fn column(&mut self, binary: bool, cost: f64) -> usize {
        self.columns.push(Column { binary, cost });
        self.columns.len() - 1
    }

    /// Adds a row.
    pub fn row(&mut self, terms: Vec<(usize, f64)>, lower: f64, upper: f64) {
        self.rows.push(Row { terms, lower, upper });
    }

    /// The objective at given values of the columns; none when a row does not hold.
    pub fn value(&self, columns: &[f64]) -> Option<f64> {
        const TOLERANCE: f64 = 1e-6;
        let holds = |row: &Row| {
            let sum: f64 = row.terms.iter().map(|(column, weight)| weight * columns[*column]).sum();
            row.lower - TOLERANCE <= sum && sum <= row.upper + TOLERANCE
        };
        let sum = || self.columns.iter().zip(columns).map(|(column, value)| column.cost * value).sum();
        self.rows.iter().all(holds).then(sum)
    }
}

/// A worker that may go to another node, and its columns x_ik.
#[derive(Debug, Clone)]
pub struct Unit {
    /// The worker.
    pub worker: Worker,
    /// Nodes it may be on, its own among them, and the column that says so.
    pub on: Vec<(NodeIx, usize)>,
}

/// All units of a problem.
#[derive(Debug, Clone)]
pub struct Choices {
    /// Units by slot.
    pub units: Vec<Unit>,
}

impl Choices {
    /// One column for every worker that may move and every node it may be on.
    pub fn of(problem: &Problem, milp: &mut Milp) -> Self {
        let workers = problem.present.workers(problem).into_iter().filter(|worker| problem.may_move(worker));
        let units = workers
            .map(|worker| {
                let home = worker.slot.node;
                let nodes = problem.node_ids().filter(|ix| *ix == home || problem.node(*ix).takes_moves());
                let on = nodes.map(|ix| (ix, milp.column(true, 0.0))).collect();
                Unit { worker, on }
            })
            .collect();
        Self { units }
    }

    /// Columns of the units on a node, each with a weight that depends on the unit.
    pub fn on_node(&self, node: NodeIx, weight: impl Fn(&Unit) -> f64) -> Vec<(usize, f64)> {
        let column = |unit: &Unit| {
            let at = unit.on.binary_search_by_key(&node, |(node, _)| *node).ok()?;
            Some((unit.on[at].1, weight(unit)))
        };
        self.units.iter().filter_map(column).collect()
    }

    /// Every unit is on one node, and slots and memory of the nodes suffice. A limit already broken may stay so.
    pub fn rows(&self, problem: &Problem, milp: &mut Milp) {
        for unit in &self.units {
            milp.row(unit.on.iter().map(|(_, column)| (*column, 1.0)).collect(), 1.0, 1.0);
        }
        let mut fixed_slots = vec![0; problem.nodes.len()];
        let mut memory = vec![0; problem.nodes.len()];
        for worker in problem.present.workers(problem) {
            fixed_slots[worker.slot.node.at()] += 1;
            memory[worker.slot.node.at()] += need(problem, &worker);
        }
        let mut fixed_memory = memory.clone();
        for unit in &self.units {
            fixed_slots[unit.worker.slot.node.at()] -= 1;
            fixed_memory[unit.worker.slot.node.at()] -= need(problem, &unit.worker);
        }
        for ix in problem.node_ids().filter(|ix| problem.node(*ix).takes_moves()) {
            let (node, at) = (problem.node(ix), ix.at());
            let usable = node.plain_ports().count();
            let here = self.units.iter().filter(|unit| unit.worker.slot.node == ix).count();
            let slots = usable.saturating_sub(fixed_slots[at]).max(here);
            milp.row(self.on_node(ix, |_| 1.0), 0.0, slots as f64);
            if let Some(limit) = node.memory {
                let left = limit.0.max(memory[at]) - fixed_memory[at];
                milp.row(self.on_node(ix, |unit| mib(need(problem, &unit.worker))), 0.0, mib(left));
            }
        }
    }
}

/// Memory a worker asks for, in bytes.
fn need(problem: &Problem, worker: &Worker) -> i64 {
    worker.executors.iter().map(|executor| problem.executor(*executor).memory().0).sum()
}

/// Bytes in MiB: a scale on which a solver's tolerances mean little.
fn mib(bytes: i64) -> f64 {
    bytes as f64 / 1_048_576.0
}
