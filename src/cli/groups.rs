//! The options that describe a made-up cluster of key groups, the same for every verb that makes one.

use std::str::FromStr;

use ballast::bench::Drift;
use ballast::generate::{Capacities, Groups, Shares, State, StateSizes};
use ballast::wire::Request;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::Ended;

/// Sizes beyond which a request is larger than any cluster: about 1 GB of JSON.
const MOST_NODES: usize = 10_000;
const MOST_GROUPS: usize = 1_000_000;
const MOST_RESTARTS: u32 = 1_000_000;
/// A state of 1 TiB.
const MOST_MIB: f64 = 1_048_576.0;

/// A cluster of key groups but for its size and its seed.
#[derive(Args, Clone, Copy)]
pub(crate) struct GroupOptions {
    /// Loads of the nodes are uniform in 50 % x (1 - F) to 50 % x (1 + F), F from 0 to 1
    #[arg(long, value_name = "F", default_value_t = 0.4, allow_negative_numbers = true)]
    pub(crate) variation: f64,
    /// How the load of a node is shared among its groups
    #[arg(long, value_enum, default_value_t = Distribution::Uniform)]
    pub(crate) distribution: Distribution,
    /// What the nodes can bear
    #[arg(long, value_enum, default_value_t = Capacity::Even)]
    pub(crate) capacities: Capacity,
    /// Restarts that a plan may spend; with one executor a worker, groups that it may move
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true)]
    pub(crate) budget: i64,
    /// Load distance that is good enough, a fraction of capacity; from there on fewer moves count more
    #[arg(long, value_name = "F", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) target: f64,
    /// Mean state of a group in MiB; each has 0.5 to 1.5 of it [default: no state]
    #[arg(long, value_name = "MIB", allow_negative_numbers = true)]
    pub(crate) state_mib: Option<f64>,
    /// State that a plan may have read again, in MiB [default: no limit]
    #[arg(long, value_name = "MIB", allow_negative_numbers = true, requires = "state_mib")]
    pub(crate) budget_state_mib: Option<f64>,
}

/// The options as a row of figures tells them.
#[derive(Serialize, Clone)]
pub(crate) struct OptionsSaid {
    variation: f64,
    distribution: String,
    capacities: String,
    pub(crate) budget: i64,
    pub(crate) target: f64,
    state_mib: Option<f64>,
    budget_state_mib: Option<f64>,
}

/// How the load of a node is shared among its groups.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Distribution {
    /// Each group has 0.5 to 1.5 of the mean
    Uniform,
    /// Each group has one over its rank of the first
    Zipf,
}

/// How large states are beside each other.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum States {
    /// As the load, 0.8 to 1.2 of it
    Correlated,
    /// Log-normal, whatever the load
    Uncorrelated,
}

impl From<States> for StateSizes {
    fn from(states: States) -> Self {
        match states {
            States::Correlated => Self::Correlated,
            States::Uncorrelated => Self::Uncorrelated,
        }
    }
}

/// What the nodes can bear.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Capacity {
    /// 100 cores each
    Even,
    /// 50, 100 and 200 cores in turn
    Mixed,
}

