//! The framed hashing of `fairlog/1`: every input is a tag and length-prefixed parts, so that no two
//! different inputs can be written as the same bytes.

use hmac::{Hmac, KeyInit, Mac, digest::Key};
use sha2::{Digest, Sha256};

/// 32 bytes: a digest, a key or a seed.
pub type Bytes32 = [u8; 32];

const PREFIX: &[u8] = b"fairlog/1 ";

/// `H(tag, parts)`: SHA-256 of the frame.
pub fn hash(tag: &str, parts: &[&[u8]]) -> Bytes32 {
    let mut sha = Sha256::new();
    frame(tag, parts, |bytes| sha.update(bytes));
    sha.finalize().into()
}

/// `K(key, tag, parts)`: HMAC-SHA-256 of the frame.
pub fn keyed(key: &Bytes32, tag: &str, parts: &[&[u8]]) -> Bytes32 {
    let mut mac = Hmac::<Sha256>::new(&block(key));
    frame(tag, parts, |bytes| mac.update(bytes));
    mac.finalize().into_bytes().into()
}

/// The key filled up with zeros to a block of the hash, as HMAC defines it.
fn block(key: &Bytes32) -> Key<Hmac<Sha256>> {
    let mut block = Key::<Hmac<Sha256>>::default();
    block[..key.len()].copy_from_slice(key);
    block
}

/// `F(tag, parts)`: the tag, a line feed, and each part behind its length.
fn frame(tag: &str, parts: &[&[u8]], mut write: impl FnMut(&[u8])) {
    write(PREFIX);
    write(tag.as_bytes());
    write(b"\n");
    for part in parts {
        // A part is a part of a request or of a document of at most 16 MiB, far below the 4 GiB of a frame.
        let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
        write(&length.to_be_bytes());
        write(part);
    }
}
