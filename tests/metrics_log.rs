//! `worker.log.metrics`: formats of Storm's own class, faults that people met with it, and a recorded cluster.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use ballast::ingest::metrics_log::{MetricsLog, Options, is_mine};
use ballast::ingest::{Fault, RemarkCode, Remarks, Source, Window};
use ballast::wire::{ComponentKind, Executor, LoadSource, TaskRange};

#[path = "metrics_log/lines.rs"]
mod lines;

use lines::{Log, gz};

fn windows(mut log: MetricsLog) -> Result<(Vec<Window>, Remarks), Fault> {
    let mut all = Vec::new();
    while let Some(window) = log.next()? {
        all.push(window);
    }
    Ok((all, log.remarks().clone()))
}

fn read(files: Vec<(&str, Vec<u8>)>) -> Result<(Vec<Window>, Remarks), Fault> {
    let files = files.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect();
    windows(MetricsLog::of_bytes(files, Options::default())?)
}

fn read_one(text: &str) -> Result<(Vec<Window>, Remarks), Fault> {
    read(vec![("worker.log.metrics", text.into())])
}

fn executor(window: &Window, task: i32) -> &Executor {
    let all = window.request.topologies.iter().flat_map(|topology| &topology.executors);
    all.clone().find(|executor| (executor.tasks.0..=executor.tasks.1).contains(&task)).unwrap()
}

fn count(remarks: &Remarks, code: RemarkCode) -> u64 {
    remarks.of(code).map_or(0, |remark| remark.count)
}

fn close(a: Option<f64>, b: f64) {
    assert!(a.is_some_and(|a| (a - b).abs() < 1e-9), "{a:?} is not {b}");
}

fn capture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/metrics_log").join(name)
}

#[test]
fn b01_a_log_without_tuple_metrics_is_refused_with_the_switch_to_set() {
    let line = "2026-11-30 10:00:00,123 61234    1764460800\t          node1:6700\t -1:__system   \t\
        __recv-iconnection     \t{enqueued={/10.0.0.5:41234=120}, dequeuedMessages=120}\n";
    let fault = read_one(line).unwrap_err();
    assert!(fault.detail.contains("no executor load in this file"), "{fault}");
    assert!(fault.advice.contains("topology.enable.v2.metrics.tick: true"), "{fault}");
    let recorded = MetricsLog::open(vec![capture("worker.log.metrics.no-v2-tick")], Options::default());
    let fault = windows(recorded.unwrap()).unwrap_err();
    assert!(fault.place.ends_with("worker.log.metrics.no-v2-tick"), "{fault}");
    assert!(fault.advice.contains("topology.enable.v2.metrics.tick: true"), "{fault}");
}

#[test]
fn b03_counters_that_fall_are_a_restart_and_no_negative_rate() {
    let mut log = Log::default();
    for (at, count, uptime) in [(0, 1200, 3605), (60, 2400, 3665), (120, 40, 12), (180, 1240, 72)] {
        log.line(at, "node1", 6700, (1, "spout"), "__emit-count-default", count);
        log.line(at, "node1", 6700, (-1, "__system"), "uptimeSecs", uptime);
    }
    let (windows, remarks) = read_one(&log.text).unwrap();
    let rates: Vec<_> = windows.iter().map(|window| executor(window, 1).emitted_per_sec).collect();
    assert_eq!(rates.len(), 3);
    close(rates[0], 20.0);
    close(rates[1], 40.0 / 12.0);
    close(rates[2], 20.0);
    assert_eq!(executor(&windows[1], 1).uptime_secs, Some(12.0));
    assert_eq!(count(&remarks, RemarkCode::Restarted), 1);
    assert!(remarks.of(RemarkCode::Restarted).unwrap().examples[0].contains("node1:6700"));
}

