//! `ballast record` against a real HTTP server that answers as the Storm UI did, fails, wants a password, and goes away.

#![cfg(feature = "record")]
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

#[path = "support/folder.rs"]
mod folder;
#[path = "record/server.rs"]
mod server;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use ballast::ingest::Source;
use ballast::ingest::ui::UiFolder;
use ballast::record::Recording;
use ballast::wire::{Request, decode_request};
use flate2::read::MultiGzDecoder;
use folder::folder;
use jiff::Timestamp;
use serde_json::json;
use server::{Asked, Reply, Server, captured};

fn command(url: &str, out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ballast"));
    command.args(["record", "--ui", url, "--out", out.to_str().unwrap()]).args(more);
    for variable in [
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "RUST_LOG",
        "BALLAST_UI_PASSWORD",
    ] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn ran(mut command: Command) -> Ran {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Records, which has to succeed.
#[track_caller]
fn recorded(command: Command) -> Ran {
    let ran = ran(command);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    ran
}

/// Records, which has to fail and to say these words.
#[track_caller]
fn failed(command: Command, words: &[&str]) -> Ran {
    let ran = ran(command);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "no \"{word}\" in: {}", ran.err);
    }
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    ran
}

/// The requests of a recording; every byte of it has to be readable.
fn requests(path: &Path) -> Vec<Request> {
    let mut text = String::new();
    MultiGzDecoder::new(File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| decode_request(line.as_bytes()).unwrap()).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// A request as it is after it was written and read: the last digit of a number may differ.
fn written(request: &Request) -> Request {
    decode_request(&serde_json::to_vec(request).unwrap()).unwrap()
}

fn capture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ui/t3")
}

#[test]
fn one_reading_is_what_the_saved_answers_say() {
    let server = Server::start(captured);
    let out = folder("once");
    let ran = recorded(command(&server.url(), &out, &["--once"]));
    let files = files(&out);
    assert_eq!(files.len(), 1);
    let name = files[0].file_name().unwrap().to_str().unwrap();
    let digits: String = name.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(digits, "ballast-00000000T000000Z.jsonl.gz");
    assert!(ran.out.contains(&format!("1 request recorded in {}", files[0].display())), "{}", ran.out);
    let requests = requests(&files[0]);
    let mut saved = UiFolder::open(&capture()).unwrap().next().unwrap().unwrap().request;
    let taken: Timestamp = requests[0].taken_at.as_ref().unwrap().parse().unwrap();
    assert!(Timestamp::now().duration_since(taken).as_secs() < 600);
    (saved.taken_at, saved.generation) = (requests[0].taken_at.clone(), 1);
    assert_eq!(requests, [written(&saved)]);
}

#[test]
fn the_ui_is_asked_politely() {
    let server = Server::start(captured);
    recorded(command(&server.url(), &folder("polite"), &["--once"]));
    let asked = server.asked();
    // Two lists, a topology, seven components, a visualization.
    assert_eq!(asked.len(), 11, "{asked:#?}");
    assert_eq!(server.most_at_once(), 1);
    assert_eq!(server.connections(), 1);
    for Asked { path, headers, .. } in &asked {
        assert!(headers.contains("user-agent: ballast/"), "{headers}");
        assert!(!headers.contains("authorization"), "{headers}");
        let page = path.contains("/component/") || path.starts_with("/api/v1/topology/flights-3-1795998681?");
        assert_eq!(page, path.ends_with("?sys=true&window=600"), "{path}");
    }
}

#[test]
fn streams_and_groupings_are_asked_for_once() {
    let server = Server::start(captured);
    let out = folder("drawing").join("two.jsonl.gz");
    let recorder = Recorder::start(command(&server.url(), &out, &["--every", "1s"]));
    assert_eq!(recorder.interrupted_after(&out, 2).code, Some(0));
    let requests = requests(&out);
    assert_eq!(server.asked().iter().filter(|asked| asked.path.ends_with("/visualization")).count(), 1);
    let inputs = |request: &Request| {
        request.topologies[0].components.iter().map(|c| c.inputs.clone()).collect::<Vec<_>>()
    };
    assert_eq!(inputs(&requests[0]), inputs(&requests[1]));
    assert_eq!((requests[0].generation, requests[1].generation), (1, 2));
}

