//! A recording of a made-up cluster: its loads wander from window to window, its placement stays.

use jiff::Timestamp;

use super::{Cluster, Drifting};
use crate::units::Load;
use crate::wire::Request;

/// Windows of a cluster, without end.
#[derive(Debug, Clone)]
pub struct Recorded {
    request: Request,
    loads: Drifting,
    secs: u32,
    at: i64,
}

/// When the first window ends: 2026-11-30T00:00:00Z.
const BEGIN: i64 = 1_795_996_800;

impl Recorded {
    /// A cluster whose windows are so many seconds long. Same cluster, same windows.
    pub fn new(cluster: &Cluster, secs: u32) -> Self {
        let mut request = cluster.request();
        // What an operator has who sets nothing.
        request.settings.clear();
        let loads: Vec<i64> = executors(&mut request).map(|load| Load::from_cores(*load).0).collect();
        Self { loads: Drifting::new(&loads, cluster.seed), request, secs, at: BEGIN }
    }
}

impl Iterator for Recorded {
    type Item = Request;

    fn next(&mut self) -> Option<Request> {
        let mut request = self.request.clone();
        let loads = self.loads.next()?;
        for (cores, load) in executors(&mut request).zip(loads) {
            *cores = Load(load).cores();
        }
        request.window_secs = Some(f64::from(self.secs));
        request.taken_at = Timestamp::from_second(self.at).ok().map(|time| time.to_string());
        request.generation = self.at as u64;
        self.at += i64::from(self.secs);
        Some(request)
    }
}

/// Measured loads in cores.
fn executors(request: &mut Request) -> impl Iterator<Item = &mut f64> {
    let all = request.topologies.iter_mut().flat_map(|topology| &mut topology.executors);
    all.filter_map(|executor| executor.cpu_cores.as_mut())
}
