//! Holds `src/wire/README.md` and the types beside it against each other.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use ballast::settings;
use ballast::solve;
use ballast::wire::{
    self, Ask, Assignment, Backlog, Balance, Certificate, Checkpoint, CheckpointNode, Checkpoints, Component,
    ComponentKind, Cost, Coverage, Executor, Hello, Input, LoadSource, Loss, MissingLoad, Move, MoveKind,
    Node, NodeBalance, NodeState, Note, NoteCode, Parallelism, Refusal, RefusalCode, Replicas, Reply,
    Request, ResourceBalance, Scaling, ScalingVerdict, SettingProblem, SlotRef, StoppedBy, Topology, Traffic,
    TrafficBalance, Verdict, Welcome, WorkerAssignment,
};
use ballast::{engine, wire::decode_request};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn readme() -> String {
    fs::read_to_string(project("src/wire/README.md")).unwrap()
}

/// The JSON examples in their order: hello, welcome, request, reply.
fn examples() -> [Value; 4] {
    let readme = readme();
    let blocks = readme.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let examples: Vec<Value> = blocks.map(|block| serde_json::from_str(block).unwrap()).collect();
    examples.try_into().expect("the page has four examples")
}

/// Names that serde takes where it meets one it does not know: the fields of a struct, the variants of an enum.
fn names<T: DeserializeOwned>(probe: Value) -> BTreeSet<String> {
    let Err(error) = serde_json::from_value::<T>(probe) else { panic!("the probe is no legal value") };
    let error = error.to_string();
    let (_, expected) = error.split_once("expected ").unwrap_or_else(|| panic!("no list in: {error}"));
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn fields<T: DeserializeOwned>() -> BTreeSet<String> {
    names::<T>(json!({ "no such field": 0 }))
}

fn variants<T: DeserializeOwned>() -> BTreeSet<String> {
    names::<T>(json!("no such variant"))
}

/// Keys of the objects that a path leads to; `[]` is every element of a list.
fn keys(example: &Value, path: &str) -> BTreeSet<String> {
    let mut at = vec![example];
    for step in path.split('.').filter(|step| !step.is_empty()) {
        let (name, list) = step.strip_suffix("[]").map_or((step, false), |name| (name, true));
        at = at.into_iter().map(|value| &value[name]).collect();
        if list {
            at = at.into_iter().flat_map(|value| value.as_array().unwrap()).collect();
        }
    }
    at.into_iter()
        .flat_map(|value| value.as_object().unwrap_or_else(|| panic!("{path}: {value}")).keys().cloned())
        .collect()
}

/// Every type of the wire: the example it stands in, where, and its fields.
fn structs() -> Vec<(usize, &'static str, BTreeSet<String>)> {
    vec![
        (0, "", fields::<Hello>()),
        (1, "", fields::<Welcome>()),
        (1, "problems[]", fields::<SettingProblem>()),
        (2, "", fields::<Request>()),
        (2, "nodes[]", fields::<Node>()),
        (2, "topologies[]", fields::<Topology>()),
        (2, "topologies[].components[]", fields::<Component>()),
        (2, "topologies[].components[].inputs[]", fields::<Input>()),
        (2, "topologies[].executors[]", fields::<Executor>()),
        (2, "topologies[].traffic[]", fields::<Traffic>()),
        (2, "topologies[].checkpoints[]", fields::<Checkpoint>()),
        (2, "topologies[].backlog", fields::<Backlog>()),
        (3, "", fields::<Reply>()),
        (3, "assignments[]", fields::<Assignment>()),
        (3, "assignments[].workers[]", fields::<WorkerAssignment>()),
        (3, "moves[]", fields::<Move>()),
        (3, "moves[].from", fields::<SlotRef>()),
        (3, "moves[].to", fields::<SlotRef>()),
        (3, "cost", fields::<Cost>()),
        (3, "before", fields::<Balance>()),
        (3, "before.resources[]", fields::<ResourceBalance>()),
        (3, "before.traffic", fields::<TrafficBalance>()),
        (3, "before.nodes[]", fields::<NodeBalance>()),
        (3, "after", fields::<Balance>()),
        (3, "coverage", fields::<Coverage>()),
        (3, "coverage.missing[]", fields::<MissingLoad>()),
        (3, "certificate", fields::<Certificate>()),
        (3, "scaling", fields::<Scaling>()),
        (3, "scaling.parallelism[]", fields::<Parallelism>()),
        (3, "checkpoints", fields::<Checkpoints>()),
        (3, "checkpoints.replicas[]", fields::<Replicas>()),
        (3, "checkpoints.node_loss", fields::<Loss>()),
        (3, "checkpoints.nodes[]", fields::<CheckpointNode>()),
        (3, "notes[]", fields::<Note>()),
    ]
}

#[test]
fn the_examples_show_every_field_of_every_type_and_no_other() {
    let examples = examples();
    for (example, path, fields) in structs() {
        assert_eq!(keys(&examples[example], path), fields, "example {example}, {path}");
    }
}

#[test]
fn the_examples_are_messages_of_this_version() {
    let [hello, welcome, request, reply] = examples();
    assert_eq!(serde_json::from_value::<Hello>(hello).unwrap().version, wire::VERSION);
    assert_eq!(serde_json::from_value::<Welcome>(welcome).unwrap().version, wire::VERSION);
    assert_eq!(serde_json::from_value::<Reply>(reply).unwrap().version, wire::VERSION);
    assert!(readme().starts_with(&format!("# The wire, version {}\n", wire::VERSION)));
    let request = decode_request(request.to_string().as_bytes()).unwrap();
    let answer = engine::answer(&Request { settings: only(&request, "strategy", "stay"), ..request });
    assert_eq!(answer.refusal, None);
}

/// The request's settings and one more.
fn only(request: &Request, key: &str, value: &str) -> serde_json::Map<String, Value> {
    let mut settings = request.settings.clone();
    settings.insert(key.to_owned(), value.into());
    settings
}

#[test]
fn the_settings_in_the_examples_exist() {
    let [hello, welcome, request, _] = examples();
    for example in [&hello["settings"], &welcome["settings"], &request["settings"]] {
        let checked = settings::check(example.as_object().unwrap(), &solve::names());
        assert_eq!(checked.problems, []);
    }
    let problem = &welcome["problems"][0];
    let given = serde_json::Map::from_iter([(problem["setting"].as_str().unwrap().to_owned(), json!(2))]);
    let said = &settings::check(&given, &solve::names()).problems[0];
    assert_eq!(serde_json::to_value(said).unwrap(), *problem, "the example is what the library says");
}

/// First cells of the rows of the table whose header begins with `title`.
fn first_cells(title: &str) -> Vec<String> {
    let readme = readme();
    let rows = readme.lines().skip_while(|line| !line.starts_with(&format!("| {title} |"))).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('|').nth(1).unwrap().trim().to_owned()).collect()
}

