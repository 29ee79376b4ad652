//! Email, through the operator's mail server.

use std::error::Error as _;

use lettre::{
    AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor,
    message::{
        Mailbox, MultiPart,
        header::{Header, HeaderName, HeaderValue},
    },
    transport::smtp,
};

use crate::{service::ports::Mail, words::Failure};

/// Time limit of the mail server.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Mailer {
    pub fn new(server: &str, from: &str) -> Result<Self, String> {
        let from = from.parse().map_err(|error| format!("cannot send mail from `{from}`: {error}"))?;
        // The error of a wrong address may contain the password.
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(server).map_err(|_| {
            "--smtp must be the address of a mail server, such as smtps://name:password@mail.example"
                .to_owned()
        })?;
        Ok(Self { transport: transport.timeout(Some(PATIENCE)).build(), from })
    }

    /// Returns whether an address has a valid form.
    pub fn knows(address: &str) -> bool {
        address.parse::<lettre::Address>().is_ok()
    }

    pub async fn send(&self, mail: Mail) -> Result<(), Failure> {
        let message = self.message(mail).ok_or(Failure::Unwanted)?;
        match self.transport.send(message).await {
            Ok(_) => Ok(()),
            Err(error) => Err(failure(&error)),
        }
    }

    fn message(&self, mail: Mail) -> Option<Message> {
        let Mail { to, subject, text, html, unsubscribe } = mail;
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to.parse().ok()?))
            .subject(subject)
            .header(AutoSubmitted);
        if let Some(url) = unsubscribe {
            message = message.header(Unsubscribe(url)).header(UnsubscribeByPost);
        }
        message.multipart(MultiPart::alternative_plain_html(text, html)).ok()
    }
}

fn failure(error: &smtp::Error) -> Failure {
    let why = error.source().map(ToString::to_string).unwrap_or_default();
    match error.status().map(u16::from) {
        Some(status) if is_about_the_address(status, &why) => Failure::Refused,
        Some(500..) => Failure::Unwanted,
        _ if error.is_timeout() => Failure::Timeout,
        _ if error.is_tls() => Failure::Untrusted,
        Some(_) => Failure::NoAnswer,
        None => Failure::NoConnection,
    }
}

/// Returns whether a refusal is about the recipient's address. Other refusals (a wrong password, a policy)
/// concern the sender and must not disable addresses.
fn is_about_the_address(status: u16, why: &str) -> bool {
    let is_of_sender = ["5.7.", "5.1.7", "5.1.8"].iter().any(|code| why.starts_with(code))
        || why.to_lowercase().contains("relay");
    matches!(status, 550 | 551 | 553 | 556) && !is_of_sender
}

/// Declares a header of an email.
macro_rules! header {
    ($Header:ty, $name:literal, $self:ident => $value:expr) => {
        impl Header for $Header {
            fn name() -> HeaderName {
                HeaderName::new_from_ascii_str($name)
            }

            /// Never parsed here.
            fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
                Err("it is only written".into())
            }

            fn display(&$self) -> HeaderValue {
                HeaderValue::new(Self::name(), $value)
            }
        }
    };
}

/// Marks an automatic message (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;
header!(AutoSubmitted, "Auto-Submitted", self => "auto-generated".to_owned());

/// The address to unsubscribe with one click (RFC 8058).
#[derive(Clone)]
struct Unsubscribe(String);
header!(Unsubscribe, "List-Unsubscribe", self => format!("<{}>", self.0));

#[derive(Clone)]
struct UnsubscribeByPost;
header!(UnsubscribeByPost, "List-Unsubscribe-Post", self => "List-Unsubscribe=One-Click".to_owned());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_said_of_an_address_ends_its_mail() {
        for (status, why, ends) in [
            (550, "5.1.1 no such user", true),
            (550, "no such person", true),
            (553, "", true),
            (550, "5.7.1 you are on a list", false),
            (550, "Relay not permitted", false),
            (553, "5.1.8 who are you", false),
            (535, "5.7.8 wrong password", false),
            (530, "log in first", false),
            (452, "later", false),
        ] {
            assert_eq!(is_about_the_address(status, why), ends, "{status} {why}");
        }
    }
}
