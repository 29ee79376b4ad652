//! The HTTP client of the command line.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
};

use tokio_rustls::rustls::crypto::aws_lc_rs;
use ureq::{Agent, config::ConfigBuilder, tls::TlsConfig, typestate::AgentScope};

/// Returns the address at which this machine reaches a server that listens on an address.
pub fn reached(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

/// Returns a client that reads the answers of all statuses.
pub fn agent(set: impl FnOnce(ConfigBuilder<AgentScope>) -> ConfigBuilder<AgentScope>) -> Agent {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let tls = TlsConfig::builder().unversioned_rustls_crypto_provider(provider).build();
    set(Agent::config_builder().http_status_as_error(false).tls_config(tls)).build().new_agent()
}
