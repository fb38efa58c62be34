//! Loads: measured where they are, otherwise the mean of the component's measured executors, the request, or an
//! assumption, in this order; and how much of what could be measured was.

use super::warm::{self, Warming};
use super::weighed::{LOAD_OF_THE_IDLE, Weighed};
use super::worker_cpu::{self, Fitted};
use super::{count, in_order};
use crate::settings::Settings;
use crate::units::Load;
use crate::wire::{
    ComponentKind, Coverage, Executor, LoadSource, MissingLoad, Note, NoteCode, Request, Topology,
};

/// Load of an executor of which nothing is known: Storm's default `topology.component.cpu.pcore.percent` of 10.
const LOAD_NOBODY_KNOWS: Load = Load(100_000);

/// Loads in the order of the problem.
pub(super) fn loads(
    request: &Request,
    settings: &Settings,
    notes: &mut Vec<Note>,
) -> (Vec<Weighed>, Coverage) {
    let mut all = Vec::new();
    let (mut guessed, mut fitted) = (Guessed::default(), Fitted::default());
    let mut warming = Warming::default();
    let mut coverage =
        Coverage { measured: 0, expected: 0, fraction: None, sufficient: true, missing: Vec::new() };
    for (topology, executors) in in_order(request) {
        let mut components: Vec<_> = topology.components.iter().collect();
        components.sort_by(|a, b| a.id.cmp(&b.id));
        // Weighed per component, then dealt back in the order of the executors.
        let mut weighed: Vec<Option<Weighed>> = vec![None; executors.len()];
        for component in components {
            let members: Vec<usize> =
                (0..executors.len()).filter(|at| executors[*at].component == component.id).collect();
            let measured: Vec<Load> =
                members.iter().filter_map(|at| measured(executors[*at], settings)).collect();
            let missing = members.len() - measured.len();
            // Statistics know no load of a spout and may know none of a system bolt, so those count only if measured.
            let expected = if component.kind == ComponentKind::Bolt { members.len() } else { measured.len() };
            coverage.expected += expected as u32;
            coverage.measured += measured.len() as u32;
            if expected > measured.len() {
                coverage.missing.push(MissingLoad {
                    topology: topology.id.clone(),
                    component: component.id.clone(),
                    executors: missing as u32,
                });
            }
            let request =
                component.cpu_request_pcore.map(Load::from_pcore_percent).filter(|l| *l > Load::ZERO);
            let substitute = substitute(&measured, request);
            guessed.add(topology, &component.id, missing, substitute);
            for at in members {
                let executor = executors[at];
                guessed.young += usize::from(young(executor, settings) && executor.cpu_cores.is_some());
                weighed[at] = Some(match measured_by(executor, settings) {
                    Some(own) => own,
                    None => substitute,
                });
            }
        }
        let mut weighed: Vec<Weighed> =
            weighed.into_iter().map(|w| w.expect("every executor's component is listed")).collect();
        let workers = warm::lasting(&topology.worker_cpu, settings.warm_secs);
        warming.add(&topology.worker_cpu, &workers);
        let of_topology =
            worker_cpu::fit(&workers, &executors, &mut weighed, |executor| young(executor, settings));
        fitted.scaled += of_topology.scaled;
        fitted.shared += of_topology.shared;
        all.extend(weighed);
    }
    guessed.note(settings, notes);
    note_fitted(fitted, notes);
    warming.note(settings.warm_secs, notes);
    if coverage.expected > 0 {
        let fraction = f64::from(coverage.measured) / f64::from(coverage.expected);
        coverage.fraction = Some(fraction);
        coverage.sufficient = fraction >= settings.coverage_min;
    }
    (all, coverage)
}

fn note_fitted(fitted: Fitted, notes: &mut Vec<Note>) {
    if fitted.scaled > 0 {
        let detail = format!(
            "statistics of {} are above what their workers' processes used, scaled to that",
            count(fitted.scaled, "executor")
        );
        notes.push(Note::new(NoteCode::LoadScaled, detail));
    }
    if fitted.shared > 0 {
        let detail = format!(
            "{} without a load of their own have what the others of their workers' processes left",
            count(fitted.shared, "executor")
        );
        notes.push(Note::new(NoteCode::LoadShared, detail));
    }
}

/// What an executor usually uses is known however young its worker is.
fn young(executor: &Executor, settings: &Settings) -> bool {
    executor.load_source != Some(LoadSource::History)
        && executor.uptime_secs.is_some_and(|secs| secs < settings.young_secs)
}

fn measured(executor: &Executor, settings: &Settings) -> Option<Load> {
    let load = executor.cpu_cores.filter(|_| !young(executor, settings)).map(Load::from_cores);
    load.map(|load| load.max(LOAD_OF_THE_IDLE))
}

fn measured_by(executor: &Executor, settings: &Settings) -> Option<Weighed> {
    let load = measured(executor, settings)?;
    Some(Weighed { load, source: executor.load_source.unwrap_or(LoadSource::Stats) })
}

fn substitute(measured: &[Load], request: Option<Load>) -> Weighed {
    match (measured.len() as i64, request) {
        (0, Some(load)) => Weighed { load, source: LoadSource::Request },
        (0, None) => Weighed { load: LOAD_NOBODY_KNOWS, source: LoadSource::Estimate },
        (n, _) => {
            let sum: Load = measured.iter().copied().sum();
            Weighed { load: Load((sum.0 + n / 2) / n), source: LoadSource::Estimate }
        }
    }
}

/// Components whose executors were weighed by a substitute.
#[derive(Default)]
struct Guessed {
    by_mean: Vec<String>,
    by_request: Vec<String>,
    by_nothing: Vec<String>,
    young: usize,
}

impl Guessed {
    fn add(&mut self, topology: &Topology, component: &str, missing: usize, substitute: Weighed) {
        if missing == 0 {
            return;
        }
        let list = match (substitute.source, substitute.load) {
            (LoadSource::Request, _) => &mut self.by_request,
            (_, LOAD_NOBODY_KNOWS) => &mut self.by_nothing,
            _ => &mut self.by_mean,
        };
        list.push(format!("{} of {}/{component}", count(missing, "executor"), topology.name));
    }

    fn note(&self, settings: &Settings, notes: &mut Vec<Note>) {
        for (code, list, how) in [
            (NoteCode::LoadMean, &self.by_mean, "the mean of their component"),
            (NoteCode::LoadRequested, &self.by_request, "their CPU request"),
            (NoteCode::LoadAssumed, &self.by_nothing, "an assumption, nothing being known"),
        ] {
            if !list.is_empty() {
                notes.push(Note::new(code, format!("weighed by {how}: {}", super::some_of(list))));
            }
        }
        if self.young > 0 {
            notes.push(Note::new(
                NoteCode::LoadYoung,
                format!(
                    "{} younger than {} s, their loads do not count yet",
                    count(self.young, "executor"),
                    settings.young_secs
                ),
            ));
        }
    }
}
