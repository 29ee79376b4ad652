//! The game's things by name, in both languages, with what they do.

use std::collections::BTreeMap;

use super::{
    cards::{BOX, Kind},
    company::{BOTTOM_ROW, Company, FIRST_COLUMN, LAST_COLUMN, LOAN, MOST_LOANS, MOST_WASTE, TOP_ROW, Zone},
    fields::FIELDS,
};
use crate::engine::{
    Lang, Text,
    catalogue::{CardEntry, Catalogue, Named, TrackEntry, ZoneEntry, entries, options, seats, text},
    id::Id,
};

/// Name, rule, sign, colour and effect of a kind of card.
type Card = (Text, &'static str, &'static str, &'static str, Text);

/// In the order of the kinds. Colours are those of the families: trade, building, waste, people.
const CARDS: [Card; Kind::ALL.len()] = [
    (
        text("Order", "Ordine"),
        "IW-7.6",
        "O",
        "#44576a",
        text(
            "Give the raw materials that your area needs and get your column in cash, with an advisor 5 more. It needs enough co-workers, and makes waste.",
            "Restituisci le materie prime richieste dalla tua area e ricevi in denaro il numero della tua colonna, con un consigliere 5 in più. Servono abbastanza collaboratori, e produce rifiuti.",
        ),
    ),
    (
        text("Raw materials", "Materie prime"),
        "IW-7.5",
        "M",
        "#44576a",
        text(
            "Put as many raw materials up for auction as your area needs, with an advisor twice as many.",
            "Metti all'asta tante materie prime quante ne richiede la tua area, con un consigliere il doppio.",
        ),
    ),
    (
        text("Growth", "Crescita"),
        "IW-7.7",
        "G",
        "#8a6a00",
        text(
            "Your factory moves 1 column to the right, with an advisor 2.",
            "La tua fabbrica avanza di 1 colonna verso destra, con un consigliere di 2.",
        ),
    ),
    (
        text("Innovation", "Innovazione"),
        "IW-7.9",
        "I",
        "#8a6a00",
        text(
            "Move a marker 1 hole to the right, for 5; with an advisor two, for 10.",
            "Un segnalino avanza di 1 foro verso destra, per 5; con un consigliere due, per 10.",
        ),
    ),
    (
        text("Waste disposal", "Stoccaggio dei rifiuti"),
        "IW-7.10",
        "W",
        "#5f6b1e",
        text(
            "Your waste falls by 3, with an advisor by 6.",
            "I tuoi rifiuti calano di 3, con un consigliere di 6.",
        ),
    ),
    (
        text("Advisor", "Consigliere"),
        "IW-7.12",
        "A",
        "#a43e1c",
        text(
            "Improves another card that you play with it; or repays a loan for 10.",
            "Migliora un'altra carta che giochi insieme; oppure restituisce un prestito per 10.",
        ),
    ),
    (
        text("Hiring/firing", "Assunzione/licenziamento"),
        "IW-7.8",
        "H",
        "#a43e1c",
        text(
            "Your factory moves 1 row up or down, with an advisor 2.",
            "La tua fabbrica si sposta di 1 riga in alto o in basso, con un consigliere di 2.",
        ),
    ),
    (
        text("Waste removal", "Eliminazione dei rifiuti"),
        "IW-7.11",
        "R",
        "#5f6b1e",
        text(
            "Your waste falls by 1 and that of all others rises by 1, with an advisor by 2.",
            "I tuoi rifiuti calano di 1 e quelli di tutti gli altri salgono di 1, con un consigliere di 2.",
        ),
    ),
    (
        text("Bribery", "Corruzione"),
        "IW-8.2",
        "B",
        "#a43e1c",
        text(
            "Saved, it lets you pay 1 more in an accident, and your factory stays where it is.",
            "Se la conservi, in un incidente paghi 1 in più e la tua fabbrica resta dov'è.",
        ),
    ),
    (
        text("Accident", "Incidente"),
        "IW-8.1",
        "!",
        "#8c1d12",
        text(
            "Whoever has waste in the yellow pays 5 and falls back 1 column, in the red 10 and 2 columns.",
            "Chi ha i rifiuti nel giallo paga 5 e arretra di 1 colonna, nel rosso 10 e 2 colonne.",
        ),
    ),
];

/// In the order of the areas, and of the zones.
pub const AREAS: [Named; 3] = [
    ("rationalization", text("rationalization", "razionalizzazione")),
    ("raw_materials", text("raw materials", "materie prime")),
    ("waste_reduction", text("waste reduction", "riduzione dei rifiuti")),
];
pub const ZONES: [Named; 3] =
    [("green", text("green", "verde")), ("yellow", text("yellow", "giallo")), ("red", text("red", "rosso"))];
const SIGNS_OF_ZONES: [(&str, &str, Text); 3] = [
    ("\u{2713}", "#2c6b3c", text("An accident costs nothing.", "Un incidente non costa nulla.")),
    ("!", "#8a6a00", text("An accident costs 5 and 1 column.", "Un incidente costa 5 e 1 colonna.")),
    ("!!", "#a3291b", text("An accident costs 10 and 2 columns.", "Un incidente costa 10 e 2 colonne.")),
];

pub const PHASES: [Named; 6] = [
    ("choosing", text("Choice", "Scelta")),
    ("playing", text("Play", "Carte")),
    ("auction", text("Auction", "Asta")),
    ("accident", text("Accident", "Incidente")),
    ("final_accident", text("Final accident", "Incidente finale")),
    ("finished", text("Finished", "Finita")),
];

pub const COMMANDS: [Named; 16] = [
    ("take_loan", text("Take loans", "Prendi prestiti")),
    ("choose_combination", text("Take a column", "Prendi una colonna")),
    ("sell_materials", text("Sell raw materials", "Vendi materie prime")),
    ("complete_order", text("Complete an order", "Evadi un ordine")),
    ("grow", text("Grow", "Cresci")),
    ("adjust_workforce", text("Hire or fire", "Assumi o licenzia")),
    ("innovate", text("Innovate", "Innova")),
    ("dispose_waste", text("Dispose of waste", "Stocca i rifiuti")),
    ("remove_waste", text("Remove waste", "Elimina i rifiuti")),
    ("repay_loan", text("Repay a loan", "Restituisci un prestito")),
    ("discard", text("Discard a card", "Scarta una carta")),
    ("save_card", text("Save the last card", "Conserva l'ultima carta")),
    ("bid", text("Bid", "Offri")),
    ("pass_bid", text("Pass", "Passa")),
    ("bribe", text("Bribe", "Corrompi")),
    ("accept_accident", text("Accept the accident", "Accetta l'incidente")),
];

pub const EVENTS: [Named; 33] = [
    ("game_started", text("The game began", "Inizio della partita")),
    ("round_started", text("A round began", "Inizio di un round")),
    ("supply_shuffled", text("The supply was shuffled", "Mazzo mescolato")),
    ("card_dealt", text("A card was dealt", "Carta distribuita")),
    ("duplicate_discarded", text("A duplicate was discarded", "Doppione scartato")),
    ("accident_drawn", text("The accident was drawn", "Incidente pescato")),
    ("accident_settled", text("A seat settled the accident", "Incidente regolato")),
    ("accident_ended", text("The accident ended", "Fine dell'incidente")),
    ("offer_completed", text("The offer is complete", "Offerta completa")),
    ("combination_chosen", text("A column was taken", "Colonna presa")),
    ("last_column_discarded", text("The last column was discarded", "Ultima colonna scartata")),
    ("saved_card_turned_up", text("A saved card was turned up", "Carta conservata girata")),
    ("turn_began", text("A turn began", "Inizio di un turno")),
    ("loans_taken", text("Loans were taken", "Prestiti presi")),
    ("lot_offered", text("A lot was put up for auction", "Lotto all'asta")),
    ("nothing_sold", text("There was nothing to sell", "Nulla da vendere")),
    ("bid_made", text("A bid was made", "Offerta fatta")),
    ("bid_passed", text("A seat passed", "Un posto passa")),
    ("lot_sold", text("A lot was sold", "Lotto venduto")),
    ("lot_returned", text("A lot went back", "Lotto tornato nella riserva")),
    ("order_completed", text("An order was completed", "Ordine evaso")),
    ("factory_grew", text("A factory grew", "Fabbrica cresciuta")),
    ("workforce_adjusted", text("Co-workers were hired or fired", "Collaboratori assunti o licenziati")),
    ("areas_improved", text("Areas were improved", "Aree migliorate")),
    ("waste_disposed", text("Waste was disposed of", "Rifiuti stoccati")),
    ("waste_removed", text("Waste was removed", "Rifiuti eliminati")),
    ("loan_repaid", text("A loan was repaid", "Prestito restituito")),
    ("card_discarded", text("A card was discarded", "Carta scartata")),
    ("card_saved", text("A card was saved", "Carta conservata")),
    ("final_round_reached", text("The last round was reached", "Ultimo round raggiunto")),
    ("basic_costs_paid", text("Basic costs were paid", "Costi di base pagati")),
    ("accident_returned", text("The accident went back", "Incidente rimesso nel mazzo")),
    ("final_accident_began", text("The final accident began", "Inizio dell'incidente finale")),
];
/// The last kind of event, which both games have.
const FINISHED: Named = ("game_finished", text("The game ended", "Fine della partita"));

pub const OPTIONS: [(&str, Text, Text); 3] = [
    (
        "open_cash",
        text("Open cash", "Cassa scoperta"),
        text("Everybody sees everybody's cash.", "Tutti vedono la cassa di tutti."),
    ),
    (
        "max_rounds",
        text("Most rounds", "Round al massimo"),
        text(
            "The last round of the game, if no factory reached column 20 before it.",
            "L'ultimo round della partita, se nessuna fabbrica è arrivata prima alla colonna 20.",
        ),
    ),
    (
        "first_seat",
        text("First seat", "Primo posto"),
        text(
            "The seat that starts. Without one it is drawn.",
            "Il posto che comincia. Se manca, si sorteggia.",
        ),
    ),
];

pub const fn card_name(card: Kind, lang: Lang) -> &'static str {
    let (name, ..) = &CARDS[card as usize];
    match lang {
        Lang::En => name.en,
        Lang::It => name.it,
    }
}

