//! The clusters that are compared on, and the strategies that are compared.

use std::ops::Range;
use std::str::FromStr;

use ballast::checkpoint::{self, Strategy};
use ballast::generate::{LoadShares, Stateful};
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::cli::Ended;
use crate::cli::bench::refuse;
use crate::cli::groups::{Pair, States, word};

/// Balanced nodes, and states of 100 MB.
const VARIATION: f64 = 0.03;
const MEAN_STATE: f64 = 1e8;

/// The options of all parts.
#[derive(Args)]
pub(super) struct Clusters {
    /// Nodes and groups; may be repeated
    #[arg(long, value_name = "NODESxGROUPS", value_parser = Pair::from_str)]
    size: Vec<Pair>,
    /// How load is shared among the groups, by commas
    #[arg(long, value_enum, value_name = "NAMES", value_delimiter = ',')]
    distribution: Vec<Loads>,
    /// What the size of a state has to do with the load of its group, by commas
    #[arg(long, value_enum, value_name = "NAMES", value_delimiter = ',')]
    state: Vec<States>,
    /// Copies of every state, by commas
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    copies: Vec<usize>,
    /// Racks; 0 or 1: they do not count [default: 0 with one copy, 10 with more]
    #[arg(long, value_name = "N")]
    racks: Option<usize>,
    /// How much fuller than unavoidable a loss may make a node, a fraction of capacity (checkpoint.loss.slack)
    #[arg(long, value_name = "F", default_value_t = 0.005, allow_negative_numbers = true)]
    slack: f64,
    /// Clusters of each kind
    #[arg(long, value_name = "N", default_value_t = 3)]
    seeds: u64,
    /// Seed of the first cluster; the others follow
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Strategies to compare, by commas [default: all but milp, which is for 8 nodes and fewer]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    strategies: Vec<String>,
}

/// How load is shared.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Loads {
    /// On every node 0.5 to 1.5 of the mean
    Uniform,
    /// On every node one over the rank
    Zipf,
    /// One over the rank among all groups, but at most 20 points
    Global,
}

/// What a part runs on where no option says otherwise.
pub(super) struct Usual<'u> {
    pub(super) sizes: &'u [Pair],
    pub(super) loads: &'u [Loads],
    pub(super) states: &'u [States],
    pub(super) copies: &'u [usize],
}

/// A cluster but for its seed, as a row tells it.
#[derive(Clone, PartialEq, Serialize)]
pub(super) struct Kind {
    nodes: usize,
    groups: usize,
    distribution: String,
    state: String,
    copies: usize,
    racks: usize,
    slack: f64,
    #[serde(skip)]
    made: Stateful,
}

impl Kind {
    /// The cluster of a seed.
    pub(super) fn cluster(&self, seed: u64) -> Stateful {
        Stateful { seed, ..self.made }
    }

    /// The first cells of a row in a table: nodes and groups, loads and states, copies.
    pub(super) fn cells(&self) -> [String; 3] {
        let racks = if self.racks > 1 { format!(", {} racks", self.racks) } else { String::new() };
        [
            format!("{} x {}", self.nodes, self.groups),
            format!("{}, {}", self.distribution, self.state),
            format!("{}{racks}", self.copies),
        ]
    }
}

impl Clusters {
    /// The kinds of clusters.
    pub(super) fn kinds(&self, usual: &Usual) -> Result<Vec<Kind>, Ended> {
        fn given<'g, T>(given: &'g [T], usual: &'g [T]) -> &'g [T] {
            if given.is_empty() { usual } else { given }
        }
        if !(0.0..=1.0).contains(&self.slack) {
            return refuse(
                format!("--slack {}", self.slack),
                "it takes a number from 0 to 1",
                "half a point is 0.005",
            );
        }
        let mut kinds = Vec::new();
        for pair in given(&self.size, usual.sizes) {
            let size = pair.size()?;
            for loads in given(&self.distribution, usual.loads) {
                for states in given(&self.state, usual.states) {
                    for copies in given(&self.copies, usual.copies) {
                        let racks = self.racks.unwrap_or(if *copies > 1 { 10 } else { 0 });
                        let most = if racks > 1 { racks.min(size.nodes) } else { size.nodes } - 1;
                        if !(1..=most).contains(copies) {
                            return refuse(
                                format!("--copies {copies}"),
                                &format!("{} nodes in {racks} racks have room for 1 to {most}", size.nodes),
                                "give more nodes or racks, or fewer copies",
                            );
                        }
                        kinds.push(Kind {
                            nodes: size.nodes,
                            groups: size.groups,
                            distribution: word(loads),
                            state: word(states),
                            copies: *copies,
                            racks,
                            slack: self.slack,
                            made: Stateful {
                                nodes: size.nodes,
                                variation: VARIATION,
                                per_node: size.groups / size.nodes,
                                loads: match loads {
                                    Loads::Uniform => LoadShares::Uniform,
                                    Loads::Zipf => LoadShares::Zipf,
                                    Loads::Global => LoadShares::Global,
                                },
                                states: (*states).into(),
                                mean_state: MEAN_STATE,
                                copies: *copies,
                                racks,
                                slack: self.slack,
                                seed: 0,
                            },
                        });
                    }
                }
            }
        }
        Ok(kinds)
    }

    /// The seeds.
    pub(super) fn seeds(&self) -> Result<Range<u64>, Ended> {
        if self.seeds == 0 || self.seeds > 100_000 {
            return refuse(format!("--seeds {}", self.seeds), "it takes 1 to 100000", "3 show the spread");
        }
        match self.seed.checked_add(self.seeds) {
            Some(end) => Ok(self.seed..end),
            None => {
                refuse(format!("--seed {}", self.seed), "the seeds after it are too large", "start lower")
            }
        }
    }

    /// The strategies; where none is named those given, or all.
    pub(super) fn strategies_or(&self, usual: &[&str]) -> Result<Vec<&'static dyn Strategy>, Ended> {
        let mut found = Vec::new();
        let names: Vec<&str> = checkpoint::registry().iter().map(|known| known.name()).collect();
        let all: Vec<&str> = names.iter().copied().filter(|name| *name != "milp").collect();
        let usual = if usual.is_empty() { &all } else { usual };
        let given: Vec<&str> = self.strategies.iter().map(String::as_str).collect();
        for name in if given.is_empty() { usual } else { &given } {
            match checkpoint::by_name(name) {
                Some(strategy) => found.push(strategy),
                None => {
                    return refuse(
                        format!("--strategies {}", given.join(",")),
                        &format!("there is no strategy {name}; there are {}", names.join(", ")),
                        "leave the option out to compare all",
                    );
                }
            }
        }
        Ok(found)
    }
}
