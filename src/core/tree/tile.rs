//! Tiles: up to 256 hashes of one level of the tree (C2SP `tlog-tiles`).

/// Hashes of a full tile.
pub const WIDTH: u64 = 256;
/// Levels of tiles in the largest tree.
const MOST_LEVELS: u32 = 8;

/// Consecutive hashes, each over 256 to the power of `level` leaves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Tile {
    pub level: u32,
    pub place: u64,
    /// From 1 to [`WIDTH`].
    pub width: u64,
}

/// A resource of the tree, by its path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TileRequest {
    Hashes(Tile),
    /// The leaves; the tile of level 0 has their hashes.
    Entries(Tile),
}

impl Tile {
    /// Returns the tile with the hash at this index of a level, in a tree of this size.
    pub fn holding(level: u32, hash: u64, size: u64) -> Option<Self> {
        let count = hashes(level, size);
        let place = hash / WIDTH;
        (hash < count).then(|| Self { level, place, width: WIDTH.min(count - place * WIDTH) })
    }

    /// Returns the index of its first hash on the level.
    pub const fn first(self) -> u64 {
        self.place * WIDTH
    }

    pub const fn is_full(self) -> bool {
        self.width == WIDTH
    }

    /// Returns whether a tree of this size has the tile.
    pub fn is_in(self, size: u64) -> bool {
        let end = self.place.checked_mul(WIDTH).and_then(|first| first.checked_add(self.width));
        end.is_some_and(|end| end <= hashes(self.level, size))
    }

    fn suffix(self) -> String {
        let mut rest = self.place / 1_000;
        let mut path = format!("{:03}", self.place % 1_000);
        while rest > 0 {
            path = format!("x{:03}/{path}", rest % 1_000);
            rest /= 1_000;
        }
        if self.is_full() { path } else { format!("{path}.p/{}", self.width) }
    }
}

impl TileRequest {
    /// Returns its path below that of the tree.
    pub fn path(self) -> String {
        match self {
            Self::Hashes(tile) => format!("tile/{}/{}", tile.level, tile.suffix()),
            Self::Entries(tile) => format!("tile/entries/{}", tile.suffix()),
        }
    }

    /// Parses a path below `tile/`. Each tile has one path.
    pub fn read(path: &str) -> Option<Self> {
        let (level, rest) = path.split_once('/')?;
        let (groups, width) = match rest.split_once(".p/") {
            None => (rest, WIDTH),
            Some((groups, width)) => (groups, width.parse().ok()?),
        };
        let mut place = 0_u64;
        for group in groups.split('/') {
            let digits = group.strip_prefix('x').unwrap_or(group);
            let number: u64 = digits.parse().ok().filter(|_| digits.len() == 3)?;
            place = place.checked_mul(1_000)?.checked_add(number)?;
        }
        let is_entries = level == "entries";
        let tile = Tile { level: if is_entries { 0 } else { level.parse().ok()? }, place, width };
        let asked = if is_entries { Self::Entries(tile) } else { Self::Hashes(tile) };
        let is_plain = (1..=WIDTH).contains(&width) && asked.path().strip_prefix("tile/") == Some(path);
        is_plain.then_some(asked)
    }
}

/// Returns the number of hashes on a level.
const fn hashes(level: u32, size: u64) -> u64 {
    if level < MOST_LEVELS { size >> (8 * level) } else { 0 }
}

/// Returns the leaves of a tile as they are served, each after its length.
pub fn entries(leaves: &[[u8; 32]]) -> Vec<u8> {
    leaves.iter().flat_map(|leaf| [0, 32].into_iter().chain(*leaf)).collect()
}

/// Parses the served leaves of a tile.
pub fn read_entries(bytes: &[u8]) -> Option<Vec<[u8; 32]>> {
    bytes.chunks(34).map(|entry| entry.strip_prefix(&[0, 32])?.try_into().ok()).collect()
}

/// Parses the served hashes of a tile.
pub fn read_hashes(bytes: &[u8]) -> Option<Vec<[u8; 32]>> {
    bytes.chunks(32).map(|hash| hash.try_into().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_tlog_tiles() {
        for (path, level, place, width) in [
            ("0/000", 0, 0, 256),
            ("1/067.p/8", 1, 67, 8),
            ("0/x001/x234/067", 0, 1_234_067, 256),
            ("2/x001/x234/067.p/255", 2, 1_234_067, 255),
            ("63/x999/999", 63, 999_999, 256),
        ] {
            let tile = Tile { level, place, width };
            assert_eq!(TileRequest::read(path), Some(TileRequest::Hashes(tile)));
            assert_eq!(TileRequest::Hashes(tile).path(), format!("tile/{path}"));
        }
        let entries = Tile { level: 0, place: 1_000, width: 3 };
        assert_eq!(TileRequest::read("entries/x001/000.p/3"), Some(TileRequest::Entries(entries)));
        for wrong in [
            "",
            "0",
            "0/",
            "0/0",
            "0/0000",
            "0/x000/001",
            "0/001/002",
            "0/x001/x002",
            "00/000",
            "-1/000",
            "0/000.p/256",
            "0/000.p/0",
            "0/000.p/01",
            "0/000.p/",
            "0/000.p",
            "entries/000/",
            "+1/000",
            "0/+01",
            "0/x999/x999/x999/x999/x999/x999/x999/999",
            "x/000",
        ] {
            assert_eq!(TileRequest::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_tree_has_the_tiles_that_its_size_says() {
        let tile = |level, place, width| Tile { level, place, width };
        assert!(tile(0, 0, 256).is_in(256) && !tile(0, 0, 256).is_in(255));
        assert!(tile(0, 1, 1).is_in(257) && tile(1, 0, 1).is_in(256) && !tile(1, 0, 1).is_in(255));
        assert!(!tile(8, 0, 1).is_in(u64::MAX) && !tile(0, u64::MAX, 256).is_in(u64::MAX));
        assert_eq!(Tile::holding(0, 300, 400), Some(tile(0, 1, 144)));
        assert_eq!(Tile::holding(0, 400, 400), None);
    }
}
