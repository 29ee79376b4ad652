//! Requests for a table or a seat.

use serde_json::{Map, Value};

use crate::{
    engine::{Fields, Malformed, Seats, Text, hash::Bytes32},
    ledger::{
        encoding::LedgerFields as _,
        replay::Setting,
        signed::SeatKey,
        terms::{LONGEST, Terms},
    },
    rulesets::RulesetId,
    service::{
        read::game_view::ClockView,
        request::{Field, Raw, Request, SeatKeys, request},
        text::fit,
    },
    words::{Level, Visibility},
};

const LONGEST_TITLE: usize = 100;

request! {
    /// A new game.
    #[cfg_attr(feature = "openapi", schema(example = json!({"ruleset": "industrial-waste", "seats": 3, "options": {"max_rounds": 20}, "title": "Friday"})))]
    pub struct NewGame {
        #[cfg_attr(feature = "openapi", schema(value_type = crate::rulesets::RulesetName))]
        pub ruleset: RulesetId,
        #[cfg_attr(feature = "openapi", schema(value_type = u8, minimum = 2, maximum = 4))]
        pub seats: u64,
        /// Those that are left out have their defaults.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::rulesets::AnyOptions>))]
        pub options: Option<Raw>,
        /// Title of the table. The same characters are allowed as in a player's name.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, max_length = 100))]
        pub title: Option<Title>,
        pub visibility: Option<Visibility>,
        #[cfg_attr(feature = "openapi", schema(value_type = Option<NewClock>))]
        pub clock: Option<ClockView>,
        /// Whether a seat may take back its own moves while nothing was drawn or revealed.
        #[cfg_attr(feature = "openapi", schema(required = false, default = false))]
        pub takebacks: bool,
        /// Whether a substitute may take the seat of a player who left.
        #[cfg_attr(feature = "openapi", schema(required = false, default = false))]
        pub substitutes: bool,
        /// Built-in bots that join at once. The game starts if they fill the table.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<NewMachine>>, max_items = 3))]
        pub bots: Option<NewMachines>,
        pub keys: Option<SeatKeys>,
        /// Commitment to the player's random bytes, as in `NewSeat`.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$"))]
        pub entropy_commit: Option<Bytes32>,
    }
}

request! {
    /// A request for a seat.
    #[cfg_attr(feature = "openapi", schema(as = NewSeat, example = json!({})))]
    pub struct Join {
        pub invite: Option<String>,
        /// Running games with substitutes only: the open seat to take. Default: the lowest.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::engine::Seat>))]
        pub seat: Option<u64>,
        pub keys: Option<SeatKeys>,
        /// Commitment to 32 secret random bytes `c` of your own, which become part of the shuffle. Hex of
        /// `H(client, c)` as in `/v1/fairlog`: SHA-256 of the tag `fairlog/2 client` (`fairlog/1 client`
        /// for games of that format), a line feed, the length 32 as 4 bytes (big-endian), and `c`. Keep
        /// `c` secret until the table is sealed, then reveal it with `POST /v1/games/{id}/entropy`. Test
        /// your code with the vector in `/v1/fairlog`.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$"))]
        pub entropy_commit: Option<Bytes32>,
    }
}

request! {
    /// A bot for a seat: a built-in bot by `level`, or an external bot by `name`.
    #[cfg_attr(feature = "openapi", schema(as = NewBot, example = json!({"level": "middle"})))]
    pub struct AddBot {
        pub level: Option<Level>,
        #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, max_length = 40))]
        pub name: Option<String>,
        /// Seat of the bot. Default: the lowest free one. An external bot takes the lowest seat that is
        /// free when it joins.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::engine::Seat>))]
        pub seat: Option<u64>,
    }
    one of level, name
}

request! {
    /// A request for a seat by invite or in a rematch.
    #[cfg_attr(feature = "openapi", schema(example = json!({})))]
    pub struct Promise {
        pub keys: Option<SeatKeys>,
        /// Commitment to the player's random bytes, as in `NewSeat`.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$"))]
        pub entropy_commit: Option<Bytes32>,
    }
}

