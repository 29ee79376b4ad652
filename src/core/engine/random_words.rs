//! Random numbers and orders from random words. The sampling is implemented here because that of the `rand`
//! crates changes between versions; only the ChaCha20 key stream is taken from a library.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use super::hash::Bytes32;

/// The words of one draw.
pub struct Words<W>(W);

impl Words<()> {
    /// Returns the key stream of a draw, as little-endian words.
    pub fn keyed(key: Bytes32) -> Words<impl FnMut() -> u32> {
        let mut stream = ChaCha20Rng::from_seed(key);
        Words(move || stream.next_u32())
    }

    /// Returns words for a simulated game (`SplitMix64`).
    pub fn quick(number: u64, label: &str, n: u64) -> Words<impl FnMut() -> u32> {
        let mut state = label.bytes().fold(mix(number ^ mix(n)), |state, byte| mix(state ^ u64::from(byte)));
        Words(move || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            u32::try_from(mix(state) >> 32).unwrap_or_default()
        })
    }
}

/// Mixes the bits of a number (the end of `SplitMix64`).
pub const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl<W: FnMut() -> u32> Words<W> {
    /// Returns a uniform number below `bound`. A bound of 1 uses no word.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound <= 1 {
            return 0;
        }
        let whole = (1 << 32) / u64::from(bound) * u64::from(bound);
        loop {
            let word = (self.0)();
            if u64::from(word) < whole {
                return word % bound;
            }
        }
    }

    pub fn shuffle(&mut self, size: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..size).collect();
        for last in (1..size).rev() {
            let other = self.below(last + 1);
            order.swap(last as usize, other as usize);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words<impl FnMut() -> u32> {
        Words::keyed([0; 32])
    }

    #[test]
    fn the_key_stream_is_that_of_the_format() {
        assert_eq!((words().0)(), 0xade0_b876);
    }

    /// Another implementation of RFC 8439 gives the same words.
    #[test]
    fn a_second_implementation_gives_the_same_key_stream() {
        use chacha20::cipher::{KeyIvInit as _, StreamCipher as _};
        for key in [[0; 32], [0x5a; 32], [0xff; 32]] {
            let mut stream = [0; 4 * 1000];
            chacha20::ChaCha20::new(&key.into(), &[0; 12].into()).apply_keystream(&mut stream);
            let mut ours = Words::keyed(key);
            for (place, word) in stream.as_chunks::<4>().0.iter().enumerate() {
                assert_eq!((ours.0)(), u32::from_le_bytes(*word), "word {place}");
            }
        }
    }

    #[test]
    fn shuffles_match_the_vector_of_the_format() {
        assert_eq!(words().shuffle(10), [6, 8, 2, 7, 9, 5, 1, 0, 3, 4]);
    }

    #[test]
    fn bounded_draws_match_the_vectors_of_the_format() {
        let mut dice = words();
        let faces: Vec<u32> = (0..8).map(|_| dice.below(6)).collect();
        assert_eq!(faces, [0, 0, 0, 5, 5, 0, 2, 5]);

        let mut wide = words();
        let wide_draws: Vec<u32> = (0..8).map(|_| wide.below(3_221_225_472)).collect();
        assert_eq!(
            wide_draws,
            [
                2_917_185_654,
                2_419_978_656,
                683_509_331,
                3_088_700_093,
                451_775_904,
                2_086_224_346,
                2_370_328_401,
                1_071_654_007
            ]
        );
        let mut after_eleven = words();
        for _ in 0..11 {
            (after_eleven.0)();
        }
        assert_eq!((wide.0)(), (after_eleven.0)(), "the eight draws used eleven words");
    }

    #[test]
    fn a_bound_of_one_uses_no_word() {
        let mut some = words();
        assert_eq!(some.below(1), 0);
        assert_eq!((some.0)(), 0xade0_b876);
    }

    #[test]
    fn quick_words_hang_on_all_that_they_are_named_by() {
        let first = |number, label, n| (Words::quick(number, label, n).0)();
        let all = [first(0, "dice", 0), first(1, "dice", 0), first(0, "dice", 1), first(0, "bag", 0)];
        assert!((0..all.len()).all(|one| !all[..one].contains(&all[one])), "{all:?}");
        let mut faces = [0; 6];
        (0..6_000).for_each(|n| faces[Words::quick(7, "dice", n).below(6) as usize] += 1);
        assert!(faces.iter().all(|count| (880..1_120).contains(count)), "{faces:?}");
    }
}
