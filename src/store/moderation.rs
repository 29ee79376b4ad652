//! Rows of operators and of moderation: acts, settings, tokens, invitations, reports and
//! blocks.

use uuid::Uuid;

use super::{
    Cell, Cells, Change, FromCell, GameKey, PlayerKey, SmallChange, Store, StoreError, Write,
    sql::{self, Statement},
};
use crate::words::{Level, Nature};

/// An act of an operator, public.
pub struct ActRow {
    pub id: Uuid,
    pub at: u64,
    /// Name of the operator's token.
    pub operator: String,
    pub what: String,
    pub player: Option<Uuid>,
    pub game: Option<Uuid>,
    /// More of the act, as JSON.
    pub details: String,
    pub reason: String,
}

/// A token of an operator, without its secret.
pub struct OperatorTokenRow {
    pub id: Uuid,
    pub name: String,
    pub created_at: u64,
    pub expires_at: u64,
}

/// A code for new accounts, without the code.
pub struct InvitationRow {
    pub id: Uuid,
    pub note: String,
    pub uses: u32,
    pub created_at: u64,
    pub expires_at: u64,
}

/// A report of a player.
pub struct ReportRow {
    pub id: Uuid,
    /// `None` after the reporter left.
    pub reporter: Option<Uuid>,
    pub body: String,
    pub at: u64,
    pub closed_at: Option<u64>,
}

/// A player as operators see it.
pub struct KnownPlayer {
    pub key: PlayerKey,
    pub id: Uuid,
    pub name: Option<String>,
    pub created_at: u64,
    pub nature: Nature,
    pub banned_until: Option<u64>,
}

impl KnownPlayer {
    /// Returns the end of the ban at this time, if there is one.
    pub fn ban_at(&self, now: u64) -> Option<u64> {
        self.banned_until.filter(|until| *until > now)
    }
}

/// A blocked player.
pub struct BlockRow {
    pub player: Uuid,
    pub name: Option<String>,
    pub at: u64,
}

/// A message, for a report.
pub struct QuotedMessage {
    pub player: Uuid,
    pub text: String,
    pub at: u64,
}

/// Changes of these tables.
pub struct ModerationChange;

impl ModerationChange {
    pub fn add_act(act: &ActRow) -> Change {
        let ActRow { id, at, operator, what, player, game, details, reason } = act;
        of(
            &sql::ADD_ACT,
            [
                (*id).into(),
                (*at).into(),
                operator.as_str().into(),
                what.as_str().into(),
                (*player).into(),
                (*game).into(),
                details.as_str().into(),
                reason.as_str().into(),
            ],
        )
    }

    /// Sets a setting, or removes it.
    pub fn set(name: &str, value: Option<String>) -> Change {
        match value {
            Some(value) => of(&sql::SET_SETTING, [name.into(), value.into()]),
            None => of(&sql::DELETE_SETTING, [name.into()]),
        }
    }

    /// Removes a setting. Fails with `Gone` if there is no such setting.
    pub fn unset(name: &str) -> Change {
        existing(&sql::DELETE_SETTING, [name.into()])
    }

    /// Suspends a player, or ends that. Fails with `Gone` if the player has left.
    pub fn ban(player: PlayerKey, until: Option<u64>) -> Change {
        existing(&sql::BAN_PLAYER, [player.into(), until.into()])
    }

    pub fn add_token(token: &OperatorTokenRow, digest: [u8; 32]) -> Change {
        let OperatorTokenRow { id, name, created_at, expires_at } = token;
        let values =
            [(*id).into(), digest.into(), name.as_str().into(), (*created_at).into(), (*expires_at).into()];
        of(&sql::ADD_OPERATOR_TOKEN, values)
    }

    /// Fails with `Gone` if there is no such token.
    pub fn end_token(id: Uuid) -> Change {
        existing(&sql::DELETE_OPERATOR_TOKEN, [id.into()])
    }

    pub fn add_invitation(invitation: &InvitationRow, digest: [u8; 32]) -> Change {
        let InvitationRow { id, note, uses, created_at, expires_at } = invitation;
        let values = [
            (*id).into(),
            digest.into(),
            note.as_str().into(),
            u64::from(*uses).into(),
            (*created_at).into(),
            (*expires_at).into(),
        ];
        of(&sql::ADD_INVITATION, values)
    }

    /// Fails with `Gone` if there is no such invitation.
    pub fn end_invitation(id: Uuid) -> Change {
        existing(&sql::DELETE_INVITATION, [id.into()])
    }

    /// Uses an invitation once. Fails with `Gone` if it is unknown, used up or expired.
    pub fn use_invitation(digest: [u8; 32], now: u64) -> Change {
        existing(&sql::USE_INVITATION, [digest.into(), now.into()])
    }

    /// Adds a report, or replaces the one of the same player about the same subject.
    pub fn add_report(id: Uuid, reporter: PlayerKey, subject: &str, body: &str, at: u64) -> Change {
        let values = [id.into(), reporter.into(), subject.into(), body.into(), at.into()];
        of(&sql::ADD_REPORT, values)
    }

