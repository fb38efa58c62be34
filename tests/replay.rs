//! Replay: each policy lives with its own past, what is not measured stays so, and a recording is read as it is.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

#[path = "support/folder.rs"]
mod folder;
mod support;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use ballast::ingest::{Fault, Options, RemarkCode, Source, open};
use ballast::replay::{Outcome, RECORDED, Replay, WhatIf, replay};
use ballast::wire::{NoteCode, Request};
use flate2::Compression;
use flate2::write::GzEncoder;
use folder::folder;
use serde_json::{Value, json};
use support::ballast;

/// Two nodes of 4 cores with four executors of `count` in two workers of the first, and an empty worker's room on the
/// second: 0.5 and 0 of utilization, and 1 core moves with either worker.
fn window(at: i64, loads: [Option<f64>; 4]) -> Value {
    let executor = |(at, load): (usize, &Option<f64>)| {
        let mut executor = json!({
            "tasks": [at + 1, at + 1], "component": "count", "node": "n1", "port": 6700 + at / 2, "uptime_secs": 5000
        });
        if let Some(load) = load {
            executor["cpu_cores"] = json!(load);
            executor["load_source"] = json!("stats");
        }
        executor
    };
    json!({
        "ballast": "snapshot", "version": 1, "generation": at, "window_secs": 60,
        "taken_at": jiff::Timestamp::from_second(at).unwrap().to_string(),
        "settings": { "cooldown.secs": 0 },
        "nodes": [
            { "id": "n1", "host": "h1", "cpu_cores": 4.0, "ports": [6700, 6701, 6702] },
            { "id": "n2", "host": "h2", "cpu_cores": 4.0, "ports": [6700, 6701, 6702] }
        ],
        "topologies": [ { "id": "t1-1-1", "name": "t1", "workers": 2,
            "components": [ { "id": "count", "kind": "bolt" } ],
            "executors": loads.iter().enumerate().map(executor).collect::<Vec<_>>() } ]
    })
}

const EVEN: [Option<f64>; 4] = [Some(0.5); 4];

/// A recording as `ballast record` writes it: a request a line, each packed by itself.
fn recording(folder: &Path, windows: &[Value]) -> PathBuf {
    let file = folder.join("ballast-20261130T000000Z.jsonl.gz");
    fs::write(&file, packed(windows)).unwrap();
    file
}

fn packed(windows: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for window in windows {
        let mut line = GzEncoder::new(&mut bytes, Compression::fast());
        writeln!(line, "{window}").unwrap();
        line.finish().unwrap();
    }
    bytes
}

fn question(policies: &[&str]) -> Replay {
    Replay { policies: policies.iter().map(|name| (*name).to_owned()).collect(), ..Replay::default() }
}

fn replayed(input: &Path, question: &Replay) -> Result<Outcome, Fault> {
    let mut source = open(&[input.to_owned()], &Options::default())?;
    replay(&mut source, question, &mut |_| ())
}

#[test]
fn a_policy_lives_with_its_own_plan_and_the_recording_stays_as_it_was() {
    let folder = folder("replay-own-past");
    let input = recording(&folder, &[1, 2, 3].map(|at| window(at * 60, EVEN)));
    let outcome = replayed(&input, &question(&["albic"])).unwrap();
    assert_eq!((outcome.from, outcome.to, outcome.windows), (60, 180, 3));
    assert_eq!(outcome.coverage, Some(1.0));
    let [recorded, albic] = &outcome.policies[..] else { panic!("two policies") };
    assert_eq!((recorded.policy.as_str(), albic.policy.as_str()), (RECORDED, "albic"));
    // 2 of 4 cores on one of two nodes: 0.25 from the mean, all the time.
    assert_eq!(recorded.series.load_distance, [0.25; 3]);
    assert_eq!((recorded.figures.restarts, recorded.figures.plans), (0, 0));
    // It sees the first window, relocates a worker, and the next windows are level, with nothing left to do.
    assert_eq!(albic.series.load_distance, [0.25, 0.0, 0.0]);
    assert_eq!((albic.figures.restarts, albic.figures.executors_moved, albic.figures.plans), (1, 2, 1));
    assert_eq!(albic.figures.bound_mean, 0.0);
    assert!((albic.figures.gap_mean - 0.25 / 3.0).abs() < 1e-9);
    assert_eq!(albic.heat.nodes, ["n1", "n2"]);
    assert_eq!(
        albic.heat.utilization,
        [[Some(0.5), Some(0.25), Some(0.25)], [Some(0.0), Some(0.25), Some(0.25)]]
    );
    assert_eq!(albic.moves.len(), 1);
    assert!(albic.moves[0].because.contains("above the mean"), "{}", albic.moves[0].because);
    let workers = |placed: &[ballast::replay::NodePlaced]| -> Vec<usize> {
        placed.iter().map(|node| node.workers.len()).collect()
    };
    assert_eq!((workers(&albic.before), workers(&albic.after)), (vec![2, 0], vec![1, 1]));
}

