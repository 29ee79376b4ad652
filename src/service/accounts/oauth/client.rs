//! Clients: who asks, and where a code may be sent.

use serde_json::Value;
use url::{Host, Url};

use crate::{
    engine::{Malformed, Text},
    service::{Accounts, ServiceError, text::fit},
};

/// Largest metadata document, in bytes.
const LARGEST: usize = 8 << 10;
const LONGEST_NAME: usize = 40;
const MOST_REDIRECTS: usize = 20;

/// A client. It proves nothing but the host of its id.
pub struct Client {
    pub id: String,
    /// Name that it gives itself.
    pub name: Option<String>,
    pub host: String,
    /// Address to which a code may be sent.
    pub redirect: Url,
}

impl Accounts {
    /// Returns the client of an id, if a code may be sent to this address.
    pub(super) async fn client(&self, id: &str, redirect: &str) -> Result<Client, ServiceError> {
        let address = Url::parse(id).ok().filter(is_plain);
        let address = address.ok_or_else(|| wrong("client_id", NO_ADDRESS))?;
        let target = Url::parse(redirect).ok().filter(is_plain);
        let target = target.ok_or_else(|| wrong("redirect_uri", NOT_REGISTERED))?;
        let host = address.host_str().unwrap_or_default().to_owned();
        if is_local(&address) {
            if without_port(&address) != without_port(&target) {
                return Err(wrong("redirect_uri", NOT_REGISTERED));
            }
            return Ok(Client { id: id.to_owned(), name: None, host, redirect: target });
        }
        let document = self.metadata(id).await?;
        let redirects = document["redirect_uris"].as_array().filter(|all| all.len() <= MOST_REDIRECTS);
        let is_registered = redirects.is_some_and(|all| all.iter().any(|one| one == redirect));
        if !is_registered || !(target.scheme() == "https" || is_local(&target)) {
            return Err(wrong("redirect_uri", NOT_REGISTERED));
        }
        let name = document["client_name"].as_str().and_then(shown);
        Ok(Client { id: id.to_owned(), name, host, redirect: target })
    }

    /// Loads the metadata document of a client.
    async fn metadata(&self, id: &str) -> Result<Value, ServiceError> {
        let courier = &self.notifier.outbox.courier;
        courier.accepts(id).map_err(|_| wrong("client_id", NO_ADDRESS))?;
        let document = courier.fetch(id.to_owned(), LARGEST).await.ok();
        let document = document.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        let is_public = |document: &Value| {
            document.get("token_endpoint_auth_method").is_none_or(|method| method == "none")
        };
        document
            .filter(|document| document["client_id"] == id && is_public(document))
            .ok_or_else(|| wrong("client_id", NO_METADATA))
    }
}

/// Returns whether an address has no parts that hide where it leads.
fn is_plain(address: &Url) -> bool {
    address.fragment().is_none()
        && address.username().is_empty()
        && address.password().is_none()
        && address.has_host()
}

/// Returns whether an address leads to a program on the player's own computer (RFC 8252).
fn is_local(address: &Url) -> bool {
    let is_loopback = match address.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    address.scheme() == "http" && is_loopback
}

/// Returns an address for a comparison. A program on the player's computer chooses its port when it starts.
fn without_port(address: &Url) -> (&str, Option<&str>, &str, Option<&str>) {
    (address.scheme(), address.host_str(), address.path(), address.query())
}

/// Returns a name that can be shown to people.
fn shown(name: &str) -> Option<String> {
    fit(name).ok().filter(|name| (1..=LONGEST_NAME).contains(&name.chars().count()))
}

const NO_ADDRESS: (&str, &str) = (
    "must be the https address of a metadata document, or a redirect address on localhost",
    "dev'essere l'indirizzo https di un documento di metadati, o un indirizzo di ritorno su localhost",
);
const NO_METADATA: (&str, &str) = (
    "leads to no metadata document of a public client with this client_id",
    "non porta a un documento di metadati di un client pubblico con questo client_id",
);
const NOT_REGISTERED: (&str, &str) = (
    "is not among the redirect addresses of this client",
    "non è fra gli indirizzi di ritorno di questo client",
);

fn wrong(field: &'static str, (en, it): (&'static str, &'static str)) -> ServiceError {
    Malformed::new(field, Text::new(en, it)).into()
}
