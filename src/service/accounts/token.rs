//! The tokens of a player: list, create, replace, revoke.

use chrono::DateTime;
use serde::Serialize;
use uuid::Uuid;

use super::Name;
use crate::{
    engine::{Fields, Malformed, Text, malformed::one_of},
    service::{
        Accounts, ServiceError,
        games::Session,
        reading::{
            page::{Page, Window},
            time,
        },
        request::{Field, request, texts},
    },
    store::{AccountChange, Change, NewToken, PlayerKey, TokenRow, Write},
    words::{Scope, Scopes},
};

/// Tokens of a player.
const MOST_TOKENS: usize = 50;

/// A token of the player, without its secret.
#[derive(Serialize)]
#[wire]
#[schema(as = Token)]
pub struct TokenView {
    #[schema(format = Uuid)]
    pub id: String,
    pub name: String,
    #[schema(max_items = 3)]
    pub scopes: Vec<Scope>,
    /// The only game the token may access. `null` for all games.
    #[schema(format = Uuid)]
    pub game: Option<String>,
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Last use, rounded to the hour. `null` if never used.
    #[schema(format = DateTime)]
    pub last_used_at: Option<String>,
    #[schema(format = DateTime)]
    pub expires_at: Option<String>,
    /// Whether this request used the token.
    pub current: bool,
}

/// A new token. It is shown only once.
#[derive(Serialize)]
#[wire]
#[schema(as = TokenWithSecret)]
pub struct NewTokenView {
    #[schema(pattern = "^plg_[0-9a-z]{60}$")]
    pub token: String,
    #[serde(flatten)]
    pub about: TokenView,
}

request! {
    #[schema(as = NewToken, example = json!({"name": "bot", "scopes": ["play"]}))]
    pub struct TokenOrder {
        /// Name of the token, for your own list.
        #[schema(value_type = String, min_length = 1, max_length = 40)]
        pub name: Name,
        /// Scopes: `read` to watch, `play` to watch and play, `account` for everything else.
        #[schema(value_type = Vec<Scope>, min_items = 1)]
        pub scopes: Scopes,
        /// Limits the token to one game. Cannot be combined with the scope `account`.
        #[schema(value_type = Option<Uuid>)]
        pub game: Option<Uuid>,
        /// Expiry. Default: never, or the expiry of the token that creates it.
        #[schema(value_type = Option<String>, format = DateTime)]
        pub expires_at: Option<ClientTime>,
    }
}

impl Field for Scopes {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let scopes = texts(fields, name, |word| {
            let all = Scope::ALL.iter().map(|scope| scope.word());
            Scope::from_word(word).ok_or_else(|| one_of(Some(word), all))
        })?;
        let scopes = scopes.into_iter().fold(Self::NONE, Self::and);
        if scopes == Self::NONE {
            Err(fields.wrong(name, Text::new("must contain at least one", "deve contenerne almeno uno")))
        } else {
            Ok(scopes)
        }
    }
}

/// A time from a client, in milliseconds since 1970.
pub struct ClientTime(pub u64);

impl Field for ClientTime {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let at = DateTime::parse_from_rfc3339(fields.text(name)?).ok();
        let at = at.and_then(|at| u64::try_from(at.timestamp_millis()).ok());
        at.map(Self).ok_or_else(|| {
            let (en, it) = (
                "must be a time such as 2027-01-31T12:00:00Z",
                "dev'essere un'ora, come 2027-01-31T12:00:00Z",
            );
            fields.wrong(name, Text::new(en, it))
        })
    }
}

/// Checks the rights of a new token: a token gives at most its own. Returns the expiry.
pub(super) fn rights_of(
    maker: &Session,
    scopes: Scopes,
    game: Option<Uuid>,
    expires_at: Option<&ClientTime>,
    now: u64,
) -> Result<Option<u64>, ServiceError> {
    if let Some(scope) = scopes.list().into_iter().find(|scope| !maker.scopes.allow(*scope)) {
        return Err(ServiceError::NoScope(scope));
    }
    if game.is_some() && scopes.has(Scope::Account) {
        let problem = Text::new(
            "must not contain `account` in a token for one game",
            "non può contenere `account` per un token di una sola partita",
        );
        return Err(Malformed::new("scopes", problem).into());
    }
    match (expires_at.map(|end| end.0), maker.expires_at) {
        (Some(end), _) if end <= now => {
            Err(Malformed::new("expires_at", Text::new("must be in the future", "dev'essere nel futuro"))
                .into())
        }
        (Some(end), Some(last)) if end > last => {
            let problem = Text::new(
                "must not be later than the expiry of the token that creates it",
                "non può superare la scadenza del token che lo crea",
            );
            Err(Malformed::new("expires_at", problem).into())
        }
        (end, last) => Ok(end.or(last)),
    }
}

