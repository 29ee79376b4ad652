//! Names and effects of all components, in both languages.

use std::collections::BTreeMap;

use super::{
    board::{Area, SQUARES, Square, VIA},
    cards::{Action, HAND, OF_EACH},
    debt::CREDIT,
    fields::{FIELDS, OPTIONS},
    options::Length,
    rows::SLOTS,
    state::{CREDITS_AT_START, EUROS_A_PLACE, EUROS_AT_START, OFFERS, OFFERS_IN_DEBT, WORST},
    tables::{COPIES, EventCard, Territory},
};
use crate::engine::{
    Lang, Text,
    catalogue::{
        CardEntry, Catalogue, Named, TrackEntry, ZoneEntry, entries, event_types, options, seats, text,
    },
    id::Id,
};
use crate::rulesets::board::{Board, SquareEntry, SquareKind, TerritoryEntry};

/// Name, letter and colour of a kind of action, in the order of the kinds.
const ACTIONS: [(Text, &str, &str); Action::ALL.len()] = [
    (text("Energy saving", "Risparmio energetico"), "E", "#b8860b"),
    (text("Water saving", "Risparmio idrico"), "W", "#1f6fb2"),
    (text("Public transport", "Trasporto pubblico"), "P", "#7a3b8f"),
    (text("Sustainable mobility", "Mobilità sostenibile"), "M", "#0f7f7a"),
    (text("Green building", "Bioedilizia"), "G", "#a8472b"),
    (text("Biodiversity", "Biodiversità"), "B", "#2c6b3c"),
    (text("Waste sorting", "Raccolta differenziata"), "R", "#5f6b1e"),
    (text("Renewable energy", "Energie rinnovabili"), "N", "#3c4f76"),
];
const WHAT_ACTIONS_DO: Text = text(
    "Carry out this action in one of your territories whose next open slot shows it. Costs 1 credit; your balance rises by 1.",
    "Realizza questa azione in un tuo territorio, se il prossimo spazio libero è di questo tipo. Costa 1 credito; il bilancio sale di 1.",
);

/// In the order of the board.
const AREAS: [Named; 8] = [
    ("montagna", text("Montagna", "Montagna")),
    ("parchi", text("Parchi", "Parchi")),
    ("pedecollinare_secchia", text("Pedecollinare Secchia", "Pedecollinare Secchia")),
    ("pianura_secchia", text("Pianura Secchia", "Pianura Secchia")),
    ("capoluogo", text("Area del Capoluogo", "Area del Capoluogo")),
    ("bassa_pianura", text("Bassa Pianura", "Bassa Pianura")),
    ("pianura_panaro", text("Pianura Panaro", "Pianura Panaro")),
    ("pedecollinare_panaro", text("Pedecollinare Panaro", "Pedecollinare Panaro")),
];

/// Speciality of each territory, in board order.
const KNOWN_FOR: [Text; Territory::ALL.len()] = [
    text("skiing on Monte Cimone", "lo sci sul Monte Cimone"),
    text("livestock market, gliding", "il mercato del bestiame, il volo a vela"),
    text("mountain tourism", "il turismo montano"),
    text("Parco del Frignano", "il Parco del Frignano"),
    text("Sassi di Roccamalatina", "i Sassi di Roccamalatina"),
    text("chestnut woods and museum", "i castagneti e il loro museo"),
    text("ceramic tiles", "le piastrelle di ceramica"),
    text("ceramic tiles", "le piastrelle di ceramica"),
    text("car making", "le automobili"),
    text("weighing scales, logistics", "le bilance, la logistica"),
    text("knitwear", "la maglieria"),
    text("dairies and cured meats", "i caseifici e i salumi"),
    text("the historic centre", "il centro storico"),
    text("workshops and foundries", "le officine e le fonderie"),
    text("freight yard", "lo scalo merci"),
    text("biomedical district", "il distretto biomedicale"),
    text("machine tools, ceramics", "le macchine utensili, la ceramica"),
    text("mills and dairies", "i mulini e i caseifici"),
    text("tortellini, food industry", "i tortellini, l'industria alimentare"),
    text("the abbey, wetlands of Torrazzuolo", "l'abbazia, le zone umide del Torrazzuolo"),
    text("Lambrusco di Sorbara", "il Lambrusco di Sorbara"),
    text("cherries", "le ciliegie"),
    text("balsamic vinegar", "l'aceto balsamico"),
    text("Lambrusco Grasparossa", "il Lambrusco Grasparossa"),
];

