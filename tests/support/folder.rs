//! Folders of tests.

use std::fs;
use std::path::PathBuf;

/// A folder for one test, which begins empty; `name` is unique among the tests of its file.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME")).join(name);
    let _absent = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}
