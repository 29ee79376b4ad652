//! Requests: one declaration makes the reader and the schema of a body.

use serde_json::Value;

use crate::{
    engine::{Fields, Malformed, Text, fields::clip, hash::Bytes32, malformed::one_of},
    ledger::{
        encoding::{LedgerFields as _, unhex},
        receipt::VerifierKey,
        restore::Restore,
    },
    rulesets::RulesetId,
    words::Visibility,
};

/// What a request can say in its body. It is read strictly.
pub trait Request: Sized + 'static {
    /// Whether there is nothing to say.
    const IS_EMPTY: bool = false;

    fn read(body: &Value) -> Result<Self, Malformed>;
}

/// A field of a request.
pub trait Field: Sized {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed>;
}

/// Declares a request: a struct whose fields are read by name, and whose schema is derived.
macro_rules! request {
    ($(#[$meta:meta])* pub struct $Name:ident {
        $($(#[$field_meta:meta])* pub $field:ident: $Type:ty),+ $(,)?
    }) => {
        #[derive(utoipa::ToSchema)]
        $(#[$meta])*
        pub struct $Name {
            $($(#[$field_meta])* pub $field: $Type),+
        }

        impl $crate::service::request::Request for $Name {
            fn read(body: &serde_json::Value) -> Result<Self, $crate::engine::Malformed> {
                let mut fields = $crate::engine::Fields::of(body, "")?;
                $(let $field = fields.note(|fields| $crate::service::request::Field::read(fields, stringify!($field)));)+
                fields.end()?;
                Ok(Self { $($field: $field?),+ })
            }
        }
    };
}
pub(crate) use request;

/// A request that says nothing.
pub struct Nothing;

impl Request for Nothing {
    const IS_EMPTY: bool = true;

    fn read(body: &Value) -> Result<Self, Malformed> {
        Fields::of(body, "")?.end().map(|()| Self)
    }
}

/// A value that is read when more is known.
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

impl Field for u64 {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        fields.whole(name)
    }
}

/// A flag is false when it is left out.
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

impl Field for Vec<String> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let items = fields.array(name)?.iter().map(|item| item.as_str().map(str::to_owned));
        items
            .collect::<Option<_>>()
            .ok_or_else(|| fields.wrong(name, Text::new("must hold strings", "deve contenere stringhe")))
    }
}

impl Field for Vec<VerifierKey> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let texts = Vec::<String>::read(fields, name)?;
        let read = |(place, text): (usize, &String)| {
            let wrong = |_| {
                let text = clip(text);
                let problem = Text::new(
                    format!("`{text}` is not a verifier key"),
                    format!("`{text}` non è una chiave di verifica"),
                );
                fields.wrong(&format!("{name}[{place}]"), problem)
            };
            text.parse().map_err(wrong)
        };
        texts.iter().enumerate().map(read).collect()
    }
}

impl Field for Vec<Restore> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let texts = Vec::<String>::read(fields, name)?;
        let read = |(place, text): (usize, &String)| {
            Restore::read(text).map_err(|error| {
                let it = "non è una dichiarazione di ripristino".to_owned();
                fields.wrong(&format!("{name}[{place}]"), Text::new(error.to_string(), it))
            })
        };
        texts.iter().enumerate().map(read).collect()
    }
}

fn hex_digits() -> Text<String> {
    Text::new("must be 64 lowercase hex digits", "dev'essere di 64 cifre esadecimali minuscole")
}

/// 32 bytes in hex.
impl Field for Bytes32 {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        unhex(fields.text(name)?).ok_or_else(|| fields.wrong(name, hex_digits()))
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

impl Field for Visibility {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let word = fields.text(name)?;
        let all = Self::ALL.iter().map(|visibility| visibility.word());
        Self::from_word(word).ok_or_else(|| fields.wrong(name, one_of(Some(word), all)))
    }
}
