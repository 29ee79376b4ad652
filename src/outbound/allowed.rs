//! Destinations that an operator allows besides the public internet, such as a chat server in its own
//! network.

use std::{net::IpAddr, str::FromStr};

use super::address::is_public;
use crate::network::Network;

/// A host, an address or a network, with a scheme or port unless it is a network: `ntfy.lan`,
/// `http://10.0.0.5:8080`, `10.0.0.0/8`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allowed {
    scheme: Option<String>,
    place: HostPattern,
    port: Option<u16>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum HostPattern {
    Host(String),
    Network(Network),
}

/// The destination of a message.
#[derive(Clone, Copy)]
pub struct Destination<'a> {
    pub scheme: &'a str,
    pub host: &'a str,
    pub port: u16,
}

impl Destination<'_> {
    fn is_https(&self) -> bool {
        self.scheme == "https" && self.port == 443
    }

    /// Returns whether the message may go to this address of its host.
    pub fn may_reach(&self, address: IpAddr, allowed: &[Allowed]) -> bool {
        let allows = |rule: &Allowed| {
            rule.fits(self)
                && match &rule.place {
                    HostPattern::Host(host) => host == self.host,
                    HostPattern::Network(network) => network.contains(address),
                }
        };
        (self.is_https() && is_public(address)) || allowed.iter().any(allows)
    }

    /// Returns whether the message could be allowed for some address.
    pub fn may_be_sent(&self, allowed: &[Allowed]) -> bool {
        if let Ok(address) = self.host.trim_matches(['[', ']']).parse() {
            return self.may_reach(address, allowed);
        }
        let names = |rule: &Allowed| match &rule.place {
            HostPattern::Host(host) => host == self.host,
            HostPattern::Network(_) => true,
        };
        let is_here = self.host == "localhost" || self.host.ends_with(".localhost");
        (self.is_https() && !is_here) || allowed.iter().any(|rule| rule.fits(self) && names(rule))
    }
}

impl Allowed {
    /// Allows only this host at this port.
    pub fn only(scheme: &str, host: &str, port: u16) -> Option<Self> {
        let is_web = matches!(scheme, "http" | "https");
        let host = host.trim_end_matches('.').to_owned();
        is_web.then(|| Self {
            scheme: Some(scheme.to_owned()),
            place: HostPattern::Host(host),
            port: Some(port),
        })
    }

    fn fits(&self, asked: &Destination) -> bool {
        self.scheme.as_deref().is_none_or(|scheme| scheme == asked.scheme)
            && self.port.is_none_or(|port| port == asked.port)
    }
}

impl FromStr for Allowed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is not a host, an address or a network, such as http://ntfy.lan:8080 or 10.0.0.0/8"
            )
        };
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme @ ("http" | "https"), rest)) => {
                (Some(scheme.to_owned()), rest.trim_end_matches('/'))
            }
            Some(_) => return Err(wrong()),
            None => (None, text),
        };
        if let Ok(network) = rest.parse() {
            return Ok(Self { scheme, place: HostPattern::Network(network), port: None });
        }
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) => (host, Some(port.parse().map_err(|_| wrong())?)),
            None => (rest, None),
        };
        let place = match host.trim_matches(['[', ']']).parse::<Network>() {
            Ok(network) => HostPattern::Network(network),
            Err(_) => match url::Host::parse(host) {
                Ok(url::Host::Domain(name)) if !host.contains('/') => HostPattern::Host(name),
                _ => return Err(wrong()),
            },
        };
        Ok(Self { scheme, place, port })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(url: &str) -> (String, String, u16) {
        let url = url::Url::parse(url).unwrap();
        let port = url.port_or_known_default().unwrap();
        (url.scheme().to_owned(), url.host_str().unwrap().to_owned(), port)
    }

    fn may(url: &str, address: &str, rules: &[&str]) -> bool {
        let rules: Vec<Allowed> = rules.iter().map(|rule| rule.parse().unwrap()).collect();
        let (scheme, host, port) = asked(url);
        let asked = Destination { scheme: &scheme, host: &host, port };
        asked.may_be_sent(&rules) && asked.may_reach(address.parse().unwrap(), &rules)
    }

    #[test]
    fn without_a_rule_only_https_to_the_public_internet_is_allowed() {
        assert!(may("https://ntfy.example/x", "1.1.1.1", &[]));
        for (url, address) in [
            ("http://ntfy.example/x", "1.1.1.1"),
            ("https://ntfy.example:8443/x", "1.1.1.1"),
            ("https://ntfy.example/x", "10.0.0.1"),
            ("https://localhost/x", "127.0.0.1"),
            ("https://0x7f.1/x", "127.0.0.1"),
            ("https://2130706433/x", "127.0.0.1"),
            ("https://[::ffff:10.0.0.1]/x", "::ffff:10.0.0.1"),
        ] {
            assert!(!may(url, address, &[]), "{url}");
        }
    }

    #[test]
    fn a_rule_allows_what_it_names_and_no_more() {
        assert!(may("http://ntfy.lan:8080/x", "10.0.0.5", &["ntfy.lan"]));
        assert!(may("http://ntfy.lan:8080/x", "10.0.0.5", &["http://NTFY.lan:8080/"]));
        assert!(!may("https://ntfy.lan:8080/x", "10.0.0.5", &["http://ntfy.lan:8080"]));
        assert!(!may("http://ntfy.lan:8081/x", "10.0.0.5", &["ntfy.lan:8080"]));
        assert!(!may("https://other.lan/x", "10.0.0.5", &["ntfy.lan"]));
        assert!(may("https://127.0.0.1:9/x", "127.0.0.1", &["127.0.0.1:9"]));
        assert!(!may("https://127.0.0.1:10/x", "127.0.0.1", &["127.0.0.1:9"]));
        assert!(may("https://[::1]:9/x", "::1", &["[::1]:9"]));
        assert!(may("https://any.lan:1/x", "10.9.9.9", &["10.0.0.0/8"]));
        assert!(!may("https://any.lan:1/x", "11.9.9.9", &["10.0.0.0/8"]));
        for wrong in ["", "ftp://x", "a b", "x:y", "10.0.0.0/99"] {
            assert!(wrong.parse::<Allowed>().is_err(), "{wrong}");
        }
    }
}
