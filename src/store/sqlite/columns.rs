//! How values stand in columns.

use rusqlite::{
    ToSql,
    types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef},
};

use crate::{
    store::{GameKey, PlayerKey, TokenKey},
    words::{Ending, PlayedBy, Scopes, Share, Status, Visibility},
};

/// A whole number that is never negative: a time in milliseconds, or a seq.
#[derive(Clone, Copy)]
pub struct Whole(pub u64);

impl ToSql for Whole {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.cast_signed().into())
    }
}

impl FromSql for Whole {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(|number| Self(number.cast_unsigned()))
    }
}

macro_rules! words {
    ($($Word:ty),+) => {$(
        impl ToSql for $Word {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.word().to_sql()
            }
        }

        impl FromSql for $Word {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                value.as_str().and_then(|word| Self::from_word(word).ok_or(FromSqlError::InvalidType))
            }
        }
    )+};
}

words!(Status, Visibility, PlayedBy, Share, Ending);

macro_rules! keys {
    ($($Key:ident),+) => {$(
        impl ToSql for $Key {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.0.to_sql()
            }
        }

        impl FromSql for $Key {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                i64::column_result(value).map(Self)
            }
        }
    )+};
}

keys!(GameKey, PlayerKey, TokenKey);

impl ToSql for Scopes {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.bits().into())
    }
}

impl FromSql for Scopes {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        u8::column_result(value).map(Self::from_bits)
    }
}
