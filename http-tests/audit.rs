//! The public chain while a game runs, and audits.

use playledger::engine::Format;
use serde_json::{Value, json};

use super::support::{Server, play_to_the_end, table};

#[test]
fn the_public_chain_can_be_followed_while_the_game_runs() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    play_to_the_end(&game, &[&ada, &bob], |_| 0);
    let mut head = [0; 32];
    let mut after = -1_i64;
    loop {
        let page = server.get(&format!("{game}/log?after={after}&limit=3")).expect(200);
        let items = page["items"].as_array().unwrap();
        for item in items {
            let bytes =
                |field: &str| playledger::ledger::encoding::unhex(item[field].as_str().unwrap()).unwrap();
            let leaf = Format::Three.hash("leaf", &[item["body"].to_string().as_bytes(), &bytes("x")]);
            head = Format::Three.hash("head", &[&head, &leaf]);
            assert_eq!(head, bytes("head"));
            after = item["body"]["seq"].as_i64().unwrap();
        }
        if items.len() < 3 {
            break;
        }
    }
    let resource = server.get(&game).expect(200);
    assert_eq!(resource["head"], playledger::ledger::encoding::hex(&head));
    assert_eq!(resource["seq"], after);
}

#[test]
fn audits_take_documents_with_receipts_and_keys() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    let receipts = play_to_the_end(&game, &[&ada, &bob], |_| 0);
    let replay = server.get(&format!("{game}/replay")).text();
    let outcomes = |report: &Value| -> Vec<String> {
        report["checks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|check| check["outcome"].as_str().unwrap().into())
            .collect()
    };
    let good =
        ["pass", "pass", "pass", "pass", "pass", "pass", "not_run", "not_run", "pass", "not_run", "not_run"];
    assert_eq!(outcomes(&server.audit(&replay).expect(200)), good);
    let key = server.get("/v1/keys").expect(200)["keys"][0]["key"].clone();
    let whole = json!({"replay": replay, "receipts": receipts, "keys": [key]});
    assert_eq!(outcomes(&server.audit(&whole.to_string()).expect(200)), good);
    let as_it_is = json!({"replay": serde_json::from_str::<Value>(&replay).unwrap()});
    let as_it_is = server.audit(&as_it_is.to_string()).problem(400, "malformed");
    assert_eq!(as_it_is["errors"][0]["pointer"], "/replay", "{as_it_is}");
    let foreign = json!({"replay": replay, "keys": ["other+00000000+AQ=="]});
    server.audit(&foreign.to_string()).problem(400, "malformed");
    server.audit("nonsense").problem(400, "malformed");
    let changed = server.audit(&replay.replacen(r#""column":0"#, r#""column":1"#, 1)).expect(200);
    assert!(outcomes(&changed).contains(&"fail".to_owned()), "{changed}");
    let spaced = server.audit(&format!("{replay} ")).expect(200);
    assert_eq!(outcomes(&spaced)[0], "fail");
}
