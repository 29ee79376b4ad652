//! For the operator: health, numbers, pages.

use super::support::{Server, eventually, program::Program};

#[test]
fn the_server_says_that_it_lives_and_counts_what_it_did() {
    needs!(one_server);
    let server = Server::start();
    server.get("/health/live").expect(200);
    server.get("/health/ready").expect(200);
    server.get("/nowhere").problem(404, "not_found");
    let text = server.get("/metrics").text();
    assert!(
        text.contains(r#"playledger_requests_total{method="GET",route="/health/live",status="200"} 1"#),
        "{text}"
    );
    assert!(text.contains(r#"route="none",status="404"} 1"#), "{text}");
    eventually("nothing waits to be written", || {
        server.get("/metrics").text().contains("playledger_writes_waiting 0").then_some(())
    });
}

#[test]
fn a_person_finds_the_way() {
    let server = Server::start();
    let home = server.get("/").text();
    assert!(home.contains("/docs/") && home.contains("/guide/"));
    assert!(server.get("/docs/").text().contains("swagger"));
    assert_eq!(server.get("/docs").header("location"), Some("/docs/"));
    assert!(server.get("/v1/fairlog").text().contains("salt(n) = K(S, \"salt\", BE64(n))"));
}

/// SIGHUP ends a program that does not expect it.
#[test]
fn a_server_outlives_a_hangup() {
    needs!(file);
    let folder = tempfile::tempdir().unwrap();
    let program = Program::serve(&folder.path().join("games.db"), &[]);
    program.signal("HUP");
    for _ in 0..3 {
        assert_eq!(program.server().get("/health/live").status, 200);
    }
}
