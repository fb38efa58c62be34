//! `ballast bench checkpoint` as a script meets it.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use serde_json::Value;
use support::{Ran, ballast};

fn rows(args: &[&str]) -> Vec<Value> {
    let Ran { code, out, err } = ballast(&[&["bench", "checkpoint"], args].concat(), b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    serde_json::from_str(&out).unwrap()
}

fn number(row: &Value, name: &str) -> f64 {
    row[name].as_f64().unwrap_or_else(|| panic!("{name} in {row}"))
}

/// Rows without what the clock says.
fn timeless(mut rows: Vec<Value>) -> Vec<Value> {
    for row in &mut rows {
        let row = row.as_object_mut().unwrap();
        row.retain(|name, _| !name.ends_with("_ms"));
    }
    rows
}

const RECOVER: [&str; 8] =
    ["--part", "recover", "--size", "20x400", "--distribution", "zipf", "--seeds", "1"];

#[test]
fn after_the_worst_loss_ours_is_nearest_to_the_bound_and_a_ring_is_not() {
    for row in rows(&[&RECOVER[..], &["--slack", "0.002"]].concat()) {
        let gap = number(&row, "gap_node");
        assert!(gap >= 0.0 && number(&row, "storage_max") <= number(&row, "storage_cap"), "{row}");
        assert_eq!((row["unplaced"].as_u64(), row["part"].as_str()), (Some(0), Some("recover")));
        assert_eq!(row["gap_rack"].is_number(), row["copies"] == 2, "{row}");
        match row["strategy"].as_str().unwrap() {
            "dealt" => assert!(gap <= 0.004, "{row}"),
            "ring" => assert!(gap > 0.1 && number(&row, "ready_min") < 0.5, "{row}"),
            _ => assert!(gap > 0.01, "{row}"),
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_rows_and_another_seed_others() {
    let of = |seed| timeless(rows(&[&RECOVER[..], &["--seed", seed, "--copies", "1"]].concat()));
    assert_eq!(of("1"), of("1"));
    assert_ne!(of("1")[0]["bound_node"], of("2")[0]["bound_node"]);
}

#[test]
fn a_table_has_a_line_for_each_kind_of_cluster_and_strategy() {
    let args = [&["bench", "checkpoint", "--format", "table", "--strategies", "ring"], &RECOVER[..]].concat();
    let Ran { code, out, err } = ballast(&args, b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(out.lines().filter(|line| line.contains("ring") && line.contains("20 x 400")).count(), 2);
}

#[track_caller]
fn refused(args: &[&str], words: &[&str]) {
    let Ran { code, out, err } = ballast(&[&["bench", "checkpoint"], args].concat(), b"");
    assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
    for word in words {
        assert!(err.contains(word), "no \"{word}\" in: {err}");
    }
}

#[test]
fn values_that_make_no_bench_are_refused_with_advice() {
    refused(&["--strategies", "magic"], &["--strategies magic", "roundrobin", "compare all"]);
    refused(&["--copies", "3", "--racks", "3"], &["--copies 3", "3 racks", "1 to 2"]);
    refused(&["--copies", "0"], &["--copies 0"]);
    refused(&["--slack", "2"], &["--slack 2", "0.005"]);
    refused(&["--seeds", "0"], &["--seeds 0"]);
    refused(&["--size", "20x41"], &["--size 20x41", "evenly"]);
}
