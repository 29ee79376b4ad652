//! Searches the guide. A section matches if it has all words.

use std::sync::LazyLock;

use super::{
    DOCUMENTS, anchor,
    render::{link, whole},
    title,
};
use crate::service::notify::escaped_html;

/// Most results of a search.
const MOST: usize = 30;
/// Characters of a result around the first word.
const AROUND: usize = 160;

struct Section {
    title: &'static str,
    heading: &'static str,
    url: String,
    text: String,
    lower: String,
}

static SECTIONS: LazyLock<Vec<Section>> = LazyLock::new(|| {
    let mut sections = Vec::new();
    for document in DOCUMENTS {
        for part in document.markdown.split("\n## ") {
            let (heading, text) = part.split_once('\n').unwrap_or((part, ""));
            let heading = heading.trim_start_matches("# ");
            let id = if heading == title(document) { String::new() } else { format!("#{}", anchor(heading)) };
            let text =
                text.replace(['`', '*', '|', '#'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
            let lower = format!("{heading} {text}").to_lowercase();
            let url = format!("/guide/{}{id}", document.slug);
            sections.push(Section { title: title(document), heading, url, text, lower });
        }
    }
    sections
});

/// Returns the page with the sections that have all words of `query`, those with a word in the heading first.
pub fn results(query: &str) -> String {
    let lower = query.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().take(10).collect();
    let mut found: Vec<&Section> = SECTIONS
        .iter()
        .filter(|section| !words.is_empty() && words.iter().all(|word| section.lower.contains(word)))
        .collect();
    found.sort_by_key(|section| !words.iter().any(|word| section.heading.to_lowercase().contains(word)));
    let shown = escaped_html(query);
    let mut content = format!("<h1>Search: {shown}</h1>\n");
    if found.is_empty() {
        content.push_str("<p>No results.</p>\n");
    }
    for section in found.into_iter().take(MOST) {
        let excerpt = excerpt(&section.text, words.first().copied().unwrap_or_default());
        let (heading, title) = (link(&section.url, section.heading), escaped_html(section.title));
        content +=
            &["<h2>", &heading, " <small>", &title, "</small></h2>\n<p>", &escaped_html(&excerpt), "</p>\n"]
                .concat();
    }
    whole("Search", "", &content)
}

/// Returns the part of a text around `word`.
fn excerpt(text: &str, word: &str) -> String {
    let at = text.to_lowercase().find(word).unwrap_or_default();
    let at = text.char_indices().take_while(|(place, _)| *place < at).count();
    let start = at.saturating_sub(AROUND / 2);
    let part: String = text.chars().skip(start).take(AROUND).collect();
    if start == 0 { format!("{part} …") } else { format!("… {part} …") }
}
