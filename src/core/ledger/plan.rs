//! Plans: rules for an absent player. The first fitting rule is played.

use std::fmt;

use serde_json::{Value, json};

use super::{encoding::LedgerFields as _, signed::Signed};
use crate::{
    engine::{Fields, Malformed, Seat, Text},
    rulesets::{AnyCommand, AnyTable},
};

/// Most rules of a plan.
pub const MOST_RULES: usize = 32;
/// Most decisions by plans in a row, without the player.
pub const MOST_IN_A_ROW: u8 = 64;

/// A plan as used. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Plan {
    pub rules: Vec<PlanRule>,
    pub signed: Option<Signed>,
}

/// A command for a phase. With `up_to`, the command lacks its number, and the least legal number is used.
#[derive(Clone, PartialEq, Eq)]
pub struct PlanRule {
    pub phase: String,
    pub command: Value,
    pub up_to: Option<u64>,
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plan(secret)")
    }
}

impl fmt::Debug for PlanRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PlanRule(secret)")
    }
}

impl Plan {
    pub fn write(&self) -> Value {
        json!({"rules": PlanRule::write_all(&self.rules), "signed": self.signed.as_ref().map(Signed::write)})
    }

    pub fn read(value: &Value, at: &str) -> Result<Self, Malformed> {
        let mut fields = Fields::of(value, at)?;
        let rules = PlanRule::read_all(fields.array("rules")?, &fields.place("rules"))?;
        let signed = Signed::read(&mut fields)?;
        fields.end().map(|()| Self { rules, signed })
    }

    /// Returns the command for a seat that must decide, if a rule fits.
    pub fn choice(&self, table: &AnyTable, seat: Seat) -> Option<AnyCommand> {
        let phase = table.phase();
        let mut here = self.rules.iter().filter(|rule| rule.phase == phase);
        here.find_map(|rule| rule.choice(table, seat))
    }
}

impl PlanRule {
    pub fn write_all(rules: &[Self]) -> Value {
        rules.iter().map(Self::write).collect::<Vec<_>>().into()
    }

    fn write(&self) -> Value {
        let mut rule = json!({"phase": self.phase, "command": self.command});
        if let Some(up_to) = self.up_to {
            rule["up_to"] = up_to.into();
        }
        rule
    }

    pub fn read_all(items: &[Value], at: &str) -> Result<Vec<Self>, Malformed> {
        if !(1..=MOST_RULES).contains(&items.len()) {
            let (en, it) = (
                format!("must hold from 1 to {MOST_RULES} rules"),
                format!("deve avere da 1 a {MOST_RULES} regole"),
            );
            return Err(Malformed::new(at, Text::new(en, it)));
        }
        Malformed::every(items.iter().enumerate().map(|(i, item)| Self::read(item, format!("{at}[{i}]"))))
    }

    fn read(item: &Value, at: String) -> Result<Self, Malformed> {
        let mut fields = Fields::of(item, at)?;
        let phase = fields.note(|fields| fields.text("phase").map(str::to_owned));
        let command = fields.note(|fields| {
            let command = fields.value("command")?;
            let wrong = || fields.wrong("command", Text::new("must be an object", "dev'essere un oggetto"));
            command.is_object().then(|| command.clone()).ok_or_else(wrong)
        });
        let up_to = item.get("up_to").map(|_| fields.note(|fields| fields.whole("up_to"))).transpose();
        fields.end()?;
        Ok(Self { phase: phase?, command: command?, up_to: up_to? })
    }

    fn choice(&self, table: &AnyTable, seat: Seat) -> Option<AnyCommand> {
        let whole = match self.up_to {
            None => self.command.clone(),
            Some(up_to) => {
                let (field, least) = self.least(table, seat)?;
                let mut command = self.command.clone();
                command.as_object_mut()?.insert(field.to_owned(), least.into());
                (least <= up_to).then_some(command)?
            }
        };
        let command = table.ruleset().read_command(&whole).ok()?;
        table.check(seat, &command).is_ok().then_some(command)
    }

    /// Returns the open field, and its least legal number.
    fn least(&self, table: &AnyTable, seat: Seat) -> Option<(&'static str, u64)> {
        let fits = |listed: &AnyCommand| {
            let (written, mut whole) = (serde_json::to_value(listed).ok()?, self.command.clone());
            let mut open = table.ruleset().open_numbers().iter().copied();
            let field = open.find(|field| written.get(field).is_some())?;
            let number = written[field].as_u64()?;
            let before = whole.as_object_mut()?.insert(field.to_owned(), number.into());
            let is_it = before.is_none() && table.ruleset().read_command(&whole).as_ref() == Ok(listed);
            is_it.then_some((field, number))
        };
        let legal = table.legal(seat).commands.into_iter().filter_map(|listed| {
            let (field, number) = fits(&listed.command)?;
            let least = listed.vary.filter(|vary| vary.field == field).map_or(number, |vary| vary.min);
            Some((field, least))
        });
        legal.min_by_key(|(_, least)| *least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestDice, short_table};

    /// Returns a table in an auction with a bid, the seat that may bid, and its least bid.
    fn auction() -> (AnyTable, Seat, u64) {
        for number in 0..1_000 {
            // Even numbers give games of Industrial Waste.
            let mut dice = TestDice::new(number);
            let mut table = short_table(number * 2, 3, 6, &mut dice);
            while let Some(seat) = table.to_act() {
                let listed = table.legal(seat).commands;
                let bid =
                    listed.iter().find(|one| serde_json::to_value(&one.command).unwrap()["type"] == "bid");
                if let Some(vary) = bid.and_then(|bid| bid.vary.as_ref().filter(|vary| vary.min > 1)) {
                    return (table, seat, vary.min);
                }
                table.submit(seat, &dice.pick(&listed).command.clone()).unwrap();
            }
        }
        panic!("nobody ever bids over another");
    }

    #[test]
    fn a_limit_is_bid_up_to_and_not_beyond_and_never_more_than_needed() {
        let (table, seat, least) = auction();
        let choice = |command: Value, up_to: Option<u64>| {
            let rule = PlanRule { phase: table.phase().into(), command, up_to };
            let plan = Plan { rules: vec![rule], signed: None };
            plan.choice(&table, seat).map(|command| serde_json::to_value(command).unwrap())
        };
        let (open, bid) = (json!({"type": "bid"}), |amount: u64| json!({"type": "bid", "amount": amount}));
        assert_eq!(choice(open.clone(), Some(least)), Some(bid(least)));
        assert_eq!(choice(open.clone(), Some(least + 5)), Some(bid(least)));
        assert_eq!(choice(open.clone(), Some(least - 1)), None);
        assert_eq!(choice(open, None), None, "without a limit a number is missing");
        assert_eq!(choice(bid(least), Some(least)), None, "with one it stands there already");
        assert_eq!(choice(bid(least), None), Some(bid(least)));
    }

    #[test]
    fn nothing_of_a_plan_is_printed() {
        let rule = PlanRule { phase: "auction".into(), command: json!({"type": "bid"}), up_to: Some(6) };
        let plan = Plan { rules: vec![rule.clone()], signed: None };
        assert_eq!(format!("{plan:?} {rule:?}"), "Plan(secret) PlanRule(secret)");
    }
}
