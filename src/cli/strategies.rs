//! `ballast strategies`: what there is to choose from.

use std::io::Write;

use ballast::{checkpoint, solve};
use clap::Args;

use super::Ended;

/// List the strategies, each with what it does.
///
/// The names are what --strategy and the key ballast.strategy take.
#[derive(Args)]
#[command(after_long_help = "Exit code: 0.\n\nExample:\n  ballast strategies")]
pub(crate) struct Strategies {}

impl Strategies {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        let mut out = std::io::stdout().lock();
        let widest = solve::names().iter().map(|name| name.len()).max().unwrap_or(0);
        for strategy in solve::registry() {
            writeln!(out, "{:widest$}  {}", strategy.name(), strategy.about())?;
        }
        writeln!(
            out,
            "\nFor copies of states, what --strategy of `ballast checkpoints` and ballast.checkpoint.strategy take:"
        )?;
        let widest = checkpoint::registry().iter().map(|strategy| strategy.name().len()).max().unwrap_or(0);
        for strategy in checkpoint::registry() {
            writeln!(out, "{:widest$}  {}", strategy.name(), strategy.about())?;
        }
        out.flush()?;
        Ok(())
    }
}
