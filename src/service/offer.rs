//! Offers of players' bots: the games that they accept.

use serde::{Deserialize, Serialize};

use super::request::{Field as _, Request};
use crate::{
    engine::{Fields, Malformed, Text, malformed::one_of},
    ledger::{encoding::LedgerFields as _, game::Game},
    rulesets::RulesetId,
    words::Clocks,
};

/// Games that a bot may offer to play at once.
const MOST_AT_ONCE: u64 = 200;

/// The games that an external bot accepts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[wire]
#[schema(
    as = BotOffer,
    example = json!({"rulesets": ["ecopolis"], "seats": [2, 3], "clocks": "any", "at_once": 10})
)]
pub struct BotOffer {
    #[schema(value_type = Vec<crate::rulesets::RulesetName>, min_items = 1)]
    pub rulesets: Vec<String>,
    /// Numbers of seats that the bot accepts.
    #[schema(value_type = Vec<TableSize>, min_items = 1, max_items = 3)]
    pub seats: Vec<u8>,
    pub clocks: Clocks,
    /// Maximum number of unfinished games the bot plays at once.
    #[schema(minimum = 1, maximum = 200)]
    pub at_once: u64,
}

/// Number of seats.
#[wire]
#[schema(minimum = 2, maximum = 4)]
#[allow(dead_code, reason = "describes a field")]
struct TableSize(u8);

impl Request for BotOffer {
    fn read(body: &serde_json::Value) -> Result<Self, Malformed> {
        let mut fields = Fields::of(body, "")?;
        let rulesets = fields.note(rulesets);
        let seats = fields.note(seats);
        let clocks = fields.note(|fields| Clocks::read(fields, "clocks"));
        let at_once = fields.note(|fields| {
            fields.whole("at_once")?;
            fields.whole_within("at_once", 1..=MOST_AT_ONCE, 1)
        });
        fields.end()?;
        Ok(Self { rulesets: rulesets?, seats: seats?, clocks: clocks?, at_once: at_once? })
    }
}

fn rulesets(fields: &mut Fields) -> Result<Vec<String>, Malformed> {
    let known = || RulesetId::ALL.iter().map(|id| id.name());
    let named = Vec::<String>::read(fields, "rulesets")?;
    if named.is_empty() {
        return Err(fields.wrong("rulesets", one_of(None, known())));
    }
    match named.iter().find(|name| RulesetId::current(name).is_none()) {
        Some(unknown) => Err(fields.wrong("rulesets", one_of(Some(unknown), known()))),
        None => Ok(named),
    }
}

fn seats(fields: &mut Fields) -> Result<Vec<u8>, Malformed> {
    let counts = fields
        .array("seats")?
        .iter()
        .map(|count| u8::try_from(count.as_u64()?).ok().filter(|count| (2..=4).contains(count)));
    let counts: Option<Vec<u8>> = counts.collect();
    counts.filter(|counts| (1..=3).contains(&counts.len())).ok_or_else(|| {
        fields.wrong(
            "seats",
            Text::new("must contain numbers of seats from 2 to 4", "deve contenere numeri di posti da 2 a 4"),
        )
    })
}

impl BotOffer {
    /// Returns why the bot refuses a game.
    pub fn refuses(&self, game: &Game) -> Option<Refuses> {
        let setting = &game.setting;
        if !self.rulesets.iter().any(|name| name == setting.ruleset.name()) {
            Some(Refuses::Ruleset)
        } else if !self.seats.contains(&setting.seats.count()) {
            Some(Refuses::Seats)
        } else {
            let has_clock = game.standing.terms.clock.is_some();
            let fits = match self.clocks {
                Clocks::Any => true,
                Clocks::With => has_clock,
                Clocks::Without => !has_clock,
            };
            (!fits).then_some(Refuses::Clock)
        }
    }
}

/// Why a bot refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refuses {
    Ruleset,
    Seats,
    Clock,
    Busy,
}

impl Refuses {
    pub const fn text(self) -> (&'static str, &'static str) {
        match self {
            Self::Ruleset => ("the bot does not play this game", "il bot non gioca questo gioco"),
            Self::Seats => (
                "the bot does not play with this number of seats",
                "il bot non gioca con questo numero di posti",
            ),
            Self::Clock => ("the bot does not play with this clock", "il bot non gioca con questo orologio"),
            Self::Busy => (
                "the bot already plays its maximum number of games",
                "il bot gioca già il suo numero massimo di partite",
            ),
        }
    }
}

/// Reads a stored offer. An offer that this version cannot read is dropped.
pub fn read_offer(text: Option<&str>) -> Option<BotOffer> {
    serde_json::from_str(text?).ok()
}
