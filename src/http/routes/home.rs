//! The API document, and its reader.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, http::header, web};
use utoipa_swagger_ui::Config;

use crate::http::{
    document::Rendering,
    problem::{NOT_FOUND, Problem},
    request::Query,
    static_asset::{self, StaticAsset},
};

/// A rendering of the API document.
pub async fn document(request: HttpRequest, query: Query) -> Result<HttpResponse, Problem> {
    query.end()?;
    let file = request.path().trim_start_matches('/');
    let rendering = Rendering::ALL.into_iter().find(|rendering| rendering.file() == file);
    let rendering = rendering.ok_or_else(|| Problem::new(&NOT_FOUND))?;
    Ok(rendered(rendering)?.answer(&request))
}

/// A rendering of the API document, packed.
pub fn rendered(rendering: Rendering) -> Result<StaticAsset, Problem> {
    static_asset::once(rendering.file(), || Some(StaticAsset::new("application/json", rendering.text())))
}

/// A file of Swagger UI.
pub async fn docs(request: HttpRequest, file: web::Path<String>) -> Result<HttpResponse, Problem> {
    let mut response = file_of_docs(&file)?.answer(&request);
    let policy = header::HeaderValue::from_static(DOCS_POLICY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// The large files of Swagger UI.
pub const LARGE_FILES: [&str; 3] =
    ["swagger-ui-bundle.js", "swagger-ui-standalone-preset.js", "swagger-ui.css"];

/// A file of Swagger UI, packed.
pub fn file_of_docs(name: &str) -> Result<StaticAsset, Problem> {
    static_asset::once(&format!("docs/{name}"), || {
        let config = Config::new(["/openapi.json"])
            .filter(true)
            .doc_expansion("none")
            .display_request_duration(true)
            .request_snippets_enabled(true);
        let file = utoipa_swagger_ui::serve(name, Arc::new(config)).ok()??;
        let mut bytes = file.bytes.into_owned();
        if name == "index.html" {
            let html = String::from_utf8(bytes).ok()?;
            bytes = html.replace("<title>Swagger UI</title>", "<title>playledger API</title>").into_bytes();
        }
        Some(StaticAsset::new(&file.content_type, bytes))
    })
}

/// Swagger UI runs its own scripts, talks to this server, and styles itself inline.
const DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
