//! Horizontal scaling: how many nodes, which of them to drain, and how many executors a component should have.
//!
//! The adaptation framework of ALBIC (ICDE 2017): the plan of a round is made as if there were no scaling, and only
//! what that plan cannot cure or does not need leads to more or fewer nodes.
//!
//! 1. A plan within the budget is given. If its fullest node is above `scale.out.load`, the best plan that budget,
//!    cooldowns and settling do not hold back is looked for ([`potential`]): what balancing will cure in a few rounds is
//!    no reason for a node.
//! 2. Above the limit even then ([`out`]): nodes that scaling is draining are kept, and if those do not suffice, nodes
//!    are asked for, as many as a plan with them shows to be enough. Where no number of nodes helps, the sentence says
//!    what would.
//! 3. Below `scale.in.load` for `scale.in.rounds` rounds ([`drain`]): the nodes that cost least to empty are to be
//!    drained, as many as leave the mean in the middle between the two limits, and only if a plan without them shows
//!    that all fits.
//!
//! Load is here what is to be expected: a topology whose input arrives twice as fast as it is taken will bear twice its
//! measured load. Nothing is taken away from a topology that lags, nor in a round in which executors that lost their
//! slot got another: what has just come to a node would have to leave it at once.
//!
//! Invariants: the plan itself is not touched here; whoever asks decides what to do with the advice. Nothing is advised
//! of loads that are not known.

mod demand;
mod drain;
mod out;
mod parallelism;
mod potential;

pub(crate) use drain::missing;
pub use parallelism::at_its_tasks;

use std::cell::Cell;
use std::time::Duration;

use crate::model::{NodeState, Placement, Problem};
use crate::settings::{Place, Settings};
use crate::solve::Budget;
use crate::units::{Load, Share};
use crate::wire::{Scaling, ScalingVerdict, StoppedBy};
use demand::Demand;
use potential::Potential;

/// What is known when scaling is decided.
#[derive(Debug)]
pub struct Question<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The problem; its present placement has every executor that can have a slot in one.
    pub problem: &'a Problem,
    /// The plan made as if there were no scaling.
    pub plan: &'a Placement,
    /// Executors that had no slot got one in this round.
    pub placed: bool,
    /// Enough loads are measured, and for long enough.
    pub known: bool,
    /// Planning rounds in a row, before this one, in which fewer nodes would have done.
    pub low_rounds: u32,
}

/// An answer.
#[derive(Debug)]
pub struct Scaled {
    /// The advice.
    pub scaling: Scaling,
    /// The clock cut a search that it goes by: another machine may advise otherwise.
    pub cut: bool,
}

/// Part of the steps and the time of a plan that each plan looked at here may take.
const PART: u64 = 4;

/// Advice on nodes and executors.
pub fn advise(question: &Question<'_>) -> Scaled {
    let scaler = Scaler::new(question);
    let advice = scaler.decide();
    let scaling = Scaling {
        verdict: advice.verdict,
        peak: advice.peak.fraction(),
        mean: scaler.demand.mean.fraction(),
        low: advice.low,
        nodes: advice.nodes,
        node_cores: (advice.nodes > 0).then(|| scaler.node_size().cores()),
        drain: names(question.problem, &advice.drain),
        keep: names(question.problem, &advice.keep),
        release: empty_draining(question.problem),
        parallelism: if question.known {
            parallelism::advise(question.problem, question.settings)
        } else {
            Vec::new()
        },
        because: advice.because,
    };
    Scaled { scaling, cut: scaler.cut.get() }
}

/// Size of a node to add where none is in use: Storm's default `supervisor.cpu.capacity` of 400.
const NODE_NOBODY_KNOWS: Load = Load(4_000_000);

/// The problem with the advice carried out: what is to be drained drains, what is to be kept is in use.
pub fn carried_out(mut problem: Problem, scaling: &Scaling) -> Problem {
    for node in &mut problem.nodes {
        if scaling.drain.contains(&node.id) {
            node.state = NodeState::Draining;
        } else if scaling.keep.contains(&node.id) {
            node.state = NodeState::Active;
        }
    }
    problem
}

