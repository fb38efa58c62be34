//! Saved answers of the Storm UI as requests, and what the engine plans on them.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

#[path = "support/folder.rs"]
mod folder;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use ballast::engine::answer;
use ballast::ingest::ui::{UiFolder, is_mine};
use ballast::ingest::{Fault, RemarkCode, Remarks, Source};
use ballast::wire::{
    Balance, ComponentKind, Coverage, Executor, LoadSource, MoveKind, NoteCode, Reply, Request, TaskRange,
    Verdict,
};
use folder::folder;
use serde_json::{Value, json};

/// A folder of the captures: Storm 2.8.3, one topology, five workers on three supervisors.
fn capture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ui").join(name)
}

/// A folder with these answers in files.
fn saved(name: &str, answers: &[(&str, &str)]) -> PathBuf {
    let path = folder(name);
    for (file, answer) in answers {
        fs::write(path.join(file), answer).unwrap();
    }
    path
}

/// A topology's page and a component's, as text, in a folder.
fn pages(name: &str, pages: &[Value]) -> PathBuf {
    let path = folder(name);
    for (at, page) in pages.iter().enumerate() {
        fs::write(path.join(format!("answer-{at}.json")), page.to_string()).unwrap();
    }
    path
}

fn read(folder: &Path) -> (Request, Remarks) {
    let mut source = UiFolder::open(folder).unwrap();
    let window = source.next().unwrap().unwrap();
    assert_eq!(source.next().unwrap(), None);
    (window.request, source.remarks().clone())
}

fn refused(folder: &Path) -> Fault {
    UiFolder::open(folder).map(|_| ()).unwrap_err()
}

fn executor(request: &Request, first: i32) -> &Executor {
    request.topologies[0].executors.iter().find(|executor| executor.tasks.0 == first).unwrap()
}

fn planned(mut request: Request, settings: Value) -> Reply {
    let Value::Object(settings) = settings else { panic!("settings are an object") };
    request.settings = settings;
    let reply = answer(&request);
    assert_eq!(reply.refusal, None);
    reply
}

fn coverage(reply: &Reply) -> &Coverage {
    reply.coverage.as_ref().unwrap()
}

#[track_caller]
fn remarked(remarks: &Remarks, code: RemarkCode, words: &str) {
    let remark = remarks.of(code).unwrap_or_else(|| panic!("no {code:?} among {remarks:?}"));
    assert!(remark.examples.iter().any(|text| text.contains(words)), "no \"{words}\" in {remark:?}");
}

#[track_caller]
fn near(value: Option<f64>, expected: f64) {
    assert!(value.is_some_and(|value| (value - expected).abs() < 1e-6), "{value:?} is not {expected}");
}

/// The measured load of each host, in cores.
fn by_host(request: &Request, host: &str) -> f64 {
    let node = &request.nodes.iter().find(|node| node.host == host).unwrap().id;
    let here = request.topologies[0].executors.iter().filter(|e| e.node.as_ref() == Some(node));
    here.filter_map(|executor| executor.cpu_cores).sum()
}

