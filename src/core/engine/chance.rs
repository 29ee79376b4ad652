//! Chance: the only code that draws.
//!
//! A label and a number under that label identify a draw. Its outcome follows from these and the seed.

use std::{borrow::Cow, fmt};

use super::{
    hash::{Bytes32, Format},
    malformed::clip,
    random_words::Words,
};

/// The seed of a game, and the format that defines its draws. Never printed.
#[derive(Clone)]
pub struct Seed {
    format: Format,
    bytes: Bytes32,
}

impl Seed {
    pub const fn new(format: Format, bytes: Bytes32) -> Self {
        Self { format, bytes }
    }

    /// Returns the outcome of a draw.
    pub fn draw(&self, label: &str, n: u64, shape: &DrawShape) -> Vec<u32> {
        let key = self.format.keyed(&self.bytes, "draw", &[label.as_bytes(), &n.to_be_bytes()]);
        shape.draw(&mut Words::keyed(key))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

/// The kind of a draw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DrawShape {
    /// An order of the numbers below this one; the first is on top.
    Shuffle(u32),
    /// A number below each bound. Bounds are at least 1.
    Roll(Vec<u32>),
}

impl DrawShape {
    /// Returns whether `out` is a possible outcome.
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

    fn draw(&self, words: &mut Words<impl FnMut() -> u32>) -> Vec<u32> {
        match self {
            Self::Shuffle(size) => words.shuffle(*size),
            Self::Roll(bounds) => bounds.iter().map(|bound| words.below(*bound)).collect(),
        }
    }

    /// Returns a possible outcome that reveals nothing.
    fn neutral(&self) -> Vec<u32> {
        match self {
            Self::Shuffle(size) => (0..*size).collect(),
            Self::Roll(bounds) => vec![0; bounds.len()],
        }
    }
}

/// A draw and its outcome, as the log has them.
#[derive(Clone, PartialEq, Eq)]
pub struct Draw {
    pub label: Cow<'static, str>,
    pub n: u64,
    pub shape: DrawShape,
    pub out: Vec<u32>,
}

impl fmt::Debug for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Draw({} {}, secret)", self.label, self.n)
    }
}

/// A replay that asked for other draws than its log has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Divergence(String);

/// The source of outcomes.
#[derive(Clone, Debug)]
enum DrawSource {
    Seed(Seed),
    /// A simulated game.
    Imagined(u64),
    /// A log, without a seed.
    Log,
}

/// The chance of one game.
///
/// During a replay, the draws of each command are given before it ([`Chance::expect`]), without a seed.
/// Afterwards draws come from the seed, and their numbers continue.
#[derive(Clone, Debug)]
pub struct Chance {
    source: DrawSource,
    expected: Option<std::vec::IntoIter<Draw>>,
    divergence: Option<Divergence>,
    counters: Vec<(&'static str, u64)>,
    drawn: Vec<Draw>,
}

impl Chance {
    pub const fn seeded(seed: Seed) -> Self {
        Self::new(DrawSource::Seed(seed))
    }

    /// Returns chance for a simulated game: fast, and not secret.
    pub const fn imagined(number: u64) -> Self {
        Self::new(DrawSource::Imagined(number))
    }

    /// Returns chance that can only repeat a log.
    pub const fn recorded() -> Self {
        Self::new(DrawSource::Log)
    }

    const fn new(source: DrawSource) -> Self {
        Self { source, expected: None, divergence: None, counters: Vec::new(), drawn: Vec::new() }
    }

    pub fn shuffle(&mut self, label: &'static str, size: u32) -> &[u32] {
        self.draw(label, DrawShape::Shuffle(size))
    }

    pub fn roll(&mut self, label: &'static str, bounds: &[u32]) -> &[u32] {
        self.draw(label, DrawShape::Roll(bounds.to_vec()))
    }