impl Accounts {
    pub async fn tokens(&self, session: &Session, window: &Window) -> Result<Page<TokenView>, ServiceError> {
        let tokens = self.living_tokens(session.player.key).await?;
        Page::of_few(tokens, window, |token| token.uuid, |token| view(token, session))
    }

    pub async fn token(&self, session: &Session, id: Uuid) -> Result<TokenView, ServiceError> {
        let tokens = self.living_tokens(session.player.key).await?;
        let token = tokens.into_iter().find(|token| token.uuid == id).ok_or(ServiceError::NotFound)?;
        Ok(view(token, session))
    }

    async fn living_tokens(&self, player: PlayerKey) -> Result<Vec<TokenRow>, ServiceError> {
        let now = self.clock.now();
        let mut tokens = self.store.tokens(player).await?;
        tokens.retain(|token| token.expires_at.is_none_or(|end| end > now));
        Ok(tokens)
    }

    /// Fails if the player has too many tokens. Two concurrent requests may both pass.
    pub(super) async fn has_room_for_token(&self, player: PlayerKey) -> Result<(), ServiceError> {
        let count = self.living_tokens(player).await?.len();
        if count < MOST_TOKENS { Ok(()) } else { Err(ServiceError::TooManyTokens(MOST_TOKENS)) }
    }

    pub async fn make_token(
        &self,
        session: &Session,
        order: TokenOrder,
    ) -> Result<NewTokenView, ServiceError> {
        let expires_at =
            rights_of(session, order.scopes, order.game, order.expires_at.as_ref(), self.clock.now())?;
        if let Some(game) = order.game {
            self.games.visible(game, Some(&session.player)).await?;
        }
        self.has_room_for_token(session.player.key).await?;
        let token = self.new_token()?;
        let new = NewToken {
            name: order.name.0,
            scopes: order.scopes,
            game: order.game,
            expires_at,
            ..self.full_token(session.player.key, &token, "")
        };
        self.add_token(session, token, new).await
    }

    /// Replaces this token. The old one works until the new one is used, so a lost answer loses nothing.
    pub async fn renew_token(&self, session: &Session) -> Result<NewTokenView, ServiceError> {
        let token = self.new_token()?;
        let new = NewToken {
            name: session.token_name.to_string(),
            scopes: session.scopes,
            game: session.game,
            expires_at: session.expires_at,
            is_pending: true,
            replaces: Some(session.token),
            ..self.full_token(session.player.key, &token, "")
        };
        self.add_token(session, token, new).await
    }

    async fn add_token(
        &self,
        session: &Session,
        token: String,
        new: NewToken,
    ) -> Result<NewTokenView, ServiceError> {
        let about = TokenView {
            id: new.uuid.to_string(),
            name: new.name.clone(),
            scopes: new.scopes.list(),
            game: new.game.map(|game| game.to_string()),
            created_at: time(new.created_at),
            last_used_at: None,
            expires_at: new.expires_at.map(time),
            current: false,
        };
        let write = session.write().and(Change::Account(AccountChange::AddToken(new)));
        self.change_account(session.player.key, write, ServiceError::BadToken).await?;
        Ok(NewTokenView { token, about })
    }

    pub async fn end_token(&self, session: &Session, token: Uuid) -> Result<(), ServiceError> {
        let change = AccountChange::EndToken { player: session.player.key, token };
        let write = Write::of(Change::Account(change));
        self.change_account(session.player.key, write, ServiceError::NotFound).await
    }
}

fn view(token: TokenRow, session: &Session) -> TokenView {
    TokenView {
        id: token.uuid.to_string(),
        name: token.name,
        scopes: token.scopes.list(),
        game: token.game.map(|game| game.to_string()),
        created_at: time(token.created_at),
        last_used_at: token.used_at.map(time),
        expires_at: token.expires_at.map(time),
        current: token.key == session.token,
    }
}
