//! Players, games, seats and answers.

use rusqlite::Connection;

use super::fixture::{Fixture, add, append_of, entry, new_game, new_token};
use crate::{
    store::{
        AccountChange, Change, Claim, GameFilter, Keeper as _, Kept, KeptAnswer, NewClaim, NewToken,
        PlayerKey, StoreError, TABLES, Write,
        sqlite::{Settings, migrate::bring_up_to_date},
    },
    words::{Ending, PlayedBy, Share, Status, Visibility},
};

#[test]
fn a_player_is_found_by_its_token_only_as_long_as_it_is_valid() {
    let fixture = Fixture::new();
    let key = fixture.player(1);
    let reads = &fixture.store.reads;
    let (token, player) = reads.token(&[1; 32]).unwrap().unwrap();
    assert_eq!((player.key, player.name.as_deref(), player.created_at), (key, Some("player 1"), 5));
    assert_eq!(reads.player(player.uuid).unwrap(), Some(player));
    // Many come to replace it. The first of them that is used ends it, and the others.
    let heir = |byte| NewToken { is_pending: true, replaces: Some(token.key), ..new_token(key, byte) };
    for byte in 2..12 {
        fixture.write(Write::of(add(heir(byte)))).unwrap();
    }
    assert_eq!(reads.token(&[3; 32]).unwrap(), None, "there are only so many");
    assert!(reads.token(&[1; 32]).unwrap().is_some(), "it lives until then");
    let (used, _) = reads.token(&[7; 32]).unwrap().unwrap();
    let settle = AccountChange::SettleToken { player: key, token: used.key };
    fixture.write(Write::of(Change::Account(settle))).unwrap();
    assert_eq!(reads.token(&[1; 32]).unwrap(), None);
    assert_eq!(reads.tokens(key).unwrap().len(), 1);
    let late = fixture.write(Write::of(add(heir(12))));
    assert!(matches!(late, Err(StoreError::Gone)), "what it is to replace has ended");
    let asked = |by| Write::of(Change::Account(AccountChange::By(by))).and(add(new_token(key, 13)));
    assert!(matches!(fixture.write(asked(token.key)), Err(StoreError::Gone)), "who asks for it has ended");
    assert_eq!(reads.token(&[13; 32]).unwrap(), None);
    fixture.write(asked(used.key)).unwrap();
    assert!(reads.token(&[13; 32]).unwrap().is_some());
}

#[test]
fn a_recovery_code_counts_until_the_next_one_does() {
    let fixture = Fixture::new();
    let (key, reads) = (fixture.player(1), &fixture.store.reads);
    let change = |change| fixture.write(Write::of(Change::Account(change)));
    let knows = |code: u8| reads.player_by_code(&[code; 32]).unwrap().is_some();
    let recover = |used: u8, next: u8| {
        change(AccountChange::Recover { player: key, used: [used; 32], next: [next; 32], nonce: [used; 32] })
    };
    recover(1, 3).unwrap();
    assert!(knows(1) && knows(3), "the answer may have been lost");
    assert_eq!(reads.player_by_code(&[1; 32]).unwrap().unwrap().1, Some([1; 32]));
    assert!(matches!(recover(1, 2), Err(StoreError::Gone)), "it has begun");
    let (token, _) = reads.token(&[1; 32]).unwrap().unwrap();
    change(AccountChange::SettleToken { player: key, token: token.key }).unwrap();
    assert!(!knows(1) && knows(3));
    assert!(matches!(recover(1, 4), Err(StoreError::Gone)));
    recover(3, 4).unwrap();
    recover(4, 5).unwrap();
    assert!(!knows(3) && knows(4) && knows(5), "the use of a code settles as well");
}

#[test]
fn keys_go_on_after_a_restart() {
    let fixture = Fixture::new();
    let (player, game) = (fixture.player(1), fixture.store.new_game_key());
    fixture.write(Write::of(Change::AddGame(Box::new(new_game(game, player))))).unwrap();
    let fixture = fixture.reopened(&Settings::default());
    assert_ne!(fixture.store.new_player_key(), player);
    assert_ne!(fixture.store.new_game_key(), game);
}

