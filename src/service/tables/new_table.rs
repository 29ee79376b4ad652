//! Requests for a table or a seat.

use serde_json::{Map, Value};
use uuid::Uuid;

#[cfg(test)]
use super::new_machines::NewMachine;
use super::new_machines::NewMachines;
use crate::{
    engine::{Fields, Malformed, Seats, Text, hash::Bytes32, malformed::no_seat},
    ledger::{
        replay::Setting,
        terms::{LONGEST, Terms},
    },
    rulesets::RulesetId,
    service::{
        reading::game_view::ClockView,
        request::{Field, Raw, Request, SeatClaim, request},
        text::fit,
    },
    words::{Level, Visibility},
};

const LONGEST_TITLE: usize = 100;

request! {
    /// A new game.
    #[schema(
        example = json!({"ruleset": "industrial-waste", "seats": 3, "options": {"max_rounds": 20}, "title": "Friday"})
    )]
    pub struct NewGame {
        #[schema(value_type = crate::rulesets::RulesetName)]
        pub ruleset: RulesetId,
        #[schema(value_type = u8, minimum = 2, maximum = 4)]
        pub seats: u64,
        /// Absent options have their defaults.
        #[schema(value_type = Option<crate::rulesets::AnyOptions>)]
        pub options: Option<Raw>,
        /// Title of the table. The same characters are allowed as in a player's name.
        #[schema(value_type = Option<String>, max_length = 100)]
        pub title: Option<Title>,
        pub visibility: Option<Visibility>,
        #[schema(value_type = Option<NewClock>)]
        pub clock: Option<ClockView>,
        /// Whether a seat may take back its own moves while nothing was drawn or revealed.
        #[schema(required = false, default = false)]
        pub takebacks: bool,
        /// Whether a substitute may take the seat of a player who left.
        #[schema(required = false, default = false)]
        pub substitutes: bool,
        /// Built-in bots that join at once. The game starts if they fill the table.
        #[schema(value_type = Option<Vec<NewMachine>>, max_items = 3)]
        pub bots: Option<NewMachines>,
        /// Whether the game counts for ratings. Only public games do. Default: whether the game is public.
        pub rated: Option<Rated>,
        /// Id of the game, a UUID of version 7 made by the client. Required with `signed`, not allowed
        /// without.
        #[schema(value_type = Option<String>, format = Uuid)]
        pub id: Option<GameId>,
        /// Version of the rules. Required with `signed`.
        #[schema(value_type = Option<u32>, minimum = 1)]
        pub version: Option<u64>,
        /// Seat of the creator. Default: 0.
        #[schema(value_type = Option<crate::engine::Seat>)]
        pub seat: Option<u64>,
        /// Signature of the creator's join. The terms that it covers are those of this request, so
        /// `options` must then be complete.
        pub signed: Option<SeatClaim>,
        /// Commitment to the player's random bytes, as in `NewSeat`.
        #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
        pub entropy_commit: Option<Bytes32>,
    }
}

request! {
    /// A request for a seat.
    #[schema(as = NewSeat, example = json!({}))]
    pub struct JoinRequest {
        /// Invite code of the game, or the code of a substitution.
        pub invite: Option<String>,
        /// Seat to take: a free one, or in a running game with substitutes an open one. Required with
        /// `signed`. Default: the lowest.
        #[schema(value_type = Option<crate::engine::Seat>)]
        pub seat: Option<u64>,
        /// Signature of the seat and the terms of the table. In a running game it is of the type `hand`.
        pub signed: Option<SeatClaim>,
        /// Commitment to 32 secret random bytes `c` of your own, which become part of the shuffle. Hex of
        /// `H("client", c)` as in `/v1/fairlog`: SHA-256 of the tag `fairlog/3 client`, a line feed, the
        /// length 32 as 4 bytes (big-endian), and `c`. Keep `c` secret until the table is sealed, then
        /// reveal it with `POST /v1/games/{id}/entropy`. Test your code with the vector in `/v1/fairlog`.
        #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
        pub entropy_commit: Option<Bytes32>,
    }
}

request! {
    /// A bot for a seat: a built-in bot by `level`, or an external bot by `name`.
    #[schema(as = NewBot, example = json!({"level": "middle"}))]
    pub struct AddBot {
        pub level: Option<Level>,
        #[schema(value_type = Option<String>, max_length = 40)]
        pub name: Option<String>,
        /// Seat of the bot. Default: the lowest free one. An external bot takes the lowest seat that is
        /// free when it joins.
        #[schema(value_type = Option<crate::engine::Seat>)]
        pub seat: Option<u64>,
    }
    one of level, name
}

