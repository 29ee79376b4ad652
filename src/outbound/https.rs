//! HTTPS requests, each on its own connection to a checked address.

use std::{io, net::SocketAddr, path::Path, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Method, Request, Response,
    body::{Bytes, Incoming},
    client::conn::http1,
    header,
};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::aws_lc_rs,
        pki_types::{CertificateDer, ServerName, pem::PemObject as _},
    },
};

use super::{allowed::Allowed, mail::Mailer, names::Names, target::Target};
use crate::{
    service::ports::{HttpAnswer, HttpRequest, Mail, Transport, Unwanted},
    words::Failure,
};

/// Time limit of a request, from the lookup to the end of the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time limit of a connection to one address.
const TO_CONNECT: Duration = Duration::from_secs(3);
/// Time limit of the answer's body, which few callers need.
const TO_READ: Duration = Duration::from_secs(2);
/// Bytes of the body that are read.
const MOST_READ: usize = 1 << 10;
/// Largest head of an answer.
const LARGEST_HEAD: usize = 16 << 10;

/// Sends messages to addresses that users named.
pub struct Outbound {
    allowed: Vec<Allowed>,
    names: Names,
    tls: TlsConnector,
    mailer: Option<Mailer>,
}

impl Outbound {
    /// Trusts the authorities in this file in addition to the usual ones.
    pub fn new(
        allowed: Vec<Allowed>,
        authorities: Option<&Path>,
        mailer: Option<Mailer>,
    ) -> Result<Self, String> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        if let Some(path) = authorities {
            let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| wrong(&error))? {
                let certificate = certificate.map_err(|error| wrong(&error))?;
                roots.add(certificate).map_err(|error| wrong(&error))?;
            }
        }
        let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let tls = TlsConnector::from(Arc::new(config));
        Ok(Self { allowed, names: Names::of_the_system(), tls, mailer })
    }

    /// Sends a request, and reads at most `most` bytes of the answer.
    async fn send(
        &self,
        method: Method,
        HttpRequest { url, headers, body }: HttpRequest,
        most: usize,
    ) -> Result<HttpAnswer, Failure> {
        let target = Target::read(&url, &self.allowed).map_err(|_| Failure::Unwanted)?;
        let request = request(&target, method, headers, body).map_err(|_| Failure::NoAnswer)?;
        let wire = self.connect(&target).await?;
        if !target.is_encrypted() {
            return exchange(wire, request, most).await;
        }
        let name = ServerName::try_from(target.name().to_owned()).map_err(|_| Failure::Untrusted)?;
        let wire = self.tls.connect(name, wire).await.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => Failure::Untrusted,
            _ => Failure::NoConnection,
        })?;
        exchange(wire, request, most).await
    }

    async fn load(&self, url: String, most: usize) -> Result<Vec<u8>, Failure> {
        let headers = vec![("accept", "application/json".to_owned())];
        let asked = HttpRequest { url, headers, body: Vec::new() };
        let answer = self.send(Method::GET, asked, most + 1).await?;
        let is_whole = answer.status == 200 && answer.begins.len() <= most;
        if is_whole { Ok(answer.begins) } else { Err(Failure::Refused) }
    }

    /// Connects to one of the present addresses of the host, if all of them are allowed.
    async fn connect(&self, target: &Target) -> Result<TcpStream, Failure> {
        let addresses = self.names.addresses(target.name()).await;
        if addresses.is_empty() {
            return Err(Failure::NoAddress);
        }
        if !addresses.iter().all(|address| target.asked().may_reach(*address, &self.allowed)) {
            return Err(Failure::Unwanted);
        }
        for address in addresses {
            let connected = TcpStream::connect(SocketAddr::new(address, target.port()));
            if let Ok(Ok(stream)) = timeout(TO_CONNECT, connected).await {
                return Ok(stream);
            }
        }
        Err(Failure::NoConnection)
    }
}

impl Transport for Outbound {
    fn accepts(&self, url: &str) -> Result<Arc<str>, Unwanted> {
        Target::read(url, &self.allowed).map(|target| target.host().into())
    }