pub fn of(lang: Lang) -> Catalogue {
    let cards = Kind::ALL.iter().zip(&CARDS).map(|(kind, (name, rule, symbol, colour, text))| CardEntry {
        id: kind.id(),
        name: name.get(lang),
        text: text.get(lang),
        count: BOX.count(*kind),
        rule,
        symbol,
        colour,
    });
    let mut event_types = entries(&EVENTS, lang);
    event_types.extend(entries(&[FINISHED], lang));
    Catalogue {
        cards: cards.collect(),
        areas: entries(&AREAS, lang),
        tracks: tracks(lang),
        zones: zones(lang),
        constants: constants(),
        fields: entries(&FIELDS, lang),
        phases: entries(&PHASES, lang),
        commands: entries(&COMMANDS, lang),
        event_types,
        options: options(&OPTIONS, lang),
        seats: seats(lang),
        ..Catalogue::default()
    }
}

fn tracks(lang: Lang) -> Vec<TrackEntry> {
    let track = |id, name: Text, first: u8, last: u8, points: Vec<i64>| TrackEntry {
        id,
        name: name.get(lang),
        first: first.into(),
        last: last.into(),
        points,
    };
    vec![
        track("growth", text("Growth", "Crescita"), FIRST_COLUMN, LAST_COLUMN, vec![]),
        track("co_workers", text("Co-workers", "Collaboratori"), BOTTOM_ROW, TOP_ROW, vec![]),
        track("waste", text("Waste", "Rifiuti"), 0, MOST_WASTE, vec![]),
        // What an area needs, from the first hole to the last.
        track("needs", text("What an area needs", "Ciò che un'area richiede"), 5, 1, vec![1, 3, 6, 10, 15]),
    ]
}

