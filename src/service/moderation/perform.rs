//! The effect of each act of an operator.

use uuid::Uuid;

use super::{
    Moderation, NewAct, Operator,
    act::Act,
    log::{ActDone, logged},
    operator,
};
use crate::{
    service::{
        DAY, FOR_EVER, Instance, Player, ServiceError,
        accounts::secret,
        instance::{self, ServerNotice},
    },
    store::{
        AccountChange, ActRow, Change, InvitationRow, KnownPlayer, ModerationChange, OperatorTokenRow,
        StoreError, Write,
    },
    words::Nature,
};

/// Milliseconds for which invitations and operators' tokens are valid by default.
const VALID: u64 = 30 * DAY;

impl Moderation {
    /// Performs an act, and writes it to the operators' log.
    pub async fn act(&self, operator: &Operator, new: NewAct) -> Result<ActDone, ServiceError> {
        let kind = new.act;
        let (act, reason) = new.act(self.clock.now())?;
        let row = self.row_of(operator, kind, &act, &reason).await?;
        let secret = self.perform(operator, act, &row).await?;
        Ok(ActDone { act: row.into(), secret })
    }

    async fn perform(
        &self,
        operator: &Operator,
        act: Act,
        row: &ActRow,
    ) -> Result<Option<String>, ServiceError> {
        match act {
            Act::Ban { player, until, leave_games } => self.ban(player, until, leave_games, row).await?,
            Act::Unban { player } => {
                let known = self.person(player).await?;
                known.ban_at(row.at).ok_or(ServiceError::NotFound)?;
                self.change_player(&known, logged(row).and(ModerationChange::ban(known.key, None))).await?;
            }
            Act::BanAddress { address, until } => {
                self.set(logged(row).and(Instance::ban(&address, until))).await?;
            }
            Act::UnbanAddress { address } => {
                self.set(logged(row).and(Instance::unban(&address))).await?;
            }
            Act::Rename { player, name } => self.rename(player, name, row).await?,
            Act::DeletePlayer { player } => {
                let known = self.person(player).await?;
                self.store.write(logged(row)).await?;
                self.tables.leave_for_good(&known.into()).await?;
            }
            Act::RecoveryCode { player } => return self.new_recovery(player, row).await.map(Some),
            Act::RemoveMessage { game, message } => {
                let key = self.store.game_key(game).await?.ok_or(ServiceError::NotFound)?;
                self.write(logged(row).and(ModerationChange::remove_message(key, message))).await?;
            }
            Act::RemoveTitle { game } => self.remove_title(game, row).await?,
            Act::EndGame { game } => self.tables.halt(game, row).await?,
            Act::RemovePlayer { game, seat } => self.tables.remove_seat(game, seat, row).await?,
            Act::Notice { text, until } => {
                let notice = text.map(|text| ServerNotice { text, until });
                self.set(logged(row).and(Instance::set_notice(notice.as_ref()))).await?;
            }
            Act::Registration(mode) => self.set(logged(row).and(Instance::set_registration(mode))).await?,
            Act::Invite { note, uses, until } => return self.invite(note, uses, until, row).await.map(Some),
            Act::RevokeInvitation { id } => {
                self.write(logged(row).and(ModerationChange::end_invitation(id))).await?;
            }
            Act::AddToken { name, until } => {
                return self.add_token(operator, name, until, row).await.map(Some);
            }
            Act::RevokeToken { id } => self.write(logged(row).and(ModerationChange::end_token(id))).await?,
        }
        Ok(None)
    }

    /// Suspends a player, who also leaves all tables that have not started, and on request running games.
    async fn ban(
        &self,
        player: Uuid,
        until: Option<u64>,
        leave_games: bool,
        row: &ActRow,
    ) -> Result<(), ServiceError> {
        let known = self.person(player).await?;
        let ban = ModerationChange::ban(known.key, Some(until.unwrap_or(FOR_EVER)));
        // Until its owner offers it again, the bot cannot be added to a table.
        let offer = (known.nature == Nature::Program)
            .then_some(Change::Account(AccountChange::SetOffer { player: known.key, offer: None }));
        let write = offer.into_iter().fold(logged(row).and(ban), Write::and);
        self.change_player(&known, write).await?;
        let text = leave_games.then_some(row.reason.as_str());
        let player = known.into();
        self.tables.remove_from_games(&player, text).await?;
        // A request that was under way may have taken another seat.
        self.tables.remove_from_games(&player, text).await
    }

