//! The page of a replay as text: it is complete in itself, and nothing of a recording becomes part of it.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

#[path = "support/outcomes.rs"]
mod outcomes;

use std::fs;
use std::path::Path;

use ballast::report;
use outcomes::{HOSTILE, LARGE, SMALL, hostile, outcome};
use sha2::{Digest, Sha256};

#[test]
fn no_text_of_a_recording_becomes_markup() {
    let page = report::page(&hostile());
    let plain = report::page(&outcome(&SMALL));
    for tag in ["<script", "</script", "<img", "<svg", "<!--"] {
        let of = |page: &str| page.matches(tag).count();
        assert_eq!(
            of(&page) - usize::from(tag == "<b>") * of(&page),
            of(&plain),
            "{tag} comes from a recording"
        );
    }
    assert!(page.contains("&#60;img src=x onerror=alert(2)&#62;"), "names are shown, escaped");
    for name in HOSTILE {
        assert!(!page.contains(name), "{name} stands in the page as it is");
    }
}

#[test]
fn nothing_in_the_page_asks_the_network() {
    let page = report::page(&outcome(&SMALL));
    let head = &page[..page.find("</head>").unwrap()];
    assert!(head.contains("default-src 'none'; script-src 'sha256-"), "{head}");
    assert!(!head.contains("unsafe-eval") && !head.contains("://"), "{head}");
    for attribute in [" src=\"", "<link", "@import", "url("] {
        let own = &page[..page.find("<script>").unwrap()];
        assert!(!own.contains(attribute), "{attribute}");
    }
}

#[test]
fn the_answer_is_a_sentence_with_figures() {
    let page = report::page(&outcome(&SMALL));
    let sentence = "Under albic the mean load distance would have been 0.145 instead of 0.375: 61 % nearer to balance, \
                    at the price of 5 worker restarts.";
    assert!(page.contains(sentence), "{}", &page[page.find("id=\"headline\"").unwrap()..][..300]);
}

#[test]
fn policies_that_changed_nothing_are_said_to_and_what_held_them_back() {
    let mut idle = outcome(&SMALL);
    let figures = idle.policies[0].figures.clone();
    for policy in &mut idle.policies {
        policy.figures = figures.clone();
    }
    let page = report::page(&idle);
    assert!(page.contains("No policy would have changed anything: the mean load distance stays 0.375."));
    assert!(page.contains("albic was held back in 21 windows: flights was changed 60 s ago."));
    assert!(!page.contains("The changes would have paused"), "there were none");
}

#[test]
fn a_policy_that_is_worse_than_what_was_is_no_gain() {
    let mut worse = outcome(&SMALL);
    for policy in &mut worse.policies[1..] {
        policy.figures.load_distance_mean = 0.9;
    }
    assert!(
        report::page(&worse)
            .contains("Nothing was to be gained: the mean load distance was 0.375, and albic")
    );
}

#[test]
fn a_replay_without_windows_or_policies_says_so() {
    let mut empty = outcome(&SMALL);
    empty.windows = 0;
    empty.policies.clear();
    empty.coverage = None;
    assert!(report::page(&empty).contains("No window of these recordings could be replayed"));
    let mut alone = outcome(&SMALL);
    alone.policies.truncate(1);
    assert!(report::page(&alone).contains("no policy was replayed"));
    assert!(report::table(&empty).contains("No window of these recordings could be replayed"));
}

#[test]
fn what_was_guessed_and_what_was_changed_is_said_before_any_figure() {
    let mut changed = outcome(&SMALL);
    changed.what_if = vec!["node stream-002 left out".to_owned()];
    let page = report::page(&changed);
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is not in the page"));
    assert!(place("node stream-002 left out") < place("id=\"headline\""));
    assert!(
        place("87 % of the loads that statistics can measure, those of bolts, were measured")
            < place("id=\"policies\"")
    );
    assert!(place("16 % of all executors stand with a guessed load") < place("id=\"policies\""));
    assert!(place("For 2 windows of 60 no plan could be made") < place("id=\"policies\""));
}

#[test]
fn a_large_replay_is_a_page_below_five_megabytes() {
    let page = report::page(&outcome(&LARGE));
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
}

#[test]
fn the_table_has_a_row_a_policy_and_no_character_that_steers_a_terminal() {
    let table = report::table(&outcome(&SMALL));
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with(" flux ")).collect();
    assert_eq!(rows.len(), 1, "{table}");
    assert!(rows[0].contains("50 min") && rows[0].contains("14,813"), "{}", rows[0]);
    let mut steering = hostile();
    steering.remarks[0].examples = vec!["\u{1b}[2J\u{202e}".to_owned()];
    steering.policies[1].policy = "\u{1b}[31m".to_owned();
    assert!(!report::table(&steering).contains(['\u{1b}', '\u{202e}']));
}

#[test]
fn the_vendored_files_are_the_packages_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/vendor");
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "README.md")
        .collect();
    names.sort();
    assert_eq!(names.len(), 7, "{names:?}");
    for name in names {
        let sum = Sha256::digest(fs::read(folder.join(&name)).unwrap());
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(
            readme.contains(&format!("| `{name}` | `{sum}` |")),
            "{name} is {sum}, and the README says otherwise"
        );
    }
}
