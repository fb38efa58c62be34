//! How long it takes to replay a recording, from the packed file to the outcome.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use super::Peak;
use crate::generate::{Cluster, Recorded};
use crate::ingest::{Fault, Recording, packed};
use crate::replay::{Replay, replay};

/// What it took.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplayRun {
    /// Executors of the cluster.
    pub executors: usize,
    /// Nodes of the cluster.
    pub nodes: usize,
    /// Windows.
    pub windows: u64,
    /// Policies, without `recorded`.
    pub policies: usize,
    /// Bytes of the file, packed.
    pub file_bytes: u64,
    /// Bytes of the requests in it.
    pub request_bytes: u64,
    /// Seconds from opening the file to the outcome.
    pub secs: f64,
    /// Peak of the process's resident memory, in MiB; absent where the system does not count it.
    pub memory_mib: Option<f64>,
    /// Restarts of every policy.
    pub restarts: Vec<(String, u64)>,
}

/// Writes a recording as `ballast record` does. Returns the bytes of the requests.
pub fn write_recording(path: &Path, recorded: Recorded, windows: usize) -> io::Result<u64> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut bytes = 0;
    for request in recorded.take(windows) {
        bytes += serde_json::to_vec(&request).map_err(io::Error::from)?.len() as u64;
        out.write_all(&packed(&request)?)?;
    }
    out.flush()?;
    Ok(bytes)
}

/// Replays a recording that `write_recording` wrote.
pub fn replay_run(
    path: &Path,
    cluster: &Cluster,
    request_bytes: u64,
    question: &Replay,
) -> Result<ReplayRun, Fault> {
    let made = cluster.request();
    let file_bytes = path.metadata().map_err(|error| Fault::unreadable(path.display(), &error))?.len();
    let peak = Peak::from_here();
    let start = Instant::now();
    let mut source = Recording::open(vec![path.to_owned()]);
    let outcome = replay(&mut source, question, &mut |_| ())?;
    Ok(ReplayRun {
        executors: made.topologies.iter().map(|topology| topology.executors.len()).sum(),
        nodes: made.nodes.len(),
        windows: outcome.windows,
        policies: question.policies.len(),
        file_bytes,
        request_bytes,
        secs: start.elapsed().as_secs_f64(),
        memory_mib: peak.mib(),
        restarts: outcome.policies.into_iter().map(|run| (run.policy, run.figures.restarts)).collect(),
    })
}
