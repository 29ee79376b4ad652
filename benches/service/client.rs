//! A client with a persistent connection.

use std::net::{Ipv4Addr, SocketAddr};

use http_body_util::{BodyExt as _, Full};
use hyper::{
    Method, Request, StatusCode,
    body::{Bytes, Incoming},
    client::conn::http1::{SendRequest, handshake},
};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpSocket;

pub type Failure = Box<dyn std::error::Error + Send + Sync>;

pub struct Client {
    connection: SendRequest<Full<Bytes>>,
}

impl Client {
    pub async fn connect(address: SocketAddr) -> Result<Self, Failure> {
        Self::connect_from(Ipv4Addr::LOCALHOST, address).await
    }

    /// Connects from its own address: all of 127.0.0.0/8 belong to this machine.
    pub async fn connect_from(own: Ipv4Addr, address: SocketAddr) -> Result<Self, Failure> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((own, 0).into())?;
        let stream = socket.connect(address).await?;
        stream.set_nodelay(true)?;
        let (connection, driver) = handshake(TokioIo::new(stream)).await?;
        tokio::task::spawn_local(driver);
        Ok(Self { connection })
    }

    /// Sends a request, with an optional token and body.
    pub async fn send(
        &mut self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<String>,
    ) -> Result<(StatusCode, Bytes), Failure> {
        let answer = self.open(method, path, token, "*/*", body, None).await?;
        let status = answer.status();
        Ok((status, answer.into_body().collect().await?.to_bytes()))
    }

    pub async fn get(&mut self, path: &str, token: Option<&str>) -> Result<Bytes, Failure> {
        let (status, body) = self.send(Method::GET, path, token, None).await?;
        if status == StatusCode::OK { Ok(body) } else { Err(format!("GET {path}: {status}").into()) }
    }

    /// Sends a POST request, which must succeed.
    pub async fn post(&mut self, path: &str, token: Option<&str>, body: String) -> Result<Bytes, Failure> {
        self.post_under(path, token, body, None).await
    }

    /// Sends a POST request, with an optional idempotency key.
    pub async fn post_under(
        &mut self,
        path: &str,
        token: Option<&str>,
        body: String,
        key: Option<&str>,
    ) -> Result<Bytes, Failure> {
        let answer = self.open(Method::POST, path, token, "*/*", Some(body), key).await?;
        let status = answer.status();
        let answer = answer.into_body().collect().await?.to_bytes();
        if status.is_success() {
            return Ok(answer);
        }
        Err(format!("POST {path}: {status} {}", String::from_utf8_lossy(&answer)).into())
    }

    pub async fn post_json(
        &mut self,
        path: &str,
        token: Option<&str>,
        body: &Value,
    ) -> Result<Value, Failure> {
        Ok(serde_json::from_slice(&self.post(path, token, body.to_string()).await?)?)
    }

    /// Opens a stream of events; its frames come as the body.
    pub async fn stream(&mut self, path: &str) -> Result<Incoming, Failure> {
        let answer = self.open(Method::GET, path, None, "text/event-stream", None, None).await?;
        if answer.status() == StatusCode::OK {
            return Ok(answer.into_body());
        }
        Err(format!("GET {path}: {}", answer.status()).into())
    }

    /// Opens the inbox of a player after an event.
    pub async fn inbox(&mut self, token: &str, last: &str) -> Result<Incoming, Failure> {
        let request = Request::get("/v1/me/events")
            .header("host", "bench")
            .header("authorization", format!("Bearer {token}"))
            .header("last-event-id", last);
        let request = request.body(Full::new(Bytes::new()))?;
        self.connection.ready().await?;
        Ok(self.connection.send_request(request).await?.into_body())
    }

    async fn open(
        &mut self,
        method: Method,
        path: &str,
        token: Option<&str>,
        accept: &str,
        body: Option<String>,
        key: Option<&str>,
    ) -> Result<hyper::Response<Incoming>, Failure> {
        let mut request =
            Request::builder().method(method).uri(path).header("host", "bench").header("accept", accept);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let request = request.body(Full::new(Bytes::from(body.unwrap_or_default())))?;
        self.connection.ready().await?;
        Ok(self.connection.send_request(request).await?)
    }
}

/// Returns the number of events in this part of a stream.
pub fn events_in(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"data:")).count()
}
