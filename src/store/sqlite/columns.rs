//! Column values.

use rusqlite::{
    Row, ToSql,
    types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef},
};

use crate::{
    store::{DeliveryKey, GameKey, HookKey, PlayerKey, TokenKey},
    words::{Failure, HookState, Level, Nature, Outcome, Scopes, Visibility, Way},
};

/// A time in milliseconds or a `seq`: never negative.
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

words!(Visibility, Way, HookState, Outcome, Failure);

/// Reads a word of the core, which cannot implement `FromSql` here.
pub fn word<T>(row: &Row, column: usize, of: fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    Ok(optional_word(row, column, of)?.ok_or(FromSqlError::InvalidType)?)
}

pub fn optional_word<T>(row: &Row, column: usize, of: fn(&str) -> Option<T>) -> rusqlite::Result<Option<T>> {
    let Some(word) = row.get_ref(column)?.as_str_or_null()? else { return Ok(None) };
    Ok(Some(of(word).ok_or(FromSqlError::InvalidType)?))
}

/// The nature of an account, in two columns: its level, and whether it has an offer.
pub fn nature(row: &Row, first: usize) -> rusqlite::Result<Nature> {
    let level = optional_word(row, first, Level::from_word)?;
    let has_offer: bool = row.get(first + 1)?;
    Ok(match level {
        Some(level) => Nature::Machine(level),
        None if has_offer => Nature::Program,
        None => Nature::Person,
    })
}

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

keys!(GameKey, PlayerKey, TokenKey, HookKey, DeliveryKey);

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
