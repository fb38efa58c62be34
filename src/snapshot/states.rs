//! States of executors, with their substitutes where nobody measured them, and where their copies lie.

use std::collections::{BTreeMap, BTreeSet};

use super::workload::bytes;
use super::{count, in_order, some_of};
use crate::model::{ExecutorIx, Node, NodeIx, NodeState, State};
use crate::units::Size;
use crate::wire::{self, Note, NoteCode, Request};

/// Size of a state where none was measured anywhere.
const ASSUMED: Size = Size(1 << 20);

/// States of the topologies that take part and whose states outlive their workers; `nodes` are sorted by id.
pub(super) fn states(request: &Request, nodes: &[Node], notes: &mut Vec<Note>) -> Vec<State> {
    let everywhere = mean(request.topologies.iter().flat_map(|topology| &topology.executors));
    let mut states = Vec::new();
    let (mut guessed, mut lost) = (Vec::new(), Lost::default());
    let mut first = 0;
    for (topology, executors) in in_order(request) {
        let known = topology.enabled && topology.state_survives;
        let mut lying = BTreeMap::<wire::TaskRange, Vec<(u32, &str)>>::new();
        for copy in topology.checkpoints.iter().filter(|_| known) {
            lying.entry(copy.executor).or_default().push((copy.slot.unwrap_or(u32::MAX), &copy.node));
        }
        let stateful = stateful(topology, &lying);
        let of = |component: &&str| mean(executors.iter().copied().filter(|e| e.component == **component));
        let means: BTreeMap<&str, Option<Size>> = stateful.iter().map(|id| (*id, of(id))).collect();
        let mut unknown = 0;
        for (at, executor) in executors.iter().enumerate().filter(|(_, e)| known && is_stateful(&stateful, e))
        {
            let of_component = || means.get(executor.component.as_str()).copied().flatten();
            let measured = executor.state_bytes.map(bytes);
            unknown += usize::from(measured.is_none());
            states.push(State {
                executor: ExecutorIx::from_at(first + at),
                size: measured.or_else(of_component).or(everywhere).unwrap_or(ASSUMED),
                estimated: measured.is_none(),
                copies: copies(lying.remove(&executor.tasks).unwrap_or_default(), nodes, &mut lost),
            });
        }
        if unknown > 0 {
            guessed.push(format!("{unknown} of {}", topology.id));
        }
        first += executors.len();
    }
    if !guessed.is_empty() {
        let taken =
            everywhere.map_or(format!("as {ASSUMED}"), |_| "as the mean of those that were".to_owned());
        notes.push(Note::new(
            NoteCode::StateEstimated,
            format!("states that nobody measured, taken {taken}: {}", some_of(&guessed)),
        ));
    }
    notes.extend(lost.note());
    states
}

/// Components that keep a state: they say so, or one of their executors has one.
fn stateful<'t>(
    topology: &'t wire::Topology,
    lying: &BTreeMap<wire::TaskRange, Vec<(u32, &str)>>,
) -> BTreeSet<&'t str> {
    let said = topology.components.iter().filter(|component| component.stateful).map(|c| c.id.as_str());
    let seen = topology.executors.iter().filter(|executor| {
        executor.state_bytes.is_some_and(|bytes| bytes > 0) || lying.contains_key(&executor.tasks)
    });
    said.chain(seen.map(|executor| executor.component.as_str())).collect()
}

/// An executor measured to have no state has none, whatever its component says.
fn is_stateful(components: &BTreeSet<&str>, executor: &wire::Executor) -> bool {
    executor.state_bytes != Some(0) && components.contains(executor.component.as_str())
}

/// Mean size of the states measured.
fn mean<'e>(executors: impl Iterator<Item = &'e wire::Executor>) -> Option<Size> {
    let (sum, number) = executors
        .filter_map(|executor| executor.state_bytes.filter(|bytes| *bytes > 0))
        .fold((0_i128, 0), |(sum, number), bytes| (sum + i128::from(bytes), number + 1));
    (number > 0).then(|| Size(i64::try_from(sum / number).expect("a mean of what was checked")))
}

/// Nodes with a copy of a state, the restart target first.
fn copies(mut copies: Vec<(u32, &str)>, nodes: &[Node], lost: &mut Lost) -> Vec<NodeIx> {
    copies.sort_unstable();
    let mut known = Vec::new();
    for (_, id) in copies {
        let at = nodes.binary_search_by(|node| node.id.as_str().cmp(id)).ok();
        let state = at.map_or(NodeState::Unlisted, |at| nodes[at].state);
        if state != NodeState::Active {
            lost.add(id);
        }
        // A draining node may be kept after all.
        if let Some(at) = at.map(NodeIx::from_at).filter(|at| state.listed() && !known.contains(at)) {
            known.push(at);
        }
    }
    known
}

/// Copies that are of no use any more.
#[derive(Default)]
struct Lost {
    copies: usize,
    nodes: BTreeSet<String>,
}

impl Lost {
    fn add(&mut self, node: &str) {
        self.copies += 1;
        self.nodes.insert(node.to_owned());
    }

    fn note(self) -> Option<Note> {
        let nodes: Vec<String> = self.nodes.into_iter().collect();
        (self.copies > 0).then(|| {
            let what = match self.copies {
                1 => "1 copy".to_owned(),
                many => format!("{many} copies"),
            };
            let detail = format!(
                "{what} on {} gone, draining or unusable: {}",
                count(nodes.len(), "node"),
                some_of(&nodes)
            );
            Note::new(NoteCode::CopyLost, detail)
        })
    }
}
