//! Reading after reading, until it is time or somebody says stop.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::client::Trouble;
use super::file::Recording;
use super::pace::Pace;
use super::poll::{Reading, Ui};
use crate::ingest::{Fault, Remarks};
use crate::wire::Request;

/// What happened, as it happens.
#[derive(Debug)]
pub enum Event<'a> {
    /// A request was appended.
    Recorded(&'a Request),
    /// The UI cannot be read, said once until it can be read again; when it is asked next.
    Away(&'a Trouble, Duration),
    /// It can be read again, after so many readings that failed.
    Back(u64),
    /// Its answers make no request, said once until they do.
    Nothing(&'a Fault),
}

/// What came of it all.
#[derive(Debug, Default)]
pub struct Summary {
    /// Requests recorded.
    pub recorded: u64,
    /// Readings that gave none.
    pub missed: u64,
    /// What was noticed in the answers.
    pub remarks: Remarks,
}

/// Records until the time is over or `stop` says so.
///
/// # Errors
/// A recording that cannot be written on, whole up to the last request. A first reading that wants a password, since
/// asking again and again with a wrong one locks accounts. With `once`, a reading that gives no request.
pub fn run(
    ui: &mut Ui,
    recording: &mut Recording,
    pace: &Pace,
    stop: &Receiver<()>,
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<Summary, Fault> {
    let mut summary = Summary::default();
    let mut failures = 0u32;
    let mut said_nothing = false;
    let began = Instant::now();
    loop {
        let start = Instant::now();
        let at = Timestamp::now().as_second();
        let read = ui.read(at, recording.next_generation(), &mut summary.remarks);
        let pause = match read {
            Ok(reading) => {
                if failures > 0 {
                    tell(Event::Back(u64::from(failures)));
                }
                failures = 0;
                match reading {
                    Reading::Whole(request) => {
                        recording.append(&request)?;
                        summary.recorded += 1;
                        said_nothing = false;
                        tell(Event::Recorded(&request));
                    }
                    Reading::Nothing(fault) => {
                        if pace.once {
                            return Err(fault);
                        }
                        summary.missed += 1;
                        if !said_nothing {
                            tell(Event::Nothing(&fault));
                        }
                        said_nothing = true;
                    }
                }
                pace.after(start.elapsed())
            }
            Err(trouble) => {
                if pace.once || (wants_another_user(&trouble) && summary.recorded == 0) {
                    return Err(fault(ui, &trouble));
                }
                summary.missed += 1;
                failures = failures.saturating_add(1);
                let pause = pace.after_failures(failures);
                if failures == 1 {
                    tell(Event::Away(&trouble, pause));
                }
                pause
            }
        };
        let over = pace.is_over(began.elapsed() + pause);
        if pace.once || over || stopped(stop, pause) {
            return Ok(summary);
        }
    }
}

fn wants_another_user(trouble: &Trouble) -> bool {
    matches!(trouble, Trouble::Login(_) | Trouble::Forbidden(..))
}

fn stopped(stop: &Receiver<()>, pause: Duration) -> bool {
    match stop.recv_timeout(pause) {
        Ok(()) => true,
        Err(RecvTimeoutError::Timeout) => false,
        // Nobody is left who could say stop.
        Err(RecvTimeoutError::Disconnected) => {
            std::thread::sleep(pause);
            false
        }
    }
}

fn fault(ui: &Ui, trouble: &Trouble) -> Fault {
    Fault::new(ui.address(), trouble.to_string(), "check the address, and what the UI itself shows there")
}
