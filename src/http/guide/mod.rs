//! The guide: the documents of the project, readable in a browser.

mod render;
mod search;

pub use render::{index, page};
pub use search::results;

/// A document of the guide.
pub struct GuideDocument {
    /// Path below `/guide/`.
    pub slug: &'static str,
    /// Path in the repository, to which links are relative.
    pub path: &'static str,
    pub markdown: &'static str,
}

/// Lists documents by their path in the repository.
macro_rules! documents {
    ($($slug:literal => $path:literal),+ $(,)?) => {
        /// The documents, in the order of the table of contents.
        pub const DOCUMENTS: &[GuideDocument] =
            &[$(GuideDocument { slug: $slug, path: $path, markdown: include_str!(concat!("../../../", $path)) }),+];
    };
}

documents! {
    "playing" => "docs/playing.md",
    "verifying" => "docs/verifying.md",
    "api" => "docs/api.md",
    "typescript" => "src/clients/typescript/README.md",
    "python" => "src/clients/python/README.md",
    "bots" => "docs/bots.md",
    "hosting" => "docs/hosting.md",
    "settings" => "docs/settings.md",
    "cluster" => "docs/cluster.md",
    "performance" => "docs/performance.md",
    "security" => "docs/SECURITY.md",
    "architecture" => "docs/ARCHITECTURE.md",
    "contributing" => "docs/CONTRIBUTING.md",
    "decisions" => "docs/decisions/README.md",
    "decisions/log" => "docs/decisions/log.md",
    "decisions/writer" => "docs/decisions/writer.md",
    "decisions/cluster" => "docs/decisions/cluster.md",
    "decisions/shuffle" => "docs/decisions/shuffle.md",
    "decisions/tree" => "docs/decisions/tree.md",
    "decisions/bots" => "docs/decisions/bots.md",
    "decisions/limits" => "docs/decisions/limits.md",
    "decisions/page" => "docs/decisions/page.md",
    "decisions/dependencies" => "docs/decisions/dependencies.md",
    "changelog" => "CHANGELOG.md",
}

/// Lists files that the documents link to.
macro_rules! files {
    ($($path:literal),+ $(,)?) => {
        /// Files that the documents link to, served as text.
        pub const FILES: &[(&str, &str)] = &[$(($path, include_str!(concat!("../../../", $path)))),+];
    };
}

files! {
    "docs/deploy/alerts.yml",
    "docs/deploy/cluster/compose.yaml",
    "docs/deploy/cluster/haproxy.cfg",
    "docs/deploy/grafana.json",
    "docs/deploy/single/Caddyfile",
    "docs/deploy/single/compose.yaml",
    "docs/deploy/single/nginx.conf",
    "docs/deploy/single/playledger.service",
    "docs/deploy/single/playledger.toml",
    "examples/app.html",
    "examples/arena_bot.py",
    "examples/bot.py",
    "examples/bot.ts",
    "examples/learn.rs",
    "examples/terminal.py",
    "examples/verify.rs",
}

/// Returns the title of a document: its first heading.
fn title(document: &GuideDocument) -> &'static str {
    let first = document.markdown.lines().next().unwrap_or_default();
    first.trim_start_matches('#').trim()
}

/// Returns the anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|sign| sign.is_alphanumeric() || matches!(sign, '-' | '_')).collect()
}

/// Returns the path in the repository that a link in `document` leads to.
fn resolve(document: &GuideDocument, link: &str) -> String {
    let mut steps: Vec<&str> = document.path.split('/').collect();
    steps.pop();
    for step in link.split('/') {
        match step {
            ".." => _ = steps.pop(),
            "." => {}
            step => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_page_or_a_file_that_is_served() {
        let document = |slug| DOCUMENTS.iter().find(|document| document.slug == slug).unwrap();
        assert_eq!(resolve(document("api"), "../examples/bot.py"), "examples/bot.py");
        assert_eq!(resolve(document("decisions/limits"), "../SECURITY.md"), "docs/SECURITY.md");
        assert_eq!(anchor("What one client can cost"), "what-one-client-can-cost");
    }

    #[test]
    fn every_document_has_a_title_and_is_rendered() {
        for document in DOCUMENTS {
            assert!(!title(document).is_empty(), "{}", document.slug);
            let html = page(document);
            assert!(html.contains("<h1") && !html.contains(".md\""), "{}", document.slug);
        }
        assert!(index().contains("/guide/decisions") && !index().contains("/guide/decisions/log"));
    }

    #[test]
    fn a_search_finds_the_section_that_has_all_words() {
        let html = results("Idempotency-Key retry");
        assert!(html.contains("/guide/api#errors-and-retries"), "{html}");
        assert!(results("xyzzy").contains("No results"));
        assert!(!results("<script>").contains("<script>"));
    }
}
