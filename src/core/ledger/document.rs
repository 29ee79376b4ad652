//! The replay document: a whole game in a file.

use std::{collections::BTreeSet, rc::Rc};

use serde_json::{Map, Value};

use super::{
    encoding::{LedgerFields, hex, read_canonical},
    entry::Entry,
    pieces, receipt,
    seed::ServerSeed,
};
use crate::{
    engine::{Fields, Format, Malformed, Text, hash::Bytes32, json::parse_within},
    tree::proof,
};

/// No document is larger: 16 MiB.
pub const MOST_BYTES: usize = 16 << 20;
/// No entry is larger, as `{"body": .., "secret": ..}`.
const MOST_IN_ENTRY: usize = 65_536;
const MOST_PROOFS: usize = 16;
/// Deepest nesting of a document, and of a body or secret in it.
const MOST_DEPTH: usize = 64;
const AROUND_PIECE: usize = 3;
/// Most values of an entry, weighed by `json::parse_within`.
const MOST_VALUES: usize = 40 * MOST_IN_ENTRY;
/// Bytes of entries that stay parsed: more than a whole game has. A parsed entry takes ten times the memory
/// of its text, so documents up to 16 MiB are not kept whole. In tests the golden documents exceed the limit.
const MOST_PARSED: usize = if cfg!(test) { 1 << 12 } else { 1 << 20 };

/// A document that was read: canonical, and with exactly the members of the format. Each check walks its
/// entries. The first `MOST_PARSED` bytes stay parsed; each check parses later entries again.
pub struct Document<'d> {
    pub format: Format,
    entries: Vec<EntryText<'d>>,
    pub server_seed: ServerSeed,
    /// The receipt of the end.
    pub receipt: String,
    /// Proofs of the end in a public tree.
    pub proofs: Vec<String>,
    /// Returns `false` once the client has disconnected.
    is_wanted: &'d dyn Fn() -> bool,
}

struct EntryText<'d> {
    body: &'d str,
    secret: Option<&'d str>,
    parsed: Option<Rc<Entry>>,
}

/// An entry with its hashed bytes.
pub struct Recorded<'d> {
    pub entry: Rc<Entry>,
    pub body: &'d [u8],
    pub secret: Option<&'d [u8]>,
}

impl<'d> Document<'d> {
    pub fn read(document: &'d [u8], is_wanted: &'d dyn Fn() -> bool) -> Result<Self, Malformed> {
        if document.len() > MOST_BYTES {
            return Err(too_large("document", "16 MiB"));
        }
        let text =
            std::str::from_utf8(document).map_err(|error| Malformed::new("JSON", error.to_string()))?;
        let mut pieces = pieces::fields(text)?;
        // Entries are parsed one at a time, other members at once.
        let place = pieces.iter().position(|(name, _)| name == "entries");
        let list = place.map(|place| pieces.remove(place).1);
        let rest = pieces.iter().map(|(name, piece)| {
            let piece = if pieces::depth(piece) > 1 { Err(too_deep(name)) } else { read_piece(piece) };
            piece.map(|value| (name.clone(), value))
        });
        let rest = Value::Object(rest.collect::<Result<Map<_, _>, Malformed>>()?);
        let mut fields = Fields::of(&rest, "document")?;
        let format = Format::named(fields.text("format")?).ok_or_else(|| {
            let name = Format::default().name();
            fields.wrong("format", Text::new(format!("must be {name}"), format!("dev'essere {name}")))
        })?;
        let server_seed = ServerSeed::new(fields.hex32("server_seed")?);
        let (proofs, receipt) = (read_proofs(&mut fields)?, fields.text("receipt")?.to_owned());
        if receipt.len() > receipt::LONGEST {
            return Err(too_large("document.receipt", "1,024 bytes"));
        }
        let missing = || fields.wrong("entries", Text::new("is missing", "manca"));
        let list = list.ok_or_else(missing)?;
        fields.end()?;
        Ok(Self {
            format,
            entries: read_texts(format, list, is_wanted)?,
            server_seed,
            receipt,
            proofs,
            is_wanted,
        })
    }

    pub const fn count(&self) -> usize {
        self.entries.len()
    }

    /// Returns the entries in order. Ends early once `is_wanted` returns `false`.
    pub fn entries(&self) -> impl Iterator<Item = Recorded<'d>> {
        let wanted = self.entries.iter().take_while(|_| (self.is_wanted)());
        wanted.filter_map(move |text| {
            let entry = match &text.parsed {
                Some(entry) => Rc::clone(entry),
                None => Rc::new(text.parse(self.format, read_again, "").ok()?),
            };
            let secret = text.secret.map(str::as_bytes);
            Some(Recorded { entry, body: text.body.as_bytes(), secret })
        })
    }
}

