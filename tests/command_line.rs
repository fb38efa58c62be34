//! The command line as a script meets it: exit codes, where words go, and what they say.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use support::ballast;

/// A file for one test; `name` is unique among the tests.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Two nodes of 4 cores; the first carries 1.5 cores more than the second.
const UNEVEN: &str = r#"{
  "ballast": "snapshot", "version": 1, "generation": 41, "settings": { "strategy": "stay" },
  "nodes": [
    { "id": "n1", "host": "h1", "cpu_cores": 4.0, "ports": [6700, 6701] },
    { "id": "n2", "host": "h2", "cpu_cores": 4.0, "ports": [6700, 6701] }
  ],
  "topologies": [ { "id": "t1-1-1", "name": "t1", "workers": 2,
    "components": [ { "id": "count", "kind": "bolt" } ],
    "executors": [
      { "tasks": [1, 1], "component": "count", "node": "n1", "port": 6700, "cpu_cores": 1.5 },
      { "tasks": [2, 2], "component": "count", "node": "n1", "port": 6700, "cpu_cores": 0.5 },
      { "tasks": [3, 3], "component": "count", "node": "n2", "port": 6700, "cpu_cores": 0.5 }
    ] } ]
}"#;

/// `UNEVEN` with one text replaced.
fn with(old: &str, new: &str) -> String {
    assert!(UNEVEN.contains(old), "{old} is not in the request");
    UNEVEN.replacen(old, new, 1)
}

/// Runs `plan` on a file that cannot be used: exit 1, nothing on standard output, the file and every given word named.
#[track_caller]
fn unusable(name: &str, content: impl AsRef<[u8]>, words: &[&str]) {
    let request = file(name, content);
    let ran = ballast(&["plan", &request], b"");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    for word in [name].iter().chain(words) {
        assert!(ran.err.contains(word), "no \"{word}\" in: {}", ran.err);
    }
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

#[test]
fn an_absent_file_is_named() {
    let ran = ballast(&["plan", "no-such-request.json"], b"");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("no-such-request.json: No such file"), "{}", ran.err);
}

#[test]
fn a_directory_is_not_a_request() {
    let ran = ballast(&["plan", env!("CARGO_TARGET_TMPDIR")], b"");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains(env!("CARGO_TARGET_TMPDIR")) && ran.err.contains("directory"), "{}", ran.err);
}

#[test]
fn an_empty_file_is_called_empty() {
    unusable("empty.json", "", &["it is empty"]);
    unusable("blank.json", " \n", &["it is empty"]);
}

#[test]
fn what_is_not_json_says_where_it_stops_being_json() {
    unusable("not-json.json", "nodes:\n  - n1\n", &["bad-json", "line 1 column 2"]);
    unusable("cut.json", &UNEVEN[..UNEVEN.len() / 2], &["bad-json", "EOF", "line"]);
    unusable("garbage.json", [0x00, 0xff, 0x7f, 0x45, 0x4c, 0x46], &["bad-json", "line 1 column 1"]);
}

#[test]
fn an_unknown_field_is_named_with_its_place() {
    unusable("unknown-field.json", with("\"cpu_cores\": 4.0", "\"cores\": 4.0"), &["nodes[0]", "`cores`"]);
}

#[test]
fn a_wrong_type_is_named_with_its_place() {
    unusable(
        "wrong-type.json",
        with("\"ports\": [6700, 6701]", "\"ports\": \"6700\""),
        &["nodes[0].ports", "expected a sequence"],
    );
    unusable("port.json", with("\"port\": 6700", "\"port\": 70000"), &["executors[0].port", "70000"]);
}

#[test]
fn huge_numbers_are_refused_with_their_place() {
    unusable(
        "huge.json",
        with("\"cpu_cores\": 1.5", "\"cpu_cores\": 1e300"),
        &["bad-value", "cpu_cores", "[1, 1]"],
    );
    unusable(
        "beyond.json",
        with("\"cpu_cores\": 1.5", "\"cpu_cores\": 1e999"),
        &["cpu_cores", "out of range"],
    );
    unusable("generation.json", with("41", "18446744073709551616"), &["generation"]);
}

#[test]
fn a_newer_version_is_refused_for_its_version() {
    unusable(
        "newer.json",
        r#"{"ballast":"snapshot","version":2,"novelty":1}"#,
        &["bad-version", "version: 2"],
    );
}

