//! Bytes to every parser of recordings: whatever they are, a parser gives windows that the engine answers, or a fault
//! that says something. Shared by the bounded test and the fuzz targets.

use ballast::engine::answer;
use ballast::ingest::metrics_log::MetricsLog;
use ballast::ingest::{Fault, Format, Loadgen, Loads, Options, Recording, Source};
use ballast::wire::Request;

/// Windows looked at of one input.
const WINDOWS: usize = 20;

/// A recording of Ballast.
pub(crate) fn recording(bytes: &[u8]) {
    source(Ok(Recording::of_bytes("recording", bytes.to_vec())));
}

/// A table of loads.
pub(crate) fn loads(bytes: &[u8]) {
    source(Loads::of_bytes("loads.csv", bytes.to_vec()));
}

/// A capture of loadgen.
pub(crate) fn loadgen(bytes: &[u8]) {
    source(Loadgen::of_bytes("capture.yaml", bytes));
}

/// A metrics log.
pub(crate) fn metrics_log(bytes: &[u8]) {
    let files = vec![("worker.log.metrics".to_owned(), bytes.to_vec())];
    source(MetricsLog::of_bytes(files, Options::default()));
}

/// All of them, and what tells them apart.
pub(crate) fn everything(bytes: &[u8]) {
    let _any = Format::of(bytes);
    [recording, loads, loadgen, metrics_log].iter().for_each(|parser| parser(bytes));
}

fn source<S: Source>(opened: Result<S, Fault>) {
    let read = opened.and_then(|mut source| {
        for _ in 0..WINDOWS {
            let Some(window) = source.next()? else { break };
            planned(window.request);
        }
        Ok(())
    });
    if let Err(fault) = read {
        assert!(!fault.detail.is_empty() && !fault.advice.is_empty(), "{fault:?}");
    }
}

/// What a parser lets through is a request that the engine answers, by a refusal at worst.
fn planned(mut request: Request) {
    request.settings.insert("strategy".to_owned(), "stay".into());
    let reply = answer(&request);
    assert!(reply.refusal.is_none_or(|refusal| !refusal.detail.is_empty()));
}