#[test]
fn loads_follow_the_executors() {
    // The second worker, which albic takes to n2 on the first window, grows there; the recording has it on n1.
    let folder = folder("replay-follow");
    let grown = [Some(0.5), Some(0.5), Some(0.9), Some(0.9)];
    let input = recording(&folder, &[window(60, EVEN), window(120, grown)]);
    let outcome = replayed(&input, &question(&["albic"])).unwrap();
    let [first, second] = [0, 1].map(|node| &outcome.policies[1].heat.utilization[node]);
    let mut last = [first[1].unwrap(), second[1].unwrap()];
    last.sort_by(f64::total_cmp);
    assert_eq!(last, [0.25, 0.45]);
    assert_eq!(outcome.policies[0].heat.utilization, [[Some(0.5), Some(0.7)], [Some(0.0), Some(0.0)]]);
}

#[test]
fn what_really_happened_has_its_price_too() {
    let folder = folder("replay-recorded-price");
    let mut moved = window(120, EVEN);
    for executor in [2, 3] {
        moved["topologies"][0]["executors"][executor]["node"] = json!("n2");
        moved["topologies"][0]["executors"][executor]["state_bytes"] = json!(1000);
    }
    let input = recording(&folder, &[window(60, EVEN), moved]);
    let outcome = replayed(&input, &question(&[])).unwrap();
    let figures = &outcome.policies[0].figures;
    assert_eq!((figures.restarts, figures.executors_moved, figures.shipped_bytes), (1, 2, 2000));
    assert_eq!(outcome.policies[0].series.load_distance, [0.25, 0.0]);
}

#[test]
fn a_lost_node_leaves_executors_that_every_policy_places_anew() {
    let folder = folder("replay-lost");
    let mut lost = window(180, EVEN);
    lost["nodes"] = json!([{ "id": "n1", "host": "h1", "cpu_cores": 4.0, "ports": [6700, 6701, 6702] }]);
    let input = recording(&folder, &[window(60, EVEN), window(120, EVEN), lost]);
    let outcome = replayed(&input, &question(&["albic"])).unwrap();
    let after = &outcome.policies[1].after;
    assert_eq!(after.len(), 1);
    assert_eq!(after[0].workers.iter().flat_map(|worker| &worker.components).map(|(_, n)| n).sum::<u64>(), 4);
}

#[test]
fn what_was_not_measured_is_no_zero() {
    let folder = folder("replay-missing");
    let input = recording(&folder, &[window(60, [Some(0.5), None, None, None])]);
    let outcome = replayed(&input, &question(&["albic"])).unwrap();
    assert_eq!(outcome.coverage, Some(0.25));
    let of =
        |name: &str| outcome.sources.iter().find(|known| known.source == name).map(|known| known.executors);
    assert_eq!((of("none"), of("stats")), (Some(3), Some(1)));
    // 25 % measured is below load.coverage.min: nothing is moved for the sake of it, and the outcome says why.
    assert_eq!(outcome.policies[1].figures.restarts, 0);
    let why = outcome.policies[1].notes.iter().find(|note| note.code == NoteCode::CoverageLow).unwrap();
    assert!(why.windows == 1 && why.detail.contains("load coverage 25 % < 80 %"), "{}", why.detail);
}

