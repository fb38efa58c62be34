//! Where the UI is, and how it is asked.

use std::fmt;

use ureq::http::Uri;

use crate::ingest::{Fault, quoted};

/// How to reach a UI.
#[derive(Debug)]
pub struct Access {
    /// Its address, up to the REST API: `https://ui.example:8443`.
    pub url: String,
    /// Certificates to trust instead of the public ones, PEM.
    pub ca: Option<Vec<u8>>,
    /// For basic authentication.
    pub login: Option<Login>,
}

/// Name and password; the password is never printed.
pub struct Login {
    /// Name.
    pub user: String,
    /// Password.
    pub password: String,
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}

/// The address that paths of the API are appended to, without a slash at its end.
pub(super) fn base(url: &str) -> Result<String, Fault> {
    let fault = |detail: &str, advice: &str| Err(Fault::new(format!("--ui {}", shown(url)), detail, advice));
    let url = url.split(['?', '#']).next().unwrap_or_default().trim();
    let scheme =
        ["http://", "https://"].into_iter().find(|scheme| url.to_ascii_lowercase().starts_with(scheme));
    let Some(scheme) = scheme else {
        return fault(
            "no address of a web server",
            "give it with its scheme, for instance http://localhost:8080",
        );
    };
    let rest = &url[scheme.len()..];
    if rest.split('/').next().is_some_and(|host| host.contains('@')) {
        return fault(
            "holds a name or password",
            "give the name with --user and the password in a file or the environment",
        );
    }
    let mut rest = rest.trim_end_matches('/');
    for page in ["/index.html", "/api/v1"] {
        rest = rest.strip_suffix(page).unwrap_or(rest).trim_end_matches('/');
    }
    let base = format!("{scheme}{rest}");
    match base.parse::<Uri>() {
        Ok(uri) if uri.host().is_some_and(|host| !host.is_empty()) => Ok(base),
        _ => fault("no address of a web server", "give host and port, for instance http://localhost:8080"),
    }
}

/// An address as it may stand in a message: without what may be a password.
fn shown(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    quoted(&if scheme.is_empty() { rest.to_owned() } else { format!("{scheme}://{rest}") })
}

/// A name as one segment of a path: no name can lead to another one.
pub(super) fn segment(name: &str) -> String {
    let dots = name.bytes().all(|byte| byte == b'.');
    let mut encoded = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_~".contains(&byte) || (byte == b'.' && !dots) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_as_people_paste_it() {
        for (url, expected) in [
            ("http://ui:8080", "http://ui:8080"),
            ("http://ui:8080/", "http://ui:8080"),
            ("http://ui:8080/index.html?sys=true#top", "http://ui:8080"),
            ("https://proxy/storm/api/v1/", "https://proxy/storm"),
            ("HTTP://ui", "http://ui"),
        ] {
            assert_eq!(base(url).unwrap(), expected, "{url}");
        }
        for url in ["ui:8080", "ftp://ui", "http://", "http:///x", "", "file:///etc/passwd"] {
            assert!(base(url).is_err(), "{url}");
        }
    }

    #[test]
    fn a_password_in_the_address_is_refused_and_not_repeated() {
        let fault = base("http://me:secret@ui:8080").unwrap_err();
        assert!(!fault.to_string().contains("secret"), "{fault}");
        assert!(fault.advice.contains("--user"), "{fault}");
    }

    #[test]
    fn no_name_leads_elsewhere() {
        assert_eq!(segment("flights-3-1795998681"), "flights-3-1795998681");
        assert_eq!(segment("__metrics_org.apache.X"), "__metrics_org.apache.X");
        assert_eq!(segment("../a b?c#d%"), "..%2Fa%20b%3Fc%23d%25");
        assert_eq!(segment(".."), "%2E%2E");
        assert_eq!(segment("é\r\n"), "%C3%A9%0D%0A");
    }
}
