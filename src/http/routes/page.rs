//! The page, and its files. A file is known by what all of them hold together, so that it may be kept for
//! ever.

use std::sync::LazyLock;

use actix_web::{HttpRequest, HttpResponse, http::header, web};
use sha2::{Digest as _, Sha256};

use crate::{
    http::{
        problem::{NOT_FOUND, Problem},
        static_asset::{self, StaticAsset},
    },
    ledger::encoding::hex,
    web::{FILES, PAGE, WORKER, kind, sent},
};

/// The content policy of the page: its own scripts, and requests to this server. Foreign texts never become
/// script or markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types worker";

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
    let mut response = page()?.answer(&request);
    let policy = header::HeaderValue::from_static(POLICY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
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

/// The page and its files, packed.
pub fn all() -> impl Iterator<Item = Result<StaticAsset, Problem>> {
    FILES.iter().map(|(path, _)| packed(path)).chain([page(), packed_worker()])
}

fn packed_worker() -> Result<StaticAsset, Problem> {
    static_asset::once("worker", || Some(StaticAsset::new(kind("worker.js"), sent(WORKER))))
}

fn page() -> Result<StaticAsset, Problem> {
    static_asset::once("page", || {
        let files = format!("/page/{}", *EDITION);
        // The verifier is loaded when it is opened.
        let is_first = |path: &&&str| {
            kind(path).contains("javascript")
                && !path.starts_with("check/")
                && !path.starts_with("texts/findings")
        };
        let modules = FILES.iter().map(|(path, _)| path).filter(is_first);
        let links =
            modules.map(|path| ["<link rel=\"modulepreload\" href=\"", &files, "/", path, "\">\n"].concat());
        let modules: String = links.collect();
        let text = PAGE.replace("{modules}", &modules).replace("{files}", &files);
        Some(StaticAsset::new("text/html; charset=utf-8", text))
    })
}

fn packed(path: &str) -> Result<StaticAsset, Problem> {
    static_asset::once(&format!("page/{path}"), || {
        let (_, text) = FILES.iter().find(|(known, _)| *known == path)?;
        Some(StaticAsset::new(kind(path), sent(text)).for_ever())
    })
}