request! {
    /// An invitation of a person to an open table.
    #[schema(example = json!({
        "player": "01900000-0000-7000-8000-000000000001", "met_in": "01900000-0000-7000-8000-000000000002"
    }))]
    pub struct NewInvitation {
        #[schema(value_type = String, format = Uuid)]
        pub player: KnownId,
        /// A game in which the caller and the player have seats.
        #[schema(value_type = String, format = Uuid)]
        pub met_in: KnownId,
    }
}

request! {
    /// A request for a rematch.
    #[schema(example = json!({}))]
    pub struct NewRematch {
        /// Id of the rematch, as in `NewGame`, unless it is open already. Required with `signed`.
        #[schema(value_type = Option<String>, format = Uuid)]
        pub id: Option<GameId>,
        /// The caller's seat in the rematch: its seat in this game plus one, and 0 after the last. Required
        /// with `signed`.
        #[schema(value_type = Option<crate::engine::Seat>)]
        pub seat: Option<u64>,
        /// Signature of the seat and the terms of the rematch: those of this game, with `previous`.
        pub signed: Option<SeatClaim>,
        /// Commitment to the player's random bytes, as in `NewSeat`.
        #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
        pub entropy_commit: Option<Bytes32>,
    }
}

request! {
    pub struct Reveal {
        /// The 32 bytes behind the commitment.
        #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
        pub entropy: Bytes32,
    }
}

/// Time that a seat has for a decision.
#[wire]
#[allow(dead_code, reason = "describes a field")]
struct NewClock {
    #[schema(minimum = 1, maximum = 2_592_000)]
    move_seconds: u32,
    /// Time bank of a seat in seconds, shared by all its decisions. Default: none.
    #[schema(required = false, maximum = 2_592_000)]
    bank_seconds: u32,
}

/// A valid order for a new table.
pub struct NewTable {
    /// Chosen by the client.
    pub id: Option<Uuid>,
    pub setting: Setting,
    pub title: Option<String>,
    pub visibility: Visibility,
    pub terms: Terms,
    /// The creator's seat.
    pub seat: u64,
    pub signed: Option<SeatClaim>,
    pub promise: Option<Bytes32>,
    /// Seats and levels of built-in bots.
    pub machines: Vec<(u64, Level)>,
}

impl Request for NewTable {
    fn read(body: &Value) -> Result<Self, Malformed> {
        let new = NewGame::read(body).map_err(|malformed| {
            Malformed::all([Some(malformed.clone()), of_ruleset(body)].into_iter().flatten())
                .unwrap_or(malformed)
        })?;
        let NewGame { ruleset, seats, options, title, visibility, clock, takebacks, substitutes, .. } = new;
        let seats = table_of(ruleset, seats).map_err(|malformed| of_ruleset(body).unwrap_or(malformed))?;
        let sent = options.map_or_else(|| Value::Object(Map::new()), |Raw(options)| options);
        let options = ruleset.read_options(&sent, seats);
        let own = new.seat.unwrap_or(0);
        let machines = new.bots.unwrap_or_default().at(seats, Some(own));
        let (options, machines) = Malformed::both(options, machines)?;
        if seats.seat(own).is_none() {
            return Err(Malformed::new("seat", no_seat()));
        }
        let visibility = visibility.unwrap_or(Visibility::Public);
        let rated = rated(visibility, new.rated)?;
        let written =
            serde_json::to_value(&options).map_err(|error| Malformed::new("options", error.to_string()))?;
        if new.signed.is_some() {
            complete(&sent, &written, new.id.is_some(), new.version, ruleset)?;
        } else if new.id.is_some() {
            return Err(Malformed::new("id", needs_signed()));
        }
        let mut terms = Terms::of(ruleset.name(), ruleset.version().into(), written, seats.count().into());
        (terms.clock, terms.takebacks, terms.substitutes) =
            (clock.map(ClockView::clock), takebacks, substitutes);
        terms.rated = rated;
        Ok(Self {
            id: new.id.map(|GameId(id)| id),
            setting: Setting { ruleset, options, seats },
            title: title.map(|Title(title)| title).filter(|title| !title.is_empty()),
            visibility,
            terms,
            seat: own,
            signed: new.signed,
            promise: new.entropy_commit,
            machines,
        })
    }
}

fn rated(visibility: Visibility, asked: Option<Rated>) -> Result<bool, Malformed> {
    let is_public = visibility == Visibility::Public;
    match asked {
        Some(Rated(true)) if !is_public => {
            let (en, it) = (
                "must be false: only public games are rated",
                "dev'essere false: solo le partite pubbliche valgono per la classifica",
            );
            Err(Malformed::new("rated", Text::new(en, it)))
        }
        asked => Ok(asked.map_or(is_public, |Rated(rated)| rated)),
    }
}

