//! How many executors a component should have: its busy time over what one executor should be busy at most, never more
//! than its tasks. The number of tasks is fixed when a topology is submitted (`TopologyBuilder.setNumTasks`), and state
//! hangs on it, so it is never proposed to change it by a rebalance.

use crate::model::{Component, Executor, Problem, Topology};
use crate::settings::Settings;
use crate::units::Load;
use crate::wire::{ComponentKind, LoadSource, Note, NoteCode, Parallelism};

/// One component's busy time and what it would be best dealt over.
struct Busy<'p> {
    topology: &'p Topology,
    component: &'p Component,
    /// Executors it has.
    executors: u32,
    tasks: u32,
    /// Cores of all its executors.
    load: Load,
    /// Executors that bear the load to be expected, however many tasks there are.
    wish: u32,
}

impl<'p> Busy<'p> {
    /// Components of which enough executors are measured; Storm's own are left alone.
    fn all(problem: &'p Problem, settings: &'p Settings) -> impl Iterator<Item = Self> + 'p {
        problem.topologies.iter().filter(|topology| topology.enabled).flat_map(move |topology| {
            let executors = &problem.executors[topology.executors.clone()];
            topology.components.clone().filter_map(move |at| {
                let members: Vec<&Executor> = executors.iter().filter(|e| e.component.at() == at).collect();
                Self::of(topology, &problem.components[at], &members, settings)
            })
        })
    }

    fn of(
        topology: &'p Topology,
        component: &'p Component,
        members: &[&Executor],
        settings: &Settings,
    ) -> Option<Self> {
        let measured = |e: &&&Executor| !matches!(e.source, LoadSource::Request | LoadSource::Estimate);
        let known = members.iter().filter(measured).count();
        let enough = known > 0 && known as f64 >= settings.coverage_min * members.len() as f64;
        if component.kind == ComponentKind::System || !enough {
            return None;
        }
        let load: Load = members.iter().map(|e| e.load).sum();
        let expected = i128::from(topology.demand.0) * i128::from(load.0);
        let one = i128::from(Load::from_cores(settings.parallelism_load).0) * 1_000_000_000;
        let wish = ((expected + one - 1) / one).clamp(1, i128::from(u32::MAX)) as u32;
        let tasks = members.iter().map(|e| (e.tasks.1 - e.tasks.0 + 1) as u32).sum();
        Some(Self { topology, component, executors: members.len() as u32, tasks, load, wish })
    }

    fn advised(&self) -> u32 {
        self.wish.min(self.tasks)
    }

    /// Cores one executor uses now.
    fn busy(&self) -> f64 {
        self.load.cores() / f64::from(self.executors)
    }

    /// Cores each of so many executors is to be expected to use.
    fn busy_in(&self, executors: u32) -> f64 {
        self.load.cores() * self.topology.demand.fraction() / f64::from(executors)
    }

    /// Present use, and what is to be expected where input arrives faster than it is taken.
    fn now(&self) -> String {
        let demand = self.topology.demand.fraction();
        let arrives = if demand > 1.0 {
            format!(" and {demand:.2} times as much arrives as they take")
        } else {
            String::new()
        };
        format!("{} are {:.2} busy{arrives}", super::count(self.executors as usize, "executor"), self.busy())
    }

    /// True where fewer executors would do with room to spare.
    fn is_idle(&self, settings: &Settings) -> bool {
        !self.topology.lags
            && self.wish < self.executors
            && self.busy_in(self.executors) < settings.scale_in_load.fraction()
    }

    fn because(&self) -> String {
        let (now, wish, advised) = (self.now(), self.wish, self.advised());
        let would = format!("{now}, {wish} would be {:.2} busy", self.busy_in(wish));
        if wish <= self.tasks {
            return would;
        }
        format!(
            "{would}, its {} tasks allow {advised}, which carry {:.1} times as much; for more, submit it again with at \
             least {wish} tasks",
            self.tasks,
            f64::from(advised) / f64::from(self.executors)
        )
    }
}

/// Components whose number of executors does not fit their load, and can be changed by `storm rebalance -e`.
pub(super) fn advise(problem: &Problem, settings: &Settings) -> Vec<Parallelism> {
    Busy::all(problem, settings)
        .filter(|busy| busy.advised() > busy.executors || busy.is_idle(settings))
        .map(|busy| Parallelism {
            topology: busy.topology.id.clone(),
            component: busy.component.id.clone(),
            executors: busy.executors,
            advised: busy.advised(),
            tasks: busy.tasks,
            busy: busy.busy(),
            because: busy.because(),
        })
        .collect()
}

/// Components that need more executors and have no task left for one: a rebalance would only restart their workers.
pub fn at_its_tasks(problem: &Problem, settings: &Settings) -> Option<Note> {
    let sentences: Vec<String> = Busy::all(problem, settings)
        .filter(|busy| busy.wish > busy.tasks && busy.executors >= busy.tasks)
        .map(|busy| {
            let (topology, component, wish) = (&busy.topology.id, &busy.component.id, busy.wish);
            format!(
                "{topology}/{component}: {}, {wish} would be {:.2} busy, but it has {} tasks: for more, submit it again \
                 with at least {wish}",
                busy.now(),
                busy.busy_in(wish),
                busy.tasks
            )
        })
        .collect();
    let shown = crate::snapshot::some_of(&sentences);
    (!sentences.is_empty()).then(|| Note::new(NoteCode::TasksLimit, shown))
}
