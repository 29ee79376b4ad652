//! For those who doubt.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, EntityTag},
    web,
};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::{
    http::{
        preference,
        problem::Problem,
        request::{Caller, Id, Query, Upload},
        response::private_aside,
        state::State,
        static_asset::{self, StaticAsset},
    },
    ledger::{self, encoding::hex, report::Report},
    service::{
        ServiceError,
        cost::{self, Work},
        reading::{
            audit::{Audit, AuditRequest, LogItem},
            page::Page,
            time,
        },
    },
};

#[derive(Serialize)]
#[wire]
pub struct Keys {
    keys: Vec<KeyView>,
}

#[derive(Serialize)]
#[wire]
pub struct KeyView {
    /// Use of the key: `receipts`, `log` (checkpoints of the public tree) or `webhooks` (the `v1a`
    /// signatures of messages).
    r#use: &'static str,
    /// Public key. For receipts and the tree: a C2SP verifier key (`name+hex+base64`). For webhooks:
    /// `whpk_` and base64.
    key: String,
    /// Start of use. The receipts of a game are signed with the key that the game names.
    #[schema(format = DateTime)]
    since: String,
    /// Signed statement that a restore ended this key. Present only for such keys.
    restore: Option<String>,
}

/// A replay document as it was downloaded, or an object that holds one.
#[allow(dead_code, reason = "describes a body")]
pub struct AuditBody;

#[cfg(test)]
impl utoipa::PartialSchema for AuditBody {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        // Anything that is JSON is answered with a report, but an object with a `replay` must be of the form
        // below.
        let wrapped = utoipa::openapi::Ref::from_schema_name("AuditRequest");
        let mut other = utoipa::openapi::schema::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::SchemaType::AnyValue)
            .build();
        let not = serde_json::json!({"type": "object", "properties": {"replay": {}}, "required": ["replay"]});
        other.extensions = Some([("x-not", not)].into_iter().collect());
        utoipa::openapi::schema::AnyOfBuilder::new()
            .item(utoipa::openapi::RefOr::Ref(wrapped))
            .item(other)
            .into()
    }
}

#[cfg(test)]
impl utoipa::ToSchema for AuditBody {
    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        schemas.push(("AuditRequest".into(), <AuditRequest as utoipa::PartialSchema>::schema()));
        <AuditRequest as utoipa::ToSchema>::schemas(schemas);
    }
}

/// Get the public log
///
/// Returns the entries of the hash chain, without secrets, as the game grows. Anyone who may see the game
/// can follow it and compare it with receipts.
#[endpoint(
    GET "/v1/games/{id}/log", tag = "audit", optional_token(read),
    params(
        (
            "after" = Option<i64>, Query, description = "Return only later entries. -1: all. Default: -1.",
            minimum = -1
        ),
        ("cursor" = Option<String>, Query), ("limit" = Option<u32>, Query, minimum = 1, maximum = 100)
    ),
    responses((status = 200, description = "A page of entries", body = Page<LogItem>))
)]
pub async fn get_log(
    state: web::Data<State>,
    id: Id,
    mut query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let after = query.after(-1).and_then(|after| u64::try_from(after).ok());
    let limit = query.limit();
    query.end()?;
    private_aside(state.service.reading.log(id.0, caller.player(), after, limit).await?).await
}

/// Download the replay
///
/// Returns the complete document of a finished game, with its secrets. Only `proofs` can change: they
/// arrive some seconds after the end. Before the end the answer is 403 `game_not_finished`.
#[endpoint(
    GET "/v1/games/{id}/replay", tag = "audit", optional_token(read),
    params(("If-None-Match" = Option<String>, Header)),
    responses(
        (status = 200, description = "The replay document", body = Object, headers(("ETag" = String))),
        (status = 304, description = "Not modified")
    ),
    problems(GAME_NOT_FINISHED)
)]
pub async fn get_replay(
    state: web::Data<State>,
    request: HttpRequest,
    id: Id,
    query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let document = state.service.reading.replay(id.0, caller.player()).await?;
    // Once its end is pinned and witnessed nothing more comes. A proof under a newer checkpoint says the same
    // as one under an older, and so is the same document to caches.
    let tag = match &document.whole {
        Some(end) => EntityTag::new_weak(hex(&end[..16])),
        None => EntityTag::new_strong(hex(&Sha256::digest(&document.text)[..16])),
    };
    let age = if document.whole.is_some() { 31_536_000 } else { state.config.checkpoint_seconds };
    // A cache on the way may give it only to those who may see the game.
    let whose = if document.is_for_all { "public" } else { "private" };
    let is_known = preference::known(&request).is_some_and(|known| preference::names(&known, &tag));
    let mut answer = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    answer
        .insert_header((header::CACHE_CONTROL, format!("{whose}, max-age={age}, immutable")))
        .insert_header((header::VARY, "Authorization"))
        .insert_header(header::ETag(tag));
    if is_known {
        return Ok(answer.finish());
    }
    Ok(answer.insert_header((header::CONTENT_TYPE, "application/json")).body(document.text))
}

