//! Requests: one declaration makes the reader and the schema of a body.

mod signatures;

use serde_json::Value;
use uuid::Uuid;

pub use self::signatures::{DeviceStatement, RevokedKeys, SeatClaim, Signature};
use crate::{
    engine::{Fields, Malformed, Text, hash::Bytes32, malformed::clip, malformed::one_of},
    ledger::{
        encoding::{LedgerFields as _, hex_digits, unhex},
        restore::Restore,
        seat_key::SeatKey,
        signed::MOST_COMMANDS,
    },
    rulesets::{AnyCommand, RulesetId},
    tree::note::{VerifierKey, WitnessKey},
    words::{Clocks, Level, OperatorActKind, Registration, ReportReason, Visibility},
};

/// A request body, read strictly.
pub trait Request: Sized + 'static {
    /// Whether the body has no members.
    const IS_EMPTY: bool = false;
    /// Whether the body may be missing.
    const IS_OPTIONAL: bool = Self::IS_EMPTY;

    fn read(body: &Value) -> Result<Self, Malformed>;
}

/// A member of a request.
pub trait Field: Sized {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed>;
}

/// Declares a request: a struct whose members are read by name, with a derived schema. `one of` names two
/// members of which exactly one is required.
macro_rules! request {
    ($(#[$meta:meta])* pub struct $Name:ident {
        $($(#[$field_meta:meta])* pub $field:ident: $Type:ty),+ $(,)?
    } $(one of $one:ident, $other:ident)?) => {
        #[wire]
        $(#[$meta])*
        pub struct $Name {
            $($(#[$field_meta])* pub $field: $Type),+
        }

        impl $crate::service::request::Request for $Name {
            fn read(body: &serde_json::Value) -> Result<Self, $crate::engine::Malformed> {
                Self::of($crate::engine::Fields::of(body, "")?)
            }
        }

        impl $Name {
            /// Reads the members.
            pub fn of(mut fields: $crate::engine::Fields) -> Result<Self, $crate::engine::Malformed> {
                $(let $field = fields.note(|fields| $crate::service::request::Field::read(fields, stringify!($field)));)+
                $(fields.note(|fields| fields.one_of(stringify!($one), stringify!($other))).ok();)?
                fields.end()?;
                Ok(Self { $($field: $field?),+ })
            }
        }
    };
}
pub(crate) use request;

/// A request without members.
pub struct Nothing;

impl Request for Nothing {
    const IS_EMPTY: bool = true;

    fn read(body: &Value) -> Result<Self, Malformed> {
        Fields::of(body, "")?.end().map(|()| Self)
    }
}

/// A request whose body may be missing.
pub struct OptionalBody<T>(pub T);

impl<T: Request> Request for OptionalBody<T> {
    const IS_OPTIONAL: bool = true;

    fn read(body: &Value) -> Result<Self, Malformed> {
        let nothing = Value::Object(serde_json::Map::new());
        T::read(if body.is_null() { &nothing } else { body }).map(Self)
    }
}

/// A value that is parsed later.
pub struct Raw(pub Value);

impl Field for Raw {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        fields.need(name).cloned().map(Self)
    }
}

impl<T: Field> Field for Option<T> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        match fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => T::read(fields, name).map(Some),
        }
    }
}

/// A member of a change: keeps the value if it is absent, and removes it if it is null.
pub enum Patch<T> {
    Keep,
    Remove,
    Set(T),
}

impl<T: Field> Field for Patch<T> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        match fields.get(name) {
            None => Ok(Self::Keep),
            Some(Value::Null) => Ok(Self::Remove),
            Some(_) => T::read(fields, name).map(Self::Set),
        }
    }
}

impl Field for Uuid {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let text = fields.text(name)?;
        text.parse().map_err(|_| fields.wrong(name, Text::new("must be an id", "dev'essere un id")))
    }
}

impl Field for u64 {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        fields.whole(name)
    }
}

/// A missing flag is `false`.
impl Field for bool {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        fields.flag(name)
    }
}

impl Field for String {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        fields.text(name).map(str::to_owned)
    }
}

/// Reads a list of texts, and reports every wrong one.
pub fn texts<T>(
    fields: &mut Fields,
    name: &'static str,
    read: impl Fn(&str) -> Result<T, Text<String>>,
) -> Result<Vec<T>, Malformed> {
    let items = fields.array(name)?;
    let item = |(place, item): (usize, &Value)| {
        let read = match item.as_str() {
            Some(text) => read(text),
            None => Err(Text::new("must be a string", "dev'essere una stringa")),
        };
        read.map_err(|problem| fields.wrong(&format!("{name}[{place}]"), problem))
    };
    Malformed::every(items.iter().enumerate().map(item))
}

impl Field for Vec<String> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        texts(fields, name, |text| Ok(text.to_owned()))
    }
}

