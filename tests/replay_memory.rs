//! A recording may be larger than memory. The peak of memory is the process's own, so this test has one to itself.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::path::PathBuf;

use ballast::bench::{Peak, write_recording};
use ballast::generate::{Cluster, Recorded};
use ballast::ingest::Recording;
use ballast::replay::{Replay, replay};

#[test]
fn four_times_the_windows_take_no_more_memory() {
    let cluster = Cluster { nodes: 10, slots: 8, topologies: 8, mean: 0.5, budget: 2, seed: 1 };
    let peak_of = |windows: usize| {
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("memory-{windows}.jsonl.gz"));
        let bytes = write_recording(&file, Recorded::new(&cluster, 60), windows).unwrap();
        let peak = Peak::from_here();
        let before = peak.mib();
        let question = Replay { policies: vec!["stay".to_owned()], ..Replay::default() };
        let outcome = replay(&mut Recording::open(vec![file]), &question, &mut |_| ()).unwrap();
        assert_eq!(outcome.windows, windows as u64);
        (bytes as f64 / 1_048_576.0, before.and_then(|before| Some(peak.mib()? - before)))
    };
    // What is allocated once is allocated now.
    peak_of(10);
    let (_, Some(few)) = peak_of(100) else { return };
    let (requests, many) = peak_of(400);
    let grown = many.unwrap() - few;
    assert!(requests > 20.0, "{requests} MiB of requests");
    assert!(
        grown < requests / 4.0,
        "{requests} MiB of requests took {grown} MiB more than a quarter of them"
    );
}
