//! A headless Chromium with one page in it, driven over the DevTools protocol.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Names of the program, Debian's first.
const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
/// What Chromium says on standard error once it listens.
const LISTENING: &str = "DevTools listening on ";
/// An answer that takes longer than this does not come.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser; it ends, and its profile is deleted, when this is dropped.
pub(crate) struct Browser {
    chromium: Child,
    profile: PathBuf,
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    asked: u64,
    /// What the page did, oldest first: events of the protocol.
    pub(crate) events: Vec<Value>,
}

impl Browser {
    /// Starts Chromium with an empty page.
    pub(crate) fn start() -> Self {
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let name = format!("chromium-{}-{number}", std::process::id());
        let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&profile).unwrap();
        let mut chromium = spawn(&profile);
        let address = address(&mut chromium);
        let host = address.trim_start_matches("ws://").split('/').next().unwrap();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(&address, stream).unwrap();
        let mut browser = Self { chromium, profile, socket, session: None, asked: 0, events: Vec::new() };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.ask("Target.attachToTarget", attach);
        browser.session = Some(session["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page.enable", "Runtime.enable", "Log.enable", "Network.enable"] {
            browser.ask(domain, json!({}));
        }
        browser
    }

    /// Writes a page to a file, opens it and waits until it is loaded; its scripts have run then.
    pub(crate) fn open(page: &str) -> Self {
        let mut browser = Self::start();
        let file = browser.profile.join("page.html");
        fs::write(&file, page).unwrap();
        browser.ask("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        while !browser.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            browser.read();
        }
        browser
    }

    /// The value of an expression in the page, a promise's when it is kept.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.ask("Runtime.evaluate", asked);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Presses and releases a key by its name (`Tab`, `ArrowRight`).
    pub(crate) fn press(&mut self, key: &str, code: u32) {
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code,
                "text": if kind == "keyDown" { text } else { "" },
            });
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// Types into what has the focus.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.ask("Input.insertText", json!({ "text": text }));
    }

    /// Asks for light or dark, for the screen or for print.
    pub(crate) fn media(&mut self, scheme: &str, media: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.ask("Emulation.setEmulatedMedia", json!({ "media": media, "features": features }));
    }

    /// Makes the window this wide.
    pub(crate) fn width(&mut self, pixels: u32) {
        let size = json!({ "width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", size);
        self.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))",
        );
    }

    /// The page as it is printed.
    pub(crate) fn pdf(&mut self) -> Vec<u8> {
        let answer = self.ask("Page.printToPDF", json!({ "printBackground": true }));
        data_encoding::BASE64.decode(answer["data"].as_str().unwrap().as_bytes()).unwrap()
    }

    /// Events of a kind.
    pub(crate) fn seen(&self, method: &str) -> Vec<&Value> {
        self.events.iter().filter(|event| event["method"] == method).map(|event| &event["params"]).collect()
    }

    /// What went wrong in the page: exceptions, and whatever the console has as an error or a warning.
    pub(crate) fn faults(&mut self) -> Vec<String> {
        // An answer comes after all that happened before the question.
        self.evaluate("0");
        let bad = |kind: &Value| ["error", "warning", "assert"].iter().any(|bad| kind == bad);
        let exceptions = self.seen("Runtime.exceptionThrown").into_iter();
        let console = self.seen("Runtime.consoleAPICalled").into_iter().filter(|event| bad(&event["type"]));
        let log = self.seen("Log.entryAdded").into_iter().filter(|event| bad(&event["entry"]["level"]));
        let dialogs = self.seen("Page.javascriptDialogOpening").into_iter();
        exceptions.chain(console).chain(log).chain(dialogs).map(Value::to_string).collect()
    }

    /// What the page asked for, beside itself.
    pub(crate) fn requests(&mut self) -> Vec<String> {
        self.evaluate("0");
        let asked = self.seen("Network.requestWillBeSent").into_iter();
        let urls = asked.map(|event| event["request"]["url"].as_str().unwrap().to_owned());
        urls.filter(|url| !url.ends_with("/page.html")).collect()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            if let Some(answer) = self.read().filter(|answer| answer["id"] == id) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    /// Reads a message: an answer, or an event, which is kept. A dialog would hold the page up, so it is dismissed.
    fn read(&mut self) -> Option<Value> {
        let message = self.socket.read().expect("Chromium answers");
        let Message::Text(text) = message else { return None };
        let message: Value = serde_json::from_str(&text).unwrap();
        if message["method"].is_null() {
            return Some(message);
        }
        if message["method"] == "Page.javascriptDialogOpening" {
            let session = self.session.clone();
            let close = json!({ "id": 0, "method": "Page.handleJavaScriptDialog", "sessionId": session,
                "params": { "accept": false } });
            self.socket.send(Message::text(close.to_string())).unwrap();
        }
        self.events.push(message);
        None
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Its helpers end with it.
        let _ended = self.chromium.kill();
        let _code = self.chromium.wait();
        let _deleted = fs::remove_dir_all(&self.profile);
    }
}

fn spawn(profile: &Path) -> Child {
    let mut arguments = vec![
        "--headless=new",
        "--remote-debugging-port=0",
        "--no-first-run",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--hide-scrollbars",
        "--window-size=1280,900",
    ];
    // Root cannot have Chromium's sandbox. Whoever owns what we create is who we are.
    if fs::metadata(profile).unwrap().uid() == 0 {
        arguments.push("--no-sandbox");
    }
    for program in PROGRAMS {
        let started = Command::new(program)
            .args(&arguments)
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        if let Ok(child) = started {
            return child;
        }
    }
    panic!("no Chromium to look at the page with; type: apt-get install chromium");
}

/// Where it listens; the rest of what it says is read and forgotten, so that it never waits for us.
fn address(chromium: &mut Child) -> String {
    let mut lines = BufReader::new(chromium.stderr.take().unwrap()).lines();
    let mut said = Vec::new();
    for line in lines.by_ref() {
        let line = line.unwrap();
        if let Some(address) = line.strip_prefix(LISTENING) {
            thread::spawn(move || lines.for_each(drop));
            return address.trim().to_owned();
        }
        said.push(line);
    }
    panic!("Chromium ended before it listened:\n{}", said.join("\n"));
}
