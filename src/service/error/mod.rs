//! Why a request is not carried out. No status codes here: these are the words of the use cases.

mod account;
mod seat;

use std::fmt;

use super::offer::Refuses;
use crate::{
    engine::{
        Lang::{self, En, It},
        Malformed, Refusal, Text,
    },
    ledger::{consent::Unsigned, replay::Fault},
    rulesets::Refused,
    store::StoreError,
    words::{Scope, Status},
};

#[derive(Debug)]
pub enum ServiceError {
    Malformed(Malformed),
    NoToken,
    BadToken,
    BadTicket,
    NoScope(Scope),
    /// What a token that ends asks for would not end.
    TokenEnds,
    OneGameOnly,
    WrongCode,
    TooManyTokens(usize),
    TooManyWebhooks(usize),
    /// The webhook has not shown that it is wanted.
    NotProved,
    NoGame,
    NotFound,
    NoSuchBot,
    /// No other player at this table has that seat.
    NobodyThere,
    /// At this table.
    NoSuchSeat,
    /// There is no such entry yet.
    NoEntry {
        newest: u64,
    },
    NotSeated,
    NotHost,
    AlreadySeated,
    NotOpen(Status),
    /// Who has promised bytes to a sealed table stays until they are revealed.
    StillOwes,
    NotRunning(Status),
    NotSealed(Status),
    WrongInvite,
    /// For those who played the game before.
    SeatsKept,
    SeatTaken,
    /// Another program has it.
    NameTaken,
    BotRefuses(Refuses),
    /// There is no rematch of a game that is not over.
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
    Illegal(Refusal),
    /// A command of a list.
    IllegalNo(u64, Refusal),
    /// A command that draws or passes the decision on, and more stand behind it.
    NotLast(u64),
    BadSignature(Unsigned),
    /// The log of this game is of a format that does not know it.
    OldFormat,
    /// The table was opened without it.
    NotAgreed(Term),
    NothingToTakeBack,
    Paused,
    /// The autopilot plays the seat, which must be taken back first.
    Autopilots,
    NobodyAsked,
    /// Somebody else asks for the seat that is offered.
    AskedForAlready,
    /// Who asked for the seat sits at too many games.
    AskerHasNoRoom,
    AsksAlready,
    AsksNot,
    TooManyEntries,
    /// An exploration takes no more commands.
    Explored,
    /// In an exploration.
    MachinesSeat,
    ReplaySealed,
    /// No checkpoint of the public tree covers it yet.
    NotPinned {
        seconds: u64,
    },
    TooManyGames(u32),
    TooManyBegun(u32),
    TooManyChanges,
    KeyReused,
    Busy,
    /// It would take longer to pay for than anybody is kept waiting.
    TooMuchWork {
        seconds: u64,
    },
    /// Why is told to the log, never to the client.
    StorageUnavailable(String),
    DiskNearlyFull,
    /// Somebody else was faster; the act is tried again.
    Overtaken,
    /// Told to the log, never to the client.
    Internal(String),
}

/// What a table may have agreed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    Clock,
    Takebacks,
    Substitutes,
}

impl ServiceError {
    /// A command that a table refused, which may be one of a list.
    pub fn illegal(no: Option<u64>, refused: Refused) -> Self {
        match (refused, no) {
            (Refused::Rule(refusal), None) => Self::Illegal(refusal),
            (Refused::Rule(refusal), Some(no)) => Self::IllegalNo(no, refusal),
            (Refused::OtherGame, _) => Self::Internal("a command of another game".into()),
        }
    }

