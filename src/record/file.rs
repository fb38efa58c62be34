//! The file that requests are appended to: JSON lines, each a gzip member of its own.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;
use jiff::Timestamp;
use serde::Deserialize;

use crate::ingest::{Fault, packed, quoted};
use crate::wire::Request;

/// Largest request that is looked at in a recording that is to be continued.
const MOST_OF_A_REQUEST: u64 = 1 << 30;

/// Names tried for a new recording of one second.
const NAMES: u32 = 100;

/// A recording that is being written.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    file: File,
    /// Bytes of whole requests.
    len: u64,
    /// Of the last request.
    generation: u64,
    /// It was made here, so it goes if nothing comes of it.
    new: bool,
}

/// What stands in a request and is needed to go on after it.
#[derive(Deserialize)]
struct Last {
    ballast: String,
    generation: u64,
}

impl Recording {
    /// A recording at `out`: a file that ends in `.gz`, or a folder, in which a new file named after the time `now` is
    /// made, and no other is touched. An existing file is continued after its last whole request.
    ///
    /// # Errors
    /// A file that cannot be written, is being written by another, or is no recording of Ballast's.
    pub fn open(out: &Path, now: Timestamp) -> Result<Self, Fault> {
        let unreadable = |error: &io::Error| Fault::unreadable(out.display(), error);
        let is_file = out.extension().is_some_and(|ext| ext == "gz") || out.is_file();
        if is_file && !out.is_dir() {
            return Self::continued(out);
        }
        fs::create_dir_all(out).map_err(|error| unreadable(&error))?;
        let time = now.strftime("%Y%m%dT%H%M%SZ").to_string();
        for attempt in 1..=NAMES {
            let more = if attempt == 1 { String::new() } else { format!("-{attempt}") };
            let path = out.join(format!("ballast-{time}{more}.jsonl.gz"));
            match OpenOptions::new().append(true).create_new(true).open(&path) {
                Ok(file) => {
                    // So that nobody continues it meanwhile; a file system may know no locks.
                    let _unlocked = file.try_lock();
                    return Ok(Self { path, file, len: 0, generation: 0, new: true });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Fault::unreadable(path.display(), &error)),
            }
        }
        Err(Fault::new(
            out.display().to_string(),
            format!("{NAMES} recordings of one second"),
            "give another folder",
        ))
    }

    fn continued(path: &Path) -> Result<Self, Fault> {
        let place = path.display().to_string();
        let unreadable = |error: &io::Error| Fault::unreadable(&place, error);
        let new = !path.exists();
        let file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(|e| unreadable(&e))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Fault::new(place, "another recorder is writing it", "give another file"));
            }
            // A file system that knows no locks.
            Err(TryLockError::Error(_)) => {}
        }
        let (len, generation) = whole(&file, &place)?;
        file.set_len(len).map_err(|error| unreadable(&error))?;
        Ok(Self { path: path.to_owned(), file, len, generation, new })
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its size in bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether nothing was recorded yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number that the next request is to carry.
    pub(super) fn next_generation(&self) -> u64 {
        self.generation.saturating_add(1)
    }

    /// Appends a request. What cannot be written whole is taken back.
    ///
    /// # Errors
    /// The file cannot be written, for instance since the disk is full.
    pub fn append(&mut self, request: &Request) -> Result<(), Fault> {
        let member = packed(request).and_then(|member| self.file.write_all(&member).map(|()| member.len()));
        match member {
            Ok(written) => {
                self.len += written as u64;
                self.generation = request.generation;
                Ok(())
            }
            Err(error) => {
                // If this fails too, a reader still finds every request but the cut one.
                let _cut = self.file.set_len(self.len);
                let advice = "what was recorded before is whole; make room, or give another --out";
                Err(Fault::new(self.path.display().to_string(), error.to_string(), advice))
            }
        }
    }
}

impl Drop for Recording {
    /// A file that was made for nothing goes.
    fn drop(&mut self) {
        if self.new && self.len == 0 {
            let _stays = fs::remove_file(&self.path);
        }
    }
}

/// Bytes of whole members, and the generation of the last request in them.
fn whole(mut file: &File, place: &str) -> Result<(u64, u64), Fault> {
    let unreadable = |error: io::Error| Fault::unreadable(place, &error);
    let (mut len, mut generation) = (0, 0);
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let mut reader = BufReader::new(file);
    while !reader.fill_buf().map_err(unreadable)?.is_empty() {
        let mut decoder = GzDecoder::new(reader);
        let mut text = Vec::new();
        match decoder.by_ref().take(MOST_OF_A_REQUEST).read_to_end(&mut text) {
            Ok(_) => {}
            // The recorder died while it wrote; that request is lost anyway.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof && len > 0 => break,
            Err(error) => return Err(foreign(place, len, &error.to_string())),
        }
        generation = last(&text).ok_or_else(|| foreign(place, len, "no requests"))?;
        reader = decoder.into_inner();
        len = reader.stream_position().map_err(unreadable)?;
    }
    Ok((len, generation))
}

fn last(text: &[u8]) -> Option<u64> {
    let line = text.trim_ascii_end().rsplit(|byte| *byte == b'\n').next()?;
    let last: Last = serde_json::from_slice(line).ok()?;
    (last.ballast == "snapshot").then_some(last.generation)
}

fn foreign(place: &str, at: u64, why: &str) -> Fault {
    Fault::new(
        place,
        format!("no recording of Ballast's that could be continued, at byte {at}: {}", quoted(why)),
        "it is left as it is; give another file, or a folder",
    )
}
