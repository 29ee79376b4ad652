//! The head of a page: what browsers, chats and search engines show of a link.

use std::fmt::Write as _;

use crate::{engine::Lang, service::notify::escaped_html};

pub struct Head {
    pub title: String,
    pub text: String,
    /// Address of a picture.
    pub picture: Option<String>,
    pub address: Option<String>,
    /// Whether search engines may show the page.
    pub is_listed: bool,
}

impl Head {
    /// The head of pages that tell about nothing in particular.
    pub fn plain(lang: Lang) -> Self {
        let text = match lang {
            Lang::En => {
                "Board games with friends, a move a day or live. Anyone can verify that a game was fair."
            }
            Lang::It => {
                "Giochi da tavolo tra amici, una mossa al giorno o dal vivo. Chiunque può verificare che una partita è stata regolare."
            }
        };
        let (title, text) = ("playledger".to_owned(), text.to_owned());
        Self { title, text, picture: None, address: None, is_listed: true }
    }

    pub fn html(&self) -> String {
        let mut html = String::new();
        let title = escaped_html(&self.title);
        let _ = writeln!(html, "<title>{title}</title>");
        let mut meta = |kind: &str, name: &str, value: &str| {
            let _ = writeln!(html, "<meta {kind}=\"{name}\" content=\"{}\">", escaped_html(value));
        };
        meta("name", "description", &self.text);
        meta("property", "og:site_name", "playledger");
        meta("property", "og:type", "website");
        meta("property", "og:title", &self.title);
        meta("property", "og:description", &self.text);
        if let Some(address) = &self.address {
            meta("property", "og:url", address);
        }
        if let Some(picture) = &self.picture {
            meta("property", "og:image", picture);
            meta("property", "og:image:width", "1200");
            meta("property", "og:image:height", "630");
            meta("name", "twitter:card", "summary_large_image");
        }
        if !self.is_listed {
            meta("name", "robots", "noindex");
        }
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_player_is_no_markup() {
        let head = Head { title: "\"><script>".to_owned(), ..Head::plain(Lang::En) };
        assert!(!head.html().contains("<script>"));
        assert!(head.html().contains("content=\"&quot;&gt;&lt;script&gt;\""));
    }
}