#[test]
fn b03_a_restart_that_no_counter_shows_is_told_by_the_uptime() {
    let mut log = Log::default();
    for (at, count, uptime) in [(0, 40, 3605), (60, 100, 3665), (120, 150, 50), (180, 210, 110)] {
        log.line(at, "node1", 6700, (-1, "__system"), "uptimeSecs", uptime);
        log.line(at, "node1", 6700, (1, "spout"), "__emit-count-default", count);
    }
    let (windows, _) = read_one(&log.text).unwrap();
    let rates: Vec<_> = windows.iter().map(|window| executor(window, 1).emitted_per_sec).collect();
    // Not (150 - 100) / 60: all 150 were counted in the 50 s since the start.
    close(rates[1], 3.0);
    close(rates[2], 1.0);
}

#[test]
fn b03_without_an_uptime_the_interval_of_a_restart_is_left_out() {
    let mut log = Log::default();
    for (at, count) in [(0, 1200), (60, 2400), (120, 40), (180, 1240)] {
        log.line(at, "node1", 6700, (1, "spout"), "__emit-count-default", count);
    }
    let (windows, remarks) = read_one(&log.text).unwrap();
    let rates: Vec<_> =
        windows.iter().map(|window| (window.at, executor(window, 1).emitted_per_sec)).collect();
    assert_eq!(rates, [(Log::at(60), Some(20.0)), (Log::at(180), Some(20.0))]);
    assert_eq!(count(&remarks, RemarkCode::Restarted), 1);
}

#[test]
fn b04_a_tick_delivered_twice_counts_once_and_rates_use_time_stamps() {
    let mut once = Log::default();
    for (at, count) in [(0, 100), (50, 200), (120, 410)] {
        once.line(at, "node1", 6700, (5, "count"), "__execute-count-split:d", count);
        once.line(at, "node1", 6700, (5, "count"), "__emit-count-default", count);
        once.line(at, "node1", 6700, (5, "count"), "mine", 7);
        once.line(at + 10, "node1", 6700, (5, "count"), "mine", 7);
    }
    let lines: Vec<&str> = once.text.lines().collect();
    let (first, _) = read_one(&once.text).unwrap();
    // Each line again: right after it, or with the whole tick.
    let doubled: String = lines.iter().map(|line| format!("{line}\n{line}\n")).collect();
    let by_tick: String = lines.chunks(3).map(|tick| format!("{0}\n{0}\n", tick.join("\n"))).collect();
    for text in [doubled, by_tick] {
        let (again, remarks) = read_one(&text).unwrap();
        assert_eq!(again, first);
        assert!(count(&remarks, RemarkCode::Duplicate) > 0);
    }
    // The ticks are 50 s and 70 s apart; the window is the usual distance and its rates are those of the ticks.
    let mut fifty = MetricsLog::of_bytes(
        vec![("a".to_owned(), once.text.clone().into_bytes())],
        Options { window_secs: Some(50), ..Options::default() },
    )
    .unwrap();
    let window = fifty.next().unwrap().unwrap();
    close(executor(&window, 5).received_per_sec, 2.0);
    let window = fifty.next().unwrap().unwrap();
    close(executor(&window, 5).received_per_sec, 3.0);
}

#[test]
fn b06_hosts_names_and_values_are_read_by_position() {
    let head = "2026-11-30 00:26:59,057 6851     ";
    let tick = |at: i64, count: i64| {
        format!(
            "{head}{at}\t        fe80::1:6700\t  7:a very long component name\tmy.metric\twith tab     \tv1\nv2=3\tx\n\
             {head}{at}\t        fe80::1:6700\t  7:a very long component name\tnan                    \tNaN\n\
             {head}{at}\t        fe80::1:6700\t  7:a very long component name\t__capacity             \tNaN\n\
             {head}{at}\t        fe80::1:6700\t  7:a very long component name\t__emit-count-default   \t{count}\n"
        )
    };
    let text = tick(1_764_460_800, 0) + &tick(1_764_460_860, 600);
    let (windows, remarks) = read_one(&text).unwrap();
    let [window] = &windows[..] else { panic!("{windows:?}") };
    assert_eq!(
        (window.request.nodes[0].host.as_str(), &window.request.nodes[0].ports[..]),
        ("fe80::1", &[6700][..])
    );
    let seven = executor(window, 7);
    assert_eq!(seven.component, "a very long component name");
    close(seven.emitted_per_sec, 10.0);
    assert_eq!((count(&remarks, RemarkCode::Unknown), count(&remarks, RemarkCode::Cut)), (0, 0));
}

