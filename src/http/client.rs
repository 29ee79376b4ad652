//! The client address that counts for limits.

use std::{fmt, net::IpAddr};

use actix_web::http::header::{self, HeaderMap};

use crate::network::Network;

const X_FORWARDED_FOR: &str = "x-forwarded-for";

/// A client: an address, or for IPv6 a whole network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Client(IpAddr);

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Client {
    pub const fn address(self) -> IpAddr {
        self.0
    }

    pub const fn at(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                Self(IpAddr::V6(std::net::Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)))
            }
            v4 @ IpAddr::V4(_) => Self(v4),
        }
    }

    /// Returns the site of the client: for IPv6 the 48 bits that one subscriber may have.
    pub const fn site(self) -> Self {
        match self.0 {
            IpAddr::V6(address) => {
                Self(IpAddr::V6(std::net::Ipv6Addr::from_bits(address.to_bits() >> 80 << 80)))
            }
            IpAddr::V4(_) => self,
        }
    }

    /// Returns the client of a request: the address itself, or the one for which a trusted proxy speaks. A
    /// proxy writes one of two headers and may pass the other one on unchecked: if both name different
    /// clients, there is none.
    pub fn of(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> Option<Self> {
        if !Network::any_contains(trusted, peer) {
            return Some(Self::at(peer));
        }
        // From the nearest address on: each trusted proxy is believed about the one before it.
        let first = |path: Vec<Option<IpAddr>>| {
            let mut client = peer;
            for hop in path.into_iter().rev() {
                match hop.filter(|_| Network::any_contains(trusted, client)) {
                    Some(hop) => client = hop,
                    None => break,
                }
            }
            Self::at(client)
        };
        let (older, newer) = (forwarded_for(headers), forwarded(headers));
        match (older.is_empty(), newer.is_empty()) {
            (_, true) => Some(first(older)),
            (true, false) => Some(first(newer)),
            (false, false) => Some(first(older)).filter(|client| *client == first(newer)),
        }
    }
}

/// Returns whether the headers name a proxy.
pub fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.contains_key(X_FORWARDED_FOR) || headers.contains_key(header::FORWARDED)
}

/// Returns the elements of a list header. An element that is no text counts as empty.
fn elements(headers: &HeaderMap, name: &str) -> Vec<String> {
    let lines = headers.get_all(name).map(|line| String::from_utf8_lossy(line.as_bytes()));
    lines.flat_map(|line| line.split(',').map(|part| part.trim().to_owned()).collect::<Vec<_>>()).collect()
}

/// Returns the addresses of `X-Forwarded-For`, nearest last; `None` for an invalid one.
fn forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    elements(headers, X_FORWARDED_FOR).iter().map(|element| node(element)).collect()
}

/// Returns the addresses of `Forwarded` (RFC 7239).
fn forwarded(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let node_of = |element: &String| {
        let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
        let (_, value) = pairs.find(|(name, _)| name.eq_ignore_ascii_case("for"))?;
        node(value.trim_matches('"'))
    };
    elements(headers, header::FORWARDED.as_str()).iter().map(node_of).collect()
}

/// Parses an address with or without a port: `192.0.2.7:80`, `[2001:db8::1]`, `2001:db8::1`.
fn node(text: &str) -> Option<IpAddr> {
    let bracketed = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(address, _)| address);
    let with_port = || text.parse::<std::net::SocketAddr>().ok().map(|address| address.ip());
    bracketed.unwrap_or(text).parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    fn client(peer: &str, headers: &[(&'static str, &str)]) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let trusted = ["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()];
        Client::of(peer.parse().unwrap(), &map, &trusted)
            .map_or("nobody".into(), |client| client.0.to_string())
    }

    #[test]
    fn a_client_is_its_address_or_its_network() {
        assert_eq!(client("192.0.2.7", &[]), "192.0.2.7");
        assert_eq!(client("::ffff:192.0.2.7", &[]), "192.0.2.7", "a listener for both sees IPv4 like this");
        assert_eq!(client("2001:db8:1:2:3:4:5:6", &[]), "2001:db8:1:2::");
        let site = |address: &str| Client::at(address.parse().unwrap()).site().address().to_string();
        assert_eq!((site("2001:db8:1:2::9"), site("192.0.2.7")), ("2001:db8:1::".into(), "192.0.2.7".into()));
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let says = |peer, header, value| client(peer, &[(header, value)]);
        assert_eq!(says("192.0.2.7", "x-forwarded-for", "203.0.113.9"), "192.0.2.7");
        assert_eq!(says("10.0.0.1", "x-forwarded-for", "203.0.113.9"), "203.0.113.9");
        assert_eq!(says("::ffff:10.0.0.1", "x-forwarded-for", "203.0.113.9:443"), "203.0.113.9");
        assert_eq!(says("fd00::1", "forwarded", "for=\"[2001:db8::7]:80\";proto=https"), "2001:db8::");
        assert_eq!(says("10.0.0.1", "forwarded", "proto=https; For=203.0.113.9"), "203.0.113.9");
    }

    #[test]
    fn what_a_client_writes_itself_is_not_believed() {
        let chain = "198.51.100.1, 203.0.113.9, 10.0.0.2";
        assert_eq!(
            client("10.0.0.1", &[("x-forwarded-for", chain)]),
            "203.0.113.9",
            "the last that is no proxy"
        );
        let both = [("x-forwarded-for", "203.0.113.9"), ("forwarded", "for=198.51.100.1")];
        assert_eq!(client("10.0.0.1", &both), "nobody", "one of the two is a lie");
        assert_eq!(client("192.0.2.7", &both), "192.0.2.7", "which does not matter where nobody is believed");
        let framed =
            [("forwarded", "for=203.0.113.9, for=10.0.0.2"), ("x-forwarded-for", "198.51.100.66, 10.0.0.2")];
        assert_eq!(client("10.0.0.1", &framed), "nobody");
        let agreed = [("x-forwarded-for", "203.0.113.9"), ("forwarded", "for=203.0.113.9")];
        assert_eq!(client("10.0.0.1", &agreed), "203.0.113.9");
        for nonsense in ["", "x", "unknown", "_hidden", "203.0.113.9, unknown"] {
            assert_eq!(client("10.0.0.1", &[("x-forwarded-for", nonsense)]), "10.0.0.1", "{nonsense}");
        }
        assert_eq!(client("10.0.0.1", &[("x-forwarded-for", "\u{e9}, 203.0.113.9")]), "203.0.113.9");
        let lines = [("x-forwarded-for", "198.51.100.1"), ("x-forwarded-for", "203.0.113.9")];
        assert_eq!(client("10.0.0.1", &lines), "203.0.113.9", "several lines are one list");
    }
}
