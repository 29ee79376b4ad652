//! Names of the fields of a view, and of the options.

use crate::engine::catalogue::{FIRST_SEAT, Named, NamedOption, OptionValue, text};

pub const FIELDS: [Named; 43] = [
    ("actions", text("action cards", "carte azione")),
    ("actions_done", text("actions done", "azioni realizzate")),
    ("bag", text("cards in the bag", "carte nel sacchetto")),
    ("balance", text("balance", "bilancio")),
    ("bought", text("bought in this turn", "comprato in questo turno")),
    ("counter", text("counter-offer", "controfferta")),
    ("credit_taken", text("credit taken", "credito ricevuto")),
    ("credits", text("credits", "crediti")),
    ("debt", text("debt", "debito")),
    ("dice", text("dice", "dadi")),
    ("eliminated", text("out of the game", "fuori dal gioco")),
    ("euros", text("euros", "euro")),
    ("event", text("event", "evento")),
    ("event_deck", text("events in the deck", "eventi nel mazzo")),
    ("exchange", text("next swap of cards", "prossimo cambio di carte")),
    ("first_seat", text("first player", "primo giocatore")),
    ("from", text("from", "da")),
    ("give", text("gives", "dà")),
    ("hand", text("hand", "mano")),
    ("hand_size", text("cards in hand", "carte in mano")),
    ("id", text("territory", "territorio")),
    ("implemented", text("actions in this turn", "azioni in questo turno")),
    ("last_turn", text("previous turn", "turno precedente")),
    ("market_left", text("credits on sale", "crediti in vendita")),
    ("offers_left", text("offers left", "offerte rimaste")),
    ("owner", text("owner", "proprietario")),
    ("phase", text("phase", "fase")),
    ("place", text("place", "posizione")),
    ("rent", text("rent", "rendita")),
    ("resting", text("just traded", "appena scambiato")),
    ("result", text("result", "risultato")),
    ("round", text("round", "round")),
    ("seat", text("seat", "giocatore")),
    ("seats", text("seats", "giocatori")),
    ("settles_debt", text("settles the debt", "salda il debito")),
    ("square", text("square", "casella")),
    ("take", text("for", "in cambio di")),
    ("territories", text("territories", "territori")),
    ("to", text("to", "a")),
    ("to_act", text("to act", "tocca a")),
    ("trade", text("offer", "offerta")),
    ("turn", text("this turn", "questo turno")),
    ("turn_seat", text("whose turn it is", "di chi è il turno")),
];

pub const OPTIONS: [NamedOption; 6] = [
    NamedOption {
        id: "length",
        title: text("Length", "Durata"),
        text: text(
            "How many rounds there are at most, and which balance wins.",
            "Quanti round ci sono al massimo e con quale bilancio si vince.",
        ),
        values: &[
            (
                OptionValue::Word("short"),
                text("Short", "Breve"),
                text(
                    "20 rounds. The best balance wins, unless a player reaches 20 first.",
                    "20 round. Vince il bilancio migliore, se nessuno arriva prima a 20.",
                ),
            ),
            (
                OptionValue::Word("normal"),
                text("Normal", "Normale"),
                text(
                    "A balance of 20 wins, mostly after 15 to 40 rounds. At most 60.",
                    "Vince chi arriva a 20, di solito dopo 15-40 round. Al massimo 60.",
                ),
            ),
            (
                OptionValue::Word("long"),
                text("Long", "Lunga"),
                text(
                    "A balance of 25 wins, so one area is never enough. At most 100 rounds.",
                    "Vince chi arriva a 25: un'area sola non basta mai. Al massimo 100 round.",
                ),
            ),
        ],
    },
    NamedOption {
        id: "elimination",
        title: text("Bankruptcy", "Bancarotta"),
        text: text("The fate of a bankrupt player.", "La sorte di chi fa bancarotta."),
        values: &[
            (
                OptionValue::Flag(true),
                text("Out of the game", "Fuori dal gioco"),
                text("A bankrupt player is out.", "Chi fa bancarotta è fuori."),
            ),
            (
                OptionValue::Flag(false),
                text("New start", "Nuovo inizio"),
                text(
                    "A bankrupt player starts again with 1,000 euros and without land.",
                    "Chi fa bancarotta ricomincia con 1.000 euro e senza territori.",
                ),
            ),
        ],
    },
    NamedOption::plain(
        "even_start",
        text("More money for later players", "Più denaro a chi gioca dopo"),
        text(
            "Each player starts with 500 euros more than the one before.",
            "Ogni giocatore comincia con 500 euro in più di chi lo precede.",
        ),
    ),
    NamedOption::plain(
        "open_hands",
        text("Open hands", "Mani scoperte"),
        text("All players see all cards.", "Tutti vedono le carte di tutti."),
    ),
    FIRST_SEAT,
    NamedOption::plain(
        "max_rounds",
        text("Round limit", "Numero massimo di round"),
        text(
            "The game ends after this round at the latest. Default: the limit of its length.",
            "La partita finisce comunque dopo questo round. Se non lo indichi, vale il limite della durata.",
        ),
    ),
];