/// Name and effect of each event, in their order.
#[rustfmt::skip]
const EVENTS: [(Text, Text); EventCard::ALL.len()] = [
    (text("Solar roof grant", "Bando fotovoltaico"), text("you get 2 credits.", "ricevi 2 crediti.")),
    (text("Regional climate fund", "Fondo regionale per il clima"), text("every player with the lowest balance gets 2 credits.", "chi ha il bilancio più basso riceve 2 crediti (a parità, tutti).")),
    (text("Ecotourism season", "Stagione di ecoturismo"), text("you get 100 euros for each of your territories with at least one action done.", "ricevi 100 euro per ogni tuo territorio con almeno un'azione realizzata.")),
    (text("Green fair", "Fiera dell'ecologia"), text("you get 300 euros.", "ricevi 300 euro.")),
    (text("New ideas", "Nuove idee"), text("put all your action cards into the bag and draw the same number.", "metti tutte le tue carte azione nel sacchetto e pescane altrettante.")),
    (text("Open building site", "Cantiere aperto"), text("in this turn you may carry out actions, but you get no credit.", "in questo turno puoi realizzare azioni, ma non ricevi il credito.")),
    (text("Best practice", "Buona pratica"), text("you get 1 credit for each action of this square's kind on your territories.", "ricevi 1 credito per ogni azione del tipo di questa casella realizzata nei tuoi territori.")),
    (text("Inspection", "Ispezione ambientale"), text("if your territories have no action of this square's kind, pay the bank 200 euros.", "se i tuoi territori non hanno azioni del tipo di questa casella, paga alla banca 200 euro.")),
    (text("Heat wave", "Ondata di calore"), text("pay the bank 1 credit for each of your territories without actions.", "paga alla banca 1 credito per ogni tuo territorio senza azioni.")),
    (text("Flood", "Alluvione"), text("of your unfinished territories, the one with the most actions loses the last one (if tied, the first on the board); the card goes back into the bag.", "dei tuoi territori non completati, quello con più azioni perde l'ultima (a parità, il primo sul tabellone); la carta torna nel sacchetto.")),
    (text("Carbon market", "Mercato della CO2"), text("in this turn you may buy up to 5 credits at 100 euros each.", "in questo turno puoi comprare fino a 5 crediti a 100 euro l'uno.")),
    (text("Back to the start", "Si riparte dal VIA"), text("go to VIA and settle your balance; the square gives nothing else.", "vai al VIA e salda il bilancio; la casella non dà altro.")),
];

pub const PHASES: [Named; 5] = [
    ("roll", text("Roll", "Tiro")),
    ("square", text("Square", "Casella")),
    ("debt", text("Debt", "Debito")),
    ("trade", text("Trade", "Scambio")),
    ("finished", text("Finished", "Partita finita")),
];

pub const COMMANDS: [Named; 14] = [
    ("roll", text("Roll the dice", "Tira i dadi")),
    ("buy_territory", text("Buy the territory", "Compra il territorio")),
    ("implement_action", text("Carry out an action", "Realizza un'azione")),
    ("exchange_actions", text("Swap two cards", "Cambia due carte")),
    ("end_turn", text("End turn", "Fine turno")),
    ("buy_credits", text("Buy credits", "Compra crediti")),
    ("pay_in_credits", text("Pay with credits", "Paga con i crediti")),
    ("return_territory", text("Return a territory", "Restituisci un territorio")),
    ("propose_trade", text("Propose a trade", "Proponi uno scambio")),
    ("counter_trade", text("Make a counter-offer", "Fai una controfferta")),
    ("accept_trade", text("Accept the trade", "Accetta lo scambio")),
    ("reject_trade", text("Reject the trade", "Rifiuta lo scambio")),
    ("withdraw_trade", text("Withdraw the offer", "Ritira l'offerta")),
    ("declare_bankruptcy", text("Declare bankruptcy", "Dichiara bancarotta")),
];

