//! The application and its server.

use std::{net::Shutdown, sync::Arc, time::Duration};

use actix_cors::Cors;
use actix_web::{
    App, HttpServer,
    dev::{Extensions, Server},
    middleware::{Condition, from_fn},
    rt, web,
};

pub use super::chores::pin_the_last;
use super::{
    chores::{self, Chore},
    client::Client,
    document::Rendering,
    endpoints,
    middleware::{around, identify},
    routes::{guide, home, oauth, operation, page, rulesets, tlog},
    state::{Shared, State},
};
use crate::{config::Config, engine::Lang, network::Network, rulesets::RulesetId};

/// Games in which bots decide at the same time.
const BOTS_AT_ONCE: usize = 8;

/// Adds all endpoints. Other paths are not found.
fn configure(app: &mut web::ServiceConfig) {
    endpoints::configure(app);
    for rendering in Rendering::ALL {
        app.service(endpoints::read_only(&format!("/{}", rendering.file()), web::to(home::document)));
    }
    app.service(endpoints::read_only("/.well-known/oauth-authorization-server", web::to(oauth::metadata)));
    for path in page::PLAIN {
        app.service(endpoints::read_only(path, web::to(page::plain)));
    }
    app.service(endpoints::read_only("/invite/{code}", web::to(page::invitation)));
    app.service(endpoints::read_only("/rules/{ruleset}", web::to(page::rules)));
    app.service(endpoints::read_only("/rules/{ruleset}/{rule}", web::to(page::rules)));
    for path in page::PLAIN.into_iter().chain(["/games/{place}", "/invite/{code}", "/rules/{ruleset}"]) {
        app.service(endpoints::read_only(&format!("{path}/"), web::to(page::without_slash)));
    }
    app.service(endpoints::read_only("/manifest.webmanifest", web::to(page::manifest)));
    app.service(web::resource("/oauth/token").route(web::post().to(oauth::token)));
    app.service(web::resource("/oauth/revoke").route(web::post().to(oauth::revoke)));
    app.service(web::redirect("/docs", "/docs/"));
    app.service(endpoints::read_only("/docs/{file:.*}", web::to(home::docs)));
    app.service(web::redirect("/guide", "/guide/"));
    app.service(endpoints::read_only("/guide/{page:.*}", web::to(guide::page)));
    app.service(endpoints::read_only("/page/{edition}/{file:.*}", web::to(page::file)));
    app.service(endpoints::read_only("/worker.js", web::to(page::worker)));
    app.service(endpoints::read_only("/tlog/tile/{tile:.*}", web::to(tlog::tile)));
    app.default_service(web::to(page::missing));
}

