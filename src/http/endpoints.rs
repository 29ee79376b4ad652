//! The list of endpoints. The document follows from the list, and the router from both. Path, method, media
//! types and schemas are at the handler.

use actix_web::{
    Resource, Route, Scope,
    dev::{HttpServiceFactory, ServiceRequest},
    guard::{self, Guard},
    http::Method,
    middleware::from_fn,
    web::{self, route},
};
#[cfg(feature = "openapi")]
use utoipa::{OpenApi, openapi::OpenApi as Document};

use super::{
    document::{Endpoint, named},
    problem::{METHOD_NOT_ALLOWED, Problem},
    request::authorize,
    routes::{
        account, audit, bots, explorations, games, home, notifications, operation, page, play, players,
        rulesets, seats, talk, tlog, webhooks,
    },
};

macro_rules! endpoints {
    ($($module:ident::$handler:ident $([$($problem:ident),+])?),+ $(,)?) => {
        /// The part of the document of each handler. One function for all would take a minute to compile.
        #[cfg(feature = "openapi")]
        const PIECES: &[fn() -> Document] = &[$({
            #[derive(OpenApi)]
            #[openapi(paths($module::$handler))]
            struct Piece;
            Piece::openapi
        }),+];

        /// Returns every handler, with its name in the document.
        fn handlers() -> Vec<(&'static str, Route)> {
            vec![$((stringify!($handler), route().to($module::$handler))),+]
        }

        /// The problems of each handler, in addition to those of its extractors.
        #[cfg(feature = "openapi")]
        const OWN_PROBLEMS: &[(&str, &[&super::problem::Code])] = &[$((stringify!($handler), &[$($(&super::problem::$problem),+)?])),+];
    };
}

// Requests are matched in this order, so frequent endpoints come first. The problems of a handler follow its
// name.
endpoints! {
    play::send_command [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, STALE_SEQ, PAUSED, ILLEGAL_COMMAND, NOT_YOUR_TURN, NOT_LAST, AUTOPILOTS, BAD_SIGNATURE, TOO_MANY_ENTRIES],
    play::try_out [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, STALE_SEQ, ILLEGAL_COMMAND, NOT_YOUR_TURN],
    play::get_view [REPLAY_SEALED],
    play::list_legal_commands [NOT_SEATED, GAME_NOT_RUNNING],
    play::list_events [NOT_SEATED],
    audit::get_log,
    audit::get_replay [REPLAY_SEALED],
    games::join [NOT_AGREED, TOO_MANY_ENTRIES, GAME_NOT_RUNNING, WRONG_INVITE, ALREADY_SEATED, SEAT_TAKEN, GAME_NOT_OPEN, TOO_MANY_GAMES, TOO_MANY_CHANGES, PROMISE_COPIED, NONCE_USED, SEATS_KEPT, BAD_SIGNATURE],
    games::get_invite,
    games::accept_invite [GAME_NOT_RUNNING, WRONG_INVITE, ALREADY_SEATED, SEAT_TAKEN, GAME_NOT_OPEN, TOO_MANY_GAMES, TOO_MANY_CHANGES, PROMISE_COPIED, NONCE_USED, SEATS_KEPT, BAD_SIGNATURE],
    games::rematch [NOT_SEATED, GAME_NOT_FINISHED, TOO_MANY_GAMES, GAME_EXISTS, GAME_NOT_OPEN, SEATS_KEPT, PROMISE_COPIED, NONCE_USED, BAD_SIGNATURE, TOO_MANY_CHANGES],
    talk::get_note [NOT_SEATED],
    talk::put_note [NOT_SEATED],
    talk::list_messages [NOT_SEATED],
    talk::say [NOT_SEATED, TOO_MANY_MESSAGES],
    talk::list_mutes [NOT_SEATED],
    talk::mute [NOT_SEATED],
    talk::unmute [NOT_SEATED],
    games::leave [NOT_SEATED, GAME_NOT_OPEN],
    games::reveal_entropy [NOT_SEATED, GAME_NOT_SEALED, NOTHING_PROMISED, WRONG_ENTROPY],
    seats::resign [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, TOO_MANY_ENTRIES, BAD_SIGNATURE],
    seats::resume [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AUTOPILOTS, TOO_MANY_ENTRIES, BAD_SIGNATURE],
    seats::ask_for_pause [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AGREED, AUTOPILOTS, ASKS_ALREADY, TOO_MANY_ENTRIES, BAD_SIGNATURE],
    seats::go_on [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AGREED, ASKS_NOT, TOO_MANY_ENTRIES, BAD_SIGNATURE],
    seats::revoke [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, CHANGES_NOTHING, TOO_MANY_ENTRIES, BAD_SIGNATURE],
    seats::rekey [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, CHANGES_NOTHING, TOO_MANY_ENTRIES, BAD_SIGNATURE],
    seats::offer_seat [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AGREED],
    seats::list_offers [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED],
    seats::agree [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AGREED, NOBODY_ASKED, ALREADY_SEATED, TOO_MANY_GAMES, TOO_MANY_ENTRIES, BAD_SIGNATURE],
    seats::withdraw_offer [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED],
    seats::get_plan [NOT_SEATED],
    seats::put_plan [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, BAD_SIGNATURE],
    seats::drop_plan [NOT_SEATED],
    seats::take_back [NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AGREED, AUTOPILOTS, PAUSED, STALE_SEQ, NOTHING_TO_TAKE_BACK, TOO_MANY_ENTRIES, BAD_SIGNATURE],
    games::get_game,
    games::call_off [NOT_CREATOR, GAME_NOT_OPEN],
    bots::add_bot [NOT_CREATOR, GAME_NOT_OPEN, SEAT_TAKEN, BOT_REFUSES, TOO_MANY_CHANGES],
    bots::put_offer [NAME_TAKEN], bots::drop_offer,
    bots::remove_bot [NOT_CREATOR, GAME_NOT_OPEN],
    explorations::explore_on [NOT_SEATED, GAME_NOT_RUNNING, STALE_SEQ, ILLEGAL_COMMAND, NOT_YOUR_TURN, TOO_MANY_ENTRIES],
    explorations::get_exploration, explorations::leave_exploration,
    explorations::explore [NOT_SEATED, GAME_NOT_RUNNING],
    games::list_games,
    games::create_game [TOO_MANY_GAMES, GAME_EXISTS, BAD_SIGNATURE],
    players::create_player [PLAYER_EXISTS], players::get_player, players::list_players, players::my_events, players::my_games,
    account::me, account::rename [NAME_TAKEN], account::leave_for_good, account::list_tokens,
    account::make_token [NOT_FOUND, TOO_MANY_TOKENS],
    account::end_token, account::renew_token, account::renew_recovery,
    account::recover [WRONG_CODE],
    account::give_ticket, account::link, account::list_devices,
    account::put_device [TOO_MANY_DEVICES], account::drop_device [NOT_FOUND],
    account::open_session [WRONG_CODE, TOO_MANY_TOKENS],
    notifications::get_notifications, notifications::look_away, notifications::put_quiet, notifications::drop_quiet,
    notifications::add_push [TOO_MANY_WEBHOOKS], notifications::remove_push, notifications::test_push,
    notifications::put_mail, notifications::drop_mail, notifications::confirm_mail [WRONG_CODE],
    notifications::unsubscribe [WRONG_CODE],
    webhooks::my_webhooks, webhooks::add_my_webhook [TOO_MANY_WEBHOOKS],
    webhooks::change_my_webhook [WRONG_CODE, NOT_PROVED], webhooks::remove_my_webhook, webhooks::test_my_webhook,
    webhooks::my_deliveries, webhooks::deliver_mine_again [NOT_PROVED],
    webhooks::webhooks_of_game [NOT_SEATED], webhooks::add_webhook_of_game [NOT_SEATED, TOO_MANY_WEBHOOKS],
    webhooks::change_webhook_of_game [NOT_SEATED, WRONG_CODE, NOT_PROVED], webhooks::remove_webhook_of_game [NOT_SEATED],
    webhooks::test_webhook_of_game [NOT_SEATED], webhooks::deliveries_of_game [NOT_SEATED],
    webhooks::deliver_again [NOT_SEATED, NOT_PROVED],
    rulesets::list_rulesets, rulesets::get_ruleset, rulesets::get_rules, rulesets::get_catalogue,
    tlog::get_proof [NOT_PINNED_YET], tlog::get_checkpoint [NOT_PINNED_YET],
    audit::list_keys, audit::create_audit, audit::get_format,
    operation::live,
    operation::ready [STORAGE_UNAVAILABLE],
    operation::metrics [NOT_FOUND],
    home::openapi, home::problem, page::home,
}

