//! Who sends a request: authentication.

use std::rc::Rc;

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header, web};

use super::state;
use crate::{
    http::{problem::Problem, purse::Purse, state::State},
    service::{Player, ServiceError},
};

/// Who sends the request: the player of its token, or nobody in particular.
///
/// The token is looked up only when the caller is asked for, so that the form of a request is checked first.
pub struct Caller {
    token: Result<Option<String>, Problem>,
    state: web::Data<State>,
    purse: Rc<Purse>,
}

impl Caller {
    /// The player, or a spectator without a token. A token that is not valid is never taken for none.
    pub async fn anyone(&self) -> Result<Option<Player>, Problem> {
        match self.token.clone()? {
            None => Ok(None),
            Some(token) => {
                let player = self.state.service.player_of(&token).await?;
                self.purse.belongs_to(&player)?;
                Ok(Some(player))
            }
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
        let made = || Ok(Self { token, state: state(request)?, purse: Purse::of(request)? });
        std::future::ready(made())
    }
}