#[test]
fn a_reply_is_no_request() {
    unusable("reply.json", r#"{"ballast":"plan","version":1}"#, &["\"snapshot\"", "\"plan\""]);
}

#[test]
fn one_slot_of_two_topologies_is_a_conflict_of_the_data() {
    let second = r#"{ "id": "t2-2-2", "name": "t2", "workers": 1, "components": [ { "id": "b", "kind": "bolt" } ],
        "executors": [ { "tasks": [1, 1], "component": "b", "node": "n1", "port": 6700 } ] },
        { "id": "t1-1-1""#;
    unusable(
        "conflict.json",
        with(r#"{ "id": "t1-1-1""#, second),
        &["slot-conflict", "n1:6700", "t1-1-1", "t2-2-2"],
    );
}

#[test]
fn an_unknown_setting_suggests_the_nearest() {
    unusable(
        "unknown-setting.json",
        with(r#""strategy": "stay""#, r#""budget.restart": 3"#),
        &["bad-setting", "budget.restart = 3", "did you mean budget.restarts?"],
    );
    let ran = ballast(&["plan", "-", "--set", "ballast.budget.restart=3"], UNEVEN.as_bytes());
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("--set budget.restart") && ran.err.contains("did you mean budget.restarts?"),
        "{}",
        ran.err
    );
}

#[test]
fn a_value_a_setting_does_not_take_says_what_it_takes() {
    let ran = ballast(&["plan", "-", "--set", "overload=lots"], UNEVEN.as_bytes());
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("overload = \"lots\"") && ran.err.contains("from 0 to 1"), "{}", ran.err);
    assert_eq!(ballast(&["plan", "-", "--set", "overload"], b"").code, Some(2), "no '=' is bad usage");
}

#[test]
fn an_unknown_strategy_names_those_there_are() {
    let ran = ballast(&["plan", "-", "--strategy", "magic"], UNEVEN.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("magic") && ran.err.contains("stay"), "{}", ran.err);
}

#[test]
fn a_command_line_that_is_not_understood_is_two() {
    assert_eq!(ballast(&["plam"], b"").code, Some(2));
    assert_eq!(ballast(&["plan"], b"").code, Some(2));
    assert_eq!(ballast(&["plan", "-", "--format", "xml"], b"").code, Some(2));
}

#[test]
fn a_cluster_without_nodes_is_answered() {
    let none = r#"{"ballast":"snapshot","version":1,"generation":1,"nodes":[],"topologies":[]}"#;
    let ran = ballast(&["plan", "-", "--strategy", "stay"], none.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let reply: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(reply["verdict"], "unchanged");
    assert_eq!(reply["coverage"]["fraction"], serde_json::Value::Null);
}

#[test]
fn a_limit_still_broken_is_four_and_the_reply_is_printed() {
    let ran = ballast(&["plan", "-"], UNEVEN.as_bytes());
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    let reply: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(reply["verdict"], "unsatisfied");
    assert!(ran.err.contains("load distance 0.188 > 0.05"), "{}", ran.err);
}

#[test]
fn a_setting_of_the_command_line_replaces_the_requests() {
    let ran = ballast(&["plan", "-", "--set", "load.distance.max=0.2"], UNEVEN.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let drain = ballast(&["plan", "-", "--set", "drain.nodes=n2,n9"], UNEVEN.as_bytes());
    assert_eq!(drain.code, Some(4));
    assert!(drain.out.contains("drain-unknown") && drain.out.contains("n9"), "{}", drain.out);
}

#[test]
fn the_same_request_gets_the_same_bytes() {
    let once = ballast(&["plan", "-"], UNEVEN.as_bytes()).out;
    assert_eq!(once, ballast(&["plan", "-"], UNEVEN.as_bytes()).out);
}

#[test]
fn the_table_tells_nodes_figures_moves_and_notes() {
    let homeless = with(r#", "node": "n2", "port": 6700"#, "");
    let ran = ballast(&["plan", "-", "--format", "table", "--set", "freeze=true"], homeless.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // The id is a hash of request and plan; what it is worth is tested where it is made.
    let (verdict, rest) = ran.out.split_once(": plan-").unwrap();
    golden("placed.txt", &format!("{verdict}: plan-{}", rest.replacen(&rest[..12], "............", 1)));
}

/// Compares with a golden file; `BALLAST_GOLDEN=write` writes it instead.
#[track_caller]
fn golden(name: &str, actual: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/cli").join(name);
    if std::env::var_os("BALLAST_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, actual).unwrap();
    }
    assert_eq!(actual, fs::read_to_string(&path).unwrap(), "against {}", path.display());
}

#[test]
fn check_passes_our_own_reply() {
    let request = file("checked-request.json", UNEVEN);
    let reply = file("checked-reply.json", ballast(&["plan", &request], b"").out);
    let ran = ballast(&["check", &request, &reply], b"");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let rules: usize = ran.out.split_whitespace().find_map(|word| word.parse().ok()).unwrap();
    assert!(ran.out.starts_with("no violation") && rules == ballast::verify::Rule::ALL.len(), "{}", ran.out);
}

#[test]
fn check_finds_that_a_reply_belongs_to_another_request() {
    let other = file("other-request.json", with("41", "42"));
    let reply = ballast(&["plan", "-"], UNEVEN.as_bytes()).out;
    let ran = ballast(&["check", &other, "-"], reply.as_bytes());
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("envelope") && ran.out.contains("41") && ran.out.contains("42"), "{}", ran.out);
    assert!(ran.err.contains("other-request.json") && ran.err.contains("standard input"), "{}", ran.err);
}

#[test]
fn check_lists_every_violation_one_a_line() {
    let request = file("broken-request.json", UNEVEN);
    let mut reply: serde_json::Value = serde_json::from_str(&ballast(&["plan", &request], b"").out).unwrap();
    reply["cost"]["restarts"] = 7.into();
    reply["after"]["load_distance"] = 0.01.into();
    let ran = ballast(&["check", &request, "-"], reply.to_string().as_bytes());
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.lines().count() >= 2, "{}", ran.out);
    assert!(ran.err.contains(&format!("{} violations", ran.out.lines().count())), "{}", ran.err);
}

#[test]
fn check_tells_which_of_its_two_files_cannot_be_used() {
    let request = file("good-request.json", UNEVEN);
    let ran = ballast(&["check", &request, "-"], b"{}");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("standard input: bad-json"), "{}", ran.err);
    assert_eq!(ballast(&["check", "-", "-"], b"").code, Some(1));
}

#[test]
fn strategies_are_listed_with_what_they_do() {
    let ran = ballast(&["strategies"], b"");
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.out.lines().any(|line| line.starts_with("stay ") && line.contains("moves nothing")),
        "{}",
        ran.out
    );
}

#[test]
fn help_of_each_verb_tells_exit_codes_and_examples() {
    for verb in ["plan", "check", "strategies"] {
        let ran = ballast(&[verb, "--help"], b"");
        assert_eq!(ran.code, Some(0));
        for word in ["Exit code", "Example", &format!("ballast {verb}")] {
            assert!(ran.out.contains(word), "no \"{word}\" in the help of {verb}: {}", ran.out);
        }
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let request = file(
        "piped-request.json",
        with("\"strategy\": \"stay\"", "\"strategy\": \"stay\", \"load.distance.max\": 0.2"),
    );
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_ballast"))
        .args(["plan", &request])
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn no_color_is_written_where_no_terminal_is() {
    let ran = ballast(&["plan", "-", "--format", "table"], UNEVEN.as_bytes());
    assert!(!ran.out.contains('\u{1b}'), "{}", ran.out);
}

#[test]
#[cfg(feature = "cbc")]
fn cbc_writes_nothing_between_the_lines_of_the_reply() {
    // One executor a worker, so that the MILP has something to move.
    let request = with(r#""port": 6700, "cpu_cores": 0.5 },"#, r#""port": 6701, "cpu_cores": 0.5 },"#);
    let ran = ballast(&["plan", "-", "--strategy", "milp", "--format", "json"], request.as_bytes());
    let reply: ballast::wire::Reply = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(reply.certificate.unwrap().strategy, "milp");
    assert_eq!(reply.moves.len(), 1, "{}", ran.out);
    assert_eq!(ran.err.lines().count(), 1, "only our own word of the limit still broken: {}", ran.err);
}

#[test]
fn verbose_says_on_standard_error_what_the_engine_did() {
    let ran = ballast(&["-v", "plan", "-", "--format", "json"], UNEVEN.as_bytes());
    assert!(ran.err.contains("2 nodes, 1 topologies, 3 executors; 3 of 3 loads measured"), "{}", ran.err);
    assert!(ran.err.contains("stay: 0 steps"), "{}", ran.err);
    serde_json::from_str::<ballast::wire::Reply>(&ran.out).unwrap();
}

/// `UNEVEN`, where count keeps a state, and nobody measured it.
fn stateful() -> String {
    with("\"kind\": \"bolt\"", "\"kind\": \"bolt\", \"stateful\": true")
}

#[test]
fn checkpoints_says_where_copies_should_lie_as_a_table_and_as_json() {
    let request = file("stateful.json", stateful());
    let table = ballast(&["checkpoints", &request, "--format", "table"], b"");
    assert_eq!((table.code, table.err.as_str()), (Some(0), ""));
    for word in
        ["worst loss of a node", "least readiness", "about 1.00 MiB", "restart target", "state-estimated"]
    {
        assert!(table.out.contains(word), "no \"{word}\" in: {}", table.out);
    }
    let json = ballast(&["checkpoints", &request], b"");
    let advice: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(advice["replicas"][0]["nodes"], serde_json::json!(["n2"]));
    let asked = ballast(&["checkpoints", &request, "--strategy", "ring"], b"");
    assert!(asked.out.contains("\"strategy\": \"ring\""), "{}", asked.out);
}

#[test]
fn checkpoints_refuses_what_has_no_state_and_names_that_do_not_exist() {
    let request = file("stateless.json", UNEVEN);
    let ran = ballast(&["checkpoints", &request], b"");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("nothing here has a state"), "{}", ran.err);
    let ran = ballast(&["checkpoints", &request, "--strategy", "rings"], b"");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("take one of copysets, dealt"), "{}", ran.err);
}
