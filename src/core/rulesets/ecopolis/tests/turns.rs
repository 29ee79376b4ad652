//! The autopilot and the list of legal commands (section 14).

use super::{
    super::{Ecopolis, cards::Action, command::Command, debt::Owed, state::Exchange, tables::Territory::*},
    given::{Given, seat},
};
use crate::engine::{Ruleset as _, cases::Given as _};

fn rent(amount: u64) -> Given {
    Given::owing(3, 2, Owed::Euros { amount, to: Some(seat(1)) })
}

#[test]
fn the_autopilot_pays_with_money_then_with_land() {
    let decided = |given: Given| Ecopolis::autopilot(&given.state(), seat(0));
    let back = |territory| Some(Command::ReturnTerritory { territory });
    assert_eq!(decided(rent(400).money(0, 300, 1)), Some(Command::PayInCredits {}));
    let bill = |euros, credits| Given::owing(2, 0, Owed::Credits(6)).money(0, euros, credits);
    assert_eq!(decided(bill(200, 4)), Some(Command::BuyCredits { count: 2 }));
    // Example 6: Zocca has fewer actions.
    let poor = || rent(700).money(0, 0, 2).owns(0, 0, &[Zocca]).owns(0, 1, &[Soliera]);
    assert_eq!(decided(poor()), back(Zocca));
    // The highest cost of equals, then the lowest number.
    assert_eq!(decided(rent(700).money(0, 0, 0).owns(0, 0, &[Zocca, Carpi, ModenaCentro])), back(Carpi));
    assert_eq!(decided(rent(700).money(0, 100, 0).owns(0, 0, &[Zocca])), Some(Command::DeclareBankruptcy {}));
}

/// Returns the types of the listed commands and the free forms, in order.
fn listed(given: Given, number: u64) -> Vec<String> {
    let legal = Ecopolis::legal(&given.state(), seat(number));
    let kind =
        |command: &Command| serde_json::to_value(command).unwrap()["type"].as_str().unwrap().to_owned();
    let mut kinds: Vec<String> = legal.free_form.iter().map(|kind| (*kind).to_owned()).collect();
    kinds.extend(legal.commands.iter().map(|legal| kind(&legal.command)));
    kinds.dedup();
    kinds
}

#[test]
fn legal_commands_are_listed_in_the_order_of_the_rules() {
    assert_eq!(listed(Given::rolling(2), 0), ["propose_trade", "roll"]);
    assert!(listed(Given::rolling(2), 1).is_empty());
    let land = Given::passing(2, 9).owns(0, 0, &[Guiglia]);
    let all = ["propose_trade", "buy_territory", "exchange_actions", "implement_action", "end_turn"];
    assert_eq!(listed(land, 0), all);
    let poor = || rent(700).money(0, 0, 2);
    assert_eq!(listed(poor().owns(0, 0, &[Zocca, Soliera]), 0), ["propose_trade", "return_territory"]);
    assert_eq!(listed(poor(), 0), ["propose_trade", "declare_bankruptcy"]);
    assert_eq!(listed(rent(700).money(0, 600, 2), 0), ["propose_trade", "pay_in_credits"]);
    let bill = Given::owing(2, 0, Owed::Credits(6)).money(0, 100, 4).owns(0, 0, &[Zocca]);
    assert_eq!(listed(bill, 0), ["propose_trade", "buy_credits", "return_territory"]);
}

/// Example 7.
#[test]
fn the_view_tells_which_exchange_is_next() {
    use super::super::board::Square;
    let passes = |from, sum| Square::passes_co2(from, sum);
    assert_eq!([passes(3, 9), passes(3, 7), passes(3, 2), passes(38, 4)], [true, true, false, true]);
    let next = |given: Given| {
        let view = Ecopolis::view(&given.state(), crate::engine::Viewer::Spectator);
        view.turn.exchange
    };
    assert_eq!(next(Given::rolling(2)), None);
    assert_eq!(next(Given::passing(2, 10)), Some(Exchange::Passing));
    assert_eq!(next(Given::standing(2, 10)), Some(Exchange::Square));
    assert_eq!(next(Given::standing(2, 1)), None);
    assert_eq!(
        next(Given::standing(2, 10).with(|state| state.bag = [Action::Biodiversity].into_iter().collect())),
        Some(Exchange::Square)
    );
}
