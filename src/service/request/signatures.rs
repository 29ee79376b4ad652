//! Keys and signatures in a request.

use super::{Field, texts};
use crate::{
    engine::{Fields, Malformed, Text},
    ledger::{
        device::Device,
        encoding::LedgerFields as _,
        entry::MOST_KEYS,
        seat_key::SeatKey,
        signed::{Claim, Signed},
    },
};

/// Keys to revoke, in the order of the log.
pub struct RevokedKeys(Vec<SeatKey>);

impl RevokedKeys {
    pub fn list(self) -> Vec<SeatKey> {
        self.0
    }
}

impl Field for RevokedKeys {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        // Decoding keys takes time, so the number is checked first.
        let count = fields.array(name)?.len();
        if !(1..=MOST_KEYS).contains(&count) {
            return Err(wrong_count_of_keys(fields, name));
        }
        let mut keys = texts(fields, name, read_key)?;
        keys.sort_unstable();
        keys.dedup();
        if keys.len() < count { Err(wrong_count_of_keys(fields, name)) } else { Ok(Self(keys)) }
    }
}

fn read_key(text: &str) -> Result<SeatKey, Text<String>> {
    let key = SeatKey::from_hex(text).filter(SeatKey::is_sound);
    key.ok_or_else(|| {
        Text::new(
            "must be an Ed25519 public key: 64 lowercase hex digits",
            "dev'essere una chiave pubblica Ed25519 di 64 cifre esadecimali minuscole",
        )
    })
}

impl Field for SeatKey {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        read_key(fields.text(name)?).map_err(|problem| fields.wrong(name, problem))
    }
}

fn wrong_count_of_keys(fields: &Fields, name: &str) -> Malformed {
    let (en, it) = (
        "must contain 1 to 8 keys, none of them twice",
        "deve contenere da 1 a 8 chiavi, ciascuna una volta",
    );
    fields.wrong(name, Text::new(en, it))
}

#[cfg(test)]
impl utoipa::PartialSchema for RevokedKeys {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::schema::ArrayBuilder::new()
            .items(hex_of(64))
            .min_items(Some(1))
            .max_items(Some(MOST_KEYS))
            .unique_items(true)
            .into()
    }
}

#[cfg(test)]
impl utoipa::ToSchema for RevokedKeys {}

#[cfg(test)]
fn hex_of(digits: usize) -> utoipa::openapi::schema::ObjectBuilder {
    utoipa::openapi::schema::ObjectBuilder::new()
        .schema_type(utoipa::openapi::Type::String)
        .pattern(Some(format!("^[0-9a-f]{{{digits}}}$")))
}

/// The signature of a player for a seat.
#[derive(Clone)]
pub struct SeatClaim(Box<Claim>);

impl SeatClaim {
    pub fn get(&self) -> &Claim {
        &self.0
    }
}

impl Field for SeatClaim {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let claim = Claim::of(fields.need(name)?, fields.place(name))?;
        if !claim.key.is_sound() {
            return Err(fields.wrong(&format!("{name}.key"), read_key("").err().unwrap_or_else(|| "".into())));
        }
        Ok(Self(Box::new(claim)))
    }
}

#[cfg(test)]
impl utoipa::PartialSchema for SeatClaim {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::schema::ObjectBuilder::new()
            .description(Some(
                "The player's signature of the seat and the terms of the table (see \"Joining\" in \
                `/v1/fairlog`). \
                Its key signs every later move of the seat.",
            ))
            .property("key", hex_of(64))
            .property("nonce", hex_of(64))
            .property("sig", hex_of(128))
            .required("key")
            .required("nonce")
            .required("sig")
            .into()
    }
}

#[cfg(test)]
impl utoipa::ToSchema for SeatClaim {}

/// A device statement: two keys of one player, and the signatures of both.
pub struct DeviceStatement(Device);

impl DeviceStatement {
    pub fn into_device(self) -> Device {
        self.0
    }
}

impl Field for Vec<DeviceStatement> {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let at = fields.place(name);
        let items = fields.array(name)?.iter().enumerate();
        Malformed::every(
            items.map(|(no, item)| Device::read(item, format!("{at}[{no}]")).map(DeviceStatement)),
        )
    }
}

#[cfg(test)]
impl utoipa::PartialSchema for DeviceStatement {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        let pair = |digits| {
            utoipa::openapi::schema::ArrayBuilder::new()
                .items(hex_of(digits))
                .min_items(Some(2))
                .max_items(Some(2))
        };
        utoipa::openapi::schema::ObjectBuilder::new()
            .description(Some(
                "Two keys of one player, ascending, and the signature of each; see \"Devices\" in \
                `/v1/fairlog`.",
            ))
            .property("keys", pair(64))
            .property("sigs", pair(128))
            .required("keys")
            .required("sigs")
            .into()
    }
}

#[cfg(test)]
impl utoipa::ToSchema for DeviceStatement {}

/// A player's signature of a request. `seen` is the newest entry known to the player.
pub struct Signature(Box<Signed>);

impl Signature {
    pub fn signed(self) -> Signed {
        *self.0
    }

    pub fn get(&self) -> &Signed {
        &self.0
    }
}

impl Field for Signature {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        Signed::sent(fields.need(name)?, fields.place(name)).map(Box::new).map(Self)
    }
}

#[cfg(test)]
impl utoipa::PartialSchema for Signature {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::{Object, Type, schema::ObjectBuilder};
        let mut seen = Object::with_type(Type::Integer);
        seen.minimum = Some(0.into());
        seen.maximum = Some(9_007_199_254_740_991_i64.into());
        ObjectBuilder::new()
            .description(Some("The player's signature of this request; see `/v1/fairlog`."))
            .property("key", hex_of(64))
            .property("seen", seen)
            .property("sig", hex_of(128))
            .required("key")
            .required("seen")
            .required("sig")
            .into()
    }
}

#[cfg(test)]
impl utoipa::ToSchema for Signature {}
