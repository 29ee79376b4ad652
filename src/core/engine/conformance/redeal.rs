//! Redealt states have no trace of hidden cards.

use super::{RandomGame, Specimen};
use crate::engine::{Chance, Viewer};

/// A redealt state depends on the viewer's knowledge and on `chance`, not on hidden cards.
pub fn what_is_redealt_tells_nothing_of_the_true_state<R: Specimen>() {
    for number in 0..40 {
        let _ = RandomGame::<R>::begin(number).play(|game, _, _| {
            for viewer in Viewer::all(game.table.seats()) {
                let (one, another) = (game.dice.seed(), game.dice.seed());
                let other = R::redeal(game.table.state(), viewer, &mut Chance::seeded(one));
                let again = |state| R::redeal(state, viewer, &mut Chance::seeded(another.clone()));
                assert!(again(game.table.state()) == again(&other), "game {number}");
            }
        });
    }
}
