//! Ranges of announced entries.

/// Consecutive entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    pub first: u64,
    pub last: u64,
}

impl Span {
    /// Merges two adjacent spans. With a gap, keeps only `other`: entries in the gap are not marked as
    /// announced, earlier ones may be announced twice.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        if other.first > self.last + 1 || self.first > other.last + 1 {
            return other;
        }
        let first = if self.first < other.first { self.first } else { other.first };
        let last = if self.last > other.last { self.last } else { other.last };
        Self { first, last }
    }

    /// Returns the parts before and after `other`.
    pub fn without(self, other: Self) -> Vec<Self> {
        let before =
            (self.first < other.first).then(|| Self { last: self.last.min(other.first - 1), ..self });
        let behind = (self.last > other.last).then(|| Self { first: self.first.max(other.last + 1), ..self });
        before.into_iter().chain(behind).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn span(first: u64, last: u64) -> Span {
        Span { first, last }
    }

    #[test]
    fn what_lies_next_to_each_other_is_one() {
        assert_eq!(span(0, 1).with(span(2, 4)), span(0, 4));
        assert_eq!(span(2, 4).with(span(0, 1)), span(0, 4));
        assert_eq!(span(0, 9).with(span(3, 4)), span(0, 9));
        assert_eq!(span(0, 1).with(span(5, 6)), span(5, 6), "what lies between was not told");
    }

    #[test]
    fn what_was_not_told_lies_before_and_behind() {
        assert_eq!(span(0, 4).without(span(2, 3)), [span(0, 1), span(4, 4)]);
        assert_eq!(span(0, 1).without(span(2, 4)), [span(0, 1)], "another server told of the rest");
        assert_eq!(span(3, 6).without(span(0, 4)), [span(5, 6)]);
        assert_eq!(span(2, 3).without(span(0, 4)), []);
    }
}