#[test]
fn a_password_is_sent_where_it_is_wanted_and_printed_nowhere() {
    // viewer:s3cret
    let server = Server::start(|asked| {
        if asked.headers.contains("authorization: Basic dmlld2VyOnMzY3JldA==") {
            captured(asked)
        } else {
            Reply::new(401, "<html>Log in</html>")
        }
    });
    let out = folder("login");
    failed(
        command(&server.url(), &out, &["--every", "1s", "--for", "9s"]),
        &["wants a name and a password", "--user"],
    );
    assert_eq!(server.asked().len(), 1, "a wrong password is not tried again");
    failed(
        command(&server.url(), &out, &["--once", "--user", "viewer"]),
        &["--user: there is no password", "BALLAST_UI_PASSWORD"],
    );
    assert_eq!(server.asked().len(), 1);
    let mut command_with = command(&server.url(), &out, &["--once", "--user", "viewer"]);
    command_with.env("BALLAST_UI_PASSWORD", "s3cret");
    let ran = recorded(command_with);
    assert!(ran.err.contains("goes over the network as it is"), "{}", ran.err);
    assert!(!ran.err.contains("s3cret") && !ran.out.contains("s3cret"));
    let file = out.join("password");
    fs::write(&file, "s3cret\n").unwrap();
    recorded(command(
        &server.url(),
        &out,
        &["--once", "--user", "viewer", "--password-file", file.to_str().unwrap()],
    ));
    let url = server.url().replace("http://", "http://viewer:s3cret@");
    let ran = failed(command(&url, &out, &["--once"]), &["holds a name or password"]);
    assert!(!ran.err.contains("s3cret"), "{}", ran.err);
}

#[test]
fn errors_are_said_once_and_the_recording_goes_on() {
    let server = Server::start(|asked| {
        if asked.number < 2 {
            Reply::new(500, r#"{"error":"500 Server Error","errorMessage":"java.lang.X\n\tat a.b"}"#)
        } else {
            captured(asked)
        }
    });
    let out = folder("errors").join("errors.jsonl.gz");
    let child = Recorder::start(command(&server.url(), &out, &["--every", "1s"]));
    let ran = child.interrupted_after(&out, 2);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(
        ran.err.matches("the UI answered with an error: \"500 Server Error\"").count(),
        1,
        "{}",
        ran.err
    );
    assert!(ran.err.contains("the UI answers again, 2 readings were missed"), "{}", ran.err);
    assert!(!ran.err.contains("java.lang"), "{}", ran.err);
    assert!(ran.out.contains("2 readings gave no request"), "{}", ran.out);
    assert!(requests(&out).len() >= 2);
}

#[test]
fn a_ui_that_goes_away_is_waited_for() {
    // Two readings of 11 and 10 questions, then nobody for two connections.
    let server =
        Server::start(
            |asked| if (21..23).contains(&asked.number) { Reply::hang_up() } else { captured(asked) },
        );
    let out = folder("away").join("away.jsonl.gz");
    let child = Recorder::start(command(&server.url(), &out, &["--every", "1s"]));
    let ran = child.interrupted_after(&out, 4);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.err.matches("does not answer").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("answers again"), "{}", ran.err);
    let generations: Vec<u64> = requests(&out).iter().map(|request| request.generation).collect();
    assert_eq!(generations, (1..=generations.len() as u64).collect::<Vec<_>>());
}

#[test]
fn nobody_at_the_address_is_an_error_and_leaves_no_file() {
    let url = Server::start(captured).url();
    let out = folder("nobody");
    failed(command(&url, &out, &["--once"]), &[&url, "does not answer"]);
    assert_eq!(files(&out), [] as [PathBuf; 0]);
}

#[test]
fn a_recording_is_continued_after_its_last_whole_request() {
    let server = Server::start(captured);
    let out = folder("continued").join("week.jsonl.gz");
    for generation in 1..=2 {
        recorded(command(&server.url(), &out, &["--once"]));
        assert_eq!(requests(&out).last().unwrap().generation, generation);
    }
    // The recorder dies while it writes the second request.
    let whole = fs::read(&out).unwrap();
    fs::write(&out, &whole[..whole.len() - 9]).unwrap();
    recorded(command(&server.url(), &out, &["--once"]));
    let generations: Vec<u64> = requests(&out).iter().map(|request| request.generation).collect();
    assert_eq!(generations, [1, 2]);
}

