//! Files and folders to sources, each by what is in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::merge::Named;
use super::metrics_log::{MetricsLog, Options};
use super::ui::UiSeries;
use super::{Fault, Format, Loadgen, Loads, Merged, Recording, Source, plain};

/// Bytes that a format is told by.
const HEAD: u64 = 64 * 1024;

/// Folders within folders that are looked into.
const DEPTH: usize = 8;

/// Opens all inputs as one source.
pub fn open(inputs: &[PathBuf], options: &Options) -> Result<Merged, Fault> {
    let mut sources = Vec::new();
    for input in inputs {
        let found = Found::at(input)?;
        let name = input.display().to_string();
        if found.is_empty() {
            return Err(Fault::new(
                name,
                "nothing in it is a recording",
                "give a recording of Ballast, a worker.log.metrics, answers of the Storm UI, a capture of storm-loadgen or a \
                 table of loads with a header",
            ));
        }
        for (format, mut files) in found.by_format {
            files.sort();
            let files: Vec<PathBuf> = files.into_iter().map(|(_, file)| file).collect();
            sources.extend(opened(&name, format, files, options)?);
        }
    }
    Merged::of(sources)
}

/// Files of one format: recordings, answers and logs are read as one, tables and captures each by itself.
fn opened(name: &str, format: Format, files: Vec<PathBuf>, options: &Options) -> Result<Vec<Named>, Fault> {
    let named = |name: &str, source| Named { name: name.to_owned(), format, source };
    let each = |open: fn(&Path) -> Result<Box<dyn Source>, Fault>| {
        files.iter().map(|file| Ok(named(&file.display().to_string(), open(file)?))).collect()
    };
    match format {
        Format::Loads => return each(|file| Ok(Box::new(Loads::open(file)?))),
        Format::LoadgenCapture => return each(|file| Ok(Box::new(Loadgen::open(file)?))),
        Format::Recording | Format::UiAnswer | Format::MetricsLog => {}
    }
    let source: Box<dyn Source> = match format {
        Format::MetricsLog => Box::new(MetricsLog::open(files, options.clone())?),
        Format::UiAnswer => Box::new(UiSeries::new(folders_of(files))),
        _ => Box::new(Recording::open(files)),
    };
    Ok(vec![named(name, source)])
}

/// The folders that answers lie in; a single answer is a folder of its own.
fn folders_of(files: Vec<PathBuf>) -> Vec<PathBuf> {
    if let [_] = files[..] {
        return files;
    }
    let folders: BTreeSet<PathBuf> =
        files.iter().filter_map(|file| Some(file.parent()?.to_owned())).collect();
    folders.into_iter().collect()
}

/// Files of an input.
#[derive(Default)]
struct Found {
    /// With the time that each begins at, where its first bytes tell.
    by_format: BTreeMap<Format, Vec<(Option<i64>, PathBuf)>>,
}

impl Found {
    fn at(input: &Path) -> Result<Self, Fault> {
        let mut found = Self::default();
        found.look(input, DEPTH)?;
        Ok(found)
    }

    fn is_empty(&self) -> bool {
        self.by_format.is_empty()
    }

    fn look(&mut self, path: &Path, depth: usize) -> Result<(), Fault> {
        let fault = |error: std::io::Error| Fault::unreadable(path.display(), &error);
        if !path.is_dir() {
            let head = head(path).map_err(fault)?;
            if let Some(format) = Format::of(&head) {
                let begins = (format == Format::Recording).then(|| Recording::begins(&head)).flatten();
                self.by_format.entry(format).or_default().push((begins, path.to_owned()));
            }
            return Ok(());
        }
        let mut entries: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(path).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            // A link may lead back up.
            if !entry.file_type().map_err(fault)?.is_symlink() {
                entries.push(entry.path());
            }
        }
        entries.sort();
        for entry in entries {
            if !entry.is_dir() || depth > 0 {
                self.look(&entry, depth.saturating_sub(1))?;
            }
        }
        Ok(())
    }
}

/// The first bytes of a file, unpacked.
fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    match plain(File::open(path)?)?.take(HEAD).read_to_end(&mut head) {
        Ok(_) => Ok(head),
        // What was unpacked before it broke tells the format; the reader tells what is wrong.
        Err(_) if !head.is_empty() => Ok(head),
        Err(error) => Err(error),
    }
}
