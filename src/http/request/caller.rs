//! The caller of a request, found once, before the rest of the request is read.

use std::{rc::Rc, sync::Arc};

use actix_web::{
    Error, FromRequest, HttpMessage as _, HttpRequest, ResponseError as _,
    body::{BoxBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::header,
    middleware::Next,
    web,
};
use uuid::Uuid;

use super::{query::Query, state};
use crate::{
    http::{
        budget::RequestBudget,
        client::Client,
        endpoint::{Access, Needs},
        problem::{INTERNAL, NOT_FOUND, Problem},
        sse,
        state::State,
    },
    service::{Accounts, Player, ServiceError, Session, accounts::TokenDigest},
};

/// The caller: the session of a token, or none.
#[derive(Clone)]
pub struct Caller(Rc<CallerState>);

struct CallerState {
    client: Option<Client>,
    token: Option<TokenDigest>,
    session: Option<Arc<Session>>,
    /// The ticket that replaced the token.
    ticket: Option<String>,
    state: web::Data<State>,
}

/// Wraps every endpoint: finds the session of the token, and checks its scope. An invalid token is an error,
/// not an absent one.
pub async fn authorize(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    access: Option<Access>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let access = access.filter(|access| access.needs != Needs::Operator);
    let Some(access) = access else { return Ok(next.call(request).await?.map_into_boxed_body()) };
    let caller = match Caller::at_hand(request.request()) {
        Ok(Some(caller)) => Ok(caller),
        // Boxed: rare, keeps the future small.
        Ok(None) => Box::pin(Caller::look_up(request.request())).await,
        Err(problem) => Err(problem),
    };
    match caller.and_then(|caller| caller.admitted(request.request(), access)) {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            Ok(next.call(request).await?.map_into_boxed_body())
        }
        Err(problem) => Ok(request.into_response(problem.error_response())),
    }
}

impl Caller {
    /// Returns the caller, if its session is cached, as it usually is.
    fn at_hand(request: &HttpRequest) -> Result<Option<Self>, Problem> {
        let state = state(request)?;
        let session = match token(request)? {
            None if ticket(request).is_some() => return Ok(None),
            None => None,
            Some(token) => match state.service.accounts.session_at_hand(&token)? {
                Some(session) => Some((token, session)),
                None => return Ok(None),
            },
        };
        Ok(Some(Self::new(session, None, request, state)))
    }

    async fn look_up(request: &HttpRequest) -> Result<Self, Problem> {
        let state = state(request)?;
        let (token, ticket) = match (token(request)?, ticket(request)) {
            (Some(token), _) => (token, None),
            (None, Some(ticket)) => {
                let token = match sse::proof(request) {
                    Some(proof) => state.service.accounts.resume_ticket(&ticket, proof)?,
                    None => state.service.accounts.take_ticket(&ticket).await?,
                };
                (token, Some(ticket))
            }
            (None, None) => return Ok(Self::new(None, None, request, state)),
        };
        let session = state.service.accounts.session(&token).await?;
        Ok(Self::new(Some((token, session)), ticket, request, state))
    }

    /// Returns the proof that reopens a stream of a ticket.
    pub fn stream_proof(&self) -> Option<String> {
        let CallerState { token, ticket, state, .. } = &*self.0;
        Some(state.service.accounts.stream_proof(ticket.as_ref()?, token.as_ref()?))
    }

    fn new(
        session: Option<(TokenDigest, Arc<Session>)>,
        ticket: Option<String>,
        request: &HttpRequest,
        state: &web::Data<State>,
    ) -> Self {
        let client = RequestBudget::of(request).ok().map(|budget| budget.client);
        let (token, session) = session.unzip();
        Self(Rc::new(CallerState { client, token, session, ticket, state: state.clone() }))
    }