#[test]
fn the_capture_says_who_runs_where_and_how_much() {
    let (request, remarks) = read(&capture("t3"));
    assert_eq!(request.taken_at.as_deref(), Some("2026-11-30T00:35:42Z"));
    assert_eq!(request.window_secs, Some(254.0));
    assert_eq!(request.nodes.len(), 3);
    let node = request.nodes.iter().find(|node| node.host == "127.0.0.2").unwrap();
    assert_eq!(node.id, "e12c18ee-1540-4f1e-99ac-869df9c3422a-127.0.0.1");
    assert_eq!((node.cpu_cores, node.memory_mib), (Some(4.0), Some(4096.0)));
    assert_eq!(node.ports, [6720, 6721], "one in use, one guessed");
    let topology = &request.topologies[0];
    assert_eq!((topology.id.as_str(), topology.name.as_str()), ("flights-3-1795998681", "flights"));
    assert_eq!((topology.workers, topology.priority, topology.enabled), (5, 29, true));
    assert_eq!(topology.executors.len(), 26);
    for (host, cores) in [("127.0.0.1", 1.420), ("127.0.0.2", 0.508), ("127.0.0.3", 0.866)] {
        near(Some(by_host(&request, host)), cores);
    }
    let hot = executor(&request, 7);
    assert_eq!((hot.component.as_str(), hot.port), ("delay-by-carrier", Some(6710)));
    assert_eq!(
        (hot.uptime_secs, hot.cpu_cores, hot.load_source),
        (Some(249.0), Some(0.901), Some(LoadSource::Stats))
    );
    near(hot.received_per_sec, 295_070.0 / 249.0);
    // Spouts and system components carry no load: the engine weighs them and says so.
    for (first, kind) in [(1, ComponentKind::System), (32, ComponentKind::Spout)] {
        let own = executor(&request, first);
        let component = topology.components.iter().find(|c| c.id == own.component).unwrap();
        assert_eq!((component.kind, own.cpu_cores), (kind, None));
        assert!(own.emitted_per_sec.is_some());
    }
    // Nobody saved the page of the metrics consumer. Its worker counts it, and task 3 is the only one left.
    let consumer = executor(&request, 3);
    assert_eq!(consumer.component, "__metrics_org.apache.storm.metric.LoggingMetricsConsumer");
    assert_eq!((consumer.tasks, consumer.port), (TaskRange(3, 3), Some(6720)));
    remarked(&remarks, RemarkCode::Hidden, "LoggingMetricsConsumer counted, not shown");
    remarked(
        &remarks,
        RemarkCode::Guessed,
        "1 of 2 slots in use; the UI does not name the free ones, taken for ports 6721",
    );
    let count = topology.components.iter().find(|c| c.id == "delay-by-plane").unwrap();
    assert_eq!(count.inputs.len(), 1);
    assert_eq!((count.inputs[0].from.as_str(), count.inputs[0].grouping.as_str()), ("flights", "fields"));
    let received: f64 = topology
        .executors
        .iter()
        .filter(|e| e.component == "delay-by-plane")
        .filter_map(|e| e.received_per_sec)
        .sum();
    near(count.inputs[0].tuples_per_sec, received);
}

#[test]
fn with_one_restart_the_plan_relocates_the_worker_that_helps_most() {
    let (request, _) = read(&capture("t3"));
    let host = |id: &str| request.nodes.iter().find(|node| node.id == id).unwrap().host.clone();
    // Its workers are 4 minutes old, the cooldown is 5.
    let reply = planned(request.clone(), json!({ "budget.restarts": 1, "cooldown.secs": 60 }));
    // The best one restart can do is a hair above load.distance.max, 0.05.
    assert_eq!(reply.verdict, Verdict::Unsatisfied, "{:?}", reply.notes);
    let distance = |balance: &Option<Balance>| balance.as_ref().unwrap().load_distance;
    assert!(distance(&reply.before) > 0.1 && distance(&reply.after) < 0.053, "{:?}", reply.after);
    assert_eq!(reply.moves.len(), 1);
    let step = &reply.moves[0];
    assert_eq!(step.kind, MoveKind::RelocateWorker);
    let (from, to) = (step.from.as_ref().unwrap(), &step.to);
    assert_eq!((host(&from.node), from.port), ("127.0.0.1".to_owned(), 6711));
    assert_eq!((host(&to.node), to.port), ("127.0.0.2".to_owned(), 6721));
    assert_eq!(reply.cost.restarts, 1);
    let mut after = request;
    for executor in &mut after.topologies[0].executors {
        if executor.node.as_ref() == Some(&from.node) && executor.port == Some(from.port) {
            (executor.node, executor.port) = (Some(to.node.clone()), Some(to.port));
        }
    }
    for (host, cores) in [("127.0.0.1", 1.207), ("127.0.0.2", 0.721), ("127.0.0.3", 0.866)] {
        near(Some(by_host(&after, host)), cores);
    }
    let requested = reply.notes.iter().find(|note| note.code == NoteCode::LoadRequested).unwrap();
    for words in ["2 executors of flights/flights", "2 executors of flights/__acker"] {
        assert!(requested.detail.contains(words), "no \"{words}\" in {}", requested.detail);
    }
}

#[test]
fn a_capture_without_the_tick_reads_too() {
    let (request, _) = read(&capture("no-v2-tick"));
    assert_eq!(request.topologies[0].executors.len(), 26);
    assert_eq!(executor(&request, 7).cpu_cores, Some(0.883));
}

