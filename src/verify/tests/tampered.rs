//! Replies that break a rule each, and neighbors of them that break none.

use super::*;

/// Replies with one thing wrong, and every rule that this breaks.
pub(super) const TAMPERED: &[Case] = &[
    ("another generation", moved, |_, p| p.generation = 8, &[Rule::Envelope]),
    ("no id", moved, |_, p| p.id.clear(), &[Rule::Envelope]),
    ("expired at birth", moved, |_, p| p.expires_after_secs = 0.0, &[Rule::Envelope]),
    ("another version", moved, |_, p| p.version = 2, &[Rule::Envelope]),
    ("placed, but a running one moves", moved, |_, p| p.verdict = Verdict::Placed, &[Rule::Verdict]),
    ("unchanged, but there are moves", moved, |_, p| p.verdict = Verdict::Unchanged, &[Rule::Verdict]),
    ("improved by placing", placed, |_, p| p.verdict = Verdict::Improved, &[Rule::Verdict]),
    ("unsatisfied without a limit broken", moved, |_, p| p.verdict = Verdict::Unsatisfied, &[Rule::Verdict]),
    ("refused, but with a plan", moved, |_, p| p.verdict = Verdict::Refused, &[Rule::Verdict]),
    ("no balance reported", moved, |_, p| p.before = None, &[Rule::Verdict]),
    (
        "a topology nobody knows",
        moved,
        |_, p| p.assignments.push(Assignment { topology: "t9".to_owned(), workers: Vec::new() }),
        &[Rule::UnknownTopology],
    ),
    ("a topology that opted out", moved, |q, _| q.topologies[0].enabled = false, &[Rule::DisabledTopology]),
    (
        "a topology that does not change",
        moved,
        |_, p| p.assignments.push(worker("t2", "n3", 6700, &[1])),
        &[Rule::UnchangedTopology],
    ),
    (
        "an executor that does not exist",
        moved,
        |_, p| p.assignments[0].workers[0].executors.push(TaskRange(9, 9)),
        &[Rule::UnknownExecutor],
    ),
    (
        "one executor in one worker twice",
        moved,
        |_, p| p.assignments[0].workers[0].executors.push(TaskRange(1, 1)),
        &[Rule::ExecutorTwice],
    ),
    (
        "an empty worker",
        moved,
        |_, p| p.assignments[0].workers.push(worker("t1", "n3", 6701, &[]).workers.remove(0)),
        &[Rule::ExecutorTwice],
    ),
    (
        "a running executor is forgotten",
        moved,
        |_, p| drop(p.assignments[0].workers.remove(1)),
        &[Rule::ExecutorLost, Rule::TooFewWorkers, Rule::Cost, Rule::Balance],
    ),
    (
        "a homeless executor is forgotten",
        moved,
        |q, _| {
            let executors = &mut q.topologies[0].executors;
            executors.push(Executor {
                tasks: TaskRange(5, 5),
                node: None,
                port: None,
                ..executors[0].clone()
            });
        },
        &[Rule::ExecutorHomeless, Rule::Coverage],
    ),
    (
        "another topology's slot",
        placed,
        |q, _| {
            let mut there = q.topologies[1].executors[0].clone();
            (there.tasks, there.port) = (TaskRange(2, 2), Some(6701));
            q.topologies[1].executors.push(there);
        },
        &[Rule::SlotShared, Rule::Balance, Rule::Coverage],
    ),
    ("a port nobody offers", moved, |q, _| q.nodes[1].ports = vec![6700], &[Rule::SlotNotOffered]),
    ("off a port nobody offers", moved, |q, _| q.nodes[0].ports = vec![6700], &[Rule::SlotNotOffered]),
    ("onto an unusable node", moved, |q, _| q.nodes[1].state = NodeState::Unusable, &[Rule::NodeUnusable]),
    ("off an unusable node", moved, |q, _| q.nodes[0].state = NodeState::Unusable, &[Rule::NodeUnusable]),
    (
        "placed on an unusable node",
        placed,
        |q, _| q.nodes[2].state = NodeState::Unusable,
        &[Rule::NodeUnusable],
    ),
    (
        "onto a draining node",
        moved,
        |q, _| q.nodes[1].state = NodeState::Draining,
        &[Rule::NodeDraining, Rule::Balance],
    ),
    (
        "onto a node that drain.nodes names",
        placed,
        |q, _| drop(q.settings.insert("drain.nodes".to_owned(), json!(["n3"]))),
        &[Rule::NodeDraining, Rule::Balance],
    ),
    ("onto a node just seen", moved, |q, _| q.nodes[1].seen_rounds = Some(2), &[Rule::NodeUnsettled]),
    ("a heap that was too much before", moved, |q, _| q.topologies[0].worker_heap_max_mib = Some(150.0), &[]),
    (
        "too much heap in a new worker",
        placed,
        |q, _| q.topologies[0].worker_heap_max_mib = Some(90.0),
        &[Rule::WorkerHeap],
    ),
    ("too much memory", moved, |q, _| q.nodes[1].memory_mib = Some(150.0), &[Rule::NodeMemory]),
    ("memory that was too much before and gets less", moved, |q, _| q.nodes[0].memory_mib = Some(50.0), &[]),
    (
        "a worker more than asked for",
        placed,
        |q, _| {
            q.topologies[0].workers = 3;
            q.topologies[0].worker_heap_max_mib = None;
        },
        &[Rule::TooManyWorkers],
    ),
    ("a move is not told", moved, |_, p| p.moves.clear(), &[Rule::Verdict, Rule::Moves]),
    (
        "a move from elsewhere",
        moved,
        |_, p| p.moves[0].from.as_mut().unwrap().port = 6700,
        &[Rule::Moves, Rule::MoveKind],
    ),
    (
        "a move that is none",
        moved,
        |_, p| p.moves[0].executors.push(TaskRange(4, 4)),
        &[Rule::Moves, Rule::MoveKind],
    ),
    ("a move told twice", moved, |_, p| p.moves.push(p.moves[0].clone()), &[Rule::Moves]),
    ("a relocation called a swap", moved, |_, p| p.moves[0].kind = MoveKind::SwapWorkers, &[Rule::MoveKind]),
    (
        "a placing called a relocation",
        placed,
        |_, p| p.moves[0].kind = MoveKind::RelocateWorker,
        &[Rule::MoveKind],
    ),
    ("a restart less", moved, |_, p| p.cost.restarts = 0, &[Rule::Cost]),
    ("a start more", placed, |_, p| p.cost.starts = 2, &[Rule::Cost]),
    ("a pause too short", moved, |_, p| p.cost.pause_secs_estimate = 1.0, &[Rule::Cost]),
    ("nothing paused", moved, |_, p| p.cost.executors_paused = 0, &[Rule::Cost]),
    (
        "over the budget",
        moved,
        |q, _| drop(q.settings.insert("budget.restarts".to_owned(), json!(0))),
        &[Rule::Budget],
    ),
    (
        "a load distance too good",
        moved,
        |_, p| p.after.as_mut().unwrap().load_distance = 0.16,
        &[Rule::Balance, Rule::Certificate],
    ),
    ("a mean that is not", moved, |_, p| p.before.as_mut().unwrap().mean = f64::NAN, &[Rule::Balance]),
    ("a node left out", moved, |_, p| drop(p.after.as_mut().unwrap().nodes.pop()), &[Rule::Balance]),
    ("a worker not counted", moved, |_, p| p.after.as_mut().unwrap().nodes[1].workers = 1, &[Rule::Balance]),
    (
        "traffic of which nothing is known",
        moved,
        |_, p| {
            p.before.as_mut().unwrap().traffic = Some(TrafficBalance {
                tuples_per_sec: 1.0,
                cross_worker_per_sec: 0.0,
                remote_cores: None,
                cross_node_per_sec: 0.0,
                collocation_factor: 1.0,
                estimated: 0.0,
            });
        },
        &[Rule::Traffic],
    ),
    ("traffic kept quiet", collocated, |_, p| p.after.as_mut().unwrap().traffic = None, &[Rule::Traffic]),
    (
        "more collocated than it is",
        collocated,
        |_, p| p.after.as_mut().unwrap().traffic.as_mut().unwrap().collocation_factor = 1.0,
        &[Rule::Traffic],
    ),
    (
        "tuples that cost what nobody knows",
        collocated,
        |_, p| p.after.as_mut().unwrap().traffic.as_mut().unwrap().remote_cores = Some(0.1),
        &[Rule::Traffic],
    ),
    ("more measured than are", moved, |_, p| p.coverage.as_mut().unwrap().measured = 6, &[Rule::Coverage]),
    ("insufficient, said sufficient", placed, |q, _| unmeasure(q), &[Rule::Coverage, Rule::Balance]),
    (
        "optimal with a gap",
        moved,
        |_, p| p.certificate.as_mut().unwrap().optimal = true,
        &[Rule::Certificate],
    ),
    (
        "a gap that does not add up",
        moved,
        |_, p| p.certificate.as_mut().unwrap().gap = 0.0,
        &[Rule::Certificate],
    ),
    (
        "a bound above what was reached",
        moved,
        |_, p| {
            let certificate = p.certificate.as_mut().unwrap();
            (certificate.lower_bound, certificate.gap) = (0.5, certificate.gap - 0.5);
        },
        &[Rule::Certificate],
    ),
    ("moves nobody vouches for", moved, |_, p| p.certificate = None, &[Rule::Certificate]),
    ("worse for nothing", worse, |_, _| {}, &[Rule::LoadDistance]),
    ("only placement was asked for", moved, |q, _| q.ask = Ask::Place, &[Rule::OptionalMoves]),
    (
        "frozen",
        moved,
        |q, _| drop(q.settings.insert("freeze".to_owned(), json!(true))),
        &[Rule::OptionalMoves],
    ),
    ("not covered for long enough", moved, |q, _| q.covered_rounds = Some(1), &[Rule::OptionalMoves]),
    (
        "below the floor",
        moved,
        |q, _| drop(q.settings.insert("load.floor.cores".to_owned(), json!(2.0))),
        &[Rule::OptionalMoves],
    ),
    ("too few measured", moved, |q, _| unmeasure(q), &[Rule::Balance, Rule::Coverage, Rule::OptionalMoves]),
    ("cooling down", moved, |q, _| q.topologies[0].last_change_secs = Some(10.0), &[Rule::TopologyHeld]),
    (
        "cooling down, as an uptime shows",
        moved,
        |q, _| q.topologies[0].executors[3].uptime_secs = Some(200.0),
        &[Rule::TopologyHeld],
    ),
    (
        "a drain of a node nobody knows",
        scaled,
        |_, p| scaling(p).drain = vec!["n9".to_owned()],
        &[Rule::Scaling],
    ),
    ("a drain of nothing", scaled, |_, p| scaling(p).drain.clear(), &[Rule::Scaling]),
    (
        "a node kept that does not drain",
        scaled,
        |_, p| scaling(p).keep.push("n1".to_owned()),
        &[Rule::Scaling],
    ),
    (
        "a node released that is in use",
        scaled,
        |_, p| scaling(p).release.push("n1".to_owned()),
        &[Rule::Scaling],
    ),
    (
        "a drain, yet the cluster is not said to be low",
        scaled,
        |_, p| scaling(p).low = false,
        &[Rule::Scaling],
    ),
    (
        "a drain too early",
        scaled,
        |q, _| drop(q.settings.insert("scale.in.rounds".to_owned(), json!(2))),
        &[Rule::Scaling],
    ),
    (
        "a drain above the limit",
        scaled,
        |q, _| drop(q.settings.insert("scale.in.load".to_owned(), json!(0.1))),
        &[Rule::Scaling],
    ),
    ("a drain while the input lags", scaled, |q, _| lag(q), &[Rule::Scaling]),
    ("a mean that forgets a node", scaled, |_, p| scaling(p).mean = 0.5, &[Rule::Scaling]),
    ("nodes asked for by the way", scaled, |_, p| scaling(p).nodes = 1, &[Rule::Scaling]),
    (
        "known loads said to be unknown",
        scaled,
        |_, p| (scaling(p).verdict, scaling(p).drain) = (ScalingVerdict::Unknown, Vec::new()),
        &[Rule::Scaling],
    ),
    ("more executors than tasks", scaled, |_, p| scaling(p).parallelism[0].advised = 10, &[Rule::Scaling]),
    ("a busy time that is not", scaled, |_, p| scaling(p).parallelism[0].busy = 0.1, &[Rule::Scaling]),
    (
        "executors that are not there",
        scaled,
        |_, p| scaling(p).parallelism[0].executors = 5,
        &[Rule::Scaling],
    ),
    (
        "advice on a component nobody knows",
        scaled,
        |_, p| scaling(p).parallelism[0].component = "c".to_owned(),
        &[Rule::Scaling],
    ),
    ("scaling although frozen", scaled, |q, p| freeze(q, p), &[Rule::Scaling]),
    ("state not counted", moved, |q, _| q.topologies[0].executors[2].state_bytes = Some(5), &[Rule::Cost]),
    ("state made up", moved, |_, p| p.cost.shipped_bytes = Some(0), &[Rule::Cost]),
    ("over the budget of state", moved, |q, p| ship(q, p, 3 << 20), &[Rule::Budget]),
    ("within the budget of state", moved, |q, p| ship(q, p, 2 << 20), &[]),
    (
        "homeless ones are the delegate's",
        moved_beside_homeless,
        |q, _| drop(q.settings.insert("place".to_owned(), json!("delegate"))),
        &[Rule::TopologyHeld],
    ),
];
