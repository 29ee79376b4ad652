//! The page, and its files. A file is known by what all of them hold together, so that it may be kept for
//! ever.

use std::sync::LazyLock;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderValue},
    },
    web,
};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{oauth::issuer, page_head::Head, pictures};
use crate::{
    engine::Lang,
    http::{
        preference,
        problem::{self, NOT_FOUND, OtherForm, Problem},
        request::{Caller, Query},
        state::State,
        static_asset::{self, StaticAsset},
    },
    ledger::encoding::hex,
    rulesets::RulesetId,
    service::{ServiceError, reading::preview::Preview},
    web::{FILES, ICON, PAGE, WORKER, bundle, kind, sent},
};

/// The content policy of the page: its own scripts, and requests to this server. Foreign texts never become
/// script or markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker";
/// Sizes of the icons for home screens.
const ICON_SIZES: [u32; 3] = [180, 192, 512];

/// Pages without a head of their own.
pub const PLAIN: [&str; 10] = [
    "/admin",
    "/games",
    "/rules",
    "/settings",
    "/code",
    "/check",
    "/check/{id}",
    "/what-if/{id}",
    "/mail/{purpose}",
    "/oauth/authorize",
];

/// A name for all the files as they are in this build.
static EDITION: LazyLock<String> = LazyLock::new(|| {
    let mut sha = Sha256::new();
    for (path, text) in FILES {
        sha.update(path);
        sha.update([0]);
        sha.update(Sha256::digest(text));
    }
    hex(&sha.finalize()[..8])
});

/// Open the web page
///
/// Returns the HTML page on which people play.
#[endpoint(
    GET "/", tag = "home",
    responses(
        (status = 200, description = "A page", body = String, content_type = "text/html"),
        (status = 304, description = "Not modified")
    )
)]
pub async fn home(request: HttpRequest) -> Result<HttpResponse, Problem> {
    plain(request).await
}

/// A page without a head of its own.
pub async fn plain(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let lang = preference::of_language(&request);
    Ok(dressed(page(lang)?.answer(&request)))
}

/// Open a table, or look at a picture of it
///
/// Returns the page with a head that tells about the table, or the picture of a position: `{id}@{seq}.png`
/// or `.svg`. A picture never changes. Without a number the answer leads to the newest position.
#[endpoint(
    GET "/games/{place}", tag = "home", optional_token(read), params(("place" = String, Path)),
    responses(
        (status = 200, description = "The page", body = String, content_type = "text/html"),
        (status = 200, description = "A picture", body = String, content_type = "image/png"),
        (status = 200, description = "A picture", body = String, content_type = "image/svg+xml")
    )
)]
pub async fn table(
    state: web::Data<State>,
    request: HttpRequest,
    place: web::Path<String>,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let Some(Place { id, seq, picture }) = Place::read(&place) else { return plain(request).await };
    if let Some(kind) = picture {
        let mut query = Query::read(request.query_string())?;
        let lang = query.word("lang", &[("en", Lang::En), ("it", Lang::It)]);
        query.end()?;
        let lang = lang.unwrap_or_default();
        return pictures::of_position(&state, &caller, (id, seq), kind, lang).await;
    }
    let lang = preference::of_language(&request);
    match state.service.reading.preview(id, lang).await {
        Ok(preview) => {
            let shown = preview.pictured.map(|newest| seq.map_or(newest, |seq| seq.min(newest)));
            let picture = shown.map(|seq| format!("/games/{id}@{seq}.png?lang={}", lang.tag()));
            Ok(with_head(&state, &request, preview, picture, lang))
        }
        Err(ServiceError::NoGame) => plain(request).await,
        Err(error) => Err(error.into()),
    }
}

/// The page of an invitation, with a head that tells who invites.
pub async fn invitation(
    state: web::Data<State>,
    request: HttpRequest,
    code: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let lang = preference::of_language(&request);
    match state.service.reading.invite_preview(&code, lang).await {
        Ok(preview) => Ok(with_head(&state, &request, preview, None, lang)),
        Err(ServiceError::NoGame) => plain(request).await,
        Err(error) => Err(error.into()),
    }
}

