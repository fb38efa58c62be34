//! Traffic between executors, computed from the request alone in floating point.
//!
//! A component that sends a measured pair sends nothing else. Any other stream carries what was measured of it; else
//! its share, by what the senders offer, of what its receivers get beyond all that is known; else what the senders
//! offer: an even part of what they emit for each of their streams, to every task where the grouping is `all`.

use std::collections::{BTreeMap, BTreeSet};

use super::figures::RESOLUTION_CORES;
use super::scene::{Scene, Slot, TopologyFacts, When};
use super::{Found, Rule, close};
use crate::wire::{self, Ask, Input, TrafficBalance};

/// Most tuples a second that one stream or pair is taken for.
const MOST_PER_SEC: f64 = 1e11;
/// Rounding of a rate of the reply, in tuples a second.
const RESOLUTION_PER_SEC: f64 = 1e-3;
/// Rounding of the cost of a tuple, in microseconds.
const RESOLUTION_MICROS: f64 = 1e-3;
/// Part of a rate that rounding the parts of senders and receivers may cost.
const RESOLUTION_PART: f64 = 1e-5;

/// Traffic with one rate from senders to receivers; of each the position and its part of one.
struct Flow {
    rate: f64,
    senders: Vec<(usize, f64)>,
    receivers: Vec<(usize, f64)>,
    local_first: bool,
    measured: bool,
}

/// Compares the traffic that a reply tells with what the request gives.
pub(super) fn check(scene: &Scene<'_>, found: &mut Found) {
    // A placement does not look at it.
    let topologies = scene.topologies.iter().filter(|_| scene.request.ask == Ask::Plan);
    let flows: Vec<Flow> = topologies.flat_map(|topology| flows(scene, topology)).collect();
    for (when, name, said) in
        [(When::Before, "before", &scene.reply.before), (When::After, "after", &scene.reply.after)]
    {
        let Some(said) = said else { continue };
        match (&said.traffic, flows.is_empty()) {
            (None, true) => {}
            (Some(said), false) => compare(scene, when, name, said, &flows, found),
            (said, _) => {
                let known = if flows.is_empty() { "none" } else { "some" };
                found.add(Rule::Traffic, format!("{name}.traffic: {said:?} said, {known} is known"));
            }
        }
    }
}

fn compare(
    scene: &Scene<'_>,
    when: When,
    name: &str,
    said: &TrafficBalance,
    flows: &[Flow],
    found: &mut Found,
) {
    let rate: f64 = flows.iter().map(|flow| flow.rate).sum();
    let (mut in_worker, mut on_node) = (0.0, 0.0);
    for flow in flows {
        let (worker, node) = kept(scene, when, flow);
        in_worker += flow.rate * worker;
        on_node += flow.rate * node;
    }
    let estimated: f64 = flows.iter().filter(|flow| !flow.measured).map(|flow| flow.rate).sum();
    let tolerance = RESOLUTION_PER_SEC * (flows.len() + 1) as f64 + RESOLUTION_PART * rate;
    for (field, said, counted, tolerance) in [
        ("tuples_per_sec", said.tuples_per_sec, rate, tolerance),
        ("cross_worker_per_sec", said.cross_worker_per_sec, rate - in_worker, tolerance),
        ("cross_node_per_sec", said.cross_node_per_sec, rate - on_node, tolerance),
        ("collocation_factor", said.collocation_factor, on_node / rate, tolerance / rate),
        ("estimated", said.estimated, estimated / rate, tolerance / rate),
    ] {
        if !close(said, counted, tolerance) {
            found.add(Rule::Traffic, format!("{name}.traffic.{field}: {said} said, {counted} computed"));
        }
    }
    remote(scene.settings.given_number("cost.remote.tuple.us"), name, said, tolerance, found);
}

/// What tuples between workers cost: told exactly where the cost of one is.
fn remote(micros: Option<f64>, name: &str, said: &TrafficBalance, tolerance: f64, found: &mut Found) {
    let counted = micros.map(|micros| said.cross_worker_per_sec * micros / 1e6);
    let agrees = match (said.remote_cores, micros, counted) {
        (None, None, None) => true,
        (Some(said), Some(micros), Some(counted)) => {
            let rounding = RESOLUTION_MICROS * counted / micros.max(RESOLUTION_MICROS);
            close(said, counted, tolerance * micros / 1e6 + rounding + RESOLUTION_CORES)
        }
        _ => false,
    };
    if !agrees {
        let said = said.remote_cores;
        found.add(Rule::Traffic, format!("{name}.traffic.remote_cores: {said:?} said, {counted:?} computed"));
    }
}

