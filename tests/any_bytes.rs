//! Whatever bytes come through the boundary: no panic, and always a well-formed answer.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use ballast::engine::{answer, answer_bytes, hello_bytes};
use ballast::ingest::Source;
use ballast::ingest::metrics_log::{self, MetricsLog, Options};
use ballast::ingest::ui::{UiFolder, is_mine};
use ballast::verify::verify;
use ballast::wire::{Reply, Verdict, Welcome, decode_reply, decode_request};
use proptest::prelude::*;
use serde_json::Value;

/// A request that touches every kind of value: homeless, draining, unlisted, young, system, requested memory.
const REQUEST: &str = r#"{
  "ballast": "snapshot", "version": 1, "ask": "plan", "generation": 41, "taken_at": "2026-11-30T00:28:34Z",
  "window_secs": 600.0, "covered_rounds": 7, "low_rounds": 9,
  "settings": { "strategy": "stay", "budget.restarts": 2, "drain.nodes": ["n3"] },
  "nodes": [
    { "id": "n1", "host": "h1", "rack": "/r1", "cpu_cores": 4.0, "memory_mib": 4096.0, "ports": [6700, 6701], "avoid_ports": [6701], "state": "active", "seen_rounds": 12 },
    { "id": "n2", "host": "h2", "ports": [6700] },
    { "id": "n3", "host": "h3", "cpu_cores": -1.0, "ports": [6700], "state": "unusable" },
    { "id": "n4", "host": "h4", "ports": [6700], "state": "draining", "scaled_in": true }
  ],
  "topologies": [
    { "id": "t1", "name": "t1", "workers": 2, "priority": 29, "enabled": true, "worker_heap_max_mib": 768.0, "last_change_secs": 4000.0,
      "components": [
        { "id": "s", "kind": "spout", "cpu_request_pcore": 10.0, "onheap_request_mib": 128.0, "offheap_request_mib": 8.0 },
        { "id": "b", "kind": "bolt", "inputs": [ { "from": "s", "stream": "default", "grouping": "fields", "tuples_per_sec": 90.0 } ] },
        { "id": "__acker", "kind": "system" } ],
      "executors": [
        { "tasks": [1, 1], "component": "s", "node": "n1", "port": 6700, "uptime_secs": 130.0, "cpu_cores": 0.089, "load_source": "hook", "received_per_sec": 3.0, "emitted_per_sec": 90.0, "state_bytes": 4096 },
        { "tasks": [2, 5], "component": "b", "node": "gone", "port": 6701, "cpu_cores": 0.7 },
        { "tasks": [6, 6], "component": "b", "last_node": "n2", "last_port": 6700 },
        { "tasks": [7, 7], "component": "__acker", "node": "n3", "port": 6700 } ],
      "traffic": [ { "from": [1, 1], "to": [2, 5], "tuples_per_sec": 60.0, "bytes_per_sec": 6000.0 } ],
      "checkpoints": [ { "executor": [1, 1], "node": "n2", "bytes": 4096, "delta_bytes": 64 } ],
      "backlog": { "tuples": 100.0, "arrived_per_sec": 90.0, "processed_per_sec": 45.0 } }
  ]
}"#;

/// Feeds bytes to everything that takes bytes.
fn endure(bytes: &[u8]) {
    let reply: Reply = serde_json::from_slice(&answer_bytes(bytes)).unwrap();
    assert_eq!(reply.refusal.is_some(), reply.verdict == Verdict::Refused);
    assert!(
        reply.refusal.as_ref().is_none_or(|refusal| !refusal.detail.is_empty() && !refusal.advice.is_empty())
    );
    assert!(reply.refusal.is_none() || reply.assignments.is_empty());
    let welcome: Welcome = serde_json::from_slice(&hello_bytes(bytes)).unwrap();
    assert_eq!((welcome.ballast.as_str(), welcome.version), ("welcome", 1));
    if let Ok(request) = decode_request(bytes) {
        assert_eq!(verify(&request, &reply), []);
    }
    if let Ok(reply) = decode_reply(bytes) {
        verify(&decode_request(REQUEST.as_bytes()).unwrap(), &reply);
    }
}

