//! `storm-conf/ballast.yaml` and the README's table of keys say what the code does.

use std::collections::BTreeMap;
use std::path::Path;

use ballast::settings::{SPECS, Spec, Takes};

/// What the file says of one key.
struct Entry {
    default: String,
    brackets: String,
    meaning: String,
}

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Entries by key without its prefix: comment lines, the last of them in brackets, and `#ballast.KEY: DEFAULT`.
fn entries() -> BTreeMap<String, Entry> {
    let mut entries = BTreeMap::new();
    let mut comment: Vec<String> = Vec::new();
    for line in read("storm-conf/ballast.yaml").lines() {
        if let Some(setting) = line.strip_prefix("#ballast.") {
            let (key, default) = setting.split_once(':').expect("a key ends with a colon");
            let brackets = comment.pop().unwrap_or_default();
            let entry = Entry { default: default.trim().to_owned(), brackets, meaning: comment.join(" ") };
            assert!(entries.insert(key.to_owned(), entry).is_none(), "{key} stands there twice");
            comment.clear();
        } else if let Some(text) = line.strip_prefix("# ") {
            comment.push(text.to_owned());
        } else {
            comment.clear();
        }
    }
    entries
}

/// The default as YAML: a JSON text without its quotes, nothing for a key that is not set.
fn default_of(spec: &Spec) -> String {
    match serde_json::from_str(spec.default).expect("defaults are JSON") {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => text,
        _ => spec.default.to_owned(),
    }
}

fn brackets_of(spec: &Spec) -> String {
    let values = match spec.takes {
        Takes::Switch => "true or false".to_owned(),
        Takes::Word(words) => words.join(" or "),
        Takes::Whole(low, u64::MAX) => format!("{low} and more"),
        Takes::Whole(low, high) => format!("{low} to {high}"),
        Takes::Number(low, high) => format!("{low} to {high}"),
        Takes::Text => "text".to_owned(),
        Takes::Texts => "list of texts".to_owned(),
    };
    if spec.unit.is_empty() { format!("[{values}]") } else { format!("[{values}, {}]", spec.unit) }
}

#[test]
fn the_file_holds_every_key_with_its_default_values_and_unit() {
    let entries = entries();
    for spec in SPECS {
        let entry = entries.get(spec.name).unwrap_or_else(|| panic!("ballast.{} is missing", spec.name));
        assert_eq!(entry.default, default_of(spec), "default of ballast.{}", spec.name);
        assert_eq!(entry.brackets, brackets_of(spec), "values and unit of ballast.{}", spec.name);
        assert!(entry.meaning.ends_with('.'), "ballast.{} needs a sentence", spec.name);
    }
    let unknown: Vec<_> = entries.keys().filter(|key| !SPECS.iter().any(|s| s.name == **key)).collect();
    assert!(unknown.is_empty(), "the code does not know {unknown:?}");
}

#[test]
fn the_readme_lists_the_same_keys() {
    let readme = read("README.md");
    let rows: Vec<&str> = readme.lines().filter(|line| line.starts_with("| `ballast.")).collect();
    for (key, entry) in entries() {
        let meaning = entry.meaning.split(". ").next().expect("split gives at least one part");
        let row = format!("| `ballast.{key}` | {} | {}. |", entry.default, meaning.trim_end_matches('.'));
        assert!(rows.contains(&row.as_str()), "README.md lacks this row:\n{row}");
    }
    assert_eq!(rows.len(), entries().len(), "README.md lists a key that the file has not");
}
