//! For the operator.

use actix_web::{HttpRequest, HttpResponse, http::header, web};

use crate::{
    engine::Text,
    http::{
        client::is_forwarded,
        metrics::Report,
        problem::{NOT_FOUND, Problem, STORAGE_UNAVAILABLE},
        request::Query,
        state::State,
    },
    service::Unsteady,
};

/// Check that the process runs
///
/// Always answers 200. Needs no token and counts towards no limit.
#[endpoint(
    GET "/health/live", tag = "operation",
    responses((status = 200, description = "The process runs", body = String, content_type = "text/plain"))
)]
pub async fn get_liveness(query: Query) -> Result<&'static str, Problem> {
    query.end()?;
    Ok("ok\n")
}

/// Check that games can be played
///
/// Answers 200 with `ok` if moves can be saved, and 503 with the reason if not. A load balancer should
/// send writes only to servers that are ready.
#[endpoint(
    GET "/health/ready", tag = "operation",
    responses(
        (status = 200, description = "Games can be played", body = String, content_type = "text/plain")
    ),
    problems(STORAGE_UNAVAILABLE)
)]
pub async fn get_readiness(state: web::Data<State>, query: Query) -> Result<String, Problem> {
    query.end()?;
    let jumped = match state.service.unsteady() {
        Some(early @ Unsteady::Early) => {
            let (en, it) = early.text();
            return Err(Problem::new(&STORAGE_UNAVAILABLE).detail(Text::new(en, it)));
        }
        // Games can be played meanwhile, so nothing is to take the server out of service.
        jumped => jumped.map(|jumped| jumped.text().0),
    };
    match state.service.ready().await {
        Ok(()) => {
            let full = state.service.nearly_full();
            let full = full.map(|_| "no new games: the disk is nearly full".to_owned());
            let buts: Vec<String> = jumped.into_iter().chain(full).collect();
            Ok(if buts.is_empty() { "ok\n".to_owned() } else { format!("ok, but {}\n", buts.join("; ")) })
        }
        Err(None) => Err(Problem::new(&STORAGE_UNAVAILABLE)),
        Err(Some(why)) => {
            let text = Text::new(
                format!("The server cannot save moves: {why}."),
                format!("Il server non può salvare le mosse: {why}."),
            );
            Err(Problem::new(&STORAGE_UNAVAILABLE).detail(text))
        }
    }
}

/// Get metrics
///
/// Returns metrics in the text format of Prometheus. Answers only to programs on the server's own
/// machine, or on the address given by `--metrics-listen`.
#[endpoint(
    GET "/metrics", tag = "operation",
    responses((status = 200, description = "The metrics", body = String, content_type = "text/plain")),
    problems(NOT_FOUND)
)]
pub async fn get_metrics(
    state: web::Data<State>,
    request: HttpRequest,
    query: Query,
) -> Result<HttpResponse, Problem> {
    let is_local = request.peer_addr().is_some_and(|peer| peer.ip().to_canonical().is_loopback());
    let is_here = state.config.metrics_listen.is_none() && is_local && !is_forwarded(request.headers());
    if !is_here {
        return Err(Problem::new(&NOT_FOUND));
    }
    query.end()?;
    Ok(numbers(&state).await)
}

/// The same, at an address where nothing else is.
pub async fn metrics_alone(state: web::Data<State>) -> HttpResponse {
    numbers(&state).await
}

async fn numbers(state: &State) -> HttpResponse {
    let service = &state.service;
    let report = Report {
        load: service.load(),
        // While the store fails, the other numbers are wanted most.
        census: service.census().await.unwrap_or_default(),
        connections: state.connections.count(),
        is_ready: service.ready().await.is_ok(),
        is_shared: service.database_host().is_some(),
        database_bytes: state.config.reach.database.bytes(),
    };
    let text = state.metrics.text(&report);
    HttpResponse::Ok().insert_header((header::CONTENT_TYPE, "text/plain; version=0.0.4")).body(text)
}