#[test]
fn a_window_in_which_nothing_was_measured_has_no_load_distance() {
    let folder = folder("replay-unmeasured");
    let none = [None; 4];
    let windows = [window(60, none), window(120, EVEN), window(180, none), window(240, EVEN)];
    let outcome = replayed(&recording(&folder, &windows), &question(&[])).unwrap();
    assert_eq!((outcome.windows, outcome.windows_unmeasured), (4, 2));
    let recorded = &outcome.policies[0];
    assert_eq!(recorded.series.at, [120, 240]);
    assert_eq!(recorded.series.load_distance, [0.25, 0.25]);
    assert_eq!(recorded.figures.load_distance_mean, 0.25);

    // A worker that moved meanwhile was restarted all the same.
    let mut moved = window(120, none);
    for executor in moved["topologies"][0]["executors"].as_array_mut().unwrap().drain(..2).collect::<Vec<_>>()
    {
        let mut executor = executor;
        executor["node"] = json!("n2");
        moved["topologies"][0]["executors"].as_array_mut().unwrap().push(executor);
    }
    let mut later = moved.clone();
    later["taken_at"] = json!(jiff::Timestamp::from_second(180).unwrap().to_string());
    for executor in later["topologies"][0]["executors"].as_array_mut().unwrap() {
        executor["cpu_cores"] = json!(0.5);
    }
    let outcome = replayed(&recording(&folder, &[window(60, EVEN), moved, later]), &question(&[])).unwrap();
    let recorded = &outcome.policies[0];
    assert_eq!(recorded.figures.restarts, 1);
    assert_eq!((&recorded.series.at[..], &recorded.series.restarts[..]), (&[60, 180][..], &[0, 1][..]));

    // Where nothing is measured at all there is nothing better than guesses, and the outcome says so.
    let outcome = replayed(&recording(&folder, &[window(60, none)]), &question(&[])).unwrap();
    assert_eq!((outcome.windows, outcome.windows_unmeasured), (1, 1));
    assert_eq!(outcome.policies[0].series.at, [60]);
}

#[test]
fn what_if_a_node_were_gone_or_there_or_a_component_heavier() {
    let folder = folder("replay-what-if");
    let input = recording(&folder, &[window(60, EVEN), window(120, EVEN)]);
    let mut without = question(&["albic"]);
    without.what_if = WhatIf { without_nodes: vec!["h2".to_owned()], ..WhatIf::default() };
    let outcome = replayed(&input, &without).unwrap();
    assert_eq!(outcome.what_if, ["without node h2"]);
    assert_eq!(outcome.policies[1].heat.nodes, ["n1"]);
    let mut heavier = question(&["albic"]);
    heavier.what_if.loads = vec![("t1/count".to_owned(), 1.5)];
    let outcome = replayed(&input, &heavier).unwrap();
    assert_eq!(outcome.policies[0].heat.utilization[0], [Some(0.75), Some(0.75)]);
    let out = ballast(
        &[
            "replay",
            input.to_str().unwrap(),
            "--add-node",
            "id=n3,cores=4,ports=6700-6701",
            "--set",
            "budget.restarts=1",
            "--policy",
            "albic",
            "--format",
            "json",
        ],
        b"",
    );
    assert_eq!(out.code, Some(0), "{}", out.err);
    let outcome: Value = serde_json::from_str(&out.out).unwrap();
    assert_eq!(outcome["what_if"], json!(["budget.restarts=1", "with node n3 of 4 cores"]));
    assert_eq!(outcome["policies"][1]["heat"]["nodes"], json!(["n1", "n2", "n3"]));
}

