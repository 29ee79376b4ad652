//! How much each client may ask for.

use std::{net::IpAddr, num::NonZeroU32};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock as _};

use crate::config::Config;

/// How many clients are remembered before those that are silent are forgotten.
const CLIENTS: usize = 50_000;

/// A bucket for each client address, unless the operator wants none.
pub struct RateLimit(Option<DefaultKeyedRateLimiter<IpAddr>>);

impl RateLimit {
    pub fn new(config: &Config) -> Self {
        let rate = NonZeroU32::new(config.requests_per_second);
        let burst = NonZeroU32::new(config.request_burst).unwrap_or(NonZeroU32::MIN);
        Self(rate.map(|rate| RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst))))
    }

    /// How many seconds this client has to wait, if it has to.
    pub fn wait(&self, client: IpAddr) -> Option<u64> {
        let limiter = self.0.as_ref()?;
        if limiter.len() > CLIENTS {
            limiter.retain_recent();
        }
        let now = governor::clock::DefaultClock::default().now();
        limiter.check_key(&network(client)).err().map(|wait| wait.wait_time_from(now).as_secs() + 1)
    }
}

/// The addresses that one client can be expected to have: of IPv6 a whole network.
fn network(client: IpAddr) -> IpAddr {
    match client.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_its_address_or_its_network() {
        let network = |address: &str| network(address.parse().unwrap()).to_string();
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7", "a listener for both sees IPv4 like this");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }
}
