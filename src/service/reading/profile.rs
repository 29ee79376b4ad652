//! Public profiles of players, with their results.

use serde::Serialize;
use uuid::Uuid;

use super::{
    page::{Page, Window},
    time,
};
use crate::{
    ledger::{device::Device, encoding::hex, seat_key::SeatKey},
    service::{
        Reading, ServiceError,
        offer::{BotOffer, read_offer},
    },
    store::{BotRow, RulesetRecord},
    words::{Level, Nature},
};

/// A statement that both keys signed.
#[derive(Clone, Serialize)]
#[wire]
pub struct DeviceProof {
    /// Both keys, ascending.
    #[schema(min_items = 2, max_items = 2)]
    pub keys: Vec<String>,
    /// The signature of each key.
    #[schema(min_items = 2, max_items = 2)]
    pub sigs: Vec<String>,
}

#[derive(Serialize)]
#[wire]
pub struct Profile {
    #[schema(format = Uuid)]
    pub id: String,
    /// Name. `null` after the account was deleted.
    #[schema(max_length = 40)]
    pub name: Option<String>,
    /// Whether the account is a bot.
    pub bot: bool,
    /// Level of a built-in bot. `null` for everyone else.
    pub level: Option<Level>,
    /// Games that an external bot accepts. `null` for everyone else.
    pub accepts: Option<BotOffer>,
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Results of the player's finished games, without private ones.
    pub games: Vec<Record>,
    /// Device statements: which keys belong to the player.
    pub devices: Vec<DeviceProof>,
}

/// A bot account: a built-in bot of the server or a player's program.
#[derive(Serialize)]
#[wire]
#[schema(as = Bot)]
pub struct BotView {
    #[schema(format = Uuid)]
    pub id: String,
    #[schema(max_length = 40)]
    pub name: Option<String>,
    /// Always `true`.
    pub bot: bool,
    /// Level of a built-in bot. `null` for an external bot.
    pub level: Option<Level>,
    /// Games that an external bot accepts. `null` for a built-in bot.
    pub accepts: Option<BotOffer>,
}

/// A player's results in one ruleset.
#[derive(Serialize)]
#[wire]
#[schema(as = PlayerRecord)]
pub struct Record {
    #[schema(value_type = crate::rulesets::RulesetName)]
    pub ruleset: String,
    pub played: u64,
    /// Games won, shared first places included.
    pub won: u64,
}

impl From<RulesetRecord> for Record {
    fn from(RulesetRecord { ruleset, played, won }: RulesetRecord) -> Self {
        Self { ruleset, played, won }
    }
}

impl From<BotRow> for BotView {
    fn from(BotRow { player, offer }: BotRow) -> Self {
        Self {
            id: player.uuid.to_string(),
            name: player.name,
            bot: player.nature.is_bot(),
            level: player.nature.level(),
            accepts: read_offer(offer.as_deref()),
        }
    }
}

impl From<&Device> for DeviceProof {
    fn from(Device { keys, sigs }: &Device) -> Self {
        Self {
            keys: keys.iter().map(SeatKey::hex).collect(),
            sigs: sigs.iter().map(|sig| hex(sig)).collect(),
        }
    }
}

impl Reading {
    /// Returns bots, oldest first.
    pub async fn bots(&self, window: &Window) -> Result<Page<BotView>, ServiceError> {
        let after = match window.last()? {
            None => None,
            Some(uuid) => match self.store.player(uuid).await? {
                Some(player) => Some(player.key),
                None => return Ok(Page::empty()),
            },
        };
        let rows = self.store.bots(after, window.limit + 1).await?;
        let cursor = |row: &BotRow| row.player.uuid.simple().to_string();
        Ok(Page::of(rows, window.limit, cursor, |row| Some(BotView::from(row))))
    }

    pub async fn profile(&self, player: Uuid) -> Result<Profile, ServiceError> {
        let player = self.store.player(player).await?.ok_or(ServiceError::NotFound)?;
        let games = self.store.tally(player.key).await?;
        let offer = match player.nature {
            Nature::Program => self.store.offer(player.key).await?,
            Nature::Person | Nature::Machine(_) => None,
        };
        let devices = self.devices_of(player.key).await?;
        Ok(Profile {
            id: player.uuid.to_string(),
            name: player.name,
            bot: player.nature.is_bot(),
            level: player.nature.level(),
            accepts: read_offer(offer.as_deref()),
            created_at: time(player.created_at),
            games: games.into_iter().map(Record::from).collect(),
            devices: devices.iter().map(DeviceProof::from).collect(),
        })
    }
}