pub const EVENT_TYPES: [Named; 33] = [
    ("territory_dealt", text("A territory was dealt", "Territorio assegnato")),
    ("events_shuffled", text("The events were shuffled", "Eventi mescolati")),
    ("game_started", text("The game began", "Inizio della partita")),
    ("round_started", text("A round began", "Inizio di un round")),
    ("turn_began", text("A turn began", "Inizio di un turno")),
    ("dice_rolled", text("The dice were rolled", "Dadi tirati")),
    ("pawn_moved", text("A pawn moved", "Segnaposto mosso")),
    ("balance_settled", text("A balance was settled at VIA", "Bilancio saldato al VIA")),
    ("rent_due", text("Rent fell due", "Rendita dovuta")),
    ("event_drawn", text("An event was drawn", "Evento pescato")),
    ("credits_received", text("Credits were received", "Crediti ricevuti")),
    ("euros_received", text("Euros were received", "Euro ricevuti")),
    ("hand_returned", text("A hand went into the bag", "Mano rimessa nel sacchetto")),
    ("action_drawn", text("An action card was drawn", "Carta azione pescata")),
    ("action_undone", text("An action was undone", "Azione annullata")),
    ("territory_bought", text("A territory was bought", "Territorio comprato")),
    ("action_implemented", text("An action was carried out", "Azione realizzata")),
    ("territory_finished", text("A territory was finished", "Territorio completato")),
    ("credit_taken", text("A credit was taken", "Credito ricevuto")),
    ("actions_exchanged", text("Cards were swapped", "Carte cambiate")),
    ("credits_bought", text("Credits were bought", "Crediti comprati")),
    ("paid", text("A payment was made", "Pagamento fatto")),
    ("debt_incurred", text("A debt arose", "Debito contratto")),
    ("territory_returned", text("A territory was returned", "Territorio restituito")),
    ("trade_proposed", text("A trade was proposed", "Scambio proposto")),
    ("trade_countered", text("A counter-offer was made", "Controfferta")),
    ("trade_accepted", text("A trade was accepted", "Scambio accettato")),
    ("debt_settled", text("A debt was settled", "Debito saldato")),
    ("trade_rejected", text("A trade was rejected", "Scambio rifiutato")),
    ("trade_withdrawn", text("An offer was withdrawn", "Offerta ritirata")),
    ("seat_eliminated", text("A player was eliminated", "Giocatore eliminato")),
    ("seat_restarted", text("A player starts again", "Un giocatore ricomincia")),
    ("turn_ended", text("A turn ended", "Fine di un turno")),
];

pub const fn action_name(action: Action, lang: Lang) -> &'static str {
    let (name, ..) = &ACTIONS[action as usize];
    match lang {
        Lang::En => name.en,
        Lang::It => name.it,
    }
}

/// Returns the name and the effect of an event.
pub fn event_words(event: EventCard, lang: Lang) -> (&'static str, &'static str) {
    let (name, text) = &EVENTS[event.index()];
    (name.get(lang), text.get(lang))
}

pub fn square_name(number: u8, lang: Lang) -> String {
    match (Square::at(number), lang) {
        (Square::Territory(territory), _) => territory.deed().name.to_owned(),
        (Square::Co2, _) if number == VIA => "VIA".to_owned(),
        (Square::Co2, _) => "CO2".to_owned(),
        (Square::Event(action), Lang::En) => format!("Event: {}", action_name(action, lang)),
        (Square::Event(action), Lang::It) => format!("Evento: {}", action_name(action, lang)),
    }
}

pub fn of(lang: Lang) -> Catalogue {
    let cards = Action::ALL.iter().zip(&ACTIONS).map(|(action, (name, symbol, colour))| CardEntry {
        id: action.id(),
        name: name.get(lang),
        text: WHAT_ACTIONS_DO.get(lang),
        count: OF_EACH,
        rule: "CO-6.7",
        symbol,
        colour,
    });
    let events = EventCard::ALL.iter().zip(COPIES).map(|(event, count)| {
        let (name, text) = event_words(*event, lang);
        CardEntry {
            id: event.id(),
            name,
            text,
            count,
            rule: "CO-13.3",
            symbol: "\u{2605}",
            colour: "#44576a",
        }
    });
    Catalogue {
        cards: cards.collect(),
        areas: entries(&AREAS, lang),
        events: events.collect(),
        tracks: tracks(lang),
        zones: zones(lang),
        constants: constants(),
        fields: entries(&FIELDS, lang),
        phases: entries(&PHASES, lang),
        commands: entries(&COMMANDS, lang),
        event_types: event_types(&EVENT_TYPES, lang),
        options: options(&OPTIONS, lang),
        seats: seats(lang),
    }
}

