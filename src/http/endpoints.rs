//! The list of endpoints, from which the router and the document follow. `#[endpoint]` declares each at its
//! handler.

use std::{collections::HashMap, sync::LazyLock};

use actix_web::{
    Resource, Route, Scope,
    dev::{HttpServiceFactory, ServiceRequest},
    guard::{self, Guard},
    http::Method,
    middleware::from_fn,
    web::{self, route},
};
#[cfg(test)]
use utoipa::{OpenApi, openapi::OpenApi as Document};

use super::{
    endpoint::{Declared, Endpoint},
    problem::{METHOD_NOT_ALLOWED, Problem},
    request::authorize,
    routes::{
        account, apps, audit, bots, explorations, games, moderation, notifications, oauth, operation, page,
        play, players, problems, rulesets, safety, seats, talk, tlog, webhooks,
    },
};

macro_rules! endpoints {
    ($($module:ident::$handler:ident),+ $(,)?) => {
        /// All endpoints.
        pub static ENDPOINTS: &[Endpoint] = &[$(<$module::$handler as Declared>::ENDPOINT),+];

        /// Returns the handler of each endpoint.
        fn routes() -> Vec<Route> {
            vec![$(route().to($module::$handler)),+]
        }

        /// The part of the document of each handler. One function for all would take a minute to compile.
        #[cfg(test)]
        const PIECES: &[fn() -> Document] = &[$({
            #[derive(OpenApi)]
            #[openapi(paths($module::$handler))]
            struct Piece;
            Piece::openapi
        }),+];
    };
}

// Requests are matched in this order, so frequent endpoints come first.
endpoints! {
    play::send_command, play::try_commands, play::get_view, play::list_events,
    audit::get_log, audit::get_replay,
    games::join_game, games::get_invite, games::invite_player, games::request_rematch,
    talk::get_note, talk::set_note, talk::list_messages, talk::get_message, talk::send_message, talk::list_mutes, talk::mute_seat,
    talk::unmute_seat,
    games::leave_game, games::reveal_entropy,
    seats::resign, seats::resume_seat, seats::get_pause, seats::request_pause, seats::withdraw_pause, seats::revoke_keys, seats::replace_key,
    seats::offer_seat, seats::get_seat_offer, seats::accept_substitute, seats::withdraw_seat_offer, seats::get_plan,
    seats::set_plan, seats::delete_plan, seats::take_back_moves,
    games::get_game, games::cancel_game,
    bots::add_bot, bots::list_bots, bots::get_bot, bots::register_bot, bots::unregister_bot, bots::remove_bot,
    explorations::play_exploration, explorations::get_exploration, explorations::delete_exploration,
    explorations::create_exploration,
    games::list_games, games::create_game,
    players::create_player, players::get_player, players::stream_my_events,
    players::list_my_games,
    account::get_me, account::update_me, account::delete_me, account::list_tokens, account::get_token, account::create_token,
    account::revoke_token, account::rotate_token, account::replace_recovery_code, account::recover_account,
    account::create_stream_ticket, account::create_link, account::list_devices, account::link_device, account::remove_device,
    account::create_session,
    notifications::get_notifications, notifications::update_notifications, notifications::clear_presence,
    notifications::create_push, notifications::get_push, notifications::delete_push,
    notifications::test_push, notifications::confirm_mail, notifications::unsubscribe_mail,
    webhooks::list_webhooks, webhooks::create_webhook, webhooks::get_webhook, webhooks::update_webhook,
    webhooks::delete_webhook, webhooks::test_webhook, webhooks::list_deliveries,
    webhooks::resend_delivery,
    safety::create_report, safety::list_blocks, safety::get_block, safety::block_player, safety::unblock_player,
    safety::export_me,
    moderation::get_server, moderation::list_operator_acts, moderation::get_operator_act,
    moderation::act_as_operator, moderation::list_known_players, moderation::get_known_player,
    moderation::list_known_games, moderation::get_known_game, moderation::list_banned_addresses, moderation::list_registration_invitations,
    moderation::list_operator_tokens, moderation::list_reports, moderation::get_report, moderation::update_report,
    apps::list_apps, apps::get_app, apps::disconnect_app,
    oauth::read_authorization_request, oauth::allow_app,
    rulesets::list_rulesets, rulesets::get_ruleset, rulesets::get_rules, rulesets::get_catalogue,
    tlog::get_proof, tlog::get_checkpoint,
    audit::list_keys, audit::create_audit, audit::get_log_format,
    operation::get_liveness, operation::get_readiness, operation::get_metrics,
    problems::list_problems, problems::get_problem,
    page::home, page::table,
}

/// Returns the paths of the document, with their schemas.
#[cfg(test)]
pub fn paths() -> Document {
    PIECES.iter().map(|piece| piece()).reduce(Document::merge_from).unwrap_or_default()
}

/// Returns whether a path is part of the API. The others are for browsers and operators.
#[cfg(test)]
pub fn is_documented(path: &str) -> bool {
    ["/v1/", "/tlog/", "/problems"].iter().any(|start| path.starts_with(start))
}

/// Returns the problems of an endpoint.
#[cfg(test)]
pub fn own_problems(name: &str) -> &'static [&'static super::problem::Code] {
    ENDPOINTS.iter().find(|endpoint| endpoint.name == name).map_or(&[], |endpoint| endpoint.problems)
}

/// Returns the media types of an endpoint. HEAD is GET without a body.
pub fn offers(path: &str, method: &Method) -> Option<&'static [&'static str]> {
    static OFFERS: LazyLock<HashMap<(&str, &Method), &[&str]>> = LazyLock::new(|| {
        ENDPOINTS.iter().map(|endpoint| ((endpoint.path, &endpoint.method), endpoint.offers)).collect()
    });
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    OFFERS.get(&(path, method)).copied()
}

