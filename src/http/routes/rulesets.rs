//! Rulesets and their rules.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, HeaderValue},
    web,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    engine::{
        Lang, Text,
        catalogue::{Catalogue, OptionValueEntry},
    },
    http::{
        document, preference,
        problem::{NOT_FOUND, Problem},
        request::Query,
        static_asset::{self, StaticAsset},
    },
    rulesets::{RulesetId, board::Board},
    service::{
        ServiceError,
        reading::page::{Page, Window},
    },
};

/// A game that this server offers.
#[derive(Serialize)]
#[wire]
#[schema(as = Ruleset)]
pub struct RulesetView {
    #[schema(example = "industrial-waste")]
    id: &'static str,
    name: &'static str,
    summary: &'static str,
    seats: SeatRange,
    /// Version of the rules for new games.
    rules_version: u32,
    /// All versions that the server can replay.
    rules_versions: Vec<u32>,
    /// JSON Schema of `options` in a request, with defaults.
    #[schema(value_type = Object)]
    options: Value,
    links: Links,
}

#[derive(Serialize)]
#[wire]
pub struct SeatRange {
    min: u8,
    max: u8,
}

#[derive(Serialize)]
#[wire]
pub struct Links {
    /// Path of the rules.
    rules: String,
    /// Path of the catalogue: names, numbers and components of the game.
    catalogue: String,
}

/// Names, numbers and components of a game.
#[derive(Serialize)]
#[wire]
pub struct RulesetCatalogue {
    #[schema(value_type = crate::rulesets::RulesetName)]
    ruleset: &'static str,
    #[schema(minimum = 1)]
    rules_version: u32,
    #[schema(example = "en")]
    language: &'static str,
    #[serde(flatten)]
    catalogue: Catalogue,
    #[serde(flatten)]
    board: Board,
}

impl RulesetView {
    fn of(ruleset: RulesetId, lang: Lang) -> Self {
        let versions = RulesetId::KNOWN.iter().filter(|other| other.name() == ruleset.name());
        Self {
            id: ruleset.name(),
            name: ruleset.title(lang),
            summary: ruleset.summary(lang),
            seats: SeatRange { min: *ruleset.seats().start(), max: *ruleset.seats().end() },
            rules_version: ruleset.version(),
            rules_versions: versions.map(|ruleset| ruleset.version()).collect(),
            options: options_schema(ruleset, lang),
            links: Links {
                rules: format!("/v1/rulesets/{}/rules", ruleset.name()),
                catalogue: format!("/v1/rulesets/{}/catalogue", ruleset.name()),
            },
        }
    }
}

/// The JSON Schema of the options as a request may send them: complete in itself, with titles in the reader's
/// language. It comes from the document, so that the two say the same.
fn options_schema(ruleset: RulesetId, lang: Lang) -> Value {
    let mut schema = document::options_of(ruleset);
    for option in ruleset.catalogue(lang).options {
        let property = &mut schema["properties"][option.id];
        property["title"] = option.title.into();
        property["description"] = option.description.into();
        let named = |named: &OptionValueEntry| json!({"const": named.value, "title": named.title, "description": named.description});
        if !option.values.is_empty() {
            // Any other value is allowed as well, if the rest of the schema allows it.
            let mut values: Vec<Value> = option.values.iter().map(named).collect();
            values.push(json!({}));
            property["anyOf"] = values.into();
        }
    }
    schema["title"] = ruleset.title(lang).into();
    schema
}

/// List rulesets
///
/// Returns the games that this server offers.
#[endpoint(
    GET "/v1/rulesets", tag = "rulesets",
    params(
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query),
        ("Accept-Language" = Option<String>, Header), ("If-None-Match" = Option<String>, Header)
    ),
    responses(
        (status = 200, description = "A page of rulesets", body = Page<RulesetView>, headers(("ETag" = String))),
        (status = 304, description = "They have not changed")
    )
)]
pub async fn list_rulesets(request: HttpRequest, mut query: Query) -> Result<HttpResponse, Problem> {
    let (Window { cursor, limit }, lang) = (query.window(), preference::of_language(&request));
    query.end()?;
    let mut all = RulesetId::ALL.to_vec();
    if let Some(cursor) = cursor {
        let place = all.iter().position(|id| id.name() == cursor);
        all.drain(..=place.ok_or(ServiceError::NoCursor)?);
    }
    // There are few, so that each page is made once.
    let name = format!("rulesets/{}/{}/{}", lang.tag(), all.len(), all.len().min(limit as usize));
    let packed = json(&name, || {
        let cursor = |id: &RulesetId| id.name().to_owned();
        Page::of(all, limit, cursor, |id| Some(RulesetView::of(id, lang)))
    })?;
    Ok(localised(packed.answer(&request), lang))
}

