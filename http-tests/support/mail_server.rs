//! A mail server that refuses mails on request.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
};

use super::eventually;

/// A received mail.
#[derive(Clone, Debug)]
pub struct Mail {
    pub to: String,
    head: String,
    body: String,
}

impl Mail {
    /// A header, unfolded.
    pub fn header(&self, name: &str) -> Option<String> {
        let unfolded = self.head.replace("\r\n ", " ");
        let line = unfolded.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}: ")))?;
        Some(line[name.len() + 2..].to_owned())
    }

    /// Returns the decoded body (quoted-printable).
    pub fn text(&self) -> String {
        self.body.replace("=\r\n", "").replace("=3D", "=").replace("=3d", "=")
    }

    /// Returns the text after the first occurrence.
    pub fn after(&self, begin: &str) -> String {
        let text = self.text();
        let at = text.find(begin).unwrap_or_else(|| panic!("no `{begin}` in {text}"));
        let rest = &text[at + begin.len()..];
        rest.chars().take_while(|sign| !sign.is_whitespace() && !"\"<>".contains(*sign)).collect()
    }
}

pub struct MailServer {
    address: SocketAddr,
    mails: Arc<Mutex<Vec<Mail>>>,
    refusal: Arc<Mutex<Option<&'static str>>>,
}

impl MailServer {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (mails, refusal) = (Arc::<Mutex<Vec<Mail>>>::default(), Arc::default());
        let (taken, refuses) = (Arc::clone(&mails), Arc::clone(&refusal));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (taken, refuses) = (Arc::clone(&taken), Arc::clone(&refuses));
                std::thread::spawn(move || serve(&stream.unwrap(), &taken, &refuses));
            }
        });
        Self { address, mails, refusal }
    }

    pub fn flags(&self) -> [String; 6] {
        let server = format!("smtp://{}", self.address);
        let from = "Games <games@play.example>";
        ["--smtp", &server, "--mail-from", from, "--public-url", "https://play.example/"].map(str::to_owned)
    }

    /// Refuses every receiver from now on, or none.
    pub fn refuse(&self, answer: Option<&'static str>) {
        *self.refusal.lock().unwrap() = answer;
    }

    /// Waits for a number of mails.
    pub fn mails(&self, count: usize) -> Vec<Mail> {
        eventually("the mails have come", || {
            let mails = self.mails.lock().unwrap().clone();
            (mails.len() >= count).then_some(mails)
        })
    }

    pub fn count(&self) -> usize {
        self.mails.lock().unwrap().len()
    }
}

fn serve(stream: &TcpStream, taken: &Mutex<Vec<Mail>>, refuses: &Mutex<Option<&'static str>>) {
    let mut wire = stream;
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let mut to = String::new();
    let _ = wire.write_all(b"220 mail.test\r\n");
    while let Some(line) = lines.next() {
        let answer = match line.split(':').next().unwrap_or_default().to_uppercase().as_str() {
            "RCPT TO" => {
                line[8..].trim_matches(['<', '>', ' ']).clone_into(&mut to);
                refuses.lock().unwrap().unwrap_or("250 ok")
            }
            "DATA" => {
                let _ = wire.write_all(b"354 go on\r\n");
                let all: Vec<String> = lines.by_ref().take_while(|line| line != ".").collect();
                let all = all.join("\r\n");
                let (head, body) = all.split_once("\r\n\r\n").unwrap();
                taken.lock().unwrap().push(Mail {
                    to: to.clone(),
                    head: head.to_owned(),
                    body: body.to_owned(),
                });
                "250 taken"
            }
            "QUIT" => "221 bye",
            _ => "250 ok",
        };
        if wire.write_all(format!("{answer}\r\n").as_bytes()).is_err() {
            return;
        }
    }
}
