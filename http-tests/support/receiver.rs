//! A receiver of webhooks: an HTTPS server with its own certificate, which answers as a test wants.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::Value;
use tempfile::TempDir;
use tokio_rustls::rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    crypto::aws_lc_rs,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};

use super::eventually;

/// A received message.
#[derive(Clone, Debug)]
pub struct Received {
    pub path: String,
    headers: Vec<(String, String)>,
    pub body: String,
}

impl Received {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn id(&self) -> &str {
        self.header("webhook-id").unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The request's body with this status, which answers a challenge.
    Echo(u16),
    /// A fixed text.
    Text(String),
    /// No answer.
    Silence,
    /// A byte now and then, without end.
    Drip,
    /// The connection is closed.
    Close,
}

type Answering = Box<dyn FnMut(&Received) -> Reply + Send>;

pub struct Receiver {
    pub address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    answering: Arc<Mutex<Answering>>,
    folder: TempDir,
}

impl Receiver {
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let made = rcgen::generate_simple_self_signed(vec!["localhost".into(), "127.0.0.1".into()]).unwrap();
        std::fs::write(folder.path().join("ca.pem"), made.cert.pem()).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let received = Arc::<Mutex<Vec<Received>>>::default();
        let answering: Arc<Mutex<Answering>> = Arc::new(Mutex::new(Box::new(|_| Reply::Echo(200))));
        let (config, seen, answers) = (Arc::new(config), Arc::clone(&received), Arc::clone(&answering));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (config, seen, answers) = (Arc::clone(&config), Arc::clone(&seen), Arc::clone(&answers));
                std::thread::spawn(move || serve(stream.unwrap(), config, &seen, &answers));
            }
        });
        Self { address, received, answering, folder }
    }

    /// Returns the flags of a server that may send here.
    pub fn flags(&self) -> [String; 4] {
        let path: PathBuf = self.folder.path().join("ca.pem");
        let path = path.to_str().unwrap().to_owned();
        ["--webhook-allow".into(), "127.0.0.1".into(), "--webhook-ca".into(), path]
    }

    pub fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.address)
    }

    /// Replaces the answers.
    pub fn answer(&self, answer: impl FnMut(&Received) -> Reply + Send + 'static) {
        *self.answering.lock().unwrap_or_else(PoisonError::into_inner) = Box::new(answer);
    }

    /// Returns all received messages.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// Waits for a number of messages, without tests.
    pub fn news(&self, count: usize) -> Vec<Received> {
        eventually("the messages have come", || {
            let news: Vec<Received> =
                self.received().into_iter().filter(|one| !one.body.contains("\"type\":\"test\"")).collect();
            (news.len() >= count).then_some(news)
        })
    }
}

fn serve(
    stream: TcpStream,
    config: Arc<ServerConfig>,
    seen: &Mutex<Vec<Received>>,
    answers: &Mutex<Answering>,
) {
    let mut wire = StreamOwned::new(ServerConnection::new(config).unwrap(), stream);
    let Some(received) = read(&mut wire) else { return };
    let reply = (answers.lock().unwrap_or_else(PoisonError::into_inner))(&received);
    seen.lock().unwrap().push(received.clone());
    let answered = match reply {
        Reply::Echo(status) => {
            let length = received.body.len();
            write!(wire, "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n\r\n{}", received.body)
        }
        Reply::Text(text) => wire.write_all(text.as_bytes()),
        Reply::Silence => wire.read(&mut [0; 1]).map(|_| ()),
        Reply::Drip => drip(&mut wire),
        Reply::Close => return,
    };
    // A client that does not wait for the end of an answer closes first.
    let _ = answered.and_then(|()| {
        wire.conn.send_close_notify();
        wire.flush()
    });
}

/// Sends a long head byte by byte, each in its own TLS record.
fn drip(wire: &mut impl Write) -> std::io::Result<()> {
    wire.write_all(b"HTTP/1.1 200 OK\r\nx: ")?;
    loop {
        wire.write_all(b"x")?;
        wire.flush()?;
        std::thread::park_timeout(std::time::Duration::from_millis(5));
    }
}

fn read(wire: &mut impl Read) -> Option<Received> {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 4_096]);
    loop {
        let count = wire.read(&mut chunk).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let mut lines = head.split("\r\n");
        let path = lines.next()?.split(' ').nth(1)?.to_owned();
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        if length.and_then(|(_, length)| length.parse().ok()).unwrap_or(0) <= body.len() {
            return Some(Received { path, headers, body: body.to_owned() });
        }
    }
}
