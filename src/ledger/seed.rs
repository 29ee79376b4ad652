//! Where a game's chance comes from: bytes of the server, fixed before anybody joined, and bytes of the
//! players, promised before the table was full.

use std::fmt;

use crate::engine::{Format, Seed, hash::Bytes32};

/// The server's own bytes for one game, and the format of its log. They open at the end, and are never
/// printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerSeed {
    format: Format,
    bytes: Bytes32,
}

impl ServerSeed {
    pub const fn new(format: Format, bytes: Bytes32) -> Self {
        Self { format, bytes }
    }

    pub const fn format(&self) -> Format {
        self.format
    }

    /// For the store and for the replay of a game that has ended.
    pub const fn reveal(&self) -> &Bytes32 {
        &self.bytes
    }

    /// What the first entry of the log promises.
    pub fn commitment(&self) -> Bytes32 {
        self.format.hash("server", &[&self.bytes])
    }

    /// What keeps the secret of an entry from being guessed by its hash.
    fn salt(&self, seq: u64) -> Bytes32 {
        self.format.keyed(&self.bytes, "salt", &[&seq.to_be_bytes()])
    }

    /// What stands for an entry's secret until the end of the game.
    pub fn blind(&self, seq: u64, secret: Option<&[u8]>) -> Bytes32 {
        self.format.hash("secret", &[&self.salt(seq), secret.unwrap_or_default()])
    }

    /// The seed of the game's chance, from the head of the seal and what each seat revealed.
    pub fn game_seed(&self, head_of_seal: &Bytes32, entropy: &[Option<Bytes32>]) -> Seed {
        let mut parts: Vec<&[u8]> = vec![head_of_seal];
        parts.extend(entropy.iter().map(|bytes| bytes.as_ref().map_or(&[][..], |bytes| bytes)));
        Seed::new(self.format, self.format.keyed(&self.bytes, "seed", &parts))
    }
}

impl fmt::Debug for ServerSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSeed(secret)")
    }
}

/// What a player promises who wants to share in the shuffle.
pub fn entropy_commitment(format: Format, entropy: &Bytes32) -> Bytes32 {
    format.hash("client", &[entropy])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::Shape,
        ledger::encoding::{hex, unhex},
    };

    fn server_seed() -> ServerSeed {
        ServerSeed::new(Format::One, std::array::from_fn(|place| u8::try_from(place).unwrap()))
    }

    #[test]
    fn commitment_and_seed_match_the_vectors_of_the_format() {
        let commit = "3602e78d029e560762814bf0ccbd0b832764d1726c58a1d1b37102bfbd19b0cf";
        assert_eq!(hex(&server_seed().commitment()), commit);

        let head = unhex("995923460fb0b2476c7a4c861201be0d7e2590d3433ec4c823ddbfa239773624").unwrap();
        let seed = server_seed().game_seed(&head, &[Some([0x11; 32]), Some([0x22; 32]), None]);
        let expected = unhex("2582ae491ee42f5de83b1b1200ebc1a422e7066464e47f8f7371b48905ad7333").unwrap();
        let key = Format::One.keyed(&expected, "draw", &[b"deck", &0_u64.to_be_bytes()]);
        assert_eq!(hex(&key), "ff632b31bdb2aee9561ba78bea7385304eccddcd70f5cf9288c6bc6dfaf22c79");
        let shape = Shape::Shuffle(53);
        assert_eq!(seed.draw("deck", 0, &shape), Seed::new(Format::One, expected).draw("deck", 0, &shape));
    }

    #[test]
    fn in_the_second_format_they_match_its_own() {
        let seed = ServerSeed { format: Format::Two, ..server_seed() };
        let commit = "a69a2b9046e5d7c51ca5c58cfd73e22f002443936de51df4e161bc698b1dfb96";
        assert_eq!(hex(&seed.commitment()), commit);
        let promise = "c0120f55d172a6834148c61e53a273dd7e205c5b5596e30e16eaacd3b57cdee7";
        assert_eq!(hex(&entropy_commitment(Format::Two, &[0x11; 32])), promise);
        let head = unhex("995923460fb0b2476c7a4c861201be0d7e2590d3433ec4c823ddbfa239773624").unwrap();
        let expected = unhex("421f2da4775a9f37cbc9a51e636798f2b082417c7b6d819bc42cc92dda981f71").unwrap();
        let key = Format::Two.keyed(&expected, "draw", &[b"deck", &0_u64.to_be_bytes()]);
        assert_eq!(hex(&key), "8135be7a40fd49275c71628ed486f72f6e270b9a8acb75dcb83db8be6666f9e0");
        let seed = seed.game_seed(&head, &[Some([0x11; 32]), Some([0x22; 32]), None]);
        let shape = Shape::Shuffle(53);
        assert_eq!(seed.draw("deck", 0, &shape), Seed::new(Format::Two, expected).draw("deck", 0, &shape));
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
