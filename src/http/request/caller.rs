//! Who sends a request: found out once, before anything else of it is read.

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
        document::Access,
        problem::{INTERNAL, NOT_FOUND, Problem},
        sse,
        state::State,
    },
    service::{Accounts, Player, ServiceError, Session, accounts::TokenDigest},
};

/// Who sends a request: the session of its token, or nobody in particular.
#[derive(Clone)]
pub struct Caller(Rc<Known>);

struct Known {
    token: Option<TokenDigest>,
    session: Option<Arc<Session>>,
    /// The ticket that stands for the token, if one does.
    ticket: Option<String>,
    state: web::Data<State>,
}

/// Around every endpoint: whoever brings a token is known by it, and may do what it is good for. A token that
/// is not valid is never taken for none.
pub async fn authorize(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    access: Option<Access>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(access) = access else { return Ok(next.call(request).await?.map_into_boxed_body()) };
    let caller = match Caller::at_hand(request.request()) {
        Ok(Some(caller)) => Ok(caller),
        // Rare, and every request would have room in itself for it.
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
    /// Who sends a request, if its session is at hand; mostly it is.
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
        Ok(Some(Self::new(session, None, state)))
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
            (None, None) => return Ok(Self::new(None, None, state)),
        };
        let session = state.service.accounts.session(&token).await?;
        Ok(Self::new(Some((token, session)), ticket, state))
    }

    /// Returns the proof by which a stream that a ticket has opened may be opened again.
    pub fn stream_proof(&self) -> Option<String> {
        let Known { token, ticket, state, .. } = &*self.0;
        Some(state.service.accounts.stream_proof(ticket.as_ref()?, token.as_ref()?))
    }

    fn new(
        session: Option<(TokenDigest, Arc<Session>)>,
        ticket: Option<String>,
        state: &web::Data<State>,
    ) -> Self {
        let (token, session) = session.unzip();
        Self(Rc::new(Known { token, session, ticket, state: state.clone() }))
    }

    /// The caller, if it may ask for this.
    fn admitted(self, request: &HttpRequest, access: Access) -> Result<Self, Problem> {
        let Some(session) = self.session() else {
            return if access.needs_token { Err(ServiceError::NoToken.into()) } else { Ok(self) };
        };
        RequestBudget::of(request)?.belongs_to(&session.player)?;
        if let Some(scope) = access.scope.filter(|scope| !session.scopes.allow(*scope)) {
            return Err(ServiceError::NoScope(scope).into());
        }
        // Any other game is not there for a token of one. What the path is like says the router, which knows it by
        // more than one spelling.
        let asked = request.match_info().get("id").filter(|_| access.names_game);
        if session.game.is_some_and(|only| asked.is_some_and(|asked| Uuid::try_parse(asked) != Ok(only))) {
            return Err(Problem::new(&NOT_FOUND));
        }
        Ok(self)
    }

    pub fn session(&self) -> Option<&Session> {
        self.0.session.as_deref()
    }

    pub fn player(&self) -> Option<&Player> {
        self.session().map(|session| &session.player)
    }

    /// The one game that the token is for, if it is for one.
    pub fn only_game(&self) -> Option<Uuid> {
        self.session()?.game
    }

    /// The token that the caller came with, or that its ticket stands for.
    pub fn token(&self) -> Option<TokenDigest> {
        self.0.token
    }

    /// Whether the token still holds, for those who stay for long.
    pub async fn still_holds(&self) -> Result<(), Problem> {
        let Known { token, state, .. } = &*self.0;
        match token {
            Some(token) => Ok(state.service.accounts.session(token).await.map(|_| ())?),
            None => Ok(()),
        }
    }
}

/// What a request brings as its token.
fn token(request: &HttpRequest) -> Result<Option<TokenDigest>, Problem> {
    let mut values = request.headers().get_all(header::AUTHORIZATION);
    let (Some(value), more) = (values.next(), values.next()) else { return Ok(None) };
    let bearer = value.to_str().ok().filter(|_| more.is_none()).and_then(|value| value.split_once(' '));
    let token = bearer.filter(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && !token.is_empty());
    let (_, token) = token.ok_or(ServiceError::BadToken)?;
    Ok(Some(Accounts::digest_of(token)))
}

/// What a stream may bring in place of a token.
fn ticket(request: &HttpRequest) -> Option<String> {
    let query = request.query_string();
    // Some resources are nothing but a stream, however they are asked for.
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
        let known = request.extensions().get::<Self>().cloned();
        std::future::ready(known.ok_or_else(|| Problem::new(&INTERNAL).because("a request has no caller")))
    }
}

/// A caller with a token, where one is needed.
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

/// That a caller's token is for no single game, which whoever begins one needs. It is looked at before the
/// form of the request.
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
