//! Consent: the requested rights of an app, and its code.

use data_encoding::BASE64URL_NOPAD;
use serde::Serialize;
use uuid::Uuid;

use super::client::Client;
use crate::{
    engine::{Malformed, Text},
    service::{Accounts, ServiceError, accounts::secret, games::Session, request::request},
    store::{AccountChange, AppChange, AppRow, Change, NewApp, Write},
    words::{Scope, Scopes},
};

/// Time to exchange a code.
const CODE_GOOD_FOR: u64 = 60 * 1_000;
const DAY: u64 = 24 * 60 * 60 * 1_000;
const DAYS: u64 = 90;
const MOST_DAYS: u64 = 366;
/// Connected apps of a player.
const MOST_APPS: usize = 50;
const LONGEST_STATE: usize = 1_000;

request! {
    /// An authorization request, with the parameters that the app sent to `/oauth/authorize`.
    #[schema(example = json!({
        "response_type": "code", "client_id": "http://localhost/callback",
        "redirect_uri": "http://localhost:8000/callback", "scope": "read play", "state": "af0ifjsldkj",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    }))]
    pub struct AuthorizationRequest {
        #[schema(max_length = 2_000)]
        pub client_id: String,
        #[schema(max_length = 2_000)]
        pub redirect_uri: String,
        /// Must be `code`.
        pub response_type: Option<String>,
        /// Scopes, separated by spaces. Default: `read`.
        #[schema(max_length = 100)]
        pub scope: Option<String>,
        /// Returned to the app as it is.
        #[schema(max_length = 1_000)]
        pub state: Option<String>,
        /// SHA-256 of the app's code verifier, in base64url.
        #[schema(max_length = 100)]
        pub code_challenge: Option<String>,
        /// Must be `S256`.
        pub code_challenge_method: Option<String>,
        /// The only game that the app asks for. Default: all games.
        #[schema(value_type = Option<String>, format = Uuid)]
        pub game: Option<Uuid>,
    }
}

request! {
    /// The player's consent to an authorization request.
    pub struct NewConsent {
        pub request: AuthorizationRequest,
        /// Days until the app is disconnected. Default: 90.
        #[schema(value_type = Option<u32>, minimum = 1, maximum = 366)]
        pub days: Option<u64>,
    }
}

impl crate::service::request::Field for AuthorizationRequest {
    fn read(fields: &mut crate::engine::Fields, name: &'static str) -> Result<Self, Malformed> {
        let place = fields.place(name);
        Self::of(crate::engine::Fields::of(fields.need(name)?, place)?)
    }
}

/// An app, and its requested rights.
#[derive(Serialize)]
#[wire]
#[schema(as = ConsentRequest)]
pub struct ConsentView {
    pub client_id: String,
    /// Name that the app gives itself. `null` for a program on the player's own computer.
    pub name: Option<String>,
    /// Host of the app's id. Only this is proved.
    pub host: String,
    /// Address that gets the code, without its query.
    pub returns_to: String,
    #[schema(max_items = 3)]
    pub scopes: Vec<Scope>,
    /// The only game that the app asks for. `null` for all games.
    #[schema(format = Uuid)]
    pub game: Option<String>,
    /// Mistake of the app, as an OAuth error. `null` if the player can consent.
    pub error: Option<&'static str>,
    /// Address that tells the app about the refusal or about its mistake.
    pub refused: String,
}

/// The player has consented.
#[derive(Serialize)]
#[wire]
pub struct Consented {
    /// Address of the app, with the code. It works once, within a minute.
    pub redirect: String,
}

/// An OAuth error, and its description for the author of the app.
type Mistake = (&'static str, &'static str);

/// A checked request.
struct Asked {
    client: Client,
    state: Option<String>,
    game: Option<Uuid>,
    /// Scopes and challenge, or the mistake of the app.
    wanted: Result<(Scopes, [u8; 32]), Mistake>,
}

impl Accounts {
    /// Returns the requested rights of an app. Fails if the app is unknown or the address is not its own: no
    /// player may be sent there.
    pub async fn consent_request(
        &self,
        sent: AuthorizationRequest,
        issuer: &str,
    ) -> Result<ConsentView, ServiceError> {
        let asked = self.asked(sent).await?;
        let mistake = asked.wanted.err();
        let refused = asked.refused(mistake.unwrap_or(("access_denied", "the player refused")), issuer);
        let mut returns_to = asked.client.redirect.clone();
        returns_to.set_query(None);
        Ok(ConsentView {
            client_id: asked.client.id,
            name: asked.client.name,
            host: asked.client.host,
            returns_to: returns_to.into(),
            scopes: asked.wanted.map_or_else(|_| Vec::new(), |(scopes, _)| scopes.list()),
            game: asked.game.map(|game| game.to_string()),
            error: mistake.map(|(error, _)| error),
            refused,
        })
    }

