//! Traffic: measured pairs where a component has any, otherwise an estimate of each of its streams.
//!
//! Rate of a stream: what the component received over it if that was measured; else what of all it received is left
//! by its other inputs, shared by what the senders emit; else what the senders emit, once a subscriber, to each task
//! where the grouping is `all`. Who receives goes by the grouping ([`Receive`]), who emits by what each executor
//! emitted. An executor not measured is taken as the mean of its component's, or by its tasks where none is. Nothing
//! known of a stream makes it unknown, not zero.

use std::collections::{BTreeMap, BTreeSet};

use super::{in_order, some_of};
use crate::model::{Component, ExecutorIx, Pair, Stream, Topology, Traffic, WHOLE};
use crate::units::Rate;
use crate::wire::{self, Note, NoteCode, Request};

/// Most tuples a second of one stream: no cluster sends more, and sums stay exact.
const MOST_PER_SEC: f64 = 1e11;

/// Who of the receivers gets a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Receive {
    /// Each task as many as any other: shuffle, none, all.
    Evenly,
    /// The same, but within the worker where there is one: local-or-shuffle.
    Locally,
    /// The lowest task: global.
    Lowest,
    /// As measured: fields, partial key, direct, custom.
    AsReceived,
}

impl Receive {
    fn by(grouping: &str) -> Self {
        match grouping {
            "shuffle" | "none" | "all" => Self::Evenly,
            "local_or_shuffle" | "local-or-shuffle" => Self::Locally,
            "global" => Self::Lowest,
            _ => Self::AsReceived,
        }
    }
}

/// Traffic of all topologies; the topologies and components are those of the problem.
pub(super) fn traffic(
    request: &Request,
    topologies: &[Topology],
    components: &[Component],
    notes: &mut Vec<Note>,
) -> Traffic {
    let mut all = Traffic::default();
    let mut estimated = Vec::new();
    for (topology, (wire, executors)) in topologies.iter().zip(in_order(request)) {
        let known = Known::of(topology, components, wire, &executors, &mut all.pairs);
        let before = all.streams.len();
        known.estimate(&mut all.streams);
        if all.streams.len() > before {
            estimated.push(topology.id.as_str());
        }
    }
    if !estimated.is_empty() {
        let detail = format!(
            "traffic estimated from what executors emit and receive and from the groupings: {}",
            some_of(&estimated)
        );
        notes.push(Note::new(NoteCode::TrafficEstimated, detail));
    }
    all
}

/// A member of a component.
struct Member {
    executor: ExecutorIx,
    tasks: f64,
    received: Option<f64>,
    emitted: Option<f64>,
}

/// A stream read by a component.
struct Input<'r> {
    from: usize,
    to: usize,
    wire: &'r wire::Input,
}

/// What is known of one topology, by position among its components.
struct Known<'r> {
    members: Vec<Vec<Member>>,
    inputs: Vec<Input<'r>>,
    /// Components that send measured pairs.
    measured: BTreeSet<usize>,
    /// Tuples a second that each component receives by measured pairs.
    by_pairs: Vec<f64>,
}

impl<'r> Known<'r> {
    fn of(
        topology: &Topology,
        components: &[Component],
        wire: &'r wire::Topology,
        executors: &[&wire::Executor],
        pairs: &mut Vec<Pair>,
    ) -> Self {
        let names: BTreeMap<&str, usize> = components[topology.components.clone()]
            .iter()
            .enumerate()
            .map(|(at, component)| (component.id.as_str(), at))
            .collect();
        let mut known = Self {
            members: names.iter().map(|_| Vec::new()).collect(),
            inputs: Vec::new(),
            measured: BTreeSet::new(),
            by_pairs: vec![0.0; names.len()],
        };
        for (at, executor) in executors.iter().enumerate() {
            known.members[names[executor.component.as_str()]].push(Member {
                executor: ExecutorIx::from_at(topology.executors.start + at),
                tasks: f64::from(executor.tasks.1) - f64::from(executor.tasks.0) + 1.0,
                received: executor.received_per_sec,
                emitted: executor.emitted_per_sec,
            });
        }
        let mut merged = BTreeMap::<(usize, usize), f64>::new();
        for pair in &wire.traffic {
            let at = |tasks| executors.binary_search_by_key(&tasks, |e| e.tasks).expect("pairs were checked");
            let (from, to) = (at(pair.from), at(pair.to));
            known.measured.insert(names[executors[from].component.as_str()]);
            known.by_pairs[names[executors[to].component.as_str()]] += pair.tuples_per_sec;
            *merged.entry((from, to)).or_default() += pair.tuples_per_sec;
        }
        let executor = |at: usize| ExecutorIx::from_at(topology.executors.start + at);
        let merged = merged.into_iter().map(|((from, to), rate)| Pair {
            from: executor(from),
            to: executor(to),
            rate: Rate::from_tuples(rate.min(MOST_PER_SEC)),
        });
        pairs.extend(merged.filter(|pair| pair.rate > Rate::ZERO));
        for component in &wire.components {
            let to = names[component.id.as_str()];
            // An input may name a component of another version of the topology; it then carries no tuples here.
            let from = |input: &'r wire::Input| Some((*names.get(input.from.as_str())?, input));
            let inputs = component.inputs.iter().filter_map(from);
            known.inputs.extend(inputs.map(|(from, wire)| Input { from, to, wire }));
        }
        let rate = |input: &Input| input.wire.tuples_per_sec.map_or(-1, |rate| Rate::from_tuples(rate).0);
        known.inputs.sort_by(|a, b| {
            let key = |input: &Input<'r>| (input.to, input.from, &input.wire.stream, &input.wire.grouping);
            key(a).cmp(&key(b)).then(rate(a).cmp(&rate(b)))
        });
        known
    }