/// Answers of the Storm UI that touch every kind of page: a worker without a heartbeat, executors not shown.
const ANSWERS: [&str; 6] = [
    r#"{"supervisors":[{"id":"n1","host":"h1","slotsTotal":4,"totalCpu":400.0,"totalMem":4096.0,"blacklisted":false},
        {"id":"n2","host":"h2","slotsTotal":2,"totalCpu":null,"totalMem":4096.0,"blacklisted":true}],"logviewerPort":8000}"#,
    r#"{"topologies":[{"id":"t1","name":"t1","executorsTotal":5}],"schedulerDisplayResource":false}"#,
    r#"{"id":"t1","name":"t1","status":"ACTIVE","window":"600","tasksTotal":9,"executorsTotal":6,"workersTotal":2,
        "topologyStats":[],"configuration":{"topology.workers":2,"topology.priority":29,"supervisor.slots.ports":[6700,6701]},
        "spouts":[{"spoutId":"s","executors":1,"tasks":1,"requestedCpu":10.0}],
        "bolts":[{"boltId":"b","executors":2,"tasks":4,"executed":600,"capacity":"0.900"}],
        "workers":[{"supervisorId":"n1","host":"h1","port":6700,"topologyId":"t1","executorsTotal":4,
            "componentNumTasks":{"s":1,"b":2},"uptimeSeconds":900},
            {"supervisorId":"n2","host":"h2","port":6701,"topologyId":"t1","executorsTotal":2,"componentNumTasks":{"b":2},"uptimeSeconds":0}]}"#,
    r#"{"id":"b","topologyId":"t1","componentType":"bolt","window":"600","tasks":4,"executors":2,"requestedCpu":10.0,
        "executorStats":[{"id":"[2-3]","host":"h1","port":6700,"uptimeSeconds":900,"emitted":0,"executed":600,"capacity":"0.900"},
            {"id":"[4-5]","host":"h2","port":6701,"uptimeSeconds":0,"emitted":0,"executed":0,"capacity":"0.000"}],
        "inputStats":[{"component":"s","stream":"default","executed":600}],"outputStats":[{"stream":"default","emitted":-3}],
        "boltStats":[{"window":"600","executed":600}]}"#,
    r#"{"id":"s","topologyId":"t1","componentType":"spout","window":":all-time","tasks":1,"executorStats":[{"id":"[1-1]",
        "host":"h1","port":6700,"uptimeSeconds":900,"emitted":90000}],"outputStats":[{"stream":"default","emitted":90000}]}"#,
    r#"{"b":{":type":"bolt",":link":"/component.html?id=b&topology_id=t1",":inputs":[{":component":"s",":stream":"default",":grouping":"all"}]}}"#,
];

/// Answers get a request that the engine takes, or a fault that says something.
fn endure_answers(answers: &[Vec<u8>]) {
    let named: Vec<(&str, &[u8])> = answers.iter().map(|answer| ("answer", answer.as_slice())).collect();
    for answer in answers {
        let _either = is_mine(answer);
    }
    match UiFolder::read("folder", 0, &named) {
        Ok(mut source) => {
            let mut request = source.next().unwrap().unwrap().request;
            assert!(request.topologies.iter().all(|topology| !topology.executors.is_empty()));
            request.settings.insert("strategy".to_owned(), "stay".into());
            let reply = answer(&request);
            assert_eq!(reply.refusal, None);
            assert_eq!(verify(&request, &reply), []);
        }
        Err(fault) => assert!(!fault.detail.is_empty() && !fault.advice.is_empty()),
    }
}

/// Two ticks of three tasks in both dialects of `worker.log.metrics`, and what else may stand between them.
const METRICS: &str = "\
2026-11-30 00:26:59,047 6841     1764460800\t          node1:6700\t  1:spout      \t__emit-count-default   \t1200
2026-11-30 00:26:59,054 6848     1764460800\t          node1:6700\t  1:spout      \t__complete-latency-defa\t3.6666666666666665
2026-11-30 00:26:59,055 6849     1764460801\tnode2.rack-a.example.net:6701\t 12:count      \t__execute-count-spout:d\t960
2026-11-30 00:26:59,056 6850     1764460801\tnode2.rack-a.example.net:6701\t 12:count      \t__capacity             \t1.3456789
2026-11-30 00:26:59,056 6850     1764460801\tnode2.rack-a.example.net:6701\t 13:count      \t__execute-count-spout:d\t20
2026-11-30 00:26:59,056 6850     1764460800\t          node1:6700\t -1:__system   \tuptimeSecs             \t3605
a line of a stack trace
2026-11-30 00:26:59,057 6851     1764460800\t          node1:6700\t  4:old        \t__execute-count        \t{split:default=960, split:errors=20}
2026-11-30 00:26:59,057 6851     1764460800\t          node1:6700\t  4:old        \t__execute-latency      \t{split:default=0.5}
2026-11-30 00:27:59,047 66841    1764460860\t          node1:6700\t  1:spout      \t__emit-count-default   \t2400
2026-11-30 00:27:59,055 66849    1764460861\tnode2.rack-a.example.net:6701\t 12:count      \t__execute-count-spout:d\t1960
2026-11-30 00:27:59,056 66850    1764460861\tnode2.rack-a.example.net:6701\t 12:count      \t__capacity             \t1.5
2026-11-30 00:27:59,056 66850    1764460861\tnode2.rack-a.example.net:6701\t 13:count      \t__execute-count-spout:d\t40
2026-11-30 00:27:59,056 66850    1764460860\t          node1:6700\t -1:__system   \tuptimeSecs             \t12
2026-11-30 00:27:59,057 66851    1764460860\t          node1:6700\t  4:old        \t__execute-count        \t{split:default=960, split:errors=20}
2026-11-30 00:27:59,057 66851    1764460860\t          node1:6700\t  4:old        \t__execute-latency      \t{split:default=0.5}
";

