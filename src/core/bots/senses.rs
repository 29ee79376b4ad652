//! Inputs of the network: a row of small numbers.

/// The value 1.
pub const ONE: i16 = 64;

/// Numbers between -2 and 2, in steps of 1/64.
#[derive(Default)]
pub struct Senses(Vec<i16>);

impl Senses {
    pub fn flag(&mut self, is_so: bool) {
        self.0.push(if is_so { ONE } else { 0 });
    }

    /// Adds a quantity as a fraction of a large one.
    pub fn part(&mut self, of: i64, quantity: i64) {
        let scaled = quantity.saturating_mul(ONE.into()) / of;
        self.0.push(i16::try_from(scaled.clamp(-128, 128)).unwrap_or_default());
    }

    /// Adds a quantity as the number of reached steps.
    pub fn steps(&mut self, steps: &[i64], quantity: i64) {
        for step in steps {
            self.flag(quantity >= *step);
        }
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn row(&self) -> &[i16] {
        &self.0
    }
}
