//! `ballast generate`: a made-up cluster as a request.

use std::io::{BufWriter, Write};

use ballast::generate::{LoadShares, OneToOne, Stateful};
use ballast::wire::Request;
use clap::Args;

use super::groups::{Capacity, Distribution, GroupOptions, Size, States, drift};
use super::{Ended, progress};

/// Make up a cluster: the synthetic set-up of the papers, as a request that `ballast plan -` answers.
///
/// One topology with one executor a worker: each executor is then one key group of the papers, and a move costs one
/// restart. The settings of the request let the balance alone count: any gain is worth a restart, and no distance is
/// small enough to be left.
#[derive(Args)]
#[command(after_long_help = "\
The same options and seed make the same request, byte for byte. With other capacities, budgets or a distribution of the
same kind the utilizations of the nodes stay the same, so rows that differ in one option can be compared.

Source: the synthetic experiments of ALBIC (ICDE 2017). A node begins with a utilization around 50 %.

Exit codes:
  0  the request is on standard output
  1  a value cannot be used; standard error names the option, the value and what it takes
  2  the command line was not understood

Examples:
  ballast generate | ballast plan -
  ballast generate --nodes 60 --groups 1200 --variation 0.8 --seed 7 | ballast plan - --strategy flux
  ballast generate --paired 1 --target 0.1 --budget 20 | ballast plan - --strategy albic
  ballast generate --copies 2 --racks 10 --variation 0.03 | ballast checkpoints -
  ballast generate --distribution zipf --capacities mixed --budget 40 > zipf-request.json")]
pub(crate) struct Generate {
    /// Nodes
    #[arg(long, value_name = "N", default_value_t = 20)]
    nodes: usize,
    /// Key groups in all, a multiple of the nodes
    #[arg(long, value_name = "N", default_value_t = 400)]
    groups: usize,
    #[command(flatten)]
    options: GroupOptions,
    /// Half of the groups send to the other half: this part of what each sends to a partner of its own, the rest to all
    /// alike; 1 is one-to-one, 0 full [default: no traffic]
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    paired: Option<f64>,
    /// Groups with a state, of which so many copies are to lie on other nodes; the load distance that is good enough is 5
    /// points, the mean state 100 MB unless --state-mib says otherwise [default: no copies]
    #[arg(long, value_name = "N", conflicts_with = "paired")]
    copies: Option<usize>,
    /// Racks, to which nodes belong in turn; 0 or 1: they do not count
    #[arg(long, value_name = "N", default_value_t = 0, requires = "copies")]
    racks: usize,
    /// What the size of a state has to do with the load of its group
    #[arg(long, value_enum, default_value_t = States::Uncorrelated, requires = "copies")]
    state: States,
    /// Statistics periods that have passed, each with its drift of the loads
    #[arg(long, value_name = "N", default_value_t = 0)]
    period: u32,
    /// Each load is multiplied by 1 - F to 1 + F in every period
    #[arg(long, value_name = "F", default_value_t = 0.0, allow_negative_numbers = true)]
    drift: f64,
    /// Same seed, same cluster
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

impl Generate {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        let origin = format!("--nodes {} --groups {}", self.nodes, self.groups);
        let size = Size::new(&origin, self.nodes, self.groups)?;
        let what = format!("making {} groups on {} nodes", size.groups, size.nodes);
        let request = progress::during(&what, || self.request(size))?;
        let mut out = BufWriter::new(std::io::stdout().lock());
        serde_json::to_writer(&mut out, &request).map_err(std::io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
        Ok(())
    }

    fn request(&self, size: Size) -> Result<Request, Ended> {
        let drift = drift(self.drift, self.seed)?;
        let mut request = match (self.paired, self.copies) {
            (None, None) => self.options.request(size, self.seed)?,
            (None, Some(copies)) => self.stateful(size, copies)?,
            (Some(paired), _) => self.job(size, paired)?,
        };
        (1..=self.period).for_each(|period| drift.apply(&mut request, period));
        Ok(request)
    }

    /// Groups with states to be copied.
    fn stateful(&self, size: Size, copies: usize) -> Result<Request, Ended> {
        let domains = if self.racks > 1 { self.racks.min(size.nodes) } else { size.nodes };
        if copies == 0 || copies >= domains {
            return Err(Ended::value(
                format!("--copies {copies}"),
                format!("{domains} nodes or racks have room for 1 to {}", domains - 1),
                "give more nodes or racks, or fewer copies",
            ));
        }
        let even = self.options.capacities == Capacity::Even;
        if !even || self.options.target != 0.0 {
            return Err(Ended::value(
                "--capacities or --target".to_owned(),
                "with --copies nodes have 100 cores each and 5 points are good enough",
                "leave the option out",
            ));
        }
        let groups = self.options.groups(size, self.seed)?;
        let cluster = Stateful {
            nodes: size.nodes,
            variation: groups.variation,
            per_node: size.groups / size.nodes,
            loads: match self.options.distribution {
                Distribution::Uniform => LoadShares::Uniform,
                Distribution::Zipf => LoadShares::Zipf,
            },
            states: self.state.into(),
            mean_state: groups.state.map_or(1e8, |state| state.mean_mib * 1_048_576.0),
            copies,
            racks: self.racks,
            slack: 0.005,
            seed: self.seed,
        };
        let mut request = cluster.request(groups.budget);
        if let Some(mib) = self.options.budget_state_mib {
            request.settings.insert("budget.state.mib".to_owned(), mib.into());
        }
        Ok(request)
    }

    /// Two operators that talk, from a random placement.
    fn job(&self, size: Size, paired: f64) -> Result<Request, Ended> {
        if !(0.0..=1.0).contains(&paired) {
            return Err(Ended::value(
                format!("--paired {paired}"),
                "it takes 0 to 1",
                "1 is one-to-one, 0 full",
            ));
        }
        if !size.groups.is_multiple_of(2) {
            let origin = format!("--groups {}", size.groups);
            return Err(Ended::value(
                origin,
                "half of them cannot send to the other half",
                "give an even number",
            ));
        }
        if self.options.state_mib.is_some() {
            return Err(Ended::value(
                "--state-mib".to_owned(),
                "jobs that talk have no state here",
                "leave one of the two out",
            ));
        }
        let groups = self.options.groups(size, self.seed)?;
        let job = OneToOne {
            nodes: size.nodes,
            pairs: size.groups / 2,
            variation: groups.variation,
            paired,
            budget: groups.budget,
            distance_max: groups.target,
            seed: self.seed,
        };
        Ok(job.request())
    }
}