/// Reads bytes as a metrics log; the engine takes every window that comes of it.
fn endure_metrics(bytes: &[u8], window_secs: Option<i64>) -> usize {
    metrics_log::is_mine(bytes);
    let files = vec![("worker.log.metrics".to_owned(), bytes.to_vec())];
    let Ok(mut log) = MetricsLog::of_bytes(files, Options { window_secs, topology: None }) else { return 0 };
    let mut windows = 0;
    while windows < 8
        && let Ok(Some(window)) = log.next()
    {
        let reply = answer(&window.request);
        assert_eq!(reply.refusal, None, "{window:?}");
        windows += 1;
    }
    windows
}

#[test]
fn the_metrics_that_are_spoiled_below_are_read_when_they_are_not() {
    assert_eq!(endure_metrics(METRICS.as_bytes(), None), 1);
}

/// Every place of a JSON value.
fn places(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(name, field)| places(field, format!("{at}/{}", name.replace('/', "~1")), found));
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(n, element)| places(element, format!("{at}/{n}"), found));
        }
        _ => {}
    }
    found.push(at);
}

/// Values that are legal JSON and seldom expected.
fn odd() -> impl Strategy<Value = Value> {
    const TEXTS: &[&str] = &["", "n1", "n2", "t1", "b", "plan", "active", "-1", "\u{0}", "🦀", "search"];
    const NUMBERS: &[&str] = &[
        "0",
        "-1",
        "1",
        "65535",
        "65536",
        "4294967295",
        "9007199254740993",
        "-9223372036854775808",
        "1e6",
        "1e308",
        "5e-324",
        "-0.0",
    ];
    prop_oneof![
        prop::sample::select(TEXTS).prop_map(Value::from),
        prop::sample::select(NUMBERS).prop_map(|text| serde_json::from_str(text).unwrap()),
        any::<f64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
        Just(serde_json::json!([])),
        Just(serde_json::json!({})),
        Just(serde_json::json!([1, 1])),
    ]
}

/// A message with some places replaced, removed or doubled.
fn mutated(message: &Value, changes: &[(prop::sample::Index, u8, Value)]) -> Value {
    let mut message = message.clone();
    for (which, how, odd) in changes {
        let mut all = Vec::new();
        places(&message, String::new(), &mut all);
        let place = which.get(&all).clone();
        let (parent, name) = place.rsplit_once('/').unwrap_or(("", ""));
        let how = if place.is_empty() { 0 } else { how % 4 };
        match (how, message.pointer_mut(parent)) {
            (1, Some(Value::Object(fields))) => drop(fields.remove(name)),
            (1, Some(Value::Array(list))) => drop(list.remove(name.parse().unwrap())),
            (2, Some(Value::Array(list))) => list.push(list[name.parse::<usize>().unwrap()].clone()),
            (3, Some(Value::Array(list))) => list.reverse(),
            _ => *message.pointer_mut(&place).unwrap() = odd.clone(),
        }
    }
    message
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, Value)>> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), odd()), 1..6)
}