    fn estimate(&self, streams: &mut Vec<Stream>) {
        let rates = self.rates();
        for (input, rate) in self.inputs.iter().zip(rates) {
            let rate = Rate::from_tuples(rate.unwrap_or(0.0).min(MOST_PER_SEC));
            let (senders, receivers) = (&self.members[input.from], &self.members[input.to]);
            if rate == Rate::ZERO || senders.is_empty() || receivers.is_empty() {
                continue;
            }
            let receive = Receive::by(&input.wire.grouping);
            let weights = match receive {
                Receive::Evenly | Receive::Locally => receivers.iter().map(|member| member.tasks).collect(),
                Receive::Lowest => (0..receivers.len()).map(|at| if at == 0 { 1.0 } else { 0.0 }).collect(),
                Receive::AsReceived => weights(receivers, |member| member.received),
            };
            streams.push(Stream {
                rate,
                senders: parts(senders, &weights_of_senders(senders)),
                receivers: parts(receivers, &weights),
                local_first: receive == Receive::Locally,
            });
        }
    }

    /// Tuples a second of every input; none where nothing is known, or where its sender's pairs were measured.
    fn rates(&self) -> Vec<Option<f64>> {
        let estimated = |input: &Input| !self.measured.contains(&input.from);
        let mut rates: Vec<Option<f64>> =
            self.inputs.iter().map(|input| input.wire.tuples_per_sec.filter(|_| estimated(input))).collect();
        for to in 0..self.members.len() {
            let own: Vec<usize> = (0..self.inputs.len()).filter(|at| self.inputs[*at].to == to).collect();
            let open: Vec<usize> = own
                .iter()
                .copied()
                .filter(|at| rates[*at].is_none() && estimated(&self.inputs[*at]))
                .collect();
            let offered: Vec<Option<f64>> = open.iter().map(|at| self.offered(&self.inputs[*at])).collect();
            let Some(received) = sum(&self.members[to], |member| member.received) else {
                open.iter().zip(&offered).for_each(|(at, offered)| rates[*at] = *offered);
                continue;
            };
            let known: f64 = own.iter().filter_map(|at| rates[*at]).sum();
            let left = (received - known - self.by_pairs[to]).max(0.0);
            let all: f64 = offered.iter().flatten().sum();
            let tellable = all > 0.0 && offered.iter().all(Option::is_some);
            for (at, offered) in open.iter().zip(&offered) {
                let part = offered.filter(|_| tellable).map_or(1.0 / open.len() as f64, |part| part / all);
                rates[*at] = Some(left * part);
            }
        }
        rates
    }

    /// What a stream's senders emit into it: an even part of all they emit, to every task where the grouping is `all`.
    fn offered(&self, input: &Input) -> Option<f64> {
        let emitted = sum(&self.members[input.from], |member| member.emitted)?;
        let streams: BTreeSet<&str> = self
            .inputs
            .iter()
            .filter(|other| other.from == input.from)
            .map(|other| other.wire.stream.as_str())
            .collect();
        let copies = match input.wire.grouping.as_str() {
            "all" => self.members[input.to].iter().map(|member| member.tasks).sum(),
            _ => 1.0,
        };
        Some(emitted / streams.len() as f64 * copies)
    }
}

/// Sum over a component, those not measured taken as the mean of the others; none when none is measured.
fn sum(members: &[Member], of: fn(&Member) -> Option<f64>) -> Option<f64> {
    let known: Vec<f64> = members.iter().filter_map(of).collect();
    let sum: f64 = known.iter().sum();
    (!known.is_empty()).then(|| sum / known.len() as f64 * members.len() as f64)
}

fn weights_of_senders(members: &[Member]) -> Vec<f64> {
    weights(members, |member| member.emitted)
}

/// Measured figures, the mean of them where one is missing, the tasks where all are missing or zero.
fn weights(members: &[Member], of: fn(&Member) -> Option<f64>) -> Vec<f64> {
    let all = sum(members, of).unwrap_or(0.0);
    let mean = all / members.len() as f64;
    members.iter().map(|member| if all > 0.0 { of(member).unwrap_or(mean) } else { member.tasks }).collect()
}

/// Integer parts of the whole in proportion to weights; parts of zero are left out.
fn parts(members: &[Member], weights: &[f64]) -> Vec<(ExecutorIx, i64)> {
    let all: f64 = weights.iter().sum();
    let (mut sum, mut given) = (0.0, 0);
    let mut parts = Vec::with_capacity(members.len());
    for (member, weight) in members.iter().zip(weights) {
        sum += weight;
        let until = ((sum / all * WHOLE as f64).round() as i64).min(WHOLE);
        if until > given {
            parts.push((member.executor, until - given));
        }
        given = until;
    }
    parts
}
