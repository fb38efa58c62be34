//! Outcomes of replays made by hand: as the engine fills them, with figures that differ from each other.

use ballast::ingest::{Format, Remark, RemarkCode};
use ballast::replay::{
    Figures, HeatMap, Input, LoadSources, MoveMade, NodePlaced, NoteSeen, Outcome, PolicyOutcome, Series,
    WorkerPlaced,
};
use ballast::wire::{MoveKind, NoteCode, TaskRange};

/// 2026-11-30 00:00:00 UTC.
const BEGIN: i64 = 1_795_996_800;
const MINUTE: i64 = 60;

/// How large an outcome is.
pub(crate) struct Size {
    pub(crate) nodes: usize,
    pub(crate) stretches: usize,
    pub(crate) moves: usize,
    pub(crate) policies: &'static [&'static str],
}

/// Three nodes, two policies, an hour.
pub(crate) const SMALL: Size =
    Size { nodes: 3, stretches: 60, moves: 7, policies: &["recorded", "albic", "flux"] };
/// What the page must still be usable with; the moves are those of all policies together.
pub(crate) const LARGE: Size = Size {
    nodes: 300,
    stretches: 480,
    moves: 400,
    policies: &["recorded", "albic", "cola", "flux", "potc", "search"],
};

/// An outcome of that size; the same every time.
pub(crate) fn outcome(size: &Size) -> Outcome {
    Outcome {
        inputs: vec![Input {
            name: "recordings/flights.json.gz".to_owned(),
            format: Format::Recording,
            windows: size.stretches as u64,
        }],
        from: BEGIN + MINUTE,
        to: BEGIN + MINUTE * size.stretches as i64,
        windows: size.stretches as u64,
        windows_unmeasured: 0,
        windows_refused: 2,
        refused: vec![
            "2026-11-30 00:07:00: slot-conflict: slot n1:6700 is claimed by two topologies".to_owned(),
        ],
        coverage: Some(0.874),
        sources: [
            ("hook", 0),
            ("stats", 1_310),
            ("worker", 64),
            ("request", 90),
            ("estimate", 101),
            ("none", 12),
        ]
        .map(|(source, executors)| LoadSources { source: source.to_owned(), executors })
        .to_vec(),
        remarks: vec![
            Remark {
                code: RemarkCode::Guessed,
                count: 60,
                examples: vec!["cores of node 127.0.0.1: taken for 4".to_owned()],
            },
            Remark {
                code: RemarkCode::Restarted,
                count: 1,
                examples: vec!["worker n1:6700 at 00:31".to_owned()],
            },
        ],
        overload: 0.8,
        pause_secs: 10.0,
        what_if: Vec::new(),
        policies: (0..size.policies.len()).map(|i| policy(size, i)).collect(),
    }
}