    async fn rename(&self, player: Uuid, name: String, row: &ActRow) -> Result<(), ServiceError> {
        let known = self.person(player).await?;
        let change = AccountChange::Rename { player: known.key, name: name.clone() };
        let write = logged(row).and(Change::Account(change));
        self.accounts.change_account(known.key, write, ServiceError::NameTaken).await?;
        let renamed = Player { name: Some(name.into()), ..known.into() };
        self.accounts.call_by_name(&renamed).await;
        Ok(())
    }

    /// Gives a player who lost everything a new recovery code. Tokens end: someone else may have them.
    async fn new_recovery(&self, player: Uuid, row: &ActRow) -> Result<String, ServiceError> {
        let known = self.person(player).await?;
        let code = self.accounts.new_code(secret::RECOVERY)?;
        let digest = secret::digest_of_code(&code, secret::RECOVERY)?;
        let player = known.key;
        let write = logged(row)
            .and(Change::Account(AccountChange::SetRecovery { player, code: digest }))
            .and(Change::Account(AccountChange::EndTokens { player }));
        self.change_player(&known, write).await?;
        Ok(code)
    }

    async fn remove_title(&self, game: Uuid, row: &ActRow) -> Result<(), ServiceError> {
        let (mut live, locked) = self.games.lock(game).await?.take()?;
        let write = logged(row).and(ModerationChange::remove_title(live.facts.key));
        self.store.write(write).await?;
        live.facts.title = None;
        locked.put_back(live);
        Ok(())
    }

    async fn invite(
        &self,
        note: String,
        uses: u32,
        until: Option<u64>,
        row: &ActRow,
    ) -> Result<String, ServiceError> {
        let code = self.accounts.new_code(secret::RECOVERY)?;
        let digest = secret::digest_of_code(&code, secret::RECOVERY)?;
        let (id, created_at) = (crate::id::fresh(), row.at);
        let expires_at = until.unwrap_or_else(|| row.at.saturating_add(VALID));
        let invitation = InvitationRow { id, note, uses, created_at, expires_at };
        self.write(logged(row).and(ModerationChange::add_invitation(&invitation, digest))).await?;
        Ok(code)
    }

    /// Makes a token for another operator. It ends no later than the token of its maker.
    async fn add_token(
        &self,
        maker: &Operator,
        name: String,
        until: Option<u64>,
        row: &ActRow,
    ) -> Result<String, ServiceError> {
        let known = self.store.operator_tokens().await?;
        let plain = instance::plain(&name);
        if plain == operator::OWNER || known.iter().any(|token| instance::plain(&token.name) == plain) {
            return Err(ServiceError::OperatorNamed);
        }
        let end = known.iter().find(|token| token.id == maker.id).map_or(FOR_EVER, |token| token.expires_at);
        let token = secret::token(operator::PREFIX, &self.entropy.bytes()?);
        let (id, created_at) = (crate::id::fresh(), row.at);
        let expires_at = until.unwrap_or_else(|| row.at.saturating_add(VALID)).min(end);
        let new = OperatorTokenRow { id, name, created_at, expires_at };
        let digest = secret::digest_of_token(&token);
        self.write(logged(row).and(ModerationChange::add_token(&new, digest))).await?;
        Ok(token)
    }

    /// Writes an act about something that must exist.
    pub(super) async fn write(&self, write: Write) -> Result<(), ServiceError> {
        self.store.write(write).await.map_err(|error| match error {
            StoreError::Gone => ServiceError::NotFound,
            other => other.into(),
        })
    }

    /// Writes an act that changes the instance.
    async fn set(&self, write: Write) -> Result<(), ServiceError> {
        self.write(write).await?;
        self.instance.reload().await
    }

    /// Writes an act about a player, whose sessions are read again.
    async fn change_player(&self, player: &KnownPlayer, write: Write) -> Result<(), ServiceError> {
        self.accounts.change_account(player.key, write, ServiceError::NotFound).await
    }

    /// Returns a player with an account. Built-in bots belong to the server.
    async fn person(&self, player: Uuid) -> Result<KnownPlayer, ServiceError> {
        let known = self.store.known_player(player).await?;
        known
            .filter(|known| known.name.is_some() && known.nature.level().is_none())
            .ok_or(ServiceError::NotFound)
    }
}

impl From<KnownPlayer> for Player {
    fn from(KnownPlayer { key, id, name, created_at, nature, .. }: KnownPlayer) -> Self {
        Self { key, id: id.to_string().into(), name: name.map(Into::into), created_at, nature }
    }
}
