//! One question to the UI.

use std::time::Duration;

use data_encoding::BASE64;
use thiserror::Error;
use ureq::Agent;
use ureq::http::header::{ACCEPT, AUTHORIZATION, LOCATION};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

use super::address::{Access, base};
use crate::ingest::ui::{Answer, MOST_BYTES, Unusable};
use crate::ingest::{Fault, quoted};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);

/// How long one answer may take in all: Nimbus collects the statistics of a large topology for seconds.
const ANSWER: Duration = Duration::from_secs(60);

/// Why there was no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Trouble {
    /// Nobody answers.
    #[error("the UI at {0} does not answer: {1}")]
    Away(String, String),
    /// Whoever answers wants to know who asks.
    #[error("the UI wants a name and a password (HTTP {0}): give --user and the password")]
    Login(u16),
    /// Storm knows who asks, and does not show this to them (`AuthorizationException`).
    #[error("{0}: the UI does not show it to this user: \"{1}\"")]
    Forbidden(String, String),
    /// It points elsewhere; credentials follow nobody.
    #[error("{0} is elsewhere (HTTP {1}): {2}; give that address if it is meant")]
    Elsewhere(String, u16, String),
    /// Something else than an answer.
    #[error("{0}: {1}")]
    Unusable(String, String),
    /// An error of the UI's.
    #[error("{0}: the UI answered with an error: \"{1}\"")]
    Error(String, String),
    /// It answers more than can be asked for.
    #[error("the UI lists {0}: too many to ask for")]
    TooMuch(String),
}

/// Asks one UI.
#[derive(Debug)]
pub(super) struct Client {
    agent: Agent,
    base: String,
    authorization: Option<String>,
}

impl Client {
    /// Makes ready to ask; nothing is sent yet.
    pub(super) fn new(access: &Access) -> Result<Self, Fault> {
        let mut config = Agent::config_builder()
            .user_agent(concat!("ballast/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(ANSWER))
            .max_redirects(0)
            .max_idle_connections(1)
            .http_status_as_error(false);
        if let Some(pem) = &access.ca {
            config = config.tls_config(TlsConfig::builder().root_certs(roots(pem)?).build());
        }
        let authorization = access.login.as_ref().map(|login| {
            format!("Basic {}", BASE64.encode(format!("{}:{}", login.user, login.password).as_bytes()))
        });
        Ok(Self { agent: config.build().new_agent(), base: base(&access.url)?, authorization })
    }

    /// The address of the UI.
    pub(super) fn address(&self) -> &str {
        &self.base
    }

    /// The answer to one path below `/api/v1/`.
    pub(super) fn ask(&self, path: &str) -> Result<Answer, Trouble> {
        let away = |error: ureq::Error| Trouble::Away(self.base.clone(), quoted(&error.to_string()));
        let mut question =
            self.agent.get(format!("{}/api/v1/{path}", self.base)).header(ACCEPT, "application/json");
        if let Some(authorization) = &self.authorization {
            question = question.header(AUTHORIZATION, authorization);
        }
        let mut response = question.call().map_err(away)?;
        let status = response.status();
        if status.is_redirection() {
            let to = response
                .headers()
                .get(LOCATION)
                .and_then(|to| to.to_str().ok())
                .unwrap_or("no address given");
            return Err(Trouble::Elsewhere(path.to_owned(), status.as_u16(), quoted(to)));
        }
        let bytes = match response.body_mut().with_config().limit(MOST_BYTES).read_to_vec() {
            Err(ureq::Error::BodyExceedsLimit(_)) => return Err(unusable(path, &Unusable::TooLarge)),
            bytes => bytes.map_err(away)?,
        };
        match Answer::read(&bytes) {
            Ok(answer) if status.is_success() => Ok(answer),
            Err(Unusable::Error(words)) if matches!(status.as_u16(), 401 | 403) => {
                Err(Trouble::Forbidden(path.to_owned(), words))
            }
            Err(Unusable::Error(words)) => Err(Trouble::Error(path.to_owned(), words)),
            _ if matches!(status.as_u16(), 401 | 407) => Err(Trouble::Login(status.as_u16())),
            Err(why) if status.is_success() => Err(unusable(path, &why)),
            _ => Err(Trouble::Error(path.to_owned(), quoted(&status.to_string()))),
        }
    }
}

fn unusable(path: &str, why: &Unusable) -> Trouble {
    Trouble::Unusable(path.to_owned(), why.to_string())
}

/// All certificates of a PEM file.
fn roots(pem: &[u8]) -> Result<RootCerts, Fault> {
    let advice = "give a file with the certificate of the authority that signed the UI's, in PEM form";
    let mut certificates = Vec::new();
    for item in parse_pem(pem) {
        match item {
            Ok(PemItem::Certificate(certificate)) => certificates.push(certificate),
            Ok(_) => {}
            Err(error) => return Err(Fault::new("--ca", quoted(&error.to_string()), advice)),
        }
    }
    if certificates.is_empty() {
        return Err(Fault::new("--ca", "the file holds no certificate", advice));
    }
    Ok(RootCerts::new_with_certs(&certificates))
}
