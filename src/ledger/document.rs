//! The replay document: a whole game in one file.

use serde_json::Value;

use super::{
    NAME,
    encoding::{LedgerFields, canonical, hex, read_canonical},
    entry::Entry,
    seed::ServerSeed,
};
use crate::engine::{Fields, Malformed};

/// No document is larger: 16 MiB.
pub const MOST_BYTES: usize = 16 << 20;

/// A document that was read: canonical, within the profile, and with exactly the fields of the format.
pub struct Document {
    pub entries: Vec<Recorded>,
    pub server_seed: ServerSeed,
    pub receipts: Vec<String>,
}

/// An entry, and the bytes of it that are hashed.
pub struct Recorded {
    pub entry: Entry,
    pub body: Vec<u8>,
    pub secret: Option<Vec<u8>>,
}

impl Document {
    pub fn read(document: &[u8]) -> Result<Self, Malformed> {
        if document.len() > MOST_BYTES {
            return Err(Malformed::new("document", "is larger than 16 MiB"));
        }
        let value = read_canonical(document)?;
        let mut fields = Fields::of(&value, "document")?;
        if fields.text("format")? != NAME {
            return Err(fields.wrong("format", "is not fairlog/1"));
        }
        let server_seed = ServerSeed::new(fields.hex32("server_seed")?);
        if !fields.array("proofs")?.is_empty() {
            return Err(fields.wrong("proofs", "must be empty: it is reserved"));
        }
        let receipts = fields.array("receipts")?.iter().map(|note| note.as_str().map(str::to_owned));
        let receipts: Option<Vec<String>> = receipts.collect();
        let receipts = receipts.ok_or_else(|| fields.wrong("receipts", "must hold strings"))?;
        if receipts.len() > 1 {
            return Err(fields.wrong("receipts", "must hold the receipt of the end alone"));
        }
        let entries = fields.array("entries")?.iter().enumerate();
        let entries: Result<Vec<_>, _> =
            entries.map(|(n, entry)| read_entry(entry, &format!("entries[{n}]"))).collect();
        fields.end()?;
        Ok(Self { entries: entries?, server_seed, receipts })
    }
}

fn read_entry(entry: &Value, at: &str) -> Result<Recorded, Malformed> {
    let mut fields = Fields::of(entry, at)?;
    let body = fields.value("body")?;
    let secret = fields.get("secret");
    fields.end()?;
    Ok(Recorded {
        entry: Entry::read(body, secret, at)?,
        body: canonical(body)?,
        secret: secret.map(canonical).transpose()?,
    })
}

/// Writes the document of a game that has ended, from the very bytes that were hashed: of each entry the body and the
/// secret.
pub fn write<'e>(
    entries: impl IntoIterator<Item = (&'e [u8], Option<&'e [u8]>)>,
    server_seed: &ServerSeed,
    end_receipt: &str,
) -> Vec<u8> {
    let mut out = br#"{"entries":["#.to_vec();
    for (n, (body, secret)) in entries.into_iter().enumerate() {
        if n > 0 {
            out.push(b',');
        }
        out.extend(br#"{"body":"#);
        out.extend(body);
        if let Some(secret) = secret {
            out.extend(br#","secret":"#);
            out.extend(secret);
        }
        out.push(b'}');
    }
    let receipt = Value::from(end_receipt);
    let seed = hex(server_seed.reveal());
    let rest = format!(r#"],"format":"{NAME}","proofs":[],"receipts":[{receipt}],"server_seed":"{seed}"}}"#);
    out.extend(rest.as_bytes());
    out
}
