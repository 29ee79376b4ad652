//! A small network of whole numbers. It predicts the chance of a seat to finish ahead of another.
//!
//! `examples/learn.rs` trains the network and writes its file.

use super::senses::ONE;

/// The value 1 of a weight.
pub const WEIGHT: i32 = 256;
/// Certainty.
pub const SURE: i32 = 10_000;

/// Inputs, one layer of units clipped to the range from 0 to 1, and their sum.
pub struct Net {
    inputs: usize,
    /// A row per unit.
    first: Vec<i16>,
    biases: Vec<i32>,
    last: Vec<i32>,
    bias: i32,
}

impl Net {
    /// Parses the number of inputs, the number of units, then all weights.
    pub fn read(text: &str) -> Option<Self> {
        let numbers: Vec<i32> =
            text.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        let [inputs, units, weights @ ..] = &numbers[..] else { return None };
        Self::new(usize::try_from(*inputs).ok()?, usize::try_from(*units).ok()?, weights)
    }

    /// Makes a network of weights in units of 1/256, in the order of the file.
    pub fn new(inputs: usize, units: usize, weights: &[i32]) -> Option<Self> {
        let mut weights = weights.iter().copied();
        let mut next = move || weights.next();
        let first =
            (0..inputs.checked_mul(units)?).map(|_| i16::try_from(next()?).ok()).collect::<Option<_>>()?;
        let biases = (0..units).map(|_| next()).collect::<Option<_>>()?;
        let last = (0..units).map(|_| next()).collect::<Option<_>>()?;
        Some(Self { inputs, first, biases, last, bias: next()? })
    }

    /// Returns the number of inputs.
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the probability in ten-thousandths.
    pub fn chance(&self, senses: &[i16]) -> i32 {
        debug_assert_eq!(senses.len(), self.inputs);
        let scale = WEIGHT;
        let units = self.first.chunks_exact(self.inputs).zip(&self.biases).zip(&self.last);
        let sum: i32 = units
            .map(|((row, bias), last)| {
                let seen: i32 = row
                    .iter()
                    .zip(senses)
                    .map(|(weight, sense)| i32::from(*weight) * i32::from(*sense))
                    .sum();
                let lit = (seen / scale + bias * i32::from(ONE) / scale).clamp(0, ONE.into());
                lit * last
            })
            .sum();
        likely(sum / i32::from(ONE) + self.bias)
    }
}

/// Returns the logistic function of a number in units of 1/256, from a table of its values at quarters.
fn likely(log_odds: i32) -> i32 {
    const QUARTERS: [i32; 33] = [
        5000, 5622, 6225, 6792, 7311, 7773, 8176, 8520, 8808, 9047, 9241, 9399, 9526, 9627, 9707, 9770, 9820,
        9859, 9890, 9914, 9933, 9948, 9959, 9968, 9975, 9981, 9985, 9988, 9991, 9993, 9994, 9996, 9997,
    ];
    const QUARTER: i32 = WEIGHT / 4;
    let far = log_odds.unsigned_abs().min(32 * QUARTER.unsigned_abs() - 1);
    let (place, rest) = (far / QUARTER.unsigned_abs(), (far % QUARTER.unsigned_abs()).cast_signed());
    let (below, above) = (QUARTERS[place as usize], QUARTERS[place as usize + 1]);
    let ahead = below + (above - below) * rest / QUARTER;
    if log_odds < 0 { SURE - ahead } else { ahead }
}
