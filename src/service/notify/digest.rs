//! Digest emails: several notifications in one, as plain text and as HTML.

use super::{item::Item, words};
use crate::{engine::Lang, service::ports::Mail};

/// Notifications in one email. The email says how many more there are.
const MOST: usize = 40;
const LONGEST_SUBJECT: usize = 150;

/// A text, and the address of its page.
pub struct LinkedText<'a> {
    pub item: &'a Item,
    pub link: Option<String>,
    /// Address of a picture.
    pub picture: Option<String>,
}

/// Makes an email with two links to unsubscribe: one for a person, one for a mail program.
pub fn mail(
    to: &str,
    pieces: &[LinkedText],
    lang: Lang,
    let_go: Option<&str>,
    unsubscribe: Option<String>,
) -> Mail {
    let mut lines: Vec<DigestLine> = Vec::new();
    for LinkedText { item, link, picture } in pieces.iter().take(MOST) {
        lines.push(DigestLine::Title(&item.title));
        lines.push(DigestLine::Text(&item.text));
        lines.extend(picture.as_deref().map(DigestLine::Picture));
        lines.extend(link.as_deref().map(DigestLine::Link));
    }
    let more = words::more(lang, pieces.len().saturating_sub(MOST));
    lines.extend(more.as_deref().map(DigestLine::Text));
    let footer = words::unsubscribe(lang);
    if let Some(link) = let_go {
        lines.push(DigestLine::Rule);
        lines.push(DigestLine::Text(&footer));
        lines.push(DigestLine::Link(link));
    }
    let subject = match pieces {
        [LinkedText { item, .. }] => format!("{}: {}", item.title, item.text),
        _ => words::several(lang, pieces.len()),
    };
    let subject =
        subject.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_SUBJECT).collect();
    let text = lines.iter().map(DigestLine::plain).collect();
    let html: String = lines.iter().map(DigestLine::html).collect();
    let lang = lang.tag();
    let html = format!(
        "<!doctype html><html lang=\"{lang}\"><meta charset=\"utf-8\"><body style=\"font:16px/1.5 sans-serif;max-width:36em;margin:1em auto;padding:0 1em\">{html}</body></html>"
    );
    Mail { to: to.to_owned(), subject, text, html, unsubscribe }
}

/// A line of an email.
enum DigestLine<'a> {
    Title(&'a str),
    Text(&'a str),
    Link(&'a str),
    Picture(&'a str),
    Rule,
}

impl DigestLine<'_> {
    fn plain(&self) -> String {
        match self {
            Self::Title(text) => format!("{text}\n"),
            Self::Text(text) => format!("{text}\n\n"),
            Self::Link(link) => format!("{link}\n\n"),
            Self::Picture(_) => String::new(),
            Self::Rule => "-- \n".to_owned(),
        }
    }

    fn html(&self) -> String {
        match self {
            Self::Title(text) => {
                format!("<h2 style=\"font-size:1.1em;margin:1.5em 0 0\">{}</h2>", escaped_html(text))
            }
            Self::Text(text) => format!("<p style=\"margin:.3em 0\">{}</p>", escaped_html(text)),
            Self::Link(link) => {
                let link = escaped_html(link);
                format!("<p style=\"margin:.3em 0\"><a href=\"{link}\">{link}</a></p>")
            }
            Self::Picture(address) => {
                let address = escaped_html(address);
                format!(
                    "<p style=\"margin:.5em 0\"><img src=\"{address}\" alt=\"\" width=\"600\" style=\"max-width:100%;height:auto\"></p>"
                )
            }
            Self::Rule => "<hr style=\"margin:2em 0 1em;border:0;border-top:1px solid #ccc\">".to_owned(),
        }
    }
}

/// Escapes text for HTML, including attributes.
pub fn escaped_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(title: &str, text: &str) -> Item {
        let (title, text) = (title.to_owned(), text.to_owned());
        Item {
            kind: "turn".into(),
            game: None,
            seat: None,
            title,
            text,
            data: serde_json::Value::Null,
            picture: None,
        }
    }

    #[test]
    fn what_people_call_a_table_is_no_markup_and_no_header() {
        let item = item("<img src=x onerror=alert(1)>\r\nBcc: all@example", "\"Buy & sell\"");
        let mail = mail(
            "a@b.example",
            &[LinkedText { item: &item, link: Some("https://x/games/1".into()), picture: None }],
            Lang::En,
            None,
            None,
        );
        assert!(
            !mail.html.contains("<img")
                && mail.html.contains("&lt;img")
                && mail.html.contains("&quot;Buy &amp; sell&quot;")
        );
        assert!(!mail.subject.contains(['\r', '\n']), "{}", mail.subject);
        assert!(mail.text.contains("https://x/games/1\n"));
    }

    #[test]
    fn one_mail_tells_of_all_that_waits() {
        let items: Vec<Item> =
            (0..50).map(|number| item(&format!("Table {number}."), "Your turn.")).collect();
        let pieces: Vec<LinkedText> =
            items.iter().map(|item| LinkedText { item, link: None, picture: None }).collect();
        let mail = mail("a@b.example", &pieces, Lang::It, Some("https://x/"), None);
        assert!(
            mail.subject.contains("50")
                && mail.text.contains("Table 39.")
                && !mail.text.contains("Table 40.")
        );
        assert!(mail.text.contains("10"), "{}", mail.text);
    }
}
