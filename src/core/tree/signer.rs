//! Signers of notes: a server for receipts and checkpoints, a witness for checkpoints.

use std::fmt;

use super::{
    note::{COSIGNATURE, ED25519, Line, NO_NAME, NotAKey, NoteKey, id_in_hex, is_name, join_key, split_key},
    secret_key::SecretKey,
};
use crate::engine::hash::{Bytes32, keyed};

/// The secret key of a [`NoteKey`]. Never printed.
pub struct NoteSigner<const KIND: u8> {
    name: String,
    id: [u8; 4],
    key: SecretKey,
}

/// Signs receipts, restores and checkpoints.
pub type Signer = NoteSigner<ED25519>;
/// The signer of a witness.
pub type Cosigner = NoteSigner<COSIGNATURE>;

impl<const KIND: u8> NoteSigner<KIND> {
    /// Returns `None` if the name is empty or contains white space or a plus sign.
    pub fn new(name: &str, secret: &Bytes32) -> Option<Self> {
        let key = SecretKey::new(secret);
        let id = NoteKey::<KIND>::new(name, key.public()).id();
        is_name(name).then(|| Self { name: name.to_owned(), id, key })
    }

    pub fn verifier_key(&self) -> NoteKey<KIND> {
        NoteKey::new(&self.name, self.key.public())
    }

    /// Returns the text of the key file, in the usual form for signed notes.
    pub fn to_secret_text(&self) -> String {
        format!("PRIVATE+KEY+{}\n", join_key::<KIND>(&self.name, self.id, self.key.as_bytes()))
    }

    pub fn from_secret_text(text: &str) -> Result<Self, NotAKey> {
        let rest = text.trim_end().strip_prefix("PRIVATE+KEY+");
        let (name, id, bytes) = split_key::<KIND>(rest.ok_or(NotAKey("it must begin with PRIVATE+KEY+"))?)?;
        let secret = Bytes32::try_from(bytes).map_err(|_| NotAKey("its length is wrong"))?;
        let signer = Self::new(name, &secret).ok_or(NotAKey(NO_NAME))?;
        if id_in_hex(signer.id) != id {
            return Err(NotAKey("its parts do not belong together"));
        }
        Ok(signer)
    }
}

impl Signer {
    /// Returns the signature line of a text.
    pub fn sign_text(&self, text: &str) -> String {
        Line::write(&self.name, self.id, &self.key.sign(text.as_bytes()))
    }

    /// Turns a text into a signed note: appends an empty line and the signature.
    pub fn sign_note(&self, text: &mut String) {
        let signature = self.key.sign(text.as_bytes());
        text.push('\n');
        Line::add_to(text, &self.name, self.id, &signature);
    }

    /// Derives a key for another purpose. It reveals nothing of the original.
    pub fn branch(&self, purpose: &str) -> Bytes32 {
        keyed(self.key.as_bytes(), &[b"playledger ", purpose.as_bytes()])
    }
}

impl Cosigner {
    /// Returns the cosignature line of a checkpoint, seen at `time` (seconds since 1970).
    pub fn cosign(&self, text: &str, time: u64) -> String {
        let signature = self.key.sign(cosigned_message(text, time).as_bytes());
        Line::write(&self.name, self.id, &[&time.to_be_bytes()[..], &signature].concat())
    }
}

/// Returns the message of a cosignature.
pub fn cosigned_message(text: &str, time: u64) -> String {
    format!("cosignature/v1\ntime {time}\n{text}")
}

impl<const KIND: u8> fmt::Debug for NoteSigner<KIND> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({}, secret)", self.name)
    }
}
