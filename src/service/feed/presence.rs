//! Who has a page before the eyes.

use std::collections::{HashMap, hash_map::Entry};

use crate::store::PlayerKey;

/// The pages that players look at, as the pages call themselves.
#[derive(Default)]
pub struct Presence(HashMap<PlayerKey, Vec<String>>);

impl Presence {
    pub fn come(&mut self, player: PlayerKey, page: &str) {
        self.0.entry(player).or_default().push(page.to_owned());
    }

    /// A page goes; nothing happens if it has gone before.
    pub fn go(&mut self, player: PlayerKey, page: &str) {
        if let Entry::Occupied(mut pages) = self.0.entry(player) {
            pages.get_mut().retain(|known| known != page);
            if pages.get().is_empty() {
                pages.remove();
            }
        }
    }

    pub fn has(&self, player: PlayerKey) -> bool {
        self.0.contains_key(&player)
    }
}
