//! Properties of the bots of every game.

use super::{RandomGame, Specimen};
use crate::{
    bots::{Level, Net, Playable, Senses, Thought},
    engine::{Chance, Seat, Status, Table, Viewer},
};

/// Few simulated games: the strength of bots is not tested here.
const PART: u32 = 25;

fn decided<R: Specimen + Playable>(
    table: &Table<R>,
    seat: Seat,
    seed: u64,
    level: Level,
) -> Option<R::Command> {
    Thought::of(table, seat, seed).decide(R::style(level).with_part(PART))
}

/// A bot decides alike in two states that its seat cannot tell apart.
pub fn machines_decide_alike_in_states_that_their_seat_cannot_tell_apart<R: Specimen + Playable>() {
    for number in 0..4 {
        let mut step = 0;
        let _ = RandomGame::<R>::begin(number).play(|game, _, _| {
            step += 1;
            let Status::ToAct(seat) = game.table.status() else { return };
            if step % 7 != 0 {
                return;
            }
            let twin = game.table.redealt(Viewer::Seat(seat), Chance::seeded(game.dice.seed()));
            for level in Level::ALL {
                let [one, other] = [&game.table, &twin].map(|table| decided::<R>(table, seat, step, *level));
                assert_eq!(one, other, "game {number}, {level:?}");
            }
        });
    }
}

/// Candidates are legal, a seat that must act has at least one, and the network gets its number of inputs.
pub fn machines_think_of_legal_commands_only<R: Specimen + Playable>() {
    // A game may do without a net, or have none yet.
    let length = R::net().map(Net::inputs);
    for number in 0..200 {
        let _ = RandomGame::<R>::begin(number).play(|game, _, _| {
            let Status::ToAct(to_act) = game.table.status() else { return };
            for seat in game.table.seats().iter() {
                let candidates = R::candidates(game.table.state(), seat);
                assert!(!candidates.is_empty() || seat != to_act, "game {number}");
                for command in candidates {
                    assert_eq!(game.table.check(seat, &command), Ok(()), "game {number}: {command:?}");
                }
                for other in game.table.seats().iter().filter(|other| *other != seat) {
                    let mut senses = Senses::default();
                    R::sense(game.table.state(), seat, other, &mut senses);
                    assert!(length.is_none_or(|length| senses.row().len() == length));
                }
            }
        });
    }
}

/// Machines of all levels come to the end of a game, and two thoughts of other seeds are not always the same.
pub fn machines_reach_the_end<R: Specimen + Playable>() {
    let mut differ = 0;
    for number in 0..4 {
        let mut table = RandomGame::<R>::begin(number).table;
        let mut commands = 0;
        while let Status::ToAct(seat) = table.status() {
            let level = Level::ALL[usize::from(seat.number())];
            let command = decided::<R>(&table, seat, commands, level).unwrap();
            differ += usize::from(decided::<R>(&table, seat, !commands, level).as_ref() != Some(&command));
            table.submit(seat, &command).unwrap();
            commands += 1;
            assert!(commands <= R::MOST_COMMANDS as u64, "the game does not end");
        }
    }
    assert!(differ > 0, "thoughts with other seeds");
}