    /// What is told to whoever asked.
    pub fn text(&self) -> Text<String> {
        match self {
            Self::Malformed(malformed) => malformed.text(),
            Self::Illegal(refusal) | Self::IllegalNo(_, refusal) => refusal.text.clone(),
            Self::NoScope(scope) => both(|lang| match lang {
                En => format!("The token lacks the scope `{}`.", scope.word()),
                It => format!("Al token manca l'ambito `{}`.", scope.word()),
            }),
            Self::TooManyTokens(most) => both(|lang| match lang {
                En => format!("You have {most} tokens, which is as many as there may be: end one first."),
                It => format!("Hai {most} token, il massimo consentito: prima chiudine uno."),
            }),
            Self::TooManyWebhooks(most) => both(|lang| match lang {
                En => format!(
                    "There are {most} webhooks, which is as many as there may be: take one away first."
                ),
                It => format!("Ci sono {most} webhook, il massimo consentito: prima togline uno."),
            }),
            Self::NoEntry { newest } => both(|lang| match lang {
                En => format!("There is no such entry yet: the newest is {newest}."),
                It => format!("Questa voce non c'è ancora: l'ultima è la {newest}."),
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
                En => format!("The game is {}; bytes are revealed while it is sealed.", status.word()),
                It => format!("La partita è {}; i byte si rivelano mentre è sigillata.", italian(*status)),
            }),
            Self::StaleSeq { seq } => both(|lang| match lang {
                En => format!("The game is at seq {seq}; look at it again before you decide."),
                It => format!("La partita è alla voce {seq}; guardala di nuovo prima di decidere."),
            }),
            Self::NotLast(no) => both(|lang| match lang {
                En => {
                    format!(
                        "Command {no} draws, shows what was hidden, or passes the decision on: it must be the last of the list."
                    )
                }
                It => {
                    format!(
                        "Il comando {no} pesca, scopre ciò che era coperto, o passa la decisione: dev'essere l'ultimo dell'elenco."
                    )
                }
            }),
            Self::TooManyGames(most) => both(|lang| match lang {
                En => format!(
                    "You sit at {most} games that are not over, which is as many as this server allows."
                ),
                It => format!("Siedi a {most} partite non finite, il massimo per questo server."),
            }),
            Self::TooManyBegun(most) => both(|lang| match lang {
                En => format!(
                    "You have created {most} games within a day, which is as many as this server allows."
                ),
                It => format!("Hai creato {most} partite in un giorno, il massimo per questo server."),
            }),
            Self::TooManyMessages(most) => both(|lang| match lang {
                En => format!("{most} messages were written at this game, which is as many as there may be."),
                It => format!("A questa partita sono stati scritti {most} messaggi, il massimo consentito."),
            }),
            Self::TooMuchWork { seconds } => both(|lang| match lang {
                En => format!(
                    "This would take more work than you may ask for at present; try again in {seconds} seconds."
                ),
                It => format!(
                    "Costerebbe più lavoro di quanto tu possa chiedere ora; riprova fra {seconds} secondi."
                ),
            }),
            Self::Internal(cause) => Text::from(format!("internal: {cause}")),
            plain => {
                let Text { en, it } = plain.plain_text();
                Text::new(en, it)
            }
        }
    }

