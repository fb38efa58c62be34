//! CBC through the crate `coin_cbc`.

use std::sync::{Mutex, PoisonError};

use coin_cbc::{Model, Sense};

use crate::objective::Milp;

/// What came of a model.
pub(crate) struct Answer {
    /// Values of the columns; none when no solution was found.
    pub(crate) columns: Option<Vec<f64>>,
    /// CBC's lower bound of the objective.
    pub(crate) best_possible: f64,
    /// Ended before the time did.
    pub(crate) closed: bool,
}

/// Relative gap at which the search ends: below what a load distance is shown with.
const GAP: &str = "0.0001";

/// Solves a MILP for at most so many seconds of the clock.
pub(crate) fn solve(milp: &Milp, seconds: f64) -> Result<Answer, String> {
    // The crate locks each call by itself. A model in the making while another one is solved is not safe in CBC, so
    // one lock of ours holds build and solve together.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut model = Model::default();
    // Before all else, or CBC writes to the standard output of the process, which is the host's.
    model.set_log_level(0);
    model.set_parameter("logLevel", "0");
    model.set_parameter("timeMode", "elapsed");
    model.set_parameter("seconds", &format!("{seconds:.3}"));
    model.set_parameter("ratioGap", GAP);
    model.set_obj_sense(Sense::Minimize);
    let columns: Vec<coin_cbc::Col> = milp
        .columns
        .iter()
        .map(|column| {
            let col = if column.binary { model.add_binary() } else { model.add_col() };
            model.set_obj_coeff(col, column.cost);
            col
        })
        .collect();
    for row in &milp.rows {
        let added = model.add_row();
        for (column, weight) in &row.terms {
            model.set_weight(added, columns[*column], *weight);
        }
        model.set_row_lower(added, row.lower);
        model.set_row_upper(added, row.upper);
    }
    let solution = model.solve();
    let raw = solution.raw();
    if raw.is_abandoned() || raw.is_initial_solve_abandoned() {
        return Err("CBC gave the model up for numerical trouble".to_owned());
    }
    // Without a solution CBC reports an objective of about 1e50 and columns that mean nothing.
    let found = raw.obj_value().abs() < 1e30 && !raw.is_proven_infeasible();
    let values = found.then(|| columns.iter().map(|column| solution.col(*column)).collect());
    Ok(Answer {
        columns: values,
        best_possible: raw.best_possible_value(),
        closed: !raw.is_seconds_limit_reached(),
    })
}
