//! What a component reads, from the names of its counters, as far as 23 characters leave them readable.
//!
//! `__execute-count-` leaves seven characters of `source:stream`, `__ack-count-` eleven. A source is believed where
//! exactly one component of the topology begins so; a stream where the source emits exactly one that does.

use std::collections::BTreeMap;

use super::tables::{Component, Tables};

/// An input, with the name of the counter that counts it alone, where there is one.
pub(super) struct Found {
    pub(super) from: String,
    pub(super) stream: String,
    pub(super) counter: Option<usize>,
}

/// Inputs of a component, by source and stream; and names of counters that say none. `shared` are names that several
/// streams have.
pub(super) fn inputs(tables: &Tables, component: &Component, shared: &[usize]) -> (Vec<Found>, Vec<usize>) {
    let mut found = BTreeMap::<(String, String), Option<usize>>::new();
    let mut unread = Vec::new();
    for (name, cut) in &component.executed {
        match read(tables, component, &tables.names[*name], *cut).filter(|_| !shared.contains(name)) {
            Some(Read::Input(from, stream)) => drop(found.insert((from, stream), Some(*name))),
            Some(Read::OfStorm) => {}
            None => unread.push(*name),
        }
    }
    let mut more = BTreeMap::new();
    for (name, cut) in component.acked.iter().filter(|_| !unread.is_empty()) {
        if let Some(Read::Input(from, stream)) = read(tables, component, &tables.names[*name], *cut)
            && !found.contains_key(&(from.clone(), stream.clone()))
        {
            more.insert((from, stream), None);
        }
    }
    if !more.is_empty() {
        // The one counter of the one input that only its acks name.
        if let ([name], [counter]) = (&unread[..], &mut more.values_mut().collect::<Vec<_>>()[..])
            && !shared.contains(name)
        {
            **counter = Some(*name);
        }
        unread.clear();
    }
    found.extend(more);
    let found = found.into_iter().map(|((from, stream), counter)| Found { from, stream, counter });
    (found.collect(), unread)
}

enum Read {
    Input(String, String),
    /// Ticks of `__system`, which no executor emits.
    OfStorm,
}

fn read(tables: &Tables, component: &Component, name: &[u8], cut: bool) -> Option<Read> {
    let text = std::str::from_utf8(name).ok()?;
    let (source, stream) = match text.split_once(':') {
        Some((source, stream)) => (source, Some(stream)),
        None => (text, None),
    };
    let whole = stream.is_some() || !cut;
    if "__system".starts_with(source) && (whole || source.len() > 2) {
        return Some(Read::OfStorm);
    }
    let others = tables.components_from(component.topology, source);
    let mut fitting = others.filter(|other| !whole || other.id == source);
    let from = fitting.next()?;
    if fitting.next().is_some() {
        return None;
    }
    let stream = match stream {
        Some(stream) if !cut => stream.to_owned(),
        known => stream_of(tables, from, known.unwrap_or(""), &component.id)?,
    };
    Some(Read::Input(from.id.clone(), stream))
}

/// The one stream a component emits to such a reader that begins so: Storm's own streams go to Storm's own components.
fn stream_of(tables: &Tables, from: &Component, begins: &str, reader: &str) -> Option<String> {
    let goes = |stream: &str| match stream {
        "__metrics" => reader.starts_with("__metrics"),
        _ => stream.starts_with("__") == reader.starts_with("__"),
    };
    let emitted = from.emitted.iter().filter_map(|(name, _)| std::str::from_utf8(&tables.names[*name]).ok());
    let mut fitting = emitted.filter(|stream| goes(stream) && stream.starts_with(begins));
    let stream = fitting.next()?;
    fitting.next().is_none().then(|| stream.to_owned())
}
