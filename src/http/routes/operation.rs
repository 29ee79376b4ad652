//! For the operator.

use actix_web::{HttpResponse, http::header, web};

use crate::http::{
    problem::{Problem, STORAGE_UNAVAILABLE},
    request::Query,
    state::State,
};

/// Whether the process answers
#[utoipa::path(get, path = "/health/live", tag = "operation", responses((status = 200, description = "It does", body = String, content_type = "text/plain")))]
pub async fn live() -> &'static str {
    "ok\n"
}

/// Whether games can be played
#[utoipa::path(get, path = "/health/ready", tag = "operation", responses((status = 200, description = "They can", body = String, content_type = "text/plain")))]
pub async fn ready(state: web::Data<State>) -> Result<&'static str, Problem> {
    if state.service.ready().await { Ok("ok\n") } else { Err(Problem::new(&STORAGE_UNAVAILABLE)) }
}

/// Numbers in the text format of Prometheus
#[utoipa::path(get, path = "/metrics", tag = "operation", responses((status = 200, description = "The numbers", body = String, content_type = "text/plain")))]
pub async fn metrics(state: web::Data<State>, query: Query) -> Result<HttpResponse, Problem> {
    query.end()?;
    let text = state.metrics.text(state.service.load());
    Ok(HttpResponse::Ok().insert_header((header::CONTENT_TYPE, "text/plain; version=0.0.4")).body(text))
}
