//! The list of endpoints, from which the router and the document follow. Path, method, media types and schemas stand at
//! the handler.

use std::{collections::HashMap, sync::LazyLock};

use actix_web::{
    Resource, Route, guard,
    http::Method,
    web::{self, route},
};
use utoipa::{
    OpenApi,
    openapi::{
        OpenApi as Document, PathItem, RefOr,
        path::{HttpMethod, Operation},
    },
};

use super::{
    problem::{METHOD_NOT_ALLOWED, Problem},
    routes::{audit, games, home, operation, play, players, rulesets},
};

macro_rules! endpoints {
    ($($module:ident::$handler:ident),+ $(,)?) => {
        #[derive(OpenApi)]
        #[openapi(paths($($module::$handler),+))]
        struct Paths;

        /// Every handler, by the name that it has in the document.
        fn handlers() -> Vec<(&'static str, Route)> {
            vec![$((stringify!($handler), route().to($module::$handler))),+]
        }
    };
}

// A request goes through the list from its top, so what is asked for most stands first.
endpoints! {
    play::send_command, play::get_view, play::list_legal_commands, play::list_events,
    audit::get_log, audit::get_replay,
    games::join, games::leave, games::reveal_entropy, games::resign, games::resume,
    games::get_game, games::call_off, games::list_games, games::create_game,
    players::create_player, players::me, players::renew_token, players::my_events, players::my_games,
    rulesets::list_rulesets, rulesets::get_ruleset, rulesets::get_rules,
    audit::list_keys, audit::create_audit, audit::get_format,
    operation::live, operation::ready, operation::metrics,
    home::openapi, home::problem, home::home,
}

/// The paths of the document, and the schemas that they refer to.
pub fn paths() -> Document {
    Paths::openapi()
}

/// What is declared of an endpoint.
pub struct Endpoint {
    pub path: String,
    pub method: Method,
    pub name: String,
    /// The media types of its answers.
    pub offers: Vec<String>,
}

/// All that are declared.
pub static ENDPOINTS: LazyLock<Vec<Endpoint>> = LazyLock::new(|| {
    let items = paths().paths.paths.into_iter();
    items
        .flat_map(|(path, item)| {
            operations(item).map(move |(method, operation)| endpoint(&path, &method, operation))
        })
        .collect()
});

fn operations(item: PathItem) -> impl Iterator<Item = (HttpMethod, Operation)> {
    let PathItem { get, post, delete, .. } = item;
    let all = [(HttpMethod::Get, get), (HttpMethod::Post, post), (HttpMethod::Delete, delete)];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation?)))
}

fn endpoint(path: &str, method: &HttpMethod, operation: Operation) -> Endpoint {
    let method = match method {
        HttpMethod::Post => Method::POST,
        HttpMethod::Delete => Method::DELETE,
        _ => Method::GET,
    };
    let responses = operation.responses.responses.into_values();
    let contents = responses.flat_map(|response| match response {
        RefOr::T(response) => response.content.into_keys().collect(),
        RefOr::Ref(_) => Vec::new(),
    });
    let mut offers: Vec<String> = contents.collect();
    // A client that asks for text can read Markdown, and one that asks for problems reads what else is JSON.
    for (kind, also) in [("text/markdown", "text/plain"), ("application/json", "application/problem+json")] {
        if offers.iter().any(|offered| offered == kind) {
            offers.push(also.to_owned());
        }
    }
    Endpoint { path: path.to_owned(), method, name: operation.operation_id.unwrap_or_default(), offers }
}

/// What an endpoint answers with, if there is one. A HEAD is a GET without its body.
pub fn offers(path: &str, method: &Method) -> Option<&'static [String]> {
    static OFFERS: LazyLock<HashMap<(&'static str, &'static Method), &'static [String]>> =
        LazyLock::new(|| {
            ENDPOINTS
                .iter()
                .map(|endpoint| ((&*endpoint.path, &endpoint.method), &*endpoint.offers))
                .collect()
        });
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    OFFERS.get(&(path, method)).copied()
}

/// One resource for each path, in the order of the list. A wrong method is told the right ones.
pub fn resources() -> Vec<Resource> {
    let mut by_path: Vec<(&str, Vec<(&Method, Route)>)> = Vec::new();
    for (name, route) in handlers() {
        let Some(endpoint) = ENDPOINTS.iter().find(|endpoint| endpoint.name == name) else { continue };
        match by_path.iter_mut().find(|(path, _)| *path == endpoint.path) {
            Some((_, routes)) => routes.push((&endpoint.method, route)),
            None => by_path.push((&endpoint.path, vec![(&endpoint.method, route)])),
        }
    }
    by_path.into_iter().map(|(path, routes)| resource(path, routes)).collect()
}

fn resource(path: &str, routes: Vec<(&'static Method, Route)>) -> Resource {
    let mut resource = web::resource(path);
    let mut allowed = Vec::new();
    for (method, route) in routes {
        allowed.push(method.as_str());
        if *method == Method::GET {
            allowed.push("HEAD");
            resource = resource.route(route.guard(guard::Any(guard::Get()).or(guard::Head())));
        } else {
            resource = resource.route(route.method(method.clone()));
        }
    }
    let allowed = allowed.join(", ");
    resource.default_service(web::to(move || {
        let problem = Problem::new(&METHOD_NOT_ALLOWED).allow(allowed.clone());
        async move { Err::<&str, _>(problem) }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handler_is_declared_once_and_every_declaration_has_its_handler() {
        let mut handlers: Vec<_> = handlers().into_iter().map(|(name, _)| name.to_owned()).collect();
        let mut declared: Vec<_> = ENDPOINTS.iter().map(|endpoint| endpoint.name.clone()).collect();
        handlers.sort();
        declared.sort();
        assert_eq!(handlers, declared);
    }
}
