//! `ballast record`: requests from the Storm UI, as long as it takes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use ballast::ingest::{Fault, Remarks};
use ballast::record::{self, Access, Event, Login, Pace, Recording, Summary, Ui};
use indicatif::ProgressBar;
use jiff::{SignedDuration, Timestamp};

use super::{Ended, progress};

/// Environment variable that may hold the password.
const PASSWORD: &str = "BALLAST_UI_PASSWORD";

/// Largest password or certificate file.
const MOST_OF_A_FILE: u64 = 1 << 20;

/// Exit code of a run that a second interrupt ends at once, as shells have it.
const INTERRUPTED: i32 = 130;

/// Record a cluster through the Storm UI: a request every minute, to replay policies on.
///
/// Nothing is installed into Storm and nothing in it is changed: the UI's REST API is read, one question at a time and
/// never more than half of the time. While the UI is away or answers errors it is asked less often. Every request is
/// written whole, so a recording can be used while it grows, and after a crash.
#[derive(clap::Args)]
#[command(after_long_help = "\
Loads are the bolts' `capacity`, the last 10 minutes of executed tuples times execute latency; rates are of the same 10
minutes. Spouts and system components have no load in Storm's statistics: they are weighed by what they request.

A password comes from the environment variable BALLAST_UI_PASSWORD or from --password-file, never from the command line.

Exit codes:
  0  something was recorded
  1  nothing was, or the recording cannot be written; standard error says why
  2  the command line was not understood

Examples:
  ballast record --ui http://ui.example:8080 --for 2h --out recordings
  ballast record --ui https://ui.example:8443 --ca ca.pem --user viewer --password-file pw --out week.jsonl.gz
  ballast record --ui http://localhost:8080 --once --out now.jsonl.gz")]
pub(crate) struct Record {
    /// Address of the Storm UI
    #[arg(long, value_name = "URL")]
    ui: String,
    /// Where to: a folder, in which a new file is made, or a file ending in .gz, which is continued if it exists
    #[arg(long, value_name = "DIR|FILE.jsonl.gz")]
    out: PathBuf,
    /// From one reading to the next, at least 1s; Storm's statistics change once a minute by default
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = span)]
    every: Duration,
    /// How long to record [default: until interrupted]
    #[arg(long = "for", value_name = "TIME", value_parser = span, conflicts_with = "once")]
    lasts: Option<Duration>,
    /// Read once and end
    #[arg(long)]
    once: bool,
    /// Certificates to trust instead of the public ones, PEM
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Name for basic authentication
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// File that holds the password
    #[arg(long, value_name = "FILE", requires = "user")]
    password_file: Option<PathBuf>,
}

/// A span of time as people write it: 60s, 2h, 1h30m.
fn span(text: &str) -> Result<Duration, String> {
    let wrong = || "write it with its unit, for instance 60s, 15m or 2h".to_owned();
    let span: SignedDuration = text.parse().map_err(|_| wrong())?;
    let span = Duration::try_from(span).map_err(|_| wrong())?;
    if span < Duration::from_secs(1) { Err("it is less than 1s".to_owned()) } else { Ok(span) }
}