/// Opens the API to the pages of others. No answer depends on a cookie, so that every header may be read.
fn cors(config: &Config) -> Cors {
    let cors = Cors::default()
        .allowed_methods(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
        .allow_any_header()
        .expose_headers(["*"])
        .max_age(3_600);
    config.cors_origins.iter().fold(cors, |cors, origin| match origin.as_str() {
        // One answer for all origins: a cache need not tell them apart.
        "*" => cors.allow_any_origin().send_wildcard().disable_vary_header(),
        origin => cors.allowed_origin(origin),
    })
}

/// Binds the address, and returns the server, which runs when it is awaited.
pub fn server(shared: Arc<Shared>) -> std::io::Result<(Server, std::net::SocketAddr)> {
    let config = shared.config.clone();
    let (app_config, chores, door) = (config.clone(), Arc::clone(&shared), Arc::clone(&shared));
    let reader_timeout = Duration::from_secs(config.reader_seconds);
    let mut server = HttpServer::new(move || {
        let with_cors = !app_config.cors_origins.iter().any(|origin| origin == "none");
        App::new()
            .app_data(State::of_thread(&shared))
            .wrap(from_fn(around))
            // Outermost, so that browsers can read every answer.
            .wrap(Condition::new(with_cors, cors(&app_config)))
            .wrap(Condition::new(with_cors, from_fn(identify)))
            .configure(configure)
    })
    .on_connect(move |connection, data| {
        if let Some(connection) = connection.downcast_ref::<rt::net::TcpStream>() {
            cut_off_slow_readers(connection, reader_timeout);
            admit(connection, data, &door);
        }
    })
    .max_connections(config.max_connections)
    .client_request_timeout(Duration::from_secs(config.head_seconds))
    .client_disconnect_timeout(Duration::from_secs(2))
    // A closed connection ends its streams and drops its requests at once.
    .h1_allow_half_closed(false)
    .shutdown_timeout(config.stop_seconds);
    if let Some(workers) = config.workers {
        server = server.workers(usize::try_from(workers.get()).unwrap_or(1));
    }
    let server = server.disable_signals().bind(config.listen)?;
    let address = server.addrs().first().copied().unwrap_or(config.listen);
    let server = server.run();
    pack_ahead();
    let every = |pause, chore| rt::spawn(chores::every(Arc::clone(&chores), pause, chore));
    every(Duration::from_millis(200), Chore::ActOnDeadlines);
    every(Duration::from_mins(1), Chore::CloseForgotten);
    every(Duration::from_mins(1), Chore::ForgetOld);
    every(Duration::from_secs(5), Chore::TellFaults);
    every(Duration::from_secs(config.checkpoint_seconds), Chore::Pin);
    chores::let_bots_act(&chores, BOTS_AT_ONCE);
    every(Duration::from_secs(5), Chore::Adopt);
    every(Duration::from_secs(10), Chore::Beat);
    rt::spawn(chores::hear(Arc::clone(&chores)));
    rt::spawn(chores::find_waiting(Arc::clone(&chores)));
    rt::spawn(chores::send_messages(Arc::clone(&chores)));
    rt::spawn(chores::stop_when_told(chores, server.handle()));
    Ok((server, address))
}

/// Compresses static answers in a thread. Otherwise the first client waits for it.
fn pack_ahead() {
    let pack = || {
        let files = home::LARGE_FILES.into_iter().map(home::file_of_docs);
        let rules = RulesetId::ALL.iter().flat_map(|id| Lang::ALL.map(|lang| rulesets::text(*id, lang)));
        page::all().chain(files).chain([home::rendered(Rendering::Open)]).chain(rules).for_each(drop);
    };
    let _ = std::thread::Builder::new().name("packing".to_owned()).spawn(pack);
}

/// Returns the metrics server, if metrics have their own address.
pub fn metrics_server(shared: Arc<Shared>) -> std::io::Result<Option<(Server, std::net::SocketAddr)>> {
    let Some(listen) = shared.config.metrics_listen else { return Ok(None) };
    let numbers = move || {
        let route = web::get().to(operation::metrics_alone);
        App::new().app_data(State::of_thread(&shared)).route("/metrics", route)
    };
    let server = HttpServer::new(numbers).workers(1).disable_signals().bind(listen)?;
    let address = server.addrs().first().copied().unwrap_or(listen);
    Ok(Some((server.run(), address)))
}

/// Gives a new connection its permit, or closes it.
fn admit(connection: &rt::net::TcpStream, data: &mut Extensions, shared: &Shared) {
    let Ok(peer) = connection.peer_addr() else { return };
    let is_proxy = Network::any_contains(&shared.config.trusted_proxies, peer.ip());
    match shared.connections.take((!is_proxy).then(|| Client::at(peer.ip()))) {
        Some(place) => drop(data.insert(place)),
        // The client or the server has too many connections: nothing is read from this one.
        None => drop(socket2::SockRef::from(connection).shutdown(Shutdown::Both)),
    }
}

/// Makes the system close a connection whose client reads nothing, so that no client holds a stream or an
/// answer open for ever.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
fn cut_off_slow_readers(connection: &rt::net::TcpStream, after: Duration) {
    // Without this option, the system's default closes it later.
    #[cfg(target_os = "linux")]
    let _ = socket2::SockRef::from(connection).set_tcp_user_timeout(Some(after));
}
