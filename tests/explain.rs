//! Why an executor or a node is as it is, and single windows of recordings.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use support::ballast;

/// Two nodes of 4 cores; four executors of `count` in two workers of n1 with 0.5 cores each, none on n2.
fn request() -> Value {
    let executor = |at: usize| {
        json!({ "tasks": [at, at], "component": "count", "node": "n1", "port": 6700 + (at - 1) / 2,
            "cpu_cores": 0.5, "load_source": "stats", "uptime_secs": 5000 })
    };
    json!({
        "ballast": "snapshot", "version": 1, "generation": 1, "taken_at": "2026-11-30T00:01:00Z",
        "settings": { "cooldown.secs": 0, "budget.restarts": 1 },
        "nodes": [
            { "id": "n1", "host": "h1", "cpu_cores": 4.0, "ports": [6700, 6701] },
            { "id": "n2", "host": "h2", "cpu_cores": 4.0, "ports": [6700] },
            { "id": "n3", "host": "h3", "cpu_cores": 4.0, "ports": [6700], "state": "draining" }
        ],
        "topologies": [ { "id": "t1-1-1", "name": "t1", "workers": 2,
            "components": [ { "id": "count", "kind": "bolt" } ],
            "executors": (1..=4).map(executor).collect::<Vec<_>>() } ]
    })
}

fn file(name: &str, request: &Value) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, request.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

fn explained(input: &str, args: &[&str]) -> Value {
    let out = ballast(&[&["explain", input, "--format", "json"], args].concat(), b"");
    assert_eq!(out.code, Some(0), "{}", out.err);
    serde_json::from_str(&out.out).unwrap()
}

/// What was said of moving something somewhere.
fn choice<'v>(explained: &'v Value, what: &str, to: &str) -> &'v Value {
    let all = explained["choices"].as_array().unwrap();
    all.iter()
        .find(|choice| choice["what"] == what && choice["to"] == to)
        .unwrap_or_else(|| panic!("{all:?}"))
}

#[test]
fn an_executor_is_told_with_what_the_plan_does_and_what_else_could_be() {
    let input = file("explain-executor.json", &request());
    let answer = explained(&input, &["--executor", "t1/1"]);
    assert_eq!(answer["subject"], "executor [1, 1] of count, topology t1-1-1");
    assert_eq!((&answer["node"]["utilization"], &answer["node"]["mean"]), (&json!(0.5), &json!(0.25)));
    assert_eq!(answer["executors"][0]["source"], "stats");
    assert_eq!(answer["load_distance"], 0.25);
    // Whichever of the two alike workers the plan takes, moving this one levels the nodes for one restart.
    let whole = choice(&answer, "worker n1:6700", "n2:6700");
    assert_eq!((&whole["load_distance"], &whole["restarts"]), (&json!(0.0), &json!(1)));
    let planned = !answer["planned"].as_array().unwrap().is_empty();
    let expected = if planned { "the plan does this" } else { "worth it by itself; the plan does better" };
    assert_eq!(whole["verdict"], expected);
    let alone = choice(&answer, "executor [1, 1]", "n2:6700");
    assert_eq!((&alone["load_distance"], &alone["restarts"]), (&json!(0.125), &json!(1)));
    assert_eq!(choice(&answer, "worker n1:6700", "n3")["verdict"], "cannot: the node drains");
}

#[test]
fn what_holds_a_move_back_is_said() {
    let input = file("explain-held.json", &request());
    let verdict = |set: &str| {
        let answer = explained(&input, &["--node", "h1", "--set", set]);
        choice(&answer, "worker n1:6700", "n2:6700")["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict("freeze=true"), "worth it, but freeze is on: no optional move");
    assert!(
        verdict("cooldown.secs=6000").contains("less than 6000 s ago"),
        "{}",
        verdict("cooldown.secs=6000")
    );
    assert_eq!(verdict("budget.restarts=0"), "budget.restarts allows 0");
    assert!(verdict("load.floor.cores=3").starts_with("worth it, but"), "{}", verdict("load.floor.cores=3"));
}

#[test]
fn a_move_for_the_worse_is_called_so() {
    let mut level = request();
    for executor in [2, 3] {
        level["topologies"][0]["executors"][executor]["node"] = json!("n2");
        level["topologies"][0]["executors"][executor]["port"] = json!(6700);
    }
    let answer = explained(&file("explain-worse.json", &level), &["--executor", "1"]);
    let verdict = choice(&answer, "executor [1, 1]", "n2:6700")["verdict"].as_str().unwrap();
    assert!(verdict.contains("the load distance would rise by 0.125"), "{verdict}");
    assert_eq!(choice(&answer, "worker n1:6700", "n2")["verdict"], "cannot: no free slot");
    assert_eq!(answer["planned"], json!([]));
}

#[test]
fn names_that_the_request_does_not_have_are_refused() {
    let input = file("explain-unknown.json", &request());
    for (args, word) in [
        (["--node", "n9"], "there are n1, n2, n3"),
        (["--executor", "9"], "task 9"),
        (["--executor", "t2/1"], "task 1"),
    ] {
        let out = ballast(&[&["explain", &input][..], &args].concat(), b"");
        assert_eq!((out.code, out.out.as_str()), (Some(1), ""), "{}", out.err);
        assert!(out.err.contains(word), "{}", out.err);
    }
    let out = ballast(&["explain", &input], b"");
    assert_eq!(out.code, Some(2), "neither an executor nor a node is asked about");
}

#[test]
fn a_window_of_a_recording_is_a_request_again() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("explain-windows");
    fs::create_dir_all(&folder).unwrap();
    let mut later = request();
    later["taken_at"] = json!("2026-11-30T00:02:00Z");
    later["generation"] = json!(2);
    fs::write(folder.join("a.json"), request().to_string()).unwrap();
    fs::write(folder.join("b.json"), later.to_string()).unwrap();
    let folder = folder.to_str().unwrap();
    let generation = |args: &[&str]| -> Value {
        let out = ballast(&[&["window", folder], args].concat(), b"");
        assert_eq!(out.code, Some(0), "{}", out.err);
        serde_json::from_str::<Value>(&out.out).unwrap()["generation"].clone()
    };
    assert_eq!(generation(&[]), 2);
    assert_eq!(generation(&["--at", "2026-11-30T00:01:30Z"]), 1);
    // What is printed is asked again as it is.
    let window = ballast(&["window", folder], b"");
    assert_eq!(ballast(&["plan", "-", "--format", "json"], window.out.as_bytes()).code, Some(0));
    let early = ballast(&["window", folder, "--at", "60"], b"");
    assert_eq!(early.code, Some(1));
    assert!(early.err.contains("first window ends at"), "{}", early.err);
}