#[test]
fn a_game_lives_from_open_to_its_end_and_no_further() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    let new = new_game(fixture.store.new_game_key(), player);
    let (game, uuid) = (new.key, new.uuid);
    fixture.write(Write::of(Change::AddGame(Box::new(new)))).unwrap();
    let set = |status, at, result: Option<&str>| {
        fixture.write(Write::of(Change::SetStatus {
            game,
            status,
            at,
            ended: result.map(|result| (Ending::Finished, Some(result.to_owned()))),
        }))
    };
    set(Status::Sealed, 10, None).unwrap();
    set(Status::Running, 11, None).unwrap();
    set(Status::Finished, 12, Some("[]")).unwrap();
    assert!(set(Status::Void, 13, None).is_err(), "what is over stays over");
    assert!(set(Status::Open, 14, None).is_err());
    let row = fixture.newest_game().row;
    assert_eq!((row.status, row.started_at, row.finished_at), (Status::Finished, Some(11), Some(12)));
    assert_eq!(
        (row.result.as_deref(), row.facts.visibility, row.facts.move_seconds),
        (Some("[]"), Visibility::Public, Some(60))
    );
    assert_eq!(format!("{:?}", row.facts), format!("GameFacts({uuid}, secret)"), "no seed is printed");
}

#[test]
fn a_seat_is_taken_once_and_a_player_sits_once() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.player(1), fixture.player(2));
    let game = fixture.game(one);
    let take = |seat, player: PlayerKey| {
        fixture.write(Write::of(Change::TakeSeat { game, seat, player, share: Share::Promised }))
    };
    take(0, one).unwrap();
    assert!(matches!(take(0, two), Err(StoreError::Contradiction(_))), "the seat is taken");
    assert!(matches!(take(1, one), Err(StoreError::Contradiction(_))), "the player sits already");
    take(1, two).unwrap();
    fixture.write(Write::of(Change::FreeSeat { game, seat: 0 })).unwrap();
    fixture
        .write(
            Write::of(Change::SetShare { game, seat: 1, share: Share::Revealed }).and(Change::SetPlayedBy {
                game,
                seat: 1,
                played_by: PlayedBy::Autopilot,
            }),
        )
        .unwrap();
    let seats = fixture.newest_game().seats;
    assert_eq!(seats.len(), 1);
    assert_eq!((seats[0].seat, seats[0].player_name.as_deref()), (1, Some("player 2")));
    assert_eq!((seats[0].played_by, seats[0].share), (PlayedBy::Autopilot, Share::Revealed));
}

