//! Column values.

use std::error::Error;

use tokio_postgres::{
    Row,
    types::{FromSql, IsNull, ToSql, Type, accepts, private::BytesMut, to_sql_checked},
};
use uuid::Uuid;

use crate::{
    store::{DeliveryKey, GameKey, HookKey, PlayerKey, StoreError, TokenKey},
    words::{
        Ending, Failure, HookState, Level, Nature, Outcome, PlayedBy, Scopes, Share, Status, Visibility, Way,
    },
};

type Written = Result<IsNull, Box<dyn Error + Sync + Send>>;

/// A number for a column of four or eight bytes.
#[derive(Clone, Copy, Debug)]
pub struct Int(pub i64);

impl ToSql for Int {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Written {
        match *kind {
            Type::INT4 => i32::try_from(self.0)?.to_sql(kind, out),
            _ => self.0.to_sql(kind, out),
        }
    }

    accepts!(INT4, INT8);
    to_sql_checked!();
}

impl<'a> FromSql<'a> for Int {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        match *kind {
            Type::INT4 => i32::from_sql(kind, raw).map(|number| Self(number.into())),
            _ => i64::from_sql(kind, raw).map(Self),
        }
    }

    accepts!(INT4, INT8);
}

/// Returns a time in milliseconds or a `seq` as a column value.
pub const fn whole(number: u64) -> Int {
    Int(number.cast_signed())
}

/// A type that a column can be read as.
pub trait Column: Sized {
    type Raw: for<'a> FromSql<'a>;
    /// Returns `None` for an invalid value.
    fn of(raw: Self::Raw) -> Option<Self>;
}

pub fn get<T: Column>(row: &Row, column: usize) -> Result<T, StoreError> {
    opt(row, column)?.ok_or_else(|| StoreError::Corrupt(format!("column {column} of a row is empty")))
}

pub fn opt<T: Column>(row: &Row, column: usize) -> Result<Option<T>, StoreError> {
    let Some(raw) = row.try_get::<_, Option<T::Raw>>(column)? else { return Ok(None) };
    let read = T::of(raw).ok_or_else(|| StoreError::Corrupt(format!("column {column} of a row is damaged")));
    read.map(Some)
}

macro_rules! same {
    ($($T:ty),+) => {$(
        impl Column for $T {
            type Raw = Self;
            fn of(raw: Self) -> Option<Self> {
                Some(raw)
            }
        }
    )+};
}

same!(bool, String, Uuid, Vec<u8>);

macro_rules! numbers {
    ($($T:ty),+) => {$(
        impl Column for $T {
            type Raw = Int;
            fn of(Int(number): Int) -> Option<Self> {
                number.try_into().ok()
            }
        }
    )+};
}

numbers!(u8, u16, u32, u64, i32, i64);

impl<const N: usize> Column for [u8; N] {
    type Raw = Vec<u8>;
    fn of(raw: Vec<u8>) -> Option<Self> {
        raw.try_into().ok()
    }
}

macro_rules! read_words {
    ($($Word:ty),+) => {$(
        impl Column for $Word {
            type Raw = String;
            fn of(raw: String) -> Option<Self> {
                Self::from_word(&raw)
            }
        }
    )+};
}

// Words of the core are written by `word()`: they cannot implement `ToSql` here.
read_words!(Status, PlayedBy, Share, Ending, Level);

macro_rules! words {
    ($($Word:ty),+) => {
        read_words!($($Word),+);

        $(impl ToSql for $Word {
            fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Written {
                self.word().to_sql(kind, out)
            }

            accepts!(TEXT);
            to_sql_checked!();
        })+
    };
}

words!(Visibility, Way, HookState, Outcome, Failure);

macro_rules! keys {
    ($($Key:ident),+) => {$(
        impl Column for $Key {
            type Raw = i64;
            fn of(raw: i64) -> Option<Self> {
                Some(Self(raw))
            }
        }

        impl ToSql for $Key {
            fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Written {
                self.0.to_sql(kind, out)
            }

            accepts!(INT8);
            to_sql_checked!();
        }
    )+};
}

keys!(GameKey, PlayerKey, TokenKey, HookKey, DeliveryKey);

impl Column for Scopes {
    type Raw = Int;
    fn of(Int(bits): Int) -> Option<Self> {
        bits.try_into().ok().map(Self::from_bits)
    }
}

impl ToSql for Scopes {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Written {
        Int(self.bits().into()).to_sql(kind, out)
    }

    accepts!(INT4);
    to_sql_checked!();
}

/// The nature of an account, in two columns: its level, and whether it has an offer.
pub fn nature(row: &Row, first: usize) -> Result<Nature, StoreError> {
    Ok(match opt::<Level>(row, first)? {
        Some(level) => Nature::Machine(level),
        None if opt(row, first + 1)?.unwrap_or(false) => Nature::Program,
        None => Nature::Person,
    })
}
