//! Chance: the only code that draws.
//!
//! A draw is named by a label and by its number under that label, and its outcome follows from these and
//! the seed alone. The sampling is written out here because the shuffles and ranges of the `rand` crates
//! change between versions; only the ChaCha20 key stream is taken from a library.

use std::{borrow::Cow, fmt};

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use super::{
    fields::clip,
    hash::{Bytes32, Format},
};

/// The seed of a game's chance, and the format by which draws follow from it. It is never printed.
#[derive(Clone)]
pub struct Seed {
    format: Format,
    bytes: Bytes32,
}

impl Seed {
    pub const fn new(format: Format, bytes: Bytes32) -> Self {
        Self { format, bytes }
    }

    /// What a draw comes out as.
    pub fn draw(&self, label: &str, n: u64, shape: &Shape) -> Vec<u32> {
        let mut words =
            Words::new(self.format.keyed(&self.bytes, "draw", &[label.as_bytes(), &n.to_be_bytes()]));
        match shape {
            Shape::Shuffle(size) => words.shuffle(*size),
            Shape::Roll(bounds) => bounds.iter().map(|bound| words.below(*bound)).collect(),
        }
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

/// What is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// An order of the numbers below this one; the first is the top.
    Shuffle(u32),
    /// One number below each bound. A bound is at least 1.
    Roll(Vec<u32>),
}

impl Shape {
    /// Whether `out` is a possible outcome.
    pub fn admits(&self, out: &[u32]) -> bool {
        match self {
            Self::Shuffle(size) => {
                let mut sorted = out.to_vec();
                sorted.sort_unstable();
                out.len() as u64 == u64::from(*size) && sorted.iter().copied().eq(0..*size)
            }
            Self::Roll(bounds) => {
                out.len() == bounds.len() && out.iter().zip(bounds).all(|(face, bound)| face < bound)
            }
        }
    }

    /// An outcome that is possible and says nothing.
    fn neutral(&self) -> Vec<u32> {
        match self {
            Self::Shuffle(size) => (0..*size).collect(),
            Self::Roll(bounds) => vec![0; bounds.len()],
        }
    }
}

/// One draw and its outcome, as the log keeps it.
#[derive(Clone, PartialEq, Eq)]
pub struct Draw {
    pub label: Cow<'static, str>,
    pub n: u64,
    pub shape: Shape,
    pub out: Vec<u32>,
}

impl fmt::Debug for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Draw({} {}, secret)", self.label, self.n)
    }
}

/// A replay that asked for other draws than its log holds.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Divergence(String);

/// The chance of one game.
///
/// While a log is replayed its draws are handed in ahead of each command ([`Chance::expect`]) and no seed
/// is needed; after it, draws come from the seed and go on where the log stopped.
#[derive(Clone, Debug)]
pub struct Chance {
    seed: Option<Seed>,
    expected: Option<std::vec::IntoIter<Draw>>,
    divergence: Option<Divergence>,
    counters: Vec<(&'static str, u64)>,
    drawn: Vec<Draw>,
}

impl Chance {
    pub const fn seeded(seed: Seed) -> Self {
        Self::new(Some(seed))
    }

    /// Chance that can only repeat what a log holds.
    pub const fn recorded() -> Self {
        Self::new(None)
    }

    const fn new(seed: Option<Seed>) -> Self {
        Self { seed, expected: None, divergence: None, counters: Vec::new(), drawn: Vec::new() }
    }

    pub fn shuffle(&mut self, label: &'static str, size: u32) -> &[u32] {
        self.draw(label, Shape::Shuffle(size))
    }

    pub fn roll(&mut self, label: &'static str, bounds: &[u32]) -> &[u32] {
        self.draw(label, Shape::Roll(bounds.to_vec()))
    }

    /// What was drawn since [`Chance::forget_drawn`].
    pub fn drawn(&self) -> &[Draw] {
        &self.drawn
    }

    pub fn forget_drawn(&mut self) {
        self.drawn.clear();
    }

    /// Hands in the draws that the next command made when it was played.
    pub fn expect(&mut self, draws: Vec<Draw>) {
        self.expected = Some(draws.into_iter());
    }

    /// Ends what [`Chance::expect`] began: all of its draws must have been asked for, and no other.
    pub fn settle(&mut self) -> Result<(), Divergence> {
        if let Some(left) = self.expected.take().and_then(|mut rest| rest.next()) {
            let unused = format!("the log has a draw `{}` {} that is not drawn", clip(&left.label), left.n);
            self.divergence.get_or_insert(Divergence(unused));
        }
        self.divergence.take().map_or(Ok(()), Err)
    }

    fn draw(&mut self, label: &'static str, shape: Shape) -> &[u32] {
        let n = self.count(label);
        let draw = match (&mut self.expected, &self.seed) {
            (Some(expected), _) => match follow(expected.next(), label, n, &shape) {
                Ok(draw) => draw,
                Err(divergence) => {
                    self.divergence.get_or_insert(divergence);
                    let out = shape.neutral();
                    Draw { label: Cow::Borrowed(label), n, shape, out }
                }
            },
            (None, Some(seed)) => {
                let out = seed.draw(label, n, &shape);
                Draw { label: Cow::Borrowed(label), n, shape, out }
            }
            (None, None) => {
                let beyond = format!("draw `{label}` {n} is asked for after the end of the log");
                self.divergence.get_or_insert(Divergence(beyond));
                let out = shape.neutral();
                Draw { label: Cow::Borrowed(label), n, shape, out }
            }
        };
        self.drawn.push(draw);
        self.drawn.last().map_or(&[], |draw| &draw.out)
    }

