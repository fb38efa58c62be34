//! Tables of loads, captures of loadgen, and several sources of one time.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

#[path = "support/folder.rs"]
mod folder;

use std::fs;
use std::path::PathBuf;

use ballast::ingest::{Fault, Format, Loadgen, Options, RemarkCode, Source, Window, open};
use ballast::wire::{ComponentKind, LoadSource, TaskRange};
use folder::folder;
use serde_json::json;

/// All windows of some inputs, what they are, and how often each kind of remark was made.
#[allow(clippy::type_complexity, reason = "three answers of one call")]
fn read(inputs: &[PathBuf]) -> Result<(Vec<Window>, Vec<Format>, Vec<(RemarkCode, u64, String)>), Fault> {
    let mut source = open(inputs, &Options::default())?;
    let mut windows = Vec::new();
    while let Some(window) = source.next()? {
        windows.push(window);
    }
    let remarks = source
        .all_remarks()
        .into_iter()
        .map(|remark| (remark.code, remark.count, remark.examples.join("; ")));
    let formats = source.inputs().map(|(_, format, _)| format).collect();
    Ok((windows, formats, remarks.collect()))
}

fn table(name: &str, text: &str) -> PathBuf {
    let file = folder(name).join("loads.csv");
    fs::write(&file, text).unwrap();
    file
}

#[test]
fn a_table_of_loads_is_a_window_a_time() {
    let file = table(
        "ingest-table",
        "time,topology,component,task,task_last,node,port,node_cores,node_ports,cpu_cores,received_per_sec\n\
         60,orders,split,1,2,n1,6700,4,6700-6702,0.5,100\n\
         60,orders,split,3,3,n1,6701,,,,\n\
         60,,,,,n2,,8,6700,,\n\
         2026-11-30T00:00:00Z,orders,split,1,2,n1,6700,,,0.25,\n",
    );
    let (windows, formats, _) = read(&[file]).unwrap();
    assert_eq!((windows.len(), formats), (2, vec![Format::Loads]));
    let request = &windows[0].request;
    assert_eq!((windows[0].at, windows[1].at), (60, 1_795_996_800));
    let nodes: Vec<_> = request.nodes.iter().map(|n| (n.id.as_str(), n.cpu_cores, n.ports.len())).collect();
    assert_eq!(nodes, [("n1", Some(4.0), 3), ("n2", Some(8.0), 1)]);
    let executors = &request.topologies[0].executors;
    assert_eq!((executors[0].tasks, executors[0].cpu_cores), (TaskRange(1, 2), Some(0.5)));
    assert_eq!(executors[0].load_source, Some(LoadSource::Stats));
    // Empty is not measured, and no zero.
    assert_eq!(
        (executors[1].cpu_cores, executors[1].load_source, executors[1].received_per_sec),
        (None, None, None)
    );
    assert_eq!(request.topologies[0].workers, 2);
    // What was said of a node holds on.
    assert_eq!(windows[1].request.nodes[0].cpu_cores, Some(4.0));
}

#[test]
fn faults_of_a_table_are_told_with_their_line() {
    let head = "time,component,task,node,port,cpu_cores";
    for (name, rows, words) in [
        ("negative", "60,split,1,n1,6700,-0.5", [":2", "cpu_cores is -0.5"]),
        ("not-a-number", "60,split,1,n1,6700,NaN", [":2", "cpu_cores is NaN"]),
        ("text", "60,split,1,n1,6700,0.5\n60,split,2,n1,6700,much", [":3", "cpu_cores"]),
        ("no-time", "soon,split,1,n1,6700,0.5", [":2", "\"soon\""]),
        ("back-in-time", "60,split,1,n1,6700,0.5\n30,split,1,n1,6700,0.5", [":3", "time 30 comes after 60"]),
        ("half-a-slot", "60,split,1,n1,,0.5", [":2", "only one of node and port"]),
        ("no-task", "60,split,,n1,6700,0.5", [":2", "component and task"]),
        ("fewer-fields", "60,split,1", [":2", "fields"]),
    ] {
        let file = table(&format!("ingest-{name}"), &format!("{head}\n{rows}\n"));
        let fault = read(&[file]).unwrap_err();
        let text = fault.to_string();
        for word in words {
            assert!(text.contains(word), "{name}: no {word:?} in {text}");
        }
    }
}