request! {
    pub struct Reveal {
        /// The 32 bytes behind the commitment.
        #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
        pub entropy: Bytes32,
    }
}

/// Time that a seat has for a decision.
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[allow(dead_code, reason = "describes a field")]
struct NewClock {
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 2_592_000))]
    move_seconds: u32,
    /// Time bank of a seat in seconds, shared by all its decisions. Default: none.
    #[cfg_attr(feature = "openapi", schema(required = false, maximum = 2_592_000))]
    bank_seconds: u32,
}

/// A table to be opened, once what was asked for holds together.
pub struct NewTable {
    pub setting: Setting,
    pub title: Option<String>,
    pub visibility: Visibility,
    pub terms: Terms,
    pub keys: Vec<SeatKey>,
    pub promise: Option<Bytes32>,
    /// Seats of the server's own players, and their levels.
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
        let options = options.map_or_else(|| Value::Object(Map::new()), |Raw(options)| options);
        let options = ruleset.read_options(&options, seats);
        let machines = new.bots.unwrap_or_default().at(seats, 1);
        let (options, machines) = Malformed::both(options, machines)?;
        Ok(Self {
            setting: Setting { ruleset, options, seats },
            title: title.map(|Title(title)| title).filter(|title| !title.is_empty()),
            visibility: visibility.unwrap_or(Visibility::Public),
            terms: Terms { clock: clock.map(ClockView::clock), takebacks, substitutes, previous: None },
            keys: new.keys.map(SeatKeys::list).unwrap_or_default(),
            promise: new.entropy_commit,
            machines,
        })
    }
}

/// A built-in bot at a seat.
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = BotAtTable))]
#[allow(dead_code, reason = "describes a field")]
pub struct NewMachine {
    /// The seat of the bot. In a new game it cannot be 0, which is the creator's.
    #[cfg_attr(feature = "openapi", schema(maximum = 3))]
    seat: u8,
    level: Level,
}

/// Who of the server's own sits where.
#[derive(Default)]
pub struct NewMachines(Vec<(u64, Level)>);

impl Field for NewMachines {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let bots = fields.array(name)?.iter().enumerate();
        let read = |(place, bot)| {
            let mut fields = Fields::of(bot, format!("{name}[{place}]"))?;
            let seat = fields.note(|fields| fields.whole("seat"));
            let level = fields.note(|fields| Level::read(fields, "level"));
            fields.end()?;
            Ok((seat?, level?))
        };
        Malformed::every(bots.map(read)).map(Self)
    }
}

impl NewMachines {
    /// Those at a table of so many seats, from this one on.
    pub fn at(self, seats: Seats, first: u64) -> Result<Vec<(u64, Level)>, Malformed> {
        let is_free = |place: usize, seat: u64| {
            seat >= first
                && seats.seat(seat).is_some()
                && self.0[..place].iter().all(|(taken, _)| *taken != seat)
        };
        let wrong = |place: usize| {
            let most = seats.count() - 1;
            let (en, it) = (
                format!("must be from {first} to {most}, each once"),
                format!("dev'essere da {first} a {most}, ognuno una volta"),
            );
            Malformed::new(format!("bots[{place}].seat"), Text::new(en, it))
        };
        let seated = self.0.iter().enumerate().map(|(place, (seat, level))| {
            if is_free(place, *seat) { Ok((*seat, *level)) } else { Err(wrong(place)) }
        });
        Malformed::every(seated)
    }
}

/// What is wrong by the ruleset alone, so that it is told with all that is wrong by itself.
fn of_ruleset(body: &Value) -> Option<Malformed> {
    let ruleset = RulesetId::current(body["ruleset"].as_str()?)?;
    let seats = body["seats"].as_u64().map(|count| table_of(ruleset, count));
    let largest = || table_of(ruleset, (*ruleset.seats().end()).into()).ok();
    let table = seats.clone().and_then(Result::ok).or_else(largest)?;
    let options = body.get("options").and_then(|options| ruleset.read_options(options, table).err());
    Malformed::all([seats.and_then(Result::err), options].into_iter().flatten())
}

/// So many seats, if the ruleset is played by so many.
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
