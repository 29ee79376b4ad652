//! Commands (section 15).

use serde::Serialize;
use serde_json::Value;

use super::{
    cards::Kind,
    catalogue::COMMANDS,
    company::{Area, Direction},
};
use crate::engine::{Fields, Malformed};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[wire]
#[schema(as = industrial_waste::Command)]
pub enum Command {
    TakeLoan {
        count: u64,
    },
    ChooseCombination {
        column: u64,
    },
    SellMaterials {
        #[schema(required = false, default = false)]
        advisor: bool,
    },
    CompleteOrder {
        #[schema(required = false, default = false)]
        advisor: bool,
    },
    Grow {
        #[schema(required = false, default = false)]
        advisor: bool,
    },
    AdjustWorkforce {
        direction: Direction,
        #[schema(required = false, default = false)]
        advisor: bool,
    },
    Innovate {
        areas: Vec<Area>,
        #[schema(required = false, default = false)]
        advisor: bool,
    },
    DisposeWaste {
        #[schema(required = false, default = false)]
        advisor: bool,
    },
    RemoveWaste {
        #[schema(required = false, default = false)]
        advisor: bool,
    },
    RepayLoan {},
    Discard {
        card: Kind,
    },
    SaveCard {},
    Bid {
        amount: u64,
    },
    PassBid {},
    Bribe {},
    AcceptAccident {},
}

impl Command {
    pub fn read(command: &Value) -> Result<Self, Malformed> {
        Fields::of_kind(command, "command", &COMMANDS, Self::of_kind)
    }

    fn of_kind(kind: &str, fields: &mut Fields) -> Result<Self, Malformed> {
        Ok(match kind {
            "take_loan" => Self::TakeLoan { count: fields.whole("count")? },
            "choose_combination" => Self::ChooseCombination { column: fields.whole("column")? },
            "sell_materials" => Self::SellMaterials { advisor: fields.flag("advisor")? },
            "complete_order" => Self::CompleteOrder { advisor: fields.flag("advisor")? },
            "grow" => Self::Grow { advisor: fields.flag("advisor")? },
            "adjust_workforce" => {
                let direction = fields.note(|fields| fields.id("direction"));
                Self::AdjustWorkforce { advisor: fields.flag("advisor")?, direction: direction? }
            }
            "innovate" => {
                let areas = fields.note(|fields| fields.ids("areas"));
                Self::Innovate { advisor: fields.flag("advisor")?, areas: areas? }
            }
            "dispose_waste" => Self::DisposeWaste { advisor: fields.flag("advisor")? },
            "remove_waste" => Self::RemoveWaste { advisor: fields.flag("advisor")? },
            "repay_loan" => Self::RepayLoan {},
            "discard" => Self::Discard { card: fields.id("card")? },
            "save_card" => Self::SaveCard {},
            "bid" => Self::Bid { amount: fields.whole("amount")? },
            "pass_bid" => Self::PassBid {},
            "bribe" => Self::Bribe {},
            "accept_accident" => Self::AcceptAccident {},
            _ => return Err(fields.no_kind(kind, &COMMANDS)),
        })
    }

    /// Returns the played card, and whether an advisor is played with it (IW-7.15).
    pub const fn cards(&self) -> Option<(Kind, bool)> {
        Some(match self {
            Self::SellMaterials { advisor } => (Kind::RawMaterials, *advisor),
            Self::CompleteOrder { advisor } => (Kind::Order, *advisor),
            Self::Grow { advisor } => (Kind::Growth, *advisor),
            Self::AdjustWorkforce { advisor, .. } => (Kind::HiringFiring, *advisor),
            Self::Innovate { advisor, .. } => (Kind::Innovation, *advisor),
            Self::DisposeWaste { advisor } => (Kind::WasteDisposal, *advisor),
            Self::RemoveWaste { advisor } => (Kind::WasteRemoval, *advisor),
            Self::RepayLoan {} => (Kind::Advisor, false),
            Self::Discard { card } => (*card, false),
            _ => return None,
        })
    }
}