#[test]
fn unknown_columns_are_remarked() {
    let file = table("ingest-columns", "time,component,task,cpu_cores,mood\n60,split,1,0.5,good\n");
    let (windows, _, remarks) = read(&[file]).unwrap();
    assert_eq!(windows.len(), 1);
    let (code, count, example) = &remarks[0];
    assert_eq!((*code, *count), (RemarkCode::Unknown, 1));
    assert!(example.contains("\"mood\""), "{example}");
}

/// As snakeyaml prints it.
const CAPTURE: &str = include_str!("data/capture.yaml");

/// The topology of a capture.
fn capture(text: &str) -> Result<Window, Fault> {
    Loadgen::of_bytes("capture.yaml", text.as_bytes())?.next().map(Option::unwrap)
}

#[test]
fn b17_a_capture_is_read_by_its_names() {
    let window = capture(CAPTURE).unwrap();
    let topology = &window.request.topologies[0];
    assert_eq!(
        (topology.name.as_str(), topology.workers, topology.worker_heap_max_mib),
        ("orders", 2, Some(768.0))
    );
    let [reader, count] = &topology.components[..] else { panic!("two components") };
    // Half a core and 128 MB; Storm's own reader has it the other way round.
    assert_eq!((reader.cpu_request_pcore, reader.onheap_request_mib), (Some(50.0), Some(128.0)));
    assert_eq!((reader.kind, count.kind), (ComponentKind::Spout, ComponentKind::Bolt));
    assert_eq!((count.cpu_request_pcore, count.onheap_request_mib), (None, None));
    let input = &count.inputs[0];
    assert_eq!((input.from.as_str(), input.grouping.as_str()), ("reader", "fields"));
    // Rates are those of one executor of the sender: two of 101.9375.
    assert_eq!(input.tuples_per_sec, Some(203.875));
    let loads: Vec<_> = topology.executors.iter().map(|executor| executor.cpu_cores).collect();
    assert_eq!(&loads[..2], [None, None], "a spout's load is in no capture");
    assert!(loads[2..].iter().all(|load| (load.unwrap() - 0.030_581_25).abs() < 1e-9), "{loads:?}");
    assert_eq!(topology.executors[2].load_source, Some(LoadSource::Estimate));
}

#[test]
fn b17_flow_style_and_absent_keys_are_as_good() {
    let window = capture("{spouts: [{id: a, parallelism: 1, novelty: 3}], name: t}").unwrap();
    assert_eq!(window.request.topologies[0].executors.len(), 1);
    assert_eq!(window.request.topologies[0].components[0].cpu_request_pcore, None);
    let nameless = capture("spouts:\n- id: a\n").unwrap();
    assert_eq!(nameless.request.topologies[0].workers, 1);
    // All zero is nothing recorded, not no time.
    let zero = capture(&CAPTURE.replace("mean: 0.6", "mean: 0.0")).unwrap();
    assert!(zero.request.topologies[0].executors.iter().all(|executor| executor.cpu_cores.is_none()));
}

#[test]
fn b17_a_rate_over_a_second_of_uptime_is_not_believed() {
    let text = CAPTURE.replace("  streams: []\n", "  streams:\n  - {streamId: out, rate: {mean: 10.0}}\n");
    let text = text.replace("mean: 101.9375", "mean: 864000.0");
    let mut source = Loadgen::of_bytes("capture.yaml", text.as_bytes()).unwrap();
    let window = source.next().unwrap().unwrap();
    let remark = source.remarks().of(RemarkCode::Unbelievable).unwrap();
    assert!(remark.examples[0].contains("864000"), "{remark:?}");
    assert_eq!(window.request.topologies[0].components[1].inputs[0].tuples_per_sec, None);
    assert_eq!(window.request.topologies[0].executors[2].cpu_cores, None);
}

#[test]
fn what_is_no_capture_says_why() {
    for (text, word) in [
        ("spouts: 3", "spouts"),
        ("spouts:\n- id: a\n- id: a\n", "twice"),
        ("spouts:\n- id: a\n  parallelism: 0\n", "parallelism"),
        ("name: nothing\n", "no spout"),
    ] {
        let fault = capture(text).unwrap_err();
        assert!(fault.detail.contains(word), "{text:?}: {fault}");
    }
}