/// What stands in backticks, in its order.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_tables_of_codes_are_the_codes() {
    for (title, codes) in [("refusal", variants::<RefusalCode>()), ("note", variants::<NoteCode>())] {
        let listed: Vec<String> = first_cells(title).iter().flat_map(|cell| quoted(cell)).collect();
        assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), codes, "table of codes: {title}");
        assert_eq!(listed.len(), codes.len(), "no code twice in the table: {title}");
    }
}

#[test]
fn the_tables_name_only_fields_that_exist() {
    let mut by_owner = BTreeMap::<String, BTreeSet<String>>::new();
    for (_, path, fields) in structs().into_iter().filter(|(example, ..)| *example >= 2) {
        let owner = path.trim_end_matches("[]").rsplit('.').next().unwrap();
        by_owner.entry(owner.to_owned()).or_default().extend(fields);
    }
    let readme = readme();
    let rows = readme.lines().filter(|line| line.starts_with("| `") && !line.contains("| when |"));
    let codes: BTreeSet<String> = variants::<RefusalCode>().union(&variants::<NoteCode>()).cloned().collect();
    let mut seen = 0;
    for row in rows {
        let mut owner = String::new();
        for name in quoted(row.split('|').nth(1).unwrap()).into_iter().filter(|name| !codes.contains(name)) {
            let (given, field) = name.rsplit_once('.').unwrap_or((&owner, &name));
            let (given, field) =
                (given.trim_end_matches("[]").to_owned(), field.trim_end_matches("[]").to_owned());
            let found = by_owner.get(given.as_str()).is_some_and(|fields| fields.contains(&field));
            // A balance stands under two names, and its figures are explained without either.
            let figure = given.is_empty() && fields::<Balance>().contains(&field);
            assert!(found || figure, "{name} in: {row}");
            owner = given;
            seen += 1;
        }
    }
    assert!(seen > 40, "only {seen} names found: the tables are not read any more");
}

#[test]
fn every_word_a_field_may_hold_is_named_on_the_page() {
    let readme = readme();
    let words = [
        variants::<Ask>(),
        variants::<NodeState>(),
        variants::<ComponentKind>(),
        variants::<LoadSource>(),
        variants::<Verdict>(),
        variants::<MoveKind>(),
        variants::<StoppedBy>(),
        variants::<ScalingVerdict>(),
    ];
    for word in words.iter().flatten() {
        assert!(readme.contains(&format!("`{word}`")), "`{word}` is explained nowhere");
    }
}

#[test]
fn a_refusal_has_the_fields_the_page_says() {
    let readme = readme();
    let row = readme.lines().find(|line| line.starts_with("| `refusal` |")).unwrap();
    let named: BTreeSet<String> = row.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    assert_eq!(named, fields::<Refusal>());
}

/// The types themselves, without comments and layout.
fn types() -> String {
    let files = ["checkpoints.rs", "hello.rs", "refusal.rs", "reply.rs", "request.rs"];
    let sources = files.map(|file| fs::read_to_string(project("src/wire").join(file)).unwrap());
    let lines = sources.iter().flat_map(|source| source.lines()).map(str::trim);
    let code: String = lines.filter(|line| !line.starts_with("//")).flat_map(str::split_whitespace).collect();
    let hash = Sha256::digest(code.as_bytes());
    hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_page_was_read_again_when_the_types_changed() {
    let readme = readme();
    let noted = readme.lines().last().unwrap();
    let expected = format!("<!-- types of this page: {} -->", types());
    assert_eq!(
        noted, expected,
        "the types of src/wire changed: bring its README up to date, raise VERSION if a field was retyped or given \
         another meaning, and write this as the last line"
    );
}
