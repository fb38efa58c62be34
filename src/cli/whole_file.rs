//! A file that is written as a whole or not at all: what stood there before stays until all of the new one is on disk.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes beside the file and then takes its place. Pipes and devices (`/dev/stdout`) are written as they are.
pub(crate) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    // A link stays one, to the file it leads to.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        return fs::write(path, content);
    }
    let part = part_of(&path);
    let written = File::create(&part).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&part, &path)
    });
    if written.is_err() {
        // What failed is told; that this may fail too adds nothing.
        let _left = fs::remove_file(&part);
    }
    written
}

fn part_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    PathBuf::from(name)
}