/// Returns the paths of the document, with their schemas.
#[cfg(feature = "openapi")]
pub fn paths() -> Document {
    PIECES.iter().map(|piece| piece()).reduce(Document::merge_from).unwrap_or_default()
}

/// Returns the problems of an endpoint.
#[cfg(feature = "openapi")]
pub fn own_problems(name: &str) -> &'static [&'static super::problem::Code] {
    OWN_PROBLEMS.iter().find(|(known, _)| *known == name).map_or(&[], |(_, own)| own)
}

/// Common path prefixes. Paths below them are matched only for requests with the prefix, and the game id is
/// parsed once.
const COMMON: [&str; 2] = ["/v1/games/{id}", "/v1/me"];

/// Adds a resource for each path, in the order of the list.
pub fn configure(app: &mut web::ServiceConfig) {
    let mut by_path: Vec<(&str, Vec<(&'static Endpoint, Route)>)> = Vec::new();
    for (name, route) in handlers() {
        let Some(endpoint) = named(name) else { continue };
        match by_path.iter_mut().find(|(path, _)| *path == endpoint.path) {
            Some((_, routes)) => routes.push((endpoint, route)),
            None => by_path.push((&endpoint.path, vec![(endpoint, route)])),
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
    use super::*;
    use crate::http::document::ENDPOINTS;

    #[test]
    fn every_handler_is_declared_once_and_every_declaration_has_its_handler() {
        let mut handlers: Vec<_> = handlers().into_iter().map(|(name, _)| name.to_owned()).collect();
        let mut declared: Vec<_> = ENDPOINTS.iter().map(|endpoint| endpoint.name.clone()).collect();
        handlers.sort();
        declared.sort();
        assert_eq!(
            handlers, declared,
            "PLAYLEDGER_OPENAPI=write cargo test --test http document:: declares what is new"
        );
    }
}
