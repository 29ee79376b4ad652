//! The tables, compared with the rule texts.

use super::super::{
    Ecopolis,
    board::{Area, SQUARES, Square, TERRITORIES},
    cards::{ALL_ACTIONS, Action, Actions},
    catalogue,
    deck::{ALL_EVENT_CARDS, EVENT_CARDS},
    tables::{EventCard, Territory},
};
use crate::engine::{Lang, Ruleset, id::Id};

const LETTERS: [char; 8] = ['E', 'W', 'P', 'M', 'G', 'B', 'R', 'N'];

/// CO-1.1.
#[test]
fn the_ring_has_40_squares() {
    let squares: Vec<Square> = (0..SQUARES).map(Square::at).collect();
    let count = |is: fn(&Square) -> bool| squares.iter().filter(|square| is(square)).count();
    assert_eq!(count(|square| *square == Square::Co2), 8);
    assert_eq!(count(|square| matches!(square, Square::Event(_))), 8);
    assert_eq!(count(|square| matches!(square, Square::Territory(_))), TERRITORIES);
    assert_eq!(squares[23], Square::Event(Action::GreenBuilding));
    for (no, territory) in Territory::ALL.iter().enumerate() {
        let place = [1, 2, 4][no % 3];
        assert_eq!(usize::from(territory.square()), 5 * (no / 3) + place);
        assert_eq!(squares[usize::from(territory.square())], Square::Territory(*territory));
    }
    assert_eq!(Area::all().flat_map(Area::territories).collect::<Vec<_>>(), Territory::ALL);
}

/// CO-1.3 to 1.5.
#[test]
fn the_tables_are_whole() {
    let slots: Actions = Territory::ALL.iter().flat_map(|territory| territory.deed().slots).collect();
    assert!(slots == ALL_ACTIONS, "each kind has 12 slots");
    assert_eq!(ALL_ACTIONS.total(), 96);
    assert_eq!(usize::from(ALL_EVENT_CARDS.total()), EVENT_CARDS);
    for territory in Territory::ALL {
        let deed = territory.deed();
        let once: Actions = deed.slots.into_iter().collect();
        assert!(Action::ALL.iter().all(|action| once.count(*action) <= 1), "no kind twice in {}", deed.name);
        assert!(deed.rents.is_sorted() && deed.rents.iter().all(|rent| rent % 100 == 0), "{}", deed.name);
    }
}

#[test]
fn the_rule_texts_show_these_tables() {
    for lang in [Lang::En, Lang::It] {
        let text = Ecopolis::RULES.get(lang);
        let row = |begins: String, ends: String| {
            let found = text.lines().any(|line| line.starts_with(&begins) && line.ends_with(&ends));
            assert!(found, "{lang:?}: {begins} … {ends}");
        };
        for (no, territory) in Territory::ALL.iter().enumerate() {
            let deed = territory.deed();
            let slots: String = deed.slots.iter().map(|slot| LETTERS[slot.index()]).collect();
            let rents: Vec<String> = deed.rents.iter().map(u64::to_string).collect();
            let (price, cost, rents, bonus) = (deed.price, deed.co2_cost, rents.join(", "), deed.bonus);
            row(
                format!("| {} | ", deed.name),
                format!(" | {price} | {cost} | {slots} | {rents} | {bonus} |"),
            );
            row(format!("| {no} | `{}` | ", territory.id()), format!("| {} |", territory.square()));
        }
        for (no, action) in Action::ALL.iter().enumerate() {
            row(format!("| {} | ", LETTERS[no]), " |".into());
            row("| ".into(), format!(" | `{}` |", action.id()));
        }
        for event in EventCard::ALL {
            let (name, text) = catalogue::event_words(*event, lang);
            row(format!("| {name} | {} | {text}", ALL_EVENT_CARDS.count(*event)), " |".into());
            row(format!("| {name} | "), format!("`{}` |", event.id()));
        }
        let areas = Area::all().map(|area| {
            let sum = |of: fn(Territory) -> i64| area.territories().map(of).sum::<i64>();
            12 - sum(|territory| territory.deed().co2_cost) + sum(|territory| territory.deed().bonus)
        });
        for (area, worth) in catalogue::of(lang).areas.iter().zip(areas) {
            row(format!("| {} | ", area.name), format!(" | +{worth} |"));
        }
    }
}
