//! Refusals: the rule, and the mistake in one sentence.

use super::{
    cards::Kind,
    company::{Area, BOTTOM_ROW, Direction, MOST_LOANS, TOP_ROW},
    phase::PhaseName,
};
use crate::engine::{Refusal, Seat, id::Id};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    GameOver,
    /// Another seat must decide.
    NotYourTurn {
        phase: PhaseName,
        to_act: Seat,
    },
    /// The seat must decide, but in another way.
    NotInThisPhase {
        phase: PhaseName,
    },
    NoLoanCounted,
    TooManyLoans {
        held: u64,
    },
    NoSuchColumn {
        columns: usize,
    },
    ColumnTaken,
    CardNotHeld {
        card: Kind,
    },
    NotTheLastCard,
    MaterialsMustBeSold,
    TooFewCoWorkers {
        need: u8,
        row: u8,
    },
    TooFewMaterials {
        need: u8,
        held: u8,
    },
    NoRoomForWaste {
        waste: u8,
        more: u8,
    },
    EndOfGrowthTrack {
        steps: u8,
    },
    EndOfCoWorkerTrack {
        direction: Direction,
        steps: u8,
    },
    EndOfArea {
        area: Area,
    },
    WrongNumberOfAreas {
        want: usize,
    },
    TooLittleCash {
        price: u64,
    },
    NoLoanToRepay,
    TooLittleCashToRepay,
    EmptyBid,
    BidTooLow {
        standing: u64,
    },
    BidBeyondCash {
        cash: u64,
    },
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        let is_out_of_turn = matches!(rejection, Rejection::NotYourTurn { .. });
        let refusal = Self::new(rejection.rule(), rejection.english(), rejection.italian());
        Self { is_out_of_turn, ..refusal }
    }
}