/// Fields of a metric that are seldom expected.
fn odd_metric() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "-5",
        "NaN",
        "Infinity",
        "999999999999999999",
        "1e308",
        "{a=1e308, b=-3, =, x}",
        "{}",
        "  7:a:b",
        " -2:__system",
        "2147483647:x",
        "2147483648:x",
        ":6700",
        "n:65535",
        "n:65536",
        "__execute-count-__syste",
        "__execute-latency-spout",
        "__capacity             ",
        "2026-11-30 00:27:59,056 66850    1764460920",
        "2026-11-30 00:27:59,056 66850    99999999999",
        "2026-11-30 00:27:59,056 66850    0",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        endure(&bytes);
    }

    #[test]
    fn a_request_cut_anywhere_gets_an_answer(at in 0..REQUEST.len()) {
        endure(&REQUEST.as_bytes()[..at]);
    }

    #[test]
    fn a_request_with_wrong_bytes_gets_an_answer(
        wrong in prop::collection::vec((0..REQUEST.len(), any::<u8>()), 1..8)
    ) {
        let mut bytes = REQUEST.as_bytes().to_vec();
        wrong.iter().for_each(|(at, byte)| bytes[*at] = *byte);
        endure(&bytes);
    }

    #[test]
    fn a_request_with_odd_values_gets_an_answer(changes in changes()) {
        let request: Value = serde_json::from_str(REQUEST).unwrap();
        endure(mutated(&request, &changes).to_string().as_bytes());
    }

    #[test]
    fn a_handshake_with_odd_values_gets_an_answer(changes in changes()) {
        let hello = serde_json::json!({ "ballast": "hello", "version": 1,
            "settings": { "mode": "apply", "budget.restarts": 2, "drain.nodes": ["n1"] } });
        endure(mutated(&hello, &changes).to_string().as_bytes());
    }

    #[test]
    fn any_bytes_may_be_a_metrics_log(bytes in prop::collection::vec(any::<u8>(), 0..400), secs in 1_i64..100) {
        endure_metrics(&bytes, Some(secs));
    }

    #[test]
    fn a_metrics_log_with_wrong_bytes_is_read(
        wrong in prop::collection::vec((0..METRICS.len(), any::<u8>()), 1..12),
        cut in 0..METRICS.len()
    ) {
        let mut bytes = METRICS.as_bytes().to_vec();
        wrong.iter().for_each(|(at, byte)| bytes[*at] = *byte);
        endure_metrics(&bytes, None);
        endure_metrics(&bytes[cut..], None);
    }

    #[test]
    fn a_metrics_log_whose_lines_are_in_disorder_or_odd_is_read(
        lines in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), odd_metric()), 1..60)
    ) {
        let all: Vec<&str> = METRICS.lines().collect();
        let line = |(at, field, odd): &(prop::sample::Index, prop::sample::Index, &str)| {
            let mut fields: Vec<&str> = at.get(&all).split('\t').collect();
            let field = field.index(2 * fields.len());
            if let Some(place) = fields.get_mut(field) {
                *place = odd;
            }
            fields.join("\t") + "\n"
        };
        endure_metrics(lines.iter().map(line).collect::<String>().as_bytes(), None);
    }

    #[test]
    fn the_judge_endures_any_reply(changes in changes()) {
        let reply: Value = serde_json::from_slice(&answer_bytes(REQUEST.as_bytes())).unwrap();
        endure(mutated(&reply, &changes).to_string().as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_in_the_place_of_an_answer_are_endured(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0..6usize) {
        let mut answers = ANSWERS.map(|answer| answer.as_bytes().to_vec());
        answers[at] = bytes;
        endure_answers(&answers);
    }

    #[test]
    fn answers_cut_or_with_wrong_bytes_are_endured(
        at in 0..6usize, cut in any::<prop::sample::Index>(), wrong in any::<prop::sample::Index>(), byte in any::<u8>()
    ) {
        let mut answers = ANSWERS.map(|answer| answer.as_bytes().to_vec());
        let wrong = wrong.index(answers[at].len());
        answers[at][wrong] = byte;
        endure_answers(&answers);
        let cut = cut.index(answers[at].len());
        answers[at].truncate(cut);
        endure_answers(&answers);
    }

    #[test]
    fn answers_with_odd_values_are_endured(changes in prop::collection::vec((0..6usize, changes()), 1..4)) {
        let mut answers = ANSWERS.map(|answer| serde_json::from_str::<Value>(answer).unwrap());
        for (at, changes) in &changes {
            answers[*at] = mutated(&answers[*at], changes);
        }
        endure_answers(&answers.map(|answer| answer.to_string().into_bytes()));
    }
}

#[test]
fn a_request_without_nodes_gets_an_answer() {
    // Its executors run on nodes that are not listed, with states to be copied.
    let mut request: Value = serde_json::from_str(REQUEST).unwrap();
    request["nodes"] = serde_json::json!([]);
    endure(request.to_string().as_bytes());
    assert_eq!(answer(&serde_json::from_value(request).unwrap()).refusal, None);
}

#[test]
fn the_answers_are_a_request_as_they_are() {
    let answers = ANSWERS.map(str::as_bytes).map(|answer| ("answer", answer));
    let request = UiFolder::read("folder", 0, &answers).unwrap().next().unwrap().unwrap().request;
    assert_eq!((request.nodes.len(), request.topologies[0].executors.len()), (2, 6));
    endure_answers(&[]);
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    endure("[".repeat(100_000).as_bytes());
    let mut answers = ANSWERS.map(|answer| answer.as_bytes().to_vec());
    answers[2] = format!(r#"{{"topologyStats":[],"id":"t1","configuration":{}"#, r#"{"a":"#.repeat(100_000))
        .into_bytes();
    endure_answers(&answers);
    endure(
        format!(r#"{{"ballast":"snapshot","version":1,"settings":{}"#, r#"{"a":"#.repeat(100_000)).as_bytes(),
    );
}
