//! Which pages players look at, here or at another server.

use std::collections::{HashMap, hash_map::Entry};

use crate::store::PlayerKey;

/// Rounds after which a server repeats its pages, and after which an unrepeated page is forgotten.
const SAY: u64 = 5;
const BELIEVE: u64 = 15;

/// Visible pages of players, by the pages' own names.
#[derive(Default)]
pub struct Presence {
    here: HashMap<PlayerKey, Vec<String>>,
    /// Pages at other servers, with the round of their last message.
    elsewhere: HashMap<PlayerKey, HashMap<String, u64>>,
    round: u64,
}

impl Presence {
    pub fn come(&mut self, player: PlayerKey, page: &str) {
        self.here.entry(player).or_default().push(page.to_owned());
    }

    pub fn come_elsewhere(&mut self, player: PlayerKey, page: &str) {
        self.elsewhere.entry(player).or_default().insert(page.to_owned(), self.round);
    }

    /// Removes a page, if it is there.
    pub fn go(&mut self, player: PlayerKey, page: &str) {
        if let Entry::Occupied(mut pages) = self.here.entry(player) {
            pages.get_mut().retain(|known| known != page);
            if pages.get().is_empty() {
                pages.remove();
            }
        }
        if let Entry::Occupied(mut pages) = self.elsewhere.entry(player) {
            pages.get_mut().remove(page);
            if pages.get().is_empty() {
                pages.remove();
            }
        }
    }

    pub fn has(&self, player: PlayerKey) -> bool {
        self.here.contains_key(&player) || self.elsewhere.contains_key(&player)
    }

    /// Starts a round: forgets the pages of silent servers, and returns the pages here if they must be
    /// repeated.
    pub fn next_round(&mut self) -> Vec<(PlayerKey, String)> {
        self.round += 1;
        let round = self.round;
        self.elsewhere.retain(|_, pages| {
            pages.retain(|_, heard| *heard + BELIEVE > round);
            !pages.is_empty()
        });
        if !round.is_multiple_of(SAY) {
            return Vec::new();
        }
        let pages = self.here.iter();
        pages.flat_map(|(player, pages)| pages.iter().map(|page| (*player, page.clone()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_server_does_not_repeat_is_forgotten() {
        let (mut presence, player): (Presence, PlayerKey) =
            (Presence::default(), serde_json::from_str("7").unwrap());
        presence.come_elsewhere(player, "a");
        for _ in 1..BELIEVE {
            presence.next_round();
        }
        assert!(presence.has(player));
        presence.next_round();
        assert!(!presence.has(player));
        presence.come(player, "b");
        let said: Vec<_> = (0..SAY).map(|_| presence.next_round().len()).collect();
        assert_eq!(said.iter().sum::<usize>(), 1);
    }
}
