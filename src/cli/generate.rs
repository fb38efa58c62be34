//! `ballast generate`: a made-up cluster as a request.

use std::io::{BufWriter, Write};

use clap::Args;

use super::groups::{GroupOptions, Size};
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
    /// Same seed, same cluster
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

impl Generate {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        let origin = format!("--nodes {} --groups {}", self.nodes, self.groups);
        let size = Size::new(&origin, self.nodes, self.groups)?;
        let what = format!("making {} groups on {} nodes", size.groups, size.nodes);
        let request = progress::during(&what, || self.options.request(size, self.seed))?;
        let mut out = BufWriter::new(std::io::stdout().lock());
        serde_json::to_writer(&mut out, &request).map_err(std::io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
        Ok(())
    }
}
