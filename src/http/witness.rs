//! The server of a witness (C2SP `tlog-witness`).

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use actix_web::{
    App, HttpResponse, HttpServer,
    dev::Server,
    guard,
    http::{StatusCode, header},
    web,
};

use tokio::time::timeout;

use crate::{
    ledger::encoding::unhex,
    service::{ServiceError, witness::Witnessing},
    tree::witness::{MOST_BYTES, WitnessRefusal},
};

/// Time limit of a request body, and bodies at the same time.
const TO_SEND: Duration = Duration::from_secs(10);
const MOST_CONNECTIONS: usize = 200;

/// Binds the address, and returns the server, which runs when it is awaited.
pub fn server(witness: Arc<Witnessing>, listen: SocketAddr) -> io::Result<(Server, SocketAddr)> {
    let server = HttpServer::new(move || {
        let is_read = guard::Any(guard::Get()).or(guard::Head());
        App::new()
            .app_data(web::Data::from(Arc::clone(&witness)))
            .service(web::resource("/add-checkpoint").route(web::post().to(add_checkpoint)))
            .service(web::resource("/{log}/checkpoint").guard(is_read).to(checkpoint))
    })
    .workers(2)
    .max_connections(MOST_CONNECTIONS)
    .client_request_timeout(Duration::from_secs(10))
    .shutdown_timeout(5)
    .bind(listen)?;
    let address = server.addrs().first().copied().unwrap_or(listen);
    Ok((server.run(), address))
}

async fn add_checkpoint(witness: web::Data<Witnessing>, body: web::Payload) -> HttpResponse {
    let body = match timeout(TO_SEND, body.to_bytes_limited(MOST_BYTES)).await {
        Err(_) => return text(StatusCode::REQUEST_TIMEOUT, "the body did not come\n".to_owned()),
        Ok(Err(_)) => return text(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large\n".to_owned()),
        Ok(Ok(body)) => body.ok().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok()),
    };
    let Some(body) = body else { return refuse(WitnessRefusal::Malformed("it is no text")) };
    // Waits for the disk, and for requests of the same log.
    match web::block(move || witness.add_checkpoint(&body)).await {
        Ok(Ok(Ok(line))) => text(StatusCode::OK, line),
        Ok(Ok(Err(refusal))) => refuse(refusal),
        Ok(Err(error)) => failed(&error),
        Err(_) => failed(&ServiceError::Busy),
    }
}

fn refuse(refusal: WitnessRefusal) -> HttpResponse {
    let (status, why) = match refusal {
        WitnessRefusal::Malformed(why) => (StatusCode::BAD_REQUEST, why),
        WitnessRefusal::Backwards => {
            (StatusCode::BAD_REQUEST, "the old size is greater than that of the checkpoint")
        }
        WitnessRefusal::UnknownLog => (StatusCode::NOT_FOUND, "no log of this origin is witnessed here"),
        WitnessRefusal::Unsigned(why) => (StatusCode::FORBIDDEN, why),
        WitnessRefusal::Inconsistent => {
            (StatusCode::UNPROCESSABLE_ENTITY, "the tree does not begin with the one that was signed before")
        }
        WitnessRefusal::Conflict { size } => {
            return HttpResponse::Conflict()
                .insert_header((header::CONTENT_TYPE, "text/x.tlog.size"))
                .body(format!("{size}\n"));
        }
    };
    text(status, format!("{why}\n"))
}

async fn checkpoint(witness: web::Data<Witnessing>, log: web::Path<String>) -> HttpResponse {
    let look = move || unhex(&log).map_or(Ok(None), |log| witness.checkpoint(&log));
    match web::block(look).await {
        Ok(Ok(Some(note))) => text(StatusCode::OK, note),
        Ok(Ok(None)) => text(StatusCode::NOT_FOUND, "nothing was signed of this log\n".to_owned()),
        Ok(Err(error)) => failed(&error),
        Err(_) => failed(&ServiceError::Busy),
    }
}

fn failed(error: &ServiceError) -> HttpResponse {
    eprintln!("playledger: {}", error.text().en);
    text(StatusCode::SERVICE_UNAVAILABLE, "nothing can be signed at present\n".to_owned())
}

fn text(status: StatusCode, text: String) -> HttpResponse {
    HttpResponse::build(status)
        .insert_header((header::CONTENT_TYPE, "text/plain; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(text)
}