    /// Closes a report, or opens it again. Fails with `Gone` if there is no such report.
    pub fn close_report(id: Uuid, at: Option<u64>) -> Change {
        existing(&sql::CLOSE_REPORT, [id.into(), at.into()])
    }

    pub fn block(player: PlayerKey, blocked: PlayerKey, at: u64) -> Change {
        of(&sql::BLOCK, [player.into(), blocked.into(), at.into()])
    }

    pub fn unblock(player: PlayerKey, blocked: PlayerKey) -> Change {
        of(&sql::UNBLOCK, [player.into(), blocked.into()])
    }

    /// Fails with `Gone` if there is no such message.
    pub fn remove_message(game: GameKey, id: i64) -> Change {
        existing(&sql::DELETE_MESSAGE, [game.into(), Cell::Number(id)])
    }

    pub fn remove_title(game: GameKey) -> Change {
        of(&sql::DELETE_TITLE, [game.into()])
    }
}

fn of(statement: &'static Statement, values: impl Into<Vec<Cell>>) -> Change {
    Change::Small(SmallChange::new(statement, values))
}

fn existing(statement: &'static Statement, values: impl Into<Vec<Cell>>) -> Change {
    Change::Small(SmallChange::of_existing(statement, values))
}

impl Store {
    /// Returns the rows of a query, each read by `read`.
    pub(super) async fn small<T>(
        &self,
        statement: &'static Statement,
        values: impl Into<Vec<Cell>>,
        read: impl Fn(&mut Cells) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = self.small_rows(statement, values.into()).await?;
        rows.into_iter().map(|row| read(&mut Cells::new(row))).collect()
    }

    async fn small_value<T: FromCell>(
        &self,
        statement: &'static Statement,
        values: impl Into<Vec<Cell>>,
    ) -> Result<T, StoreError> {
        let found = self.small(statement, values, Cells::read).await?.pop();
        found.ok_or_else(|| StoreError::Corrupt("a query that finds something has found nothing".into()))
    }

    /// Returns acts before one of them, newest first: all, or those about a player or a game.
    pub async fn acts(
        &self,
        about: Option<Uuid>,
        before: Option<Uuid>,
        limit: u32,
    ) -> Result<Vec<ActRow>, StoreError> {
        let (before, limit) = (before.into(), u64::from(limit).into());
        match about {
            Some(about) => self.small(&sql::ACTS_ABOUT, [about.into(), before, limit], act).await,
            None => self.small(&sql::ACTS, [before, limit], act).await,
        }
    }

    pub async fn act(&self, id: Uuid) -> Result<Option<ActRow>, StoreError> {
        Ok(self.small(&sql::ACT, [id.into()], act).await?.pop())
    }

    /// Returns the settings with their values, as JSON.
    pub async fn settings(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.small(&sql::SETTINGS, [], |row| Ok((row.read()?, row.read()?))).await
    }

    /// Returns the operator's token with this SHA-256.
    pub async fn operator_token(&self, digest: [u8; 32]) -> Result<Option<OperatorTokenRow>, StoreError> {
        Ok(self.small(&sql::OPERATOR_TOKEN, [digest.into()], operator_token).await?.pop())
    }

    /// Returns the operators' tokens, oldest first.
    pub async fn operator_tokens(&self) -> Result<Vec<OperatorTokenRow>, StoreError> {
        self.small(&sql::OPERATOR_TOKENS, [], operator_token).await
    }

    /// Returns the invitations, oldest first.
    pub async fn invitations(&self) -> Result<Vec<InvitationRow>, StoreError> {
        self.small(&sql::INVITATIONS, [], |row| {
            let (id, note, uses) = (row.read()?, row.read()?, row.read()?);
            Ok(InvitationRow { id, note, uses, created_at: row.read()?, expires_at: row.read()? })
        })
        .await
    }

    /// Returns open or closed reports before one of them, newest first.
    pub async fn reports(
        &self,
        is_open: bool,
        before: Option<Uuid>,
        limit: u32,
    ) -> Result<Vec<ReportRow>, StoreError> {
        let values = [u64::from(is_open).into(), before.into(), u64::from(limit).into()];
        self.small(&sql::REPORTS, values, report).await
    }

    pub async fn report(&self, id: Uuid) -> Result<Option<ReportRow>, StoreError> {
        Ok(self.small(&sql::REPORT, [id.into()], report).await?.pop())
    }

    /// Returns the number of games by status.
    pub async fn count_games(&self) -> Result<Vec<(String, u64)>, StoreError> {
        self.small(&sql::COUNT_GAMES, [], |row| Ok((row.read()?, row.read()?))).await
    }

    /// Returns the number of accounts, without built-in bots.
    pub async fn count_players(&self) -> Result<u64, StoreError> {
        self.small_value(&sql::COUNT_PLAYERS, []).await
    }

