//! The public tree of all games: leaves, proofs, witnesses, and the discovery of a second history.

mod leaves;
mod witnesses;

use playledger::{
    engine::{Format, hash::Bytes32},
    ledger::{chain::Chain, encoding::unhex, receipt::Note},
    tree::{checkpoint::Checkpoint, merkle::Shape, note::VerifierKey, proof::Proof, tile::read_entries},
};
use serde_json::{Value, json};

use super::support::{Player, Server, eventually, play_one, table};

/// Returns the public key of a server's tree.
fn log_key(server: &Server) -> String {
    let keys = server.get("/v1/keys").expect(200);
    let key = keys["keys"].as_array().unwrap().iter().find(|key| key["use"] == "log").unwrap();
    key["key"].as_str().unwrap().to_owned()
}

fn shape(server: &Server) -> Shape {
    let note = server.get("/tlog/checkpoint").text();
    let read = Checkpoint::read(&note).unwrap();
    read.check_log(&[log_key(server).parse().unwrap()]).unwrap();
    read.shape
}

/// Returns the leaves of a tree of at most one tile.
fn leaves(server: &Server) -> Vec<Bytes32> {
    let size = shape(server).size;
    read_entries(&server.get(&format!("/tlog/tile/entries/000.p/{size}")).body).unwrap()
}

/// Returns the type and the head of each entry in a log.
fn heads(server: &Server, game: &str) -> Vec<(String, Bytes32)> {
    let mut heads = Vec::new();
    loop {
        let after = i64::try_from(heads.len()).unwrap() - 1;
        let page = server.get(&format!("{game}/log?after={after}&limit=100")).expect(200);
        let items = page["items"].as_array().unwrap();
        heads.extend(items.iter().map(|item| {
            let kind = item["body"]["type"].as_str().unwrap().to_owned();
            (kind, unhex(item["head"].as_str().unwrap()).unwrap())
        }));
        if items.len() < 100 {
            return heads;
        }
    }
}

/// Checks a proof of a game, and connects a receipt with it.
fn leads(server: &Server, proof: &Value, receipt: &str) {
    let receipt = Note::read(receipt).unwrap().receipt;
    let mut chain = Chain::after(Format::Three, receipt.seq, receipt.at, receipt.head);
    for link in proof["links"].as_array().unwrap() {
        chain.follow(link["body"].to_string().as_bytes(), &unhex(link["x"].as_str().unwrap()).unwrap());
    }
    assert_eq!(chain.next_seq(), proof["seq"].as_u64().unwrap() + 1);
    let key: VerifierKey = log_key(server).parse().unwrap();
    let read = Proof::read(proof["proof"].as_str().unwrap()).unwrap();
    read.check(chain.head(), &[key], &[], 0).unwrap();
}

/// A game on a server that tests may stop and kill.
struct Played {
    tokens: [String; 2],
    game: String,
}

impl Played {
    fn begin(server: &Server) -> Self {
        let (ada, bob) = (server.player("Ada"), server.player("Bob"));
        let game = table(&[&ada, &bob], &json!({"max_rounds": 3}));
        Self { tokens: [ada.token, bob.token], game }
    }

    fn go_on(&self, server: &Server, moves: usize) -> Vec<String> {
        let players = self.tokens.clone().map(|token| Player::with(server, token));
        (0..moves).map(|_| play_one(&self.game, &[&players[0], &players[1]])).collect()
    }
}

/// Waits until a server's tree is larger. Returns its size.
fn grown(server: &Server, size: u64) -> u64 {
    eventually("the tree grows", || Some(shape(server).size).filter(|now| *now > size))
}
