//! Bytes to types, with the place of the first fault in every error.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Hello, Refusal, RefusalCode, Reply, Request, VERSION};

/// A request from its bytes: well-formed JSON of this version. Its values are checked by `crate::snapshot`.
pub fn decode_request(bytes: &[u8]) -> Result<Request, Refusal> {
    decode(bytes, "snapshot")
}

/// A reply from its bytes.
pub fn decode_reply(bytes: &[u8]) -> Result<Reply, Refusal> {
    decode(bytes, "plan")
}

/// A handshake from its bytes; a version of another kind is for the caller to answer.
pub fn decode_hello(bytes: &[u8]) -> Result<Hello, Refusal> {
    parse(bytes)
}

/// The two fields every message has; read first, so that a newer message is refused for its version and not for a
/// field this library does not know.
#[derive(Deserialize)]
struct Head {
    ballast: String,
    version: u32,
}

fn decode<T: DeserializeOwned>(bytes: &[u8], kind: &str) -> Result<T, Refusal> {
    let head: Head = parse(bytes)?;
    if head.ballast != kind {
        return Err(Refusal::new(
            RefusalCode::BadJson,
            format!("field ballast: expected \"{kind}\", found \"{}\"", head.ballast),
            format!("hand over a Ballast {kind}"),
        ));
    }
    if head.version != VERSION {
        return Err(Refusal::new(
            RefusalCode::BadVersion,
            format!("field version: {} where this library speaks {VERSION}", head.version),
            "use the jar and the command line of one release",
        ));
    }
    parse(bytes)
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    // The path costs time on every field, so it is only sought once the quick way has failed.
    serde_json::from_slice(bytes).map_err(|quick| {
        let mut deserializer = serde_json::Deserializer::from_slice(bytes);
        let detail = match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
            Err(error) => format!("at {}: {}", error.path(), error.inner()),
            Ok(_) => quick.to_string(),
        };
        Refusal::new(RefusalCode::BadJson, detail, "see the wire contract for the fields and their types")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(json: &str) -> (RefusalCode, String) {
        let refusal = decode_request(json.as_bytes()).unwrap_err();
        (refusal.code, refusal.detail)
    }

    #[test]
    fn an_unknown_field_is_named_with_its_place() {
        let (code, detail) = detail(
            r#"{"ballast":"snapshot","version":1,"generation":1,"topologies":[],
                "nodes":[{"id":"n1","host":"h","ports":[1],"cores":4}]}"#,
        );
        assert_eq!(code, RefusalCode::BadJson);
        assert!(detail.contains("nodes[0]") && detail.contains("cores"), "{detail}");
    }

    #[test]
    fn a_newer_message_is_refused_for_its_version_not_for_its_fields() {
        let (code, detail) = detail(r#"{"ballast":"snapshot","version":9,"novelty":true}"#);
        assert_eq!(code, RefusalCode::BadVersion);
        assert!(detail.contains('9'), "{detail}");
    }

    #[test]
    fn garbage_says_where_it_stopped_making_sense() {
        assert_eq!(detail("{").0, RefusalCode::BadJson);
        assert_eq!(detail("").0, RefusalCode::BadJson);
        assert!(detail(r#"{"ballast":"plan","version":1}"#).1.contains("snapshot"));
    }
}
