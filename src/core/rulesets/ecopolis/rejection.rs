//! Refusals: the rule, and the mistake in one sentence.

use super::{cards::Action, phase::PhaseName, state::WORST, tables::Territory};
use crate::engine::{Refusal, Seat, id::Id};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    GameOver,
    NotYourTurn {
        to_act: Seat,
    },
    OfferStands {
        to: Seat,
        /// Whether the sender is neither proposer nor addressee.
        is_others: bool,
    },
    /// The command is not possible now, although the turn is the sender's.
    NotNow {
        phase: PhaseName,
    },
    NothingOnSale,
    TooFewEuros {
        price: u64,
        euros: u64,
    },
    /// By a purchase or a trade.
    BalanceTooLow {
        seat: Seat,
        balance: i64,
    },
    NoActionsAfterEvent,
    NotYours {
        territory: Territory,
    },
    BoughtThisTurn {
        territory: Territory,
    },
    AllDone {
        territory: Territory,
    },
    CardNotHeld {
        action: Action,
        rule: &'static str,
    },
    NoCredit,
    NotOnCo2Square,
    /// An event sent the pawn there.
    NotResolved,
    AlreadyImplemented,
    NotTwoCards,
    BagTooSmall,
    NoCreditsOnSale,
    WrongNumberOfCredits {
        most: u64,
    },
    TooFewEurosForCredits {
        euros: u64,
    },
    NoDebt,
    DebtCanBePaid,
    NobodyToTradeWith,
    UnevenEuros,
    NamedTwice {
        territory: Territory,
    },
    NoDebtToThem {
        to: Seat,
    },
    NothingGiven,
    UnequalCards,
    RentsNotMatched {
        least: u64,
    },
    NotHeld {
        seat: Seat,
        goods: Goods,
    },
    NoOfferLeft,
    Resting {
        territory: Territory,
    },
    WinByGift {
        seat: Seat,
        balance: i64,
    },
    /// The first broken condition, and the others.
    Several(Box<Self>, Vec<Self>),
}

/// Missing goods of a trade.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goods {
    Territory(Territory),
    Euros,
    Credits,
    Actions,
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        if let Rejection::Several(first, others) = rejection {
            return Self { also: others.into_iter().map(Self::from).collect(), ..Self::from(*first) };
        }
        let is_out_of_turn = matches!(
            rejection,
            Rejection::NotYourTurn { .. } | Rejection::OfferStands { is_others: true, .. }
        );
        let refusal = Self::new(rejection.rule(), rejection.english(), rejection.italian());
        Self { is_out_of_turn, ..refusal }
    }
}

impl Rejection {
    /// Returns one refusal with all that refuse.
    pub fn all(verdicts: impl IntoIterator<Item = Result<(), Self>>) -> Result<(), Self> {
        let mut broken = verdicts.into_iter().filter_map(Result::err);
        let Some(first) = broken.next() else { return Ok(()) };
        let others: Vec<Self> = broken.collect();
        Err(if others.is_empty() { first } else { Self::Several(Box::new(first), others) })
    }