/// Parts of a flow that stay in a worker, and on a node.
fn kept(scene: &Scene<'_>, when: When, flow: &Flow) -> (f64, f64) {
    let slot = |at: &usize| scene.executors[*at].slot(when);
    if let ([(from, _)], [(to, _)]) = (&flow.senders[..], &flow.receivers[..]) {
        let (Some(from), Some(to)) = (slot(from), slot(to)) else { return (0.0, 0.0) };
        return (f64::from(u8::from(from == to)), f64::from(u8::from(from.0 == to.0)));
    }
    let mut workers = BTreeMap::<Slot, [f64; 2]>::new();
    for (side, list) in [&flow.senders, &flow.receivers].into_iter().enumerate() {
        for (executor, part) in list {
            if let Some(slot) = slot(executor) {
                workers.entry(slot).or_default()[side] += part;
            }
        }
    }
    let mut nodes = BTreeMap::<u32, [f64; 2]>::new();
    let (mut in_worker, mut on_node) = (0.0, 0.0);
    for (slot, [sent, received]) in workers {
        let node = nodes.entry(slot.0).or_default();
        node[1] += received;
        if flow.local_first && received > 0.0 {
            in_worker += sent;
            on_node += sent;
        } else {
            in_worker += sent * received;
            node[0] += sent;
        }
    }
    on_node += nodes.values().map(|[sent, received]| sent * received).sum::<f64>();
    (in_worker, on_node)
}

/// An executor and its figures on the wire.
type Member<'r> = (usize, &'r wire::Executor);

/// What is known of the traffic of a topology; no flow has a rate that a reply would call zero.
fn flows(scene: &Scene<'_>, topology: &TopologyFacts<'_>) -> Vec<Flow> {
    let wire = topology.wire;
    let position = |tasks| {
        let own = &scene.executors[topology.executors.clone()];
        topology.executors.start + own.partition_point(|executor| executor.tasks < tasks)
    };
    let mut members: BTreeMap<&str, Vec<Member<'_>>> =
        wire.components.iter().map(|component| (component.id.as_str(), Vec::new())).collect();
    let mut component_of = BTreeMap::new();
    for executor in &wire.executors {
        component_of.insert(executor.tasks, executor.component.as_str());
        if let Some(list) = members.get_mut(executor.component.as_str()) {
            list.push((position(executor.tasks), executor));
        }
    }
    members.values_mut().for_each(|list| list.sort_by_key(|(at, _)| *at));

    let mut pairs = BTreeMap::<(usize, usize), f64>::new();
    let (mut measured, mut by_pairs) = (BTreeSet::new(), BTreeMap::<&str, f64>::new());
    for pair in &wire.traffic {
        measured.insert(component_of[&pair.from]);
        *by_pairs.entry(component_of[&pair.to]).or_default() += pair.tuples_per_sec;
        *pairs.entry((position(pair.from), position(pair.to))).or_default() += pair.tuples_per_sec;
    }
    let mut flows: Vec<Flow> = pairs
        .into_iter()
        .map(|((from, to), rate)| Flow {
            rate: rate.min(MOST_PER_SEC),
            senders: vec![(from, 1.0)],
            receivers: vec![(to, 1.0)],
            local_first: false,
            measured: true,
        })
        .collect();

    let streams = Streams { wire, members: &members, measured: &measured };
    for component in &wire.components {
        let by_pairs = by_pairs.get(component.id.as_str()).copied().unwrap_or(0.0);
        for (input, rate) in streams.rates_of(component, by_pairs) {
            let (from, to) = (&members[input.from.as_str()], &members[component.id.as_str()]);
            if from.is_empty() || to.is_empty() {
                continue;
            }
            flows.push(Flow {
                rate: rate.min(MOST_PER_SEC),
                senders: shares(from, &by(from, |executor| executor.emitted_per_sec)),
                receivers: shares(to, &received(to, &input.grouping)),
                local_first: input.grouping.replace('-', "_") == "local_or_shuffle",
                measured: false,
            });
        }
    }
    flows.retain(|flow| (flow.rate * 1e3).round() > 0.0);
    flows
}