#[test]
fn what_is_heavier_has_more_tuples_too() {
    let mut text = window(60, EVEN);
    let of = &mut text["topologies"][0];
    of["components"].as_array_mut().unwrap().push(json!({ "id": "words", "kind": "spout" }));
    of["executors"][3]["component"] = json!("words");
    for at in [0, 3] {
        of["executors"][at]["received_per_sec"] = json!(10.0);
        of["executors"][at]["emitted_per_sec"] = json!(5.0);
    }
    of["traffic"] = json!([
        { "from": [4, 4], "to": [1, 1], "tuples_per_sec": 8.0, "bytes_per_sec": 80.0 },
        { "from": [1, 1], "to": [2, 2], "tuples_per_sec": 4.0 },
        { "from": [4, 4], "to": [4, 4], "tuples_per_sec": 1.0 }
    ]);
    let mut request: Request = serde_json::from_value(text).unwrap();
    WhatIf { loads: vec![("count".to_owned(), 2.0)], ..WhatIf::default() }.apply(&mut request);
    let topology = &request.topologies[0];
    let figures = |at: usize| {
        let executor = &topology.executors[at];
        (executor.cpu_cores, executor.received_per_sec, executor.emitted_per_sec)
    };
    assert_eq!(figures(0), (Some(1.0), Some(20.0), Some(10.0)));
    assert_eq!(figures(1), (Some(1.0), None, None));
    assert_eq!(figures(3), (Some(0.5), Some(10.0), Some(5.0)));
    let pairs: Vec<_> =
        topology.traffic.iter().map(|pair| (pair.tuples_per_sec, pair.bytes_per_sec)).collect();
    assert_eq!(pairs, [(16.0, Some(160.0)), (8.0, None), (1.0, None)]);
}

#[test]
fn a_name_that_no_window_knows_is_refused() {
    let folder = folder("replay-unknown-name");
    let input = recording(&folder, &[window(60, EVEN)]);
    for option in [["--without-node", "n9"], ["--scale-load", "coutn=2"]] {
        let out = ballast(&["replay", input.to_str().unwrap(), option[0], option[1]], b"");
        assert_eq!((out.code, out.out.as_str()), (Some(1), ""), "{}", out.err);
        assert!(out.err.contains(option[1].split('=').next().unwrap()), "{}", out.err);
    }
}

#[test]
fn a_cut_recording_gives_what_is_whole_and_says_so() {
    let folder = folder("replay-cut");
    let whole = packed(&[window(60, EVEN), window(120, EVEN)]);
    let first = packed(&[window(60, EVEN)]).len();
    for cut in [first + 1, first + 30, whole.len() - 1] {
        let file = folder.join("cut.jsonl.gz");
        fs::write(&file, &whole[..cut]).unwrap();
        let mut source = open(&[file], &Options::default()).unwrap();
        let mut windows = 0;
        while source.next().unwrap().is_some() {
            windows += 1;
        }
        let cut_remarks =
            source.all_remarks().into_iter().filter(|remark| remark.code == RemarkCode::Cut).count();
        assert_eq!((windows, cut_remarks), (if cut == whole.len() - 1 { 2 } else { 1 }, 1), "cut at {cut}");
    }
}

