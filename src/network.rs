//! Networks of addresses.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

/// An address, or all with a prefix: `192.0.2.7`, `10.0.0.0/8`, `fd00::/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    bits: u128,
    mask: u128,
}

/// The beginning of IPv4 addresses among those of IPv6, and the bits of a client.
const V4: u128 = 0xffff;
const CLIENT: u128 = u128::MAX << 64;

/// Addresses are compared as IPv6.
const fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

impl Network {
    pub fn any_contains(networks: &[Self], address: IpAddr) -> bool {
        networks.iter().any(|network| network.contains(address))
    }

    /// Returns the network of whole clients: an IPv6 client has 64 bits.
    #[must_use]
    pub const fn of_clients(self) -> Self {
        let is_v4 = self.bits >> 32 == V4 && self.mask >> 32 == u128::MAX >> 32;
        if is_v4 {
            return self;
        }
        let mask = self.mask & CLIENT;
        Self { bits: self.bits & mask, mask }
    }

    /// Networks of IPv6 contain no IPv4 address, but for the one of all addresses.
    pub const fn contains(&self, address: IpAddr) -> bool {
        let bits = bits(address);
        let is_of_v6 = self.mask >> 32 != u128::MAX >> 32 && self.mask != 0;
        bits & self.mask == self.bits && !(is_of_v6 && bits >> 32 == V4)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = Ipv6Addr::from_bits(self.bits);
        let length = self.mask.count_ones();
        match address.to_ipv4_mapped().zip(length.checked_sub(96)) {
            Some((address, 32)) => address.fmt(f),
            Some((address, length)) => write!(f, "{address}/{length}"),
            None if length == 128 => address.fmt(f),
            None => write!(f, "{address}/{length}"),
        }
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not an address or a network such as 10.0.0.0/8");
        let (address, prefix) =
            text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let width: u32 = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(width), str::parse).map_err(|_| wrong())?;
        let host = width.checked_sub(prefix).ok_or_else(wrong)?;
        let mask = u128::MAX.checked_shl(host).unwrap_or(0);
        Ok(Self { bits: bits(address) & mask, mask })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_one_form_and_holds_whole_clients() {
        for (written, form) in [
            ("192.0.2.9", "192.0.2.9"),
            ("192.0.2.9/24", "192.0.2.0/24"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8::/32", "2001:db8::/32"),
            ("::ffff:192.0.2.9", "192.0.2.9"),
            ("0.0.0.0/0", "0.0.0.0/0"),
        ] {
            let network = written.parse::<Network>().unwrap().of_clients();
            assert_eq!(network.to_string(), form, "{written}");
            assert_eq!(form.parse::<Network>().unwrap(), network);
        }
    }

    #[test]
    fn a_network_contains_what_begins_as_it_does() {
        let contains = |network: &str, address: &str| {
            network.parse::<Network>().unwrap().contains(address.parse().unwrap())
        };
        assert!(contains("192.0.2.7", "192.0.2.7") && !contains("192.0.2.7", "192.0.2.8"));
        assert!(contains("10.0.0.0/8", "10.255.0.1") && !contains("10.0.0.0/8", "11.0.0.1"));
        assert!(contains("10.0.0.0/8", "::ffff:10.1.2.3"), "a listener for both sees IPv4 like this");
        assert!(contains("0.0.0.0/0", "203.0.113.1") && !contains("0.0.0.0/0", "2001:db8::1"));
        assert!(contains("fd00::/8", "fdff::1") && !contains("fd00::/8", "fe00::1"));
        assert!(contains("::/0", "2001:db8::1") && contains("::/0", "192.0.2.7"));
        assert!(contains("::/64", "::1") && !contains("::/64", "192.0.2.7"));
        for wrong in ["", "x", "10.0.0.0/33", "fd00::/129", "10.0.0.0/-1", "10.0.0.0/", "/8", "localhost"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }
}