struct Streams<'a, 'r> {
    wire: &'r wire::Topology,
    members: &'a BTreeMap<&'r str, Vec<Member<'r>>>,
    measured: &'a BTreeSet<&'r str>,
}

impl<'r> Streams<'_, 'r> {
    /// The estimated streams into a component and their rates, those of which anything is known.
    fn rates_of(&self, component: &'r wire::Component, by_pairs: f64) -> Vec<(&'r Input, f64)> {
        let own = component.inputs.iter().filter(|input| {
            self.members.contains_key(input.from.as_str()) && !self.measured.contains(input.from.as_str())
        });
        let (told, open): (Vec<&Input>, Vec<&Input>) = own.partition(|input| input.tuples_per_sec.is_some());
        let mut rates: Vec<(&Input, f64)> =
            told.into_iter().map(|input| (input, input.tuples_per_sec.unwrap_or(0.0))).collect();
        let to = &self.members[component.id.as_str()];
        let offered: Vec<Option<f64>> = open.iter().map(|input| self.offered(input, to)).collect();
        let Some(received) = total(to, |executor| executor.received_per_sec) else {
            rates.extend(open.iter().zip(offered).filter_map(|(input, offered)| Some((*input, offered?))));
            return rates;
        };
        let told: f64 = rates.iter().map(|(_, rate)| rate).sum();
        let left = (received - told - by_pairs).max(0.0);
        let all: f64 = offered.iter().flatten().sum();
        let even = all <= 0.0 || offered.contains(&None);
        for (input, offered) in open.iter().zip(&offered) {
            let part = if even { 1.0 / open.len() as f64 } else { offered.unwrap_or(0.0) / all };
            rates.push((input, left * part));
        }
        rates
    }

    fn offered(&self, input: &Input, to: &[Member<'_>]) -> Option<f64> {
        let emitted = total(&self.members[input.from.as_str()], |executor| executor.emitted_per_sec)?;
        let readers = self.wire.components.iter().flat_map(|component| &component.inputs);
        let streams: BTreeSet<&str> =
            readers.filter(|other| other.from == input.from).map(|other| other.stream.as_str()).collect();
        let copies = if input.grouping == "all" { to.iter().map(|(_, e)| tasks(e)).sum() } else { 1.0 };
        Some(emitted / streams.len() as f64 * copies)
    }
}

fn tasks(executor: &wire::Executor) -> f64 {
    f64::from(executor.tasks.1) - f64::from(executor.tasks.0) + 1.0
}

/// Sum of a figure, executors without it taken as the mean of the others.
fn total(members: &[Member<'_>], of: fn(&wire::Executor) -> Option<f64>) -> Option<f64> {
    let known: Vec<f64> = members.iter().filter_map(|(_, executor)| of(executor)).collect();
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    (!known.is_empty()).then_some(mean * members.len() as f64)
}

/// A figure of every member, the mean where it is missing; the tasks where all are zero or missing.
fn by(members: &[Member<'_>], of: fn(&wire::Executor) -> Option<f64>) -> Vec<f64> {
    match total(members, of).filter(|total| *total > 0.0) {
        Some(total) => {
            members.iter().map(|(_, executor)| of(executor).unwrap_or(total / members.len() as f64)).collect()
        }
        None => members.iter().map(|(_, executor)| tasks(executor)).collect(),
    }
}

fn received(members: &[Member<'_>], grouping: &str) -> Vec<f64> {
    match grouping {
        "shuffle" | "none" | "all" | "local_or_shuffle" | "local-or-shuffle" => {
            members.iter().map(|(_, executor)| tasks(executor)).collect()
        }
        "global" => (0..members.len()).map(|at| f64::from(u8::from(at == 0))).collect(),
        _ => by(members, |executor| executor.received_per_sec),
    }
}

fn shares(members: &[Member<'_>], weights: &[f64]) -> Vec<(usize, f64)> {
    let all: f64 = weights.iter().sum();
    members.iter().zip(weights).map(|((at, _), weight)| (*at, weight / all)).collect()
}
