//! What of a worker's overhead lasts. A JVM compiles and loads classes for minutes after its start; whoever charged that
//! to its executors would plan against a load that is gone before the plan is carried out, and start other JVMs for it.
//!
//! A worker is warm once its process has lived for `load.warm.secs`. One that is not is charged the median overhead of
//! the warm ones of its topology, if its own is more, and its process counts as having used that much less.

use std::borrow::Cow;

use super::count;
use crate::wire::{Note, NoteCode, WorkerCpu};

/// The workers of one topology, with the overhead that lasts.
pub(super) fn lasting(workers: &[WorkerCpu], warm_secs: f64) -> Cow<'_, [WorkerCpu]> {
    let cold = |worker: &WorkerCpu| worker.uptime_secs.is_some_and(|secs| secs < warm_secs);
    if !workers.iter().any(cold) {
        return Cow::Borrowed(workers);
    }
    let mut warm: Vec<f64> = workers.iter().filter(|worker| !cold(worker)).filter_map(overhead).collect();
    warm.sort_unstable_by(f64::total_cmp);
    // Of an even number the lower of the two in the middle: a figure that was measured.
    let Some(&median) = warm.get(warm.len().saturating_sub(1) / 2) else { return Cow::Borrowed(workers) };
    let charged = |worker: &WorkerCpu| match overhead(worker).filter(|own| cold(worker) && *own > median) {
        Some(own) => WorkerCpu {
            cpu_cores: worker.cpu_cores - (own - median),
            overhead_cores: Some(median),
            ..worker.clone()
        },
        None => worker.clone(),
    };
    workers.iter().map(charged).collect()
}

/// Never more than the whole process used.
fn overhead(worker: &WorkerCpu) -> Option<f64> {
    worker.overhead_cores.map(|cores| cores.min(worker.cpu_cores))
}

/// Workers that were charged less than they used.
#[derive(Default)]
pub(super) struct Warming {
    workers: usize,
    cores: f64,
}

impl Warming {
    /// Counts those of one topology; both lists are in the same order.
    pub(super) fn add(&mut self, used: &[WorkerCpu], charged: &[WorkerCpu]) {
        for (used, charged) in used.iter().zip(charged).filter(|(used, charged)| used != charged) {
            self.workers += 1;
            self.cores += used.cpu_cores - charged.cpu_cores;
        }
    }

    pub(super) fn note(&self, warm_secs: f64, notes: &mut Vec<Note>) {
        if self.workers > 0 {
            let detail = format!(
                "{} younger than {warm_secs} s, charged the overhead of warm ones: {:.2} cores less than they use now",
                count(self.workers, "worker"),
                self.cores
            );
            notes.push(Note::new(NoteCode::LoadWarming, detail));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Workers of 0.5 cores with this overhead, in hundredths, and uptime.
    fn workers(of: &[(Option<u32>, Option<f64>)]) -> Vec<WorkerCpu> {
        let worker = |(at, (overhead, uptime_secs)): (usize, &(Option<u32>, Option<f64>))| WorkerCpu {
            node: "n1".to_owned(),
            port: 6700 + at as u16,
            cpu_cores: 0.5,
            overhead_cores: overhead.map(|hundredths| f64::from(hundredths) / 100.0),
            uptime_secs: *uptime_secs,
        };
        of.iter().enumerate().map(worker).collect()
    }

    /// Overhead and CPU charged, in hundredths of a core.
    fn charged(of: &[(Option<u32>, Option<f64>)], warm_secs: f64) -> Vec<(Option<i64>, i64)> {
        let hundredths = |cores: f64| (cores * 100.0).round() as i64;
        let all = workers(of);
        let charged = lasting(&all, warm_secs);
        charged.iter().map(|w| (w.overhead_cores.map(hundredths), hundredths(w.cpu_cores))).collect()
    }

    const OLD: Option<f64> = Some(300.0);
    const NEW: Option<f64> = Some(299.9);

    #[test]
    fn a_worker_that_warms_up_is_charged_the_lower_median_of_the_warm_ones() {
        let of = [(Some(30), NEW), (Some(18), OLD), (Some(14), None), (Some(15), OLD), (Some(16), OLD)];
        let expected = [(Some(15), 35), (Some(18), 50), (Some(14), 50), (Some(15), 50), (Some(16), 50)];
        assert_eq!(charged(&of, 300.0), expected);
        assert_eq!(charged(&of[..4], 300.0)[0], (Some(15), 35), "the middle of three");
        assert_eq!(charged(&of, 0.0)[0], (Some(30), 50), "switched off");
    }

    #[test]
    fn one_that_uses_less_and_one_that_tells_no_overhead_are_charged_what_they_use() {
        let of = [(Some(10), NEW), (None, NEW), (Some(20), OLD), (None, OLD)];
        assert_eq!(charged(&of, 300.0), [(Some(10), 50), (None, 50), (Some(20), 50), (None, 50)]);
    }

    #[test]
    fn where_none_is_warm_each_is_charged_its_own() {
        let of = [(Some(30), NEW), (Some(20), NEW), (None, OLD)];
        assert_eq!(charged(&of, 300.0), [(Some(30), 50), (Some(20), 50), (None, 50)]);
    }

    #[test]
    fn overhead_beyond_the_whole_process_counts_as_the_whole_process() {
        let of = [(Some(90), NEW), (Some(20), OLD)];
        assert_eq!(charged(&of, 300.0)[0], (Some(20), 20));
        assert_eq!(charged(&[(Some(60), NEW), (Some(90), OLD)], 300.0)[0], (Some(60), 50));
    }

    #[test]
    fn the_note_says_how_many_and_how_much() {
        let all = workers(&[(Some(30), NEW), (Some(28), NEW), (Some(20), OLD)]);
        let (mut warming, mut notes) = (Warming::default(), Vec::new());
        warming.add(&all, &lasting(&all, 300.0));
        warming.note(300.0, &mut notes);
        let detail = "2 workers younger than 300 s, charged the overhead of warm ones: 0.18 cores less than they use now";
        assert_eq!(notes, [Note::new(NoteCode::LoadWarming, detail)]);
    }
}
