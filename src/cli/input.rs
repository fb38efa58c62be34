//! Files in, with the file's name in every error.

use std::fs;
use std::io::{self, Read};

use ballast::wire::{Refusal, Reply, Request, decode_reply, decode_request};

use super::Ended;

/// A request from a file, or from standard input when the file is `-`.
pub(crate) fn request(file: &str) -> Result<Request, Ended> {
    decoded(file, decode_request)
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
