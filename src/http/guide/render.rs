//! Turns a document into a page of HTML.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use super::{DOCUMENTS, FILES, GuideDocument, anchor, resolve, title};
use crate::service::notify::escaped_html;

const STYLE: &str = include_str!("guide.css");

pub fn page(document: &GuideDocument) -> String {
    let mut content = String::new();
    html::push_html(&mut content, events(document).into_iter());
    whole(title(document), &contents(document), &content)
}

/// Returns the table of contents of the whole guide.
pub fn index() -> String {
    let mut content = String::from("<h1>Guide</h1>\n");
    for document in top() {
        let headings = headings(document).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" · ");
        content += "<h2>";
        content += &link(&format!("/guide/{}", document.slug), title(document));
        content += "</h2>\n<p>";
        content += &escaped_html(&headings);
        content += "</p>\n";
    }
    whole("Guide", "", &content)
}

/// Returns the top-level documents, in the order of the table of contents.
fn top() -> impl Iterator<Item = &'static GuideDocument> {
    DOCUMENTS.iter().filter(|document| !document.slug.contains('/'))
}

/// Puts `content` into the frame that all pages have.
pub fn whole(title: &str, contents: &str, content: &str) -> String {
    let pages = list(top().map(|page| (format!("/guide/{}", page.slug), super::title(page).to_owned())));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title} · playledger guide</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<style>{STYLE}</style>\n\
         <header><a class=\"logo\" href=\"/\">playledger</a> <a href=\"/guide/\">Guide</a> <a href=\"/docs/\">API reference</a>\
         <form action=\"/guide/\" role=\"search\"><input type=\"search\" name=\"q\" aria-label=\"Search the guide\" \
         placeholder=\"Search\" maxlength=\"100\"><button>Search</button></form></header>\n\
         <div class=\"columns\">\n<nav aria-label=\"Guide\">{pages}</nav>\n<main>\n{content}</main>\n{contents}</div>\n"
    )
}

/// Returns the headings of the second level, each with its anchor.
fn headings(document: &GuideDocument) -> Vec<(String, String)> {
    let lines = document.markdown.lines().filter_map(|line| line.strip_prefix("## "));
    lines.map(|heading| (anchor(heading), heading.replace('`', ""))).collect()
}

fn contents(document: &GuideDocument) -> String {
    let headings = headings(document);
    if headings.len() < 3 {
        return String::new();
    }
    let items = list(headings.into_iter().map(|(id, text)| (format!("#{id}"), text)));
    format!("<nav class=\"contents\" aria-label=\"On this page\"><p>On this page</p>{items}</nav>\n")
}

/// Parses a document, gives headings their anchors, and points links at what is served.
fn events(document: &GuideDocument) -> Vec<Event<'static>> {
    let mut events: Vec<Event> = Parser::new_ext(document.markdown, Options::ENABLE_TABLES).collect();
    for place in 0..events.len() {
        if !matches!(events[place], Event::Start(Tag::Heading { .. })) {
            continue;
        }
        let text: String = events[place..]
            .iter()
            .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.to_string()),
                _ => None,
            })
            .collect();
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[place] {
            *id = Some(anchor(&text).into());
        }
    }
    let mut is_dropped = false;
    events.retain_mut(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            match served(document, dest_url) {
                Some(url) => *dest_url = CowStr::from(url),
                None => is_dropped = true,
            }
            !is_dropped
        }
        Event::End(TagEnd::Link) => !std::mem::take(&mut is_dropped),
        Event::Html(_) => false,
        _ => true,
    });
    events
}

/// Returns where a link leads on this server. `None` for a file that is only in the repository.
fn served(document: &GuideDocument, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with('#') {
        return Some(link.to_owned());
    }
    let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
    let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
    let path = resolve(document, path);
    if path == "src/core/ledger/fairlog.md" {
        return Some("/v1/fairlog".to_owned());
    }
    let page = DOCUMENTS.iter().find(|document| document.path == path);
    let page = page.map(|page| format!("/guide/{}{fragment}", page.slug));
    page.or_else(|| FILES.iter().find(|(file, _)| *file == path).map(|(file, _)| format!("/guide/{file}")))
}

/// Returns a link to `url`.
pub fn link(url: &str, text: &str) -> String {
    format!("<a href=\"{url}\">{}</a>", escaped_html(text))
}

/// Returns a list of links, each an address and a text.
fn list(links: impl Iterator<Item = (String, String)>) -> String {
    let items = links.map(|(url, text)| ["<li>", &link(&url, &text), "</li>"].concat());
    ["<ul>".to_owned(), items.collect(), "</ul>".to_owned()].concat()
}