#[test]
fn what_is_no_recording_is_left_as_it_is() {
    let server = Server::start(captured);
    let out = folder("foreign").join("notes.gz");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"{\"topologies\":[]}\n").unwrap();
    for content in [b"my notes\n".to_vec(), gzip.finish().unwrap()] {
        fs::write(&out, &content).unwrap();
        failed(
            command(&server.url(), &out, &["--once"]),
            &["notes.gz", "no recording of Ballast's", "left as it is"],
        );
        assert_eq!(fs::read(&out).unwrap(), content);
    }
    assert!(server.asked().is_empty(), "nothing is asked for a recording that cannot be written");
}

#[test]
fn one_recording_has_one_writer() {
    let out = folder("locked").join("one.jsonl.gz");
    let request = UiFolder::open(&capture()).unwrap().next().unwrap().unwrap().request;
    let mut first = Recording::open(&out, Timestamp::UNIX_EPOCH).unwrap();
    first.append(&request).unwrap();
    let fault = Recording::open(&out, Timestamp::UNIX_EPOCH).unwrap_err();
    assert!(fault.detail.contains("another recorder"), "{fault}");
    drop(first);
    assert_eq!(requests(&out), [written(&request)]);
    drop(Recording::open(&out, Timestamp::UNIX_EPOCH).unwrap());
    assert!(out.exists(), "a recording that was there stays");
}

#[test]
fn no_recording_is_overwritten() {
    let out = folder("names");
    let request = UiFolder::open(&capture()).unwrap().next().unwrap().unwrap().request;
    for _ in 0..3 {
        Recording::open(&out, Timestamp::UNIX_EPOCH).unwrap().append(&request).unwrap();
    }
    let names: Vec<String> =
        files(&out).iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    let expected =
        ["-2.jsonl.gz", "-3.jsonl.gz", ".jsonl.gz"].map(|end| format!("ballast-19700101T000000Z{end}"));
    assert_eq!(names, expected);
}

#[test]
fn a_redirection_is_named_and_not_followed() {
    let other = Server::start(captured);
    let to = format!("{}/login", other.url());
    let server = Server::start(move |_| Reply::new(302, "").with(&format!("Location: {to}")));
    let mut command = command(&server.url(), &folder("redirected"), &["--once", "--user", "viewer"]);
    command.env("BALLAST_UI_PASSWORD", "s3cret");
    failed(command, &["elsewhere (HTTP 302)", "/login"]);
    assert!(other.asked().is_empty(), "credentials follow nobody");
}

#[test]
fn a_login_page_is_not_a_cluster() {
    let server = Server::start(|_| Reply::new(200, "<!DOCTYPE html><html>Log in</html>"));
    failed(command(&server.url(), &folder("page"), &["--once"]), &["HTML page"]);
    let server = Server::start(|_| Reply::new(502, "<html>Bad Gateway</html>"));
    failed(command(&server.url(), &folder("page"), &["--once"]), &["502 Bad Gateway"]);
}

