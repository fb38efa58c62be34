//! Whatever bytes a recording has: no panic, and windows that the engine answers or a fault that says something.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

#[path = "support/endure.rs"]
mod endure;

use proptest::prelude::*;

const RECORDING: &str = r#"{"ballast":"snapshot","version":1,"generation":1,"taken_at":"2026-11-30T00:28:34Z","window_secs":60,"nodes":[{"id":"n1","host":"h1","cpu_cores":4.0,"ports":[6700,6701]}],"topologies":[{"id":"t-1-1","name":"t","workers":1,"components":[{"id":"b","kind":"bolt"}],"executors":[{"tasks":[1,2],"component":"b","node":"n1","port":6700,"cpu_cores":0.5}]}]}
{"ballast":"snapshot","version":1,"generation":2,"nodes":[],"topologies":[]}
"#;

const LOADS: &str =
    "time,topology,component,kind,task,task_last,node,port,host,rack,node_cores,node_memory_mib,node_ports,\
cpu_cores,received_per_sec,emitted_per_sec,state_bytes,uptime_secs
60,orders,split,bolt,1,2,n1,6700,h1,/r1,4,4096,6700-6702,0.5,100,200,1024,900
60,,,,,,n2,,,,8,,6700,,,,,
2026-11-30T00:00:00Z,orders,\"split\",,1,2,n1,6700,,,,,,0.25,,,,
";

const CAPTURE: &str = include_str!("data/capture.yaml");

const LOG: &str = "\
2026-11-30 00:26:59,047 6841     1764460800\t          node1:6700\t  1:spout      \t__emit-count-default   \t1200
2026-11-30 00:26:59,055 6849     1764460800\tnode2.example.net:6701\t 12:count      \t__execute-count-spout:d\t960
2026-11-30 00:26:59,056 6850     1764460800\tnode2.example.net:6701\t 12:count      \t__capacity             \t0.42
2026-11-30 00:27:59,047 66841    1764460860\t          node1:6700\t  1:spout      \t__emit-count-default   \t2400
2026-11-30 00:27:59,055 66849    1764460860\tnode2.example.net:6701\t 12:count      \t__execute-count-spout:d\t1940
2026-11-30 00:27:59,056 66850    1764460860\tnode2.example.net:6701\t 12:count      \t__capacity             \t0.42
";

const ALL: [&str; 4] = [RECORDING, LOADS, CAPTURE, LOG];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_endured(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        endure::everything(&bytes);
    }

    #[test]
    fn recordings_cut_anywhere_are_endured(which in 0..4usize, cut in any::<prop::sample::Index>()) {
        let bytes = ALL[which].as_bytes();
        endure::everything(&bytes[..cut.index(bytes.len())]);
    }

    #[test]
    fn recordings_with_wrong_bytes_are_endured(
        which in 0..4usize, wrong in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)
    ) {
        let mut bytes = ALL[which].as_bytes().to_vec();
        wrong.iter().for_each(|(at, byte)| { let at = at.index(bytes.len()); bytes[at] = *byte; });
        endure::everything(&bytes);
    }

    #[test]
    fn recordings_with_odd_words_are_endured(
        which in 0..4usize, at in any::<prop::sample::Index>(), odd in prop::sample::select(&[
            "-1", "1e308", "NaN", "18446744073709551616", "", "\t", "\n", "\0", "\u{2028}", "[[[[", "{{{{", "&a [*a,*a]", "é🦀",
        ][..])
    ) {
        // A word is what stands between two signs.
        let text = ALL[which];
        let signs: Vec<usize> = text.char_indices().filter(|(_, c)| !c.is_alphanumeric()).map(|(at, _)| at).collect();
        let at = at.index(signs.len() - 1);
        let changed = format!("{}{odd}{}", &text[..=signs[at]], &text[signs[at + 1]..]);
        endure::everything(changed.as_bytes());
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    for opening in ["[", "{a: ", "- ", "{\"a\":"] {
        endure::everything(opening.repeat(100_000).as_bytes());
        endure::everything(format!("spouts: {}", opening.repeat(100_000)).as_bytes());
    }
}