/// A recording of one window: one node, and two executors of one task each, [1, 1] measured and [2, 2] not.
fn recording(folder: &std::path::Path) -> PathBuf {
    let executor = |task: i32| json!({ "tasks": [task, task], "component": "count", "node": "supervisor-1", "port": 6700 });
    let mut executors = [executor(1), executor(2)];
    executors[0]["cpu_cores"] = json!(0.5);
    executors[0]["load_source"] = json!("hook");
    let request = json!({
        "ballast": "snapshot", "version": 1, "generation": 1, "taken_at": "1970-01-01T00:01:00Z", "window_secs": 60,
        "nodes": [{ "id": "supervisor-1", "host": "h1", "ports": [6700, 6701] }],
        "topologies": [{ "id": "orders-1-1", "name": "orders", "workers": 1,
            "components": [{ "id": "count", "kind": "bolt" }, { "id": "reader", "kind": "spout" }],
            "executors": executors }]
    });
    let file = folder.join("1-request.json");
    fs::write(&file, request.to_string()).unwrap();
    file
}

#[test]
fn sources_of_one_time_are_one_window_and_the_more_trusted_load_counts() {
    let folder = folder("ingest-merge");
    let table = folder.join("loads.csv");
    fs::write(
        &table,
        "time,topology,component,task,node,host,port,node_cores,cpu_cores,received_per_sec\n\
         75,orders,count,1,h1,h1,6700,4,0.9,10\n\
         75,orders,count,2,h1,h1,6700,4,0.3,20\n",
    )
    .unwrap();
    let capture = folder.join("capture.yaml");
    fs::write(&capture, CAPTURE).unwrap();
    let recording = recording(&folder);
    let (windows, _, remarks) = read(&[capture.clone(), table.clone(), recording.clone()]).unwrap();
    let [window] = &windows[..] else { panic!("{} windows", windows.len()) };
    let request = &window.request;
    // One node under the supervisor's id, with the capacity that only the table knows.
    assert_eq!(request.nodes.len(), 1);
    assert_eq!((request.nodes[0].id.as_str(), request.nodes[0].cpu_cores), ("supervisor-1", Some(4.0)));
    let topology = &request.topologies[0];
    let known: Vec<_> =
        topology.executors.iter().map(|e| (e.cpu_cores, e.load_source, e.received_per_sec)).collect();
    assert_eq!(
        known,
        [(Some(0.5), Some(LoadSource::Hook), Some(10.0)), (Some(0.3), Some(LoadSource::Stats), Some(20.0))]
    );
    let reader = topology.components.iter().find(|component| component.id == "reader").unwrap();
    assert_eq!(reader.cpu_request_pcore, Some(50.0));
    let of = |wanted| {
        remarks.iter().find(|(code, ..)| *code == wanted).map(|(_, count, text)| (*count, text.as_str()))
    };
    let (conflicts, example) = of(RemarkCode::Conflict).unwrap();
    assert!(conflicts == 1 && example.contains("0.900 cores, 0.500 here"), "{example}");
    // B16: four executors were submitted, two run.
    let (_, stale) = of(RemarkCode::Stale).unwrap();
    assert!(stale.contains("orders/count: 4 executors in the capture, 2 here"), "{stale}");
    // Whatever the order they are named in.
    assert_eq!(read(&[recording, table, capture]).unwrap().0, windows);
}

#[test]
fn executors_cut_otherwise_are_of_another_time_and_left_out() {
    let folder = folder("ingest-stale");
    let table = folder.join("loads.csv");
    fs::write(&table, "time,topology,component,task,task_last,cpu_cores\n60,orders,count,1,2,0.9\n").unwrap();
    let (windows, _, remarks) = read(&[recording(&folder), table]).unwrap();
    let executors = &windows[0].request.topologies[0].executors;
    assert_eq!((executors.len(), executors[1].cpu_cores), (2, None));
    assert!(
        remarks.iter().any(|(code, _, text)| *code == RemarkCode::Stale && text.contains("[1, 2]")),
        "{remarks:?}"
    );
}

#[test]
fn a_format_is_told_by_content_and_not_by_name() {
    let folder = folder("ingest-names");
    fs::write(folder.join("worker.log.metrics"), "time,component,task,cpu_cores\n60,split,1,0.5\n").unwrap();
    fs::rename(recording(&folder), folder.join("loads.csv")).unwrap();
    fs::write(folder.join("notes.yaml"), "these: are notes\n").unwrap();
    let (_, mut formats, _) = read(&[folder]).unwrap();
    formats.sort();
    assert_eq!(formats, [Format::Recording, Format::Loads]);
}