#[test]
fn a_topology_killed_meanwhile_is_left_out() {
    let listed = |ids: &[&str]| json!({ "topologies": ids.iter().map(|id| json!({ "id": id, "name": id })).collect::<Vec<_>>() });
    let server = Server::start(move |asked| match asked.path.as_str() {
        "/api/v1/topology/summary" if asked.number == 0 => {
            Reply::new(200, &listed(&["flights-3-1795998681", "gone-4-1"]).to_string())
        }
        "/api/v1/topology/summary" => Reply::new(200, &listed(&["flights-3-1795998681"]).to_string()),
        path if path.contains("gone") => {
            Reply::new(500, r#"{"error":"500 Server Error","errorMessage":"NotAliveException"}"#)
        }
        _ => captured(asked),
    });
    let out = folder("killed").join("killed.jsonl.gz");
    recorded(command(&server.url(), &out, &["--once"]));
    let topologies: Vec<String> =
        requests(&out)[0].topologies.iter().map(|topology| topology.id.clone()).collect();
    assert_eq!(topologies, ["flights-3-1795998681"]);
    // Still listed: then the cluster is not known, and nothing is recorded.
    let server = Server::start(move |asked| match asked.path.as_str() {
        "/api/v1/topology/summary" => {
            Reply::new(200, &listed(&["flights-3-1795998681", "gone-4-1"]).to_string())
        }
        path if path.contains("gone") => {
            Reply::new(500, r#"{"error":"500 Server Error","errorMessage":"x"}"#)
        }
        _ => captured(asked),
    });
    failed(
        command(&server.url(), &folder("not-killed"), &["--once"]),
        &["topology/gone-4-1", "500 Server Error"],
    );
}

#[test]
fn a_topology_that_is_not_shown_to_this_user_occupies_its_slots() {
    const REFUSED: &str =
        r#"{"error":"401 Unauthorized","errorMessage":"AuthorizationException(msg:viewer)"}"#;
    let server = Server::start(|asked| {
        let listed = json!({ "topologies": [{ "id": "flights-3-1795998681" }, { "id": "secret-4-1" }] });
        let worker = json!({ "supervisorId": "e12c18ee-1540-4f1e-99ac-869df9c3422a-127.0.0.1", "host": "127.0.0.2", "port": 6721,
            "topologyId": "secret-4-1", "topologyName": "secret", "executorsTotal": 3, "componentNumTasks": {}, "uptimeSeconds": 900 });
        match asked.path.as_str() {
            "/api/v1/topology/summary" => Reply::new(200, &listed.to_string()),
            path if path.contains("secret") => Reply::new(401, REFUSED),
            path if path.starts_with("/api/v1/supervisor?id=e12c18ee") => {
                Reply::new(200, &json!({ "supervisors": [], "workers": [worker] }).to_string())
            }
            path if path.starts_with("/api/v1/supervisor?id=") => {
                Reply::new(200, r#"{"supervisors":[],"workers":[]}"#)
            }
            _ => captured(asked),
        }
    });
    let out = folder("secret").join("secret.jsonl.gz");
    recorded(command(&server.url(), &out, &["--once"]));
    let request = requests(&out).remove(0);
    let node = request.nodes.iter().find(|node| node.host == "127.0.0.2").unwrap();
    assert_eq!(node.ports, [6720, 6721]);
    let secret = request.topologies.iter().find(|topology| topology.id == "secret-4-1").unwrap();
    assert_eq!((secret.name.as_str(), secret.enabled, secret.executors.len()), ("secret", false, 3));
    assert!(
        secret
            .executors
            .iter()
            .all(|e| e.node.as_ref() == Some(&node.id) && e.port == Some(6721) && e.cpu_cores.is_none())
    );
    // Nothing at all is shown to this user.
    let server = Server::start(|asked| match asked.path.as_str() {
        path if path.starts_with("/api/v1/topology/flights") => Reply::new(401, REFUSED),
        _ => captured(asked),
    });
    failed(
        command(&server.url(), &folder("all-secret"), &["--every", "1s"]),
        &["does not show it to this user", "401 Unauthorized"],
    );
}

#[test]
fn a_cluster_where_nothing_runs_gives_no_request() {
    let server = Server::start(|asked| match asked.path.as_str() {
        "/api/v1/topology/summary" => Reply::new(200, r#"{"topologies":[]}"#),
        _ => captured(asked),
    });
    failed(command(&server.url(), &folder("idle"), &["--once"]), &["no topology runs"]);
    let ran = failed(
        command(&server.url(), &folder("idle"), &["--every", "1s", "--for", "2s"]),
        &["nothing was recorded", "nothing to record"],
    );
    assert_eq!(ran.err.matches("no topology runs").count(), 1, "said once: {}", ran.err);
}

#[test]
fn names_from_the_ui_reach_no_other_path() {
    const ID: &str = "../../</script>?x=1#2";
    let server = Server::start(move |asked| {
        let worker = json!({ "supervisorId": "s-a", "host": "a", "port": 6700, "topologyId": ID, "topologyName": ID,
            "executorsTotal": 1, "componentNumTasks": { "..": 1 }, "uptimeSeconds": 900 });
        let body = match asked.path.as_str() {
            "/api/v1/topology/summary" => json!({ "topologies": [{ "id": ID, "name": ID }] }),
            "/api/v1/supervisor/summary" => {
                json!({ "supervisors": [{ "id": "s-a", "host": "a", "slotsTotal": 1, "totalCpu": 400.0 }] })
            }
            "/api/v1/topology/..%2F..%2F%3C%2Fscript%3E%3Fx%3D1%232?sys=true&window=600" => {
                json!({ "id": ID, "name": ID,
                "window": "600", "workersTotal": 1, "topologyStats": [], "bolts": [{ "boltId": "..", "executors": 1, "tasks": 1 }], "workers": [worker] })
            }
            "/api/v1/topology/..%2F..%2F%3C%2Fscript%3E%3Fx%3D1%232/component/%2E%2E?sys=true&window=600" => {
                json!({ "id": "..",
                "topologyId": ID, "window": "600", "executorStats": [{ "id": "[1-1]", "host": "a", "port": 6700, "uptimeSeconds": 900,
                "executed": 6000, "emitted": 0, "capacity": "0.250" }] })
            }
            "/api/v1/topology/..%2F..%2F%3C%2Fscript%3E%3Fx%3D1%232/visualization" => json!({}),
            other => panic!("{other} was asked for"),
        };
        Reply::new(200, &body.to_string())
    });
    let out = folder("names-of-the-ui");
    recorded(command(&server.url(), &out, &["--once"]));
    let files = files(&out);
    assert_eq!(files.len(), 1);
    let requests = requests(&files[0]);
    assert_eq!(
        (requests[0].topologies[0].id.as_str(), requests[0].topologies[0].executors[0].cpu_cores),
        (ID, Some(0.25))
    );
    assert_eq!(requests[0].topologies[0].executors[0].received_per_sec, Some(10.0));
}

#[test]
fn tls_is_trusted_by_the_given_certificate_alone() {
    let certified =
        rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
    let server = Server::start_tls(captured, &certified);
    let out = folder("tls");
    let ca = out.join("ca.pem");
    fs::write(&ca, certified.cert.pem()).unwrap();
    let file = out.join("tls.jsonl.gz");
    recorded(command(&server.url(), &file, &["--once", "--ca", ca.to_str().unwrap()]));
    assert_eq!(requests(&file).len(), 1);
    let asked = server.asked().len();
    failed(command(&server.url(), &file, &["--once"]), &["does not answer", "certificate"]);
    assert_eq!(server.asked().len(), asked);
    fs::write(&ca, "no certificate").unwrap();
    failed(
        command(&server.url(), &file, &["--once", "--ca", ca.to_str().unwrap()]),
        &["--ca", "holds no certificate"],
    );
}

#[test]
fn a_command_line_that_makes_no_sense_is_refused() {
    for (more, words) in [
        (&["--every", "10"][..], "unit"),
        (&["--every", "200ms"], "less than 1s"),
        (&["--for", "soon"], "unit"),
        (&["--once", "--for", "2h"], "cannot be used with"),
    ] {
        let ran = ran(command("http://localhost:1", &folder("command-line"), more));
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(words), "no \"{words}\" in {}", ran.err);
    }
    failed(
        command("localhost:8080", &folder("command-line"), &["--once"]),
        &["--ui localhost:8080", "http://"],
    );
}

/// A recorder that runs until it is interrupted.
struct Recorder(Child);

impl Recorder {
    fn start(mut command: Command) -> Self {
        Self(command.spawn().unwrap())
    }

    /// Interrupts it as soon as its recording holds so many requests, which every reader can see at any time.
    fn interrupted_after(mut self, out: &Path, requests: usize) -> Ran {
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while whole_lines(out) < requests {
            assert!(std::time::Instant::now() < deadline, "no {requests} requests in a minute");
            assert_eq!(self.0.try_wait().unwrap(), None, "it ended by itself");
            std::thread::yield_now();
            std::thread::park_timeout(std::time::Duration::from_millis(20));
        }
        let killed = Command::new("kill").args(["-INT", &self.0.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let mut ran = Ran { code: self.0.wait().unwrap().code(), out: String::new(), err: String::new() };
        self.0.stdout.take().unwrap().read_to_string(&mut ran.out).unwrap();
        self.0.stderr.take().unwrap().read_to_string(&mut ran.err).unwrap();
        ran
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // It has ended unless the test failed.
        let _ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}

/// Requests that are whole by now.
fn whole_lines(path: &Path) -> usize {
    let Ok(file) = File::open(path) else { return 0 };
    BufReader::new(MultiGzDecoder::new(file)).lines().map_while(Result::ok).count()
}