#[test]
fn b08_rolled_cut_and_concatenated_files_give_one_result_in_any_order() {
    let tick = |log: &mut Log, at: i64, count: i64| {
        log.line(at, "node1", 6700, (4, "count"), "__execute-count-split:d", count);
        log.line(at, "node1", 6700, (4, "count"), "__emit-count-default", 2 * count);
    };
    let (mut oldest, mut middle, mut newest) = (Log::default(), Log::default(), Log::default());
    oldest.jvm_uptime = 7_000_000;
    tick(&mut oldest, 0, 100);
    tick(&mut oldest, 60, 700);
    middle.jvm_uptime = 7_200_000;
    tick(&mut middle, 120, 1300);
    // The next life of the JVM, in the same file.
    middle.jvm_uptime = 900;
    tick(&mut middle, 180, 60);
    tick(&mut newest, 240, 120);
    tick(&mut newest, 300, 180);
    let mut plain = newest.text.clone();
    plain.push_str("2026-11-30 00:31:59,057 9851     17644");
    let mut rolled = middle.text.clone().into_bytes();
    rolled.extend([0; 4096]);
    let files = [
        ("worker.log.metrics", plain.into_bytes()),
        ("worker.log.metrics.1.gz", gz(oldest.text.as_bytes())),
        ("worker.log.metrics.2.gz", gz(&rolled)),
    ];
    let mut results = Vec::new();
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
        let (windows, remarks) = read(order.iter().map(|at| files[*at].clone()).collect()).unwrap();
        assert_eq!((count(&remarks, RemarkCode::Cut), count(&remarks, RemarkCode::Restarted)), (1, 1));
        results.push(windows);
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    let rates: Vec<_> =
        results[0].iter().map(|w| (w.at - Log::at(0), executor(w, 4).received_per_sec)).collect();
    // From 120 to 180 the worker began anew, and nothing says when.
    assert_eq!(rates, [(60, Some(10.0)), (120, Some(10.0)), (240, Some(1.0)), (300, Some(1.0))]);
    // Plain and packed are the same, and so is everything in one file.
    let joined = [oldest.text.clone().into_bytes(), rolled, files[0].1.clone()].concat();
    assert_eq!(read(vec![("all", joined)]).unwrap().0, results[0]);
    let packed = [files[1].1.clone(), files[2].1.clone(), gz(&files[0].1)].concat();
    assert_eq!(read(vec![("all.gz", packed)]).unwrap().0, results[0]);
}

#[test]
fn b08_a_gzipped_file_that_is_cut_gives_what_is_whole() {
    let mut log = Log::default();
    for tick in 0..200 {
        log.line(tick * 60, "node1", 6700, (4, "count"), "__emit-count-default", tick * 600);
    }
    let whole = gz(log.text.as_bytes());
    let (windows, remarks) = read(vec![("a.gz", whole[..whole.len() * 2 / 3].to_vec())]).unwrap();
    assert!(windows.len() > 20, "{}", windows.len());
    assert!(windows.iter().all(|window| executor(window, 4).emitted_per_sec == Some(10.0)));
    assert!(count(&remarks, RemarkCode::Cut) >= 1);
}