fn read_proofs(fields: &mut Fields) -> Result<Vec<String>, Malformed> {
    let proofs = fields.array("proofs")?.iter().map(|note| note.as_str().map(str::to_owned));
    let proofs: Option<Vec<String>> = proofs.collect();
    let fits = |proofs: &Vec<String>| {
        proofs.len() <= MOST_PROOFS && proofs.iter().all(|proof| proof.len() <= proof::LONGEST)
    };
    proofs.filter(fits).ok_or_else(|| {
        let (en, it) = (
            format!("must be up to {MOST_PROOFS} strings of at most {} bytes", proof::LONGEST),
            format!(
                "dev'essere un elenco di al massimo {MOST_PROOFS} stringhe fino a {} byte",
                proof::LONGEST
            ),
        );
        fields.wrong("proofs", Text::new(en, it))
    })
}

/// Reads the entries of a document, and checks that each is canonical.
fn read_texts<'d>(
    format: Format,
    list: &'d str,
    is_wanted: &dyn Fn() -> bool,
) -> Result<Vec<EntryText<'d>>, Malformed> {
    let (mut texts, mut sound, mut length) = (Vec::new(), BTreeSet::new(), 0);
    pieces::items(list, |piece| {
        let at = format!("entries[{}]", texts.len());
        if !is_wanted() {
            return Err(Malformed::new("document", "was not read to its end"));
        }
        if piece.len() > MOST_IN_ENTRY {
            return Err(too_large(&at, "65,536 bytes"));
        }
        let mut fields = pieces::fields(piece)?.into_iter().peekable();
        let body = fields.next_if(|(name, _)| name == "body").map(|(_, piece)| piece);
        let secret = fields.next_if(|(name, _)| name == "secret").map(|(_, piece)| piece);
        let missing = || Malformed::new(format!("{at}.body"), Text::new("is missing", "manca"));
        let body = body.ok_or_else(missing)?;
        if let Some((unknown, _)) = fields.next() {
            return Err(Malformed::unknown(&at, &unknown));
        }
        let mut text = EntryText { body, secret, parsed: None };
        let entry = text.check(format, &mut sound, &at)?;
        length += piece.len();
        if length <= MOST_PARSED {
            text.parsed = Some(Rc::new(entry));
        }
        texts.push(text);
        Ok(())
    })?;
    Ok(texts)
}

impl EntryText<'_> {
    /// Parses the entry and refuses unsound keys and deep nesting.
    fn check(&self, format: Format, sound: &mut BTreeSet<Bytes32>, at: &str) -> Result<Entry, Malformed> {
        let deepest = pieces::depth(self.body).max(self.secret.map_or(0, pieces::depth));
        if deepest + AROUND_PIECE > MOST_DEPTH {
            return Err(too_deep(at));
        }
        let entry = self.parse(format, read_piece, at)?;
        for key in entry.body.keys() {
            // Most entries name the same few keys.
            if sound.insert(*key.as_bytes()) && !key.is_sound() {
                let (en, it) = (
                    "has a key that is no valid Ed25519 public key",
                    "contiene una chiave Ed25519 non valida",
                );
                return Err(Malformed::new(format!("{at}.body"), Text::new(en, it)));
            }
        }
        Ok(entry)
    }

    fn parse(
        &self,
        format: Format,
        read: impl Fn(&str) -> Result<Value, Malformed>,
        at: &str,
    ) -> Result<Entry, Malformed> {
        let (body, secret) = (read(self.body)?, self.secret.map(&read).transpose()?);
        Entry::read(format, &body, secret.as_ref(), at)
    }
}

fn read_piece(piece: &str) -> Result<Value, Malformed> {
    read_canonical(piece.as_bytes(), MOST_VALUES)
}

/// Parses a piece that [`read_piece`] has checked.
fn read_again(piece: &str) -> Result<Value, Malformed> {
    parse_within(piece.as_bytes(), MOST_VALUES)
}

fn too_large(at: &str, most: &str) -> Malformed {
    Malformed::new(at, Text::new(format!("is larger than {most}"), format!("supera {most}")))
}

fn too_deep(at: &str) -> Malformed {
    let (en, it) = ("nests too deep", "ha troppi livelli annidati");
    Malformed::new(at, Text::new(en, it))
}

/// Writes the document of an ended game from the hashed bytes of its entries.
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
    let (format, seed) = (Format::default().name(), hex(server_seed.reveal()));
    let rest =
        format!(r#"],"format":"{format}","proofs":{proofs},"receipt":{receipt},"server_seed":"{seed}"}}"#);
    out.extend(rest.as_bytes());
    out
}
