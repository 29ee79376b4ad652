//! Links: what a chat shows of them, and pictures of positions.

use serde_json::json;

use super::support::{Server, play_one};

/// Returns a value of the head of a page.
fn head(page: &str, name: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("=\"{name}\" content=\""))?;
    Some(rest.split_once('"')?.0.to_owned())
}

#[test]
fn a_link_to_a_public_table_tells_whose_turn_it_is_and_shows_the_position() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("B\"><b>ob"));
    let new =
        json!({"ruleset": "ecopolis", "seats": 2, "title": "Friday & more", "options": {"first_seat": 0}});
    let game = ada.creates(&new);
    let id = game.rsplit('/').next().unwrap().to_owned();
    let open = server.get(&format!("/games/{id}")).text();
    assert!(head(&open, "og:description").unwrap().starts_with("Waiting for 1 more player."), "{open}");
    assert!(head(&open, "og:image").unwrap().ends_with("/ecopolis.en.png"), "before the start: the cover");
    server.get(&format!("/games/{id}.png")).expect(302);
    server.get(&format!("/games/{id}@0.svg")).problem(404, "not_found");
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);

    let page = server.get(&format!("/games/{id}"));
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    assert!(page.header("content-security-policy").unwrap().contains("script-src 'self'"));
    let text = page.text();
    assert!(text.contains("<title>Ecopolis: Friday &amp; more</title>") && !text.contains("<b>"), "{text}");
    let said = head(&text, "og:description").unwrap();
    assert!(said.starts_with("Waiting for Ada to roll. Ada ") && said.contains("&quot;&gt;&lt;b&gt;ob"));
    assert_eq!(head(&text, "robots"), None);
    let italian = server.send("GET", &format!("/games/{id}")).header("Accept-Language", "it").go().text();
    assert!(italian.contains("<html lang=\"it\">") && italian.contains("In attesa che Ada tiri i dadi."));

    let image = head(&text, "og:image").unwrap();
    let path = &image[image.find("/games/").unwrap()..];
    let picture = server.get(path);
    assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/png")));
    assert_eq!(picture.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert!(picture.body.starts_with(b"\x89PNG"));
    assert_eq!(server.get(path).body, picture.body);

    play_one(&game, &[&ada, &bob]);
    let newest = server.get(&format!("/games/{id}.svg"));
    let there = newest.header("location").unwrap().to_owned();
    assert_eq!(newest.status, 302);
    let drawn = server.get(&there).text();
    assert!(drawn.contains("&lt;b&gt;ob") && drawn.contains("Ada") && !drawn.contains("<b>"), "{drawn}");
    let seq = there.split(['@', '.']).nth(1).unwrap().parse::<u64>().unwrap();
    assert!(drawn.contains(&format!("after move {seq} \u{b7} ")));
    let before = server.get(&format!("/games/{id}@{}.svg?lang=it", seq - 1)).text();
    assert!(
        before.contains(&format!("dopo la mossa {} \u{b7} ", seq - 1)),
        "a past position stays as it was"
    );
    server.get(&format!("/games/{id}@{}.png", seq + 1)).problem(404, "not_found");
    server.get(&format!("/games/{id}@{seq}.png?lang=fr")).problem(400, "malformed");
}

#[test]
fn a_table_that_is_not_public_gives_its_game_alone() {
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    for visibility in ["unlisted", "private"] {
        let new =
            json!({"ruleset": "industrial-waste", "seats": 2, "visibility": visibility, "title": "Secret"});
        let game = ada.creates(&new);
        let id = game.rsplit('/').next().unwrap().to_owned();
        let invite = ada.get(&game).json()["invite"].as_str().unwrap().to_owned();
        let invited = server.get(&format!("/invite/{invite}")).text();
        assert_eq!(head(&invited, "og:title").as_deref(), Some("Ada invites you to Industrial Waste"));
        assert!(head(&invited, "og:description").unwrap().starts_with("1 of 2 players are here."));
        assert_eq!(head(&invited, "robots").as_deref(), Some("noindex"));
        bob.post(&format!("{game}/seats"), &json!({"invite": invite})).expect(201);

        let page = server.get(&format!("/games/{id}")).text();
        assert!(page.contains("<title>Industrial Waste</title>"), "{page}");
        assert!(!page.contains("Ada") && !page.contains("Secret") && !page.contains('@'), "{page}");
        let picture = format!("/games/{id}@3.svg");
        let full = server.get(&format!("/invite/{invite}")).text();
        if visibility == "private" {
            assert!(!full.contains("Ada"), "a code of a full private table tells nothing: {full}");
            server.get(&picture).problem(404, "not_found");
            eve.get(&picture).problem(404, "not_found");
            assert_eq!(
                ada.get(&picture).header("cache-control"),
                Some("private, max-age=31536000, immutable")
            );
        } else {
            assert!(full.contains("The table is full. You can watch."), "{full}");
            assert_eq!(server.get(&picture).status, 200);
        }
    }
    let unknown = server.get("/games/01900000-0000-7000-8000-000000000001");
    assert!(unknown.status == 200 && unknown.text().contains("<title>playledger</title>"));
    assert!(server.get("/invite/none").text().contains("<title>playledger</title>"));
}

/// A picture shows what everyone sees, also to a player.
#[test]
fn a_picture_tells_no_player_more_than_a_stranger() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2}));
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    let picture = format!("/games/{}@3.svg", game.rsplit('/').next().unwrap());
    assert_eq!(ada.get(&picture).text(), server.get(&picture).text());
    assert!(server.get(&picture).text().contains("points without cash"));
}

#[test]
fn an_address_that_names_nothing_is_a_page_for_browsers_and_a_problem_for_programs() {
    let server = Server::start();
    server.get("/nowhere").problem(404, "not_found");
    let browser = "text/html,application/xhtml+xml,*/*;q=0.8";
    let page = server.send("GET", "/nowhere").header("Accept", browser).go_unchecked();
    assert_eq!((page.status, page.header("content-type")), (404, Some("text/html; charset=utf-8")));
    assert!(page.header("content-security-policy").is_some());
    let api = server.send("GET", "/v1/nowhere").header("Accept", browser).go();
    api.problem(404, "not_found");
    let moved = server.get("/settings/");
    assert_eq!((moved.status, moved.header("location")), (308, Some("/settings")));
}