fn zones(lang: Lang) -> Vec<ZoneEntry> {
    let of_zone = |zone: &Zone| {
        let within: Vec<u8> = (0..=MOST_WASTE).filter(|waste| Zone::of(*waste) == *zone).collect();
        let ((id, name), (symbol, colour, text)) = (&ZONES[zone.index()], &SIGNS_OF_ZONES[zone.index()]);
        ZoneEntry {
            id,
            name: name.get(lang),
            track: "waste",
            first: within.first().copied().unwrap_or_default().into(),
            last: within.last().copied().unwrap_or_default().into(),
            text: text.get(lang),
            symbol,
            colour,
        }
    };
    Zone::ALL.iter().map(of_zone).collect()
}

fn constants() -> BTreeMap<&'static str, i64> {
    let start = Company::new();
    BTreeMap::from([
        ("cash_at_start", start.cash.cast_signed()),
        ("materials_at_start", start.materials.into()),
        ("materials", 50),
        ("rows_of_offer", 3),
        ("columns_beyond_seats", 1),
        ("loan", LOAN.cast_signed()),
        ("most_loans", MOST_LOANS.cast_signed()),
        ("loan_points", -10),
        ("cash_per_point", 2),
        ("innovation_price", 5),
        ("advisor_income", 5),
        ("waste_disposed", 3),
        ("fine_yellow", Zone::Yellow.fine().cast_signed()),
        ("fine_red", Zone::Red.fine().cast_signed()),
        ("setback_yellow", Zone::Yellow.setback().into()),
        ("setback_red", Zone::Red.setback().into()),
        ("bribe", 1),
    ])
}
