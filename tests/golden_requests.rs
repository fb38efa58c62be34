//! One file against both sides of the boundary: requests as the shim writes them, answered here.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::fs;
use std::path::{Path, PathBuf};

use ballast::engine;
use ballast::verify::verify;
use ballast::wire::{decode_reply, decode_request};

/// Requests in tests/golden, which the shim's GoldenRequestTest writes, by name.
fn requests() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut requests: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| name(path).starts_with("request-"))
        .collect();
    requests.sort();
    requests
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// Each is decoded, answered and judged, and the reply compared with the one beside it, byte for byte.
/// `BALLAST_GOLDEN=write` writes the replies instead.
#[test]
fn golden_requests_get_their_golden_replies() {
    let requests = requests();
    assert!(requests.len() >= 3, "{requests:?}");
    for path in requests {
        let request =
            decode_request(&fs::read(&path).unwrap()).unwrap_or_else(|why| panic!("{}: {why}", name(&path)));
        let reply = engine::answer(&request);
        assert_eq!(reply.refusal, None, "{}", name(&path));
        assert_eq!(verify(&request, &reply), [], "{}", name(&path));
        let golden = path.with_file_name(name(&path).replacen("request-", "reply-", 1));
        let text = serde_json::to_string_pretty(&reply).unwrap() + "\n";
        if std::env::var_os("BALLAST_GOLDEN").is_some_and(|value| value == "write") {
            fs::write(&golden, &text).unwrap();
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(text, expected, "{} no longer gets the reply beside it", name(&path));
        assert!(decode_reply(expected.as_bytes()).is_ok(), "{}", name(&golden));
    }
}