impl Field for Vec<VerifierKey> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let wrong = |text: &str| {
            let text = clip(text);
            Text::new(
                format!("`{text}` is not a verifier key"),
                format!("`{text}` non è una chiave di verifica"),
            )
        };
        texts(fields, name, |text| text.parse().map_err(|_| wrong(text)))
    }
}

impl Field for Vec<Restore> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let it = "non è una dichiarazione di ripristino";
        texts(fields, name, |text| Restore::read(text).map_err(|error| Text::new(error.to_string(), it)))
    }
}

impl Field for Vec<SeatKey> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let wrong =
            || Text::new("is not a public key of a player", "non è la chiave pubblica di un giocatore");
        texts(fields, name, |text| text.parse().map_err(|_| wrong()))
    }
}

impl Field for Vec<WitnessKey> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let wrong = || Text::new("is not the key of a witness", "non è la chiave di un testimone");
        texts(fields, name, |text| text.parse().map_err(|_| wrong()))
    }
}

/// A command of any game, to be parsed when the game is known.
pub struct Typed {
    value: Value,
    ruleset: RulesetId,
    command: AnyCommand,
}

impl Typed {
    pub const fn value(&self) -> &Value {
        &self.value
    }

    /// Parses the member `commands`, and reports every mistake.
    pub fn read_all(list: &[Self], ruleset: RulesetId) -> Result<Vec<AnyCommand>, Malformed> {
        let read = |(no, typed): (usize, &Self)| {
            let moved = |malformed: Malformed| malformed.moved("command", &format!("commands[{no}]"));
            typed.of(ruleset).map_err(moved)
        };
        Malformed::every(list.iter().enumerate().map(read))
    }

    /// Parses the command as one of this game.
    pub fn of(&self, ruleset: RulesetId) -> Result<AnyCommand, Malformed> {
        if ruleset == self.ruleset { Ok(self.command.clone()) } else { ruleset.read_command(&self.value) }
    }

    /// Mistakes are reported at `command`.
    fn new(value: &Value) -> Result<Self, Malformed> {
        let kind = Fields::of(value, "command")?.text("type")?;
        let mut known =
            RulesetId::KNOWN.iter().filter(|ruleset| ruleset.commands().iter().any(|(id, _)| *id == kind));
        let Some(first) = known.next() else {
            let all = RulesetId::ALL.iter().flat_map(|ruleset| ruleset.commands()).map(|(id, _)| *id);
            return Err(Malformed::new("command.type", one_of(Some(kind), all)));
        };
        let read = |ruleset: RulesetId| {
            let command = ruleset.read_command(value)?;
            Ok(Self { value: value.clone(), ruleset, command })
        };
        // Two games may share a command type: use the one that can read it.
        read(*first).or_else(|why: Malformed| known.find_map(|other| read(*other).ok()).ok_or(why))
    }
}

impl Field for Typed {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        Self::new(fields.need(name)?).map_err(|malformed| malformed.moved("command", &fields.place(name)))
    }
}

impl Field for Vec<Typed> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let items = fields.array(name)?;
        if !(1..=MOST_COMMANDS).contains(&(items.len() as u64)) {
            let problem = Text::new("must contain 1 to 32 commands", "deve contenere da 1 a 32 comandi");
            return Err(fields.wrong(name, problem));
        }
        let place = |no: usize| fields.place(&format!("{name}[{no}]"));
        let read = |(no, item)| {
            Typed::new(item).map_err(|malformed: Malformed| malformed.moved("command", &place(no)))
        };
        Malformed::every(items.iter().enumerate().map(read))
    }
}

/// 32 bytes in hex.
impl Field for Bytes32 {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        unhex(fields.text(name)?).ok_or_else(|| fields.wrong(name, hex_digits(64)))
    }
}

/// The newest version of a ruleset.
impl Field for RulesetId {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let word = fields.text(name)?;
        let all = Self::ALL.iter().map(|id| id.name());
        Self::current(word).ok_or_else(|| fields.wrong(name, one_of(Some(word), all)))
    }
}

macro_rules! words {
    ($($Word:ty),+) => {$(
        impl Field for $Word {
            fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
                one_word(fields, name, Self::ALL, Self::word)
            }
        }
    )+};
}

/// Reads one of these words.
pub fn one_word<T: Copy>(
    fields: &mut Fields,
    name: &'static str,
    all: &[T],
    word_of: fn(T) -> &'static str,
) -> Result<T, Malformed> {
    let word = fields.text(name)?;
    let found = all.iter().copied().find(|one| word_of(*one) == word);
    found.ok_or_else(|| fields.wrong(name, one_of(Some(word), all.iter().map(|one| word_of(*one)))))
}

words!(Visibility, Level, Clocks, Registration, ReportReason, OperatorActKind);
