//! One pass over the windows: one thread reads, one a policy lives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use serde_json::{Map, Value, json};

use super::bound;
use super::carried_out::carry_out;
use super::life::Life;
use super::memory::Memory;
use super::outcome::{LoadSources, Outcome, PolicyOutcome};
use super::placed::placed;
use super::recorded::price_between;
use super::tally::{Facts, Price, Tally, price_of};
use super::what_if::WhatIf;
use crate::engine;
use crate::ingest::{Fault, Source};
use crate::settings::{self, Settings};
use crate::solve;
use crate::wire::{Ask, Request};

/// The policy that follows the recording.
pub const RECORDED: &str = "recorded";

/// Windows read ahead of the slowest policy.
const AHEAD: usize = 4;
/// Seconds of a window that does not say its own.
const WINDOW_SECS: f64 = 60.0;
/// Refusals told one by one.
const REFUSALS: usize = 20;

/// What is replayed.
#[derive(Debug, Clone, Default)]
pub struct Replay {
    /// Strategies of the registry, each one policy.
    pub policies: Vec<String>,
    /// Settings laid over those of the windows, by their names on the wire.
    pub settings: Map<String, Value>,
    /// What is changed in every window.
    pub what_if: WhatIf,
}

/// A window as it is handed to the policies.
struct Step {
    facts: Facts,
    pause_secs: f64,
    drains: bool,
    request: Request,
}

