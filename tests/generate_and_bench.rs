//! `ballast generate` and `ballast bench` as a script meets them.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod support;

use ballast::snapshot;
use ballast::wire::{Reply, Request};
use serde_json::Value;
use support::{Ran, ballast};

fn generated(args: &[&str]) -> Request {
    let Ran { code, out, err } = ballast(&[&["generate"], args].concat(), b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    serde_json::from_str(&out).unwrap()
}

/// Utilization of every node.
fn utilizations(request: &Request) -> Vec<f64> {
    let settings = ballast::settings::check(&request.settings, &ballast::solve::names()).settings;
    let problem = snapshot::take(request, &settings).unwrap().problem;
    let nodes = ballast::objective::Balance::of(&problem, &problem.present).nodes;
    nodes.iter().map(|node| node.utilisation.fraction()).collect()
}

#[track_caller]
fn refused(args: &[&str], words: &[&str]) {
    let Ran { code, out, err } = ballast(args, b"");
    assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
    for word in words {
        assert!(err.contains(word), "no \"{word}\" in: {err}");
    }
}

#[test]
fn what_generate_makes_plan_answers() {
    let Ran { code, out: request, .. } =
        ballast(&["generate", "--nodes", "6", "--groups", "60", "--seed", "3"], b"");
    assert_eq!(code, Some(0));
    let Ran { out: reply, err, .. } = ballast(&["plan", "-", "--format", "json"], request.as_bytes());
    let reply: Reply = serde_json::from_str(&reply).unwrap_or_else(|why| panic!("{why}: {err}"));
    assert!((1..=20).contains(&reply.moves.len()), "{} moves", reply.moves.len());
}

#[test]
fn the_same_seed_makes_the_same_bytes_and_another_seed_others() {
    let of = |seed| ballast(&["generate", "--nodes", "3", "--groups", "9", "--seed", seed], b"").out;
    assert_eq!(of("7"), of("7"));
    assert_ne!(of("7"), of("8"));
}

#[test]
fn the_options_say_what_the_cluster_is() {
    let request = generated(&["--nodes", "6", "--groups", "24", "--variation", "0.2", "--budget", "5"]);
    assert_eq!((request.nodes.len(), request.topologies[0].executors.len()), (6, 24));
    assert_eq!(request.settings["budget.restarts"], 5);
    let used = utilizations(&request);
    assert!(used.iter().all(|used| (0.4..=0.6).contains(used)), "{used:?}");
    assert!(generated(&["--variation", "0"]).settings.contains_key("gain.min"));
}

#[test]
fn zipf_gives_the_first_group_of_a_node_its_rank() {
    let request = generated(&["--nodes", "1", "--groups", "4", "--distribution", "zipf"]);
    let loads: Vec<f64> = request.topologies[0].executors.iter().map(|e| e.cpu_cores.unwrap()).collect();
    assert!((loads[0] / loads[3] - 4.0).abs() < 1e-9, "{loads:?}");
}

#[test]
fn mixed_capacities_leave_the_utilizations_as_they_are() {
    let (even, mixed) = (generated(&[]), generated(&["--capacities", "mixed"]));
    let cores: Vec<f64> = mixed.nodes.iter().take(3).map(|node| node.cpu_cores.unwrap()).collect();
    assert_eq!(cores, [50.0, 100.0, 200.0]);
    for (one, other) in utilizations(&even).iter().zip(utilizations(&mixed)) {
        assert!((one - other).abs() < 1e-6, "{one} and {other}");
    }
}

#[test]
fn values_that_make_no_cluster_are_refused_with_advice() {
    refused(&["generate", "--nodes", "0"], &["--nodes 0", "1 to 10000", "20 to 60"]);
    refused(&["generate", "--groups", "0"], &["--groups 0", "1 to 1000000"]);
    refused(&["generate", "--nodes", "20", "--groups", "410"], &["--groups 410", "evenly", "400 or 420"]);
    refused(&["generate", "--nodes", "20", "--groups", "3"], &["--groups 3", "multiple of the nodes: 20"]);
    refused(&["generate", "--nodes", "1", "--groups", "50000"], &["50000 groups a node", "25000"]);
    refused(&["generate", "--variation", "40"], &["--variation 40", "0 to 1", "0.4"]);
    refused(&["generate", "--variation", "-0.1"], &["--variation -0.1"]);
    refused(&["generate", "--variation", "NaN"], &["--variation NaN"]);
    refused(&["generate", "--budget", "-1"], &["--budget -1", "0 to 1000000"]);
    assert_eq!(ballast(&["generate", "--distribution", "normal"], b"").code, Some(2));
}

#[test]
fn the_largest_node_has_room_for_its_groups() {
    let request = generated(&["--nodes", "1", "--groups", "25000", "--budget", "0"]);
    assert_eq!(request.nodes[0].ports.len(), 50_000);
    assert_eq!(request.topologies[0].executors[24_999].port, Some(31_699));
}

const SMALL: [&str; 8] = ["bench", "balance", "--size", "5x40", "--seeds", "2", "--steps", "2000"];
const BUDGET: [&str; 6] =
    ["--budget", "6", "--time-ms", "60000", "--strategies", "even,flux,potc,search,stay"];

fn rows() -> Vec<Value> {
    let Ran { code, out, err } = ballast(&[&SMALL[..], &BUDGET[..]].concat(), b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    serde_json::from_str(&out).unwrap()
}

#[test]
fn a_bench_has_one_row_for_each_cluster_and_strategy() {
    let rows = rows();
    assert_eq!(rows.len(), 10);
    for row in &rows {
        let number = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{name} in {row}"));
        assert!(number("load_distance") <= number("load_distance_before"), "{row}");
        assert!((number("load_distance") - number("lower_bound") - number("gap")).abs() < 1e-8, "{row}");
        assert!(number("restarts") <= 6.0 && number("answer_ms") > 0.0, "{row}");
    }
    let of = |strategy: &str| -> f64 {
        let of_strategy = rows.iter().filter(|row| row["strategy"] == strategy);
        of_strategy.map(|row| row["load_distance"].as_f64().unwrap()).sum()
    };
    assert!(of("search") < of("flux") && of("flux") < of("stay"), "{rows:?}");
    assert_eq!(of("even"), of("stay"), "equal counts leave Storm's even scheduler nothing to do");
}

#[test]
fn a_job_that_talks_has_the_traffic_asked_for_and_loads_that_drift() {
    let args = ["--nodes", "4", "--groups", "16", "--paired", "0.75"];
    let job = generated(&args);
    let traffic = &job.topologies[0].traffic;
    let sum = |of: &dyn Fn(i32, i32) -> bool| -> f64 {
        let chosen = traffic.iter().filter(|pair| of(pair.from.0, pair.to.0));
        chosen.map(|pair| pair.tuples_per_sec).sum()
    };
    let (all, paired) = (sum(&|_, _| true), sum(&|from, to| to == from + 8));
    assert!((paired / all - (0.75 + 0.25 / 8.0)).abs() < 1e-9, "{paired} of {all}");
    let loads = |request: &Request| -> Vec<Option<f64>> {
        request.topologies[0].executors.iter().map(|executor| executor.cpu_cores).collect()
    };
    let after = |period| generated(&[&args[..], &["--drift", "0.1", "--period", period]].concat());
    assert_eq!(loads(&after("0")), loads(&job));
    assert_ne!(loads(&after("1")), loads(&job));
    assert_ne!(loads(&after("2")), loads(&after("1")));
    refused(&["generate", "--paired", "2"], &["--paired 2", "0 to 1"]);
    refused(&["generate", "--drift", "1"], &["--drift 1", "below 1"]);
    refused(&["generate", "--nodes", "5", "--groups", "15", "--paired", "1"], &["--groups 15", "even"]);
}

#[test]
fn scaling_is_compared_over_the_same_lives() {
    let args = ["bench", "scaling", "--periods", "30", "--seeds", "1", "--steps", "300"];
    let Ran { code, out, err } = ballast(&args, b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let rows: Vec<Value> = serde_json::from_str(&out).unwrap();
    let policies: Vec<&str> = rows.iter().map(|row| row["policy"].as_str().unwrap()).collect();
    assert_eq!(policies, ["stay", "balance", "threshold", "scale"]);
    assert!(rows.iter().all(|row| row["shocks"] == rows[0]["shocks"]), "{rows:?}");
    assert_eq!(rows[0]["restarts"], 0);
    refused(&["bench", "scaling", "--mean", "0"], &["--mean 0", "0.45"]);
}

#[test]
fn the_solver_alone_is_measured_at_the_size_asked_for() {
    let args = ["bench", "size", "--size", "50x1000", "--budgets", "17,50", "--time-ms", "60000"];
    let Ran { code, out, err } = ballast(&args, b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let rows: Vec<Value> = serde_json::from_str(&out).unwrap();
    let moves: Vec<u64> = rows.iter().map(|row| row["moves"].as_u64().unwrap()).collect();
    assert_eq!(rows.iter().map(|row| row["budget"].as_u64().unwrap()).collect::<Vec<_>>(), [17, 50]);
    assert!(moves[0] <= 17 && moves[0] < moves[1] && moves[1] <= 50, "{moves:?}");
    let of = |row: &Value, name: &str| row[name].as_f64().unwrap();
    assert!(of(&rows[1], "load_distance") < of(&rows[0], "load_distance"), "{rows:?}");
    assert!(rows.iter().all(|row| of(row, "gap") >= 0.0 && of(row, "bound_ms") > 0.0), "{rows:?}");
}

#[test]
fn a_log_of_the_size_asked_for_is_read_whole_plain_and_gzipped() {
    let Ran { code, out, err } = ballast(&["bench", "ingest", "--mb", "2", "--tasks", "40"], b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let rows: Vec<Value> = serde_json::from_str(&out).unwrap();
    let of = |row: &Value, name: &str| row[name].as_f64().unwrap();
    assert_eq!(rows.iter().map(|row| row["gzipped"].as_bool().unwrap()).collect::<Vec<_>>(), [false, true]);
    for row in &rows {
        // At each tick 26 lines of each of the 40 tasks, and 76 of each of the two workers.
        let ticks = of(row, "lines") / (26.0 * 40.0 + 76.0 * 2.0);
        assert!(ticks.fract() == 0.0 && of(row, "windows") == ticks - 1.0, "{row}");
        assert!(of(row, "bytes") >= 2e6 && of(row, "mb_per_sec") > 0.0, "{row}");
    }
    assert!(of(&rows[1], "file_bytes") < of(&rows[0], "file_bytes") / 5.0, "{rows:?}");
}

#[test]
fn over_periods_a_strategy_lives_with_what_it_decided() {
    let args = [
        "bench",
        "balance",
        "--size",
        "5x40",
        "--seeds",
        "1",
        "--strategies",
        "search,stay",
        "--budget",
        "2",
    ];
    let periods = ["--periods", "3", "--drift", "0.1", "--steps", "2000", "--time-ms", "60000"];
    let Ran { code, out, err } = ballast(&[&args[..], &periods[..]].concat(), b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let rows: Vec<Value> = serde_json::from_str(&out).unwrap();
    assert_eq!(
        rows.iter().map(|row| row["period"].as_u64().unwrap()).collect::<Vec<_>>(),
        [0, 1, 2, 0, 1, 2]
    );
    let stayed: Vec<f64> = rows[3..].iter().map(|row| row["load_distance"].as_f64().unwrap()).collect();
    assert!(stayed[0] != stayed[1] && stayed[1] != stayed[2], "loads drift: {stayed:?}");
    assert!(rows[2]["load_distance_before"].as_f64().unwrap() < stayed[2], "{rows:?}");
    refused(&[&args[..], &["--drift", "1"]].concat(), &["--drift 1", "below 1", "0.05"]);
    refused(&[&args[..], &["--periods", "0"]].concat(), &["--periods 0"]);
}

#[test]
fn states_to_be_copied_come_with_racks_room_and_deltas_and_get_advice() {
    let args = ["--nodes", "6", "--groups", "60", "--variation", "0.03", "--copies", "2", "--racks", "3"];
    let request = generated(&args);
    let racks: Vec<&str> = request.nodes.iter().map(|node| node.rack.as_deref().unwrap()).collect();
    assert_eq!(racks, ["rack-000", "rack-001", "rack-002", "rack-000", "rack-001", "rack-002"]);
    let topology = &request.topologies[0];
    assert!(topology.components[0].stateful && topology.executors.len() == 60);
    let (mut states, mut largest) = (0.0, 0.0_f64);
    for executor in &topology.executors {
        let (state, delta) = (executor.state_bytes.unwrap() as f64, executor.delta_bytes.unwrap() as f64);
        assert!((0.0199..=0.1001).contains(&(delta / state)), "{delta} of {state}");
        states += state;
        largest = largest.max(state);
    }
    assert!((states / 60.0 / 1e8 - 1.0).abs() < 1e-3, "{states}");
    let room = request.nodes[0].checkpoint_storage_mib.unwrap() * 1_048_576.0;
    assert!((room - (1.3 * states * 2.0 / 6.0).max(largest)).abs() < 10.0, "{room}");
    assert!(utilizations(&request).iter().all(|used| (0.48..=0.52).contains(used)));
    let bytes = serde_json::to_vec(&request).unwrap();
    let Ran { out, err, .. } = ballast(&["plan", "-", "--format", "json"], &bytes);
    let reply: Reply = serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}: {err}"));
    assert_eq!(reply.checkpoints.map(|advice| advice.replicas.len()), Some(60));
    refused(&["generate", "--copies", "2", "--racks", "2"], &["--copies 2", "1 to 1"]);
    refused(&["generate", "--copies", "1", "--capacities", "mixed"], &["--capacities", "100 cores"]);
    assert_eq!(ballast(&["generate", "--racks", "2"], b"").code, Some(2));
}

#[test]
fn a_budget_of_state_needs_state_and_a_number() {
    let request = generated(&["--state-mib", "2", "--budget-state-mib", "7"]);
    assert_eq!(request.settings["budget.state.mib"], 7.0);
    let sizes: Vec<u64> = request.topologies[0].executors.iter().map(|e| e.state_bytes.unwrap()).collect();
    assert!(sizes.iter().all(|bytes| (1 << 20..=3 << 20).contains(bytes)), "{sizes:?}");
    let loads = |request: &Request| -> Vec<Option<f64>> {
        request.topologies[0].executors.iter().map(|executor| executor.cpu_cores).collect()
    };
    assert_eq!(loads(&request), loads(&generated(&[])), "state changes no load");
    refused(&["generate", "--state-mib", "-1"], &["--state-mib -1", "0 to"]);
    assert_eq!(ballast(&["generate", "--budget-state-mib", "7"], b"").code, Some(2));
}

#[test]
fn a_bench_is_made_again_by_its_seeds_but_for_the_time() {
    let timeless = |mut rows: Vec<Value>| {
        for row in &mut rows {
            (row["answer_ms"], row["memory_mib"]) = (Value::Null, Value::Null);
        }
        rows
    };
    assert_eq!(timeless(rows()), timeless(rows()));
}

#[test]
fn a_row_of_a_bench_is_what_generate_and_plan_give() {
    let rows = rows();
    let row = rows.iter().find(|row| row["seed"] == 1 && row["strategy"] == "flux").unwrap();
    let Ran { out: request, .. } =
        ballast(&["generate", "--nodes", "5", "--groups", "40", "--budget", "6", "--seed", "1"], b"");
    let Ran { out: reply, .. } =
        ballast(&["plan", "-", "--strategy", "flux", "--format", "json"], request.as_bytes());
    let reply: Reply = serde_json::from_str(&reply).unwrap();
    assert_eq!(Some(reply.after.unwrap().load_distance), row["load_distance"].as_f64());
    assert_eq!(Some(u64::from(reply.cost.restarts)), row["restarts"].as_u64());
}

#[test]
fn a_table_has_one_line_for_each_size_and_strategy() {
    let args = [&SMALL[..], &BUDGET[..], &["--size", "4x8", "--format", "table"]].concat();
    let Ran { code, out, err } = ballast(&args, b"");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    for (size, strategy) in [("5 x 40", "flux"), ("4 x 8", "stay")] {
        let lines = out.lines().filter(|line| line.contains(size) && line.contains(strategy));
        assert_eq!(lines.count(), 1, "{out}");
    }
    assert!(out.contains("seeds 0 to 1") && out.contains("of 2"), "{out}");
}

#[test]
fn values_that_make_no_bench_are_refused_with_advice() {
    refused(
        &["bench", "balance", "--strategies", "magic,stay"],
        &["--strategies magic,stay", "magic", "search"],
    );
    refused(&["bench", "balance", "--seeds", "0"], &["--seeds 0", "1 to 100000"]);
    refused(&["bench", "balance", "--size", "20x41"], &["--size 20x41", "evenly", "40 or 60"]);
    refused(&["bench", "balance", "--time-ms", "0"], &["--time-ms 0", "600000"]);
    refused(&["bench", "balance", "--variation", "2"], &["--variation 2"]);
    refused(&["bench", "ingest", "--mb", "0"], &["--mb 0", "1 to 100000"]);
    assert_eq!(ballast(&["bench", "balance", "--size", "20"], b"").code, Some(2));
}

#[test]
fn help_tells_exit_codes_and_examples() {
    for args in [&["generate", "--help"][..], &["bench", "--help"], &["bench", "balance", "--help"]] {
        let Ran { code, out, .. } = ballast(args, b"");
        assert_eq!(code, Some(0));
        for word in ["Exit code", "Example", &format!("ballast {}", args[0])] {
            assert!(out.contains(word), "no \"{word}\" in the help of {args:?}: {out}");
        }
    }
}
