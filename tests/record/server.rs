//! A web server for tests: answers what a closure says, remembers what it was asked, and can hang up.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use rcgen::{CertifiedKey, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// One question.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Path and query.
    pub(crate) path: String,
    /// As sent, names in lower case.
    pub(crate) headers: String,
    /// From 0 on.
    pub(crate) number: usize,
}

/// One answer.
pub(crate) struct Reply {
    status: u16,
    body: String,
    header: String,
}

impl Reply {
    pub(crate) fn new(status: u16, body: &str) -> Self {
        Self { status, body: body.to_owned(), header: String::new() }
    }

    /// With one more header.
    pub(crate) fn with(mut self, header: &str) -> Self {
        self.header = format!("{header}\r\n");
        self
    }

    /// The connection ends without an answer.
    pub(crate) fn hang_up() -> Self {
        Self::new(0, "")
    }
}

/// As the UI answered when the capture was made; what nobody saved is an error.
pub(crate) fn captured(asked: &Asked) -> Reply {
    let path = asked.path.strip_prefix("/api/v1/").unwrap_or("");
    let path = path.split('?').next().unwrap();
    let file = match path.strip_prefix("topology/flights-3-1795998681") {
        Some("") => "topology".to_owned(),
        Some(part) => part[1..].replace("component/", "component-"),
        None => path.replace('/', "-"),
    };
    let saved = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ui/t3").join(format!("{file}.json"));
    match fs::read_to_string(saved) {
        Ok(body) => Reply::new(200, &body),
        Err(_) => Reply::new(500, r#"{"error":"500 Server Error","errorMessage":"not saved"}"#),
    }
}

type Answer = dyn Fn(&Asked) -> Reply + Send + Sync;

struct State {
    answer: Box<Answer>,
    asked: Mutex<Vec<Asked>>,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
    connections: AtomicUsize,
    ends: AtomicBool,
}

/// Runs until it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    scheme: &'static str,
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        Self::run("http", answer, serve)
    }

    /// With TLS by this certificate.
    pub(crate) fn start_tls(
        answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
        certified: &CertifiedKey<KeyPair>,
    ) -> Self {
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(certified.signing_key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certified.cert.der().clone()], key)
            .unwrap();
        let config = Arc::new(config);
        Self::run("https", answer, move |stream, state| {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            serve(StreamOwned::new(connection, stream), state);
        })
    }

    fn run(
        scheme: &'static str,
        answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
        serve: impl Fn(TcpStream, &State) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            answer: Box::new(answer),
            asked: Mutex::new(Vec::new()),
            at_once: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
            ends: AtomicBool::new(false),
        });
        let (shared, serve) = (Arc::clone(&state), Arc::new(serve));
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if shared.ends.load(Ordering::SeqCst) {
                    return;
                }
                shared.connections.fetch_add(1, Ordering::SeqCst);
                let (shared, serve) = (Arc::clone(&shared), Arc::clone(&serve));
                thread::spawn(move || serve(stream.unwrap(), &shared));
            }
        });
        Self { address, scheme, state, thread: Some(thread) }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().unwrap().clone()
    }

    pub(crate) fn most_at_once(&self) -> usize {
        self.state.most_at_once.load(Ordering::SeqCst)
    }

    pub(crate) fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.ends.store(true, Ordering::SeqCst);
        // Wakes the listener, which then ends and closes its port.
        let _woken = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// Answers questions until the client goes, or the answer is to hang up.
fn serve(stream: impl Read + Write, state: &State) {
    let mut stream = BufReader::new(stream);
    loop {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if line.trim_end().is_empty() {
                break;
            }
            lines.push(line.trim_end().to_owned());
        }
        let path = lines[0].split(' ').nth(1).unwrap().to_owned();
        let header = |line: &String| {
            let (name, value) = line.split_once(':').unwrap();
            format!("{}:{value}", name.to_ascii_lowercase())
        };
        let headers = lines[1..].iter().map(header).collect::<Vec<_>>().join("\n");
        let now = state.at_once.fetch_add(1, Ordering::SeqCst) + 1;
        state.most_at_once.fetch_max(now, Ordering::SeqCst);
        let asked = {
            let mut all = state.asked.lock().unwrap();
            let asked = Asked { path, headers, number: all.len() };
            all.push(asked.clone());
            asked
        };
        let reply = (state.answer)(&asked);
        state.at_once.fetch_sub(1, Ordering::SeqCst);
        if reply.status == 0 {
            return;
        }
        let (length, more, body) = (reply.body.len(), reply.header, reply.body);
        let head = format!("HTTP/1.1 {} Some Reason\r\nContent-Length: {length}\r\n{more}\r\n", reply.status);
        if stream
            .get_mut()
            .write_all((head + &body).as_bytes())
            .and_then(|()| stream.get_mut().flush())
            .is_err()
        {
            return;
        }
    }
}