    pub fn rule(&self) -> &'static str {
        match self {
            Self::Several(first, _) => first.rule(),
            Self::BalanceTooLow { .. } => "CO-3.3",
            Self::NotNow { phase: PhaseName::Debt } => "CO-7.1",
            Self::NotNow { .. } => "CO-4.1",
            Self::NotYourTurn { .. } => "CO-4.3",
            Self::NoActionsAfterEvent | Self::NotResolved => "CO-6.5",
            Self::NothingOnSale | Self::TooFewEuros { .. } => "CO-6.6",
            Self::NotYours { .. } | Self::BoughtThisTurn { .. } | Self::AllDone { .. } | Self::NoCredit => {
                "CO-6.7"
            }
            Self::CardNotHeld { rule, .. } => rule,
            Self::NotOnCo2Square | Self::AlreadyImplemented | Self::NotTwoCards | Self::BagTooSmall => {
                "CO-6.9"
            }
            Self::NoCreditsOnSale
            | Self::WrongNumberOfCredits { .. }
            | Self::TooFewEurosForCredits { .. } => "CO-7.2",
            Self::NoDebtToThem { .. } => "CO-7.4",
            Self::NoDebt | Self::DebtCanBePaid => "CO-7.5",
            Self::NobodyToTradeWith | Self::UnevenEuros | Self::NamedTwice { .. } => "CO-8.1",
            Self::NothingGiven | Self::UnequalCards | Self::RentsNotMatched { .. } => "CO-8.2",
            Self::OfferStands { .. } => "CO-8.3",
            Self::NotHeld { .. } => "CO-8.4",
            Self::NoOfferLeft => "CO-8.5",
            Self::Resting { .. } => "CO-8.6",
            Self::WinByGift { .. } => "CO-8.7",
            Self::GameOver => "CO-9.2",
        }
    }

    fn english(&self) -> String {
        match self {
            Self::Several(first, _) => first.english(),
            Self::GameOver => "The game is over.".into(),
            Self::NotYourTurn { to_act } => format!("It is the turn of seat {to_act}."),
            Self::OfferStands { to, .. } => {
                format!(
                    "There is an open offer: seat {to} must accept or reject it, or its proposer withdraw it."
                )
            }
            Self::NotNow { phase } => match phase {
                PhaseName::Roll => "Roll the dice first.".into(),
                PhaseName::Debt => "Settle your debt first.".into(),
                _ => "Not possible now: your pawn is on its square, and there is no offer.".into(),
            },
            Self::NothingOnSale => "Your pawn is not on a free territory.".into(),
            Self::TooFewEuros { price, euros } => {
                format!("The territory costs {price} euros and you have {euros}.")
            }
            Self::BalanceTooLow { seat, balance } => {
                format!("This would bring seat {seat} to a balance of {balance}, but {WORST} eliminates.")
            }
            Self::NoActionsAfterEvent => "After this event no action can be implemented.".into(),
            Self::NotYours { territory } => format!("{} is not yours.", name(*territory)),
            Self::BoughtThisTurn { territory } => {
                format!("You bought {} in this turn: its actions must wait.", name(*territory))
            }
            Self::AllDone { territory } => format!("All actions of {} are done.", name(*territory)),
            Self::CardNotHeld { action, .. } => format!("You lack a card `{}` for this.", action.id()),
            Self::NoCredit => "An action costs 1 credit and you have none.".into(),
            Self::NotOnCo2Square => "Action cards are exchanged on a CO2 square.".into(),
            Self::NotResolved => "An event sent your pawn here: the square gives nothing.".into(),
            Self::AlreadyImplemented => {
                "You have implemented an action here and can no longer exchange.".into()
            }
            Self::NotTwoCards => "Name exactly two cards.".into(),
            Self::BagTooSmall => "The bag holds fewer than two cards.".into(),
            Self::NoCreditsOnSale => {
                "Credits are sold only for a debt in credits, or when the carbon market opens.".into()
            }
            Self::WrongNumberOfCredits { most } => format!("You may buy from 1 to {most} credits now."),
            Self::TooFewEurosForCredits { euros } => {
                format!("Credits cost 100 euros each and you have {euros}.")
            }
            Self::NoDebt => "You have no debt.".into(),
            Self::DebtCanBePaid => "You can pay your debt by buying credits.".into(),
            Self::NobodyToTradeWith => "`to` must be another seat that is still in the game.".into(),
            Self::UnevenEuros => "Euros are traded in hundreds.".into(),
            Self::NamedTwice { territory } => format!("{} is named twice.", name(*territory)),
            Self::NoDebtToThem { to } => format!("You have no debt to seat {to} that a trade could settle."),
            Self::NothingGiven => "Each side must give something.".into(),
            Self::UnequalCards => "Both sides must name the same number of action cards.".into(),
            Self::RentsNotMatched { least } => format!(
                "The side that gives fewer territories must add at least {least} euros, the rents of the extra ones."
            ),
            Self::NotHeld { seat, goods } => format!("Seat {seat} does not have {}.", goods.english()),
            Self::NoOfferLeft => "You can make no more offers in this turn.".into(),
            Self::Resting { territory } => {
                format!("{} was just traded and cannot be traded again yet.", name(*territory))
            }
            Self::WinByGift { seat, balance } => format!(
                "This would bring seat {seat} to a balance of {balance}, but a trade cannot win the game."
            ),
        }
    }

    fn italian(&self) -> String {
        match self {
            Self::Several(first, _) => first.italian(),
            Self::GameOver => "La partita è finita.".into(),
            Self::NotYourTurn { to_act } => format!("È il turno del giocatore {to_act}."),
            Self::OfferStands { to, .. } => format!(
                "C'è un'offerta aperta: il giocatore {to} deve accettarla o rifiutarla, o chi l'ha fatta ritirarla."
            ),
            Self::NotNow { phase } => match phase {
                PhaseName::Roll => "Prima tira i dadi.".into(),
                PhaseName::Debt => "Prima salda il tuo debito.".into(),
                _ => "Ora non è possibile: il segnaposto è sulla sua casella e non ci sono offerte.".into(),
            },
            Self::NothingOnSale => "Il tuo segnaposto non è su un territorio libero.".into(),
            Self::TooFewEuros { price, euros } => {
                format!("Il territorio costa {price} euro e ne hai {euros}.")
            }
            Self::BalanceTooLow { seat, balance } => {
                format!("Porterebbe il giocatore {seat} a un bilancio di {balance}, ma {WORST} elimina.")
            }
            Self::NoActionsAfterEvent => "Dopo questo evento non si realizzano azioni.".into(),
            Self::NotYours { territory } => format!("{} non è tuo.", name(*territory)),
            Self::BoughtThisTurn { territory } => {
                format!("Hai comprato {} in questo turno: le sue azioni devono aspettare.", name(*territory))
            }
            Self::AllDone { territory } => {
                format!("Tutte le azioni di {} sono realizzate.", name(*territory))
            }
            Self::CardNotHeld { action, .. } => format!("Ti manca una carta `{}`.", action.id()),
            Self::NoCredit => "Un'azione costa 1 credito e non ne hai.".into(),
            Self::NotOnCo2Square => "Le carte azione si cambiano su una casella CO2.".into(),
            Self::NotResolved => "Qui ti ha mandato un evento: la casella non dà nulla.".into(),
            Self::AlreadyImplemented => "Hai già realizzato un'azione qui e non puoi più cambiare.".into(),
            Self::NotTwoCards => "Indica esattamente due carte.".into(),
            Self::BagTooSmall => "Nel sacchetto ci sono meno di due carte.".into(),
            Self::NoCreditsOnSale => {
                "I crediti si comprano solo per un debito in crediti o quando apre il mercato della CO2."
                    .into()
            }
            Self::WrongNumberOfCredits { most } => format!("Adesso puoi comprare da 1 a {most} crediti."),
            Self::TooFewEurosForCredits { euros } => {
                format!("I crediti costano 100 euro l'uno e hai {euros} euro.")
            }
            Self::NoDebt => "Non hai debiti.".into(),
            Self::DebtCanBePaid => "Puoi pagare il debito comprando crediti.".into(),
            Self::NobodyToTradeWith => "`to` dev'essere un altro giocatore ancora in gioco.".into(),
            Self::UnevenEuros => "Gli euro si scambiano a centinaia.".into(),
            Self::NamedTwice { territory } => format!("{} è indicato due volte.", name(*territory)),
            Self::NoDebtToThem { to } => {
                format!("Non hai debiti con il giocatore {to} che uno scambio possa saldare.")
            }
            Self::NothingGiven => "Ogni parte deve dare qualcosa.".into(),
            Self::UnequalCards => "Le due parti devono indicare lo stesso numero di carte azione.".into(),
            Self::RentsNotMatched { least } => {
                format!(
                    "Chi dà meno territori deve aggiungere almeno {least} euro, le rendite di quelli in più."
                )
            }
            Self::NotHeld { seat, goods } => format!("Il giocatore {seat} non ha {}.", goods.italian()),
            Self::NoOfferLeft => "In questo turno non puoi fare altre offerte.".into(),
            Self::Resting { territory } => {
                format!("{} è appena stato scambiato e non si può ancora scambiare.", name(*territory))
            }
            Self::WinByGift { seat, balance } => format!(
                "Porterebbe il giocatore {seat} a un bilancio di {balance}, ma uno scambio non può vincere la partita."
            ),
        }
    }
}

impl Goods {
    fn english(self) -> &'static str {
        match self {
            Self::Territory(territory) => name(territory),
            Self::Euros => "that many euros",
            Self::Credits => "that many credits",
            Self::Actions => "these action cards",
        }
    }

    fn italian(self) -> &'static str {
        match self {
            Self::Territory(territory) => name(territory),
            Self::Euros => "tanti euro",
            Self::Credits => "tanti crediti",
            Self::Actions => "queste carte azione",
        }
    }
}

fn name(territory: Territory) -> &'static str {
    territory.deed().name
}