    /// Returns the number of players who used a token since a time.
    pub async fn count_active_players(&self, since: u64) -> Result<u64, StoreError> {
        self.small_value(&sql::COUNT_ACTIVE_PLAYERS, [since.into()]).await
    }

    pub async fn count_open_reports(&self) -> Result<u64, StoreError> {
        self.small_value(&sql::COUNT_OPEN_REPORTS, []).await
    }

    /// Returns the players that a player has blocked, oldest first.
    pub async fn blocks(&self, player: PlayerKey) -> Result<Vec<BlockRow>, StoreError> {
        self.small(&sql::BLOCKS, [player.into()], |row| {
            Ok(BlockRow { player: row.read()?, name: row.read()?, at: row.read()? })
        })
        .await
    }

    /// Returns the players that have blocked a player.
    pub async fn blockers(&self, player: PlayerKey) -> Result<Vec<PlayerKey>, StoreError> {
        self.small(&sql::BLOCKERS, [player.into()], Cells::read).await
    }

    /// Returns players whose name contains a text, before one of them, newest first.
    pub async fn known_players(
        &self,
        name: Option<&str>,
        banned_at: Option<u64>,
        before: Option<PlayerKey>,
        limit: u32,
    ) -> Result<Vec<KnownPlayer>, StoreError> {
        let pattern = name.map(|name| {
            let plain = ['!', '%', '_']
                .iter()
                .fold(name.to_lowercase(), |text, sign| text.replace(*sign, &format!("!{sign}")));
            format!("%{}%", plain.replace('\0', ""))
        });
        let values = [pattern.into(), banned_at.into(), before.into(), u64::from(limit).into()];
        self.small(&sql::KNOWN_PLAYERS, values, known_player).await
    }

    pub async fn known_player(&self, id: Uuid) -> Result<Option<KnownPlayer>, StoreError> {
        Ok(self.small(&sql::KNOWN_PLAYER, [id.into()], known_player).await?.pop())
    }

    /// Returns a message of a game.
    pub async fn message(&self, game: GameKey, id: i64) -> Result<Option<QuotedMessage>, StoreError> {
        let quoted = self.small(&sql::MESSAGE, [game.into(), Cell::Number(id)], |row| {
            Ok(QuotedMessage { player: row.read()?, text: row.read()?, at: row.read()? })
        });
        Ok(quoted.await?.pop())
    }

    /// Returns players that used no token since a time and are in no unfinished game.
    pub async fn unused_players(&self, since: u64, limit: u32) -> Result<Vec<Uuid>, StoreError> {
        self.small(&sql::UNUSED_PLAYERS, [since.into(), u64::from(limit).into()], Cells::read).await
    }

    /// Deletes reports from before a time, and expired invitations and tokens of operators.
    pub async fn forget_reports(&self, before: u64, now: u64) -> Result<(), StoreError> {
        if !self.small_value::<bool>(&sql::HAS_FORGETTABLE, [before.into(), now.into()]).await? {
            return Ok(());
        }
        let write = Write::of(of(&sql::FORGET_REPORTS, [before.into()]))
            .and(of(&sql::FORGET_INVITATIONS, [now.into()]))
            .and(of(&sql::FORGET_OPERATOR_TOKENS, [now.into()]));
        self.write(write).await
    }

    /// Deletes messages from before a time in games that are over.
    pub async fn forget_messages(&self, before: u64) -> Result<(), StoreError> {
        self.write(Write::of(of(&sql::FORGET_MESSAGES, [before.into()]))).await
    }
}

fn report(row: &mut Cells) -> Result<ReportRow, StoreError> {
    let (id, reporter, body) = (row.read()?, row.read()?, row.read()?);
    Ok(ReportRow { id, reporter, body, at: row.read()?, closed_at: row.read()? })
}

fn act(row: &mut Cells) -> Result<ActRow, StoreError> {
    Ok(ActRow {
        id: row.read()?,
        at: row.read()?,
        operator: row.read()?,
        what: row.read()?,
        player: row.read()?,
        game: row.read()?,
        details: row.read()?,
        reason: row.read()?,
    })
}

fn operator_token(row: &mut Cells) -> Result<OperatorTokenRow, StoreError> {
    let (id, name) = (row.read()?, row.read()?);
    Ok(OperatorTokenRow { id, name, created_at: row.read()?, expires_at: row.read()? })
}

fn known_player(row: &mut Cells) -> Result<KnownPlayer, StoreError> {
    Ok(KnownPlayer {
        key: row.read()?,
        id: row.read()?,
        name: row.read()?,
        created_at: row.read()?,
        nature: nature(row)?,
        banned_until: row.read()?,
    })
}

/// The nature of an account, in two columns: its level, and whether it has an offer.
fn nature(row: &mut Cells) -> Result<Nature, StoreError> {
    let (level, has_offer): (Option<String>, bool) = (row.read()?, row.read()?);
    Ok(match level.as_deref().and_then(Level::from_word) {
        Some(level) => Nature::Machine(level),
        None if has_offer => Nature::Program,
        None => Nature::Person,
    })
}
