//! A spinner or a bar for work that takes long, on standard error and only where a terminal is there.

use std::io::IsTerminal;
use std::panic;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Work done sooner shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// Does the work and shows that it is going on, once it has taken longer than one waits without asking.
pub(crate) fn during<T: Send>(what: &str, work: impl FnOnce() -> T + Send) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, waiting) = mpsc::channel::<()>();
        let worker = scope.spawn(move || {
            // Dropped when the work ends, by a panic too: either way the wait below is over.
            let _done = done;
            work()
        });
        if waiting.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            let bar = spinner(what);
            // The end of the channel is the only message there is.
            let _ended = waiting.recv();
            bar.finish_and_clear();
        }
        worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
    })
}

fn spinner(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}").expect("the template is fixed");
    let bar = ProgressBar::new_spinner().with_style(style).with_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// A bar for work of so many parts, on standard error and only where a terminal is there.
pub(crate) fn counted(parts: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}").expect("the template is fixed");
    let bar = ProgressBar::new(parts).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// A count of work whose end nobody knows, on standard error and only where a terminal is there.
pub(crate) fn open_ended(what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{spinner} {pos} {msg} {elapsed}").expect("the template is fixed");
    let bar = ProgressBar::new_spinner().with_style(style).with_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// A spinner for work without an end, on standard error and only where a terminal is there.
#[cfg(feature = "record")]
pub(crate) fn endless() -> ProgressBar {
    if std::io::stderr().is_terminal() { spinner("") } else { ProgressBar::hidden() }
}