#[test]
fn games_are_listed_newest_first_and_filtered() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.player(1), fixture.player(2));
    let mut keys = Vec::new();
    for number in 0..9 {
        let mut new = new_game(fixture.store.new_game_key(), one);
        if number % 3 == 0 {
            new.visibility = Visibility::Private;
        }
        if number % 2 == 0 {
            new.ruleset = "ecopolis".into();
        }
        keys.push(new.key);
        let seat = Change::TakeSeat {
            game: new.key,
            seat: 0,
            player: if number < 4 { one } else { two },
            share: Share::None,
        };
        fixture.write(Write::of(Change::AddGame(Box::new(new))).and(seat)).unwrap();
    }
    let running = Change::SetStatus { game: keys[5], status: Status::Running, at: 1, ended: None };
    fixture.write(Write::of(running)).unwrap();
    let list = |filter: GameFilter| -> Vec<usize> {
        let games = fixture.store.reads.games(&filter).unwrap();
        games.iter().map(|game| keys.iter().position(|key| *key == game.row.facts.key).unwrap()).collect()
    };
    let rulesets = || vec!["industrial-waste".to_owned(), "ecopolis".to_owned()];
    let base = || GameFilter { limit: 100, rulesets: rulesets(), ..GameFilter::default() };
    assert_eq!(list(base()), [8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(list(GameFilter { public: true, ..base() }), [8, 7, 5, 4, 2, 1]);
    assert_eq!(list(GameFilter { public: true, limit: 2, before: Some(keys[7]), ..base() }), [5, 4]);
    assert_eq!(list(GameFilter { player: Some(one), ..base() }), [3, 2, 1, 0]);
    assert_eq!(list(GameFilter { status: Some(Status::Running), ..base() }), [5]);
    let all = GameFilter {
        rulesets: vec!["ecopolis".into()],
        player: Some(two),
        status: Some(Status::Open),
        public: true,
        ..base()
    };
    assert_eq!(list(all), [8, 4]);
}

fn claim(digest: u8, at: u64, fresh_since: u64) -> NewClaim {
    NewClaim { digest: [digest; 16], fingerprint: [4; 16], at, fresh_since }
}

/// What came of a request under this key.
fn found(fixture: &Fixture, player: PlayerKey, claim: &NewClaim) -> Option<Kept> {
    let found: Option<Claim> =
        fixture.store.reads.claim(player, &claim.digest[0].to_string(), claim).unwrap();
    found.map(|claim| {
        assert_eq!(claim.fingerprint, [4; 16]);
        claim.kept
    })
}

fn refuse(fixture: &Fixture, player: PlayerKey, claim: NewClaim, body: &[u8]) -> Result<(), StoreError> {
    let refusal = KeptAnswer { player, key: claim.digest[0].to_string(), claim, body: body.to_vec() };
    fixture.write(Write::of(Change::KeepAnswer(refusal)))
}

#[test]
fn a_refusal_is_kept_once_until_it_is_old() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    refuse(&fixture, player, claim(1, 100, 0), b"first").unwrap();
    let second = refuse(&fixture, player, claim(1, 150, 50), b"second");
    assert!(matches!(second, Err(StoreError::ClaimStands)));
    assert_eq!(found(&fixture, player, &claim(1, 150, 50)), Some(Kept::Body(b"first".to_vec())));
    assert_eq!(found(&fixture, player, &claim(1, 201, 101)), None, "too old");
    refuse(&fixture, player, claim(1, 300, 101), b"second").unwrap();
    assert_eq!(found(&fixture, player, &claim(1, 300, 101)), Some(Kept::Body(b"second".to_vec())));
}

#[test]
fn what_is_old_is_forgotten() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    for (key, at) in [(1, 10), (2, 20), (3, 30)] {
        refuse(&fixture, player, claim(key, at, 0), b"").unwrap();
    }
    super::fixture::wait(fixture.store.forget_claims(25)).unwrap();
    let kept = [1, 2, 3].map(|key| found(&fixture, player, &claim(key, 40, 0)).is_some());
    assert_eq!(kept, [false, false, true]);
}

/// Appends entries of which one comes under a key.
fn append(
    fixture: &Fixture,
    game: crate::store::GameKey,
    seqs: std::ops::Range<u64>,
    of: u64,
    claim: NewClaim,
) -> Result<(), StoreError> {
    let entries = seqs.map(entry).collect();
    fixture.write(Write::of(Change::Append { game, entries, claim: Some((of, claim)) }))
}

#[test]
fn a_claim_and_its_entry_stand_and_fall_together() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    let game = fixture.game(player);
    assert!(append(&fixture, game, 5..6, 5, claim(1, 9, 0)).is_err());
    assert_eq!(found(&fixture, player, &claim(1, 9, 0)), None);
    append(&fixture, game, 0..3, 1, claim(1, 9, 0)).unwrap();
    let again = append(&fixture, game, 3..4, 3, claim(1, 10, 0));
    assert!(matches!(again, Err(StoreError::ClaimStands)));
    assert_eq!(fixture.entries(game).len(), 3);
    append(&fixture, game, 3..4, 3, claim(1, 110, 10)).unwrap();
}