    /// Returns the caller, if it has the required access.
    fn admitted(self, request: &HttpRequest, access: Access) -> Result<Self, Problem> {
        let Some(session) = self.session() else {
            return if access.needs == Needs::Player { Err(ServiceError::NoToken.into()) } else { Ok(self) };
        };
        RequestBudget::of(request)?.belongs_to(&session.player)?;
        if !access.suspended_too {
            self.0.state.service.accounts.is_welcome(session)?;
        }
        if let Some(scope) = access.scope.filter(|scope| !session.scopes.allow(*scope)) {
            return Err(ServiceError::NoScope(scope).into());
        }
        // For a token of one game, other games do not exist. The router knows the path in all its spellings.
        let asked = request.match_info().get("id").filter(|_| access.names_game);
        if session.game.is_some_and(|only| asked.is_some_and(|asked| Uuid::try_parse(asked) != Ok(only))) {
            return Err(Problem::new(&NOT_FOUND));
        }
        Ok(self)
    }

    /// Returns the caller of a request.
    pub fn of(request: &HttpRequest) -> Result<Self, Problem> {
        let known = request.extensions().get::<Self>().cloned();
        known.ok_or_else(|| Problem::new(&INTERNAL).because("a request has no caller"))
    }

    pub fn session(&self) -> Option<&Session> {
        self.0.session.as_deref()
    }

    pub fn player(&self) -> Option<&Player> {
        self.session().map(|session| &session.player)
    }

    /// Returns the only game of the token, if it is limited to one.
    pub fn only_game(&self) -> Option<Uuid> {
        self.session()?.game
    }

    /// Returns the token of the caller, or of its ticket.
    pub fn token(&self) -> Option<TokenDigest> {
        self.0.token
    }

    /// Fails if the token has ended, or the player or the address was banned, for connections that last long.
    pub async fn still_holds(&self) -> Result<(), Problem> {
        let CallerState { token, client, state, .. } = &*self.0;
        if client.is_some_and(|client| state.service.instance.bans(client.address())) {
            return Err(ServiceError::AddressBanned.into());
        }
        match token {
            Some(token) => {
                let session = state.service.accounts.session(token).await?;
                Ok(state.service.accounts.is_welcome(&session)?)
            }
            None => Ok(()),
        }
    }
}

fn token(request: &HttpRequest) -> Result<Option<TokenDigest>, Problem> {
    Ok(bearer(request)?.map(Accounts::digest_of))
}

/// Returns the token of a request, if it has one.
pub(super) fn bearer(request: &HttpRequest) -> Result<Option<&str>, Problem> {
    let mut values = request.headers().get_all(header::AUTHORIZATION);
    let (Some(value), more) = (values.next(), values.next()) else { return Ok(None) };
    let bearer = value.to_str().ok().filter(|_| more.is_none()).and_then(|value| value.split_once(' '));
    let token = bearer.filter(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && !token.is_empty());
    let (_, token) = token.ok_or(ServiceError::BadToken)?;
    Ok(Some(token))
}

/// Returns the ticket of a stream.
fn ticket(request: &HttpRequest) -> Option<String> {
    let query = request.query_string();
    // Some resources are always streams.
    let is_stream = || request.path() == "/v1/me/events" || sse::is_wanted(request);
    if !query.contains("ticket=") || !is_stream() {
        return None;
    }
    Query::read(query).ok()?.text("ticket")
}

impl FromRequest for Caller {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        std::future::ready(Self::of(request))
    }
}

/// A caller with a token, required.
pub struct Authenticated(pub Arc<Session>);

impl FromRequest for Authenticated {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let caller = Caller::from_request(request, payload).into_inner();
        let session = |caller: Caller| caller.0.session.clone().ok_or_else(|| ServiceError::NoToken.into());
        std::future::ready(caller.and_then(session).map(Self))
    }
}

/// Requires a token for all games, before the body is read.
pub struct UnscopedToken;

impl FromRequest for UnscopedToken {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let caller = Caller::from_request(request, payload).into_inner();
        let of_any = |caller: Caller| match caller.only_game() {
            Some(_) => Err(ServiceError::OneGameOnly.into()),
            None => Ok(Self),
        };
        std::future::ready(caller.and_then(of_any))
    }
}

/// Requires a token that belongs to no connected app: an app must not extend its own rights.
pub struct OwnToken;

impl FromRequest for OwnToken {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let caller = Caller::from_request(request, payload).into_inner();
        let of_player = |caller: Caller| match caller.session() {
            Some(session) if session.is_app => Err(ServiceError::NotForApps.into()),
            _ => Ok(Self),
        };
        std::future::ready(caller.and_then(of_player))
    }
}
