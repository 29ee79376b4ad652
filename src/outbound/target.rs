//! Destinations of messages.

use url::Url;

use super::allowed::{Allowed, Destination};
use crate::service::ports::Unwanted;

const LONGEST: usize = 2_000;

/// An address that may receive messages, if its host leads to an allowed address.
#[derive(Debug)]
pub struct Target {
    url: Url,
    host: String,
    port: u16,
}

impl Target {
    pub fn read(text: &str, allowed: &[Allowed]) -> Result<Self, Unwanted> {
        if text.len() > LONGEST {
            return Err(Unwanted::Form);
        }
        let url = Url::parse(text).map_err(|_| Unwanted::Form)?;
        let has_more = !url.username().is_empty() || url.password().is_some() || url.fragment().is_some();
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
            return Err(Unwanted::Form);
        };
        if has_more || !matches!(url.scheme(), "http" | "https") {
            return Err(Unwanted::Form);
        }
        let host = host.trim_end_matches('.').to_owned();
        let target = Self { url, host, port };
        if target.asked().may_be_sent(allowed) { Ok(target) } else { Err(Unwanted::Place) }
    }

    /// Returns the destination of an address that the operator named.
    pub fn place(text: &str) -> Option<Allowed> {
        let url = Url::parse(text).ok()?;
        Allowed::only(url.scheme(), url.host_str()?, url.port_or_known_default()?)
    }

    pub fn asked(&self) -> Destination<'_> {
        Destination { scheme: self.url.scheme(), host: &self.host, port: self.port }
    }

    /// Returns the name for the lookup and the certificate.
    pub fn name(&self) -> &str {
        self.host.trim_matches(['[', ']'])
    }

    pub fn host(&self) -> &str {
        &self.host
    }

    pub const fn port(&self) -> u16 {
        self.port
    }

    pub fn is_encrypted(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// Returns the `Host` header.
    pub fn authority(&self) -> String {
        self.url.authority().to_owned()
    }

    /// Returns the path and query.
    pub fn path(&self) -> &str {
        &self.url[url::Position::BeforePath..]
    }
}