impl Record {
    pub(crate) fn run(&self) -> Result<(), Ended> {
        let access = Access { url: self.ui.clone(), ca: self.ca()?, login: self.login()? };
        let mut ui = Ui::new(&access).map_err(unusable)?;
        let mut recording = Recording::open(&self.out, Timestamp::now()).map_err(unusable)?;
        let before = recording.len();
        let pace = Pace { every: self.every, lasts: self.lasts, once: self.once };
        let stop = interrupts();
        let bar = self.bar();
        if access.login.is_some() && ui.address().starts_with("http:") {
            say(&bar, "the password goes over the network as it is; https would hide it");
        }
        let mut seen = 0u64;
        let mut tell = |event: Event<'_>| match event {
            Event::Recorded(request) => {
                seen += 1;
                let executors: usize =
                    request.topologies.iter().map(|topology| topology.executors.len()).sum();
                bar.inc(1);
                bar.set_message(format!("{seen} recorded, the last one with {executors} executors"));
            }
            Event::Away(trouble, pause) => {
                say(
                    &bar,
                    &format!(
                        "{trouble}\n  recording goes on; asked again in {} s, then less often",
                        pause.as_secs()
                    ),
                );
            }
            Event::Back(missed) => say(&bar, &format!("the UI answers again, {missed} readings were missed")),
            Event::Nothing(fault) => say(&bar, &format!("nothing to record: {fault}")),
        };
        let result = record::run(&mut ui, &mut recording, &pace, &stop, &mut tell);
        bar.finish_and_clear();
        let summary = result.map_err(unusable)?;
        self.report(&recording, before, &summary)
    }

    fn report(&self, recording: &Recording, before: u64, summary: &Summary) -> Result<(), Ended> {
        let path = recording.path().display();
        if summary.recorded == 0 {
            let detail = format!("nothing was recorded; {} readings gave no request", summary.missed);
            return Err(Ended::value(
                self.ui.clone(),
                detail,
                "check the address, and what the UI itself shows there",
            ));
        }
        let mut out = std::io::stdout().lock();
        let plural = if summary.recorded == 1 { "" } else { "s" };
        let bytes = recording.len() - before;
        writeln!(out, "{} request{plural} recorded in {path}, {bytes} bytes", summary.recorded)?;
        if summary.missed > 0 {
            writeln!(out, "{} readings gave no request", summary.missed)?;
        }
        noticed(&summary.remarks, &mut out)?;
        Ok(())
    }

    fn ca(&self) -> Result<Option<Vec<u8>>, Ended> {
        self.ca.as_deref().map(|path| small_file(path).map_err(unusable)).transpose()
    }

    fn login(&self) -> Result<Option<Login>, Ended> {
        let Some(user) = &self.user else { return Ok(None) };
        if user.contains(':') {
            return Err(Ended::value(
                "--user".to_owned(),
                "holds a ':'",
                "basic authentication allows none in a name",
            ));
        }
        let password = match &self.password_file {
            Some(path) => {
                let bytes = small_file(path).map_err(unusable)?;
                let text = String::from_utf8_lossy(&bytes);
                text.trim_end_matches(['\r', '\n']).to_owned()
            }
            None => std::env::var(PASSWORD).map_err(|_| {
                let advice = format!("set {PASSWORD}, or give --password-file");
                Ended::value("--user".to_owned(), "there is no password", advice)
            })?,
        };
        Ok(Some(Login { user: user.clone(), password }))
    }

    fn bar(&self) -> ProgressBar {
        match self.lasts {
            Some(lasts) => progress::counted(lasts.as_secs() / self.every.as_secs().max(1) + 1),
            None => progress::endless(),
        }
    }
}

/// What was noticed, a line for each kind.
fn noticed(remarks: &Remarks, out: &mut impl Write) -> std::io::Result<()> {
    for remark in remarks.iter() {
        let first = remark.examples.first().map_or("", String::as_str);
        writeln!(out, "noticed {} times: {first}", remark.count)?;
    }
    Ok(())
}

/// One interrupt ends the recording after the question that is being asked, two end it at once.
fn interrupts() -> Receiver<()> {
    let (sender, stop) = mpsc::sync_channel(1);
    let handler = move || {
        if sender.try_send(()).is_err() {
            std::process::exit(INTERRUPTED);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        // Without a handler an interrupt ends the process, and the recording is whole all the same.
        log::debug!("no handler for interrupts: {error}");
    }
    stop
}

/// A line for the reader, beside a bar or without one.
fn say(bar: &ProgressBar, text: &str) {
    bar.suspend(|| {
        // With standard error closed nobody listens.
        let _unheard = writeln!(std::io::stderr(), "ballast: {text}");
    });
}

fn small_file(path: &Path) -> Result<Vec<u8>, Fault> {
    let place = path.display();
    let length = fs::metadata(path).map_err(|error| Fault::unreadable(&place, &error))?.len();
    if length > MOST_OF_A_FILE {
        return Err(Fault::new(place.to_string(), format!("{length} bytes"), "give the file that was meant"));
    }
    fs::read(path).map_err(|error| Fault::unreadable(place, &error))
}

fn unusable(fault: Fault) -> Ended {
    Ended::Unusable { origin: fault.place, detail: fault.detail, advice: fault.advice }
}