/// Steps through all windows of a source. `seen` is told of every window.
///
/// # Errors
/// What the source cannot read, or that it has no window that could be planned for.
pub fn replay(
    source: &mut dyn Source,
    replay: &Replay,
    seen: &mut dyn FnMut(&Request),
) -> Result<Outcome, Fault> {
    let mut read = Reading::default();
    let lives = thread::scope(|scope| {
        let names = std::iter::once(RECORDED).chain(replay.policies.iter().map(String::as_str));
        let (mut ways, mut lives) = (Vec::new(), Vec::new());
        for name in names {
            let (way, steps) = sync_channel::<Arc<Step>>(AHEAD);
            ways.push(way);
            lives.push(scope.spawn(move || live(name, &steps)));
        }
        read.all(source, replay, &ways, seen)?;
        // The ends of the channels are what the policies wait for.
        drop(ways);
        Ok(lives
            .into_iter()
            .map(|life| life.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect::<Vec<_>>())
    })?;
    let mut policies = Vec::new();
    for life in lives {
        policies.extend(life.outcome);
        read.refusals.extend(life.refusals);
    }
    let (Some(from), Some(to)) = (read.from, read.to) else {
        return Err(Fault::new(
            "the recording",
            match read.refusals.told.first() {
                Some(first) => format!("no window can be planned for; {first}"),
                None => "it has no window".to_owned(),
            },
            "give a recording that holds at least one window",
        ));
    };
    if let Some(name) = read.unknown.iter().flatten().next() {
        return Err(Fault::new(
            crate::ingest::quoted(name),
            "no window has a node or a component of this name",
            "name supervisor ids or hosts, and COMPONENT or TOPOLOGY/COMPONENT, as the recording has them",
        ));
    }
    let mut what_if: Vec<String> =
        replay.settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
    what_if.extend(replay.what_if.in_words());
    Ok(Outcome {
        inputs: Vec::new(),
        from,
        to,
        windows: read.windows,
        windows_unmeasured: read.unmeasured,
        windows_refused: read.refusals.windows,
        refused: read.refusals.told,
        overload: read.overload,
        pause_secs: read.pause_secs,
        coverage: (read.expected > 0).then(|| read.measured as f64 / read.expected as f64),
        sources: read
            .sources
            .into_iter()
            .map(|(source, executors)| LoadSources { source, executors })
            .collect(),
        remarks: Vec::new(),
        what_if,
        policies,
    })
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    from: Option<i64>,
    to: Option<i64>,
    windows: u64,
    unmeasured: u64,
    measured: u64,
    expected: u64,
    sources: BTreeMap<String, u64>,
    refusals: Refusals,
    overload: f64,
    pause_secs: f64,
    /// Names of what-ifs that no window knew so far.
    unknown: Option<BTreeSet<String>>,
}

impl Reading {
    fn all(
        &mut self,
        source: &mut dyn Source,
        replay: &Replay,
        ways: &[SyncSender<Arc<Step>>],
        seen: &mut dyn FnMut(&Request),
    ) -> Result<(), Fault> {
        while let Some(mut window) = source.next()? {
            let request = &mut window.request;
            request.ask = Ask::Plan;
            request.settings.extend(replay.settings.clone());
            // What has no home gets one by the same rules for every policy.
            request.settings.insert("place".to_owned(), json!("native"));
            let unknown = replay.what_if.unknown_in(request);
            self.unknown = Some(match self.unknown.take() {
                Some(before) => before.intersection(&unknown).cloned().collect(),
                None => unknown,
            });
            replay.what_if.apply(request);
            seen(request);
            match step(window.at, window.request) {
                Ok(step) => {
                    self.learn(&step);
                    let step = Arc::new(step);
                    for way in ways {
                        // A policy that is gone has panicked, which joining it will tell.
                        let _gone = way.send(Arc::clone(&step));
                    }
                }
                Err(refusal) => self.refusals.add(|| format!("window {}: {refusal}", window.at)),
            }
        }
        Ok(())
    }

    fn learn(&mut self, step: &Step) {
        self.from.get_or_insert(step.facts.at);
        self.to = Some(step.facts.at);
        self.windows += 1;
        self.unmeasured += u64::from(step.facts.unmeasured());
        (self.overload, self.pause_secs) = (step.facts.overload, step.pause_secs);
        for executor in step.request.topologies.iter().flat_map(|topology| &topology.executors) {
            let source = match (executor.cpu_cores, executor.load_source) {
                (None, _) => "none".to_owned(),
                (Some(_), None) => "stats".to_owned(),
                (Some(_), Some(source)) => format!("{source:?}").to_lowercase(),
            };
            *self.sources.entry(source).or_default() += 1;
        }
        self.expected += u64::from(step.facts.expected);
        self.measured += u64::from(step.facts.measured);
    }
}

fn step(at: i64, request: Request) -> Result<Step, crate::wire::Refusal> {
    let settings: Settings = settings::check(&request.settings, &solve::names()).settings;
    let known = bound::of_any_placement(&request)?;
    Ok(Step {
        facts: Facts {
            at,
            secs: request.window_secs.unwrap_or(WINDOW_SECS),
            bound: known.bound,
            overload: settings.overload.fraction(),
            measured: known.measured,
            expected: known.expected,
        },
        pause_secs: settings.pause_secs,
        drains: settings.scale_apply,
        request,
    })
}

/// Windows that were refused.
#[derive(Default)]
struct Refusals {
    windows: u64,
    /// The first of them.
    told: Vec<String>,
}

impl Refusals {
    fn add(&mut self, why: impl FnOnce() -> String) {
        self.windows += 1;
        if self.told.len() < REFUSALS {
            self.told.push(why());
        }
    }

    fn extend(&mut self, others: Self) {
        self.windows += others.windows;
        let room = REFUSALS - self.told.len();
        self.told.extend(others.told.into_iter().take(room));
    }
}

/// What became of a policy.
struct Lived {
    /// None where it could plan no window.
    outcome: Option<PolicyOutcome>,
    refusals: Refusals,
}

/// A policy's way through the windows.
fn live(name: &str, steps: &Receiver<Arc<Step>>) -> Lived {
    let mut tally = Tally::new(name);
    let (mut life, mut memory) = (Life::default(), Memory::default());
    let mut earlier: Option<Arc<Step>> = None;
    let (mut before, mut after, mut refusals) = (None, None, Refusals::default());
    for step in steps {
        let at = step.facts.at;
        let mut request = step.request.clone();
        let recorded = name == RECORDED;
        request.settings.insert("strategy".to_owned(), json!(if recorded { "stay" } else { name }));
        if !recorded {
            life.move_in(&mut request, at);
            memory.recall(&mut request, at);
        }
        let reply = engine::answer(&request);
        let (Some(was), Some(is)) = (&reply.before, &reply.after) else {
            if let Some(refusal) = reply.refusal {
                refusals.add(|| format!("{name}, window {at}: {refusal}"));
            }
            continue;
        };
        let price = match (recorded, &earlier) {
            (true, Some(earlier)) => price_between(&earlier.request, &step.request, step.pause_secs),
            (true, None) => Price::default(),
            (false, _) => price_of(&reply),
        };
        tally.window(step.facts, was, price);
        tally.notes(&reply);
        before.get_or_insert_with(|| placed(&request, was));
        if recorded {
            after = Some((request, was.clone()));
        } else {
            tally.plan(at, &request, &reply);
            let mut planned = request.clone();
            carry_out(&mut planned, &reply);
            life.settle(&request, &planned, at);
            memory.learn(&reply, at, step.drains);
            after = Some((planned, is.clone()));
        }
        earlier = Some(step);
    }
    let after = after.map(|(request, balance)| placed(&request, &balance));
    Lived { outcome: before.zip(after).map(|(before, after)| tally.finish(before, after)), refusals }
}
