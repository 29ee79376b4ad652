//! The seed of a game, from secret bytes of the server, fixed before the first join, and of the players,
//! promised before the table is full.

use std::fmt;

use crate::engine::{Format, Seed, hash::Bytes32};

/// The server's secret bytes of one game. Published at the end, and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerSeed(Bytes32);

/// Every hash begins with the tag of this format.
const FORMAT: Format = Format::Three;

impl ServerSeed {
    pub const fn new(bytes: Bytes32) -> Self {
        Self(bytes)
    }

    /// Returns the bytes, for the store and for replays of ended games.
    pub const fn reveal(&self) -> &Bytes32 {
        &self.0
    }

    /// Returns the commitment of the first entry.
    pub fn commitment(&self) -> Bytes32 {
        FORMAT.hash("server", &[&self.0])
    }

    /// Returns a salt, without which short secrets could be guessed from their hashes.
    fn salt(&self, seq: u64) -> Bytes32 {
        FORMAT.keyed(&self.0, "salt", &[&seq.to_be_bytes()])
    }

    /// Returns the public hash of an entry's secret.
    pub fn blind(&self, seq: u64, secret: Option<&[u8]>) -> Bytes32 {
        FORMAT.hash("secret", &[&self.salt(seq), secret.unwrap_or_default()])
    }

    /// Returns the seed of all draws, from the head of the join that filled the table and the revealed bytes
    /// of each seat.
    pub fn game_seed(&self, head_of_full: &Bytes32, entropy: &[Option<Bytes32>]) -> Seed {
        let mut parts: Vec<&[u8]> = vec![head_of_full];
        parts.extend(entropy.iter().map(|bytes| bytes.as_ref().map_or(&[][..], |bytes| bytes)));
        Seed::new(FORMAT, FORMAT.keyed(&self.0, "seed", &parts))
    }
}

impl fmt::Debug for ServerSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSeed(secret)")
    }
}

/// Returns a player's commitment to its bytes.
pub fn entropy_commitment(entropy: &Bytes32) -> Bytes32 {
    FORMAT.hash("client", &[entropy])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::DrawShape,
        ledger::encoding::{hex, unhex},
    };

    fn server_seed() -> ServerSeed {
        ServerSeed::new(std::array::from_fn(|place| u8::try_from(place + 1).unwrap()))
    }

    /// The vectors of the format.
    #[test]
    fn commitment_promise_and_seed_match_the_vectors() {
        let seed = server_seed();
        let commit = "ef5ac98a52cf80a5e0daa0878540ff59afdc8250340b978f2c686c21265af0d6";
        assert_eq!(hex(&seed.commitment()), commit);
        let promise = "803978190aaf13061cfc2831f498d0776114fd63f9b78f7556f82ad0a7bd7c39";
        assert_eq!(hex(&entropy_commitment(&[0x11; 32])), promise);
        assert_eq!(hex(&seed.salt(5)), "f2cf82cbe4218fcf6bcaa803e4e703adfca03b58d2b029bcf1ca7683207e5746");
        assert_eq!(
            hex(&seed.blind(5, None)),
            "d82577ec96e457a46758c54f10381608644315885e53ed07496e652a7cd02440"
        );
        let head = unhex("995923460fb0b2476c7a4c861201be0d7e2590d3433ec4c823ddbfa239773624").unwrap();
        let seed = seed.game_seed(&head, &[Some([0x11; 32]), Some([0x22; 32]), None]);
        let expected = unhex("d67954e6c5bbfc8e4653756be4fad890a4a9ef62b21580030a41b7cd41da35c8").unwrap();
        let key = FORMAT.keyed(&expected, "draw", &[b"deck", &0_u64.to_be_bytes()]);
        assert_eq!(hex(&key), "49008b82660acc364904089ac01772875e8f28ec257442182e1960f945506cd8");
        assert_eq!(seed.draw("deck", 0, &DrawShape::Shuffle(10)), [2, 9, 4, 0, 5, 1, 8, 6, 3, 7]);
        assert_eq!(seed.draw("dice", 0, &DrawShape::Roll(vec![6, 6])), [5, 3]);
    }

    #[test]
    fn a_missing_contribution_is_not_a_contribution_of_zeros() {
        let draw = |entropy: &[Option<Bytes32>]| {
            server_seed().game_seed(&[0; 32], entropy).draw("deck", 0, &DrawShape::Shuffle(53))
        };
        assert_ne!(draw(&[None, None]), draw(&[Some([0; 32]), None]));
        assert_ne!(draw(&[Some([1; 32]), None]), draw(&[None, Some([1; 32])]));
    }

    #[test]
    fn the_seed_is_not_printed() {
        assert_eq!(format!("{:?}", server_seed()), "ServerSeed(secret)");
    }
}