#[test]
fn b18_the_topology_is_the_path_s_and_two_of_them_in_one_log_are_a_fault() {
    let both = |first: &str, second: &str| {
        let mut log = Log::default();
        for at in [0, 60, 120] {
            for task in 1..=4 {
                log.line(at, "node1", 6700, (task, "parse"), first, at * 10);
                log.line(at, "node1", 6701, (task, "parse"), second, at * 20);
            }
        }
        log.text
    };
    let fault = read_one(&both("__emit-count-default", "__emit-count-default")).unwrap_err();
    assert!(fault.detail.contains("node1:6700") && fault.detail.contains("node1:6701"), "{fault}");
    assert!(fault.place.contains("task 1") && fault.advice.contains("workers-artifacts"), "{fault}");

    let one = |port: u16, each: i64| {
        let mut log = Log::default();
        for at in [0, 60, 120] {
            log.line(at, "node1", port, (1, "parse"), "__emit-count-default", at * each);
        }
        log.text.into_bytes()
    };
    let (windows, _) = read(vec![
        ("logs/workers-artifacts/b-2-1764457195/6701/worker.log.metrics", one(6701, 20)),
        ("logs/workers-artifacts/a-1-1764457100/6700/worker.log.metrics", one(6700, 10)),
    ])
    .unwrap();
    let topologies = &windows[0].request.topologies;
    let ids: Vec<_> =
        topologies.iter().map(|topology| (topology.id.as_str(), topology.name.as_str())).collect();
    assert_eq!(ids, [("a-1-1764457100", "a"), ("b-2-1764457195", "b")]);
    close(topologies[0].executors[0].emitted_per_sec, 10.0);
    close(topologies[1].executors[0].emitted_per_sec, 20.0);

    let named = Options { topology: Some("mine-7-1764457100".to_owned()), ..Options::default() };
    let log = MetricsLog::of_bytes(vec![("worker.log.metrics".to_owned(), one(6700, 1))], named).unwrap();
    let (windows, remarks) = self::windows(log).unwrap();
    assert_eq!(windows[0].request.topologies[0].name, "mine");
    assert_eq!(remarks.of(RemarkCode::Guessed), None);
}

#[test]
fn b18_two_topologies_whose_ticks_alternate_are_a_fault_too_but_a_task_may_move() {
    let mut log = Log::default();
    for at in [0, 60, 120, 180] {
        log.line(at, "node1", 6700, (1, "parse"), "__emit-count-default", at);
        log.line(at + 7, "node1", 6701, (1, "parse"), "__emit-count-default", at);
    }
    let fault = read_one(&log.text).unwrap_err();
    assert!(fault.detail.contains("node1:6700") && fault.detail.contains("node1:6701"), "{fault}");

    let mut log = Log::default();
    for (at, node, count) in [(0, "node1", 0), (60, "node1", 600), (180, "node2", 900), (240, "node2", 1500)]
    {
        let uptime = if node == "node1" { 4000 + at } else { at - 90 };
        log.line(at, node, 6700, (-1, "__system"), "uptimeSecs", uptime);
        log.line(at, node, 6700, (1, "parse"), "__emit-count-default", count);
    }
    let (windows, _) = read_one(&log.text).unwrap();
    let homes: Vec<_> = windows
        .iter()
        .map(|w| (w.at - Log::at(0), executor(w, 1).node.clone().unwrap(), executor(w, 1).emitted_per_sec))
        .collect();
    // Between 60 and 180 it moved: on its new worker, up since 90, it counted 900 tuples in 90 s.
    let node = |number: u8| format!("node{number}");
    assert_eq!(homes, [(60, node(1), Some(10.0)), (180, node(2), Some(10.0)), (240, node(2), Some(10.0))]);
}

#[test]
fn b19_gauges_that_stand_still_are_no_load() {
    let mut log = Log::default();
    for (at, count) in [(0, 960), (60, 1940), (120, 1940), (180, 1940)] {
        log.line(at, "node1", 6700, (12, "count"), "__execute-count-split:d", count);
        log.line(at, "node1", 6700, (12, "count"), "__capacity", 0.42);
        log.line(at, "node1", 6700, (12, "count"), "__execute-latency-split", 25.7);
        log.line(at, "node1", 6700, (-1, "__system"), "uptimeSecs", 7000 + at);
    }
    let (windows, remarks) = read_one(&log.text).unwrap();
    let loads: Vec<_> = windows.iter().map(|window| executor(window, 12).cpu_cores).collect();
    assert_eq!(loads, [Some(0.42), Some(0.0), Some(0.0)]);
    let frozen = remarks.of(RemarkCode::Frozen).unwrap();
    assert_eq!(frozen.count, 2);
    assert!(
        frozen.examples[0].contains("at most 20 tuples x 25.7 ms, 0.008567 cores"),
        "{:?}",
        frozen.examples
    );
}

