//! Commands (section 14).

use serde::Serialize;
use serde_json::Value;

use super::{cards::Action, catalogue::COMMANDS, tables::Territory, trade::Side};
use crate::engine::{Fields, Malformed};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[wire]
#[schema(as = ecopolis::Command)]
pub enum Command {
    Roll {},
    BuyTerritory {},
    ImplementAction {
        territory: Territory,
    },
    ExchangeActions {
        /// Two cards from the hand.
        actions: Vec<Action>,
    },
    EndTurn {},
    BuyCredits {
        count: u64,
    },
    PayInCredits {},
    ReturnTerritory {
        territory: Territory,
    },
    ProposeTrade {
        /// Seat that receives the offer.
        to: u64,
        #[schema(required = false, value_type = super::trade::SentSide)]
        give: Box<Side>,
        #[schema(required = false, value_type = super::trade::SentSide)]
        take: Box<Side>,
        #[schema(required = false, default = false)]
        settles_debt: bool,
    },
    CounterTrade {
        #[schema(required = false, value_type = super::trade::SentSide)]
        give: Box<Side>,
        #[schema(required = false, value_type = super::trade::SentSide)]
        take: Box<Side>,
    },
    AcceptTrade {},
    RejectTrade {},
    WithdrawTrade {},
    DeclareBankruptcy {},
}

impl Command {
    pub fn read(command: &Value) -> Result<Self, Malformed> {
        Fields::of_kind(command, "command", &COMMANDS, Self::of_kind)
    }

    fn of_kind(kind: &str, fields: &mut Fields) -> Result<Self, Malformed> {
        Ok(match kind {
            "roll" => Self::Roll {},
            "buy_territory" => Self::BuyTerritory {},
            "implement_action" => Self::ImplementAction { territory: fields.id("territory")? },
            "exchange_actions" => Self::ExchangeActions { actions: fields.ids("actions")? },
            "end_turn" => Self::EndTurn {},
            "buy_credits" => Self::BuyCredits { count: fields.whole("count")? },
            "pay_in_credits" => Self::PayInCredits {},
            "return_territory" => Self::ReturnTerritory { territory: fields.id("territory")? },
            "propose_trade" => {
                let to = fields.note(|fields| fields.whole("to"));
                let [give, take] = sides(fields);
                let settles_debt = fields.flag("settles_debt")?;
                Self::ProposeTrade { to: to?, give: give?.into(), take: take?.into(), settles_debt }
            }
            "counter_trade" => {
                let [give, take] = sides(fields);
                Self::CounterTrade { give: give?.into(), take: take?.into() }
            }
            "accept_trade" => Self::AcceptTrade {},
            "reject_trade" => Self::RejectTrade {},
            "withdraw_trade" => Self::WithdrawTrade {},
            "declare_bankruptcy" => Self::DeclareBankruptcy {},
            _ => return Err(fields.no_kind(kind, &COMMANDS)),
        })
    }
}

fn sides(fields: &mut Fields) -> [Result<Side, Malformed>; 2] {
    ["give", "take"].map(|side| fields.note(|fields| Side::read(fields.get(side), fields.place(side))))
}
