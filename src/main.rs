//! The command line: parse, dispatch, exit code.

mod cli;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Args, Ended};

fn main() -> ExitCode {
    let args = Args::parse();
    args.start_log();
    match cli::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has read enough, as `head` does.
        Err(Ended::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(ended) => {
            // With standard error closed too, the exit code is all that is left to say.
            let _unheard = writeln!(std::io::stderr(), "ballast: {ended}");
            ExitCode::from(ended.code())
        }
    }
}
