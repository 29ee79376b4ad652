//! The application: one list of routes, and the server around it.

use std::{sync::Arc, time::Duration};

use actix_cors::Cors;
use actix_web::{
    App, HttpServer, Route,
    dev::Server,
    guard,
    middleware::{Condition, from_fn},
    rt,
    web::{self, delete, post},
};
use tokio::sync::Semaphore;
use utoipa_swagger_ui::SwaggerUi;

use super::{
    chores::{self, Chore},
    metrics::Metrics,
    middleware::{Limiter, around, identify},
    openapi,
    problem::{BUSY, METHOD_NOT_ALLOWED, NOT_FOUND, Problem},
    routes::{audit, games, home, operation, play, players, rulesets},
};
use crate::{config::Config, service::Service};

/// What every handler can reach.
pub struct State {
    pub service: Service,
    pub config: Config,
    pub metrics: Metrics,
    pub limiter: Limiter,
    /// Room for uploads that are under way, and for audits that are carried out.
    pub uploads: Arc<Semaphore>,
    pub audits: Semaphore,
}

/// How many uploads may be under way at once, and how many audits are carried out at once. Each of them takes memory.
const UPLOADS: usize = 16;
const AUDITS: usize = 2;

impl State {
    pub fn new(service: Service, config: Config) -> Self {
        let limiter = Limiter::new(&config);
        let (uploads, audits) = (Arc::new(Semaphore::new(UPLOADS)), Semaphore::new(AUDITS));
        Self { service, config, metrics: Metrics::default(), limiter, uploads, audits }
    }

    /// Whether one more may listen.
    pub fn has_room_for_a_stream(&self) -> Result<(), Problem> {
        if self.service.news.listeners() < self.config.most_streams {
            return Ok(());
        }
        Err(Problem::new(&BUSY).detail("as many streams are open as this server keeps").retry_after(5))
    }
}

