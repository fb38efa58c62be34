//! The request of one window.

use std::collections::BTreeMap;

use super::executors::{Joined, executors};
use super::inputs::inputs;
use super::load::{held_against_cpu, load};
use super::said::{About, Said};
use super::seen::Seen;
use super::task::Interval;
use super::window::{Shown, Span};
use crate::ingest::{RemarkCode, quoted};
use crate::wire::{
    Component, ComponentKind, Executor, Input, LoadSource, Node, Request, TaskRange, Topology,
};

/// Largest rate that a request may hold, tuples a second.
const MOST_PER_SEC: f64 = 1e9;

/// The request of a window. `topologies` are ids, by position.
pub(super) fn request(
    seen: &Seen,
    span: Span,
    topologies: &[String],
    generation: u64,
    said: &mut Said,
) -> Request {
    let shown = Shown::new(seen, span);
    let executors = executors(&shown, said);
    let of_each = executors.chunk_by(|a, b| a.first().topology == b.first().topology);
    let mut topologies: Vec<Topology> =
        of_each.map(|these| topology(&shown, &topologies[these[0].first().topology], these, said)).collect();
    topologies.sort_by(|a, b| a.id.cmp(&b.id));
    Request {
        taken_at: jiff::Timestamp::from_second(span.to).ok().map(|at| at.to_string()),
        window_secs: Some((span.to - span.from) as f64),
        nodes: nodes(seen, span),
        topologies,
        ..Request::blank(generation)
    }
}

/// Hosts that showed something in the window, with every port seen on them so far.
fn nodes(seen: &Seen, span: Span) -> Vec<Node> {
    let mut hosts: Vec<usize> = (seen.tables.workers.iter())
        .filter(|worker| worker.last > span.from && worker.first <= span.to)
        .map(|worker| worker.host)
        .collect();
    hosts.sort_by_key(|host| &seen.tables.hosts[*host].name);
    hosts.dedup();
    let node = |host: usize| {
        let host = &seen.tables.hosts[host];
        let ports = host.ports.iter().filter(|(_, first)| **first <= span.to).map(|(port, _)| *port);
        Node::blank(&host.name, &host.name, ports.collect())
    };
    hosts.into_iter().map(node).collect()
}

fn topology(shown: &Shown<'_>, id: &str, joined: &[Joined<'_>], said: &mut Said) -> Topology {
    let of_each = joined.chunk_by(|a, b| a.first().component == b.first().component);
    let components = of_each.map(|these| component(shown, these, said)).collect();
    let mut executors: Vec<Executor> = joined.iter().map(|one| executor(shown, one, said)).collect();
    let mut workers = BTreeMap::<usize, f64>::new();
    for (one, executor) in joined.iter().zip(&executors) {
        *workers.entry(one.worker).or_default() += executor.cpu_cores.unwrap_or(0.0);
    }
    workers.iter().for_each(|(worker, cores)| held_against_cpu(shown, *worker, *cores, said));
    executors.sort_by_key(|executor| executor.tasks);
    Topology { components, executors, ..Topology::blank(id, name_of(id), workers.len() as u32) }
}

/// A component, by its executors.
fn component(shown: &Shown<'_>, joined: &[Joined<'_>], said: &mut Said) -> Component {
    let at = joined[0].first().component;
    let component = &shown.seen.tables.components[at];
    let kind = match (component.id.starts_with("__"), component.spout) {
        (true, _) => ComponentKind::System,
        (false, true) => ComponentKind::Spout,
        (false, false) => ComponentKind::Bolt,
    };
    let tasks = || joined.iter().flat_map(|one| &one.tasks);
    let mut shared: Vec<usize> = tasks().flat_map(|task| task.shared()).collect();
    shared.sort_unstable();
    shared.dedup();
    let (found, unread) = inputs(&shown.seen.tables, component, &shared);
    for name in unread {
        said.once(RemarkCode::Unknown, About::Input(at, name), || {
            let name = String::from_utf8_lossy(&shown.seen.tables.names[name]);
            format!("{}: the source of its input \"{}\" cannot be told", quoted(&component.id), quoted(&name))
        });
    }
    if !found.is_empty() {
        said.once(RemarkCode::Guessed, About::Groupings(at), || {
            let id = quoted(&component.id);
            format!(
                "{id}: its groupings are taken for fields, receivers have what they were measured to receive"
            )
        });
    }
    let inputs = found.into_iter().map(|input| Input {
        tuples_per_sec: input.counter.and_then(|name| {
            let of = |i: &Interval| i.inputs.iter().find(|(of, _)| *of == name).map(|(_, rate)| *rate);
            let sum = tasks().filter_map(|task| shown.mean(task, of)).reduce(|a, b| a + b);
            sum.filter(|rate| *rate <= MOST_PER_SEC)
        }),
        from: input.from,
        stream: input.stream,
        grouping: "fields".to_owned(),
    });
    Component { inputs: inputs.collect(), ..Component::blank(&component.id, kind) }
}

fn executor(shown: &Shown<'_>, joined: &Joined<'_>, said: &mut Said) -> Executor {
    let tables = &shown.seen.tables;
    let component = &tables.components[joined.first().component];
    let worker = &tables.workers[joined.worker];
    let load = if component.spout { None } else { load(shown, joined, said) };
    let rate =
        |of: fn(&Interval) -> Option<f64>| shown.sum(&joined.tasks, of).filter(|rate| *rate <= MOST_PER_SEC);
    let to = shown.span.to;
    Executor {
        node: Some(tables.hosts[worker.host].name.clone()),
        port: Some(worker.port),
        uptime_secs: worker.started(to).map(|start| (to - start) as f64),
        cpu_cores: load,
        load_source: load.map(|_| LoadSource::Stats),
        received_per_sec: if component.spout { None } else { rate(|interval| interval.executed) },
        emitted_per_sec: rate(|interval| interval.emitted),
        ..Executor::blank(TaskRange(joined.first().id, joined.last().id), &component.id)
    }
}

/// Name of a topology: Storm's id is the name, a number and the time it was submitted.
fn name_of(id: &str) -> &str {
    let cut = |text: &str| {
        let (name, number) = text.rsplit_once('-')?;
        let numeric = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        (numeric && !name.is_empty()).then_some(name.len())
    };
    cut(id).and_then(|len| cut(&id[..len])).map_or(id, |len| &id[..len])
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn the_name_is_the_id_without_its_numbers() {
        assert_eq!(name_of("flights-3-1795998681"), "flights");
        assert_eq!(name_of("a-b-1-2"), "a-b");
        assert_eq!(name_of("flights-1795998681"), "flights-1795998681");
        assert_eq!(name_of("-1-2"), "-1-2");
    }
}