    /// Returns the draws since [`Chance::forget_drawn`].
    pub fn drawn(&self) -> &[Draw] {
        &self.drawn
    }

    /// Forgets the draws, and keeps their memory for the next ones.
    pub fn forget_drawn(&mut self) {
        self.drawn.clear();
    }

    /// Forgets the draws, and frees their memory.
    pub fn let_go_of_drawn(&mut self) {
        self.drawn = Vec::new();
    }

    /// Sets the draws that the next command made when it was played.
    pub fn expect(&mut self, draws: Vec<Draw>) {
        self.expected = Some(draws.into_iter());
    }

    /// Ends [`Chance::expect`]: fails unless exactly its draws were used.
    pub fn settle(&mut self) -> Result<(), Divergence> {
        if let Some(left) = self.expected.take().and_then(|mut rest| rest.next()) {
            let unused = format!("the log has a draw `{}` {} that is not drawn", clip(&left.label), left.n);
            self.divergence.get_or_insert(Divergence(unused));
        }
        self.divergence.take().map_or(Ok(()), Err)
    }

    fn draw(&mut self, label: &'static str, shape: DrawShape) -> &[u32] {
        let n = self.count(label);
        let draw = match (&mut self.expected, &self.source) {
            (Some(expected), _) => match follow(expected.next(), label, n, &shape) {
                Ok(draw) => draw,
                Err(divergence) => {
                    self.divergence.get_or_insert(divergence);
                    let out = shape.neutral();
                    Draw { label: Cow::Borrowed(label), n, shape, out }
                }
            },
            (None, DrawSource::Seed(seed)) => {
                let out = seed.draw(label, n, &shape);
                Draw { label: Cow::Borrowed(label), n, shape, out }
            }
            (None, DrawSource::Imagined(number)) => {
                let out = shape.draw(&mut Words::quick(*number, label, n));
                Draw { label: Cow::Borrowed(label), n, shape, out }
            }
            (None, DrawSource::Log) => {
                let beyond = format!("draw `{label}` {n} is asked for after the end of the log");
                self.divergence.get_or_insert(Divergence(beyond));
                let out = shape.neutral();
                Draw { label: Cow::Borrowed(label), n, shape, out }
            }
        };
        self.drawn.push(draw);
        self.drawn.last().map_or(&[], |draw| &draw.out)
    }

    /// Returns the number of the next draw under this label.
    fn count(&mut self, label: &'static str) -> u64 {
        if let Some((_, next)) = self.counters.iter_mut().find(|(name, _)| *name == label) {
            *next += 1;
            return *next - 1;
        }
        self.counters.push((label, 1));
        0
    }
}

/// Takes the draw of the log, if it is the one that is needed.
fn follow(logged: Option<Draw>, label: &str, n: u64, shape: &DrawShape) -> Result<Draw, Divergence> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_label_counts_for_itself() {
        let mut chance = Chance::seeded(Seed::new(Format::Three, [7; 32]));
        chance.shuffle("deck", 5);
        chance.roll("first", &[4]);
        chance.shuffle("deck", 5);
        let names: Vec<(&str, u64)> = chance.drawn().iter().map(|d| (&*d.label, d.n)).collect();
        assert_eq!(names, [("deck", 0), ("first", 0), ("deck", 1)]);
        assert_ne!(chance.drawn()[0].out, chance.drawn()[2].out);
    }

    #[test]
    fn a_replay_gives_what_the_log_holds_and_goes_on_from_the_seed() {
        let seed = || Seed::new(Format::Three, [9; 32]);
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
            let shape = DrawShape::Roll(vec![6]);
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
        let mut chance = Chance::seeded(Seed::new(Format::Three, [0xab; 32]));
        chance.roll("dice", &[u32::MAX]);
        let out = chance.drawn()[0].out[0].to_string();
        let printed = format!("{chance:?}");
        assert!(!printed.contains(&out) && !printed.contains("171"), "{printed}");
    }
}
