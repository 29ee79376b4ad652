//! Address of the database, and requirements.

use std::{path::PathBuf, sync::Arc, time::Duration};

use tokio_postgres::{Config, config::Host};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::{
    ClientConfig, RootCertStore,
    crypto::aws_lc_rs,
    pki_types::{CertificateDer, pem::PemObject as _},
};

use super::target::Route;
use crate::store::StoreError;

/// How servers learn of each other's commits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bells {
    #[default]
    Notify,
    /// By searching, where a pooler blocks notifications.
    Poll,
}

/// Settings of a shared database. Without `Debug`: the address may contain a password.
#[derive(Clone)]
pub struct Settings {
    /// A libpq address: `postgres://user:password@host1,host2/name?...`.
    pub url: String,
    pub password: Option<String>,
    /// Certificates (PEM) of additional authorities.
    pub authorities: Option<PathBuf>,
    /// Synchronous standbys that a write requires.
    pub standbys: u32,
    pub bells: Bells,
    /// Reading connections, and connections for single writes.
    pub readers: usize,
    pub writers: usize,
    /// Most waiting writes. Others are refused.
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

    /// Returns the route to the database. Fails for a wrong address or file.
    pub(super) fn route(&self) -> Result<Route, StoreError> {
        let mut config: Config = self.url.parse().map_err(|error: tokio_postgres::Error| {
            StoreError::Address(
                std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string),
            )
        })?;
        if let Some(password) = &self.password {
            config.password(password);
        }
        config.application_name("playledger");
        config.connect_timeout(Duration::from_secs(3));
        config.tcp_user_timeout(Duration::from_secs(5));
        config.keepalives_idle(Duration::from_secs(5));
        config.keepalives_interval(Duration::from_secs(2));
        Ok(Route { hosts: each_host(&config), tls: MakeRustlsConnect::new(self.tls()?) })
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
        let provider = Arc::new(aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| StoreError::Other(error.to_string()))?;
        Ok(config.with_root_certificates(roots).with_no_client_auth())
    }
}

/// Splits a configuration by host. Their answers decide between them.
fn each_host(config: &Config) -> Vec<Config> {
    let (hosts, ports, addresses) = (config.get_hosts(), config.get_ports(), config.get_hostaddrs());
    let port = |place: usize| ports.get(place).or(ports.first()).copied().unwrap_or(5_432);
    let count = hosts.len().max(addresses.len());
    let one = |place: usize| {
        let mut one = without_hosts(config);
        match hosts.get(place) {
            Some(Host::Tcp(name)) => drop(one.host(name)),
            #[cfg(unix)]
            Some(Host::Unix(path)) => drop(one.host_path(path)),
            None => {}
        }
        if let Some(address) = addresses.get(place) {
            one.hostaddr(*address);
        }
        one.port(port(place));
        one
    };
    (0..count).map(one).collect()
}

/// Returns a configuration without its hosts.
fn without_hosts(config: &Config) -> Config {
    let mut copy = Config::new();
    config.get_user().map(|user| copy.user(user));
    config.get_password().map(|password| copy.password(password));
    config.get_dbname().map(|name| copy.dbname(name));
    config.get_options().map(|options| copy.options(options));
    config.get_application_name().map(|name| copy.application_name(name));
    config.get_connect_timeout().map(|timeout| copy.connect_timeout(*timeout));
    config.get_tcp_user_timeout().map(|timeout| copy.tcp_user_timeout(*timeout));
    config.get_keepalives_interval().map(|interval| copy.keepalives_interval(interval));
    config.get_keepalives_retries().map(|retries| copy.keepalives_retries(retries));
    copy.ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .channel_binding(config.get_channel_binding());
    copy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_of_an_address_is_reached_by_itself() {
        let config: Config =
            "postgres://ada:secret@one:5433,two/games?sslmode=disable&application_name=x".parse().unwrap();
        let hosts = each_host(&config);
        let shown = |config: &Config| {
            let Host::Tcp(host) = &config.get_hosts()[0] else { return None };
            Some((host.clone(), config.get_ports().to_vec(), config.get_password().map(<[u8]>::to_vec)))
        };
        let secret = Some(b"secret".to_vec());
        assert_eq!(
            hosts.iter().map(shown).collect::<Vec<_>>(),
            [Some(("one".into(), vec![5_433], secret.clone())), Some(("two".into(), vec![5_432], secret))]
        );
        assert!(hosts.iter().all(|host| host.get_ssl_mode() == config.get_ssl_mode()));
    }

    /// Any address is accepted or refused with a text.
    #[test]
    fn an_address_with_a_mistake_is_refused_in_words() {
        let mut seed = 1_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize
        };
        let parts = [
            "postgres://",
            "postgresql://",
            "ada",
            ":",
            "@",
            "one",
            ",",
            "5432",
            "70000",
            "x",
            "/",
            "games",
            "?",
            "&",
            "sslmode=",
            "disable",
            "nonsense",
            "foo=1",
            "%",
            "%zz",
            "host=",
            "[::1]",
            "[",
            "connect_timeout=",
            "-1",
            " ",
            "é",
        ];
        let mut refused = 0;
        for _ in 0..20_000 {
            let text: String = (0..next() % 12).map(|_| parts[next() % parts.len()]).collect();
            let Err(error) = Settings::of(text.clone()).route() else { continue };
            assert!(!error.to_string().is_empty(), "{text}");
            refused += 1;
        }
        assert!(refused > 1_000, "{refused} were refused");
        let missing = Settings {
            authorities: Some("/nowhere/ca.pem".into()),
            ..Settings::of("postgres://a@b/c".into())
        };
        assert!(missing.route().is_err_and(|error| error.to_string().contains("/nowhere/ca.pem")));
    }
}