/// Common path prefixes. Paths below them are matched only for requests with the prefix, and the game id is
/// parsed once.
const COMMON: [&str; 2] = ["/v1/games/{id}", "/v1/me"];

/// Adds a resource for each path, in the order of the list.
pub fn configure(app: &mut web::ServiceConfig) {
    let mut by_path: Vec<(&str, Vec<(&'static Endpoint, Route)>)> = Vec::new();
    for (endpoint, route) in ENDPOINTS.iter().zip(routes()) {
        match by_path.iter_mut().find(|(path, _)| *path == endpoint.path) {
            Some((_, routes)) => routes.push((endpoint, route)),
            None => by_path.push((endpoint.path, vec![(endpoint, route)])),
        }
    }
    for begin in COMMON {
        let rest = |path: &'static str| {
            path.strip_prefix(begin).filter(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let below = by_path.extract_if(.., |(path, _)| rest(path).is_some());
        let below = below.filter_map(|(path, routes)| Some(guarded(rest(path)?, routes)));
        app.service(below.fold(web::scope(begin), Scope::service));
    }
    for (path, routes) in by_path {
        app.service(guarded(path, routes));
    }
}

/// Returns a path with its methods, behind their access checks.
fn guarded(path: &str, routes: Vec<(&'static Endpoint, Route)>) -> impl HttpServiceFactory + use<> {
    let access: Vec<_> = routes.iter().map(|(endpoint, _)| (&endpoint.method, endpoint.access)).collect();
    resource(path, routes).wrap(from_fn(move |request: ServiceRequest, next| {
        let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
        let access = access.iter().find(|(known, _)| *known == method).and_then(|(_, access)| *access);
        authorize(request, next, access)
    }))
}

/// Returns a path with its methods. A wrong method gets a 405 with the right ones.
fn resource(path: &str, routes: Vec<(&'static Endpoint, Route)>) -> Resource {
    let mut resource = web::resource(path);
    let mut allowed = Vec::new();
    for (endpoint, route) in routes {
        let method = &endpoint.method;
        allowed.push(method.as_str());
        if *method == Method::GET {
            allowed.push("HEAD");
            resource = resource.route(reading(route));
        } else {
            resource = resource.route(route.guard(asks_by(method)));
        }
    }
    no_other_method(resource, allowed.join(", "))
}

/// Returns a path for files.
pub fn read_only(path: &str, route: Route) -> Resource {
    no_other_method(web::resource(path).route(reading(route)), "GET, HEAD".to_owned())
}

fn reading(route: Route) -> Route {
    route.guard(guard::Any(asks_by(&Method::GET)).or(asks_by(&Method::HEAD)))
}

/// actix's method guard records each mismatch to build a 405. We build our own, so skip that work.
fn asks_by(method: &Method) -> impl Guard + use<> {
    let method = method.clone();
    guard::fn_guard(move |context| context.head().method == method)
}

fn no_other_method(resource: Resource, allowed: String) -> Resource {
    resource.default_service(web::to(move || {
        let problem = Problem::new(&METHOD_NOT_ALLOWED).allow(allowed.clone());
        async move { Err::<&str, _>(problem) }
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::http::{
        document,
        endpoint::{Access, Needs},
        problem,
    };

    /// Returns the endpoints in the document of the repository: method, path, token and media types.
    fn documented() -> Vec<String> {
        let document: Value = serde_json::from_str(document::TEXT).unwrap();
        let paths = document["paths"].as_object().unwrap().iter();
        let of_path = |(path, item): (&String, &Value)| {
            let operations = item.as_object().unwrap().clone();
            let path = path.clone();
            operations.into_iter().map(move |(method, operation)| {
                let contents = operation["responses"].as_object().unwrap().values();
                let kinds = contents.filter_map(|response| response["content"].as_object());
                let mut kinds: Vec<_> =
                    kinds.flat_map(|content| content.keys().map(String::as_str)).collect();
                kinds.retain(|kind| *kind != problem::MEDIA_TYPE);
                kinds.sort_unstable();
                kinds.dedup();
                let (method, security) = (method.to_uppercase(), &operation["security"]);
                format!("{method} {path} {security} {} {kinds:?}", operation["x-scope"])
            })
        };
        paths.flat_map(of_path).collect()
    }

    fn declared(endpoint: &Endpoint) -> String {
        let Endpoint { method, path, .. } = endpoint;
        let token = |access: Access| {
            let scope = access.scope.map_or("null".to_owned(), |scope| format!("{:?}", scope.word()));
            let scope = if access.needs == Needs::Operator { r#""admin""#.to_owned() } else { scope };
            let token = r#"{"token":[]}"#;
            match access {
                Access { needs: Needs::Player | Needs::Operator, .. } => format!("[{token}] {scope}"),
                Access { scope: Some(_), .. } => format!("[{{}},{token}] {scope}"),
                Access { .. } => "[] null".to_owned(),
            }
        };
        let security = endpoint.access.map_or("[] null".to_owned(), token);
        let mut offers = endpoint.offers.to_vec();
        offers.retain(|kind| *kind != problem::MEDIA_TYPE);
        if offers.contains(&"text/markdown") {
            offers.retain(|kind| *kind != "text/plain");
        }
        format!("{method} {path} {security} {offers:?}")
    }

    #[test]
    fn the_document_in_the_repository_declares_the_endpoints_of_the_code() {
        let documented_ones = ENDPOINTS.iter().filter(|endpoint| is_documented(endpoint.path));
        let mut declared: Vec<_> = documented_ones.map(declared).collect();
        let mut documented = documented();
        declared.sort();
        documented.sort();
        assert_eq!(declared, documented, "openapi/openapi.json is not current: run `just document`");
    }
}