#[test]
fn answers_after_a_kill_are_refused_with_the_uis_own_words() {
    let fault = refused(&capture("after-kill"));
    assert!(fault.place.ends_with("component-__acker.json"), "{fault}");
    assert!(fault.detail.contains("\"500 Server Error\""), "{fault}");
    assert!(!fault.to_string().contains("NotAlive") && !fault.to_string().contains("at org."), "{fault}");
}

#[test]
fn b09_answers_that_are_none_are_refused_by_name() {
    let error = r#"{"error":"500 Server Error","errorMessage":"java.lang.NullPointerException\n\tat a.b.C.d(C.java:1)"}"#;
    let login = "<!DOCTYPE html>\n<html><head><title>Log in</title></head></html>";
    for (name, answer, words) in [
        ("error", error, "the UI answered with an error: \"500 Server Error\""),
        ("login", login, "HTML page"),
        ("jsonp", r#"cb({"id":"t1-1-1764457195","name":"t1"});"#, "wrapped for JSONP by \"cb(...)\""),
        ("empty", "", "the answer is empty"),
    ] {
        let fault = refused(&saved(&format!("b09-{name}"), &[("topology.json", answer)]));
        assert!(fault.detail.contains(words), "{fault}");
        assert!(fault.place.ends_with("topology.json"), "{fault}");
        assert!(
            !fault.to_string().contains("NullPointer") && !fault.to_string().contains("a.b.C"),
            "{fault}"
        );
        assert_eq!(is_mine(answer.as_bytes()), !answer.is_empty(), "{name}");
    }
}

#[test]
fn an_error_in_the_place_of_one_topology_is_not_read_as_its_absence() {
    let path = pages("error-beside", &[orders(), summary(&["orders-3-1", "lost-4-1"])]);
    remarked(&read(&path).1, RemarkCode::Hidden, "lost-4-1 of 4 executors: its page is missing");
    fs::write(path.join("other.json"), r#"{"error":"404 Not Found","errorMessage":"x"}"#).unwrap();
    assert!(refused(&path).detail.contains("404 Not Found"));
    // The page of a component may be missing: its executors then have no load.
    let path = pages("component-error", &[orders()]);
    fs::write(path.join("component-count.json"), r#"{"error":"500 Server Error","errorMessage":"x"}"#)
        .unwrap();
    let (request, remarks) = read(&path);
    assert_eq!(request.topologies[0].executors.len(), 9);
    remarked(&remarks, RemarkCode::Unknown, "500 Server Error");
}

#[test]
fn a_cluster_in_which_nothing_runs_is_no_request() {
    let fault = refused(&pages(
        "idle",
        &[supervisors(&["a", "b"]), json!({ "topologies": [], "schedulerDisplayResource": false })],
    ));
    assert!(fault.detail.contains("no topology runs"), "{fault}");
}

/// The list of topologies, of 4 executors each.
fn summary(ids: &[&str]) -> Value {
    let topology = |id: &&str| json!({ "id": id, "name": id, "executorsTotal": 4, "status": "ACTIVE" });
    json!({ "topologies": ids.iter().map(topology).collect::<Vec<_>>(), "schedulerDisplayResource": false })
}

/// Supervisors of 4 slots, `s-a` on host `a`.
fn supervisors(hosts: &[&str]) -> Value {
    let supervisor = |host: &&str| json!({ "id": format!("s-{host}"), "host": host, "slotsTotal": 4, "totalCpu": 400.0, "totalMem": 4096.0, "blacklisted": false });
    json!({ "supervisors": hosts.iter().map(supervisor).collect::<Vec<_>>(), "schedulerDisplayResource": false })
}

fn worker(host: &str, port: u16, executors: u32, tasks: Value, uptime: u32) -> Value {
    let printed = if uptime == 0 { String::new() } else { format!("{uptime}s") };
    json!({ "supervisorId": format!("s-{host}"), "host": host, "port": port, "topologyId": "orders-3-1", "topologyName": "orders",
        "executorsTotal": executors, "componentNumTasks": tasks, "uptime": printed, "uptimeSeconds": uptime })
}

fn bolt(id: &str, executors: u32, tasks: u32, executed: i64, capacity: &str) -> Value {
    json!({ "boltId": id, "executors": executors, "tasks": tasks, "executed": executed, "capacity": capacity, "requestedCpu": 10.0 })
}

fn topology(bolts: &[Value], workers: &[Value]) -> Value {
    json!({ "id": "orders-3-1", "name": "orders", "status": "ACTIVE", "uptimeSeconds": 90_000, "window": ":all-time",
        "workersTotal": workers.len(), "topologyStats": [], "spouts": [], "bolts": bolts, "workers": workers })
}

fn stats(id: &str, host: &str, port: u16, uptime: u32, executed: i64, emitted: i64, capacity: &str) -> Value {
    json!({ "id": id, "host": host, "port": port, "uptime": "", "uptimeSeconds": uptime, "executed": executed, "emitted": emitted,
        "capacity": capacity, "executeLatency": "0.000" })
}

fn component(id: &str, executors: &[Value]) -> Value {
    json!({ "id": id, "topologyId": "orders-3-1", "name": "orders", "componentType": "bolt", "window": ":all-time",
        "executorStats": executors, "inputStats": [], "outputStats": [], "boltStats": [] })
}

/// The topology's page of section E2, `sys` not asked for: 9 executors, of which one acker a worker is not shown.
fn orders() -> Value {
    json!({"id":"orders-3-1","name":"orders","status":"ACTIVE","uptime":"1h 0m 5s","uptimeSeconds":3605,"tasksTotal":8,
        "workersTotal":2,"executorsTotal":9,"schedulerInfo":null,"window":":all-time","topologyStats":[],
        "spouts":[{"spoutId":"reader","executors":2,"tasks":2,"emitted":720_000,"completeLatency":"3.667","errorPort":null}],
        "bolts":[{"boltId":"count","executors":4,"tasks":4,"capacity":"0.900","executeLatency":"0.667","executed":720_000,
            "lastError":"java.io.IOException: x/y"}],
        "workers":[worker("node1", 6700, 5, json!({"reader":1,"count":2}), 3602),
            worker("node2", 6700, 4, json!({"reader":1,"count":2}), 0)]})
}

#[test]
fn b11_a_worker_without_a_heartbeat_is_not_idle() {
    let tasks = json!({ "count": 4 });
    let path = pages(
        "b11",
        &[
            supervisors(&["a", "b"]),
            topology(
                &[bolt("count", 8, 8, 1000, "0.610")],
                &[worker("a", 6700, 4, tasks.clone(), 89_990), worker("b", 6700, 4, tasks, 0)],
            ),
            component(
                "count",
                &(1..=8)
                    .map(|task| {
                        let id = format!("[{task}-{task}]");
                        if task <= 4 {
                            stats(&id, "a", 6700, 89_990, 1000, 0, "0.610")
                        } else {
                            stats(&id, "b", 6700, 0, 0, 0, "0.000")
                        }
                    })
                    .collect::<Vec<_>>(),
            ),
        ],
    );
    let (request, remarks) = read(&path);
    assert_eq!(executor(&request, 1).cpu_cores, Some(0.61));
    let unheard = executor(&request, 5);
    assert_eq!((unheard.node.as_deref(), unheard.port), (Some("s-b"), Some(6700)));
    assert_eq!((unheard.cpu_cores, unheard.uptime_secs), (None, None));
    assert_eq!((unheard.received_per_sec, unheard.emitted_per_sec), (None, None));
    remarked(&remarks, RemarkCode::NoHeartbeat, "no heartbeat of b:6700");
    assert_eq!(remarks.of(RemarkCode::NoHeartbeat).unwrap().count, 4);
    let reply =
        planned(request, json!({ "scale.mode": "apply", "scale.in.rounds": 1, "budget.restarts": 9 }));
    assert_eq!(coverage(&reply).fraction, Some(0.5));
    assert_eq!((reply.verdict, reply.moves.len()), (Verdict::Unchanged, 0));
    assert!(reply.scaling.is_none_or(|scaling| scaling.drain.is_empty()));
}

#[test]
fn b12_executors_that_contradict_their_component_have_no_load() {
    let mut page = component("count", &[stats("[1-1]", "a", 6700, 600, 0, 48_000, "0.000")]);
    page["window"] = Value::Null;
    let mut of = topology(
        &[bolt("count", 1, 1, 48_000, "0.000")],
        &[worker("a", 6700, 1, json!({ "count": 1 }), 600)],
    );
    of["window"] = Value::Null;
    let (request, remarks) = read(&pages("b12", &[supervisors(&["a", "b"]), of, page]));
    let own = executor(&request, 1);
    assert_eq!((own.cpu_cores, own.load_source, own.received_per_sec), (None, None, None));
    near(own.emitted_per_sec, 80.0);
    remarked(&remarks, RemarkCode::Contradiction, "count executed 48000 tuples and its 1 executors none");
    let reply = planned(request, json!({}));
    assert_eq!((coverage(&reply).measured, coverage(&reply).expected), (0, 1));
}

#[test]
fn what_executed_nothing_for_the_whole_window_is_idle_when_the_windows_differ() {
    // 48000 tuples since it was submitted, none in the last 10 minutes.
    let mut page = component("count", &[stats("[1-1]", "a", 6700, 7200, 0, 0, "0.000")]);
    page["window"] = json!("600");
    let of = topology(
        &[bolt("count", 1, 1, 48_000, "0.000")],
        &[worker("a", 6700, 1, json!({ "count": 1 }), 7200)],
    );
    let (request, remarks) = read(&pages("b12-idle", &[supervisors(&["a", "b"]), of, page]));
    assert_eq!(
        (executor(&request, 1).cpu_cores, executor(&request, 1).received_per_sec),
        (Some(0.0), Some(0.0))
    );
    assert_eq!(remarks.of(RemarkCode::Contradiction), None);
}

#[test]
fn an_executor_that_had_no_time_to_report_is_not_idle() {
    let page = component("count", &[stats("[1-1]", "a", 6700, 90, 0, 0, "0.000")]);
    let of = topology(&[bolt("count", 1, 1, 0, "0.000")], &[worker("a", 6700, 1, json!({ "count": 1 }), 90)]);
    let (request, _) = read(&pages("silent", &[supervisors(&["a", "b"]), of, page]));
    assert_eq!((executor(&request, 1).cpu_cores, executor(&request, 1).received_per_sec), (None, None));
}

#[test]
fn b13_negative_counts_are_dropped_and_the_others_kept() {
    let mut sender = component("split", &[stats("[1-1]", "a", 6700, 600, 12_000, 11_660, "0.100")]);
    sender["outputStats"] =
        json!([{ "stream": "__metrics", "emitted": -340 }, { "stream": "default", "emitted": 12_000 }]);
    let receiver = component("count", &[stats("[2-2]", "a", 6700, 600, -20, 0, "0.100")]);
    let drawing = json!({
        "split": { ":type": "bolt", ":link": "/component.html?id=split&topology_id=orders-3-1", ":inputs": [] },
        "count": { ":type": "bolt", ":link": "/component.html?id=count&topology_id=orders-3-1",
            ":inputs": [{ ":component": "split", ":stream": "default", ":grouping": "FIELDS", ":sani-stream": "default" }] } });
    let bolts = [bolt("split", 1, 1, 12_000, "0.100"), bolt("count", 1, 1, 0, "0.100")];
    let of = topology(&bolts, &[worker("a", 6700, 2, json!({ "split": 1, "count": 1 }), 600)]);
    let (request, remarks) = read(&pages("b13", &[supervisors(&["a", "b"]), of, sender, receiver, drawing]));
    let count = request.topologies[0].components.iter().find(|c| c.id == "count").unwrap();
    assert_eq!(count.inputs[0].grouping, "fields");
    near(count.inputs[0].tuples_per_sec, 12_000.0 / 600.0);
    assert_eq!(executor(&request, 2).received_per_sec, None);
    remarked(&remarks, RemarkCode::Negative, "split, stream __metrics: emitted -340");
    remarked(&remarks, RemarkCode::Negative, "executor [2, 2] of count: executed: -20");
    let reply = planned(request, json!({}));
    near(reply.before.as_ref().unwrap().traffic.as_ref().map(|traffic| traffic.tuples_per_sec), 20.0);
}

#[test]
fn b14_capacity_is_the_executors_and_the_topologys_page_has_only_the_largest() {
    let bolts = [bolt("b", 4, 4, 1_000_000, "0.900")];
    let of = topology(&bolts, &[worker("a", 6700, 4, json!({ "b": 4 }), 7200)]);
    let executors: Vec<Value> = ["0.900", "0.100", "0.100", "0.100"]
        .iter()
        .zip(1..)
        .map(|(capacity, task)| stats(&format!("[{task}-{task}]"), "a", 6700, 7200, 250_000, 0, capacity))
        .collect();
    let (request, _) =
        read(&pages("b14", &[supervisors(&["a", "b"]), of.clone(), component("b", &executors)]));
    near(Some(by_host(&request, "a")), 1.2);
    // The topology's page alone.
    let (request, remarks) = read(&pages("b14-alone", &[supervisors(&["a", "b"]), of]));
    assert_eq!(request.topologies[0].executors.len(), 4);
    assert!(request.topologies[0].executors.iter().all(|e| e.component == "b" && e.cpu_cores.is_none()));
    remarked(
        &remarks,
        RemarkCode::Guessed,
        "largest of 4 executors (max only, together at most 3.600 cores)",
    );
}

#[test]
fn b14_a_young_executor_keeps_its_figure_and_the_engine_leaves_it_out() {
    let of = topology(&[bolt("b", 2, 2, 80, "3.200")], &[worker("a", 6700, 2, json!({ "b": 2 }), 5)]);
    let page = component(
        "b",
        &[stats("[1-1]", "a", 6700, 5, 40, 0, "3.200"), stats("[2-2]", "a", 6700, 7200, 40, 0, "1.300")],
    );
    let (request, remarks) = read(&pages("b14-young", &[supervisors(&["a", "b"]), of, page]));
    assert_eq!((executor(&request, 1).cpu_cores, executor(&request, 1).uptime_secs), (Some(3.2), Some(5.0)));
    assert_eq!(executor(&request, 2).cpu_cores, Some(1.3), "more than one core is legal");
    remarked(&remarks, RemarkCode::Young, "executor [1, 1] of b is 5 s old");
    let reply = planned(request, json!({}));
    assert_eq!((coverage(&reply).measured, coverage(&reply).expected), (1, 2));
    assert!(reply.notes.iter().any(|note| note.code == NoteCode::LoadYoung));
}

#[test]
fn b15_system_executors_that_are_not_shown_occupy_their_slots() {
    let tasks =
        [json!({ "reader": 1, "count": 2 }), json!({ "reader": 1, "count": 3 }), json!({ "count": 3 })];
    let workers: Vec<Value> = tasks
        .iter()
        .zip(["a", "b", "c"])
        .map(|(tasks, host)| worker(host, 6700, 5, tasks.clone(), 7200))
        .collect();
    let mut of = topology(&[bolt("count", 8, 8, 1000, "0.500")], &workers);
    of["spouts"] = json!([{ "spoutId": "reader", "executors": 2, "tasks": 2 }]);
    of["executorsTotal"] = json!(15);
    of["tasksTotal"] = json!(15);
    let (request, remarks) = read(&pages("b15", &[supervisors(&["a", "b", "c"]), of]));
    let topology = &request.topologies[0];
    assert_eq!(topology.executors.len(), 15);
    for node in ["s-a", "s-b", "s-c"] {
        assert_eq!(topology.executors.iter().filter(|e| e.node.as_deref() == Some(node)).count(), 5);
    }
    let system = topology.components.iter().find(|c| c.kind == ComponentKind::System).unwrap();
    assert_eq!(topology.executors.iter().filter(|e| e.component == system.id).count(), 5);
    let tasks: Vec<TaskRange> = topology.executors.iter().map(|executor| executor.tasks).collect();
    assert_eq!(tasks, (1..=15).map(|task| TaskRange(task, task)).collect::<Vec<_>>());
    remarked(&remarks, RemarkCode::Hidden, "5 executors: system, not shown (ask with sys=true)");
    let reply = planned(request, json!({}));
    assert_eq!(
        reply.before.as_ref().unwrap().nodes.iter().map(|node| node.executors).collect::<Vec<_>>(),
        [5, 5, 5]
    );
}

#[test]
fn b16_of_two_parallelisms_the_newest_counts_as_a_whole() {
    let old: Vec<Value> =
        (5..=8).map(|task| stats(&format!("[{task}-{task}]"), "a", 6700, 7200, 100, 0, "0.900")).collect();
    let new =
        [stats("[5-6]", "a", 6700, 600, 100, 0, "0.200"), stats("[7-8]", "a", 6700, 600, 100, 0, "0.300")];
    let of =
        topology(&[bolt("count", 2, 4, 200, "0.300")], &[worker("a", 6700, 2, json!({ "count": 4 }), 600)]);
    let check = |path: &Path| {
        let (request, remarks) = read(path);
        let tasks: Vec<TaskRange> = request.topologies[0].executors.iter().map(|e| e.tasks).collect();
        assert_eq!(tasks, [TaskRange(5, 6), TaskRange(7, 8)]);
        near(Some(by_host(&request, "a")), 0.5);
        remarked(&remarks, RemarkCode::Stale, "executors of count are [5-5], [6-6], [7-7], [8-8]");
    };
    // The topology's page has a say: it counts 2 executors, whichever file is the newer one.
    check(&pages(
        "b16",
        &[supervisors(&["a", "b"]), of.clone(), component("count", &new), component("count", &old)],
    ));
    // Where it does not agree with either, the time of the file decides.
    let mut silent = of;
    silent["bolts"] = json!([]);
    let path = pages(
        "b16-times",
        &[supervisors(&["a", "b"]), silent, component("count", &new), component("count", &old)],
    );
    for (file, secs) in [("answer-2.json", 2000), ("answer-3.json", 1000)] {
        File::options()
            .write(true)
            .open(path.join(file))
            .unwrap()
            .set_modified(UNIX_EPOCH + Duration::from_secs(secs))
            .unwrap();
    }
    check(&path);
}

#[test]
fn the_sample_pages_of_the_ui_read_as_written() {
    let page = json!({"id":"count","topologyId":"orders-3-1","componentType":"bolt","window":":all-time","tasks":4,"executors":2,
        "spoutSummary":[{"completeLatency":3.667}],
        "executorStats":[{"id":"[5-6]","encodedId":"%5B5-6%5D","uptime":"1h 0m 2s","uptimeSeconds":3602,"host":"node1","port":6700,"emitted":0,
            "transferred":0,"capacity":"0.900","executeLatency":"0.667","executed":360_000,"processLatency":"0.650","acked":360_000,"failed":0},
            {"id":"[7-8]","host":"node1","port":6700,"uptimeSeconds":3602,"capacity":"NaN","executed":1,"emitted":0},
            {"id":"[9-9]","host":"node2","port":6700,"uptimeSeconds":3602,"capacity":"0","executed":null,"emitted":null}]});
    let (request, remarks) = read(&pages("e2", &[supervisors(&["node1", "node2"]), orders(), page]));
    let own = executor(&request, 5);
    assert_eq!(
        (own.tasks, own.node.as_deref(), own.cpu_cores),
        (TaskRange(5, 6), Some("s-node1"), Some(0.9))
    );
    near(own.received_per_sec, 360_000.0 / 3602.0);
    assert_eq!(executor(&request, 7).cpu_cores, None, "NaN is missing");
    assert_eq!(executor(&request, 9).received_per_sec, None, "null is missing");
    remarked(&remarks, RemarkCode::Hidden, "orders-3-1");
}

#[test]
fn several_topologies_lie_in_one_folder_under_any_names() {
    let other = |mut page: Value| {
        let text = page.to_string().replace("orders-3-1", "clicks-4-1").replace("6700", "6701");
        page = serde_json::from_str(&text).unwrap();
        page
    };
    let of =
        topology(&[bolt("count", 1, 1, 100, "0.400")], &[worker("a", 6700, 1, json!({ "count": 1 }), 7200)]);
    let page = component("count", &[stats("[1-1]", "a", 6700, 7200, 100, 0, "0.400")]);
    let (request, _) =
        read(&pages("two", &[supervisors(&["a", "b"]), of.clone(), other(of), other(page.clone()), page]));
    let found: Vec<_> = request
        .topologies
        .iter()
        .map(|t| (t.id.as_str(), t.executors[0].port, t.executors[0].cpu_cores))
        .collect();
    assert_eq!(found, [("clicks-4-1", Some(6701), Some(0.4)), ("orders-3-1", Some(6700), Some(0.4))]);
    assert_eq!(request.nodes[0].ports, [6700, 6701, 6702, 6703]);
}

#[test]
fn a_slot_of_two_topologies_is_refused() {
    let of =
        topology(&[bolt("count", 1, 1, 100, "0.400")], &[worker("a", 6700, 1, json!({ "count": 1 }), 7200)]);
    let other: Value = serde_json::from_str(&of.to_string().replace("orders-3-1", "clicks-4-1")).unwrap();
    let fault = refused(&pages("twice", &[supervisors(&["a"]), of, other]));
    assert!(fault.detail.contains("slot s-a:6700 is claimed by clicks-4-1 and by orders-3-1"), "{fault}");
}

#[test]
fn two_supervisors_of_one_host_are_told_apart_by_their_ports() {
    let mut list = supervisors(&["a", "b"]);
    list["supervisors"][1]["host"] = json!("a");
    list["supervisors"][1]["blacklisted"] = json!(true);
    let mut second = worker("a", 6800, 1, json!({ "count": 1 }), 7200);
    second["supervisorId"] = json!("s-b");
    let of = topology(
        &[bolt("count", 2, 2, 100, "0.400")],
        &[worker("a", 6700, 1, json!({ "count": 1 }), 7200), second],
    );
    let page = component(
        "count",
        &[stats("[1-1]", "a", 6700, 7200, 1, 0, "0.400"), stats("[2-2]", "a", 6800, 7200, 1, 0, "0.100")],
    );
    let (request, _) = read(&pages("one-host", &[list, of, page]));
    assert_eq!(executor(&request, 1).node.as_deref(), Some("s-a"));
    assert_eq!(executor(&request, 2).node.as_deref(), Some("s-b"));
    assert_eq!(request.nodes[1].state, ballast::wire::NodeState::Unusable);
}

#[test]
fn a_count_of_executors_that_cannot_be_is_not_believed() {
    let of = topology(&[], &[worker("a", 6700, 4_000_000_000, json!({ "count": 1 }), 7200)]);
    let page = component("count", &[stats("[1-1]", "a", 6700, 7200, 1, 0, "0.400")]);
    let mut list = supervisors(&["a"]);
    list["supervisors"][0]["slotsTotal"] = json!(1e15);
    let (request, remarks) = read(&pages("unbelievable", &[list, of, page]));
    assert_eq!(request.topologies[0].executors.len(), 1);
    assert_eq!(request.nodes[0].ports, [6700]);
    remarked(&remarks, RemarkCode::Unbelievable, "slotsTotal 1000000000000000");
}

#[test]
fn other_files_are_left_out_and_said() {
    let path = pages("others", &[orders()]);
    fs::write(path.join("notes.txt"), "saved by hand").unwrap();
    fs::create_dir(path.join("deeper")).unwrap();
    let (_, remarks) = read(&path);
    remarked(&remarks, RemarkCode::Unknown, "notes.txt: no answer of the UI, left out");
}

#[test]
fn answers_are_told_from_other_formats() {
    for file in fs::read_dir(capture("t3")).unwrap().map(|entry| entry.unwrap().path()) {
        let bytes = fs::read(&file).unwrap();
        let expected = file.extension().is_some_and(|ext| ext == "json");
        assert_eq!(is_mine(&bytes[..bytes.len().min(512)]), expected, "{}", file.display());
    }
    assert!(!is_mine(br#"{"ballast":"snapshot","version":1,"nodes":[{"topologyId":1}]}"#));
    assert!(!is_mine(b"topology,executor,cpu_cores\norders,[1-1],0.5\n"));
    assert!(!is_mine(
        b"2026-11-30 00:26:59,047 6841     1764460800\t          node1:6700\t  1:spout      \t"
    ));
    assert!(!is_mine(b"bolts:\n- parallelism: 4\n"));
    assert!(!is_mine(b""));
}
