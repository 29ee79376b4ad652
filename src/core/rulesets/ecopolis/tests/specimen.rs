//! Additions of this game for the suite of all rulesets.

use serde_json::{Value, json};

use super::super::{
    Ecopolis,
    cards::{ALL_ACTIONS, Action, HAND},
    command::Command,
    deck::ALL_EVENT_CARDS,
    phase::Phase,
    rows::SLOTS,
    state::{State, WORST},
    tables::Territory,
    trade::Side,
};
use crate::engine::{
    Seat, Seats,
    conformance::{Specimen, TestDice},
    id::Id,
};

impl Specimen for Ecopolis {
    const MOST_COMMANDS: usize = 10_000;

    fn some_options(dice: &mut TestDice, seats: Seats) -> Value {
        let first = dice.below(u64::from(seats.count()) + 1);
        let first_seat = seats.seat(first).map_or(Value::Null, |seat| json!(seat));
        json!({
            "length": dice.pick(&["short", "normal", "long"]),
            "max_rounds": if dice.often() { json!(1 + dice.below(30)) } else { Value::Null },
            "elimination": dice.often(),
            "even_start": dice.seldom(),
            "open_hands": dice.seldom(),
            "first_seat": first_seat,
        })
    }

    fn some_command(dice: &mut TestDice) -> Value {
        match dice.below(17) {
            0 => json!({"type": "roll"}),
            1 => json!({"type": "buy_territory"}),
            2 | 3 => json!({"type": "implement_action", "territory": dice.pick(Territory::ALL)}),
            4 => json!({"type": "exchange_actions", "actions": some(dice, 4, Action::ALL)}),
            5 => json!({"type": "end_turn"}),
            6 => json!({"type": "buy_credits", "count": dice.number()}),
            7 => json!({"type": "accept_trade"}),
            8 => json!({"type": "reject_trade"}),
            9 => json!({"type": "withdraw_trade"}),
            10 => json!({"type": "declare_bankruptcy"}),
            11 => json!({"type": "pay_in_credits"}),
            12 => json!({"type": "return_territory", "territory": dice.pick(Territory::ALL)}),
            13 => json!({"type": "counter_trade", "give": some_side(dice), "take": some_side(dice)}),
            _ => json!({
                "type": "propose_trade",
                "to": dice.number(),
                "give": some_side(dice),
                "take": some_side(dice),
                "settles_debt": dice.seldom(),
            }),
        }
    }

    /// Returns an offer of existing goods, sometimes in settlement of a debt.
    fn some_free_form(dice: &mut TestDice, state: &State, seat: Seat) -> Option<Command> {
        let others: Vec<Seat> = state.still_in(seat).filter(|other| *other != seat).collect();
        let to = state.phase.offer().map_or_else(|| *dice.pick(&others), |offer| offer.from);
        let cards = usize::try_from(dice.below(3)).unwrap();
        let mut side = |from: Seat| {
            let (player, owned) = (&state.players[from], state.owned(from));
            let owned: Vec<Territory> = owned.map(|(territory, _)| territory).collect();
            let take = usize::try_from(dice.below(2)).unwrap().min(owned.len());
            let first = usize::try_from(dice.below(1 + owned.len() as u64 - take as u64)).unwrap();
            Side {
                territories: owned[first..first + take].to_vec(),
                euros: dice.below(player.euros / 100 + 1) * 100,
                credits: dice.below(player.credits + 1),
                actions: player.hand.sorted().take(cards).collect(),
            }
        };
        let (give, take) = (side(seat), side(to));
        if state.phase.offer().is_some() {
            return Some(Command::CounterTrade { give: give.into(), take: take.into() });
        }
        let settles_debt = state.phase.debt().is_some_and(|owed| owed.creditor() == Some(to));
        Some(Command::ProposeTrade {
            to: to.number().into(),
            give: give.into(),
            take: take.into(),
            settles_debt,
        })
    }

    fn assert_conserved(state: &State) {
        let mut cards = state.bag;
        for (_, player) in state.players.iter() {
            cards.extend(player.hand.sorted());
        }
        for (territory, done) in Territory::ALL.iter().map(|territory| (territory, state.done(*territory))) {
            let on_slots = if done < SLOTS { done } else { 0 };
            cards.extend(territory.deed().slots.into_iter().take(on_slots.into()));
        }
        assert!(cards == ALL_ACTIONS, "the 96 action cards");

        let mut events = state.event_discards;
        events.extend(state.event_deck.iter().copied());
        assert!(events == ALL_EVENT_CARDS, "the 18 event cards");

        let finished = matches!(state.phase, Phase::Finished(_));
        for (seat, player) in state.players.iter() {
            let out = player.eliminated.is_some();
            assert!(player.square < 40, "square");
            assert!(player.euros.is_multiple_of(100) && player.euros < 10_000_000, "euros never wrap");
            assert!(player.credits < 100_000, "credits never wrap");
            assert!(player.hand.total() <= HAND, "hand");
            assert!(finished || out || state.bag.is_empty() || state.lacks(seat) == 0, "the bag fills hands");
            assert!((WORST + 1..state.wins()).contains(&state.balance(seat)) || finished, "balance");
            let nothing = (player.euros, player.credits, player.hand.total(), state.owned(seat).count());
            assert!(!out || nothing == (0, 0, 0, 0), "who is out has nothing");
        }
    }
}

fn some_side(dice: &mut TestDice) -> Value {
    if dice.seldom() {
        return json!({});
    }
    let euros = if dice.often() { json!(dice.below(20) * 100) } else { dice.number() };
    json!({
        "territories": some(dice, 3, Territory::ALL),
        "euros": euros,
        "credits": dice.number(),
        "actions": some(dice, 2, Action::ALL),
    })
}

fn some<T: Copy>(dice: &mut TestDice, most: u64, from: &[T]) -> Vec<T> {
    (0..dice.below(most)).map(|_| *dice.pick(from)).collect()
}