/// A name as the command line writes it.
pub(crate) fn word(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

impl GroupOptions {
    /// The cluster of a size and a seed.
    pub(crate) fn groups(&self, size: Size, seed: u64) -> Result<Groups, Ended> {
        if !(0.0..=1.0).contains(&self.variation) {
            return Err(Ended::value(
                format!("--variation {}", self.variation),
                format!("{} is not a number from 0 to 1", self.variation),
                "40 % is written 0.4",
            ));
        }
        let budget = u32::try_from(self.budget).ok().filter(|budget| *budget <= MOST_RESTARTS);
        let budget = budget.ok_or_else(|| {
            Ended::value(
                format!("--budget {}", self.budget),
                format!("{} is not a number of restarts from 0 to {MOST_RESTARTS}", self.budget),
                "the papers' experiments allow 20",
            )
        })?;
        Ok(Groups {
            nodes: size.nodes,
            per_node: size.groups / size.nodes,
            variation: self.variation,
            shares: match self.distribution {
                Distribution::Uniform => Shares::Uniform,
                Distribution::Zipf => Shares::Zipf,
            },
            budget,
            seed,
            target: self.target()?,
            state: self.state()?,
        })
    }

    fn target(&self) -> Result<f64, Ended> {
        if (0.0..=1.0).contains(&self.target) {
            return Ok(self.target);
        }
        Err(Ended::value(
            format!("--target {}", self.target),
            format!("{} is not a number from 0 to 1", self.target),
            "2 points are written 0.02",
        ))
    }

    fn state(&self) -> Result<Option<State>, Ended> {
        for (option, value) in
            [("--state-mib", self.state_mib), ("--budget-state-mib", self.budget_state_mib)]
        {
            if let Some(mib) = value.filter(|mib| !(0.0..=MOST_MIB).contains(mib)) {
                return Err(Ended::value(
                    format!("{option} {mib}"),
                    format!("{mib} is not a number of MiB from 0 to {MOST_MIB}"),
                    "the papers' cost of 0.5 to 1.5 a group is written --state-mib 1",
                ));
            }
        }
        Ok(self.state_mib.map(|mean_mib| State { mean_mib, budget_mib: self.budget_state_mib }))
    }

    /// The options as a row of figures tells them.
    pub(crate) fn said(&self) -> OptionsSaid {
        OptionsSaid {
            variation: self.variation,
            distribution: word(&self.distribution),
            capacities: word(&self.capacities),
            budget: self.budget,
            target: self.target,
            state_mib: self.state_mib,
            budget_state_mib: self.budget_state_mib,
        }
    }

    /// The options in words.
    pub(crate) fn sentence(&self) -> String {
        let said = self.said();
        let state = match (self.state_mib, self.budget_state_mib) {
            (None, _) => String::new(),
            (Some(mean), None) => format!(", state {mean} MiB a group"),
            (Some(mean), Some(budget)) => {
                format!(", state {mean} MiB a group, of which {budget} MiB may move")
            }
        };
        let target = if self.target > 0.0 {
            format!(", down to {} points", self.target * 100.0)
        } else {
            String::new()
        };
        format!(
            "variation {}, {}, capacities {}, {} restarts{state}{target}",
            said.variation, said.distribution, said.capacities, said.budget
        )
    }

    /// The request of the cluster of a size and a seed.
    pub(crate) fn request(&self, size: Size, seed: u64) -> Result<Request, Ended> {
        Ok(self.groups(size, seed)?.request_on(self.capacities()))
    }

    /// The capacities.
    pub(crate) fn capacities(&self) -> Capacities {
        match self.capacities {
            Capacity::Even => Capacities::Even,
            Capacity::Mixed => Capacities::Mixed,
        }
    }
}

/// NODESxGROUPS as written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) nodes: usize,
    pub(crate) groups: usize,
}

impl Pair {
    /// The size, checked.
    pub(crate) fn size(self) -> Result<Size, Ended> {
        Size::new(&format!("--size {}x{}", self.nodes, self.groups), self.nodes, self.groups)
    }
}

impl FromStr for Pair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "write NODESxGROUPS, for instance 20x400".to_owned();
        let (nodes, groups) = text.split_once('x').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse().map_err(|_| wrong());
        Ok(Self { nodes: number(nodes)?, groups: number(groups)? })
    }
}

/// Nodes and groups, checked: the groups can be dealt out evenly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    /// Nodes, at least one.
    pub(crate) nodes: usize,
    /// Groups, a multiple of the nodes.
    pub(crate) groups: usize,
}

impl Size {
    /// A size, if there can be such a cluster; `origin` is the option that asks for it.
    pub(crate) fn new(origin: &str, nodes: usize, groups: usize) -> Result<Self, Ended> {
        let refuse = |detail: String, advice: &str| Err(Ended::value(origin.to_owned(), detail, advice));
        if nodes == 0 || nodes > MOST_NODES {
            return refuse(
                format!("{nodes} nodes; there can be 1 to {MOST_NODES}"),
                "the papers have 20 to 60",
            );
        }
        if groups == 0 || groups > MOST_GROUPS {
            return refuse(
                format!("{groups} groups; there can be 1 to {MOST_GROUPS}"),
                "the papers have 20 a node",
            );
        }
        if !groups.is_multiple_of(nodes) {
            let (less, more) = (groups / nodes * nodes, groups.div_ceil(nodes) * nodes);
            let near = if less == 0 { more.to_string() } else { format!("{less} or {more}") };
            return refuse(
                format!("{groups} groups cannot be dealt evenly to {nodes} nodes"),
                &format!("give a multiple of the nodes: {near}"),
            );
        }
        if groups / nodes > Groups::MOST_PER_NODE {
            return refuse(
                format!("{} groups a node; there can be {}", groups / nodes, Groups::MOST_PER_NODE),
                "give more nodes or fewer groups",
            );
        }
        Ok(Self { nodes, groups })
    }
}

/// The drift of loads that an option asks for.
pub(crate) fn drift(share: f64, seed: u64) -> Result<Drift, Ended> {
    if (0.0..1.0).contains(&share) {
        return Ok(Drift { share, seed });
    }
    Err(Ended::value(format!("--drift {share}"), "it takes 0 and more, below 1", "5 % is written 0.05"))
}
