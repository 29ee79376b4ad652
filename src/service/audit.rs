//! For whoever doubts: the public chain, the replay of a game that has ended, and the verifier.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Player, Service, ServiceError, access::may_see, draft::Placed, page::Items};
use crate::{
    engine::{Fields, Malformed, fields::clip, json},
    ledger::{
        chain::Link,
        document,
        encoding::{LedgerFields as _, hex},
        evidence::Evidence,
        receipt::VerifierKey,
        report::Report,
        verify::verify,
    },
    store::{Entry, Status},
};

/// One link of the public chain. The secret behind `x` opens when the game has ended.
#[derive(Serialize, ToSchema)]
#[schema(as = LogItem)]
pub struct LogItem {
    /// The body of the entry, as it was hashed (fairlog/1).
    #[schema(value_type = Object)]
    pub body: Value,
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub x: String,
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub head: String,
}

/// A replay document to be verified, and against what.
pub struct Audit {
    document: Vec<u8>,
    receipts: Vec<String>,
    keys: Vec<VerifierKey>,
}

impl Audit {
    /// Reads a request: a replay document as it was downloaded, or an object that holds its text.
    pub fn read(body: &[u8], own: &VerifierKey) -> Result<Self, Malformed> {
        let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(body);
        is_json.map_err(|error| Malformed::new("JSON", error.to_string()))?;
        let request = json::parse(body).ok().filter(|value| value.get("replay").is_some());
        let Some(request) = request else {
            return Ok(Self { document: body.to_vec(), receipts: vec![], keys: vec![own.clone()] });
        };
        let mut fields = Fields::of(&request, "")?;
        let document = fields.text("replay")?.as_bytes().to_vec();
        let receipts = texts(&mut fields, "receipts")?;
        let mut keys = Vec::new();
        for (place, key) in texts(&mut fields, "keys")?.iter().enumerate() {
            let wrong = |_| {
                Malformed::new(format!("keys[{place}]"), format!("`{}` is not a verifier key", clip(key)))
            };
            keys.push(key.parse().map_err(wrong)?);
        }
        if keys.is_empty() {
            keys.push(own.clone());
        }
        fields.end()?;
        Ok(Self { document, receipts, keys })
    }

    /// Runs the checks. This takes as long as the document is: some milliseconds for a usual game.
    pub fn run(&self) -> Report {
        verify(&Evidence { document: &self.document, keys: &self.keys, receipts: &self.receipts })
    }
}

fn texts(fields: &mut Fields, field: &'static str) -> Result<Vec<String>, Malformed> {
    if matches!(fields.get(field), None | Some(Value::Null)) {
        return Ok(Vec::new());
    }
    let items = fields.array(field)?.iter().map(|item| item.as_str().map(str::to_owned));
    items.collect::<Option<_>>().ok_or_else(|| fields.wrong(field, "must hold strings"))
}

/// A game from its beginning to its end.
pub struct ReplayDocument {
    pub text: Vec<u8>,
    /// Whether everybody may see the game.
    pub is_for_all: bool,
}

impl Service {
    /// The public chain after an entry.
    pub async fn log(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        after: Option<u64>,
        limit: u32,
    ) -> Result<Items<LogItem>, ServiceError> {
        let locked = self.visible(uuid, caller).await?;
        let entries = self.store.entries(locked.game()?.row.key)?;
        let first = after.map_or(0, |after| after.saturating_add(1));
        let skip = usize::try_from(first).unwrap_or(usize::MAX);
        let items = entries.iter().skip(skip).take(limit as usize).map(log_item);
        Ok(Items { items: items.collect::<Result<_, _>>()? })
    }

    /// The replay document of a game that has ended.
    pub async fn replay(&self, uuid: Uuid, caller: Option<&Player>) -> Result<ReplayDocument, ServiceError> {
        let locked = self.visible(uuid, caller).await?;
        let game = locked.game()?;
        if !matches!(game.row.status, Status::Finished | Status::Void) {
            return Err(ServiceError::ReplaySealed);
        }
        let entries = self.store.entries(game.row.key)?;
        let Some(end) = entries.last() else { return Err(ServiceError::NotFound) };
        let receipt = self.signer.sign(&game.receipt(Placed { seq: end.seq, head: end.head }));
        let links: Vec<Link> = entries.into_iter().map(link).collect();
        let text = document::write(&links, &game.server_seed(), &receipt);
        Ok(ReplayDocument { text, is_for_all: may_see(game, None) })
    }
}

fn log_item(entry: &Entry) -> Result<LogItem, ServiceError> {
    let body =
        serde_json::from_slice(&entry.body).map_err(|error| ServiceError::Internal(error.to_string()))?;
    Ok(LogItem { body, x: hex(&entry.x), head: hex(&entry.head) })
}

fn link(entry: Entry) -> Link {
    let Entry { seq, x, head, body, secret } = entry;
    Link { seq, at: 0, body, secret, x, head }
}
