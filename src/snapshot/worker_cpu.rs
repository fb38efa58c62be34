//! What a worker's process used, dealt to its executors. It alone knows of spouts and ackers, which statistics do not
//! measure, of messaging and transfer threads, and of what statistics count too high on a busy node: execute latency is
//! wall time, and a tuple that waits for a core takes it all the same.
//!
//! The loads of a worker's executors, as weighed before, are changed until they add up to what its process used. Loads of
//! the hook are CPU time and stay. Guesses take what the others leave; where all together are too much, statistics and
//! guesses shrink by one factor. Loads that are of another life of the process (`history`) cannot be held against what it
//! uses now, so where there is one, nothing is changed but for the overhead. What belongs to no executor is charged to each alike, since it follows the worker.

use std::collections::BTreeMap;

use super::weighed::{LOAD_OF_THE_IDLE, Weighed};
use crate::units::Load;
use crate::wire::{Executor, LoadSource, WorkerCpu};

/// Executors whose loads were changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Fitted {
    /// Statistics that were too high.
    pub(super) scaled: usize,
    /// Guesses that became a share of what was left.
    pub(super) shared: usize,
}

/// One executor of a worker.
struct Member {
    at: usize,
    cores: f64,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hook,
    History,
    Statistics,
    Guess,
}

/// Changes the loads of one topology; `executors` and `weighed` are in the same order. A worker that is too young to
/// count stays as it is, and so does one whose process nobody measured.
pub(super) fn fit(
    workers: &[WorkerCpu],
    executors: &[&Executor],
    weighed: &mut [Weighed],
    young: impl Fn(&Executor) -> bool,
) -> Fitted {
    let mut fitted = Fitted::default();
    if workers.is_empty() {
        return fitted;
    }
    let mut members: BTreeMap<(&str, u16), Vec<Member>> = BTreeMap::new();
    for (at, (executor, known)) in executors.iter().zip(weighed.iter()).enumerate() {
        if let (Some(node), Some(port)) = (&executor.node, executor.port) {
            let kind = match (executor.cpu_cores, executor.load_source) {
                (None, _) => Kind::Guess,
                (Some(_), Some(LoadSource::Hook)) => Kind::Hook,
                (Some(_), Some(LoadSource::History)) => Kind::History,
                (Some(_), _) => Kind::Statistics,
            };
            members.entry((node, port)).or_default().push(Member { at, cores: known.load.cores(), kind });
        }
    }
    for worker in workers {
        let Some(own) = members.get_mut(&(worker.node.as_str(), worker.port)) else { continue };
        if own.iter().any(|member| young(executors[member.at])) {
            continue;
        }
        let past = own.iter().any(|member| member.kind == Kind::History);
        let changed = if past { charge_overhead(worker, own) } else { fit_worker(worker, own) };
        fitted.scaled += changed.scaled;
        fitted.shared += changed.shared;
        for member in own {
            let known = &mut weighed[member.at];
            known.load = Load::from_cores(member.cores).max(LOAD_OF_THE_IDLE);
            if member.kind == Kind::Guess && !past {
                known.source = LoadSource::Worker;
            }
        }
    }
    fitted
}

/// What no executor's thread used, no more than the process did.
fn overhead(worker: &WorkerCpu) -> f64 {
    worker.overhead_cores.unwrap_or(0.0).min(worker.cpu_cores)
}

fn charge_overhead(worker: &WorkerCpu, own: &mut [Member]) -> Fitted {
    let each = overhead(worker) / own.len() as f64;
    own.iter_mut().for_each(|member| member.cores += each);
    Fitted::default()
}