impl Rejection {
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::NotYourTurn { phase, .. } | Self::NotInThisPhase { phase } => match phase {
                PhaseName::Choosing => "IW-6.1",
                PhaseName::Playing => "IW-7.1",
                PhaseName::Auction => "IW-9.1",
                PhaseName::Accident | PhaseName::FinalAccident => "IW-8.2",
                PhaseName::Finished => "IW-3.1",
            },
            Self::GameOver | Self::NoLoanCounted => "IW-3.1",
            Self::TooLittleCash { .. } => "IW-3.2",
            Self::TooManyLoans { .. } => "IW-3.4",
            Self::NoSuchColumn { .. } | Self::ColumnTaken => "IW-6.1",
            Self::MaterialsMustBeSold => "IW-7.3",
            Self::NotTheLastCard => "IW-7.4",
            Self::TooFewCoWorkers { .. } | Self::TooFewMaterials { .. } | Self::NoRoomForWaste { .. } => {
                "IW-7.6"
            }
            Self::WrongNumberOfAreas { .. } => "IW-7.9",
            Self::NoLoanToRepay | Self::TooLittleCashToRepay => "IW-7.13",
            Self::EndOfGrowthTrack { .. } | Self::EndOfCoWorkerTrack { .. } | Self::EndOfArea { .. } => {
                "IW-7.14"
            }
            Self::CardNotHeld { .. } => "IW-7.15",
            Self::EmptyBid | Self::BidTooLow { .. } | Self::BidBeyondCash { .. } => "IW-9.2",
        }
    }

    fn english(&self) -> String {
        let duty = |phase: &PhaseName| match phase {
            PhaseName::Choosing => "take a column",
            PhaseName::Playing => "play a card",
            PhaseName::Auction => "bid or pass",
            PhaseName::Accident | PhaseName::FinalAccident => "bribe or accept the accident",
            PhaseName::Finished => "stop: the game is over",
        };
        match self {
            Self::GameOver => "The game is over.".into(),
            Self::NotYourTurn { phase, to_act } => format!("Seat {to_act} must {}.", duty(phase)),
            Self::NotInThisPhase { phase } => format!("You must {} now.", duty(phase)),
            Self::NoLoanCounted => "Take at least one loan.".into(),
            Self::TooManyLoans { held } => {
                let loans = if *held == 1 { "loan" } else { "loans" };
                format!("You hold {held} {loans} and may not choose to go above {MOST_LOANS}.")
            }
            Self::NoSuchColumn { columns } => {
                format!("There is no such column: they are numbered 0 to {}.", columns - 1)
            }
            Self::ColumnTaken => "This column has been taken.".into(),
            Self::CardNotHeld { card } => format!("You have no `{}` card to play.", card.id()),
            Self::NotTheLastCard => "Only your last card can be saved.".into(),
            Self::MaterialsMustBeSold => "Raw materials cannot be discarded: sell them.".into(),
            Self::TooFewCoWorkers { need, row } => {
                format!("The order needs {need} co-workers and you have {row}.")
            }
            Self::TooFewMaterials { need, held } => {
                format!("The order needs {need} raw materials and you have {held}.")
            }
            Self::NoRoomForWaste { waste, more } => {
                format!("The order makes {more} waste and you have {waste} of at most 16.")
            }
            Self::EndOfGrowthTrack { steps } => {
                format!("The factory cannot move {steps} to the right: column 20 is the last.")
            }
            Self::EndOfCoWorkerTrack { direction, steps } => format!(
                "The factory cannot move {steps} towards row {}: that row is the last.",
                last_row(*direction)
            ),
            Self::EndOfArea { area } => {
                format!("The marker of `{}` cannot move that far: it would leave the mat.", area.id())
            }
            Self::WrongNumberOfAreas { want } => {
                format!("With these cards name exactly {want} area(s).")
            }
            Self::TooLittleCash { price } => {
                format!("This costs {price} and you do not have enough. You may take a loan first.")
            }
            Self::NoLoanToRepay => "You have no loan to repay.".into(),
            Self::TooLittleCashToRepay => {
                "Repaying a loan costs 10 and you do not have enough. You may take a loan first.".into()
            }
            Self::EmptyBid => "Bid at least 1, or pass.".into(),
            Self::BidTooLow { standing } => format!("Bid more than {standing}, the highest bid."),
            Self::BidBeyondCash { cash } => {
                format!("You have {cash} and cannot bid more; you may take a loan first.")
            }
        }
    }

    fn italian(&self) -> String {
        let duty = |phase: &PhaseName| match phase {
            PhaseName::Choosing => "prendere un gruppo",
            PhaseName::Playing => "giocare una carta",
            PhaseName::Auction => "fare un'offerta o passare",
            PhaseName::Accident | PhaseName::FinalAccident => "pagare una tangente o accettare l'incidente",
            PhaseName::Finished => "non fare altro",
        };
        match self {
            Self::GameOver => "La partita è finita.".into(),
            Self::NotYourTurn { phase, to_act } => format!("Tocca al giocatore {to_act} {}.", duty(phase)),
            Self::NotInThisPhase { phase } => format!("Adesso devi {}.", duty(phase)),
            Self::NoLoanCounted => "Prendi almeno un prestito.".into(),
            Self::TooManyLoans { held } => {
                let loans = if *held == 1 { "prestito" } else { "prestiti" };
                format!("Hai {held} {loans} e non puoi scegliere di superare i {MOST_LOANS}.")
            }
            Self::NoSuchColumn { columns } => {
                format!("Questo gruppo non esiste: vanno da 0 a {}.", columns - 1)
            }
            Self::ColumnTaken => "Questo gruppo è già stato preso.".into(),
            Self::CardNotHeld { card } => format!("Non hai una carta `{}` da giocare.", card.id()),
            Self::NotTheLastCard => "Si può conservare soltanto l'ultima carta.".into(),
            Self::MaterialsMustBeSold => "Le materie prime non si possono scartare: vendile.".into(),
            Self::TooFewCoWorkers { need, row } => {
                format!("L'ordine richiede {need} collaboratori e ne hai {row}.")
            }
            Self::TooFewMaterials { need, held } => {
                format!("L'ordine richiede {need} materie prime e ne hai {held}.")
            }
            Self::NoRoomForWaste { waste, more } => {
                format!("L'ordine produce {more} rifiuti e ne hai {waste} su un massimo di 16.")
            }
            Self::EndOfGrowthTrack { steps } => {
                format!("La fabbrica non può avanzare di {steps}: la colonna 20 è l'ultima.")
            }
            Self::EndOfCoWorkerTrack { direction, steps } => format!(
                "La fabbrica non può spostarsi di {steps} verso la riga {}: è l'ultima.",
                last_row(*direction)
            ),
            Self::EndOfArea { area } => {
                format!("Il segnalino di `{}` non può avanzare tanto: uscirebbe dalla plancia.", area.id())
            }
            Self::WrongNumberOfAreas { want } => {
                format!("Con queste carte indica esattamente {want} area/e.")
            }
            Self::TooLittleCash { price } => {
                format!("Costa {price} e non ne hai abbastanza; prima puoi prendere un prestito.")
            }
            Self::NoLoanToRepay => "Non hai prestiti da estinguere.".into(),
            Self::TooLittleCashToRepay => {
                "Estinguere un prestito costa 10 e non ne hai abbastanza; prima puoi prenderne un altro."
                    .into()
            }
            Self::EmptyBid => "Offri almeno 1, oppure passa.".into(),
            Self::BidTooLow { standing } => format!("Offri più di {standing}, l'offerta attuale."),
            Self::BidBeyondCash { cash } => {
                format!("Hai {cash} e non puoi offrire di più; prima puoi prendere un prestito.")
            }
        }
    }
}

const fn last_row(direction: Direction) -> u8 {
    match direction {
        Direction::Hire => TOP_ROW,
        Direction::Fire => BOTTOM_ROW,
    }
}