    /// What is always told in the same words.
    const fn plain_text(&self) -> Text {
        if let Some(text) = seat::text(self) {
            return text;
        }
        if let Some(text) = account::text(self) {
            return text;
        }
        let (en, it) = match self {
            Self::NotProved => (
                "The webhook has not proved that it is wanted: send it a test, and see what comes of it.",
                "Il webhook non ha dimostrato di essere voluto: mandagli una prova, e guarda che cosa ne viene.",
            ),
            Self::NoGame => {
                ("There is no game here that you may see.", "Qui non c'è una partita che tu possa vedere.")
            }
            Self::NoSuchSeat => {
                ("There is no such seat at this table.", "A questo tavolo quel posto non c'è.")
            }
            Self::NoSuchBot => ("No bot has this name.", "Nessun bot ha questo nome."),
            Self::NobodyThere => (
                "No other player has that seat at this table.",
                "A questo tavolo nessun altro ha quel posto.",
            ),
            Self::StillOwes => (
                "The table is sealed and waits for the bytes that you promised: reveal them, and then you may leave.",
                "Il tavolo è sigillato e aspetta i byte che hai promesso: rivelali, e poi puoi lasciare il tavolo.",
            ),
            Self::NotSeated => ("You do not sit at this game.", "Non siedi a questa partita."),
            Self::NotHost => {
                ("Only the host of a table may do this.", "Può farlo solo chi ospita il tavolo.")
            }
            Self::AlreadySeated => ("You sit at this game already.", "Siedi già a questa partita."),
            Self::WrongInvite => {
                ("The invite is not the one of this game.", "L'invito non è quello di questa partita.")
            }
            Self::BotRefuses(refuses) => refuses.text(),
            Self::SeatTaken => ("That seat is not free.", "Quel posto non è libero."),
            Self::SeatsKept => (
                "This is a rematch: its seats are kept for those who played before.",
                "Questa è una rivincita: i posti sono riservati a chi ha giocato prima.",
            ),
            Self::NotFinished => (
                "The game is not finished: there is no rematch yet.",
                "La partita non è finita: la rivincita viene dopo.",
            ),
            Self::NothingPromised => (
                "Your seat has promised no bytes, or has revealed them already.",
                "Il tuo posto non ha promesso byte, o li ha già rivelati.",
            ),
            Self::WrongEntropy => (
                "These bytes are not the ones that your seat promised.",
                "Questi byte non sono quelli promessi dal tuo posto.",
            ),
            Self::PromiseCopied => (
                "These bytes were promised at this table before: promise others.",
                "Questi byte sono già stati promessi a questo tavolo: promettine altri.",
            ),
            Self::NotAutopilots => (
                "You play your seat yourself: there is nothing to take back.",
                "Il tuo posto lo giochi tu: non c'è nulla da riprendere.",
            ),
            Self::Resigned => (
                "Your seat has resigned: the autopilot plays it to the end.",
                "Il tuo posto si è ritirato: lo gioca il pilota automatico fino alla fine.",
            ),
            Self::ReplaySealed => {
                ("The replay opens when the game has ended.", "Il replay si apre quando la partita è finita.")
            }
            Self::NotPinned { .. } => (
                "No checkpoint of the public tree covers this entry yet.",
                "Nessun checkpoint dell'albero pubblico copre ancora questa voce.",
            ),
            Self::TooManyChanges => (
                "Too many have joined and left this table; create another one.",
                "Troppi sono entrati e usciti da questo tavolo; creane un altro.",
            ),
            Self::KeyReused => (
                "This idempotency key came with another request before.",
                "Questa chiave di idempotenza è già arrivata con un'altra richiesta.",
            ),
            Self::Busy => (
                "The server has more to write than it can; try again in a moment.",
                "Il server ha più da scrivere di quanto possa; riprova fra un momento.",
            ),
            Self::StorageUnavailable(_) => (
                "The server cannot store anything at present; nothing was changed.",
                "Al momento il server non può salvare nulla; nulla è cambiato.",
            ),
            Self::DiskNearlyFull => (
                "The disk of this server is nearly full: no game is begun, so that those that run can be played on.",
                "Il disco di questo server è quasi pieno: non si cominciano partite, perché si possano finire quelle in corso.",
            ),
            Self::Overtaken => (
                "The game went on while this was under way; try again.",
                "La partita è andata avanti nel frattempo; riprova.",
            ),
            _ => ("There is nothing here.", "Qui non c'è nulla."),
        };
        Text { en, it }
    }
}

fn both(tell: impl Fn(Lang) -> String) -> Text<String> {
    Text { en: tell(En), it: tell(It) }
}

/// A status, said of a game.
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

impl From<Malformed> for ServiceError {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy => Self::Busy,
            // The game in memory was old, and has been dropped; or a first try under the same key was being written.
            StoreError::Conflict { .. } | StoreError::ClaimStands | StoreError::Gone => Self::Overtaken,
            StoreError::Full
            | StoreError::Locked
            | StoreError::ReadOnly
            | StoreError::TwoWriters
            | StoreError::NotSafe(_)
            | StoreError::Unreachable(_)
            | StoreError::Stopped => Self::StorageUnavailable(error.to_string()),
            other => Self::Internal(other.to_string()),
        }
    }
}

impl From<Fault> for ServiceError {
    fn from(fault: Fault) -> Self {
        match fault {
            // The time ran out between the look at the clock and the entry: the next try finds it so.
            Fault::OffTime(_) => Self::Overtaken,
            other => Self::Internal(format!("a log cannot be played: {other}")),
        }
    }
}

impl From<getrandom::Error> for ServiceError {
    fn from(error: getrandom::Error) -> Self {
        Self::Internal(format!("no randomness: {error}"))
    }
}