#[test]
fn e1_storm_s_own_lines_are_read() {
    let samples = include_str!("data/metrics_log/samples.txt");
    assert!(is_mine(samples.as_bytes()));
    let mut log = samples.to_owned();
    // The same tick a minute later, with more counted.
    let later =
        samples.replace("\t1200\n", "\t2400\n").replace("\t960\n", "\t1560\n").replace("3605", "3665");
    log.push_str(&later.replace("1764460800\t", "1764460860\t").replace("1764460801\t", "1764460861\t"));
    let (windows, remarks) = read_one(&log).unwrap();
    let window = &windows[0];
    let request = &window.request;
    let hosts: Vec<_> = request.nodes.iter().map(|node| (node.host.as_str(), &node.ports[..])).collect();
    assert_eq!(hosts, [("node1", &[6700][..]), ("node2.rack-a.example.net", &[6701][..])]);
    let kinds: BTreeMap<_, _> =
        request.topologies[0].components.iter().map(|c| (c.id.as_str(), c.kind)).collect();
    let expected =
        [("__acker", ComponentKind::System), ("count", ComponentKind::Bolt), ("spout", ComponentKind::Spout)];
    assert_eq!(kinds, BTreeMap::from(expected));
    close(executor(window, 1).emitted_per_sec, 20.0);
    assert_eq!((executor(window, 1).cpu_cores, executor(window, 1).received_per_sec), (None, None));
    close(executor(window, 3).received_per_sec, 20.0);
    close(executor(window, 12).received_per_sec, 10.0);
    close(executor(window, 12).cpu_cores, 1.3456789);
    assert_eq!(executor(window, 12).load_source, Some(LoadSource::Stats));
    assert_eq!(executor(window, 1).uptime_secs, Some(3665.0));
    assert_eq!(request.taken_at.as_deref(), Some("2025-11-30T00:01:00Z"));
    assert_eq!(count(&remarks, RemarkCode::Restarted), 0);
    // Neither who sends `split:d` nor the spout's stream to the ackers is in these lines.
    assert_eq!(count(&remarks, RemarkCode::Unknown), 2, "{:?}", remarks.of(RemarkCode::Unknown));
}

#[test]
fn e1_the_older_dialect_counts_anew_at_every_tick() {
    let mut log = Log::default();
    for at in [0, 60, 120] {
        log.line(at, "node1", 6700, (12, "count"), "__execute-count", "{split:default=960, split:errors=20}");
        log.line(
            at,
            "node1",
            6700,
            (12, "count"),
            "__execute-latency",
            "{split:default=0.5, split:errors=6.0}",
        );
        log.line(at, "node1", 6700, (12, "count"), "__emit-count", "{}");
        log.line(at, "node1", 6700, (9, "split"), "__emit-count", "{default=1200, errors=60}");
        log.line(at, "node1", 6700, (9, "split"), "__complete-latency", "{default=3.5}");
    }
    let (windows, _) = read_one(&log.text).unwrap();
    assert_eq!(windows.len(), 2);
    let twelve = executor(&windows[1], 12);
    close(twelve.received_per_sec, 980.0 / 60.0);
    close(twelve.emitted_per_sec, 0.0);
    close(twelve.cpu_cores, (960.0 * 0.5 + 20.0 * 6.0) / 60_000.0);
    let component = &windows[1].request.topologies[0].components;
    let inputs: Vec<_> = component[0].inputs.iter().map(|i| (i.from.as_str(), i.stream.as_str())).collect();
    assert_eq!(inputs, [("split", "default"), ("split", "errors")]);
    close(component[0].inputs[0].tuples_per_sec, 16.0);
    assert_eq!(component[1].kind, ComponentKind::Spout);
}

#[test]
fn e1_the_cluster_s_look_alike_is_known_and_refused_by_name() {
    let line = format!(
        "2026-11-30 00:26:59,047 6841     1764460800\t{:>15}\t{:>40}\t{:<23}\t4\n",
        "node1", "4fe659a1-057a-4e50-9db0-36c453f85c51", "slotsTotal"
    );
    assert!(is_mine(line.as_bytes()));
    let fault = read_one(&line).unwrap_err();
    assert!(fault.detail.contains("LoggingClusterMetricsConsumer"), "{fault}");
    assert!(!is_mine(b"2026-11-30 00:26:59.047 o.a.s.d.w.Worker main [INFO] Launching worker\n{\"a\": 1}\n"));
}

