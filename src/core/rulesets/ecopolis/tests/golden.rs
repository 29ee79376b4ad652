//! Golden games of version 2, which every later build must play to the same bytes.

use super::super::{Ecopolis, event::EventView as E, options::Length};
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
    outcome.0[0].balance >= game.options.winning_balance()
}

fn plain(game: &Played<Ecopolis>, seats: u8) -> bool {
    game.seats.count() == seats && !game.options.open_hands && won(game) && !happened(game, eliminated)
}

fn ended_by_rounds(game: &Played<Ecopolis>) -> bool {
    !won(game) && !happened(game, eliminated) && game.table.state().round == game.options.rounds()
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
            Wanted {
                name: "bankruptcy",
                is: |game| {
                    let owed = happened(game, |event| matches!(event, E::DebtIncurred { .. }));
                    owed && happened(game, eliminated) && won(game)
                },
            },
            Wanted {
                name: "last-one-left",
                is: |game| {
                    game.seats.count() == 3
                        && happened(game, eliminated)
                        && !won(game)
                        && game.table.state().round < game.options.rounds()
                },
            },
            Wanted {
                name: "debt-settled-by-trade",
                is: |game| happened(game, |event| matches!(event, E::DebtSettled { .. })),
            },
            Wanted {
                name: "last-round-agreed",
                is: |game| ended_by_rounds(game) && game.options.max_rounds == Some(7),
            },
            Wanted { name: "open-hands", is: |game| game.options.open_hands && won(game) },
            Wanted { name: "flood", is: flooded_out },
            Wanted {
                name: "long",
                is: |game| {
                    game.options.length == Length::Long
                        && happened(game, |event| matches!(event, E::TerritoryFinished { .. }))
                },
            },
            Wanted {
                name: "new-start",
                is: |game| {
                    happened(game, |event| matches!(event, E::SeatRestarted { .. }))
                        && game.options.even_start
                },
            },
            Wanted {
                name: "counter-offer-accepted",
                is: |game| {
                    happened(game, |event| matches!(event, E::TradeAccepted { trade } if trade.counter))
                        && happened(game, |event| matches!(event, E::ActionsExchanged { passing: true, .. }))
                },
            },
            Wanted {
                name: "paid-in-kind",
                is: |game| {
                    happened(game, |event| matches!(event, E::Paid { euros: 100.., credits: 1.., .. }))
                        && happened(game, |event| matches!(event, E::TerritoryReturned { .. }))
                },
            },
        ],
    );
}
