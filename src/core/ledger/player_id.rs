//! Player ids derived from the first key of a player. A reader needs no server to trust the key.

use super::{encoding::hex, seat_key::SeatKey};
use crate::engine::Format;

/// Returns the id of an account created with this key: a UUID of version 8.
pub fn derived(key: &SeatKey) -> [u8; 16] {
    let digest = Format::Three.hash("player", &[key.as_bytes()]);
    let mut id = [0; 16];
    id.copy_from_slice(&digest[..16]);
    id[6] = 0x80 | (id[6] & 0x0f);
    id[8] = 0x80 | (id[8] & 0x3f);
    id
}

/// Returns the derived id as text.
pub fn derived_text(key: &SeatKey) -> String {
    let digits = hex(&derived(key));
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_derived_as_the_vectors_say() {
        let key =
            SeatKey::from_hex("8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c").unwrap();
        assert_eq!(derived_text(&key), "831d82d7-d486-8a49-a027-9188e872a711");
    }
}
