//! Errors of the service, without status codes.

mod account;
mod from;
mod lobby;
mod seat;

use std::fmt;

use super::{FOR_EVER, offer::Refuses, reading::time};
use crate::{
    engine::{
        Lang::{self, En, It},
        Malformed, Refusal, Text,
    },
    ledger::consent::Unsigned,
    rulesets::Refused,
    words::{Scope, Status},
};

#[derive(Debug)]
pub enum ServiceError {
    Malformed(Malformed),
    NoToken,
    BadToken,
    BadTicket,
    NoScope(Scope),
    /// A token with an end cannot create something without one.
    TokenEnds,
    OneGameOnly,
    /// A connected app must not extend its rights.
    NotForApps,
    WrongCode,
    /// Not the token of an operator.
    NotOperator,
    /// The operator has suspended the caller until a time.
    Suspended {
        until: u64,
    },
    AddressBanned,
    RegistrationClosed,
    InvitationRequired,
    NameReserved,
    /// Another operator has this name, or it is the owner's.
    OperatorNamed,
    /// The host wants nothing to do with the caller. The answer does not say so.
    CannotJoin,
    TooManyBlocks(usize),
    TooManyTokens(usize),
    TooManyWebhooks(usize),
    /// The webhook is not confirmed.
    NotProved,
    NoGame,
    NotFound,
    NoSuchBot,
    /// No other player at this table has that seat.
    NobodyThere,
    /// The table has no such seat.
    NoSuchSeat,
    /// The entry does not exist yet.
    NoEntry {
        newest: u64,
    },
    NotSeated,
    NotHost,
    AlreadySeated,
    NotOpen(Status),
    /// A player who promised bytes to a sealed table stays until they are revealed.
    StillOwes,
    NotRunning(Status),
    NotSealed(Status),
    WrongInvite,
    /// The seats are kept for the players of the game before.
    SeatsKept,
    SeatTaken,
    /// Another bot has this name.
    NameTaken,
    BotRefuses(Refuses),
    /// Only a finished game has a rematch.
    NotFinished,
    TooManyMessages(u32),
    NothingPromised,
    WrongEntropy,
    PromiseCopied,
    NotAutopilots,
    Resigned,
    StaleSeq {
        seq: u64,
    },
    /// The autopilot decided for the seat after the entry that the client knows.
    DeadlinePassed {
        seq: u64,
    },
    /// The cursor is from no list.
    NoCursor,
    Illegal(Refusal),
    /// A command of a list.
    IllegalNo(u64, Refusal),
    /// A command that draws or passes the turn, with others after it.
    NotLast(u64),
    BadSignature(Unsigned),
    /// No key is in force, so there is nothing to revoke.
    NoKeys,
    /// The keys of the seat are like this already.
    ChangesNothing,
    /// The nonce of a signed join was used in this game.
    NonceUsed,
    /// A game with this id exists.
    GameExists,
    /// A player with this key exists.
    PlayerExists,
    /// The player has the most device statements.
    TooManyDevices,
    /// The table was opened without this term.
    NotAgreed(Term),
    NothingToTakeBack,
    Paused,
    /// The autopilot plays the seat: the player must resume first.
    Autopilots,
    NobodyAsked,
    /// Another player has asked for the offered seat.
    AskedForAlready,
    /// The player who asked for the seat has too many games.
    AskerHasNoRoom,
    AsksAlready,
    AsksNot,
    TooManyEntries,
    /// The exploration has the most commands.
    Explored,
    /// A bot has this seat of the exploration.
    MachinesSeat,
    ReplaySealed,
    /// No checkpoint of the public tree covers the entry yet.
    NotPinned {
        seconds: u64,
    },
    TooManyGames(u32),
    TooManyBegun(u32),
    TooManyChanges,
    KeyReused,
    Busy,
    /// The client would have to wait too long until its budget is positive.
    TooMuchWork {
        seconds: u64,
    },
    /// The cause is for the log, never for the client.
    StorageUnavailable(String),
    DiskNearlyFull,
    /// Another write was faster; the act is tried again.
    Overtaken,
    /// Written to the log, never to the client.
    Internal(String),
}

/// A term of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    Clock,
    Takebacks,
    Substitutes,
}

impl ServiceError {
    /// Makes the refusal of a command, which may be one of a list.
    pub fn illegal(no: Option<u64>, refused: Refused) -> Self {
        match (refused, no) {
            (Refused::Rule(refusal), None) => Self::Illegal(refusal),
            (Refused::Rule(refusal), Some(no)) => Self::IllegalNo(no, refusal),
            (Refused::OtherGame, _) => Self::Internal("a command of another game".into()),
        }
    }

