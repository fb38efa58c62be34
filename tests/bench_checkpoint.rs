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

#[test]
fn over_rounds_of_drift_a_small_budget_keeps_the_worst_loss_near_the_bound() {
    let args = ["--part", "drift", "--size", "60x1200", "--distribution", "zipf", "--seeds", "1"];
    let more = ["--copies", "1", "--rounds", "8", "--strategies", "dealt,random"];
    let all = rows(&[&args[..], &more].concat());
    let of = |strategy: &str, budget: f64| {
        let is = |row: &&Value| row["strategy"] == strategy && number(row, "budget") == budget;
        all.iter().find(is).unwrap_or_else(|| panic!("{strategy} in {all:?}"))
    };
    let (lazy, mended, random) = (of("dealt", 0.0), of("dealt", 0.0025), of("random", 0.0));
    for row in [lazy, mended, random] {
        assert!(number(row, "distance_max") <= 0.05 + 1e-9 && number(row, "moves") > 0.0, "{row}");
        assert!(number(row, "mended_max") <= number(row, "budget"), "{row}");
    }
    assert!(number(mended, "mended") > 0.0 && number(mended, "migrated") > 0.0, "{mended}");
    assert!(number(mended, "gap_node") < 0.5 * number(lazy, "gap_node"), "{mended} and {lazy}");
    assert!(number(mended, "gap_node") < 0.5 * number(random, "gap_node"), "{mended} and {random}");
    assert_eq!(timeless(all.clone()), timeless(rows(&[&args[..], &more].concat())));
}

#[test]
fn skews_are_shed_with_fewer_bytes_than_without_copies_and_never_below_the_bound() {
    let args = ["--part", "shed", "--size", "20x400", "--distribution", "uniform", "--seeds", "1"];
    let all = rows(&[&args[..], &["--copies", "2", "--strategies", "dealt,ring"]].concat());
    // Two sizes of states, three skews, two strategies.
    assert_eq!(all.len(), 12);
    for row in &all {
        assert!(number(row, "distance_before") > 0.1 && number(row, "distance") <= 0.05 + 1e-9, "{row}");
        let fraction = number(row, "fraction");
        assert!(number(row, "bound_fraction") > 0.0 && number(row, "bound_fraction") <= fraction, "{row}");
        assert!((number(row, "bytes") / number(row, "bytes_blind") - fraction).abs() < 1e-9, "{row}");
    }
    let mean = |strategy: &str| {
        let of = all.iter().filter(|row| row["strategy"] == strategy);
        of.map(|row| number(row, "fraction")).sum::<f64>() / 6.0
    };
    assert!(mean("dealt") < mean("ring"), "{} and {}", mean("dealt"), mean("ring"));
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
    refused(&["--part", "drift", "--rounds", "0"], &["--rounds 0", "1 to 10000"]);
    refused(&["--part", "drift", "--round-budget", "2"], &["--round-budget 2", "0.0025"]);
    refused(&["--size", "20x41"], &["--size 20x41", "evenly"]);
}

#[test]
fn a_row_is_what_generate_and_checkpoints_give() {
    let copies = ["--copies", "2", "--racks", "10"];
    let row = rows(&[&RECOVER[..], &copies, &["--seed", "4", "--strategies", "dealt"]].concat()).remove(0);
    let args = ["generate", "--variation", "0.03", "--distribution", "zipf", "--seed", "4"];
    let Ran { out: request, .. } = ballast(&[&args[..], &copies].concat(), b"");
    let Ran { out, err, .. } = ballast(&["checkpoints", "-", "--format", "json"], request.as_bytes());
    let advice: Value = serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}: {err}"));
    assert_eq!(advice["node_loss"]["worst"], row["worst_node"]);
    assert_eq!(advice["node_loss"]["lower_bound"], row["bound_node"]);
    assert_eq!(advice["rack_loss"]["worst"], row["worst_rack"]);
}
