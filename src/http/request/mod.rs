//! Extractors: parts of a request, checked.

mod act;
mod body;
mod caller;
mod operator;
mod query;

use actix_web::{HttpRequest, web};

pub use act::{Idempotent, Open};
pub use body::{SentBody, Upload};
pub use caller::{Authenticated, Caller, OwnToken, UnscopedToken, authorize};
pub use operator::ByOperator;
pub use query::{Id, Query};

use super::{problem::Problem, state::State};
use crate::service::ServiceError;

fn state(request: &HttpRequest) -> Result<&web::Data<State>, Problem> {
    let state = request.app_data::<web::Data<State>>();
    state.ok_or_else(|| ServiceError::Internal("no state".into()).into())
}
