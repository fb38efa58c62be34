//! Ballast's own recordings: requests, one JSON object each.
//!
//! A file holds one request (`ballast.record.dir`, or edited by hand), or one a line (`ballast record`), compressed by
//! gzip or not. Each request is a window that ends when it was taken.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Fault, RemarkCode, Remarks, Source, Window, plain};
use crate::wire::{Request, decode_request};

/// Bytes of one request at most: a million executors take a third of it.
const MOST_BYTES: u64 = 1 << 30;

/// Seconds between two windows where a request does not say when it was taken.
const APART: i64 = 60;

/// Requests of files, one after the other.
pub struct Recording {
    files: VecDeque<PathBuf>,
    open: Option<Lines>,
    last: Option<i64>,
    remarks: Remarks,
}

/// A file on its way.
struct Lines {
    name: String,
    reader: Box<dyn BufRead>,
    line: u64,
}

impl Recording {
    /// Recordings in files, which are read in the order given.
    pub fn open(files: Vec<PathBuf>) -> Self {
        Self { files: files.into(), open: None, last: None, remarks: Remarks::default() }
    }

    /// True when a file that begins like this is a recording.
    pub fn is_mine(head: &[u8]) -> bool {
        let text = without_blanks(head);
        text.starts_with('{') && text.contains(r#""ballast":"snapshot""#)
    }

    /// When the first window of a file that begins like this ends.
    pub(super) fn begins(head: &[u8]) -> Option<i64> {
        let text = without_blanks(head);
        let (_, after) = text.split_once(r#""taken_at":""#)?;
        taken_at(after.split('"').next()?)
    }

    /// The same of what is in memory, not packed.
    pub fn of_bytes(name: &str, bytes: Vec<u8>) -> Self {
        let lines = Lines { name: name.to_owned(), reader: Box::new(Cursor::new(bytes)), line: 0 };
        Self { files: VecDeque::new(), open: Some(lines), last: None, remarks: Remarks::default() }
    }

    fn window(&mut self, place: &str, request: Request) -> Result<Option<Window>, Fault> {
        let at = match &request.taken_at {
            Some(text) => taken_at(text).ok_or_else(|| {
                Fault::new(
                    place,
                    format!("field taken_at: {:?} is no time", super::quoted(text)),
                    "write it as 2026-11-30T00:28:34Z, or leave it out",
                )
            })?,
            None => {
                let at = self.last.map_or(0, |last| last + APART);
                self.remarks.add(RemarkCode::Guessed, || {
                    format!("{place}: no taken_at; taken as {APART} s after the one before")
                });
                at
            }
        };
        if self.last.is_some_and(|last| at < last) {
            self.remarks.add(RemarkCode::Contradiction, || {
                format!("{place}: taken before the one before it; left out")
            });
            return Ok(None);
        }
        self.last = Some(at);
        Ok(Some(Window { at, request }))
    }
}

/// The first bytes as text without what JSON may have between its words.
fn without_blanks(head: &[u8]) -> String {
    String::from_utf8_lossy(head).chars().filter(|c| !c.is_whitespace()).collect()
}

/// Seconds since the epoch of an RFC 3339 time.
fn taken_at(text: &str) -> Option<i64> {
    text.parse::<jiff::Timestamp>().ok().map(|time| time.as_second())
}

/// A request as `ballast record` appends it: a line that is packed by itself, so that whatever happens to the next one it
/// is whole.
///
/// # Errors
/// None that memory does not make.
pub fn packed(request: &Request) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut encoder, request)?;
    encoder.write_all(b"\n")?;
    encoder.finish()
}

impl Source for Recording {
    fn next(&mut self) -> Result<Option<Window>, Fault> {
        loop {
            if self.open.is_none() {
                let Some(path) = self.files.pop_front() else { return Ok(None) };
                let name = path.display().to_string();
                let file = File::open(&path).map_err(|error| Fault::unreadable(&name, &error))?;
                let reader = plain(file).map_err(|error| Fault::unreadable(&name, &error))?;
                self.open = Some(Lines { name, reader: Box::new(BufReader::new(reader)), line: 0 });
            }
            let lines = self.open.as_mut().expect("just opened");
            let Some((place, bytes)) = lines.next(&mut self.remarks)? else {
                self.open = None;
                continue;
            };
            let request = decode_request(&bytes).map_err(|refusal| {
                Fault::new(&place, format!("{}: {}", refusal.code, refusal.detail), refusal.advice)
            })?;
            if let Some(window) = self.window(&place, request)? {
                return Ok(Some(window));
            }
        }
    }

    fn remarks(&self) -> &Remarks {
        &self.remarks
    }
}

impl Lines {
    /// The next object and its place: a line, or all of a file whose first line is only the beginning of one.
    fn next(&mut self, remarks: &mut Remarks) -> Result<Option<(String, Vec<u8>)>, Fault> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            self.line += 1;
            let read = self.reader.by_ref().take(MOST_BYTES).read_until(b'\n', &mut bytes);
            let place = format!("{}:{}", self.name, self.line);
            match read {
                Ok(0) => return Ok(None),
                Ok(_) if bytes.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(_) => {}
                Err(error) if is_cut(&error) => {
                    remarks.add(RemarkCode::Cut, || format!("{place}: the file ends in the middle: {error}"));
                    return Ok(None);
                }
                Err(error) => return Err(Fault::unreadable(&place, &error)),
            }
            let whole = bytes.trim_ascii_end().ends_with(b"}");
            if self.line == 1 && !whole {
                self.reader
                    .by_ref()
                    .take(MOST_BYTES)
                    .read_to_end(&mut bytes)
                    .map_err(|error| Fault::unreadable(&self.name, &error))?;
                return Ok(Some((self.name.clone(), bytes)));
            }
            if !whole && !bytes.ends_with(b"\n") {
                remarks
                    .add(RemarkCode::Cut, || format!("{place}: the last line ends in the middle; left out"));
                return Ok(None);
            }
            return Ok(Some((place, bytes)));
        }
    }
}

/// Compressed data that is not all there: whoever wrote it was killed.
fn is_cut(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::InvalidInput | ErrorKind::InvalidData)
}
