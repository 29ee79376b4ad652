//! Requests: one declaration makes the reader and the schema of a body.

use serde_json::Value;

use crate::{
    engine::{Fields, Malformed, fields::clip, hash::Bytes32},
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
                let read = Self {
                    $($field: $crate::service::request::Field::read(&mut fields, stringify!($field))?),+
                };
                fields.end()?;
                Ok(read)
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
        let value = fields.get(name).ok_or_else(|| fields.wrong(name, "is missing"))?;
        Ok(Self(value.clone()))
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
        items.collect::<Option<_>>().ok_or_else(|| fields.wrong(name, "must hold strings"))
    }
}

impl Field for Vec<VerifierKey> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let texts = Vec::<String>::read(fields, name)?;
        let read = |(place, text): (usize, &String)| {
            let wrong = |_| {
                fields.wrong(&format!("{name}[{place}]"), &format!("`{}` is not a verifier key", clip(text)))
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
            Restore::read(text).map_err(|error| fields.wrong(&format!("{name}[{place}]"), &error.to_string()))
        };
        texts.iter().enumerate().map(read).collect()
    }
}

/// 32 bytes in hex.
impl Field for Bytes32 {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        unhex(fields.text(name)?).ok_or_else(|| fields.wrong(name, "must be 64 lowercase hex digits"))
    }
}

/// The newest version of a ruleset.
impl Field for RulesetId {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let id = Self::current(fields.text(name)?);
        id.ok_or_else(|| fields.wrong(name, "is not a ruleset of this server"))
    }
}

impl Field for Visibility {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let word = Self::from_word(fields.text(name)?);
        word.ok_or_else(|| fields.wrong(name, "must be `public`, `unlisted` or `private`"))
    }
}
