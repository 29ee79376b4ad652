//! Who sends a request: authentication.

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header, web};

use super::state;
use crate::{
    http::{problem::Problem, state::State},
    service::{Player, ServiceError},
};

/// Who sends the request: the player of its token, or nobody in particular.
///
/// The token is looked up only when the caller is asked for, so that the form of a request is checked first.
pub struct Caller {
    token: Result<Option<String>, Problem>,
    state: web::Data<State>,
}

impl Caller {
    /// The player, or a spectator without a token. A token that is not valid is never taken for none.
    pub async fn anyone(&self) -> Result<Option<Player>, Problem> {
        match self.token.clone()? {
            None => Ok(None),
            Some(token) => Ok(Some(self.state.service.player_of(&token).await?)),
        }
    }

    pub async fn player(&self) -> Result<Player, Problem> {
        self.anyone().await?.ok_or_else(|| ServiceError::NoToken.into())
    }
}

impl FromRequest for Caller {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let token = match request.headers().get(header::AUTHORIZATION) {
            None => Ok(None),
            Some(value) => {
                let bearer = value.to_str().ok().and_then(|value| value.split_once(' '));
                let token = bearer
                    .filter(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && !token.is_empty());
                token.map(|(_, token)| Some(token.to_owned())).ok_or_else(|| ServiceError::BadToken.into())
            }
        };
        std::future::ready(state(request).map(|state| Self { token, state }))
    }
}