    /// The number of the next draw under this label.
    fn count(&mut self, label: &'static str) -> u64 {
        if let Some((_, next)) = self.counters.iter_mut().find(|(name, _)| *name == label) {
            *next += 1;
            return *next - 1;
        }
        self.counters.push((label, 1));
        0
    }
}

/// Takes the draw that the log holds if it is the one asked for.
fn follow(logged: Option<Draw>, label: &str, n: u64, shape: &Shape) -> Result<Draw, Divergence> {
    let Some(draw) = logged else {
        return Err(Divergence(format!("draw `{label}` {n} is missing from the log")));
    };
    if draw.label != label || draw.n != n || draw.shape != *shape {
        let (found, number) = (clip(&draw.label), draw.n);
        return Err(Divergence(format!(
            "the log has draw `{found}` {number} where `{label}` {n} of another size or name is asked for"
        )));
    }
    if !shape.admits(&draw.out) {
        return Err(Divergence(format!("draw `{label}` {n} has an impossible outcome")));
    }
    Ok(draw)
}

/// The key stream of one draw, as little-endian words.
struct Words(ChaCha20Rng);

impl Words {
    fn new(key: Bytes32) -> Self {
        Self(ChaCha20Rng::from_seed(key))
    }

    /// A number below `bound`, each with the same chance. A bound of 1 uses no word.
    fn below(&mut self, bound: u32) -> u32 {
        if bound <= 1 {
            return 0;
        }
        let whole = (1 << 32) / u64::from(bound) * u64::from(bound);
        loop {
            let word = self.0.next_u32();
            if u64::from(word) < whole {
                return word % bound;
            }
        }
    }

    fn shuffle(&mut self, size: u32) -> Vec<u32> {
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

    fn words() -> Words {
        Words::new([0; 32])
    }

    #[test]
    fn the_key_stream_is_that_of_the_format() {
        assert_eq!(words().0.next_u32(), 0xade0_b876);
    }

    /// Another implementation of RFC 8439 gives the same words.
    #[test]
    fn a_second_implementation_gives_the_same_key_stream() {
        use chacha20::cipher::{KeyIvInit as _, StreamCipher as _};
        for key in [[0; 32], [0x5a; 32], [0xff; 32]] {
            let mut stream = [0; 4 * 1000];
            chacha20::ChaCha20::new(&key.into(), &[0; 12].into()).apply_keystream(&mut stream);
            let mut ours = Words::new(key);
            for (place, word) in stream.as_chunks::<4>().0.iter().enumerate() {
                assert_eq!(ours.0.next_u32(), u32::from_le_bytes(*word), "word {place}");
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
            after_eleven.0.next_u32();
        }
        assert_eq!(wide.0.next_u32(), after_eleven.0.next_u32(), "the eight draws used eleven words");
    }

    #[test]
    fn a_bound_of_one_uses_no_word() {
        let mut some = words();
        assert_eq!(some.below(1), 0);
        assert_eq!(some.0.next_u32(), 0xade0_b876);
    }

    #[test]
    fn each_label_counts_for_itself() {
        let mut chance = Chance::seeded(Seed::new(Format::One, [7; 32]));
        chance.shuffle("deck", 5);
        chance.roll("first", &[4]);
        chance.shuffle("deck", 5);
        let names: Vec<(&str, u64)> = chance.drawn().iter().map(|d| (&*d.label, d.n)).collect();
        assert_eq!(names, [("deck", 0), ("first", 0), ("deck", 1)]);
        assert_ne!(chance.drawn()[0].out, chance.drawn()[2].out);
    }

    #[test]
    fn a_replay_gives_what_the_log_holds_and_goes_on_from_the_seed() {
        let seed = || Seed::new(Format::One, [9; 32]);
        let mut live = Chance::seeded(seed());
        live.shuffle("deck", 8);
        live.shuffle("deck", 8);

        let mut replayed = Chance::seeded(seed());
        replayed.expect(live.drawn()[..1].to_vec());
        replayed.shuffle("deck", 8);
        assert_eq!(replayed.settle(), Ok(()));
        replayed.shuffle("deck", 8);
        assert_eq!(replayed.drawn(), live.drawn());
    }

    #[test]
    fn a_replay_notices_draws_that_differ() {
        let drawn = |label: &'static str, n| {
            let shape = Shape::Roll(vec![6]);
            Draw { label: Cow::Borrowed(label), n, shape, out: vec![5] }
        };
        let impossible = Draw { out: vec![6], ..drawn("dice", 0) };
        for (log, what) in [
            (vec![], "missing"),
            (vec![drawn("deck", 0)], "another size or name"),
            (vec![drawn("dice", 1)], "another size or name"),
            (vec![impossible], "impossible"),
            (vec![drawn("dice", 0), drawn("dice", 1)], "not drawn"),
        ] {
            let mut chance = Chance::recorded();
            chance.expect(log);
            chance.roll("dice", &[6]);
            let divergence = chance.settle().unwrap_err().to_string();
            assert!(divergence.contains(what), "{divergence}");
        }
    }

    #[test]
    fn nothing_secret_is_printed() {
        let mut chance = Chance::seeded(Seed::new(Format::One, [0xab; 32]));
        chance.roll("dice", &[u32::MAX]);
        let out = chance.drawn()[0].out[0].to_string();
        let printed = format!("{chance:?}");
        assert!(!printed.contains(&out) && !printed.contains("171"), "{printed}");
    }
}