fn fit_worker(worker: &WorkerCpu, own: &mut [Member]) -> Fitted {
    let sum = |own: &[Member], kind| own.iter().filter(|m| m.kind == kind).map(|m| m.cores).sum::<f64>();
    let (hook, statistics, guesses) =
        (sum(own, Kind::Hook), sum(own, Kind::Statistics), sum(own, Kind::Guess));
    let overhead = overhead(worker);
    let left = (worker.cpu_cores - overhead - hook).max(0.0);
    let too_much = statistics + guesses > left;
    let (of_statistics, of_guesses) = match () {
        () if too_much => (left / (statistics + guesses), left / (statistics + guesses)),
        () if guesses > 0.0 => (1.0, (left - statistics) / guesses),
        () => (1.0, 1.0),
    };
    let nobodys = if too_much || guesses > 0.0 { overhead } else { overhead + left - statistics };
    let each = nobodys / own.len() as f64;
    let mut fitted = Fitted::default();
    for member in own {
        match member.kind {
            Kind::Hook | Kind::History => {}
            Kind::Statistics => {
                member.cores *= of_statistics;
                fitted.scaled += usize::from(too_much);
            }
            Kind::Guess => {
                member.cores *= of_guesses;
                fitted.shared += 1;
            }
        }
        member.cores += each;
    }
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::TaskRange;

    fn worker(cpu_cores: f64, overhead_cores: Option<f64>) -> WorkerCpu {
        WorkerCpu { node: "n1".to_owned(), port: 6700, cpu_cores, overhead_cores, uptime_secs: None }
    }

    fn loads(worker: &WorkerCpu, members: &[(f64, Kind)]) -> (Vec<f64>, Fitted) {
        let mut own: Vec<Member> = members
            .iter()
            .enumerate()
            .map(|(at, (cores, kind))| Member { at, cores: *cores, kind: *kind })
            .collect();
        let fitted = fit_worker(worker, &mut own);
        (own.iter().map(|member| (member.cores * 1e9).round() / 1e9).collect(), fitted)
    }

    #[test]
    fn statistics_that_waited_for_a_core_shrink_to_what_the_process_used() {
        let (loads, fitted) =
            loads(&worker(0.5, Some(0.1)), &[(0.6, Kind::Statistics), (0.2, Kind::Statistics)]);
        // 0.4 of 0.8, and 0.05 each of what is nobody's.
        assert_eq!((loads, fitted), (vec![0.35, 0.15], Fitted { scaled: 2, shared: 0 }));
    }

    #[test]
    fn a_spout_has_what_the_bolts_leave() {
        let (loads, fitted) =
            loads(&worker(0.5, None), &[(0.2, Kind::Statistics), (0.1, Kind::Guess), (0.05, Kind::Guess)]);
        assert_eq!((loads, fitted), (vec![0.2, 0.2, 0.1], Fitted { scaled: 0, shared: 2 }));
    }

    #[test]
    fn a_guess_is_never_nothing_while_statistics_are_too_high() {
        let (loads, _) = loads(&worker(0.15, None), &[(0.2, Kind::Statistics), (0.1, Kind::Guess)]);
        assert_eq!(loads, [0.1, 0.05]);
    }

    #[test]
    fn cpu_time_of_the_hook_stays_and_what_nobody_explains_is_charged_to_each_alike() {
        let (loads, fitted) = loads(&worker(0.5, Some(0.1)), &[(0.2, Kind::Hook), (0.1, Kind::Statistics)]);
        assert_eq!((loads, fitted), (vec![0.3, 0.2], Fitted::default()));
    }

    #[test]
    fn a_process_that_used_less_than_its_overhead_leaves_nothing_negative() {
        let (loads, _) = loads(&worker(0.05, Some(0.1)), &[(0.2, Kind::Statistics), (0.1, Kind::Hook)]);
        assert_eq!(loads, [0.025, 0.125]);
    }

    #[test]
    fn where_loads_are_of_before_the_restart_only_the_overhead_is_charged() {
        let executor = |task: i32, cpu_cores: Option<f64>, source: Option<LoadSource>| {
            let mut executor = Executor::blank(TaskRange(task, task), "b");
            (executor.node, executor.port) = (Some("n1".to_owned()), Some(6700));
            (executor.cpu_cores, executor.load_source) = (cpu_cores, source);
            executor
        };
        let all = [executor(1, Some(0.1), Some(LoadSource::History)), executor(2, None, None)];
        let mut weighed = [Weighed { load: Load::from_cores(0.1), source: LoadSource::Estimate }; 2];
        let workers = [worker(0.9, Some(0.2))];
        let fitted = fit(&workers, &all.iter().collect::<Vec<_>>(), &mut weighed, |_| false);
        assert_eq!(fitted, Fitted::default());
        assert_eq!(weighed.map(|known| known.load.cores()), [0.2, 0.2], "not the 0.5 cores of its compiler");
        assert_eq!(weighed[1].source, LoadSource::Estimate);
    }

    #[test]
    fn a_young_worker_and_one_nobody_measured_stay_as_they_are() {
        let executor = |task: i32, port: u16, uptime: f64| {
            let mut executor = Executor::blank(TaskRange(task, task), "b");
            executor.node = Some("n1".to_owned());
            executor.port = Some(port);
            (executor.cpu_cores, executor.uptime_secs) = (Some(0.4), Some(uptime));
            executor
        };
        let all = [executor(1, 6700, 900.0), executor(2, 6701, 5.0), executor(3, 6702, 900.0)];
        let mut weighed = [Weighed { load: Load::from_cores(0.4), source: LoadSource::Stats }; 3];
        let workers = [worker(0.2, None), WorkerCpu { port: 6701, ..worker(0.2, None) }];
        let young = |executor: &Executor| executor.uptime_secs < Some(30.0);
        let fitted = fit(&workers, &all.iter().collect::<Vec<_>>(), &mut weighed, young);
        assert_eq!(fitted, Fitted { scaled: 1, shared: 0 });
        assert_eq!(weighed.map(|known| known.load.cores()), [0.2, 0.4, 0.4]);
    }
}
