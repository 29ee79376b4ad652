//! The guide. It is no part of the API.

use actix_web::{HttpRequest, HttpResponse, http::header, web};

use crate::http::{
    guide::{DOCUMENTS, FILES, index, page as rendered, results},
    problem::Problem,
    request::Query,
    static_asset::{self, StaticAsset},
};

/// Pages have their style in themselves, and no script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const HTML: &str = "text/html; charset=utf-8";

/// Returns a page of the guide, a file that it links to, or the results of a search.
pub async fn page(
    request: HttpRequest,
    path: web::Path<String>,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let asked = if path.is_empty() { query.text("q") } else { None };
    query.end()?;
    let mut response = match asked {
        Some(words) => {
            let words: String = words.chars().take(100).collect();
            HttpResponse::Ok().insert_header((header::CONTENT_TYPE, HTML)).body(results(&words))
        }
        None => file(&path)?.answer(&request),
    };
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, header::HeaderValue::from_static(POLICY));
    Ok(response)
}

fn file(path: &str) -> Result<StaticAsset, Problem> {
    static_asset::once(&format!("guide/{path}"), || {
        if path.is_empty() {
            return Some(StaticAsset::new(HTML, index()));
        }
        if let Some(document) = DOCUMENTS.iter().find(|document| document.slug == path) {
            return Some(StaticAsset::new(HTML, rendered(document)));
        }
        let (_, text) = FILES.iter().find(|(file, _)| *file == path)?;
        Some(StaticAsset::new("text/plain; charset=utf-8", *text))
    })
}
