//! The paper's balance problem: what the search reaches within 40 ms, what CBC reaches in 30 s, and the bound.
//!
//! `cargo bench --bench balance -- [SEEDS [CBC_SEEDS [CBC_SECONDS]]]`, 20 seeds, CBC on 1 of them, for 30 s where not
//! said otherwise. Markdown on standard output.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use ballast::generate::{Cluster, Groups, Shares};
use ballast::model::Problem;
use ballast::objective::Balance;
use ballast::settings;
use ballast::snapshot;
use ballast::solve::{self, Budget};
use ballast::wire::Request;

/// What the search may take, so that it ends within 40 ms with the bound before it and the outcome after it.
const SEARCH: Duration = Duration::from_millis(40);

fn main() {
    let mut numbers = std::env::args().filter_map(|argument| argument.parse::<u64>().ok());
    let seeds = numbers.next().unwrap_or(20);
    let cbc_seeds = numbers.next().unwrap_or(1);
    let seconds = numbers.next().unwrap_or(30) as f64;
    groups(seeds);
    workers();
    #[cfg(feature = "cbc")]
    cbc(cbc_seeds, seconds);
    #[cfg(not(feature = "cbc"))]
    println!("\nBuilt without CBC: nothing to compare {cbc_seeds} seeds with for {seconds} s.");
}

struct Run {
    bound: f64,
    reached: f64,
    took: Duration,
    proved: bool,
}

fn problem(request: &Request) -> Problem {
    let checked = settings::check(&request.settings, &solve::names());
    snapshot::take(request, &checked.settings).expect("generated requests are sound").problem
}

/// Bound and search together: what a plan costs.
fn run(problem: &Problem, time: Duration) -> Run {
    let start = Instant::now();
    let bound = solve::bound(problem);
    let mut budget = Budget::new(u64::MAX, time);
    let search = solve::by_name("search").expect("it is registered");
    let outcome = search.solve(problem, bound, &mut budget).expect("it never fails");
    let took = start.elapsed();
    let reached = Balance::of(problem, &outcome.placement).load_distance;
    Run {
        bound: bound.fraction() * 100.0,
        reached: reached.fraction() * 100.0,
        took,
        proved: reached <= bound,
    }
}

fn ms(took: Duration) -> f64 {
    took.as_secs_f64() * 1e3
}

const SIZES: [usize; 3] = [20, 40, 60];

fn of_size(nodes: usize, variation: f64, seed: u64) -> Groups {
    Groups { nodes, per_node: 20, variation, shares: Shares::Uniform, budget: 20, seed }
}

fn groups(seeds: u64) {
    println!(
        "\nKey groups, 20 moves, seeds 0 to {}; load distance in percentage points of utilization.\n",
        seeds - 1
    );
    println!(
        "| nodes x groups | variation | bound, mean | reached, mean | proved optimal | worst gap (seed) | time, median | time, longest |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for variation in [0.2, 0.4, 0.8] {
        for nodes in SIZES {
            let runs: Vec<Run> = (0..seeds)
                .map(|seed| run(&problem(&of_size(nodes, variation, seed).request()), SEARCH))
                .collect();
            let mean = |of: &dyn Fn(&Run) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
            let gap = |run: &Run| run.reached - run.bound;
            let (seed, worst) = runs
                .iter()
                .enumerate()
                .max_by(|a, b| gap(a.1).total_cmp(&gap(b.1)))
                .expect("at least one seed");
            let mut times: Vec<Duration> = runs.iter().map(|run| run.took).collect();
            times.sort_unstable();
            println!(
                "| {nodes} x {} | {:.0} % | {:.3} | {:.3} | {} of {seeds} | {:.3} ({seed}) | {:.1} ms | {:.1} ms |",
                nodes * 20,
                variation * 100.0,
                mean(&|run| run.bound),
                mean(&|run| run.reached),
                runs.iter().filter(|run| run.proved).count(),
                gap(worst),
                ms(times[times.len() / 2]),
                ms(times[times.len() - 1]),
            );
        }
    }
}

fn workers() {
    println!("\nWorkers of many executors, seed 1; at most 1 s.\n");
    println!("| nodes x slots | topologies | workers | executors | restarts | bound | reached | time |");
    println!("|---|---|---|---|---|---|---|---|");
    for (nodes, slots, topologies, budgets) in
        [(20, 10, 15, &[4, 8, 16, 32][..]), (100, 20, 60, &[8, 32, 64]), (1000, 24, 300, &[16, 64, 250])]
    {
        for budget in budgets {
            let cluster = Cluster { nodes, slots, topologies, mean: 0.5, budget: *budget, seed: 1 };
            let problem = problem(&cluster.request());
            let run = run(&problem, Duration::from_secs(1));
            println!(
                "| {nodes} x {slots} | {} | {} | {} | {budget} | {:.3} | {:.3} | {:.1} ms |",
                problem.topologies.len(),
                problem.present.workers(&problem).len(),
                problem.executors.len(),
                run.bound,
                run.reached,
                ms(run.took),
            );
        }
    }
}

#[cfg(feature = "cbc")]
fn cbc(seeds: u64, seconds: f64) {
    println!("\nThe same key groups by CBC alone, {seconds} s, variation 40 %, beside the search.\n");
    println!(
        "| nodes x groups | seed | CBC found | CBC's bound | CBC | search reached | our bound | search |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for nodes in SIZES {
        for seed in 0..seeds {
            let problem = problem(&of_size(nodes, 0.4, seed).request());
            let ours = run(&problem, SEARCH);
            let start = Instant::now();
            let (found, bound, end) = match solve::milp::relocations(&problem, seconds) {
                Ok(solved) => (
                    format!(
                        "{:.3}",
                        Balance::of(&problem, &solved.placement).load_distance.fraction() * 100.0
                    ),
                    format!("{:.3}", solved.lower_bound * 100.0),
                    if solved.closed { "closed" } else { "not closed" },
                ),
                Err(why) => ("none".to_owned(), "none".to_owned(), why.leak() as &str),
            };
            println!(
                "| {nodes} x {} | {seed} | {found} | {bound} | {end}, {:.1} s | {:.3} | {:.3} | {:.1} ms |",
                nodes * 20,
                start.elapsed().as_secs_f64(),
                ours.reached,
                ours.bound,
                ms(ours.took),
            );
        }
    }
}
