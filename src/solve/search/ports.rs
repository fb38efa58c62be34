//! From nodes to slots: whoever stays keeps its port, whoever comes gets the lowest free one.

use std::collections::BTreeSet;

use super::field::NONE;
use super::state::State;
use crate::model::{ExecutorIx, NodeIx, Placement, Slot};

/// The placement of a state.
pub(super) fn placement(state: &State) -> Placement {
    let field = state.field;
    let problem = field.problem;
    let mut placement = problem.present.clone();
    let mut taken: BTreeSet<Slot> = BTreeSet::new();
    let touched = |worker: usize| state.is_dirty(worker as u32) || field.pieces[worker].home.is_none();
    if !(0..field.pieces.len()).any(touched) {
        return placement;
    }
    let stays = |executor: ExecutorIx| {
        let worker = field.home[executor.at()];
        worker == NONE || state.is_home(worker)
    };
    // A worker at home keeps its slot even if all its executors are exchanged, and so does what cannot be touched.
    taken.extend(problem.executor_ids().filter(|e| stays(*e)).filter_map(|e| problem.present.slot(e)));
    for (at, piece) in field.pieces.iter().enumerate() {
        if state.node[at] == NONE {
            continue;
        }
        let node = NodeIx::from_at(state.node[at] as usize);
        let slot = match piece.home.filter(|slot| slot.node == node) {
            Some(home) => home,
            None => {
                let host = problem.node(node);
                let slot = host
                    .plain_ports()
                    .map(|port| Slot { node, port })
                    .find(|slot| !taken.contains(slot))
                    .expect("the state counts free slots as the ports do");
                taken.insert(slot);
                slot
            }
        };
        for executor in &state.executors[at] {
            placement.put(ExecutorIx::from_at(*executor as usize), slot);
        }
    }
    placement
}
