//! Players, tokens and codes, as they are read.

use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    Postgres,
    batcher::{Batched, place},
    columns::whole,
    columns::{Int, get, nature, opt},
    link::PooledLine,
};
use crate::store::{
    AppRow, BotRow, DeviceCodeRow, DeviceRow, PlayerKey, PlayerRow, Recovering, RefreshedApp, RulesetRecord,
    StoreError, TokenOfPlayer, TokenRow, sql, traits::AccountStore,
};

pub const PLAYER: &str =
    "player.id, player.uuid, player.name, player.created_at, player.level, player.offer IS NOT NULL";
/// Number of these columns.
pub const OF_PLAYER: usize = 6;
const TOKEN: &str = "token.id, token.uuid, token.name, scopes, game, token.created_at, expires_at, used_at, is_pending, token.app";

pub fn player(row: &Row, first: usize) -> Result<PlayerRow, StoreError> {
    Ok(PlayerRow {
        key: get(row, first)?,
        uuid: get(row, first + 1)?,
        name: opt(row, first + 2)?,
        created_at: get(row, first + 3)?,
        nature: nature(row, first + 4)?,
    })
}

fn bot(row: &Row) -> Result<BotRow, StoreError> {
    Ok(BotRow { player: player(row, 0)?, offer: opt(row, OF_PLAYER)? })
}

fn token(row: &Row) -> Result<TokenRow, StoreError> {
    Ok(TokenRow {
        key: get(row, 0)?,
        uuid: get(row, 1)?,
        name: get(row, 2)?,
        scopes: get(row, 3)?,
        game: opt(row, 4)?,
        created_at: get(row, 5)?,
        expires_at: opt(row, 6)?,
        used_at: opt(row, 7)?,
        is_pending: get(row, 8)?,
        app: opt(row, 9)?,
    })
}

/// A question for the token with this SHA-256, and for the hook revision, which every request needs.
pub struct AskToken(pub [u8; 32]);

impl Batched for AskToken {
    type Answer = (Option<TokenOfPlayer>, i64);

    async fn ask(line: &PooledLine, questions: &[Self]) -> Result<Vec<Self::Answer>, StoreError> {
        let digests: Vec<&[u8]> = questions.iter().map(|asked| &asked.0[..]).collect();
        let query = format!(
            "SELECT {TOKEN}, {PLAYER}, (SELECT hooks FROM ledger), asked.place, banned_until
             FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (digest, place)
             LEFT JOIN (token JOIN player ON player.id = token.player) ON token.digest = asked.digest"
        );
        let mut answers: Vec<Self::Answer> = questions.iter().map(|_| (None, 0)).collect();
        for row in line.query(&query, &[&digests]).await? {
            let place = place(&row, 11 + OF_PLAYER)?;
            let found = opt::<u64>(&row, 0)?.map(|_| {
                let (token, player) = (token(&row)?, player(&row, 10)?);
                Ok::<_, StoreError>(TokenOfPlayer { token, player, banned_until: opt(&row, 12 + OF_PLAYER)? })
            });
            if let Some(answer) = answers.get_mut(place) {
                *answer = (found.transpose()?, get(&row, 10 + OF_PLAYER)?);
            }
        }
        Ok(answers)
    }
}

impl AccountStore for Postgres {
    fn new_player_key(&self) -> PlayerKey {
        PlayerKey(self.numbers.next())
    }

    async fn token(&self, digest: &[u8; 32]) -> Result<Option<TokenOfPlayer>, StoreError> {
        let (found, hooks) = self.tokens.ask(AskToken(*digest)).await?;
        self.note_hooks(hooks);
        Ok(found)
    }

    async fn tokens(&self, key: PlayerKey) -> Result<Vec<TokenRow>, StoreError> {
        let query = format!("SELECT {TOKEN} FROM token WHERE player = $1 AND app IS NULL ORDER BY id");
        self.all(&query, &[&key], token).await
    }

    async fn put_ticket(&self, digest: [u8; 32], token: [u8; 32], until: u64) -> Result<(), StoreError> {
        let put = "INSERT INTO ticket (digest, token, until) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        let (digest, token) = (&digest[..], &token[..]);
        self.reader().execute(put, &[&digest, &token, &whole(until)]).await.map(|_| ())
    }