/// The page with the rules of a game.
pub async fn rules(state: web::Data<State>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let lang = preference::of_language(&request);
    match RulesetId::ALL.iter().find(|id| Some(id.name()) == request.match_info().get("ruleset")) {
        Some(ruleset) => {
            let preview = Preview { is_listed: true, ..Preview::of_ruleset(*ruleset, lang) };
            Ok(with_head(&state, &request, preview, None, lang))
        }
        None => plain(request).await,
    }
}

/// Answers for an address that names nothing: a browser gets the page, which says so, a program a problem.
pub async fn missing(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let quality = |kind| preference::of_type(&request, kind);
    let is_page = quality("text/html") > quality(problem::MEDIA_TYPE);
    if !is_page || !request.method().is_safe() || request.path().starts_with("/v1/") {
        return Err(Problem::new(&NOT_FOUND));
    }
    let mut response = plain(request).await?;
    *response.status_mut() = StatusCode::NOT_FOUND;
    response.extensions_mut().insert(OtherForm);
    Ok(response)
}

/// Leads an address with a slash at its end, as people type them, to the page.
pub async fn without_slash(request: HttpRequest) -> HttpResponse {
    let path = request.path().trim_end_matches('/');
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, path)).finish()
}

/// A page with a head of its own. Without a picture of a position the head has the game's cover.
fn with_head(
    state: &State,
    request: &HttpRequest,
    preview: Preview,
    picture: Option<String>,
    lang: Lang,
) -> HttpResponse {
    let origin = issuer(state, request);
    let cover = || format!("/page/{}/{}.{}.png", *EDITION, preview.ruleset.name(), lang.tag());
    let head = Head {
        picture: Some(format!("{origin}{}", picture.unwrap_or_else(cover))),
        address: Some(format!("{origin}{}", request.path())),
        title: preview.title,
        text: preview.text,
        is_listed: preview.is_listed,
    };
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CONTENT_TYPE, "text/html; charset=utf-8"));
    response.insert_header((header::CACHE_CONTROL, "no-cache"));
    dressed(response.body(document(&head, lang)))
}

/// Adds the headers of every page.
fn dressed(mut response: HttpResponse) -> HttpResponse {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding, Accept-Language"));
    response
}

/// The address of a table: its id, an entry, and the kind of a picture.
#[derive(PartialEq, Debug)]
struct Place {
    id: Uuid,
    seq: Option<u64>,
    picture: Option<pictures::Kind>,
}

impl Place {
    fn read(text: &str) -> Option<Self> {
        let (text, picture) = match text.rsplit_once('.') {
            Some((text, "png")) => (text, Some(pictures::Kind::Png)),
            Some((text, "svg")) => (text, Some(pictures::Kind::Svg)),
            Some(_) => return None,
            None => (text, None),
        };
        let (id, seq) = match text.split_once('@') {
            Some((id, seq)) if !seq.is_empty() && seq.bytes().all(|digit| digit.is_ascii_digit()) => {
                (id, Some(seq.parse().ok()?))
            }
            Some(_) => return None,
            None => (text, None),
        };
        let id =
            Uuid::try_parse(id).ok().filter(|uuid| uuid.hyphenated().to_string() == id.to_lowercase())?;
        Some(Self { id, seq, picture })
    }
}

/// A file of the page.
pub async fn file(request: HttpRequest, path: web::Path<(String, String)>) -> Result<HttpResponse, Problem> {
    let (edition, path) = path.into_inner();
    if edition != *EDITION {
        return Err(Problem::new(&NOT_FOUND));
    }
    Ok(packed(&path)?.answer(&request))
}

/// The service worker, which runs while the page is closed.
pub async fn worker(request: HttpRequest) -> Result<HttpResponse, Problem> {
    Ok(packed_worker()?.answer(&request))
}

