//! Signed notes (C2SP `signed-note`): keys, and signature lines.

use std::{fmt, str::FromStr};

use data_encoding::{BASE64, HEXLOWER};
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest as _, Sha256};

use crate::engine::hash::Bytes32;

/// Keys that sign a text.
pub const ED25519: u8 = 1;
/// Keys of witnesses, which sign a text with a time.
pub const COSIGNATURE: u8 = 4;

/// A public key of one kind, written `name+hex+base64`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoteKey<const KIND: u8> {
    name: String,
    id: [u8; 4],
    key: VerifyingKey,
}

/// The key of receipts, restores and checkpoints.
pub type VerifierKey = NoteKey<ED25519>;
pub type WitnessKey = NoteKey<COSIGNATURE>;

/// The reason why a text is no key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a key of the form name+hex+base64: {0}")]
pub struct NotAKey(pub &'static str);

/// A signature line of a note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<'l> {
    pub name: &'l str,
    pub id: [u8; 4],
    pub signature: Vec<u8>,
}

impl<const KIND: u8> NoteKey<KIND> {
    pub fn new(name: &str, key: VerifyingKey) -> Self {
        let mut sha = Sha256::new();
        sha.update(name.as_bytes());
        sha.update([b'\n', KIND]);
        sha.update(key.as_bytes());
        let [a, b, c, d, ..]: Bytes32 = sha.finalize().into();
        Self { name: name.to_owned(), id: [a, b, c, d], key }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub const fn id(&self) -> [u8; 4] {
        self.id
    }

    pub fn public(&self) -> &Bytes32 {
        self.key.as_bytes()
    }

    /// Returns whether a line names this key.
    pub fn is_named(&self, name: &str, id: [u8; 4]) -> bool {
        self.id == id && self.name == name
    }

    /// Returns whether these bytes are the key's signature of a text.
    pub fn signed(&self, text: &[u8], signature: &[u8]) -> bool {
        let signature = Signature::from_slice(signature);
        signature.is_ok_and(|signature| self.key.verify_strict(text, &signature).is_ok())
    }
}

impl<const KIND: u8> FromStr for NoteKey<KIND> {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let (name, id, bytes) = split_key::<KIND>(text)?;
        let public = Bytes32::try_from(bytes).map_err(|_| NotAKey("its length is wrong"))?;
        let key = VerifyingKey::from_bytes(&public).map_err(|_| NotAKey("it is no point of the curve"))?;
        let key = Self::new(name, key);
        if id_in_hex(key.id) != id {
            return Err(NotAKey("its parts do not belong together"));
        }
        Ok(key)
    }
}

impl<const KIND: u8> fmt::Display for NoteKey<KIND> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&join_key::<KIND>(&self.name, self.id, self.key.as_bytes()))
    }
}

impl<'l> Line<'l> {
    pub fn read(line: &'l str) -> Result<Self, &'static str> {
        let (name, bytes) = line
            .strip_prefix("— ")
            .and_then(|rest| rest.split_once(' '))
            .ok_or("a signature must be `— name base64`")?;
        let bytes = unbase64(bytes).ok_or("a signature is not base64")?;
        let (id, signature) = bytes.split_first_chunk::<4>().ok_or("a signature is too short")?;
        if !is_name(name) || signature.is_empty() {
            return Err("a signature has no name, or nothing is signed");
        }
        Ok(Self { name, id: *id, signature: signature.to_vec() })
    }

    /// Returns the line, with its line feed.
    pub fn write(name: &str, id: [u8; 4], signature: &[u8]) -> String {
        let mut line = String::new();
        Self::add_to(&mut line, name, id, signature);
        line
    }

    /// Appends the line to a text.
    pub fn add_to(text: &mut String, name: &str, id: [u8; 4], signature: &[u8]) {
        text.extend(["— ", name, " "]);
        BASE64.encode_append(&[&id, signature].concat(), text);
        text.push('\n');
    }
}

/// Splits `name+hex+base64`, and decodes the key bytes.
pub fn split_key<const KIND: u8>(text: &str) -> Result<(&str, &str, Vec<u8>), NotAKey> {
    let mut parts = text.splitn(3, '+');
    let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(NotAKey("it must have three parts"));
    };
    if !is_name(name) {
        return Err(NotAKey(NO_NAME));
    }
    let bytes = unbase64(key).ok_or(NotAKey("its last part is not base64"))?;
    match bytes.split_first() {
        Some((kind, key)) if *kind == KIND => Ok((name, id, key.to_vec())),
        _ if KIND == COSIGNATURE => Err(NotAKey("it is not the key of a witness")),
        _ => Err(NotAKey("it is not an Ed25519 key")),
    }
}

pub fn join_key<const KIND: u8>(name: &str, id: [u8; 4], key: &Bytes32) -> String {
    format!("{name}+{}+{}", id_in_hex(id), BASE64.encode(&[&[KIND], &key[..]].concat()))
}

pub fn id_in_hex(id: [u8; 4]) -> String {
    HEXLOWER.encode(&id)
}

pub const NO_NAME: &str = "its name is empty, or has white space or a plus sign";

pub fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+')
}

pub fn to_base64(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Decodes a hash in base64.
pub fn read_hash(line: &str) -> Option<Bytes32> {
    unbase64(line)?.try_into().ok()
}

/// Parses a number in plain decimal form.
pub fn read_number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

/// Decodes base64 in its canonical form.
pub fn unbase64(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text.as_bytes()).ok().filter(|bytes| BASE64.encode(bytes) == text)
}