    /// Returns the text for the client.
    pub fn text(&self) -> Text<String> {
        match self {
            Self::Malformed(malformed) => malformed.text(),
            Self::Illegal(refusal) | Self::IllegalNo(_, refusal) => refusal.text.clone(),
            Self::NoScope(scope) => both(|lang| match lang {
                En => format!("The token lacks the scope `{}`.", scope.word()),
                It => format!("Al token manca il permesso `{}`.", scope.word()),
            }),
            Self::TooManyTokens(most) => both(|lang| match lang {
                En => format!("You have {most} tokens, the maximum: revoke one first."),
                It => format!("Hai {most} token, il massimo: prima revocane uno."),
            }),
            Self::Suspended { until } if *until == FOR_EVER => both(|lang| match lang {
                En => "The operator of this server has suspended your account.".to_owned(),
                It => "Il gestore di questo server ha sospeso il tuo account.".to_owned(),
            }),
            Self::Suspended { until } => both(|lang| match lang {
                En => {
                    format!("The operator of this server has suspended your account until {}.", time(*until))
                }
                It => {
                    format!("Il gestore di questo server ha sospeso il tuo account fino al {}.", time(*until))
                }
            }),
            Self::TooManyBlocks(most) => both(|lang| match lang {
                En => format!("You have blocked {most} players, the maximum: unblock one first."),
                It => format!("Hai bloccato {most} giocatori, il massimo: prima sbloccane uno."),
            }),
            Self::TooManyWebhooks(most) => both(|lang| match lang {
                En => format!("There are {most} webhooks, the maximum: delete one first."),
                It => format!("Ci sono {most} webhook, il massimo: prima eliminane uno."),
            }),
            Self::NoEntry { newest } => both(|lang| match lang {
                En => format!("This entry does not exist yet: the newest is {newest}."),
                It => format!("Questa voce non esiste ancora: l'ultima è la {newest}."),
            }),
            Self::NotOpen(status) => both(|lang| match lang {
                En => format!("The game is {}, not open.", status.word()),
                It => format!("La partita è {}, non aperta.", italian(*status)),
            }),
            Self::NotRunning(status) => both(|lang| match lang {
                En => format!("The game is {}, not running.", status.word()),
                It => format!("La partita è {}, non in corso.", italian(*status)),
            }),
            Self::NotSealed(status) => both(|lang| match lang {
                En => format!("The game is {}, not sealed: there are no bytes to reveal.", status.word()),
                It => {
                    format!("La partita è {}, non sigillata: non ci sono byte da rivelare.", italian(*status))
                }
            }),
            Self::StaleSeq { seq } => both(|lang| match lang {
                En => format!("The game is at entry {seq}. Get the view again, then decide."),
                It => format!("La partita è alla voce {seq}. Ricarica la vista, poi decidi."),
            }),
            Self::DeadlinePassed { seq } => both(|lang| match lang {
                En => format!(
                    "Your time ran out, and the autopilot decided for you. The game is at entry {seq}."
                ),
                It => format!(
                    "Il tuo tempo è scaduto, e il pilota automatico ha deciso per te. La partita è alla voce {seq}."
                ),
            }),
            Self::NotLast(no) => both(|lang| match lang {
                En => {
                    format!(
                        "Command {no} draws, reveals or passes the turn: it must be the last in the list."
                    )
                }
                It => {
                    format!(
                        "Il comando {no} pesca, rivela o passa il turno: dev'essere l'ultimo dell'elenco."
                    )
                }
            }),
            Self::TooManyGames(most) => both(|lang| match lang {
                En => format!("You have {most} unfinished games, the maximum on this server."),
                It => format!("Hai {most} partite non finite, il massimo per questo server."),
            }),
            Self::TooManyBegun(most) => both(|lang| match lang {
                En => format!("You have created {most} games in one day, the maximum on this server."),
                It => format!("Hai creato {most} partite in un giorno, il massimo per questo server."),
            }),
            Self::TooManyMessages(most) => both(|lang| match lang {
                En => format!("This game has {most} messages, the maximum."),
                It => format!("Questa partita ha {most} messaggi, il massimo."),
            }),
            Self::TooMuchWork { seconds } => both(|lang| match lang {
                En => format!(
                    "Your requests have used too much computing time. Try again in {seconds} seconds."
                ),
                It => format!(
                    "Le tue richieste hanno usato troppo tempo di calcolo. Riprova fra {seconds} secondi."
                ),
            }),
            Self::Internal(cause) => Text::from(format!("internal: {cause}")),
            plain => {
                let Text { en, it } = plain.plain_text();
                Text::new(en, it)
            }
        }
    }

