//! Where the database is, and what is asked of it.

use std::{path::PathBuf, sync::Arc, time::Duration};

use tokio::runtime::Handle;
use tokio_postgres::{Config, config::TargetSessionAttrs};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject as _},
};

use super::link::Target;
use crate::store::StoreError;

/// How nodes hear of each other's commits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bells {
    #[default]
    Notify,
    /// By looking, where a pooler lets no notification through.
    Poll,
}

/// How a server uses its database. It has no `Debug`: the address may have a password in it.
#[derive(Clone)]
pub struct Settings {
    /// As libpq has it: `postgres://user:password@host1,host2/name?...`.
    pub url: String,
    pub password: Option<String>,
    /// Certificates (PEM) of authorities that are trusted beside those that everybody does.
    pub authorities: Option<PathBuf>,
    /// How many synchronous standbys there must be for anything to be written.
    pub standbys: u32,
    pub bells: Bells,
    /// How many connections read, and how many write one thing at a time.
    pub readers: usize,
    pub writers: usize,
    /// How many writes may wait. One more is refused.
    pub queue: usize,
}

impl Settings {
    pub const fn of(url: String) -> Self {
        Self {
            url,
            password: None,
            authorities: None,
            standbys: 1,
            bells: Bells::Notify,
            readers: 4,
            writers: 8,
            queue: 8_192,
        }
    }

    pub(super) fn target(&self, runtime: Handle) -> Result<Target, StoreError> {
        let mut config: Config = self.url.parse().map_err(|error: tokio_postgres::Error| {
            StoreError::Address(
                std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string),
            )
        })?;
        if let Some(password) = &self.password {
            config.password(password);
        }
        // After a failover the one that takes writes is another one.
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        config.application_name("playledger");
        config.connect_timeout(Duration::from_secs(3));
        config.tcp_user_timeout(Duration::from_secs(5));
        config.keepalives_idle(Duration::from_secs(5));
        config.keepalives_interval(Duration::from_secs(2));
        Ok(Target { config, tls: MakeRustlsConnect::new(self.tls()?), runtime })
    }

    fn tls(&self) -> Result<ClientConfig, StoreError> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        if let Some(path) = &self.authorities {
            let wrong =
                |error: &dyn std::fmt::Display| StoreError::Address(format!("{}: {error}", path.display()));
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| wrong(&error))? {
                let certificate = certificate.map_err(|error| wrong(&error))?;
                roots.add(certificate).map_err(|error| wrong(&error))?;
            }
        }
        let provider = Arc::new(ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| StoreError::Other(error.to_string()))?;
        Ok(config.with_root_certificates(roots).with_no_client_auth())
    }
}
