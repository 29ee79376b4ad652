//! Requests of operators.

use actix_web::{FromRequest, HttpRequest, HttpResponse, dev::Payload, http::StatusCode, web};
use futures_util::future::LocalBoxFuture;
use serde::Serialize;

use super::{
    act::{answer, key, unstored},
    body::SentBody,
    caller::bearer,
    query::Query,
    state,
};
use crate::{
    http::{problem::Problem, state::State},
    service::{
        ServiceError,
        moderation::Operator,
        request::Request,
        tables::{IdempotencyKey, KeyOwner, Reply},
    },
};

/// The operator of a request.
impl FromRequest for Operator {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { operator(&request).await })
    }
}

async fn operator(request: &HttpRequest) -> Result<Operator, Problem> {
    let token = bearer(request)?.ok_or(ServiceError::NoToken)?;
    Ok(state(request)?.service.moderation.operator(token).await?)
}

/// A request of an operator with an effect.
pub struct ByOperator<T> {
    operator: Operator,
    value: T,
    state: web::Data<State>,
    key: Option<IdempotencyKey>,
}

impl<T: Request> FromRequest for ByOperator<T> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            // The token is checked before the body is read.
            let operator = operator(&request).await?;
            Query::read(request.query_string())?.end()?;
            let check = async || self::operator(&request).await.map(drop);
            let SentBody { value, bytes } = SentBody::read(&request, payload, check).await?;
            let key = key(&request, &bytes)?;
            Ok(Self { operator, value, state: state(&request)?.clone(), key })
        })
    }
}

impl<T> ByOperator<T> {
    /// Carries out an act once under its key, and answers a success with this status. No cache may keep the
    /// answer.
    pub async fn secret<A: Serialize>(
        self,
        status: StatusCode,
        act: impl AsyncFnOnce(&State, &Operator, T) -> Result<A, ServiceError>,
    ) -> Result<HttpResponse, Problem> {
        let Self { operator, value, state, key } = self;
        let owner = KeyOwner::Address(format!("operator {}", operator.id));
        let act = async { Reply::of(&act(&state, &operator, value).await?) };
        let done = state.service.tables.do_once(owner, key.as_ref(), act).await?;
        Ok(unstored(answer(status, done)))
    }
}
