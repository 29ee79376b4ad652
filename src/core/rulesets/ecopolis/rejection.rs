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
        rule: &'static str,
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
    NotTwoCards {
        rule: &'static str,
    },
    BagTooSmall {
        rule: &'static str,
    },
    NoCreditsOnSale,
    WrongNumberOfCredits {
        most: u64,
    },
    TooFewEurosForCredits {
        euros: u64,
    },
    NoDebt,
    DebtCanBePaid,
    NoDebtInEuros,
    CreditsDoNotSuffice {
        lacking: u64,
    },
    NothingToReturnFor,
    MoneySuffices,
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
    CounterToCounter,
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
            Self::BoughtThisTurn { .. } | Self::AllDone { .. } | Self::NoCredit => "CO-6.7",
            Self::NotYours { rule, .. }
            | Self::CardNotHeld { rule, .. }
            | Self::NotTwoCards { rule }
            | Self::BagTooSmall { rule } => rule,
            Self::NotOnCo2Square | Self::AlreadyImplemented => "CO-6.9",
            Self::NoCreditsOnSale
            | Self::WrongNumberOfCredits { .. }
            | Self::TooFewEurosForCredits { .. } => "CO-7.2",
            Self::NoDebtToThem { .. } => "CO-7.4",
            Self::NoDebt | Self::DebtCanBePaid => "CO-7.5",
            Self::NoDebtInEuros | Self::CreditsDoNotSuffice { .. } => "CO-7.6",
            Self::NothingToReturnFor | Self::MoneySuffices => "CO-7.7",
            Self::NobodyToTradeWith | Self::UnevenEuros | Self::NamedTwice { .. } => "CO-8.1",
            Self::NothingGiven | Self::UnequalCards | Self::RentsNotMatched { .. } => "CO-8.2",
            Self::OfferStands { .. } => "CO-8.3",
            Self::NotHeld { .. } => "CO-8.4",
            Self::NoOfferLeft => "CO-8.5",
            Self::Resting { .. } => "CO-8.6",
            Self::WinByGift { .. } => "CO-8.7",
            Self::CounterToCounter => "CO-8.8",
            Self::GameOver => "CO-9.2",
        }
    }

    fn english(&self) -> String {
        match self {
            Self::Several(first, _) => first.english(),
            Self::GameOver => "The game is over.".into(),
            Self::NotYourTurn { to_act } => format!("It is the turn of seat {to_act}."),
            Self::OfferStands { to, .. } => {
                format!("There is an open offer: seat {to} must answer it, or its proposer withdraw it.")
            }
            Self::NotNow { phase } => match phase {
                PhaseName::Roll => "Roll the dice first.".into(),
                PhaseName::Debt => "Settle your debt first.".into(),
                _ => "Not possible now: you have rolled already, and there is no open offer.".into(),
            },
            Self::NothingOnSale => "Your pawn is not on a free territory.".into(),
            Self::TooFewEuros { price, euros } => {
                format!("The territory costs {price} euros and you have {euros}.")
            }
            Self::BalanceTooLow { seat, balance } => {
                format!("This would bring seat {seat} to a balance of {balance}, but {WORST} eliminates.")
            }
            Self::NoActionsAfterEvent => "After this event you cannot carry out actions.".into(),
            Self::NotYours { territory, .. } => {
                format!("{} is not yours.", name(*territory))
            }
            Self::BoughtThisTurn { territory } => {
                format!("You bought {} in this turn: its actions must wait.", name(*territory))
            }
            Self::AllDone { territory } => format!("All actions of {} are done.", name(*territory)),
            Self::CardNotHeld { action, .. } => format!("You lack a card `{}` for this.", action.id()),
            Self::NoCredit => "An action costs 1 credit and you have none.".into(),
            Self::NotOnCo2Square => "Swap cards on a CO2 square, or once after your roll passed one.".into(),
            Self::NotResolved => "An event sent your pawn here: the square gives nothing.".into(),
            Self::AlreadyImplemented => "You carried out an action and can no longer swap cards.".into(),
            Self::NotTwoCards { .. } => "Name exactly two cards.".into(),
            Self::BagTooSmall { .. } => "The bag holds fewer than two cards.".into(),
            Self::NoCreditsOnSale => {
                "Credits are sold only for a debt in credits, or when the carbon market opens.".into()
            }
            Self::WrongNumberOfCredits { most } => format!("You may buy at most {most} credits now."),
            Self::TooFewEurosForCredits { euros } => {
                format!("Credits cost 100 euros each and you have {euros}.")
            }
            Self::NoDebt => "You have no debt.".into(),
            Self::DebtCanBePaid => "You can pay your debt with your euros, credits and territories.".into(),
            Self::NoDebtInEuros => "You have no debt in euros.".into(),
            Self::CreditsDoNotSuffice { lacking } => {
                format!("Even with all your credits you lack {lacking} euros.")
            }
            Self::NothingToReturnFor => "The bank takes territories back only for a debt.".into(),
            Self::MoneySuffices => "Your euros and credits suffice: the bank takes no territory.".into(),
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
            Self::CounterToCounter => "This is an answer to your own offer: accept or reject it.".into(),
        }
    }

    fn italian(&self) -> String {
        match self {
            Self::Several(first, _) => first.italian(),
            Self::GameOver => "La partita è finita.".into(),
            Self::NotYourTurn { to_act } => format!("È il turno del giocatore {to_act}."),
            Self::OfferStands { to, .. } => format!(
                "C'è un'offerta aperta: il giocatore {to} deve rispondere, oppure chi l'ha fatta può ritirarla."
            ),
            Self::NotNow { phase } => match phase {
                PhaseName::Roll => "Prima tira i dadi.".into(),
                PhaseName::Debt => "Prima salda il tuo debito.".into(),
                _ => "Ora non è possibile: hai già tirato e non c'è un'offerta aperta.".into(),
            },
            Self::NothingOnSale => "Il tuo segnaposto non è su un territorio libero.".into(),
            Self::TooFewEuros { price, euros } => {
                format!("Il territorio costa {price} euro e ne hai {euros}.")
            }
            Self::BalanceTooLow { seat, balance } => {
                format!(
                    "Il giocatore {seat} scenderebbe a un bilancio di {balance}: a {WORST} si è eliminati."
                )
            }
            Self::NoActionsAfterEvent => "Dopo questo evento non si realizzano azioni.".into(),
            Self::NotYours { territory, .. } => {
                format!("{} non è tuo.", name(*territory))
            }
            Self::BoughtThisTurn { territory } => {
                format!("Hai comprato {} in questo turno: le sue azioni devono aspettare.", name(*territory))
            }
            Self::AllDone { territory } => {
                format!("Tutte le azioni di {} sono realizzate.", name(*territory))
            }
            Self::CardNotHeld { action, .. } => format!("Ti manca una carta `{}`.", action.id()),
            Self::NoCredit => "Un'azione costa 1 credito e non ne hai.".into(),
            Self::NotOnCo2Square => {
                "Le carte azione si cambiano su una casella CO2, o una volta dopo averne superata una.".into()
            }
            Self::NotResolved => "Qui ti ha mandato un evento: la casella non dà nulla.".into(),
            Self::AlreadyImplemented => "Hai già realizzato un'azione e non puoi più cambiare carte.".into(),
            Self::NotTwoCards { .. } => "Indica esattamente due carte.".into(),
            Self::BagTooSmall { .. } => "Nel sacchetto ci sono meno di due carte.".into(),
            Self::NoCreditsOnSale => {
                "I crediti si comprano solo per un debito in crediti o con l'evento «Mercato della CO2»."
                    .into()
            }
            Self::WrongNumberOfCredits { most } => format!("Adesso puoi comprare al massimo {most} crediti."),
            Self::TooFewEurosForCredits { euros } => {
                format!("I crediti costano 100 euro l'uno e hai {euros} euro.")
            }
            Self::NoDebt => "Non hai debiti.".into(),
            Self::DebtCanBePaid => "Puoi pagare il debito con euro, crediti e territori.".into(),
            Self::NoDebtInEuros => "Non hai debiti in euro.".into(),
            Self::CreditsDoNotSuffice { lacking } => {
                format!("Anche con tutti i crediti ti mancano {lacking} euro.")
            }
            Self::NothingToReturnFor => "La banca riprende i territori solo per un debito.".into(),
            Self::MoneySuffices => "Euro e crediti ti bastano: la banca non riprende territori.".into(),
            Self::NobodyToTradeWith => "`to` dev'essere un altro giocatore ancora in gioco.".into(),
            Self::UnevenEuros => "Gli euro si scambiano in multipli di 100.".into(),
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
                "Il giocatore {seat} salirebbe a un bilancio di {balance}: non si può vincere con uno scambio."
            ),
            Self::CounterToCounter => "È la risposta alla tua offerta: puoi accettarla o rifiutarla.".into(),
        }
    }
}

impl Goods {
    fn english(self) -> &'static str {
        match self {
            Self::Territory(territory) => name(territory),
            Self::Euros => "enough euros",
            Self::Credits => "enough credits",
            Self::Actions => "these action cards",
        }
    }

    fn italian(self) -> &'static str {
        match self {
            Self::Territory(territory) => name(territory),
            Self::Euros => "abbastanza euro",
            Self::Credits => "abbastanza crediti",
            Self::Actions => "queste carte azione",
        }
    }
}

fn name(territory: Territory) -> &'static str {
    territory.deed().name
}
