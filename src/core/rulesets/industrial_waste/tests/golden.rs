//! Golden games of version 1, which every later build must play to the same bytes.

use super::super::{IndustrialWaste, event::EventView as E};
use crate::engine::{
    Status,
    golden::{Played, Wanted, check},
};

fn bribed(game: &Played<IndustrialWaste>) -> bool {
    let final_accident = game.events.iter().position(|event| *event == E::FinalAccidentBegan {});
    let bribe = game.events.iter().position(|event| matches!(event, E::AccidentSettled { bribed: true, .. }));
    bribe.is_some() && bribe < final_accident
}

fn finally_bribed(game: &Played<IndustrialWaste>) -> bool {
    let after = game.events.iter().skip_while(|event| **event != E::FinalAccidentBegan {});
    after.into_iter().any(|event| matches!(event, E::AccidentSettled { bribed: true, .. }))
}

fn tied(game: &Played<IndustrialWaste>) -> bool {
    let Status::Finished(outcome) = game.table.status() else { return false };
    outcome.0.windows(2).any(|pair| pair[0].score == pair[1].score)
}

fn grown(game: &Played<IndustrialWaste>) -> bool {
    game.events.iter().any(|event| matches!(event, E::FinalRoundReached { .. }))
}

fn plain(game: &Played<IndustrialWaste>, seats: u8) -> bool {
    game.seats.count() == seats && !game.options.open_cash && grown(game) && !bribed(game) && !tied(game)
}

#[test]
fn golden_games_play_to_the_same_bytes() {
    check::<IndustrialWaste>(
        "rulesets/industrial_waste/golden",
        &[
            Wanted { name: "two-seats", is: |game| plain(game, 2) },
            Wanted { name: "three-seats", is: |game| plain(game, 3) },
            Wanted { name: "four-seats", is: |game| plain(game, 4) },
            Wanted { name: "accident-and-bribery", is: |game| bribed(game) && !game.options.open_cash },
            Wanted {
                name: "last-round-agreed",
                is: |game| game.options.max_rounds == 3 && !grown(game) && game.options.first_seat.is_some(),
            },
            Wanted { name: "tie", is: tied },
            Wanted { name: "final-bribe", is: finally_bribed },
            Wanted { name: "open-cash", is: |game| game.options.open_cash && grown(game) },
        ],
    );
}
