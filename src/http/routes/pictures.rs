//! Pictures of positions, which never change: chats and lists show them.

use std::{
    num::NonZeroUsize,
    sync::{Mutex, PoisonError},
};

use actix_web::{HttpResponse, http::header, web};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::{
    clock_cache::ClockCache,
    engine::Lang,
    http::{
        problem::{NOT_FOUND, Problem},
        request::Caller,
        state::State,
    },
    picture,
    service::{
        ServiceError,
        cost::{self, Work},
    },
};

/// Width of a PNG, as previews of links want it.
const WIDTH: u32 = 1_200;
/// Pictures in memory, of about 100 kB each.
const KEPT: NonZeroUsize = NonZeroUsize::new(64).unwrap();
const FOR_EVER: &str = "max-age=31536000, immutable";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Png,
    Svg,
}

impl Kind {
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Svg => "image/svg+xml",
        }
    }

    pub const fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
        }
    }
}

/// Drawn pictures by the hash of their SVG, so that equal ones are drawn once.
pub struct Pictures(Mutex<ClockCache<[u8; 32], web::Bytes>>);

impl Default for Pictures {
    fn default() -> Self {
        Self(Mutex::new(ClockCache::new(KEPT)))
    }
}

impl Pictures {
    fn known(&self, svg: &[u8; 32]) -> Option<web::Bytes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(svg).cloned()
    }

    fn keep(&self, svg: [u8; 32], png: web::Bytes) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(svg, png, |_| false);
    }
}

/// Answers with the picture of a position.
pub async fn of_position(
    state: &State,
    caller: &Caller,
    (uuid, seq): (Uuid, Option<u64>),
    kind: Kind,
    lang: Lang,
) -> Result<HttpResponse, Problem> {
    if caller.only_game().is_some_and(|only| only != uuid) {
        return Err(Problem::new(&NOT_FOUND));
    }
    let Some(seq) = seq else {
        let newest = state.service.reading.newest(uuid, caller.player()).await?;
        let there = format!("/games/{uuid}@{newest}.{}?lang={}", kind.ending(), lang.tag());
        let mut found = HttpResponse::Found();
        return Ok(found
            .insert_header((header::LOCATION, there))
            .insert_header((header::CACHE_CONTROL, "private, no-cache"))
            .finish());
    };
    let drawing = state.service.reading.drawing(uuid, seq, caller.player(), lang).await?;
    let body = match kind {
        Kind::Svg => web::Bytes::from(drawing.svg),
        Kind::Png => png(state, drawing.svg).await?,
    };
    let audience = if drawing.is_public { "public" } else { "private" };
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, kind.media_type()))
        .insert_header((header::CACHE_CONTROL, format!("{audience}, {FOR_EVER}")))
        // An SVG that is opened alone runs nothing and loads nothing.
        .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"))
        .body(body))
}

/// Returns the PNG of a picture. Two are drawn at a time, so that processors stay free for moves.
async fn png(state: &State, svg: String) -> Result<web::Bytes, Problem> {
    let hash = Sha256::digest(&svg).into();
    if let Some(known) = state.pictures.known(&hash) {
        return Ok(known);
    }
    let _room = cost::admitted(&state.drawing).await?;
    cost::charge(Work::Picture { is_png: true });
    let drawn = web::block(move || picture::png(&svg, WIDTH)).await.map_err(|_| ServiceError::Busy)?;
    let png = drawn.ok_or_else(|| ServiceError::Internal("a picture is not valid".into()))?;
    let png = web::Bytes::from(png);
    state.pictures.keep(hash, png.clone());
    Ok(png)
}