/// Between 0 and 1, without a pattern one sees.
fn noise(a: usize, b: usize, c: usize) -> f64 {
    let mut mixed = (a * 7_919 + b * 104_729 + c * 1_299_709 + 17) as u64;
    for _ in 0..3 {
        mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    (mixed >> 40) as f64 / (1u64 << 24) as f64
}

fn policy(size: &Size, which: usize) -> PolicyOutcome {
    let at: Vec<i64> = (1..=size.stretches as i64).map(|n| BEGIN + MINUTE * n).collect();
    let spread = [0.36, 0.1, 0.2, 0.16, 0.28, 0.13][which % 6];
    let calm = |t: usize| if which > 0 && t > 6 { spread } else { 0.36 };
    let node_use = |node: usize, t: usize| {
        let wave = (t as f64 / size.stretches as f64 * 6.3).sin() * 0.12;
        let tilt = (node as f64 / (size.nodes.max(2) - 1) as f64 - 0.5) * 2.0;
        (0.5 + wave + tilt * calm(t) + (noise(which, node, t) - 0.5) * 0.06).max(0.0)
    };
    let utilization: Vec<Vec<Option<f64>>> = (0..size.nodes)
        .map(|node| {
            let gone = |t: usize| node == 1 && (20..26).contains(&t);
            (0..size.stretches).map(|t| (!gone(t)).then(|| node_use(node, t))).collect()
        })
        .collect();
    let load_distance: Vec<f64> = (0..size.stretches).map(|t| calm(t) + noise(which, t, 1) * 0.03).collect();
    let restarts: Vec<u64> =
        (0..size.stretches).map(|t| u64::from(which > 0 && t > 3 && t.is_multiple_of(9 + which))).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let bound: Vec<f64> = load_distance.iter().map(|distance| distance * 0.8).collect();
    let distance_mean = mean(&load_distance);
    PolicyOutcome {
        policy: size.policies[which].to_owned(),
        figures: Figures {
            load_distance_mean: distance_mean,
            load_distance_p95: distance_mean * 1.2,
            load_distance_worst: load_distance.iter().copied().fold(0.0, f64::max),
            bound_mean: mean(&bound),
            gap_mean: distance_mean - mean(&bound),
            overload_secs: if which == 1 { 0.0 } else { 3_480.0 - 240.0 * which as f64 },
            cross_node_tuples_per_sec: (which != 4).then_some(18_420.25 - 1_803.5 * which as f64),
            restarts: restarts.iter().sum(),
            executors_moved: restarts.iter().sum::<u64>() * 5,
            shipped_bytes: restarts.iter().sum::<u64>() * 1_234_567,
            paused_executor_secs: restarts.iter().sum::<u64>() as f64 * 52.5,
            plans: restarts.iter().filter(|n| **n > 0).count() as u64,
        },
        series: Series {
            cross_node_tuples_per_sec: (0..size.stretches)
                .map(|t| {
                    (which != 4 && !(30..34).contains(&t))
                        .then(|| 18_000.0 - 1_800.0 * which as f64 + noise(t, which, 2) * 900.0)
                })
                .collect(),
            load_distance,
            bound,
            restarts,
            at: at.clone(),
        },
        heat: HeatMap { at, nodes: (0..size.nodes).map(host).collect(), utilization },
        moves: if which == 0 { Vec::new() } else { (0..size.moves).map(|n| made(size, which, n)).collect() },
        moves_left_out: if which == 2 { 31 } else { 0 },
        notes: notes(which),
        before: (0..size.nodes).map(|node| placed(node, 0)).collect(),
        after: (0..size.nodes).map(|node| placed(node, if node % 3 == 1 { 0 } else { which })).collect(),
    }
}

fn notes(which: usize) -> Vec<NoteSeen> {
    if which == 0 {
        return Vec::new();
    }
    let requested = "3 executors of flights/__acker weighed by their CPU request".to_owned();
    let cooldown = "flights was changed 60 s ago".to_owned();
    vec![
        NoteSeen { code: NoteCode::LoadRequested, windows: 60, detail: requested },
        NoteSeen { code: NoteCode::Cooldown, windows: 20 + which as u64, detail: cooldown },
    ]
}

fn host(node: usize) -> String {
    format!("stream-{node:03}.example.org")
}

fn made(size: &Size, which: usize, n: usize) -> MoveMade {
    let kinds = [MoveKind::RelocateWorker, MoveKind::MoveExecutors, MoveKind::SwapWorkers, MoveKind::Place];
    let tasks = n as i32 * 2;
    MoveMade {
        at: BEGIN + MINUTE * (1 + n * size.stretches / size.moves) as i64,
        topology: ["flights-3-1795998681", "clicks-1-1795998000"][n % 2].to_owned(),
        executors: vec![TaskRange(tasks, tasks), TaskRange(tasks + 1, tasks + 3)],
        components: vec!["delay-by-route".to_owned(), "__acker".to_owned()],
        kind: kinds[n % 4],
        from: (n % 4 != 3).then(|| format!("{}:6700", host(n % size.nodes))),
        to: format!("{}:6701", host((n + 1) % size.nodes)),
        because: format!(
            "{:.2} cores leave node {}, which is {:.3} above the mean utilization 0.400",
            1.0 + noise(which, n, 3),
            host(n % size.nodes),
            0.1 + noise(which, n, 4) * 0.2
        ),
        load_distance_gain: noise(which, n, 5) * 0.08,
    }
}

fn placed(node: usize, change: usize) -> NodePlaced {
    let worker = |port: u16, topology: &str, more: u64| WorkerPlaced {
        port,
        topology: topology.to_owned(),
        components: vec![
            ("__acker".to_owned(), 1),
            ("delay-by-route".to_owned(), 4 + more),
            ("flights-source".to_owned(), 1),
        ],
        cpu_cores: 1.21 + noise(node, usize::from(port), change),
    };
    let mut workers =
        vec![worker(6700, "flights-3-1795998681", 0), worker(6701, "flights-3-1795998681", change as u64)];
    if node.is_multiple_of(2) || change > 0 {
        workers.push(worker(6702, "clicks-1-1795998000", 1));
    }
    NodePlaced {
        node: format!("4fe659a1-{node:03}"),
        host: host(node),
        utilization: (node % 50 != 49).then(|| 0.3 + noise(node, change, 6) * 0.7),
        workers,
    }
}

/// Markup and script that a page must show and never be.
pub(crate) const HOSTILE: [&str; 4] = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "\"'><svg onload=alert(3)>",
    "<!--<script>\u{2028}{{ 7 * 7 }}\u{202e}&lt;b&gt;",
];

/// A small outcome in which every text is hostile.
pub(crate) fn hostile() -> Outcome {
    let mut outcome = outcome(&SMALL);
    let [script, image, quote, comment] = HOSTILE.map(str::to_owned);
    outcome.inputs[0].name.clone_from(&script);
    outcome.refused = vec![image.clone()];
    outcome.what_if = vec![script.clone(), comment.clone()];
    outcome.sources[5].source.clone_from(&quote);
    outcome.remarks[0].examples = HOSTILE.map(str::to_owned).to_vec();
    outcome.policies[1].policy.clone_from(&script);
    outcome.policies[2].policy.clone_from(&comment);
    for policy in &mut outcome.policies {
        policy.heat.nodes = vec![image.clone(), script.clone(), comment.clone()];
        for node in policy.before.iter_mut().chain(&mut policy.after) {
            node.node.clone_from(&quote);
            node.host.clone_from(&image);
            for worker in &mut node.workers {
                worker.topology.clone_from(&script);
                worker.components = vec![(image.clone(), 1), (comment.clone(), 2)];
            }
        }
        for note in &mut policy.notes {
            note.detail.clone_from(&script);
        }
        for made in &mut policy.moves {
            made.topology.clone_from(&script);
            made.components = vec![image.clone()];
            made.from = Some(quote.clone());
            made.to.clone_from(&image);
            made.because.clone_from(&comment);
        }
    }
    outcome
}