#[test]
fn a_file_that_is_given_twice_counts_once() {
    let log = || capture("worker.log.metrics.gz");
    let once = windows(MetricsLog::open(vec![log()], Options::default()).unwrap()).unwrap().0;
    let packed = std::fs::read(log()).unwrap();
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&packed[..]), &mut plain).unwrap();
    let (twice, remarks) = read(vec![("a.gz", packed), ("b", plain)]).unwrap();
    assert!(twice == once, "a file that is there twice changes {} windows", once.len());
    assert!(count(&remarks, RemarkCode::Duplicate) > 100);
}

#[test]
fn a_window_s_request_is_one_that_the_engine_plans_for() {
    let log = MetricsLog::open(vec![capture("worker.log.metrics.gz")], Options::default()).unwrap();
    for window in windows(log).unwrap().0 {
        let reply = ballast::engine::answer(&window.request);
        assert_eq!(reply.refusal, None);
        // All bolts are measured; spouts, which nothing measures, are not expected to be.
        assert_eq!(reply.coverage.unwrap().fraction, Some(1.0));
        assert_eq!(window.request.topologies[0].executors.len(), 25);
    }
}

#[test]
fn a_time_stamp_that_is_years_off_is_left_out() {
    let mut log = Log::default();
    for (at, count) in [(0, 0), (60, 600), (120, 1200)] {
        log.line(at, "node1", 6700, (1, "spout"), "__emit-count-default", count);
    }
    let (as_it_was, _) = read_one(&log.text).unwrap();
    let odd = log.text.lines().nth(1).unwrap().replace("1764460860", "9764460860");
    let (windows, remarks) = read_one(&format!("{odd}\n{}", log.text)).unwrap();
    assert_eq!(windows, as_it_was);
    assert_eq!(count(&remarks, RemarkCode::Unbelievable), 1);
}

#[test]
fn a_length_asked_for_is_the_window_s_and_one_beyond_the_log_is_the_log() {
    let of = |secs| {
        let options = Options { window_secs: Some(secs), ..Options::default() };
        let log = MetricsLog::open(vec![capture("worker.log.metrics.gz")], options)?;
        Ok::<_, Fault>(windows(log)?.0.iter().map(|window| window.request.window_secs).collect::<Vec<_>>())
    };
    assert_eq!(of(120).unwrap(), [Some(120.0); 3]);
    assert_eq!(of(86_400).unwrap(), [Some(425.0)]);
    assert!(of(0).unwrap_err().detail.contains("0 s is not between 1 and 86400"));
}

/// Storm UI's figures of the same executors, at two times.
struct OfUi {
    tasks: TaskRange,
    executed: Option<f64>,
    emitted: f64,
    capacity: Option<f64>,
}

const UI_T1: i64 = 1_795_998_790;
const UI_T3: i64 = 1_795_998_942;

fn of_ui() -> Vec<OfUi> {
    let text = include_str!("data/metrics_log/ui-t1-t3.csv");
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<BTreeMap<String, String>> = rows.deserialize().map(Result::unwrap).collect();
    rows.iter()
        .map(|row| {
            let figure = |name: &str| row[name].parse::<f64>().ok();
            let secs = figure("uptime_t3").unwrap() - figure("uptime_t1").unwrap();
            let rate =
                |what: &str| Some((figure(&format!("{what}_t3"))? - figure(&format!("{what}_t1"))?) / secs);
            let (first, last) = row["executor"].split_once('-').unwrap();
            OfUi {
                tasks: TaskRange(first.parse().unwrap(), last.parse().unwrap()),
                executed: rate("executed"),
                emitted: rate("emitted").unwrap(),
                capacity: figure("capacity_t3"),
            }
        })
        .collect()
}

