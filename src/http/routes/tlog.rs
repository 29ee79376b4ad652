//! The public tree over all games, as C2SP has it (`tlog-tiles`), and the proof that an entry stands in it.

use actix_web::{HttpResponse, http::header, web};

use crate::{
    http::{
        problem::{NOT_FOUND, Problem},
        request::{Caller, Id, Query},
        response::private_aside,
        state::State,
    },
    service::{ServiceError, reading::proof::ProofView},
    tree::tile::TileRequest,
};

/// Get the newest checkpoint
///
/// Returns the signed checkpoint of the public tree (C2SP `tlog-checkpoint`). The tiles of the tree are
/// at `/tlog/tile/{level}/{N}` and `/tlog/tile/entries/{N}` (C2SP `tlog-tiles`). `N` is written in groups
/// of three digits, all but the last after an `x`; a tile with fewer than 256 hashes ends in `.p/{W}`.
#[endpoint(
    GET "/tlog/checkpoint", tag = "audit",
    responses(
        (
            status = 200, description = "The checkpoint, signed by this log and its witnesses", body = String,
            content_type = "text/plain"
        )
    ),
    problems(NOT_IN_TREE_YET)
)]
pub async fn get_checkpoint(state: web::Data<State>, query: Query) -> Result<HttpResponse, Problem> {
    query.end()?;
    let seconds = state.config.checkpoint_seconds;
    let note = state.service.tree.checkpoint().await?.ok_or(ServiceError::NotPinned { seconds })?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/plain; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=2"))
        .body(note))
}

/// A tile of the tree.
pub async fn tile(state: web::Data<State>, path: web::Path<String>) -> Result<HttpResponse, Problem> {
    let asked = TileRequest::read(&path).ok_or_else(|| Problem::new(&NOT_FOUND))?;
    let bytes = state.service.tree.tile(asked).await?.ok_or_else(|| Problem::new(&NOT_FOUND))?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/octet-stream"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .body(bytes))
}

/// Prove a log entry
///
/// Returns the newest published entry at or after `seq`, its inclusion proof and the entries that lead to
/// it. With them, a receipt for `seq` can be checked against the public tree. Entries are published with
/// the next checkpoint; until then the answer is 404 `not_in_tree_yet`.
#[endpoint(
    GET "/v1/games/{id}/proof", tag = "audit", optional_token(read),
    params(("seq" = Option<u64>, Query, description = "The entry to prove. Default: the newest.")),
    responses((status = 200, description = "The proof", body = ProofView)), problems(NOT_IN_TREE_YET)
)]
pub async fn get_proof(
    state: web::Data<State>,
    id: Id,
    mut query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let seq = query.seq("seq").unwrap_or(0);
    query.end()?;
    private_aside(state.service.reading.proof(id.0, caller.player(), seq).await?).await
}
