//! The page as files. `.ci/web` tests it in a browser.

use std::collections::BTreeSet;

use crate::support::Server;

/// Returns the files named in the page.
fn files(page: &str) -> BTreeSet<String> {
    let named = page.split('"').filter(|text| text.starts_with("/page/"));
    named.map(str::to_owned).collect()
}

#[test]
fn the_page_may_run_its_own_scripts_and_ask_this_server_alone() {
    let server = Server::start();
    let page = server.get("/");
    let policy = page.header("content-security-policy").unwrap();
    // The policy allows one script address, for the worker.
    for rule in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types worker"]
    {
        assert!(policy.contains(rule), "{policy}");
    }
    for beyond in ["unsafe", "http", "allow-duplicates"] {
        assert!(!policy.contains(beyond), "{policy}");
    }
    let worker = server.get("/worker.js");
    assert_eq!((worker.status, worker.header("cache-control")), (200, Some("no-cache")));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("cache-control"), Some("no-cache"), "a new build is found at once");
    let text = page.text();
    assert!(!text.contains("style=") && !text.contains("onclick"), "nothing stands inline");
    assert!(text.contains("<noscript>") && text.contains("/docs/"));
}

/// The cost of a first visit with all files.
#[test]
fn the_whole_page_is_small_and_kept_for_ever() {
    let server = Server::start();
    let get = |path: &str| server.send("GET", path).header("Accept-Encoding", "br, gzip").go();
    let mut sum = get("/").body.len();
    let files = files(&server.get("/").text());
    assert!(files.len() <= 20, "{files:?}");
    // The page asks for the icons of home screens only when it is put there.
    for path in files.iter().filter(|path| !path.contains("/icon-")) {
        let file = get(path);
        assert_eq!(file.status, 200, "{path}");
        assert_eq!(file.header("cache-control"), Some("public, max-age=31536000, immutable"), "{path}");
        let kind = file.header("content-type").unwrap();
        let expected = match path.rsplit_once('.') {
            Some((_, "js")) => "text/javascript; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            _ => "image/svg+xml",
        };
        assert_eq!(kind, expected, "{path}");
        sum += file.body.len();
    }
    assert!(sum < 150_000, "{sum} bytes over the wire");
    let manifest = server.get("/manifest.webmanifest");
    assert_eq!(manifest.header("content-type"), Some("application/manifest+json"));
    for icon in manifest.json()["icons"].as_array().unwrap() {
        let icon = server.get(icon["src"].as_str().unwrap());
        assert!(icon.status == 200 && icon.body.starts_with(b"\x89PNG"));
    }
    let path = files.first().unwrap();
    let (_, other) = path.rsplit_once("/page/").unwrap();
    let (edition, name) = other.split_once('/').unwrap();
    server.get(&format!("/page/{}/{name}", "0".repeat(edition.len()))).problem(404, "not_found");
    server.get(&format!("/page/{edition}/../config.rs")).problem(404, "not_found");
    server.send("POST", path).go().problem(405, "method_not_allowed");
}

/// Browser tests. The script installs its tools.
#[test]
#[ignore = "it needs a browser: `.ci/web` installs one, and `.ci/run` runs it"]
fn people_play_in_a_browser() {
    let ran = std::process::Command::new(".ci/web").status().unwrap();
    assert!(ran.success());
}

#[test]
fn the_guide_is_read_and_searched_in_a_browser() {
    let server = Server::start();
    let index = server.get("/guide/");
    assert_eq!(index.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(index.text().contains("/guide/api") && index.text().contains("/guide/playing"));
    let page = server.get("/guide/api").text();
    assert!(
        page.contains("<h2 id=\"errors-and-retries\">") && page.contains("href=\"/guide/verifying\""),
        "{page}"
    );
    assert!(server.get("/guide/docs/deploy/single/nginx.conf").text().contains("proxy_pass"));
    assert!(server.get("/guide/?q=restore+backup").text().contains("/guide/hosting#restore"));
    assert!(!server.get("/guide/?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E").text().contains("<script"));
    server.get("/guide/nothing").problem(404, "not_found");
    server.get("/guide/../Cargo.toml").problem(404, "not_found");
    server.get("/guide/api?q=x").problem(400, "malformed");
}