/// A path and what answers on it, by method.
pub struct Resource {
    pub path: &'static str,
    pub routes: Vec<(&'static str, Route)>,
}

/// Declares the routes: each path with its methods and handlers.
macro_rules! routes {
    ($($path:literal => { $($method:ident $handler:path),+ $(,)? })+) => {
        /// Every path of the server, with its methods and handlers.
        pub fn resources() -> Vec<Resource> {
            vec![$(Resource {
                path: $path,
                routes: vec![$((stringify!($method), $method().to($handler))),+],
            }),+]
        }
    };
}

/// A GET answers HEAD as well, without its body.
fn get() -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

// A request goes through the list from its top, so what is asked for most stands first.
routes! {
    "/v1/games/{id}/commands" => { post play::send_command }
    "/v1/games/{id}/view" => { get play::get_view }
    "/v1/games/{id}/legal-commands" => { get play::list_legal_commands }
    "/v1/games/{id}/events" => { get play::list_events }
    "/v1/games/{id}/log" => { get audit::get_log }
    "/v1/games/{id}/replay" => { get audit::get_replay }
    "/v1/games/{id}/seats" => { post games::join }
    "/v1/games/{id}/seats/mine" => { delete games::leave }
    "/v1/games/{id}/entropy" => { post games::reveal_entropy }
    "/v1/games/{id}/resignation" => { post games::resign }
    "/v1/games/{id}/resumption" => { post games::resume }
    "/v1/games/{id}" => { get games::get_game, delete games::call_off }
    "/v1/games" => { get games::list_games, post games::create_game }
    "/v1/players" => { post players::create_player }
    "/v1/me" => { get players::me }
    "/v1/me/token" => { post players::renew_token }
    "/v1/me/events" => { get players::my_events }
    "/v1/me/games" => { get players::my_games }
    "/v1/rulesets" => { get rulesets::list_rulesets }
    "/v1/rulesets/{id}" => { get rulesets::get_ruleset }
    "/v1/rulesets/{id}/rules" => { get rulesets::get_rules }
    "/v1/keys" => { get audit::list_keys }
    "/v1/audits" => { post audit::create_audit }
    "/v1/fairlog" => { get audit::get_format }
    "/health/live" => { get operation::live }
    "/health/ready" => { get operation::ready }
    "/metrics" => { get operation::metrics }
    "/openapi.json" => { get home::openapi }
    "/problems/{code}" => { get home::problem }
    "/" => { get home::home }
}

/// Adds all routes. A wrong method is told the right ones, and a wrong path that there is nothing.
fn configure(app: &mut web::ServiceConfig) {
    for Resource { path, routes } in resources() {
        let mut methods: Vec<String> = routes.iter().map(|(method, _)| method.to_uppercase()).collect();
        let mut resource = web::resource(path);
        for (method, route) in routes {
            if method == "get" {
                methods.push("HEAD".into());
            }
            resource = resource.route(route);
        }
        let allowed = methods.join(", ");
        app.service(resource.default_service(web::to(move || {
            let problem = Problem::new(&METHOD_NOT_ALLOWED).allow(allowed.clone());
            async move { Err::<&str, _>(problem) }
        })));
    }
    app.service(web::redirect("/docs", "/docs/"));
    app.service(SwaggerUi::new("/docs/{_:.*}").url("/openapi.json", openapi::document()));
    app.default_service(web::to(|| async { Err::<&str, _>(Problem::new(&NOT_FOUND)) }));
}

fn cors(config: &Config) -> Cors {
    let cors = Cors::default()
        .allowed_methods(["GET", "POST", "DELETE"])
        .allowed_headers([
            "authorization",
            "content-type",
            "idempotency-key",
            "if-none-match",
            "last-event-id",
        ])
        .expose_headers(["etag", "location", "retry-after", "x-request-id", "idempotency-replayed"])
        .max_age(3_600);
    config.cors_origins.iter().fold(cors, |cors, origin| match origin.as_str() {
        "*" => cors.allow_any_origin(),
        origin => cors.allowed_origin(origin),
    })
}

/// Binds the address and gives the server, which runs when it is awaited.
pub fn server(state: Arc<State>) -> std::io::Result<(Server, std::net::SocketAddr)> {
    let config = state.config.clone();
    let state = web::Data::from(state);
    let (app_config, chores, reader_seconds) = (config.clone(), state.clone(), config.reader_seconds);
    let mut server = HttpServer::new(move || {
        let with_cors = !app_config.cors_origins.is_empty();
        App::new()
            .app_data(state.clone())
            .wrap(from_fn(around))
            // Outermost, so that a browser may read every answer, and not only what a handler said.
            .wrap(Condition::new(with_cors, cors(&app_config)))
            .wrap(Condition::new(with_cors, from_fn(identify)))
            .configure(configure)
    })
    .on_connect(move |connection, _| cut_off_slow_readers(connection, Duration::from_secs(reader_seconds)))
    .client_request_timeout(Duration::from_secs(config.patience))
    .client_disconnect_timeout(Duration::from_secs(2))
    .shutdown_timeout(config.stop_seconds);
    if let Some(workers) = config.workers {
        server = server.workers(usize::try_from(workers.get()).unwrap_or(1));
    }
    let server = server.disable_signals().bind(config.listen)?;
    let address = server.addrs().first().copied().unwrap_or(config.listen);
    let server = server.run();
    let every = |pause, chore| rt::spawn(chores::every(chores.clone(), pause, chore));
    every(Duration::from_millis(200), Chore::ActOnDeadlines);
    every(Duration::from_mins(1), Chore::CloseForgotten);
    rt::spawn(chores::stop_when_told(chores, server.handle()));
    Ok((server, address))
}

/// A client that takes nothing of what is sent to it is cut off by the system, so that nobody holds a stream or a large
/// answer open for ever.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
fn cut_off_slow_readers(connection: &dyn std::any::Any, patience: Duration) {
    #[cfg(target_os = "linux")]
    if let Some(connection) = connection.downcast_ref::<rt::net::TcpStream>() {
        // Without it such a client is only cut off later, by the system's own measure.
        let _ = socket2::SockRef::from(connection).set_tcp_user_timeout(Some(patience));
    }
}
