//! Witnesses of the public tree, at addresses of the operator.

use std::{path::Path, str::FromStr};

use futures_util::future::BoxFuture;

use super::{allowed::Allowed, https::Outbound, target::Target};
use crate::{
    service::ports::{HttpAnswer, HttpRequest, Transport as _, Witness},
    tree::note::WitnessKey,
    words::Failure,
};

/// `URL=KEY`.
#[derive(Clone, Debug)]
pub struct WitnessAt {
    url: String,
    key: WitnessKey,
    place: Allowed,
}

impl FromStr for WitnessAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (url, key) = text.split_once('=').ok_or("must be the URL of a witness, `=`, and its key")?;
        let key = key.parse().map_err(|error| format!("`{key}`: {error}"))?;
        let url = url.trim_end_matches('/').to_owned();
        // The operator may name an address in its own network.
        let place = Target::place(&url).ok_or_else(|| format!("`{url}` is not a valid URL"))?;
        Ok(Self { url, key, place })
    }
}

impl WitnessAt {
    pub fn connect(&self, authorities: Option<&Path>) -> Result<Box<dyn Witness>, String> {
        let wire = Outbound::new(vec![self.place.clone()], authorities, None)?;
        Ok(Box::new(Remote { at: self.clone(), wire }))
    }
}

struct Remote {
    at: WitnessAt,
    wire: Outbound,
}

impl Witness for Remote {
    fn key(&self) -> &WitnessKey {
        &self.at.key
    }

    fn ask(&self, offer: String) -> BoxFuture<'_, Result<HttpAnswer, Failure>> {
        let headers = vec![("content-type", "text/plain; charset=utf-8".to_owned())];
        let url = format!("{}/add-checkpoint", self.at.url);
        self.wire.carry(HttpRequest { url, headers, body: offer.into_bytes() })
    }
}
