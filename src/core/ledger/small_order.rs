//! The points of small order on Ed25519. Signatures that begin with such a point can be forged for other
//! texts.

use std::sync::LazyLock;

use super::encoding::unhex;
use crate::engine::hash::Bytes32;

/// The encodings of the eight points.
const POINTS: [&str; 8] = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
];

static BYTES: LazyLock<[Bytes32; 8]> = LazyLock::new(|| POINTS.map(|point| unhex(point).unwrap_or_default()));

/// Returns whether a signature begins with a point of small order.
pub fn begins(signature: &[u8; 64]) -> bool {
    BYTES.iter().any(|point| signature.starts_with(point))
}

#[cfg(test)]
mod tests {
    use curve25519_dalek::constants::EIGHT_TORSION;

    use super::*;

    #[test]
    fn the_points_are_those_of_the_curve() {
        assert_eq!(*BYTES, EIGHT_TORSION.map(|point| point.compress().to_bytes()));
    }
}
