//! Rulesets and their rules.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web,
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    engine::{Lang, Text},
    http::{
        packed::{self, Packed},
        preference,
        problem::{NOT_FOUND, Problem},
        request::Query,
    },
    rulesets::RulesetId,
};

#[derive(Serialize, ToSchema)]
pub struct Rulesets {
    items: Vec<RulesetView>,
    next_cursor: Option<String>,
}

/// A kind of game.
#[derive(Serialize, ToSchema)]
#[schema(as = Ruleset)]
pub struct RulesetView {
    #[schema(example = "industrial-waste")]
    id: &'static str,
    name: &'static str,
    summary: &'static str,
    seats: SeatRange,
    /// The version that new games are played under.
    rules_version: u32,
    /// All versions that are kept.
    rules_versions: Vec<u32>,
    /// The JSON Schema of the options, with their defaults.
    #[schema(value_type = Object)]
    options: Value,
    links: Links,
}

#[derive(Serialize, ToSchema)]
pub struct SeatRange {
    min: u8,
    max: u8,
}

#[derive(Serialize, ToSchema)]
pub struct Links {
    /// The rules for players.
    rules: String,
}

impl RulesetView {
    fn of(ruleset: RulesetId, lang: Lang) -> Self {
        let versions = RulesetId::ALL.iter().filter(|other| other.name() == ruleset.name());
        Self {
            id: ruleset.name(),
            name: ruleset.title(lang),
            summary: ruleset.summary(lang),
            seats: SeatRange { min: *ruleset.seats().start(), max: *ruleset.seats().end() },
            rules_version: ruleset.version(),
            rules_versions: versions.map(|ruleset| ruleset.version()).collect(),
            options: options_schema(ruleset),
            links: Links { rules: format!("/v1/rulesets/{}/rules", ruleset.name()) },
        }
    }
}

/// The JSON Schema of a ruleset's options.
fn options_schema(ruleset: RulesetId) -> Value {
    serde_json::to_value(ruleset.options_schema()).unwrap_or_default()
}

/// The kinds of game
#[utoipa::path(get, path = "/v1/rulesets", tag = "rulesets", params(("Accept-Language" = Option<String>, Header)),
    responses((status = 200, description = "All rulesets", body = Rulesets)))]
pub async fn list_rulesets(request: HttpRequest, query: Query) -> Result<HttpResponse, Problem> {
    query.end()?;
    let lang = preference::of_language(&request);
    let current = RulesetId::ALL.iter().filter(|id| RulesetId::current(id.name()) == Some(**id));
    let items = current.map(|id| RulesetView::of(*id, lang)).collect();
    Ok(localised(lang).json(Rulesets { items, next_cursor: None }))
}

/// One kind of game
#[utoipa::path(get, path = "/v1/rulesets/{id}", tag = "rulesets", params(("id" = String, Path), ("Accept-Language" = Option<String>, Header)),
    responses((status = 200, description = "The ruleset", body = RulesetView)))]
pub async fn get_ruleset(
    request: HttpRequest,
    id: web::Path<String>,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let lang = preference::of_language(&request);
    Ok(localised(lang).json(RulesetView::of(find(&id)?, lang)))
}

/// The rules for players
///
/// Markdown. Its headings have the numbers that refusals name.
#[utoipa::path(get, path = "/v1/rulesets/{id}/rules", tag = "rulesets", params(("id" = String, Path), ("Accept-Language" = Option<String>, Header)),
    responses((status = 200, description = "The rules", body = String, content_type = "text/markdown"),
        (status = 304, description = "They have not changed")))]
pub async fn get_rules(
    request: HttpRequest,
    id: web::Path<String>,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let lang = preference::of_language(&request);
    let ruleset = find(&id)?;
    let mut response = text(ruleset, lang)?.answer(&request);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(lang.tag()));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Language, Accept-Encoding"));
    Ok(response)
}

/// The rules of a ruleset in a language, packed.
pub fn text(ruleset: RulesetId, lang: Lang) -> Result<Packed, Problem> {
    packed::once(&format!("rules/{}/{}", ruleset.name(), lang.tag()), || {
        Some(Packed::new("text/markdown; charset=utf-8", ruleset.rules(lang)))
    })
}

fn find(id: &str) -> Result<RulesetId, Problem> {
    RulesetId::current(id).ok_or_else(|| {
        Problem::new(&NOT_FOUND)
            .detail(Text::new("There is no such ruleset.", "Questo regolamento non esiste."))
    })
}

fn localised(lang: Lang) -> actix_web::HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_LANGUAGE, lang.tag()))
        .insert_header((header::VARY, "Accept-Language"));
    response
}