    fn carry(&self, parcel: HttpRequest) -> BoxFuture<'_, Result<HttpAnswer, Failure>> {
        let sent = self.send(Method::POST, parcel, MOST_READ);
        Box::pin(async move { timeout(PATIENCE, sent).await.unwrap_or(Err(Failure::Timeout)) })
    }

    fn fetch(&self, url: String, most: usize) -> BoxFuture<'_, Result<Vec<u8>, Failure>> {
        let loaded = self.load(url, most);
        Box::pin(async move { timeout(PATIENCE, loaded).await.unwrap_or(Err(Failure::Timeout)) })
    }

    fn has_mail(&self) -> bool {
        self.mailer.is_some()
    }

    fn mails(&self, address: &str) -> bool {
        self.has_mail() && Mailer::knows(address)
    }

    fn mail(&self, mail: Mail) -> BoxFuture<'_, Result<(), Failure>> {
        Box::pin(async move {
            match &self.mailer {
                Some(mailer) => mailer.send(mail).await,
                None => Err(Failure::Unwanted),
            }
        })
    }
}

/// Sends a request and reads the beginning of the answer. A redirect is not followed.
async fn exchange(
    wire: impl AsyncRead + AsyncWrite + Unpin + Send,
    request: Request<Full<Bytes>>,
    most: usize,
) -> Result<HttpAnswer, Failure> {
    let mut builder = http1::Builder::new();
    builder.max_buf_size(LARGEST_HEAD);
    let (mut sender, connection) =
        builder.handshake(TokioIo::new(wire)).await.map_err(|_| Failure::NoConnection)?;
    let talk = async {
        let answer = sender.send_request(request).await.map_err(|_| Failure::NoAnswer)?;
        Ok(read(answer, most).await)
    };
    // The task that drives the connection ends with this function.
    tokio::pin!(talk);
    tokio::pin!(connection);
    tokio::select! {
        answer = &mut talk => answer,
        _ = &mut connection => talk.await,
    }
}

fn request(
    target: &Target,
    method: Method,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
) -> hyper::http::Result<Request<Full<Bytes>>> {
    let mut request = Request::builder()
        .method(method)
        .uri(target.path())
        .header(header::HOST, target.authority())
        .header(header::USER_AGENT, concat!("playledger/", env!("CARGO_PKG_VERSION")))
        .header(header::CONNECTION, "close");
    for (name, value) in headers {
        request = request.header(name, value);
    }
    request.body(Full::new(Bytes::from(body)))
}

async fn read(answer: Response<Incoming>, most: usize) -> HttpAnswer {
    let (head, mut body) = answer.into_parts();
    let retry_after =
        head.headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut begins = Vec::new();
    let reading = async {
        while begins.len() < most
            && let Some(Ok(frame)) = body.frame().await
        {
            begins.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
        }
    };
    // The status is known by now.
    let _ = timeout(TO_READ, reading).await;
    begins.truncate(most);
    HttpAnswer { status: head.status.as_u16(), retry_after, begins }
}

#[cfg(test)]
mod tests {
    use std::{
        io::{Read as _, Write as _},
        net::{IpAddr, TcpListener},
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    /// Returns the outcomes for a host whose lookups return these addresses in turn.
    fn carry(port: u16, lookups: &'static [&'static [&'static str]]) -> Vec<Result<u16, Failure>> {
        let asked = AtomicUsize::new(0);
        let names = Names::by(move |_| {
            let now = lookups[asked.fetch_add(1, Ordering::Relaxed)];
            Ok(now.iter().map(|address| address.parse::<IpAddr>().unwrap()).collect())
        });
        let outbound =
            Outbound { names, ..Outbound::new(vec!["127.0.0.1".parse().unwrap()], None, None).unwrap() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut answers = Vec::new();
            for _ in lookups {
                let url = format!("http://hooks.lan:{port}/");
                let parcel = HttpRequest { url, headers: Vec::new(), body: b"hello".to_vec() };
                answers.push(outbound.carry(parcel).await.map(|answer| answer.status));
            }
            answers
        })
    }

    /// Answers this many connections.
    fn serve(listener: TcpListener, count: usize) -> std::thread::JoinHandle<()> {
        std::thread::spawn(move || {
            for stream in listener.incoming().take(count) {
                let mut stream = stream.unwrap();
                let mut bytes = [0; 1_024];
                assert!(stream.read(&mut bytes).unwrap() > 0);
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
            }
        })
    }

    #[test]
    fn a_name_is_looked_up_each_time_and_all_that_it_leads_to_is_checked() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let served = serve(listener, 1);
        let answers = carry(
            port,
            &[
                &["127.0.0.1"],
                // First an allowed address, then another.
                &["127.0.0.2"],
                &["127.0.0.1", "10.0.0.1"],
                &["169.254.169.254"],
                &["::ffff:10.0.0.1"],
                &[],
            ],
        );
        let unwanted = Err(Failure::Unwanted);
        let expected = [Ok(200), unwanted, unwanted, unwanted, unwanted, Err(Failure::NoAddress)];
        assert_eq!(answers, expected);
        served.join().unwrap();
    }
}
