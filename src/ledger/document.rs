//! The replay document: a whole game in one file.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{
    encoding::{LedgerFields, hex, read_canonical},
    entry::Entry,
    pieces,
    seed::ServerSeed,
};
use crate::engine::{Fields, Format, Malformed, fields::clip, hash::Bytes32, json::parse_within};

/// No document is larger: 16 MiB.
pub const MOST_BYTES: usize = 16 << 20;

/// How many values an entry may hold, in the measure of a number. The largest that a game writes, the start
/// with its shuffles, has some hundreds.
const MOST_IN_ENTRY: usize = 20_000;

/// How deep a document may be nested, and how deep a body or a secret lies in it.
const MOST_DEPTH: usize = 127;
const AROUND_PIECE: usize = 3;

/// A document that was read: canonical, within the profile, and with exactly the fields of the format. Of its
/// entries only the text is kept; they are read again where they are needed, one at a time.
pub struct Document<'d> {
    pub format: Format,
    entries: Vec<Text<'d>>,
    pub server_seed: ServerSeed,
    pub receipts: Vec<String>,
    /// That its end stands in a public tree.
    pub proofs: Vec<String>,
    /// Whether anybody still waits for what is found out about it.
    is_wanted: &'d dyn Fn() -> bool,
}

/// An entry as it stands in the document.
struct Text<'d> {
    body: &'d str,
    secret: Option<&'d str>,
}

/// An entry, and the bytes of it that are hashed.
pub struct Recorded<'d> {
    pub entry: Entry,
    pub body: &'d [u8],
    pub secret: Option<&'d [u8]>,
}

impl<'d> Document<'d> {
    pub fn read(document: &'d [u8], is_wanted: &'d dyn Fn() -> bool) -> Result<Self, Malformed> {
        if document.len() > MOST_BYTES {
            return Err(Malformed::new("document", "is larger than 16 MiB"));
        }
        let text =
            std::str::from_utf8(document).map_err(|error| Malformed::new("JSON", error.to_string()))?;
        let mut pieces = pieces::fields(text)?;
        // The entries are read one at a time, the few other fields as one value.
        let place = pieces.iter().position(|(name, _)| name == "entries");
        let list = place.map(|place| pieces.remove(place).1);
        let rest = pieces.iter().map(|(name, piece)| read_piece(piece).map(|value| (name.clone(), value)));
        let rest = Value::Object(rest.collect::<Result<Map<_, _>, Malformed>>()?);
        let mut fields = Fields::of(&rest, "document")?;
        let format = Format::named(fields.text("format")?);
        let format = format.ok_or_else(|| fields.wrong("format", "is neither fairlog/1 nor fairlog/2"))?;
        let server_seed = ServerSeed::new(format, fields.hex32("server_seed")?);
        let proofs = strings(&mut fields, "proofs")?;
        if format == Format::One && !proofs.is_empty() {
            return Err(fields.wrong("proofs", "must be empty: it is reserved"));
        }
        let receipts = strings(&mut fields, "receipts")?;
        if receipts.len() > 1 {
            return Err(fields.wrong("receipts", "must hold the receipt of the end alone"));
        }
        let list = list.ok_or_else(|| fields.wrong("entries", "is missing"))?;
        fields.end()?;
        Ok(Self {
            format,
            entries: texts(format, list, is_wanted)?,
            server_seed,
            receipts,
            proofs,
            is_wanted,
        })
    }

    pub const fn count(&self) -> usize {
        self.entries.len()
    }

    /// The entries, in order; no more of them once nobody waits any longer.
    pub fn entries(&self) -> impl Iterator<Item = Recorded<'d>> {
        let wanted = self.entries.iter().take_while(|_| (self.is_wanted)());
        // Each was read before, so that each can be; and that it is canonical needs to be found once.
        let read = |piece: &str| parse_within(piece.as_bytes(), MOST_IN_ENTRY);
        wanted.filter_map(move |text| text.parse(self.format, read, "").ok())
    }
}

/// The entries of a document, each of which can be read.
fn texts<'d>(
    format: Format,
    list: &'d str,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Vec<Text<'d>>, Malformed> {
    let (mut texts, mut sound) = (Vec::new(), BTreeSet::new());
    pieces::items(list, |piece| {
        if !is_wanted() {
            return Err(Malformed::new("document", "was not read to its end"));
        }
        let mut fields = pieces::fields(piece)?.into_iter().peekable();
        let body = fields.next_if(|(name, _)| name == "body").map(|(_, piece)| piece);
        let secret = fields.next_if(|(name, _)| name == "secret").map(|(_, piece)| piece);
        let at = format!("entries[{}]", texts.len());
        let body = body.ok_or_else(|| Malformed::new(format!("{at}.body"), "is missing"))?;
        if let Some((unknown, _)) = fields.next() {
            return Err(Malformed::new(format!("{at}.{}", clip(&unknown)), "is not a known field"));
        }
        let text = Text { body, secret };
        text.check(format, &mut sound, &at)?;
        texts.push(text);
        Ok(())
    })?;
    Ok(texts)
}

impl<'d> Text<'d> {
    /// Refuses what may not stand in a document.
    fn check(&self, format: Format, sound: &mut BTreeSet<Bytes32>, at: &str) -> Result<(), Malformed> {
        let deepest = pieces::depth(self.body).max(self.secret.map_or(0, pieces::depth));
        if deepest + AROUND_PIECE > MOST_DEPTH {
            return Err(Malformed::new(at, "recursion limit exceeded"));
        }
        let body = self.parse(format, read_piece, at)?.entry.body;
        for key in body.keys() {
            // Few keys stand in many entries.
            if sound.insert(*key.as_bytes()) && !key.is_sound() {
                return Err(Malformed::new(
                    format!("{at}.body"),
                    "has a key that is no canonical point, or a weak one",
                ));
            }
        }
        Ok(())
    }

    fn parse(
        &self,
        format: Format,
        read: impl Fn(&str) -> Result<Value, Malformed>,
        at: &str,
    ) -> Result<Recorded<'d>, Malformed> {
        let (body, secret) = (read(self.body)?, self.secret.map(&read).transpose()?);
        let entry = Entry::read(format, &body, secret.as_ref(), at)?;
        Ok(Recorded { entry, body: self.body.as_bytes(), secret: self.secret.map(str::as_bytes) })
    }
}

fn read_piece(piece: &str) -> Result<Value, Malformed> {
    read_canonical(piece.as_bytes(), MOST_IN_ENTRY)
}

fn strings(fields: &mut Fields, field: &'static str) -> Result<Vec<String>, Malformed> {
    let strings = fields.array(field)?.iter().map(|note| note.as_str().map(str::to_owned));
    strings.collect::<Option<_>>().ok_or_else(|| fields.wrong(field, "must hold strings"))
}

/// Writes the document of a game that has ended, from the very bytes that were hashed: of each entry the body
/// and the secret.
pub fn write<'e>(
    entries: impl IntoIterator<Item = (&'e [u8], Option<&'e [u8]>)>,
    server_seed: &ServerSeed,
    end_receipt: &str,
    proofs: &[String],
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
    let (receipt, proofs) = (Value::from(end_receipt), Value::from(proofs));
    let (format, seed) = (server_seed.format().name(), hex(server_seed.reveal()));
    let rest =
        format!(r#"],"format":"{format}","proofs":{proofs},"receipts":[{receipt}],"server_seed":"{seed}"}}"#);
    out.extend(rest.as_bytes());
    out
}
