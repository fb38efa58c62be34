//! `ballast check`: the judge.

use std::io::Write;

use ballast::verify::{Rule, verify};
use ballast::wire::{Reply, Verdict};
use clap::Args;

use super::{Ended, input};

/// Judge a reply: list every rule it breaks for its request.
///
/// The judge shares no code with whoever made the plan. It looks at the request and the reply alone, so it judges
/// plans of other programs and plans edited by hand as well.
#[derive(Args)]
#[command(after_long_help = "\
Exit codes:
  0  no violation
  1  violations, all of them on standard output, one a line; or an input that cannot be used
  2  the command line was not understood

Examples:
  ballast check 41-request.json 41-reply.json
  ballast plan 41-request.json --format json | ballast check 41-request.json -")]
pub(crate) struct Check {
    /// The request, a JSON file, or - for standard input
    #[arg(value_name = "REQUEST.json")]
    request: String,
    /// The reply to it, a JSON file, or - for standard input
    #[arg(value_name = "REPLY.json")]
    reply: String,
}

impl Check {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        if self.request == "-" && self.reply == "-" {
            return Err(Ended::Unusable {
                origin: "standard input".to_owned(),
                detail: "it cannot be the request and the reply".to_owned(),
                advice: "give a file for one of them".to_owned(),
            });
        }
        let request = input::request(&self.request)?;
        let reply = input::reply(&self.reply)?;
        let violations = verify(&request, &reply);
        let mut out = std::io::stdout().lock();
        for violation in &violations {
            writeln!(out, "{violation}")?;
        }
        if violations.is_empty() {
            writeln!(out, "no violation: {}", looked_at(&reply))?;
        }
        out.flush()?;
        match violations.len() {
            0 => Ok(()),
            violations => Err(Ended::Violations {
                request: input::name(&self.request).to_owned(),
                reply: input::name(&self.reply).to_owned(),
                violations,
            }),
        }
    }
}

fn looked_at(reply: &Reply) -> String {
    match reply.verdict {
        Verdict::Refused => "a refusal changes nothing, so only its envelope was looked at".to_owned(),
        _ => format!("{} rules looked at", Rule::ALL.len()),
    }
}