    /// Makes a code for an app that the player consents to.
    pub async fn consent(
        &self,
        session: &Session,
        NewConsent { request, days }: NewConsent,
        issuer: &str,
    ) -> Result<Consented, ServiceError> {
        let days = days.unwrap_or(DAYS);
        if !(1..=MOST_DAYS).contains(&days) {
            let (en, it) = ("must be a whole number from 1 to 366", "dev'essere un numero intero da 1 a 366");
            return Err(Malformed::new("days", Text::new(en, it)).into());
        }
        let asked = self.asked(request).await?;
        let (scopes, challenge) = match asked.wanted {
            Ok(wanted) => wanted,
            Err(mistake) => return Ok(Consented { redirect: asked.refused(mistake, issuer) }),
        };
        if let Some(scope) = scopes.list().into_iter().find(|scope| !session.scopes.allow(*scope)) {
            return Err(ServiceError::NoScope(scope));
        }
        if let Some(game) = asked.game {
            self.games.visible(game, Some(&session.player)).await?;
        }
        if self.store.apps(session.player.key).await?.len() >= MOST_APPS {
            return Err(ServiceError::TooManyTokens(MOST_APPS));
        }
        let (code, now) = (secret::token("plc_", &self.entropy.bytes()?), self.clock.now());
        let ends = now + days * DAY;
        let app = AppRow {
            uuid: crate::id::fresh(),
            client: asked.client.id.clone(),
            name: asked.client.name.clone().unwrap_or_else(|| asked.client.host.clone()),
            scopes,
            game: asked.game,
            created_at: now,
            expires_at: session.expires_at.map_or(ends, |end| end.min(ends)),
            code_until: now + CODE_GOOD_FOR,
            redirect: asked.client.redirect.to_string(),
            challenge,
            has_begun: false,
            used_at: None,
        };
        let digest = secret::digest_of_token(&code);
        let new = NewApp { player: session.player.key, app, code: digest };
        let write: Write =
            session.write().and(Change::Account(AccountChange::App(AppChange::Add(Box::new(new)))));
        self.change_account(session.player.key, write, ServiceError::BadToken).await?;
        Ok(Consented { redirect: asked.answer(&[("code", &code)], issuer) })
    }

    async fn asked(&self, sent: AuthorizationRequest) -> Result<Asked, ServiceError> {
        let client = self.client(&sent.client_id, &sent.redirect_uri).await?;
        let wanted = wanted(&sent);
        let state = sent.state.filter(|state| state.len() <= LONGEST_STATE);
        Ok(Asked { client, state, game: sent.game, wanted })
    }
}

const NO_CHALLENGE: Mistake = (
    "invalid_request",
    "code_challenge must be the SHA-256 of a verifier in base64url, with code_challenge_method=S256",
);
const WRONG_SCOPE: Mistake =
    ("invalid_scope", "scope is read, play and account, separated by spaces; with game, read and play only");

/// Returns the scopes and the challenge of a request, or its OAuth error.
fn wanted(sent: &AuthorizationRequest) -> Result<(Scopes, [u8; 32]), Mistake> {
    if sent.response_type.as_deref() != Some("code") {
        return Err(("unsupported_response_type", "response_type must be code"));
    }
    if sent.state.as_ref().is_some_and(|state| state.len() > LONGEST_STATE) {
        return Err(("invalid_request", "state has more than 1000 bytes"));
    }
    let is_hashed = sent.code_challenge_method.as_deref() == Some("S256");
    let challenge = sent.code_challenge.as_deref().filter(|_| is_hashed);
    let challenge = challenge.and_then(|text| BASE64URL_NOPAD.decode(text.as_bytes()).ok());
    let challenge = challenge.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok()).ok_or(NO_CHALLENGE)?;
    let mut scopes = Scopes::NONE;
    for word in sent.scope.as_deref().unwrap_or("read").split_ascii_whitespace() {
        scopes = scopes.and(Scope::from_word(word).ok_or(WRONG_SCOPE)?);
    }
    let is_too_much = sent.game.is_some() && scopes.has(Scope::Account);
    if scopes == Scopes::NONE || is_too_much { Err(WRONG_SCOPE) } else { Ok((scopes, challenge)) }
}

impl Asked {
    fn refused(&self, (error, description): Mistake, issuer: &str) -> String {
        self.answer(&[("error", error), ("error_description", description)], issuer)
    }

    /// Returns the address of the app with an answer (RFC 6749, RFC 9207).
    fn answer(&self, answer: &[(&str, &str)], issuer: &str) -> String {
        let mut address = self.client.redirect.clone();
        address.query_pairs_mut().extend_pairs(answer);
        if let Some(state) = &self.state {
            address.query_pairs_mut().append_pair("state", state);
        }
        address.query_pairs_mut().append_pair("iss", issuer);
        address.into()
    }
}