/// Fails unless a signed creation has all terms: the signature covers them, and a default would be the
/// server's choice.
fn complete(
    sent: &Value,
    written: &Value,
    has_id: bool,
    version: Option<u64>,
    ruleset: RulesetId,
) -> Result<(), Malformed> {
    let needed = || Text::new("is required with `signed`", "è obbligatorio con `signed`");
    let options = written.as_object().into_iter().flatten();
    let missing = options.filter(|(name, _)| sent.get(name.as_str()).is_none());
    let mut wrong: Vec<Malformed> =
        missing.map(|(name, _)| Malformed::new(format!("options.{name}"), needed())).collect();
    wrong.extend((!has_id).then(|| Malformed::new("id", needed())));
    match version {
        None => wrong.push(Malformed::new("version", needed())),
        Some(version) if version != u64::from(ruleset.version()) => {
            let newest = ruleset.version();
            let (en, it) = (format!("must be {newest}"), format!("dev'essere {newest}"));
            wrong.push(Malformed::new("version", Text::new(en, it)));
        }
        Some(_) => {}
    }
    Malformed::all(wrong).map_or(Ok(()), Err)
}

fn needs_signed() -> Text<String> {
    Text::new("is allowed only with `signed`", "è ammesso solo con `signed`")
}

/// A flag whose default depends on other members.
#[derive(Clone, Copy)]
pub struct Rated(bool);

impl Field for Rated {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        fields.flag(name).map(Self)
    }
}

#[cfg(test)]
impl utoipa::PartialSchema for Rated {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        bool::schema()
    }
}

#[cfg(test)]
impl utoipa::ToSchema for Rated {}

/// The id of a game, chosen by its creator.
#[derive(Clone, Copy)]
pub struct GameId(pub Uuid);

impl Field for GameId {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let text = fields.text(name)?;
        let id = Uuid::try_parse(text).ok().filter(|id| id.get_version_num() == 7 && id.to_string() == text);
        id.map(Self).ok_or_else(|| {
            let (en, it) = (
                "must be a UUID of version 7, in lowercase with hyphens",
                "dev'essere un UUID di versione 7, in minuscolo e con i trattini",
            );
            fields.wrong(name, Text::new(en, it))
        })
    }
}

/// The id of something that exists, or of nothing.
pub struct KnownId(pub Uuid);

impl Field for KnownId {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let id = Uuid::try_parse(fields.text(name)?);
        id.map(Self).map_err(|_| fields.wrong(name, Text::new("must be a UUID", "dev'essere un UUID")))
    }
}

/// Returns the mistakes that only the ruleset knows, to report them with the others.
fn of_ruleset(body: &Value) -> Option<Malformed> {
    let ruleset = RulesetId::current(body["ruleset"].as_str()?)?;
    let seats = body["seats"].as_u64().map(|count| table_of(ruleset, count));
    let largest = || table_of(ruleset, (*ruleset.seats().end()).into()).ok();
    let table = seats.clone().and_then(Result::ok).or_else(largest)?;
    let options = body.get("options").and_then(|options| ruleset.read_options(options, table).err());
    Malformed::all([seats.and_then(Result::err), options].into_iter().flatten())
}

/// Returns the table size, if the ruleset allows it.
fn table_of(ruleset: RulesetId, count: u64) -> Result<Seats, Malformed> {
    let seats = Seats::new(count).filter(|seats| ruleset.seats().contains(&seats.count()));
    seats.ok_or_else(|| {
        let (least, most) = ruleset.seats().into_inner();
        let (en, it) = (format!("must be from {least} to {most}"), format!("dev'essere da {least} a {most}"));
        Malformed::new("seats", Text::new(en, it))
    })
}

pub struct Title(String);

impl Field for Title {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let title = fit(fields.text(name)?).map_err(|unfit| fields.wrong(name, unfit.what()))?;
        if title.chars().count() > LONGEST_TITLE {
            return Err(fields.wrong(
                name,
                Text::new("must have at most 100 characters", "può avere al massimo 100 caratteri"),
            ));
        }
        Ok(Self(title))
    }
}

impl Field for ClockView {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let Raw(clock) = Raw::read(fields, name)?;
        let mut inner = Fields::of(&clock, fields.place(name))?;
        let has_bank = clock.get("bank_seconds").is_some();
        let seconds = |inner: &mut Fields, name, least: u64| {
            let number = inner.whole(name)?;
            let within = u32::try_from(number).ok().filter(|_| (least..=LONGEST).contains(&number));
            within.ok_or_else(|| {
                let (en, it) = (format!("from {least} to {LONGEST}"), format!("da {least} a {LONGEST}"));
                inner.wrong(name, Text::new(format!("must be {en}"), format!("dev'essere {it}")))
            })
        };
        let move_seconds = inner.note(|inner| seconds(inner, "move_seconds", 1));
        let bank_seconds =
            if has_bank { inner.note(|inner| seconds(inner, "bank_seconds", 0)) } else { Ok(0) };
        inner.end()?;
        Ok(Self { move_seconds: move_seconds?, bank_seconds: bank_seconds? })
    }
}