/// A decision on nodes; positions of nodes in the problem.
struct Advice {
    verdict: ScalingVerdict,
    /// Utilization of the fullest node of the balanced plan.
    peak: Share,
    low: bool,
    nodes: u32,
    drain: Vec<usize>,
    keep: Vec<usize>,
    because: String,
}

impl Advice {
    fn new(verdict: ScalingVerdict, peak: Share, because: String) -> Self {
        Self { verdict, peak, low: false, nodes: 0, drain: Vec::new(), keep: Vec::new(), because }
    }
}

/// What all decisions are made of.
struct Scaler<'a> {
    settings: &'a Settings,
    problem: &'a Problem,
    known: bool,
    placed: bool,
    low_rounds: u32,
    demand: Demand,
    cut: Cell<bool>,
}

impl<'a> Scaler<'a> {
    fn new(question: &Question<'a>) -> Self {
        let Question { settings, problem, plan, placed, known, low_rounds } = *question;
        Self {
            settings,
            problem,
            known,
            placed,
            low_rounds,
            demand: Demand::of(problem, plan, settings.place == Place::Native),
            cut: Cell::new(false),
        }
    }

    fn decide(&self) -> Advice {
        let (settings, demand) = (self.settings, &self.demand);
        let planned = demand.peak();
        if !self.known {
            let because =
                "too few loads are measured, or not for long enough, to say how many nodes are needed";
            return Advice::new(ScalingVerdict::Unknown, planned, because.to_owned());
        }
        if planned <= settings.scale_out_load && demand.homeless == 0 {
            return self.decide_low(planned);
        }
        let potential = self.potential(|_| {});
        if potential.fits(settings) {
            let because = format!(
                "the fullest node is at {planned}, which balancing brings to {}, below {}",
                potential.peak(),
                self.limit()
            );
            return Advice::new(ScalingVerdict::None, potential.peak(), because);
        }
        self.decide_out(&potential)
    }

    /// A plan that budget, cooldowns and settling do not hold back, after a change of the problem.
    fn potential(&self, change: impl FnOnce(&mut Problem)) -> Potential {
        let settings = self.settings;
        let time = Duration::from_millis(settings.solver_time_ms / PART);
        let mut budget = Budget::new(settings.solver_steps / PART, time);
        let potential = Potential::of(&self.demand, settings, change, &mut budget);
        self.cut.set(self.cut.get() || budget.spent() == StoppedBy::Time);
        potential
    }

    /// Highest mean that leaves a balanced plan, whose nodes may differ by `load.distance.max`, below the limit.
    fn most_mean(&self) -> Share {
        let (limit, distance) = (self.settings.scale_out_load, self.settings.distance_max);
        (limit - distance).max(Share(limit.0 / 2))
    }

    /// Cores of a node to add: the median of those in use.
    fn node_size(&self) -> Load {
        let active = self.problem.nodes.iter().filter(|node| node.state == NodeState::Active);
        let mut sizes: Vec<Load> = active.map(|node| node.capacity).collect();
        sizes.sort_unstable();
        sizes.get(sizes.len() / 2).copied().unwrap_or(NODE_NOBODY_KNOWS)
    }

    fn limit(&self) -> String {
        format!("scale.out.load {}", self.settings.scale_out_load.fraction())
    }

    fn names(&self, nodes: &[usize]) -> String {
        let names: Vec<&str> = nodes.iter().map(|at| self.problem.nodes[*at].name.as_str()).collect();
        crate::snapshot::some_of(&names)
    }
}

fn names(problem: &Problem, nodes: &[usize]) -> Vec<String> {
    let mut names: Vec<String> = nodes.iter().map(|at| problem.nodes[*at].id.clone()).collect();
    names.sort_unstable();
    names
}

/// Draining nodes that nothing runs on.
fn empty_draining(problem: &Problem) -> Vec<String> {
    let mut used = vec![false; problem.nodes.len()];
    for slot in problem.executor_ids().filter_map(|executor| problem.present.slot(executor)) {
        used[slot.node.at()] = true;
    }
    let nodes = problem.nodes.iter().zip(used);
    nodes
        .filter(|(node, used)| node.state == NodeState::Draining && !used)
        .map(|(node, _)| node.id.clone())
        .collect()
}

/// "1 node", "3 nodes".
fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