#[test]
fn a_claim_is_found_in_the_log_in_a_segment_and_after_a_restart() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    let game = fixture.game(player);
    let uuid = fixture.newest_game().row.facts.uuid;
    append(&fixture, game, 0..3, 1, claim(1, 9, 0)).unwrap();
    let kept = Some(Kept::Entry { game: uuid, seq: 1, last: 2 });
    let new = claim(1, 90, 0);
    assert_eq!(found(&fixture, player, &new), kept, "in the log");
    assert_eq!(found(&fixture, player, &claim(1, 90, 10)), None, "too old");
    let fixture = fixture.reopened(&Settings::default());
    assert_eq!(found(&fixture, player, &new), kept, "in the log, after a restart");
    fixture.append(game, 3..100).unwrap();
    let mut sweep = fixture.sweep();
    fixture.sweep_down_to(60, &mut sweep);
    assert_eq!(found(&fixture, player, &new), kept, "swept");
    assert_eq!(found(&fixture, player, &claim(1, 90, 10)), None, "swept, and too old");
    drop(sweep);
    let fixture = fixture.reopened(&Settings::default());
    assert_eq!(found(&fixture, player, &new), kept, "swept, after a restart");
    super::fixture::wait(fixture.store.forget_claims(10)).unwrap();
    assert_eq!(found(&fixture, player, &new), None, "forgotten");
}

#[test]
fn of_two_in_one_transaction_under_one_key_one_is_written() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    let games = [fixture.game(player), fixture.game(player)];
    let write = |game| {
        let append = Change::Append { game, entries: vec![entry(0)], claim: Some((0, claim(7, 1, 0))) };
        fixture.store.write(Write::of(append))
    };
    let outcomes = games.map(write).map(super::fixture::wait);
    assert!(matches!(outcomes, [Ok(()), Err(StoreError::ClaimStands)]), "{outcomes:?}");
    fixture.write(Write::of(append_of(games[1], vec![entry(0)]))).unwrap();
}

#[test]
fn a_plan_is_its_players_alone_and_is_not_printed() {
    let fixture = Fixture::new();
    let (ada, bob) = (fixture.player(1), fixture.player(2));
    let game = fixture.game(ada);
    let take = Change::TakeSeat { game, seat: 0, player: ada, share: Share::None };
    let opening = |planner: PlayerKey| {
        let plan = Some((planner, "a plan".to_owned()));
        fixture.write(Write::of(Change::SetPlan { game, seat: 0, plan })).unwrap();
        fixture.store.reads.opening(fixture.newest_game().row.facts.uuid).unwrap().unwrap()
    };
    fixture.write(Write::of(take)).unwrap();
    let own = opening(ada);
    assert_eq!(own.plans, [(0, "a plan".to_owned())]);
    assert!(!format!("{own:?}").contains("a plan"));
    assert_eq!(opening(bob).plans, [], "who has no seat there plans nothing for it");
}

/// What a column keeps that is not named there would be lost on the way to another store.
#[test]
fn every_column_is_carried_to_another_store() {
    let mut connection = Connection::open_in_memory().unwrap();
    bring_up_to_date(&mut connection).unwrap();
    // The one is a table of its own there, and the other counts rows.
    let elsewhere = [("game", "deadline"), ("claim", "id")];
    for table in TABLES.iter().filter(|table| table.read.is_none()) {
        let mut query = connection.prepare("SELECT name FROM pragma_table_info(?1)").unwrap();
        let columns = query.query_map([table.name], |row| row.get::<_, String>(0)).unwrap();
        let mut columns: Vec<String> = columns.map(Result::unwrap).collect();
        columns.retain(|column| !elsewhere.contains(&(table.name, column)));
        let mut named: Vec<&str> = table.columns.split(", ").map(str::trim).collect();
        columns.sort_unstable();
        named.sort_unstable();
        assert_eq!(columns, named, "{}", table.name);
    }
}
