//! What is balanced: CPU, and every resource beside it.

use crate::model::Problem;
use crate::solve::groups::{Host, Instance, Workers};
use crate::units::{Load, Share};

/// Loads allowed on a host, both ends included.
#[derive(Debug, Clone, Copy)]
struct Range {
    low: i64,
    high: i64,
}

/// One resource.
#[derive(Debug)]
pub(in crate::solve) struct Measure {
    /// Use by every group.
    pub(in crate::solve) load: Vec<i64>,
    /// Use on every host with all groups at home.
    pub(in crate::solve) present: Vec<i64>,
    /// Within `load.distance.max` of the mean, and none of them overloaded unless the mean is.
    ranges: Vec<Range>,
    /// By host: capacity, and what CPU capacity stands for it.
    scale: Vec<(i64, i64)>,
}

impl Measure {
    /// CPU first.
    pub(in crate::solve) fn all(problem: &Problem, cpu: &Instance) -> Vec<Self> {
        let mut all = vec![Self::of(cpu, cpu)];
        for resource in &problem.resources {
            all.push(Self::of(&Workers::of(&problem.seen_by(resource)).instance, cpu));
        }
        all
    }

    fn of(instance: &Instance, cpu: &Instance) -> Self {
        let hosts = instance.hosts.iter().zip(&cpu.hosts);
        Self {
            load: instance.load.clone(),
            present: instance.present(),
            ranges: ranges(instance),
            scale: hosts.map(|(host, cpu)| (host.capacity.max(1), cpu.capacity.max(1))).collect(),
        }
    }

    /// How far a use is outside the range of a host, in the CPU that is as much of the host.
    pub(in crate::solve) fn violation(&self, host: u32, load: i64) -> i64 {
        let range = self.ranges[host as usize];
        let outside = (load - range.high).max(range.low - load).max(0);
        let (capacity, cpu) = self.scale[host as usize];
        if outside == 0 || capacity == cpu {
            return outside;
        }
        // A little outside is outside.
        (i128::from(outside) * i128::from(cpu) / i128::from(capacity)).max(1) as i64
    }
}

fn ranges(instance: &Instance) -> Vec<Range> {
    const ANY: i64 = i64::MAX / 4;
    let (mean, distance, overload) = (instance.mean(), instance.target, instance.overload);
    let top: Share = if mean <= overload { (mean + distance).min(overload) } else { mean + distance };
    let range = |host: &Host| {
        let capacity = Load(host.capacity);
        if !host.listed {
            return Range { low: -ANY, high: ANY };
        }
        let low = if host.draining { -ANY } else { (mean - distance).least(capacity).0 };
        Range { low, high: top.most(capacity).0.max(low) }
    };
    instance.hosts.iter().map(range).collect()
}