/// The recorded topology speeds up all the time, from 57,000 to 120,000 and 195,000 tuples of its hottest executor in
/// the first three minutes, so figures can be compared over one span of time only. The UI's all-time counts were saved
/// at t1 and t3, with the uptime they belong to: their difference over that of the uptimes is the rate from t1 to t3.
/// The log's is the mean of its windows, each weighed by the seconds of it that lie between t1 and t3. What remains is
/// that heartbeats are up to 5 s old when the UI shows them, and sampling: a count of either side may be off by 5.
#[test]
fn rates_of_the_recorded_cluster_are_those_of_its_ui() {
    let log = MetricsLog::open(vec![capture("worker.log.metrics.gz")], Options::default()).unwrap();
    let (windows, remarks) = windows(log).unwrap();
    assert_eq!(windows.len(), 7);
    let mean = |tasks: TaskRange, of: fn(&Executor) -> Option<f64>| {
        let (mut sum, mut secs) = (0.0, 0.0);
        for window in &windows {
            let length = window.request.window_secs.unwrap() as i64;
            let part = (window.at.min(UI_T3) - (window.at - length).max(UI_T1)).max(0) as f64;
            let executor = executor(window, tasks.0);
            assert_eq!(executor.tasks, tasks);
            sum += of(executor).unwrap() * part;
            secs += part;
        }
        assert!(secs > 145.0, "{secs} s in common");
        sum / secs
    };
    let mut worst: f64 = 0.0;
    let all = of_ui();
    assert_eq!(all.len(), 25);
    for ui in &all {
        let mut compare = |what: &str, log: f64, ui_rate: f64| {
            let off = (log / ui_rate - 1.0).abs();
            worst = worst.max(off);
            assert!(off < 0.1, "{what} of {}: {log:.1}/s in the log, {ui_rate:.1}/s in the UI", ui.tasks);
        };
        if let Some(executed) = ui.executed {
            compare("executed", mean(ui.tasks, |e| e.received_per_sec), executed);
        }
        compare("emitted", mean(ui.tasks, |e| e.emitted_per_sec), ui.emitted);
    }
    assert!(worst > 0.0, "the two sources are not one");

    // Loads at t3: the window that ends two seconds later. Both are Storm's ten-minute capacity.
    let window = windows.iter().find(|window| window.at == UI_T3 + 2).unwrap();
    let mut hosts = BTreeMap::<&str, (f64, f64)>::new();
    for ui in &all {
        let executor = executor(window, ui.tasks.0);
        let Some(capacity) = ui.capacity else {
            assert_eq!((executor.component.as_str(), executor.cpu_cores), ("flights", None));
            continue;
        };
        let load = executor.cpu_cores.unwrap();
        assert!((load - capacity).abs() < 0.05, "{}: {load} and {capacity}", ui.tasks);
        if !executor.component.starts_with("__") {
            let host = hosts.entry(executor.node.as_deref().unwrap()).or_default();
            *host = (host.0 + load, host.1 + capacity);
        }
    }
    for ((host, (log, ui)), truth) in hosts.iter().zip([1.420, 0.508, 0.866]) {
        assert!((ui - truth).abs() < 1e-9 && (log / truth - 1.0).abs() < 0.05, "{host}: {log} for {truth}");
    }
    assert_eq!(count(&remarks, RemarkCode::Restarted), 0);

    // Where latencies add up to more than the worker's CPU, the reader is told.
    let told = remarks.of(RemarkCode::Contradiction).unwrap();
    assert!(
        told.count >= 3 && told.examples.iter().any(|text| text.starts_with("127.0.0.1:6710 ")),
        "{told:?}"
    );

    // Streams, as far as 23 characters tell them.
    let reads = |id: &str| {
        let component = window.request.topologies[0].components.iter().find(|c| c.id == id).unwrap();
        component
            .inputs
            .iter()
            .map(|i| (i.from.as_str(), i.stream.as_str(), i.tuples_per_sec.is_some()))
            .collect::<Vec<_>>()
    };
    assert_eq!(reads("flights"), []);
    assert_eq!(reads("delay-by-plane"), [("flights", "default", true)]);
    assert_eq!(reads("delay-by-route"), [("delay-by-plane", "default", true)]);
    assert_eq!(reads("delay-by-carrier"), [("delay-by-plane", "default", true)]);
    assert_eq!(reads("top"), [("delay-by-carrier", "default", false), ("delay-by-route", "default", false)]);
    assert_eq!(count(&remarks, RemarkCode::Unknown), 0, "{:?}", remarks.of(RemarkCode::Unknown));
}