    async fn take_ticket(&self, digest: &[u8; 32]) -> Result<Option<([u8; 32], u64)>, StoreError> {
        let take = "DELETE FROM ticket WHERE digest = $1 RETURNING token, until";
        self.one(take, &[&&digest[..]], |row| Ok((get(row, 0)?, get(row, 1)?))).await
    }

    async fn player_by_code(&self, code: &[u8; 32]) -> Result<Option<Recovering>, StoreError> {
        let query = format!(
            "SELECT {PLAYER}, CASE WHEN recovery = $1 THEN recovery_nonce END
             FROM player WHERE recovery = $1 OR next_recovery = $1"
        );
        self.one(&query, &[&&code[..]], |row| Ok((player(row, 0)?, opt(row, OF_PLAYER)?))).await
    }

    async fn link(&self, code: &[u8; 32]) -> Result<Option<DeviceCodeRow>, StoreError> {
        let query = format!(
            "SELECT {PLAYER}, until, scopes, link.name, expires_at, key, proof FROM link JOIN player ON player.id = link.player WHERE digest = $1"
        );
        let link = |row: &Row| {
            Ok(DeviceCodeRow {
                player: player(row, 0)?,
                until: get(row, OF_PLAYER)?,
                scopes: get(row, OF_PLAYER + 1)?,
                name: get(row, OF_PLAYER + 2)?,
                expires_at: opt(row, OF_PLAYER + 3)?,
                key: opt(row, OF_PLAYER + 4)?,
                proof: opt(row, OF_PLAYER + 5)?,
            })
        };
        self.one(&query, &[&&code[..]], link).await
    }

    async fn app_by_code(&self, code: &[u8; 32]) -> Result<Option<(AppRow, PlayerRow)>, StoreError> {
        self.app_of_code(code).await
    }

    async fn app_by_refresh(&self, refresh: &[u8; 32]) -> Result<Option<RefreshedApp>, StoreError> {
        self.app_of_refresh(refresh).await
    }

    async fn apps(&self, player: PlayerKey) -> Result<Vec<AppRow>, StoreError> {
        self.apps_of(player).await
    }

    async fn devices(&self, player: PlayerKey) -> Result<Vec<DeviceRow>, StoreError> {
        let query = sql::DEVICES_OF_PLAYER.postgres;
        let device = |row: &Row| {
            let (keys, sigs) = ([get(row, 0)?, get(row, 1)?], [opt(row, 2)?, opt(row, 3)?]);
            Ok(DeviceRow { keys, sigs, proof: opt(row, 4)?, at: get(row, 5)? })
        };
        self.all(query, &[&player], device).await
    }

    async fn tally(&self, key: PlayerKey) -> Result<Vec<RulesetRecord>, StoreError> {
        let query = sql::TALLY_OF_PLAYER.postgres;
        let tally =
            |row: &Row| Ok(RulesetRecord { ruleset: get(row, 0)?, played: get(row, 1)?, won: get(row, 2)? });
        self.all(query, &[&key], tally).await
    }

    async fn player(&self, uuid: Uuid) -> Result<Option<PlayerRow>, StoreError> {
        let query = format!("SELECT {PLAYER} FROM player WHERE uuid = $1");
        self.one(&query, &[&uuid], |row| player(row, 0)).await
    }

    async fn machines(&self) -> Result<Vec<PlayerRow>, StoreError> {
        let query = format!("SELECT {PLAYER} FROM player WHERE level IS NOT NULL ORDER BY level, id");
        self.all(&query, &[], |row| player(row, 0)).await
    }

    async fn bots(&self, after: Option<PlayerKey>, limit: u32) -> Result<Vec<BotRow>, StoreError> {
        let query = format!(
            "SELECT {PLAYER}, offer FROM player WHERE (level IS NOT NULL OR offer IS NOT NULL) AND id > $1
             ORDER BY id LIMIT $2"
        );
        self.all(&query, &[&after.unwrap_or(PlayerKey(-1)), &Int(limit.into())], bot).await
    }

    async fn bot_called(&self, name: &str) -> Result<Option<BotRow>, StoreError> {
        let query = format!("SELECT {PLAYER}, offer FROM player WHERE name = $1 AND offer IS NOT NULL");
        self.by_text(&query, name, bot).await
    }

    async fn offer(&self, key: PlayerKey) -> Result<Option<String>, StoreError> {
        let query = sql::OFFER_OF_PLAYER.postgres;
        Ok(self.one(query, &[&key], |row| opt(row, 0)).await?.flatten())
    }
}
