//! Framed hashing of the log format: each input is a tag and parts with their lengths, so different inputs
//! never have the same bytes.

use hmac::{Hmac, KeyInit, Mac, digest::Key};
use sha2::{Digest, Sha256};

/// 32 bytes: a digest, a key or a seed.
pub type Bytes32 = [u8; 32];

/// The format of a log. Its name begins every hashed and signed text, so a log of one format never passes for
/// another. A successor of `fairlog/3` becomes a second variant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Format {
    /// The format of new games.
    #[default]
    Three,
}

impl Format {
    pub const ALL: [Self; 1] = [Self::Three];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Three => "fairlog/3",
        }
    }

    /// The number of the format in the database.
    pub const fn number(self) -> u8 {
        match self {
            Self::Three => 3,
        }
    }

    pub fn numbered(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.number() == number)
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns `H(tag, parts)`: SHA-256 of the frame.
    pub fn hash(self, tag: &str, parts: &[&[u8]]) -> Bytes32 {
        let mut sha = Sha256::new();
        self.frame(tag, parts, |bytes| sha.update(bytes));
        sha.finalize().into()
    }

    /// Returns `K(key, tag, parts)`: HMAC-SHA-256 of the frame.
    pub fn keyed(self, key: &Bytes32, tag: &str, parts: &[&[u8]]) -> Bytes32 {
        mac(key, |write| self.frame(tag, parts, write))
    }

    /// Returns `F(tag, parts)`, the message that a player signs.
    pub fn message(self, tag: &str, parts: &[&[u8]]) -> Vec<u8> {
        let mut message = Vec::new();
        self.frame(tag, parts, |bytes| message.extend_from_slice(bytes));
        message
    }

    fn frame(self, tag: &str, parts: &[&[u8]], write: impl FnMut(&[u8])) {
        frame(&[self.name().as_bytes(), b" ", tag.as_bytes()], parts, write);
    }
}

/// Returns HMAC-SHA-256 of concatenated bytes.
pub fn keyed(key: &Bytes32, parts: &[&[u8]]) -> Bytes32 {
    mac(key, |write| parts.iter().for_each(|part| write(part)))
}

fn mac(key: &Bytes32, write: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Bytes32 {
    let mut mac = Hmac::<Sha256>::new(&block(key));
    write(&mut |bytes| mac.update(bytes));
    mac.finalize().into_bytes().into()
}

/// Pads the key with zeros to a block of the hash, as HMAC defines it.
fn block(key: &Bytes32) -> Key<Hmac<Sha256>> {
    let mut block = Key::<Hmac<Sha256>>::default();
    block[..key.len()].copy_from_slice(key);
    block
}

/// Writes `F(tag, parts)`: the tag, a line feed, and each part after its length.
fn frame(tag: &[&[u8]], parts: &[&[u8]], mut write: impl FnMut(&[u8])) {
    for word in tag {
        write(word);
    }
    write(b"\n");
    for part in parts {
        // A part comes from a request or a document of at most 16 MiB.
        let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
        write(&length.to_be_bytes());
        write(part);
    }
}

#[cfg(test)]
mod tests {
    use data_encoding::HEXLOWER;

    use super::*;

    #[test]
    fn the_frame_is_that_of_the_format() {
        let mut framed = Vec::new();
        frame(&[b"t"], &[b"ab", b""], |bytes| framed.extend(bytes));
        assert_eq!(HEXLOWER.encode(&framed), "740a00000002616200000000");
        let digest: Bytes32 = Sha256::digest(&framed).into();
        assert_eq!(
            HEXLOWER.encode(&digest),
            "ab754a3b3423c14d9ec9b01a639cd59c29e54997d86b22993cfd5c36996eacb9"
        );
    }

    #[test]
    fn parts_cannot_be_shifted_into_each_other() {
        for format in Format::ALL {
            let hash = |parts: &[&[u8]]| format.hash("t", parts);
            assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
            assert_ne!(hash(&[b"ab"]), hash(&[b"ab", b""]));
            assert_ne!(format.keyed(&[0; 32], "t", &[]), format.keyed(&[1; 32], "t", &[]));
            assert_eq!(Format::named(format.name()), Some(format));
        }
    }
}
