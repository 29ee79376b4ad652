//! Where a game's chance comes from: bytes of the server, fixed before anybody joined, and bytes of the
//! players, promised before the table was full.

use std::fmt;

use crate::engine::{
    Seed,
    hash::{Bytes32, hash, keyed},
};

/// The server's own bytes for one game. They open at the end, and are never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerSeed(Bytes32);

impl ServerSeed {
    pub const fn new(bytes: Bytes32) -> Self {
        Self(bytes)
    }

    /// For the store and for the replay of a game that has ended.
    pub const fn reveal(&self) -> &Bytes32 {
        &self.0
    }

    /// What the first entry of the log promises.
    pub fn commitment(&self) -> Bytes32 {
        hash("server", &[&self.0])
    }

    /// What keeps the secret of an entry from being guessed by its hash.
    pub(super) fn salt(&self, seq: u64) -> Bytes32 {
        keyed(&self.0, "salt", &[&seq.to_be_bytes()])
    }

    /// The seed of the game's chance, from the head of the seal and what each seat revealed.
    pub fn game_seed(&self, head_of_seal: &Bytes32, entropy: &[Option<Bytes32>]) -> Seed {
        let mut parts: Vec<&[u8]> = vec![head_of_seal];
        parts.extend(entropy.iter().map(|bytes| bytes.as_ref().map_or(&[][..], |bytes| bytes)));
        Seed::new(keyed(&self.0, "seed", &parts))
    }
}

impl fmt::Debug for ServerSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSeed(secret)")
    }
}

/// What a player promises who wants to share in the shuffle.
pub fn entropy_commitment(entropy: &Bytes32) -> Bytes32 {
    hash("client", &[entropy])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::Shape,
        ledger::encoding::{hex, unhex},
    };

    fn server_seed() -> ServerSeed {
        ServerSeed::new(std::array::from_fn(|place| u8::try_from(place).unwrap()))
    }

    #[test]
    fn commitment_and_seed_match_the_vectors_of_the_format() {
        let commit = "3602e78d029e560762814bf0ccbd0b832764d1726c58a1d1b37102bfbd19b0cf";
        assert_eq!(hex(&server_seed().commitment()), commit);

        let head = unhex("995923460fb0b2476c7a4c861201be0d7e2590d3433ec4c823ddbfa239773624").unwrap();
        let seed = server_seed().game_seed(&head, &[Some([0x11; 32]), Some([0x22; 32]), None]);
        let expected = unhex("2582ae491ee42f5de83b1b1200ebc1a422e7066464e47f8f7371b48905ad7333").unwrap();
        let key = keyed(&expected, "draw", &[b"deck", &0_u64.to_be_bytes()]);
        assert_eq!(hex(&key), "ff632b31bdb2aee9561ba78bea7385304eccddcd70f5cf9288c6bc6dfaf22c79");
        let shape = Shape::Shuffle(53);
        assert_eq!(seed.draw("deck", 0, &shape), Seed::new(expected).draw("deck", 0, &shape));
    }

    #[test]
    fn a_missing_contribution_is_not_a_contribution_of_zeros() {
        let draw = |entropy: &[Option<Bytes32>]| {
            server_seed().game_seed(&[0; 32], entropy).draw("deck", 0, &Shape::Shuffle(53))
        };
        assert_ne!(draw(&[None, None]), draw(&[Some([0; 32]), None]));
        assert_ne!(draw(&[Some([1; 32]), None]), draw(&[None, Some([1; 32])]));
    }

    #[test]
    fn the_seed_is_not_printed() {
        assert_eq!(format!("{:?}", server_seed()), "ServerSeed(secret)");
    }
}