    /// Returns a text without values.
    const fn plain_text(&self) -> Text {
        if let (Some(text), ..) | (_, Some(text), _) | (.., Some(text)) =
            (seat::text(self), account::text(self), lobby::text(self))
        {
            return text;
        }
        let (en, it) = match self {
            Self::NotProved => (
                "The webhook is not confirmed: send it a test and confirm it.",
                "Il webhook non è confermato: inviagli una prova e confermalo.",
            ),
            Self::NoGame => {
                ("This game does not exist or is private.", "Questa partita non esiste o è privata.")
            }
            Self::NoSuchSeat => ("This game has no such seat.", "Questa partita non ha quel posto."),
            Self::NoSuchBot => ("No bot has this name.", "Nessun bot ha questo nome."),
            Self::NobodyThere => ("No other player has that seat.", "Nessun altro giocatore ha quel posto."),
            Self::StillOwes => (
                "The game waits for your random bytes: reveal them, then you can leave.",
                "La partita attende i tuoi byte casuali: rivelali, poi puoi uscire.",
            ),
            Self::NotSeated => ("You are not a player of this game.", "Non partecipi a questa partita."),
            Self::NotHost => ("Only the host may do this.", "Può farlo solo l'organizzatore."),
            Self::AlreadySeated => ("You have already joined this game.", "Sei già in questa partita."),
            Self::WrongInvite => (
                "The invite code is not valid for this game.",
                "Il codice d'invito non vale per questa partita.",
            ),
            Self::BotRefuses(refuses) => refuses.text(),
            Self::SeatTaken => ("This seat is not free.", "Quel posto non è libero."),
            Self::NotFinished => ("The game is not finished yet.", "La partita non è ancora finita."),
            Self::NonceUsed => (
                "A join with this nonce is in the game already.",
                "Nella partita c'è già un ingresso con questo nonce.",
            ),
            Self::GameExists => {
                ("A game with this id exists already.", "Una partita con questo id esiste già.")
            }
            Self::PlayerExists => (
                "A player was created with this key already.",
                "Un giocatore è già stato creato con questa chiave.",
            ),
            Self::TooManyDevices => (
                "You have the maximum number of device statements.",
                "Hai il numero massimo di dichiarazioni di dispositivi.",
            ),
            Self::NoCursor => ("The cursor is from another list.", "Il cursore è di un altro elenco."),
            Self::Resigned => (
                "You have resigned: the autopilot plays your seat to the end.",
                "Hai abbandonato: il pilota automatico gioca al tuo posto fino alla fine.",
            ),
            Self::ReplaySealed => (
                "The replay is available when the game has ended.",
                "Il replay è disponibile a partita finita.",
            ),
            Self::NotPinned { .. } => (
                "This entry is not in a checkpoint of the public tree yet.",
                "Questa voce non è ancora in un checkpoint dell'albero pubblico.",
            ),
            Self::TooManyChanges => (
                "Too many players have joined and left this game. Create a new one.",
                "Troppi giocatori sono entrati e usciti. Crea una nuova partita.",
            ),
            Self::KeyReused => (
                "This idempotency key was used for a different request.",
                "Questa chiave di idempotenza è stata usata per un'altra richiesta.",
            ),
            Self::Busy => (
                "The server is busy. Try again in a moment.",
                "Il server è occupato. Riprova fra un momento.",
            ),
            Self::StorageUnavailable(_) => (
                "The storage of this server is unavailable. Your games are safe; try again in a minute.",
                "L'archivio di questo server non è disponibile. Le tue partite sono al sicuro; riprova fra un minuto.",
            ),
            Self::DiskNearlyFull => (
                "The disk of this server is nearly full: new games are not possible, running games continue.",
                "Il disco di questo server è quasi pieno: non si possono creare partite, quelle in corso continuano.",
            ),
            Self::Overtaken => (
                "The game moved on in the meantime. Try again.",
                "Nel frattempo la partita è andata avanti. Riprova.",
            ),
            _ => ("There is nothing here.", "Qui non c'è nulla."),
        };
        Text { en, it }
    }
}

fn both(tell: impl Fn(Lang) -> String) -> Text<String> {
    Text { en: tell(En), it: tell(It) }
}

/// Returns the Italian word for the status of a game.
const fn italian(status: Status) -> &'static str {
    match status {
        Status::Open => "aperta",
        Status::Sealed => "sigillata",
        Status::Running => "in corso",
        Status::Finished => "finita",
        Status::Void => "annullata",
    }
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StorageUnavailable(cause) | Self::Internal(cause) => f.write_str(cause),
            _ => f.write_str(&self.text().en),
        }
    }
}

impl std::error::Error for ServiceError {}
