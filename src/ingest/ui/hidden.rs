//! Executors that are counted and not shown: system components where `sys=true` was not asked for, and components
//! whose page is missing. They occupy slots and cost something, so they stand in the request, without a load. Which
//! tasks they have is told by the gaps that the others leave: Storm numbers tasks from 1, by the components' ids.

use std::collections::{BTreeMap, BTreeSet};

use super::shapes::{TopologyPage, Worker};
use crate::ingest::{RemarkCode, Remarks, quoted};
use crate::wire::{Executor, TaskRange};

/// Component of executors of which not even the component is told.
pub(super) const NOT_SHOWN: &str = "__not_shown";

/// More executors than this that are only counted are not believed, in one topology.
const MOST_HIDDEN: usize = 100_000;

/// More tasks than this one executor is not believed to have.
const MOST_WIDE: u32 = 1_000;

/// A worker that executors are missing in.
struct Short<'a> {
    node: &'a str,
    port: u16,
    missing: usize,
    /// Tasks by component that no shown executor has.
    tasks: BTreeMap<&'a str, u32>,
}

/// The executors that are counted in the workers of a topology and not among those shown.
pub(super) fn hidden(
    page: &TopologyPage,
    workers: &[&Worker],
    shown: &[Executor],
    remarks: &mut Remarks,
) -> Vec<Executor> {
    let shorts: Vec<Short> = workers.iter().filter_map(|worker| short(worker, shown)).collect();
    let missing: usize = shorts.iter().map(|short| short.missing).sum();
    if missing > MOST_HIDDEN {
        remarks.add(RemarkCode::Unbelievable, || {
            format!("{}: {missing} executors counted and not shown", quoted(&page.id.0))
        });
        return Vec::new();
    }
    let mut found: Vec<(String, &Short, u32)> = Vec::new();
    for short in &shorts {
        let mut left = short.missing;
        for (component, tasks) in &short.tasks {
            let width = width(page, component);
            let count = (*tasks).div_ceil(width).min(left as u32);
            left -= count as usize;
            found.extend((0..count).map(|_| ((*component).to_owned(), short, width)));
        }
        found.extend((0..left).map(|_| (NOT_SHOWN.to_owned(), short, 1)));
    }
    found.sort_by(|a, b| (&a.0, a.1.node, a.1.port).cmp(&(&b.0, b.1.node, b.1.port)));
    remark(page, &found, remarks);
    let mut free = Free::beside(shown);
    found
        .into_iter()
        .map(|(component, short, width)| Executor {
            node: Some(short.node.to_owned()),
            port: Some(short.port),
            ..Executor::blank(free.take(width), &component)
        })
        .collect()
}

fn short<'a>(worker: &'a Worker, shown: &[Executor]) -> Option<Short<'a>> {
    let (node, port) = (worker.supervisor_id.0.as_str(), worker.port.port()?);
    let total = worker.executors_total.whole(u32::MAX)? as usize;
    let here = |executor: &&Executor| executor.node.as_deref() == Some(node) && executor.port == Some(port);
    let here: Vec<&Executor> = shown.iter().filter(here).collect();
    let missing = total.checked_sub(here.len()).filter(|missing| *missing > 0)?;
    let tasks = |(component, tasks): (&'a String, &super::lenient::Num)| {
        let own = here.iter().filter(|executor| executor.component == *component);
        let shown: i64 =
            own.map(|executor| i64::from(executor.tasks.1) - i64::from(executor.tasks.0) + 1).sum();
        let left = i64::from(tasks.whole(u32::MAX)?) - shown;
        (left > 0).then_some((component.as_str(), left as u32))
    };
    Some(Short { node, port, missing, tasks: worker.component_num_tasks.iter().filter_map(tasks).collect() })
}

/// Tasks of one executor of a component, rounded up: Storm deals them as evenly as it can.
fn width(page: &TopologyPage, component: &str) -> u32 {
    let counted = page.spouts.iter().chain(&page.bolts).find(|counted| counted.id.0 == component);
    let counts = counted.and_then(|c| Some((c.tasks.whole(1 << 20)?, c.executors.whole(1 << 20)?)));
    match counts {
        Some((tasks, executors)) if executors > 0 => tasks.div_ceil(executors).clamp(1, MOST_WIDE),
        _ => 1,
    }
}

fn remark(page: &TopologyPage, found: &[(String, &Short, u32)], remarks: &mut Remarks) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    found.iter().for_each(|(component, _, _)| *counts.entry(component).or_default() += 1);
    for (component, count) in counts {
        let (topology, plural) = (quoted(&page.id.0), if count == 1 { "" } else { "s" });
        remarks.add(RemarkCode::Hidden, || {
            if page.spouts.is_empty() && page.bolts.is_empty() {
                format!("{topology}: {count} executor{plural} not shown: its page is missing")
            } else if component == NOT_SHOWN {
                format!("{topology}: {count} executor{plural}: system, not shown (ask with sys=true)")
            } else {
                let component = quoted(component);
                format!("{topology}: {count} executor{plural} of {component} counted, not shown: its page is missing")
            }
        });
    }
}

/// Task ids that no shown executor has, from 1 on.
struct Free {
    used: BTreeSet<(i32, i32)>,
    next: i32,
}

impl Free {
    fn beside(shown: &[Executor]) -> Self {
        Self { used: shown.iter().map(|executor| (executor.tasks.0, executor.tasks.1)).collect(), next: 1 }
    }

    /// The next free tasks, so many or as many as lie side by side.
    fn take(&mut self, width: u32) -> TaskRange {
        while let Some((_, last)) = self.covering(self.next) {
            self.next = last + 1;
        }
        let first = self.next;
        let wanted = first.saturating_add(width as i32 - 1);
        let last = match self.used.range((first, i32::MIN)..).next() {
            Some((begin, _)) => wanted.min(begin - 1),
            None => wanted,
        };
        self.next = last + 1;
        TaskRange(first, last)
    }

    fn covering(&self, task: i32) -> Option<(i32, i32)> {
        self.used.range(..=(task, i32::MAX)).next_back().copied().filter(|(_, last)| *last >= task)
    }
}
