//! Names and effects of all components, in both languages.

use std::collections::BTreeMap;

use super::{
    cards::{BOX, Kind},
    company::{BOTTOM_ROW, Company, FIRST_COLUMN, LAST_COLUMN, LOAN, MOST_LOANS, MOST_WASTE, TOP_ROW, Zone},
    fields::FIELDS,
};
use crate::engine::{
    Lang, Text,
    catalogue::{
        CardEntry, Catalogue, FIRST_SEAT, Named, NamedOption, OptionValue, TrackEntry, ZoneEntry, entries,
        event_types, options, seats, text,
    },
    id::Id,
};

/// Name, rule, sign, colour and effect of a kind of card.
type Card = (Text, &'static str, &'static str, &'static str, Text);

/// In the order of the kinds. Colours by family: trade, building, waste, people.
const CARDS: [Card; Kind::ALL.len()] = [
    (
        text("Order", "Ordine"),
        "IW-7.6",
        "O",
        "#44576a",
        text(
            "Give back the raw materials that your area shows and earn as many million as your column shows, 5 more with an advisor. Needs enough co-workers and makes waste.",
            "Consegna le materie prime indicate nella tua area e incassa tanti milioni quanto il numero della colonna della tua fabbrica, 5 in più con un consigliere. Servono abbastanza collaboratori, e si producono rifiuti.",
        ),
    ),
    (
        text("Raw materials", "Materie prime"),
        "IW-7.5",
        "M",
        "#44576a",
        text(
            "Take as many raw materials as your area shows, twice as many with an advisor, and auction them.",
            "Prendi dalla riserva le materie prime indicate nella tua area, il doppio con un consigliere, e mettile all'asta.",
        ),
    ),
    (
        text("Growth", "Crescita"),
        "IW-7.7",
        "G",
        "#8a6a00",
        text(
            "Move your factory 1 column to the right, 2 with an advisor.",
            "La tua fabbrica avanza di 1 colonna verso destra, 2 con un consigliere.",
        ),
    ),
    (
        text("Innovation", "Innovazione"),
        "IW-7.9",
        "I",
        "#8a6a00",
        text(
            "Pay 5 to move one marker 1 hole to the right; with an advisor, pay 10 for two.",
            "Paga 5 per spostare un segnalino di 1 foro verso destra; con un consigliere, 10 per due.",
        ),
    ),
    (
        text("Waste disposal", "Smaltimento dei rifiuti"),
        "IW-7.10",
        "W",
        "#5f6b1e",
        text(
            "Your waste drops by 3, by 6 with an advisor.",
            "I tuoi rifiuti calano di 3, di 6 con un consigliere.",
        ),
    ),
    (
        text("Advisor", "Consigliere"),
        "IW-7.12",
        "A",
        "#a43e1c",
        text(
            "Improves a card that you play with it, or repays a loan for 10.",
            "Migliora una carta giocata insieme, oppure estingue un prestito per 10.",
        ),
    ),
    (
        text("Hiring/firing", "Assunzione/licenziamento"),
        "IW-7.8",
        "H",
        "#a43e1c",
        text(
            "Move your factory 1 row up or down, 2 with an advisor.",
            "La tua fabbrica si sposta di 1 riga in alto o in basso, 2 con un consigliere.",
        ),
    ),
    (
        text("Waste removal", "Eliminazione dei rifiuti"),
        "IW-7.11",
        "R",
        "#5f6b1e",
        text(
            "Your waste drops by 1 and that of all others rises by 1; 2 with an advisor.",
            "I tuoi rifiuti calano di 1 e quelli di tutti gli altri salgono di 1; 2 con un consigliere.",
        ),
    ),
    (
        text("Bribery", "Tangente"),
        "IW-8.2",
        "B",
        "#a43e1c",
        text(
            "Save it for an accident: pay 1 more, and your factory does not move back.",
            "Conservala per un incidente: paghi 1 in più e la tua fabbrica non arretra.",
        ),
    ),
    (
        text("Accident", "Incidente"),
        "IW-8.1",
        "!",
        "#8c1d12",
        text(
            "Yellow waste: pay 5 and move back 1 column. Red waste: pay 10 and move back 2 columns.",
            "In zona gialla paghi 5 e arretri di 1 colonna. In zona rossa paghi 10 e arretri di 2 colonne.",
        ),
    ),
];

/// In the order of the areas, and of the zones.
pub const AREAS: [Named; 3] = [
    ("rationalization", text("rationalization", "razionalizzazione")),
    ("raw_materials", text("raw materials", "materie prime")),
    ("waste_reduction", text("waste reduction", "riduzione dei rifiuti")),
];
pub const ZONES: [Named; 3] = [
    ("green", text("green", "zona verde")),
    ("yellow", text("yellow", "zona gialla")),
    ("red", text("red", "zona rossa")),
];
const SIGNS_OF_ZONES: [(&str, &str, Text); 3] = [
    ("\u{2713}", "#2c6b3c", text("An accident costs nothing.", "Un incidente non costa nulla.")),
    (
        "!",
        "#8a6a00",
        text("An accident costs 5 million and 1 column.", "Un incidente costa 5 milioni e 1 colonna."),
    ),
    (
        "!!",
        "#a3291b",
        text("An accident costs 10 million and 2 columns.", "Un incidente costa 10 milioni e 2 colonne."),
    ),
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
    ("choose_combination", text("Take a column", "Prendi un gruppo")),
    ("sell_materials", text("Sell raw materials", "Vendi materie prime")),
    ("complete_order", text("Complete an order", "Evadi un ordine")),
    ("grow", text("Grow", "Cresci")),
    ("adjust_workforce", text("Hire or fire", "Assumi o licenzia")),
    ("innovate", text("Innovate", "Innova")),
    ("dispose_waste", text("Dispose of waste", "Smaltisci i rifiuti")),
    ("remove_waste", text("Remove waste", "Elimina i rifiuti")),
    ("repay_loan", text("Repay a loan", "Estingui un prestito")),
    ("discard", text("Discard a card", "Scarta una carta")),
    ("save_card", text("Save the last card", "Conserva l'ultima carta")),
    ("bid", text("Bid", "Offri")),
    ("pass_bid", text("Pass", "Passa")),
    ("bribe", text("Bribe", "Paga una tangente")),
    ("accept_accident", text("Accept the accident", "Accetta l'incidente")),
];

pub const EVENTS: [Named; 33] = [
    ("game_started", text("The game began", "Inizio della partita")),
    ("round_started", text("A round began", "Inizio di un round")),
    ("supply_shuffled", text("The supply was shuffled", "Mazzo mescolato")),
    ("card_dealt", text("A card was dealt", "Carta distribuita")),
    ("duplicate_discarded", text("A duplicate was discarded", "Doppione scartato")),
    ("accident_drawn", text("The accident was drawn", "Incidente pescato")),
    ("accident_settled", text("A player settled the accident", "Incidente risolto")),
    ("accident_ended", text("The accident ended", "Fine dell'incidente")),
    ("offer_completed", text("The offer is complete", "Offerta completa")),
    ("combination_chosen", text("A column was taken", "Gruppo preso")),
    ("last_column_discarded", text("The last column was discarded", "Ultimo gruppo scartato")),
    ("saved_card_turned_up", text("A saved card was turned up", "Carta conservata scoperta")),
    ("turn_began", text("A turn began", "Inizio di un turno")),
    ("loans_taken", text("Loans were taken", "Prestiti presi")),
    ("lot_offered", text("A lot was put up for auction", "Lotto all'asta")),
    ("nothing_sold", text("There was nothing to sell", "Nulla da vendere")),
    ("bid_made", text("A bid was made", "Offerta fatta")),
    ("bid_passed", text("A player passed", "Un giocatore passa")),
    ("lot_sold", text("A lot was sold", "Lotto venduto")),
    ("lot_returned", text("A lot was returned", "Lotto tornato nella riserva")),
    ("order_completed", text("An order was completed", "Ordine evaso")),
    ("factory_grew", text("A factory grew", "Fabbrica cresciuta")),
    ("workforce_adjusted", text("Co-workers were hired or fired", "Collaboratori assunti o licenziati")),
    ("areas_improved", text("Areas were improved", "Aree migliorate")),
    ("waste_disposed", text("Waste was disposed of", "Rifiuti smaltiti")),
    ("waste_removed", text("Waste was removed", "Rifiuti eliminati")),
    ("loan_repaid", text("A loan was repaid", "Prestito estinto")),
    ("card_discarded", text("A card was discarded", "Carta scartata")),
    ("card_saved", text("A card was saved", "Carta conservata")),
    ("final_round_reached", text("The last round was reached", "Ultimo round raggiunto")),
    ("basic_costs_paid", text("Basic costs were paid", "Costi di base pagati")),
    ("accident_returned", text("The accident went back", "Incidente rimesso nel mazzo")),
    ("final_accident_began", text("The final accident began", "Inizio dell'incidente finale")),
];

pub const OPTIONS: [NamedOption; 3] = [
    NamedOption {
        id: "max_rounds",
        title: text("Length", "Durata"),
        text: text(
            "The game ends after this round at the latest.",
            "La partita finisce comunque dopo questo round.",
        ),
        values: &[
            (
                OptionValue::Number(6),
                text("Short", "Breve"),
                text("6 rounds, half an hour at a table.", "6 round, mezz'ora al tavolo."),
            ),
            (
                OptionValue::Number(40),
                text("Normal", "Normale"),
                text(
                    "Until a factory reaches column 20, mostly after 8 to 14 rounds.",
                    "Finché una fabbrica arriva alla colonna 20, di solito dopo 8-14 round.",
                ),
            ),
        ],
    },
    NamedOption::plain(
        "open_cash",
        text("Open cash", "Denaro visibile a tutti"),
        text("All players see all cash.", "Tutti vedono i contanti di tutti."),
    ),
    FIRST_SEAT,
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
    Catalogue {
        cards: cards.collect(),
        areas: entries(&AREAS, lang),
        tracks: tracks(lang),
        zones: zones(lang),
        constants: constants(),
        fields: entries(&FIELDS, lang),
        phases: entries(&PHASES, lang),
        commands: entries(&COMMANDS, lang),
        event_types: event_types(&EVENTS, lang),
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
        // Requirement of an area, from the first hole to the last.
        track("needs", text("Requirement of an area", "Requisito di un'area"), 5, 1, vec![1, 3, 6, 10, 15]),
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
