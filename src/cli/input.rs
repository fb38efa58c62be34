//! Files in, with the file's name in every error.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use ballast::ingest::{self, Fault, Options, Source};
use ballast::wire::{Refusal, Reply, Request, decode_reply, decode_request};

use super::Ended;

/// A request from a file, or from standard input when the file is `-`.
pub(crate) fn request(file: &str) -> Result<Request, Ended> {
    decoded(file, decode_request)
}

/// One window of a recording: the last, or the last that ends by a time in seconds since the epoch.
pub(crate) fn window(input: &Path, by: Option<i64>) -> Result<Request, Ended> {
    let unusable =
        |fault: Fault| Ended::Unusable { origin: fault.place, detail: fault.detail, advice: fault.advice };
    let mut source = ingest::open(&[input.to_owned()], &Options::default()).map_err(unusable)?;
    let (mut found, mut first) = (None, None);
    while let Some(window) = source.next().map_err(unusable)? {
        first.get_or_insert(window.at);
        if by.is_some_and(|by| window.at > by) {
            break;
        }
        found = Some(window.request);
    }
    found.ok_or_else(|| {
        let detail = match first {
            Some(first) => format!("its first window ends at {first}"),
            None => "it has no window".to_owned(),
        };
        Ended::value(input.display().to_string(), detail, "give a later --at, or another recording")
    })
}

/// Seconds since the epoch of what an option says.
pub(crate) fn time(text: &str) -> Result<i64, String> {
    ingest::time(text).ok_or_else(|| "write seconds since the epoch, or 2026-11-30T00:28:34Z".to_owned())
}

/// A reply from a file, or from standard input when the file is `-`.
pub(crate) fn reply(file: &str) -> Result<Reply, Ended> {
    decoded(file, decode_reply)
}

/// What to call a file in messages.
pub(crate) fn name(file: &str) -> &str {
    if file == "-" { "standard input" } else { file }
}

fn decoded<T>(file: &str, decode: fn(&[u8]) -> Result<T, Refusal>) -> Result<T, Ended> {
    let bytes = read(file).map_err(|error| Ended::Unusable {
        origin: name(file).to_owned(),
        detail: error.to_string(),
        advice: "give a file that can be read, or - for standard input".to_owned(),
    })?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Ended::Unusable {
            origin: name(file).to_owned(),
            detail: "it is empty".to_owned(),
            advice: "a recording that was cut short can be deleted; the others are whole".to_owned(),
        });
    }
    decode(&bytes).map_err(|refusal| Ended::unusable(name(file), refusal))
}

fn read(file: &str) -> io::Result<Vec<u8>> {
    if file != "-" {
        return fs::read(file);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
