//! A folder of saved answers as a recording of one window.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::answer::{Answer, MOST_BYTES, Unusable, is_mine};
use super::answers::{Answers, Origin};
use super::snapshot::request;
use crate::ingest::{Fault, RemarkCode, Remarks, Source, Window, quoted};

/// Most files that one folder is believed to hold.
const MOST_FILES: usize = 100_000;

/// Largest sum of the answers of one folder.
const MOST_OF_A_FOLDER: u64 = 1 << 30;

/// What a file is told by.
const HEAD_BYTES: u64 = 8 << 10;

/// File that holds the time of the answers, in seconds since the epoch.
const TIME_FILE: &str = "at";

/// One folder of answers, or a single answer: one window.
#[derive(Debug)]
pub struct UiFolder {
    window: Option<Window>,
    remarks: Remarks,
}

impl UiFolder {
    /// Reads the answers in a folder, not those in folders within it; a file is a folder of one.
    ///
    /// Files may have any name, since every answer tells what it is about; what is no answer is left out with a remark.
    ///
    /// # Errors
    /// Where the folder cannot be read, and where the answers do not suffice: an error in the place of a page that is needed, no
    /// executor at all, or a slot that two topologies claim.
    pub fn open(folder: &Path) -> Result<Self, Fault> {
        let place = shown(folder);
        let mut remarks = Remarks::default();
        let mut answers = Answers::default();
        let mut saved = None;
        let mut room = MOST_OF_A_FOLDER;
        let paths = paths(folder).map_err(|error| Fault::unreadable(&place, &error))?;
        if paths.len() > MOST_FILES {
            let advice = "give a folder with the answers of one moment";
            return Err(Fault::new(place, format!("{} files", paths.len()), advice));
        }
        for path in &paths {
            if path.file_name().is_some_and(|name| name == TIME_FILE) {
                continue;
            }
            let time = add(&mut answers, path, &mut room, &mut remarks)
                .map_err(|error| Fault::unreadable(shown(path), &error))?;
            saved = saved.max(time);
        }
        let at = told(folder, &mut remarks).or(saved).unwrap_or_default();
        Self::of(&answers, &place, at, remarks)
    }

    /// Reads answers that were saved elsewhere than in files, each with a name for messages, at `at` seconds since the
    /// epoch; of two about the same thing the later one counts.
    ///
    /// # Errors
    /// As [`UiFolder::open`].
    pub fn read(place: &str, at: i64, saved: &[(&str, &[u8])]) -> Result<Self, Fault> {
        let mut answers = Answers::default();
        for (at, (name, bytes)) in saved.iter().enumerate() {
            let origin = Origin { saved: at as i128, name: quoted(name) };
            match Answer::read(bytes) {
                Ok(answer) => answers.add(origin, answer),
                Err(why) => answers.add_failure(origin.name, why),
            }
        }
        Self::of(&answers, place, at, Remarks::default())
    }

    fn of(answers: &Answers, place: &str, at: i64, mut remarks: Remarks) -> Result<Self, Fault> {
        let request = request(answers, place, at, 1, &mut remarks)?;
        Ok(Self { window: Some(Window { at, request }), remarks })
    }
}

/// When the answers of a folder were saved, in seconds since the epoch; only to put folders in order.
pub(super) fn time_of(folder: &Path) -> i64 {
    let modified = || fs::metadata(folder).ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok();
    told(folder, &mut Remarks::default()).or_else(|| Some(modified()?.as_secs() as i64)).unwrap_or_default()
}

impl Source for UiFolder {
    fn next(&mut self) -> Result<Option<Window>, Fault> {
        Ok(self.window.take())
    }

    fn remarks(&self) -> &Remarks {
        &self.remarks
    }
}

/// A path as it may stand in a message: names come from wherever the folder does.
fn shown(path: &Path) -> String {
    quoted(&path.display().to_string())
}

/// The files of a folder, by name.
fn paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if fs::metadata(folder)?.is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)?.take(MOST_FILES + 1) {
        let path = entry?.path();
        if fs::metadata(&path)?.is_file() {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

/// Adds a file and says when it was saved, in seconds since the epoch.
fn add(answers: &mut Answers, path: &Path, room: &mut u64, remarks: &mut Remarks) -> io::Result<Option<i64>> {
    let name = shown(path);
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let saved = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let saved = saved.unwrap_or_default();
    let mut bytes = Vec::new();
    let mut reader = file.take(MOST_BYTES + 1);
    reader.by_ref().take(HEAD_BYTES).read_to_end(&mut bytes)?;
    if !bytes.is_empty() && !is_mine(&bytes) {
        remarks.add(RemarkCode::Unknown, || format!("{name}: no answer of the UI, left out"));
        return Ok(None);
    }
    reader.take(*room).read_to_end(&mut bytes)?;
    *room = room.saturating_sub(bytes.len() as u64);
    let answer = if *room == 0 { Err(Unusable::TooLarge) } else { Answer::read(&bytes) };
    match answer {
        Ok(answer) => {
            answers.add(Origin { saved: saved.as_nanos() as i128, name }, answer);
            Ok(Some(saved.as_secs() as i64))
        }
        Err(why) => {
            answers.add_failure(name, why);
            Ok(None)
        }
    }
}

/// The time that the folder's own file tells.
fn told(folder: &Path, remarks: &mut Remarks) -> Option<i64> {
    let path = folder.join(TIME_FILE);
    let mut text = String::new();
    File::open(&path).ok()?.take(64).read_to_string(&mut text).ok()?;
    let time = text.trim().parse().ok().filter(|secs| (0..100_000_000_000).contains(secs));
    if time.is_none() {
        remarks.add(RemarkCode::Unknown, || {
            format!("{}: no seconds since the epoch; the files' own times are taken", shown(&path))
        });
    }
    time
}