/// List public keys
///
/// Returns the current and the former public keys of this server: for receipts, for checkpoints of the
/// public tree, and for the signatures of webhooks.
#[endpoint(GET "/v1/keys", tag = "audit", responses((status = 200, description = "The keys", body = Keys)))]
pub async fn list_keys(state: web::Data<State>, query: Query) -> Result<HttpResponse, Problem> {
    query.end()?;
    let keys = state.service.signing_keys().iter().map(|signed| KeyView {
        r#use: "receipts",
        key: signed.key.clone(),
        since: time(signed.since),
        restore: signed.statement.clone(),
    });
    let since = state.service.signing_keys().first().map_or(0, |newest| newest.since);
    let webhooks = KeyView {
        r#use: "webhooks",
        key: state.service.notifier.webhook_key(),
        since: time(since),
        restore: None,
    };
    let logs = state.service.tree.tree_keys().iter().map(|named| KeyView {
        r#use: "log",
        key: named.key.clone(),
        since: time(named.since),
        restore: None,
    });
    Ok(HttpResponse::Ok().json(Keys { keys: keys.chain(logs).chain([webhooks]).collect() }))
}

/// Verify a replay document
///
/// Runs all checks of `/v1/fairlog` on a replay document and returns the result of each. The body is a
/// document as it was downloaded, or an object with its exact text, receipts and keys. Documents of other
/// servers can be verified too if you send their keys. Needs no token. The texts are in the language of
/// `Accept-Language`.
#[endpoint(
    POST "/v1/audits", tag = "audit", request_body = AuditBody,
    responses((status = 200, description = "The result of each check", body = Report))
)]
pub async fn create_audit(
    request: HttpRequest,
    state: web::Data<State>,
    upload: Upload,
) -> Result<HttpResponse, Problem> {
    let lang = preference::of_language(&request);
    let own = state.service.reading.trust();
    let room = cost::admitted(&state.audits).await?;
    cost::charge(Work::Verify { bytes: upload.bytes.len() as u64 });
    // A large document takes a while, and others are served on this thread meanwhile. Its room goes along
    // with it, until it is done, or has noticed that the client has gone.
    let waits = Arc::new(());
    let gone = Arc::downgrade(&waits);
    let audit = move || {
        let (_room, _place) = (room, upload.room);
        let is_wanted = || gone.strong_count() > 0;
        Audit::read(upload.bytes.into(), own).map(|audit| audit.run(&is_wanted))
    };
    let report = web::block(audit).await.map_err(|_| ServiceError::Busy)??;
    drop(waits);
    Ok(HttpResponse::Ok().json(report.map(|report| report.spoken(lang))))
}

/// Get the log format
///
/// Returns the specification of the log format fairlog/3 as Markdown: everything that is needed to write a
/// verifier.
#[endpoint(
    GET "/v1/fairlog", tag = "audit",
    responses(
        (status = 200, description = "The specification", body = String, content_type = "text/markdown"),
        (status = 304, description = "Not modified")
    )
)]
pub async fn get_log_format(request: HttpRequest, query: Query) -> Result<HttpResponse, Problem> {
    query.end()?;
    let text = static_asset::once("fairlog", || {
        Some(StaticAsset::new("text/markdown; charset=utf-8", ledger::FORMAT))
    });
    Ok(text?.answer(&request))
}
