//! Statistics periods one after the other: each strategy lives with what it decided before, loads follow the executors.

use super::{Effort, Run, run};
use crate::replay::carry_out;
use crate::units::Load;
use crate::wire::{Refusal, Request};

/// How loads change from one period to the next.
#[derive(Debug, Clone, Copy)]
pub struct Drift {
    /// Each load is multiplied by 1 - share to 1 + share, uniformly; 0 leaves them as they are.
    pub share: f64,
    /// Same seed, same loads in every period, whatever the strategy.
    pub seed: u64,
}

impl Drift {
    /// Loads of a period from those of the period before. Only the seed and the period decide, so that every strategy
    /// meets the same loads.
    pub fn apply(&self, request: &mut Request, period: u32) {
        if self.share == 0.0 {
            return;
        }
        let mut random = fastrand::Rng::with_seed(self.seed ^ (u64::from(period) << 32));
        for executor in request.topologies.iter_mut().flat_map(|topology| &mut topology.executors) {
            let factor = 1.0 + self.share * (2.0 * random.f64() - 1.0);
            if let Some(cores) = &mut executor.cpu_cores {
                *cores = Load::from_cores(*cores * factor).cores();
            }
        }
    }
}

/// Has a strategy answer one period after the other, the first as given, and carries each plan out before the next.
pub fn periods(
    first: &Request,
    drift: Drift,
    count: u32,
    strategy: &str,
    effort: Effort,
    mut each: impl FnMut(Run),
) -> Result<(), Refusal> {
    let mut request = first.clone();
    for period in 0..count {
        if period > 0 {
            drift.apply(&mut request, period);
        }
        request.generation = u64::from(period) + 1;
        let (run, reply) = run(&request, strategy, effort, period)?;
        carry_out(&mut request, &reply);
        each(run);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Groups, Shares};

    fn small() -> Request {
        Groups {
            nodes: 4,
            per_node: 5,
            variation: 0.8,
            shares: Shares::Uniform,
            budget: 3,
            seed: 1,
            target: 0.0,
            state: None,
        }
        .request()
    }

    #[test]
    fn each_period_begins_where_the_last_one_ended() {
        let mut runs = Vec::new();
        let effort = Effort { steps: 2000, time_ms: 60_000 };
        periods(&small(), Drift { share: 0.0, seed: 0 }, 4, "search", effort, |run| runs.push(run))
            .expect("sound");
        assert!(runs[0].moves > 0, "{runs:?}");
        for pair in runs.windows(2) {
            assert_eq!(pair[0].load_distance, pair[1].load_distance_before);
        }
        assert_eq!(runs.iter().map(|run| run.period).collect::<Vec<_>>(), [0, 1, 2, 3]);
    }

    #[test]
    fn loads_drift_by_seed_and_period_alone() {
        let drift = Drift { share: 0.1, seed: 7 };
        let loads = |request: &Request| -> Vec<f64> {
            request.topologies[0]
                .executors
                .iter()
                .map(|executor| executor.cpu_cores.expect("measured"))
                .collect()
        };
        let (mut one, mut other, before) = (small(), small(), loads(&small()));
        other.topologies[0].executors[3].node = Some("node-00000".to_owned());
        drift.apply(&mut one, 1);
        drift.apply(&mut other, 1);
        assert_eq!(loads(&one), loads(&other));
        for (before, after) in before.iter().zip(loads(&one)) {
            assert!((after / before - 1.0).abs() <= 0.1 + 1e-6 && after != *before, "{before} to {after}");
        }
        let again = loads(&one);
        drift.apply(&mut one, 2);
        assert_ne!(again, loads(&one));
    }
}