pub fn board(lang: Lang) -> Board {
    Board {
        squares: (0..SQUARES).map(|number| square(number, lang)).collect(),
        territories: Territory::ALL.iter().map(|territory| territory_entry(*territory, lang)).collect(),
    }
}

fn square(number: u8, lang: Lang) -> SquareEntry {
    let square = Square::at(number);
    let (kind, territory, action) = match square {
        Square::Co2 if number == VIA => (SquareKind::Start, None, None),
        Square::Co2 => (SquareKind::Co2, None, None),
        Square::Territory(territory) => (SquareKind::Territory, Some(territory.id()), None),
        Square::Event(action) => (SquareKind::Event, None, Some(action.id())),
    };
    let area = AREAS[usize::from(number) * AREAS.len() / usize::from(SQUARES)].0;
    SquareEntry { square: number, kind, name: square_name(number, lang), area, territory, action }
}

fn territory_entry(territory: Territory, lang: Lang) -> TerritoryEntry {
    let deed = territory.deed();
    TerritoryEntry {
        id: territory.id(),
        name: deed.name,
        area: AREAS[territory.area().number()].0,
        square: territory.square(),
        known_for: KNOWN_FOR[territory.index()].get(lang),
        price: deed.price,
        co2_cost: deed.co2_cost,
        bonus: deed.bonus,
        rents: deed.rents.to_vec(),
        slots: deed.slots.iter().map(|action| action.id()).collect(),
    }
}

fn tracks(lang: Lang) -> Vec<TrackEntry> {
    let track =
        |id, name: Text, first, last| TrackEntry { id, name: name.get(lang), first, last, points: vec![] };
    vec![
        track("ring", text("The ring of squares", "L'anello delle caselle"), 0, i64::from(SQUARES) - 1),
        track("balance", text("The balance", "Il bilancio"), WORST, Length::Long.winning_balance()),
    ]
}

fn zones(lang: Lang) -> Vec<ZoneEntry> {
    let zone = |id, name: Text, (first, last), text: Text, symbol, colour| ZoneEntry {
        id,
        name: name.get(lang),
        track: "balance",
        first,
        last,
        text: text.get(lang),
        symbol,
        colour,
    };
    vec![
        zone(
            "owes",
            text("negative", "negativo"),
            (WORST + 1, -1),
            text("At VIA you owe the bank as many credits.", "Al VIA devi alla banca altrettanti crediti."),
            "\u{2212}",
            "#a3291b",
        ),
        zone(
            "earns",
            text("positive", "positivo"),
            (1, Length::Normal.winning_balance() - 1),
            text("At VIA you get as many credits.", "Al VIA ricevi altrettanti crediti."),
            "+",
            "#2c6b3c",
        ),
        zone(
            "wins",
            text("the win", "la vittoria"),
            (Length::Normal.winning_balance(), Length::Long.winning_balance()),
            text(
                "Here you win at once, in a long game at 25.",
                "Chi arriva qui vince subito; in una partita lunga, solo a 25.",
            ),
            "\u{2605}",
            "#8a6a00",
        ),
    ]
}

fn constants() -> BTreeMap<&'static str, i64> {
    BTreeMap::from([
        ("hand_size", HAND.into()),
        ("slots", SLOTS.into()),
        ("squares", SQUARES.into()),
        ("areas", i64::try_from(Area::all().count()).unwrap_or_default()),
        ("euros_at_start", EUROS_AT_START.cast_signed()),
        ("credits_at_start", CREDITS_AT_START.cast_signed()),
        ("territories_at_start", 2),
        ("credit_price", CREDIT.cast_signed()),
        ("action_price_credits", 1),
        ("balance_that_wins", Length::Normal.winning_balance()),
        ("balance_that_wins_long", Length::Long.winning_balance()),
        ("balance_that_loses", WORST),
        ("offers_in_turn", OFFERS.into()),
        ("offers_in_debt", OFFERS_IN_DEBT.into()),
        ("euros_a_place", EUROS_A_PLACE.cast_signed()),
        ("market_credits", 5),
        ("euros_step", 100),
    ])
}
