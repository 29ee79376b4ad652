//! Pages of problems, and the API document with its reader.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, http::header, web};
use utoipa_swagger_ui::Config;

use crate::{
    http::{
        preference,
        problem::{CODES, NOT_FOUND, Problem},
        request::Query,
        static_asset::{self, StaticAsset},
    },
    service::notify::escaped_html,
};

/// Explain a problem code
///
/// Returns a page that says what a problem code means and what to do, in English or Italian.
#[endpoint(
    GET "/problems/{code}", tag = "home",
    params(("code" = String, Path), ("Accept-Language" = Option<String>, Header)),
    responses((status = 200, description = "The page", body = String, content_type = "text/html"))
)]
pub async fn problem(
    request: HttpRequest,
    code: web::Path<String>,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let code = CODES.iter().find(|known| known.id == *code).ok_or_else(|| Problem::new(&NOT_FOUND))?;
    let lang = preference::of_language(&request);
    let (title, help) = (code.title.get(lang), with_code(code.help.get(lang)));
    let text =
        format!("<h1>{title}</h1>\n<p><code>{}</code>, {}</p>\n<p>{help}</p>", code.id, code.status.as_u16());
    Ok(page(lang.tag(), title, &text))
}

/// Get the OpenAPI document
///
/// Returns this document as JSON (OpenAPI 3.1).
#[endpoint(
    GET "/openapi.json", tag = "home",
    responses(
        (status = 200, description = "The document", body = Object),
        (status = 304, description = "Not modified")
    )
)]
pub async fn openapi(request: HttpRequest, query: Query) -> Result<HttpResponse, Problem> {
    query.end()?;
    Ok(document()?.answer(&request))
}

/// The document, packed.
pub fn document() -> Result<StaticAsset, Problem> {
    static_asset::once("openapi", || Some(StaticAsset::new("application/json", crate::http::document::TEXT)))
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

/// Returns `text` with the parts between backticks as HTML code.
fn with_code(text: &str) -> String {
    let tags = ["<code>", "</code>"].into_iter().cycle();
    let escaped = escaped_html(text);
    let mut parts = escaped.split('`');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.zip(tags).fold(first, |html, (part, tag)| html + tag + part)
}

fn page(lang: &str, title: &str, content: &str) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((header::CONTENT_LANGUAGE, lang))
        .insert_header((header::VARY, "Accept-Language"))
        .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"))
        .body(format!(
            "<!doctype html>\n<html lang=\"{lang}\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <style>body{{font:1rem/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}}</style>\n{content}\n"
        ))
}
