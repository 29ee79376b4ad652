//! Makes games at a server, and reads its public tree with tools of others: the note, every tile against the root, every entry
//! against its hash, every record and every earlier tree against the newest.
//!
//! `tlog-judge URL`

use std::{error::Error, thread, time::Duration};

use serde_json::{Value, json};
use signed_note::{Note, StandardVerifier, VerifierList};
use tlog_tiles::{
    Checkpoint, Error as TileError, HashReader as _, Tile, TileHashReader, TileReader, check_record,
    check_tree, prove_record, prove_tree, record_hash, stored_hash_index, tree_hash,
};

type Failure = Box<dyn Error>;

/// Each table has two leaves: its genesis, and the join of its host.
const TABLES: usize = 190;

struct Server(String);

impl Server {
    fn bytes(&self, path: &str) -> Result<Vec<u8>, Failure> {
        Ok(ureq::get(format!("{}{path}", self.0)).call()?.body_mut().read_to_vec()?)
    }

    fn post(&self, path: &str, token: &str, body: &Value) -> Result<Value, Failure> {
        let request = ureq::post(format!("{}{path}", self.0)).header("Authorization", format!("Bearer {token}"));
        Ok(request.send_json(body)?.body_mut().read_json()?)
    }

    fn tables(&self, count: usize) -> Result<(), Failure> {
        let created = ureq::post(format!("{}/v1/players", self.0)).send_json(json!({"name": "Judge"}))?.body_mut().read_json::<Value>()?;
        let token = created["token"].as_str().unwrap_or_default();
        for _ in 0..count {
            self.post("/v1/games", token, &json!({"ruleset": "ecopolis", "seats": 2}))?;
        }
        Ok(())
    }

    /// Returns the newest checkpoint, signed by the server's key.
    fn checkpoint(&self) -> Result<Checkpoint, Failure> {
        let keys: Value = serde_json::from_slice(&self.bytes("/v1/keys")?)?;
        let log = keys["keys"].as_array().into_iter().flatten().find(|key| key["use"] == "log");
        let key = log.and_then(|log| log["key"].as_str()).ok_or("there is no key of a log")?;
        let note = Note::from_bytes(&self.bytes("/tlog/checkpoint")?).map_err(|error| error.to_string())?;
        let known = VerifierList::new(vec![Box::new(StandardVerifier::new(key).map_err(|error| error.to_string())?)]);
        let (verified, _) = note.verify(&known).map_err(|error| error.to_string())?;
        assert_eq!(verified.len(), 1, "the log has signed it");
        let checkpoint = Checkpoint::from_bytes(note.text()).map_err(|_| "no checkpoint")?;
        assert_eq!(Some(checkpoint.origin()), key.split('+').next(), "the key's name is the origin");
        Ok(checkpoint)
    }

    /// Returns the first checkpoint of at least this size.
    fn grown(&self, size: u64) -> Result<Checkpoint, Failure> {
        for _ in 0..100 {
            let checkpoint = self.checkpoint()?;
            if checkpoint.size() >= size {
                return Ok(checkpoint);
            }
            thread::sleep(Duration::from_millis(200));
        }
        Err("the tree does not grow".into())
    }
}

impl TileReader for Server {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, TileError> {
        Ok(tiles.iter().map(|tile| self.bytes(&path(tile)).unwrap_or_default()).collect())
    }

    fn save_tiles(&self, _: &[Tile], _: &[Vec<u8>]) {}
}

/// The crate writes the height of tiles too, like Go's checksum database. In `tlog-tiles` the height is
/// always 8.
fn path(tile: &Tile) -> String {
    format!("/tlog/{}", tile.path().replacen("tile/8/", "tile/", 1))
}

fn entries(server: &Server, size: u64) -> Result<Vec<Vec<u8>>, Failure> {
    let mut entries = Vec::new();
    while (entries.len() as u64) < size {
        let width = u32::try_from((size - entries.len() as u64).min(256))?;
        let suffix = if width == 256 { String::new() } else { format!(".p/{width}") };
        let bytes = server.bytes(&format!("/tlog/tile/entries/{:03}{suffix}", entries.len() / 256))?;
        let mut rest = bytes.as_slice();
        while let Some((length, more)) = rest.split_first_chunk::<2>() {
            let (entry, more) = more.split_at_checked(u16::from_be_bytes(*length).into()).ok_or("an entry breaks off")?;
            entries.push(entry.to_vec());
            rest = more;
        }
    }
    Ok(entries)
}

fn main() -> Result<(), Failure> {
    let server = Server(std::env::args().nth(1).ok_or("usage: tlog-judge URL")?);
    let mut before: Vec<Checkpoint> = Vec::new();
    for part in 1..=4 {
        server.tables(TABLES)?;
        let now = server.grown(2 * (part * TABLES) as u64)?;
        let (size, root) = (now.size(), *now.hash());
        let reader = TileHashReader::new(size, root, &server);
        assert_eq!(tree_hash(size, &reader).map_err(|error| error.to_string())?, root, "the tiles lead to the root");
        let entries = entries(&server, size)?;
        assert_eq!(entries.len() as u64, size);
        for (index, entry) in (0..size).zip(&entries) {
            let hash = record_hash(entry);
            let stored = reader.read_hashes(&[stored_hash_index(0, index)]).map_err(|error| error.to_string())?;
            assert_eq!(stored, [hash], "entry {index} has the hash that its tile says");
            if index % 37 == 0 {
                let proof = prove_record(size, index, &reader).map_err(|error| error.to_string())?;
                check_record(&proof, size, root, index, hash).map_err(|error| error.to_string())?;
            }
        }
        for old in &before {
            let proof = prove_tree(size, old.size(), &reader).map_err(|error| error.to_string())?;
            check_tree(&proof, size, root, old.size(), *old.hash()).map_err(|error| error.to_string())?;
        }
        println!("{size} entries: the note, the tiles, the records and {} earlier trees agree", before.len());
        before.push(now);
    }
    Ok(())
}
