//! What keeps a recording from running: JSON that cannot end its element, and a policy that names the page's scripts.

use data_encoding::BASE64;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// A value as JSON that may stand in a `script` element: nothing in it ends the element or begins another, whatever
/// the strings hold (HTML, section 4.12.1.3), and no script reads it otherwise (U+2028 and U+2029).
pub(super) fn json(value: &impl Serialize) -> String {
    let plain = serde_json::to_string(value).expect("an outcome has only string keys");
    let mut safe = String::with_capacity(plain.len() + plain.len() / 64);
    for c in plain.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => safe.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => safe.push(c),
        }
    }
    safe
}

/// A Content-Security-Policy under which these scripts run and no other, and nothing is fetched, framed or sent.
/// Styles may be inline, since charts carry their own: without anything to fetch they can do no more than look wrong.
pub(super) fn policy(scripts: &[&str]) -> String {
    let hashes: Vec<String> =
        scripts.iter().map(|text| format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)))).collect();
    format!(
        "default-src 'none'; script-src {}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
        hashes.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_a_page_has_nothing_that_ends_its_element_and_reads_back_the_same() {
        let hostile = "</script><!--<script>&amp;\u{2028}\u{2029}\"\\\u{0}";
        let safe = json(&hostile);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}', '\u{2029}', '\u{0}']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), hostile);
    }

    #[test]
    fn the_policy_names_each_script_by_its_hash() {
        // SHA-256 of the empty text.
        let hash = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
        assert!(policy(&[""]).contains(&format!("script-src {hash};")), "{}", policy(&[""]));
    }
}
