//! Rows and entries for the tests of the stores.

use std::ops::Range;

use uuid::Uuid;

use super::{
    AccountChange, Change, Entry, GameFacts, GameKey, NewClaim, NewPlayerRow, NewToken, PlayerKey, Write,
};
use crate::words::{Scopes, Visibility};

pub fn append_of(game: GameKey, entries: Vec<Entry>) -> Change {
    Change::Append { game, entries, claim: None }
}

/// An append in which entry `of` has an idempotency key.
pub fn append_under(game: GameKey, seqs: Range<u64>, of: u64, claim: NewClaim) -> Write {
    Write::of(Change::Append { game, entries: entries(seqs), claim: Some((of, claim)) })
}

pub fn claim(digest: u8, at: u64, fresh_since: u64) -> NewClaim {
    NewClaim { digest: [digest; 16], fingerprint: [4; 16], at, fresh_since }
}

/// A player and its token, whose recovery code is known by the same digest.
pub fn new_player(key: PlayerKey, token: u8) -> Write {
    let player = NewPlayerRow {
        key,
        uuid: Uuid::now_v7(),
        name: format!("player {token}"),
        recovery: Some([token; 32]),
        level: None,
        created_at: 5,
    };
    Write::of(Change::Account(AccountChange::AddPlayer(player))).and(add(new_token(key, token)))
}

pub fn add(token: NewToken) -> Change {
    Change::Account(AccountChange::AddToken(token))
}

pub fn new_token(player: PlayerKey, token: u8) -> NewToken {
    NewToken {
        uuid: Uuid::now_v7(),
        player,
        digest: [token; 32],
        name: "token".into(),
        scopes: Scopes::ALL,
        game: None,
        created_at: 5,
        expires_at: None,
        is_pending: false,
        replaces: None,
        app: None,
    }
}

pub fn new_game(key: GameKey, creator: PlayerKey) -> GameFacts {
    GameFacts {
        key,
        uuid: Uuid::now_v7(),
        creator,
        ruleset: "industrial-waste".into(),
        version: 1,
        seats: 2,
        options: "{}".into(),
        title: None,
        visibility: Visibility::Public,
        invite: None,
        move_seconds: Some(60),
        bank_seconds: 0,
        takebacks: false,
        substitutes: true,
        rated: true,
        format: 3,
        server_seed: [9; 32],
        created_at: 7,
        rematch_of: None,
    }
}

/// An entry that can be told from any other.
pub fn entry(seq: u64) -> Entry {
    let byte = u8::try_from(seq % 251).unwrap();
    Entry {
        seq,
        x: [byte; 32],
        head: [byte ^ 255; 32],
        body: format!("body {seq}").into_bytes(),
        secret: seq.is_multiple_of(3).then(|| format!("secret {seq}").into_bytes()),
        is_landmark: false,
    }
}

pub fn entries(seqs: Range<u64>) -> Vec<Entry> {
    seqs.map(entry).collect()
}
