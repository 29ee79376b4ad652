//! The HTTP client of the command line.

use std::sync::Arc;

use tokio_rustls::rustls::crypto::aws_lc_rs;
use ureq::{Agent, config::ConfigBuilder, tls::TlsConfig, typestate::AgentScope};

/// Returns a client that reads the answers of all statuses.
pub fn agent(set: impl FnOnce(ConfigBuilder<AgentScope>) -> ConfigBuilder<AgentScope>) -> Agent {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let tls = TlsConfig::builder().unversioned_rustls_crypto_provider(provider).build();
    set(Agent::config_builder().http_status_as_error(false).tls_config(tls)).build().new_agent()
}
