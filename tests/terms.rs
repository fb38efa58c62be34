//! The rows that the objective's terms add to a MILP say what the terms themselves count.

use ballast::generate::{Groups, Shares};
use ballast::model::{Placement, Problem, Slot};
use ballast::objective::{Balance, Choices, Migration, Milp};
use ballast::settings;
use ballast::snapshot;
use ballast::solve;
use fastrand::Rng;

fn problem(seed: u64) -> Problem {
    let groups = Groups {
        nodes: 5,
        per_node: 4,
        variation: 0.6,
        shares: Shares::Zipf,
        budget: seed as u32 % 7,
        seed,
        target: 0.0,
        state: None,
    };
    let mut request = groups.request();
    request.nodes[1].cpu_cores = Some(50.0);
    if seed.is_multiple_of(2) {
        request.nodes[2].state = ballast::wire::NodeState::Draining;
    }
    if seed.is_multiple_of(3) {
        request.nodes[3].state = ballast::wire::NodeState::Unusable;
    }
    if seed.is_multiple_of(5) {
        request
            .nodes
            .iter_mut()
            .for_each(|node| _ = node.resources.insert("network.mbps".to_owned(), 1000.0));
        for (at, executor) in request.topologies[0].executors.iter_mut().enumerate() {
            executor.resources.insert("network.mbps".to_owned(), (at * at % 89) as f64);
        }
    }
    let checked = settings::check(&request.settings, &solve::names());
    snapshot::take(&request, &checked.settings).expect("a sound request").problem
}

/// Sends some workers to any of their nodes: the placement, and the columns that say so.
fn some_moved(problem: &Problem, choices: &Choices, columns: &mut [f64], random: &mut Rng) -> Placement {
    let mut placement = problem.present.clone();
    for (at, unit) in choices.units.iter().enumerate() {
        let home = unit.worker.slot.node;
        let (node, column) = match random.u8(..4) {
            0 => unit.on[random.usize(..unit.on.len())],
            _ => *unit.on.iter().find(|(node, _)| *node == home).expect("it may stay"),
        };
        columns[column] = 1.0;
        if node != home {
            for executor in &unit.worker.executors {
                placement.put(*executor, Slot { node, port: 10_000 + at as u16 });
            }
        }
    }
    placement
}

#[test]
fn rows_allow_the_load_distance_of_a_placement_and_nothing_less() {
    for seed in 0..40 {
        let problem = problem(seed);
        let mut milp = Milp::default();
        let choices = Choices::of(&problem, &mut milp);
        let d = Balance::rows(&problem, &choices, &mut milp);
        let mut columns = vec![0.0; milp.columns.len()];
        let placement = some_moved(&problem, &choices, &mut columns, &mut Rng::with_seed(seed));
        let distance = Balance::of(&problem, &placement).load_distance.fraction() * 100.0;
        columns[d] = distance;
        let value = milp.value(&columns).expect("the load distance is enough for every node");
        assert!((value - distance).abs() < 1e-9, "seed {seed}: {value} for {distance}");
        columns[d] = distance - 1e-4;
        assert_eq!(milp.value(&columns), None, "seed {seed}: less than the load distance is too little");
    }
}

#[test]
fn the_budget_row_holds_exactly_where_the_restarts_do() {
    let (mut within, mut beyond) = (0, 0);
    for seed in 0..60 {
        let problem = problem(seed);
        let mut milp = Milp::default();
        let choices = Choices::of(&problem, &mut milp);
        Migration::rows(&problem, &choices, &mut milp);
        let mut columns = vec![0.0; milp.columns.len()];
        let placement = some_moved(&problem, &choices, &mut columns, &mut Rng::with_seed(seed));
        let restarts = Migration::between(&problem, &problem.present, &placement).restarts;
        let fits = restarts <= problem.limits.restarts as usize;
        assert_eq!(milp.value(&columns).is_some(), fits, "seed {seed}: {restarts} restarts");
        within += usize::from(fits);
        beyond += usize::from(!fits);
    }
    assert!(within > 5 && beyond > 5, "{within} within, {beyond} beyond");
}