/// Get a ruleset
///
/// Returns name, numbers of seats, options and versions of one game.
#[endpoint(
    GET "/v1/rulesets/{id}", tag = "rulesets",
    params(
        ("id" = String, Path), ("Accept-Language" = Option<String>, Header),
        ("If-None-Match" = Option<String>, Header)
    ),
    responses(
        (status = 200, description = "The ruleset", body = RulesetView, headers(("ETag" = String))),
        (status = 304, description = "Not modified")
    )
)]
pub async fn get_ruleset(
    request: HttpRequest,
    id: web::Path<String>,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let (lang, ruleset) = (preference::of_language(&request), find(&id)?);
    let packed =
        json(&format!("ruleset/{}/{}", ruleset.name(), lang.tag()), || RulesetView::of(ruleset, lang))?;
    Ok(localised(packed.answer(&request), lang))
}

/// Get the catalogue of a ruleset
///
/// Returns everything that a client would otherwise copy from the rules: cards, squares, territories,
/// tracks, numbers, and the names of phases, commands, events and options. Texts are localized by
/// `Accept-Language`; signs and colours suit colour-blind players.
#[endpoint(
    GET "/v1/rulesets/{id}/catalogue", tag = "rulesets",
    params(
        ("id" = String, Path),
        (
            "version" = Option<u32>, Query, description = "Version of the rules. Default: the current one.",
            minimum = 1
        ),
        ("Accept-Language" = Option<String>, Header), ("If-None-Match" = Option<String>, Header)
    ),
    responses(
        (status = 200, description = "The catalogue", body = RulesetCatalogue, headers(("ETag" = String))),
        (status = 304, description = "Not modified")
    )
)]
pub async fn get_catalogue(
    request: HttpRequest,
    id: web::Path<String>,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let version = query.whole("version", 1, i64::from(u32::MAX)).map(i64::cast_unsigned);
    query.end()?;
    let (lang, current) = (preference::of_language(&request), find(&id)?);
    let ruleset = match version {
        None => current,
        Some(version) => RulesetId::of(current.name(), version).ok_or_else(|| Problem::new(&NOT_FOUND))?,
    };
    let (name, version) = (ruleset.name(), ruleset.version());
    let packed = json(&format!("catalogue/{name}/{version}/{}", lang.tag()), || RulesetCatalogue {
        ruleset: name,
        rules_version: version,
        language: lang.tag(),
        catalogue: ruleset.catalogue(lang),
        board: ruleset.board(lang),
    })?;
    Ok(localised(packed.answer(&request), lang))
}

/// Get the rules
///
/// Returns the rules as Markdown. Refusals name the headings by their numbers.
#[endpoint(
    GET "/v1/rulesets/{id}/rules", tag = "rulesets",
    params(("id" = String, Path), ("Accept-Language" = Option<String>, Header)),
    responses(
        (status = 200, description = "The rules", body = String, content_type = "text/markdown"),
        (status = 304, description = "They have not changed")
    )
)]
pub async fn get_rules(
    request: HttpRequest,
    id: web::Path<String>,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let lang = preference::of_language(&request);
    let ruleset = find(&id)?;
    Ok(localised(text(ruleset, lang)?.answer(&request), lang))
}

/// The rules of a ruleset in a language, packed.
pub fn text(ruleset: RulesetId, lang: Lang) -> Result<StaticAsset, Problem> {
    static_asset::once(&format!("rules/{}/{}", ruleset.name(), lang.tag()), || {
        Some(StaticAsset::new("text/markdown; charset=utf-8", ruleset.rules(lang)))
    })
}

fn find(id: &str) -> Result<RulesetId, Problem> {
    RulesetId::current(id).ok_or_else(|| {
        Problem::new(&NOT_FOUND)
            .detail(Text::new("There is no such ruleset.", "Questo regolamento non esiste."))
    })
}

/// Something written as JSON, packed.
fn json<T: Serialize>(name: &str, make: impl FnOnce() -> T) -> Result<StaticAsset, Problem> {
    static_asset::once(name, || Some(StaticAsset::new("application/json", serde_json::to_vec(&make()).ok()?)))
}

fn localised(mut response: HttpResponse, lang: Lang) -> HttpResponse {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(lang.tag()));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Language, Accept-Encoding"));
    response
}
