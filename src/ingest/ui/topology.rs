//! One topology from its page, the pages of its components and its visualization.

use std::collections::BTreeMap;

use serde_json::Value;

use super::answers::Answers;
use super::executors::executors;
use super::hidden::hidden;
use super::inputs::{Pages, inputs};
use super::rates::remark_negative;
use super::shapes::{Counted, Drawing, TopologyPage, Worker};
use super::slots::Slots;
use crate::ingest::{RemarkCode, Remarks, quoted};
use crate::wire::{Component, ComponentKind, Executor, Topology};

/// Largest CPU request that the wire takes, in percent of a core.
const MOST_PCORE: f64 = 1e8;

/// States a topology.
pub(super) fn topology(answers: &Answers, page: &TopologyPage, remarks: &mut Remarks) -> Topology {
    let workers = workers(answers, page);
    let slots = Slots::of(answers, workers.iter().copied());
    let pages = pages(answers, page, remarks);
    let mut shown = Vec::new();
    for (component, own) in &pages {
        remark_negative(own, remarks);
        shown.extend(executors(own, page, kind(component, page, &pages), &slots, remarks));
    }
    let mut all = apart(shown, page, remarks);
    all.extend(hidden(page, &workers, &all, remarks));
    all.sort_by_key(|executor| executor.tasks);
    remark_counts(page, &all, &pages, remarks);
    let drawing = drawing(answers, page);
    let name = if page.name.0.is_empty() { &page.id.0 } else { &page.name.0 };
    let blank = Topology::blank(&page.id.0, name, asked(page).unwrap_or(workers.len() as u32));
    let priority = whole(page, "topology.priority").and_then(|p| i32::try_from(p).ok());
    Topology {
        priority: priority.unwrap_or(blank.priority),
        enabled: enabled(page),
        components: components(&all, page, drawing, &pages, remarks),
        executors: all,
        ..blank
    }
}

/// The topology's workers, as its own page tells them, else as supervisors do.
pub(super) fn workers<'a>(answers: &'a Answers, page: &'a TopologyPage) -> Vec<&'a Worker> {
    if !page.workers.is_empty() {
        return page.workers.iter().collect();
    }
    let own = answers.workers.iter().filter(|((topology, _, _), _)| *topology == page.id.0);
    own.map(|(_, (_, worker))| worker).collect()
}

fn pages<'a>(answers: &'a Answers, page: &TopologyPage, remarks: &mut Remarks) -> Pages<'a> {
    let own = answers.components.keys().filter(|(topology, _)| *topology == page.id.0);
    own.filter_map(|(_, component)| Some((component.as_str(), answers.component(page, component, remarks)?)))
        .collect()
}

/// The visualization that names this topology, or the only one where nothing else could be meant.
fn drawing<'a>(answers: &'a Answers, page: &TopologyPage) -> Option<&'a Drawing> {
    let own = answers.drawings.get(&Some(page.id.0.clone()));
    let only = || answers.drawings.get(&None).filter(|_| answers.pages.len() == 1);
    own.or_else(only).map(|(_, drawing)| drawing)
}

fn kind(component: &str, page: &TopologyPage, pages: &Pages) -> ComponentKind {
    let is_spout = || {
        page.spouts.iter().any(|spout| spout.id.0 == component)
            || pages.get(component).is_some_and(|own| own.component_type.0 == "spout")
    };
    if component.starts_with("__") {
        ComponentKind::System
    } else if is_spout() {
        ComponentKind::Spout
    } else {
        ComponentKind::Bolt
    }
}

/// Executors of which no two share a task: pages saved at different times may contradict each other.
fn apart(mut executors: Vec<Executor>, page: &TopologyPage, remarks: &mut Remarks) -> Vec<Executor> {
    executors.sort_by(|a, b| (a.tasks, &a.component).cmp(&(b.tasks, &b.component)));
    let mut kept: Vec<Executor> = Vec::with_capacity(executors.len());
    for executor in executors {
        match kept.last() {
            Some(last) if last.tasks.1 >= executor.tasks.0 => remarks.add(RemarkCode::Contradiction, || {
                let (one, other) = (quoted(&last.component), quoted(&executor.component));
                format!(
                    "{}: tasks {} of {one} and {} of {other} overlap; the second is left out",
                    quoted(&page.id.0),
                    last.tasks,
                    executor.tasks
                )
            }),
            _ => kept.push(executor),
        }
    }
    kept
}

fn components(
    executors: &[Executor],
    page: &TopologyPage,
    drawing: Option<&Drawing>,
    pages: &Pages,
    remarks: &mut Remarks,
) -> Vec<Component> {
    let mut ids: Vec<&str> = executors.iter().map(|executor| executor.component.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut component = |id: &str| {
        let kind = kind(id, page, pages);
        let requested = pages.get(id).map(|own| own.requested_cpu).filter(|cpu| cpu.0.is_some());
        let requested = requested.or_else(|| counted(page, id).map(|counted| counted.requested_cpu));
        Component {
            cpu_request_pcore: requested.and_then(|cpu| cpu.0).filter(|cpu| *cpu > 0.0 && *cpu <= MOST_PCORE),
            // As the scheduler sees them: traffic of ackers is no part of the topology that was submitted.
            inputs: if kind == ComponentKind::Bolt {
                inputs(id, drawing, pages, remarks)
            } else {
                Vec::new()
            },
            ..Component::blank(id, kind)
        }
    };
    ids.into_iter().map(&mut component).collect()
}

fn counted<'a>(page: &'a TopologyPage, component: &str) -> Option<&'a Counted> {
    page.spouts.iter().chain(&page.bolts).find(|counted| counted.id.0 == component)
}

/// What is counted and was not found, and what a page alone says of loads.
fn remark_counts(page: &TopologyPage, found: &[Executor], pages: &Pages, remarks: &mut Remarks) {
    let total = page.executors_total.positive().unwrap_or_default();
    if total > found.len() as f64 {
        remarks.add(RemarkCode::Hidden, || {
            format!("{}: {total} executors counted, {} have a worker", quoted(&page.id.0), found.len())
        });
    }
    for bolt in page.bolts.iter().filter(|bolt| !pages.contains_key(bolt.id.0.as_str())) {
        let (Some(capacity), Some(executors)) = (bolt.capacity.positive(), bolt.executors.positive()) else {
            continue;
        };
        remarks.add(RemarkCode::Guessed, || {
            format!(
                "bolt {}: capacity {capacity:.3} is the largest of {executors} executors (max only, together at most \
                 {:.3} cores), so their loads are not known; save its component's page",
                quoted(&bolt.id.0),
                capacity * executors
            )
        });
    }
}

/// Workers asked for.
fn asked(page: &TopologyPage) -> Option<u32> {
    whole(page, "topology.workers").and_then(|n| u32::try_from(n).ok()).or(page.workers_total.whole(u32::MAX))
}

fn whole(page: &TopologyPage, key: &str) -> Option<i64> {
    page.configured(key).and_then(Value::as_i64)
}

/// Neither opted out nor being killed.
fn enabled(page: &TopologyPage) -> bool {
    let opted_in = match page.configured("topology.ballast.enabled") {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().eq_ignore_ascii_case("true"),
        Some(value) => *value == Value::Bool(true),
    };
    opted_in && page.status.0 != "KILLED"
}

/// Hosts by supervisor, as workers tell them.
pub(super) fn hosts<'a>(workers: impl Iterator<Item = &'a Worker>) -> BTreeMap<String, String> {
    workers.map(|worker| (worker.supervisor_id.0.clone(), worker.host.0.clone())).collect()
}
