//! The index of problem codes, for people and for programs.

use actix_web::{HttpRequest, HttpResponse, http::header, web};
use serde::Serialize;

use crate::{
    engine::Lang,
    http::{
        preference,
        problem::{CODES, Code, NOT_FOUND, Problem},
        request::Query,
    },
    service::{notify::escaped_html, reading::page::Page},
};

/// A problem code.
#[derive(Serialize)]
#[wire]
pub struct ProblemCode {
    pub code: &'static str,
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    pub title: &'static str,
    /// The meaning, and what to do.
    pub help: &'static str,
}

impl ProblemCode {
    fn of(code: &Code, lang: Lang) -> Self {
        let (title, help) = (*code.title.get(lang), *code.help.get(lang));
        Self { code: code.id, status: code.status.as_u16(), title, help }
    }

    fn html(&self) -> String {
        let Self { code, status, title, help } = self;
        let help = with_code(help);
        format!(
            "<h2 id=\"{code}\"><a href=\"/problems/{code}\">{title}</a></h2>\n<p><code>{code}</code>, {status}</p>\n<p>{help}</p>\n"
        )
    }
}

/// List problem codes
///
/// Returns all problem codes with their meanings, in English or Italian: as a page for people, or as JSON.
#[endpoint(
    GET "/problems", tag = "problems", params(("Accept-Language" = Option<String>, Header)),
    responses(
        (
            status = 200, description = "The codes",
            content((Page<ProblemCode> = "application/json"), (String = "text/html"))
        )
    )
)]
pub async fn list_problems(request: HttpRequest, query: Query) -> Result<HttpResponse, Problem> {
    query.end()?;
    let lang = preference::of_language(&request);
    let items: Vec<_> = CODES.iter().map(|code| ProblemCode::of(code, lang)).collect();
    if wants_page(&request) {
        let title = if lang == Lang::It { "Codici dei problemi" } else { "Problem codes" };
        let list: String = items.iter().map(ProblemCode::html).collect();
        return Ok(page(lang, title, &format!("<h1>{title}</h1>\n{list}")));
    }
    Ok(localized(lang).json(Page { items, next_cursor: None }))
}

/// Explain a problem code
///
/// Returns what a problem code means and what to do, in English or Italian: as a page for people, or as
/// JSON.
#[endpoint(
    GET "/problems/{code}", tag = "problems",
    params(("code" = String, Path), ("Accept-Language" = Option<String>, Header)),
    responses(
        (
            status = 200, description = "The code",
            content((ProblemCode = "application/json"), (String = "text/html"))
        )
    )
)]
pub async fn get_problem(
    request: HttpRequest,
    code: web::Path<String>,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let code = CODES.iter().find(|known| known.id == *code).ok_or_else(|| Problem::new(&NOT_FOUND))?;
    let lang = preference::of_language(&request);
    let code = ProblemCode::of(code, lang);
    if wants_page(&request) {
        let all = if lang == Lang::It { "Tutti i codici" } else { "All codes" };
        let link = format!("<p><a href=\"/problems\">{all}</a></p>\n");
        return Ok(page(lang, code.title, &(code.html() + &link)));
    }
    Ok(localized(lang).json(code))
}

/// Returns whether the client is a browser. Programs that accept everything get the page too: it is what the
/// link in a problem leads to.
fn wants_page(request: &HttpRequest) -> bool {
    preference::of_type(request, "text/html") >= preference::of_type(request, "application/json")
}

/// Returns `text` with the parts between backticks as HTML code.
fn with_code(text: &str) -> String {
    let tags = ["<code>", "</code>"].into_iter().cycle();
    let escaped = escaped_html(text);
    let mut parts = escaped.split('`');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.zip(tags).fold(first, |html, (part, tag)| html + tag + part)
}

fn localized(lang: Lang) -> actix_web::HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_LANGUAGE, lang.tag()))
        .insert_header((header::VARY, "Accept, Accept-Language"));
    response
}

fn page(lang: Lang, title: &str, content: &str) -> HttpResponse {
    localized(lang)
        .insert_header((header::CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"))
        .body(format!(
            "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <style>:root{{color-scheme:light dark}}body{{font:1rem/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}}h2{{margin:2.5rem 0 0;font-size:1.2rem}}p{{margin:.25rem 0}}</style>\n{content}\n",
            lang.tag()
        ))
}