#[test]
fn requests_of_the_shim_are_a_recording_and_replies_beside_them_are_not() {
    let folder = folder("replay-shim");
    for at in [60, 120] {
        fs::write(
            folder.join(format!("{at}-request.json")),
            serde_json::to_vec_pretty(&window(at, EVEN)).unwrap(),
        )
        .unwrap();
        fs::write(folder.join(format!("{at}-reply.json")), br#"{"ballast":"plan","version":1}"#).unwrap();
    }
    let outcome = replayed(&folder, &question(&["stay"])).unwrap();
    assert_eq!(outcome.windows, 2);
}

#[test]
fn the_order_of_inputs_changes_nothing() {
    let (one, two) = (folder("replay-order-1"), folder("replay-order-2"));
    let inputs = [
        recording(&one, &[window(60, EVEN), window(180, EVEN)]),
        recording(&two, &[window(120, EVEN), window(240, EVEN)]),
    ];
    let run = |inputs: &[PathBuf]| {
        let mut source = open(inputs, &Options::default()).unwrap();
        replay(&mut source, &question(&["albic"]), &mut |_| ()).unwrap()
    };
    let [first, second] = inputs;
    let forward = run(&[first.clone(), second.clone()]);
    assert_eq!(forward.policies[0].series.at, [60, 120, 180, 240]);
    assert_eq!(forward, run(&[second, first]));
}

#[test]
fn what_is_no_recording_is_refused_by_name() {
    let folder = folder("replay-garbage");
    let file = folder.join("notes.txt");
    fs::write(&file, "these are no metrics\n").unwrap();
    let out = ballast(&["replay", file.to_str().unwrap()], b"");
    assert_eq!((out.code, out.out.as_str()), (Some(1), ""));
    assert!(out.err.contains("notes.txt") && out.err.contains("nothing in it is a recording"), "{}", out.err);
    let out = ballast(&["replay", "no-such-folder"], b"");
    assert!(out.err.contains("no-such-folder: No such file"), "{}", out.err);
}

#[test]
fn more_windows_than_a_picture_has_room_for_become_stretches_that_lose_no_extreme() {
    let mut windows: Vec<Value> = (1..=2000).map(|at| window(at * 60, EVEN)).collect();
    windows[1234] = window(1235 * 60, [Some(0.9); 4]);
    let folder = folder("replay-long");
    let input = recording(&folder, &windows);
    let outcome = replayed(&input, &question(&[])).unwrap();
    let series = &outcome.policies[0].series;
    assert!(series.at.len() <= 960, "{}", series.at.len());
    assert_eq!(series.at.last(), Some(&(2000 * 60)));
    assert_eq!(series.load_distance.iter().copied().fold(0.0, f64::max), 0.45);
    assert_eq!(outcome.policies[0].figures.load_distance_worst, 0.45);
    assert_eq!(outcome.policies[0].figures.load_distance_p95, 0.25);
}

#[test]
fn settings_come_from_a_storm_yaml_too() {
    let folder = folder("replay-settings");
    let input = recording(&folder, &[window(60, EVEN), window(120, EVEN)]);
    let yaml = folder.join("storm.yaml");
    fs::write(&yaml, "storm.zookeeper.servers: [\"zk1\"]\nballast.budget.restarts: 0\n").unwrap();
    let run = |yaml: &Path| {
        ballast(
            &["replay", input.to_str().unwrap(), "--settings", yaml.to_str().unwrap(), "--format", "json"],
            b"",
        )
    };
    let out = run(&yaml);
    let outcome: Value = serde_json::from_str(&out.out).unwrap();
    assert_eq!(outcome["policies"][1]["figures"]["restarts"], json!(0), "{}", out.err);
    fs::write(&yaml, "ballast.budget.restart: 0\n").unwrap();
    let out = run(&yaml);
    assert_eq!(out.code, Some(1));
    assert!(out.err.contains("storm.yaml") && out.err.contains("budget.restarts"), "{}", out.err);
}

#[test]
fn a_request_is_what_a_window_holds() {
    let folder = folder("replay-same-bytes");
    let input = recording(&folder, &[window(60, EVEN)]);
    let mut source = open(&[input], &Options::default()).unwrap();
    let read = source.next().unwrap().unwrap();
    let expected: Request = serde_json::from_value(window(60, EVEN)).unwrap();
    assert_eq!((read.at, read.request), (60, expected));
}

#[test]
fn a_report_that_cannot_be_written_leaves_the_one_before() {
    let folder = folder("replay-report");
    let input = recording(&folder, &[window(60, EVEN)]);
    let page = folder.join("page.html");
    let replay = |report: &Path| {
        ballast(&["replay", input.to_str().unwrap(), "--report", report.to_str().unwrap()], b"")
    };
    fs::write(&page, "the page before").unwrap();
    // Where the new page is put together there is a folder.
    let part = folder.join("page.html.part");
    fs::create_dir(&part).unwrap();
    let out = replay(&page);
    assert_eq!(out.code, Some(1));
    assert!(out.err.contains("page.html: Is a directory"), "{}", out.err);
    assert_eq!(fs::read_to_string(&page).unwrap(), "the page before");
    fs::remove_dir(&part).unwrap();

    let out = replay(&page);
    assert_eq!(out.code, Some(0), "{}", out.err);
    assert!(fs::read_to_string(&page).unwrap().trim_end().ends_with("</html>"));
    assert!(!part.exists());

    let out = replay(Path::new("/dev/full"));
    assert_eq!(out.code, Some(1));
    assert!(out.err.contains("/dev/full: No space left on device"), "{}", out.err);
}