/// The manifest, which makes the page an app on a home screen.
pub async fn manifest(request: HttpRequest) -> Result<HttpResponse, Problem> {
    Ok(packed_manifest()?.answer(&request))
}

/// The page and its files, packed. Pictures are made when they are asked for.
pub fn all() -> impl Iterator<Item = Result<StaticAsset, Problem>> {
    let pages = Lang::ALL.into_iter().map(page);
    let files = bundle::ENTRIES.into_iter().chain(["style.css"]).map(packed);
    pages.chain(files).chain([packed_worker(), packed_manifest()])
}

fn packed_worker() -> Result<StaticAsset, Problem> {
    static_asset::once("worker", || Some(StaticAsset::new(kind("worker.js"), sent(WORKER))))
}

fn packed_manifest() -> Result<StaticAsset, Problem> {
    static_asset::once("manifest", || {
        let icon = |size: u32, purpose: &str| {
            let src = format!("/page/{}/icon-{size}.png", *EDITION);
            serde_json::json!({
                "src": src, "sizes": format!("{size}x{size}"), "type": "image/png", "purpose": purpose
            })
        };
        let manifest = serde_json::json!({
            "name": "playledger", "short_name": "playledger", "id": "/", "start_url": "/", "scope": "/",
            "display": "standalone", "background_color": "#dcd8cd", "theme_color": "#1d2125",
            "icons": [icon(192, "any"), icon(512, "any"), icon(512, "maskable")],
        });
        Some(StaticAsset::new("application/manifest+json", manifest.to_string()))
    })
}

fn page(lang: Lang) -> Result<StaticAsset, Problem> {
    static_asset::once(&format!("page.{}", lang.tag()), || {
        Some(StaticAsset::new("text/html; charset=utf-8", document(&Head::plain(lang), lang)))
    })
}

/// Returns the HTML of a page.
fn document(head: &Head, lang: Lang) -> String {
    PAGE.replace("{lang}", lang.tag())
        .replace("{files}", &format!("/page/{}", *EDITION))
        .replace("{head}", &head.html())
}

fn packed(path: &str) -> Result<StaticAsset, Problem> {
    static_asset::once(&format!("page/{path}"), || {
        let asset = if let Some(entry) = bundle::ENTRIES.iter().find(|entry| **entry == path) {
            StaticAsset::new(kind(path), bundle::script(entry)?)
        } else if path == "style.css" {
            StaticAsset::new(kind(path), bundle::style())
        } else if path == "icon.svg" {
            StaticAsset::new(kind(path), ICON)
        } else {
            StaticAsset::new("image/png", drawn(path.strip_suffix(".png")?)?)
        };
        Some(asset.for_ever())
    })
}

/// Returns an icon, or the cover of a game: its first position.
fn drawn(name: &str) -> Option<Vec<u8>> {
    if let Some(size) = name.strip_prefix("icon-") {
        let size = ICON_SIZES.into_iter().find(|known| known.to_string() == size)?;
        return crate::picture::png(ICON, size);
    }
    let (ruleset, lang) = name.split_once('.')?;
    let ruleset = RulesetId::ALL.iter().find(|id| id.name() == ruleset)?;
    let lang = Lang::ALL.into_iter().find(|known| known.tag() == lang)?;
    crate::picture::png(&crate::service::reading::preview::cover(*ruleset, lang)?, 1_200)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_table_an_entry_and_a_picture() {
        let id = "01900000-0000-7000-8000-000000000001";
        let uuid = Uuid::try_parse(id).unwrap();
        let read = |end: &str| Place::read(&format!("{id}{end}"));
        let place = |seq, picture| Some(Place { id: uuid, seq, picture });
        assert_eq!(read(""), place(None, None));
        assert_eq!(read("@7"), place(Some(7), None));
        assert_eq!(read("@7.png"), place(Some(7), Some(pictures::Kind::Png)));
        assert_eq!(read(".svg"), place(None, Some(pictures::Kind::Svg)));
        for wrong in ["@", "@-1", "@+1", "@x", "@7.gif", "x", "@99999999999999999999"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
