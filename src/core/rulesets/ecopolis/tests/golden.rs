//! Golden games of version 1, which every later build must play to the same bytes.

use super::super::{Ecopolis, event::EventView as E, state::WINS};
use crate::engine::{
    Status,
    golden::{Played, Wanted, check},
};

fn happened(game: &Played<Ecopolis>, is: fn(&E) -> bool) -> bool {
    game.events.iter().any(is)
}

fn eliminated(event: &E) -> bool {
    matches!(event, E::SeatEliminated { .. })
}

/// A seat reached the winning balance.
fn won(game: &Played<Ecopolis>) -> bool {
    let Status::Finished(outcome) = game.table.status() else { return false };
    outcome.0[0].balance >= WINS
}

fn plain(game: &Played<Ecopolis>, seats: u8) -> bool {
    game.seats.count() == seats && !game.options.open_hands && won(game) && !happened(game, eliminated)
}

/// Without the efficiency bonus the winner would not have won.
fn won_by_efficiency(game: &Played<Ecopolis>) -> bool {
    let Status::Finished(outcome) = game.table.status() else { return false };
    let (state, winner) = (game.table.state(), &outcome.0[0]);
    let plain: i64 = state
        .owned(winner.seat)
        .map(|(territory, holding)| i64::from(holding.done) - territory.deed().co2_cost)
        .sum();
    winner.balance >= WINS && plain < WINS
}

fn ended_by_rounds(game: &Played<Ecopolis>) -> bool {
    !won(game) && !happened(game, eliminated) && game.table.state().round == game.options.max_rounds
}

fn flooded_out(game: &Played<Ecopolis>) -> bool {
    happened(game, |event| matches!(event, E::ActionUndone { .. }))
        && happened(game, |event| matches!(event, E::EventsShuffled { .. }))
}

#[test]
fn golden_games_play_to_the_same_bytes() {
    check::<Ecopolis>(
        "rulesets/ecopolis/golden",
        &[
            Wanted { name: "two-seats", is: |game| plain(game, 2) },
            Wanted { name: "three-seats", is: |game| plain(game, 3) },
            Wanted { name: "four-seats", is: |game| plain(game, 4) },
            Wanted { name: "efficiency-bonus", is: won_by_efficiency },
            Wanted {
                name: "bankruptcy",
                is: |game| {
                    let owed = happened(game, |event| matches!(event, E::DebtIncurred { .. }));
                    owed && happened(game, eliminated) && won(game) && !won_by_efficiency(game)
                },
            },
            Wanted {
                name: "last-one-left",
                is: |game| {
                    game.seats.count() == 3
                        && happened(game, eliminated)
                        && !won(game)
                        && game.table.state().round < game.options.max_rounds
                },
            },
            Wanted {
                name: "debt-settled-by-trade",
                is: |game| happened(game, |event| matches!(event, E::DebtSettled { .. })),
            },
            Wanted {
                name: "last-round-agreed",
                is: |game| ended_by_rounds(game) && game.options.max_rounds == 7,
            },
            Wanted { name: "open-hands", is: |game| game.options.open_hands && won(game) },
            Wanted { name: "flood", is: flooded_out },
        ],
    );
}
