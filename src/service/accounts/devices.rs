//! Device statements: which keys belong to a player.

use serde::Serialize;

use crate::{
    engine::{Fields, Malformed, Text, hash::Bytes32},
    ledger::{
        device,
        encoding::{LedgerFields as _, hex, unhex64},
        seat_key::SeatKey,
    },
    service::{
        Accounts, ServiceError,
        feed::Note,
        games::Player,
        notify::{self, OutboxEntries},
        reading::{devices::whole, page::Page, time},
        request::{Field, request},
    },
    store::{AccountChange, Change, DeviceRow, Write},
};

/// Statements of a player.
const MOST: usize = 50;
/// Time for the second signature of a statement.
const WAITS: u64 = 10 * 60 * 1_000;

request! {
    /// A statement that two keys belong to the caller. One signature may be missing at first: the other
    /// device then adds it within ten minutes.
    pub struct NewDevice {
        /// Both keys, ascending.
        #[schema(value_type = Vec<String>, min_items = 2, max_items = 2)]
        pub keys: KeyPair,
        /// The signature of each key, or `null`.
        #[schema(value_type = Vec<Option<String>>, min_items = 2, max_items = 2)]
        pub sigs: SigPair,
        /// Proof for the other device that both keys are those of the two devices: HMAC-SHA-256 of the signed
        /// message, with a secret that the devices share.
        #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
        pub proof: Option<Bytes32>,
    }
}

/// Two keys of one player, ascending.
pub struct KeyPair([SeatKey; 2]);

impl Field for KeyPair {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let items = fields.array(name)?;
        let keys: Option<Vec<SeatKey>> =
            items.iter().take(3).map(|item| item.as_str()?.parse().ok()).collect();
        let keys = keys.and_then(|keys| <[SeatKey; 2]>::try_from(keys).ok());
        keys.filter(|[low, high]| low < high).map(Self).ok_or_else(|| {
            let (en, it) = (
                "must be two Ed25519 public keys, ascending",
                "dev'essere una coppia crescente di chiavi pubbliche Ed25519",
            );
            fields.wrong(name, Text::new(en, it))
        })
    }
}

/// The signatures of two keys. One may be missing.
pub struct SigPair([Option<[u8; 64]>; 2]);

impl Field for SigPair {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let items = fields.array(name)?;
        let read = |item: &serde_json::Value| match item {
            serde_json::Value::Null => Some(None),
            item => item.as_str().and_then(unhex64).map(Some),
        };
        let sigs: Option<Vec<_>> = items.iter().take(3).map(read).collect();
        let sigs = sigs.and_then(|sigs| <[Option<[u8; 64]>; 2]>::try_from(sigs).ok());
        sigs.filter(|sigs| sigs.iter().any(Option::is_some)).map(Self).ok_or_else(|| {
            let (en, it) = (
                "must be two signatures of 128 hex digits, of which one may be null",
                "dev'essere una coppia di firme di 128 cifre esadecimali, di cui una può essere null",
            );
            fields.wrong(name, Text::new(en, it))
        })
    }
}

/// A device statement, as far as it is signed.
#[derive(Serialize)]
#[wire]
#[schema(as = Device)]
pub struct DeviceView {
    /// Both keys, ascending.
    #[schema(min_items = 2, max_items = 2)]
    pub keys: Vec<String>,
    /// The signature of each key. `null` while one waits for the other.
    #[schema(min_items = 2, max_items = 2)]
    pub sigs: Vec<Option<String>>,
    /// Proof for the other device that both keys are those of the two devices.
    pub proof: Option<String>,
    #[schema(format = DateTime)]
    pub created_at: String,
}

impl From<DeviceRow> for DeviceView {
    fn from(DeviceRow { keys, sigs, proof, at }: DeviceRow) -> Self {
        Self {
            keys: keys.iter().map(|key| hex(key)).collect(),
            sigs: sigs.iter().map(|sig| sig.map(|sig| hex(&sig))).collect(),
            proof: proof.map(|proof| hex(&proof)),
            created_at: time(at),
        }
    }
}

impl Accounts {
    pub async fn devices(&self, player: &Player) -> Result<Page<DeviceView>, ServiceError> {
        let items = self.fresh_devices(player).await?.into_iter().map(DeviceView::from).collect();
        Ok(Page { items, next_cursor: None })
    }

    /// Returns the complete statements, and those without a second signature.
    async fn fresh_devices(&self, player: &Player) -> Result<Vec<DeviceRow>, ServiceError> {
        let since = self.clock.now().saturating_sub(WAITS);
        let is_fresh = |row: &DeviceRow| row.at >= since || whole(row).is_some();
        Ok(self.store.devices(player.key).await?.into_iter().filter(is_fresh).collect())
    }

    /// Stores a statement. A stored signature need not be sent again.
    pub async fn put_device(
        &self,
        player: &Player,
        sent: NewDevice,
    ) -> Result<Page<DeviceView>, ServiceError> {
        let NewDevice { keys: KeyPair(keys), sigs: SigPair(sigs), proof } = sent;
        let message = device::message(&player.id, &keys);
        for (key, sig) in keys.iter().zip(&sigs) {
            if sig.is_some_and(|sig| !key.has_signed(&message, &sig)) {
                let (en, it) = ("has a signature that is not valid", "contiene una firma non valida");
                return Err(Malformed::new("sigs", Text::new(en, it)).into());
            }
        }
        let known = self.fresh_devices(player).await?;
        let pair = keys.each_ref().map(|key| *key.as_bytes());
        let before = known.iter().find(|row| row.keys == pair);
        if before.is_none() && known.len() >= MOST {
            return Err(ServiceError::TooManyDevices);
        }
        let [low, high] = sigs;
        let [old_low, old_high] = before.map_or([None, None], |row| row.sigs);
        let device = DeviceRow {
            keys: pair,
            sigs: [low.or(old_low), high.or(old_high)],
            proof: proof.or_else(|| before.and_then(|row| row.proof)),
            at: self.clock.now(),
        };
        let is_new = whole(&device).is_some() && before.and_then(whole).is_none();
        let put = AccountChange::PutDevice { player: player.key, device };
        let mut letters = OutboxEntries::default();
        let note = Note::device();
        if is_new {
            self.notifier.know_hooks().await?;
            let (place, now) = (hex(&pair.concat()), self.clock.now());
            letters = self.notifier.outbox.letters_of_note(
                player.key,
                &note,
                &place,
                None,
                now,
                notify::words::device,
            );
        }
        self.store.write(Write::of(Change::Account(put)).and(letters.take())).await?;
        if is_new {
            self.feed.hub.note(player.key, &note);
            self.notifier.outbox.send(&letters);
        }
        self.devices(player).await
    }

    /// Removes all statements that name a key. New moves can no longer use the key.
    pub async fn drop_device(&self, player: &Player, key: &SeatKey) -> Result<(), ServiceError> {
        let key = *key.as_bytes();
        if !self.store.devices(player.key).await?.iter().any(|row| row.keys.contains(&key)) {
            return Err(ServiceError::NotFound);
        }
        let drop = AccountChange::DropDevice { player: player.key, key };
        Ok(self.store.write(Write::of(Change::Account(drop))).await?)
    }
}
