//! Players, games, seats and answers.

use super::fixture::{Fixture, new_game};
use crate::store::{
    Answer, Change, Control, Entropy, GameFilter, PlayerKey, Settings, Status, StoreError, Visibility, Write,
};

#[test]
fn a_player_is_found_by_its_token_only_as_long_as_it_is_valid() {
    let fixture = Fixture::new();
    let key = fixture.player(1);
    let player = fixture.store.player_by_token(&[1; 32]).unwrap().unwrap();
    assert_eq!((player.key, player.name.as_str(), player.created_at), (key, "player 1", 5));
    assert_eq!(fixture.store.player(player.uuid).unwrap(), Some(player));
    fixture.write(Write::of(Change::SetToken { player: key, token: [2; 32] })).unwrap();
    assert_eq!(fixture.store.player_by_token(&[1; 32]).unwrap(), None);
    assert_eq!(fixture.store.player_by_token(&[2; 32]).unwrap().unwrap().key, key);
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
        fixture.write(Write::of(Change::SetStatus { game, status, at, result: result.map(str::to_owned) }))
    };
    set(Status::Sealed, 10, None).unwrap();
    set(Status::Running, 11, None).unwrap();
    set(Status::Finished, 12, Some("[]")).unwrap();
    assert!(set(Status::Void, 13, None).is_err(), "what is over stays over");
    assert!(set(Status::Open, 14, None).is_err());
    let row = fixture.store.game(uuid).unwrap().unwrap();
    assert_eq!(
        (row.status, row.sealed_at, row.started_at, row.finished_at),
        (Status::Finished, Some(10), Some(11), Some(12))
    );
    assert_eq!(
        (row.result.as_deref(), row.visibility, row.move_seconds),
        (Some("[]"), Visibility::Public, Some(60))
    );
    assert_eq!(format!("{row:?}"), format!("GameRow({uuid}, finished, secret)"), "no seed is printed");
}

#[test]
fn a_seat_is_taken_once_and_a_player_sits_once() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.player(1), fixture.player(2));
    let game = fixture.game(one);
    let take = |seat, player: PlayerKey| {
        fixture.write(Write::of(Change::TakeSeat { game, seat, player, entropy: Entropy::Promised }))
    };
    take(0, one).unwrap();
    assert!(matches!(take(0, two), Err(StoreError::Contradiction(_))), "the seat is taken");
    assert!(matches!(take(1, one), Err(StoreError::Contradiction(_))), "the player sits already");
    take(1, two).unwrap();
    fixture.write(Write::of(Change::FreeSeat { game, seat: 0 })).unwrap();
    fixture
        .write(
            Write::of(Change::SetEntropy { game, seat: 1, entropy: Entropy::Revealed })
                .and(Change::SetControl { game, seat: 1, control: Control::Autopilot }),
        )
        .unwrap();
    let seats = fixture.store.seats(game).unwrap();
    assert_eq!(seats.len(), 1);
    assert_eq!((seats[0].seat, seats[0].player_name.as_str()), (1, "player 2"));
    assert_eq!((seats[0].control, seats[0].entropy), (Control::Autopilot, Entropy::Revealed));
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
            entropy: Entropy::None,
        };
        fixture.write(Write::of(Change::AddGame(Box::new(new))).and(seat)).unwrap();
    }
    let running = Change::SetStatus { game: keys[5], status: Status::Running, at: 1, result: None };
    fixture.write(Write::of(running)).unwrap();
    let list = |filter: GameFilter| -> Vec<usize> {
        let games = fixture.store.games(&filter).unwrap();
        games.iter().map(|game| keys.iter().position(|key| *key == game.key).unwrap()).collect()
    };
    let base = || GameFilter { limit: 100, ..GameFilter::default() };
    assert_eq!(list(base()), [8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(list(GameFilter { public: true, ..base() }), [8, 7, 5, 4, 2, 1]);
    assert_eq!(list(GameFilter { public: true, limit: 2, before: Some(keys[7]), ..base() }), [5, 4]);
    assert_eq!(list(GameFilter { player: Some(one), ..base() }), [3, 2, 1, 0]);
    assert_eq!(list(GameFilter { status: Some(Status::Running), ..base() }), [5]);
    let all = GameFilter {
        ruleset: Some("ecopolis".into()),
        player: Some(two),
        status: Some(Status::Open),
        public: true,
        ..base()
    };
    assert_eq!(list(all), [8, 4]);
}

#[test]
fn an_answer_is_kept_once_until_it_is_old() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    let keep = |body: &[u8], at, fresh_since| {
        let answer = Answer { player, key: "k".into(), fingerprint: [4; 32], body: body.to_vec(), at };
        fixture.write(Write::of(Change::KeepAnswer { answer, fresh_since }))
    };
    keep(b"first", 100, 0).unwrap();
    assert!(matches!(keep(b"second", 150, 50), Err(StoreError::AnswerExists)));
    assert_eq!(fixture.store.answer(player, "k", 50).unwrap().unwrap().body, b"first");
    assert_eq!(fixture.store.answer(player, "k", 101).unwrap(), None, "too old");
    keep(b"second", 300, 101).unwrap();
    assert_eq!(fixture.store.answer(player, "k", 101).unwrap().unwrap().body, b"second");
}

#[test]
fn old_answers_are_cleared_away_as_new_ones_come() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    let keep = |key: &str, at, fresh_since| {
        let answer = Answer { player, key: key.into(), fingerprint: [4; 32], body: vec![], at };
        fixture.write(Write::of(Change::KeepAnswer { answer, fresh_since })).unwrap();
    };
    let kept =
        || ["a", "b", "c", "d", "e"].map(|key| fixture.store.answer(player, key, 0).unwrap().is_some());
    for (key, at) in [("a", 10), ("b", 20), ("c", 30)] {
        keep(key, at, 0);
    }
    keep("d", 100, 40);
    assert_eq!(kept(), [false, false, true, true, false], "the two oldest are gone");
    keep("e", 110, 40);
    assert_eq!(kept(), [false, false, false, true, true], "and what is fresh stays");
}

#[test]
fn an_answer_and_its_write_stand_and_fall_together() {
    let fixture = Fixture::new();
    let player = fixture.player(1);
    let game = fixture.game(player);
    let answer = || Answer { player, key: "k".into(), fingerprint: [4; 32], body: b"a".to_vec(), at: 1 };
    let write = |seq| {
        Write::of(Change::Append { game, entries: vec![super::fixture::entry(seq)] })
            .and(Change::KeepAnswer { answer: answer(), fresh_since: 0 })
    };
    assert!(fixture.write(write(5)).is_err());
    assert_eq!(fixture.store.answer(player, "k", 0).unwrap(), None);
    fixture.write(write(0)).unwrap();
    assert!(matches!(fixture.write(write(1)), Err(StoreError::AnswerExists)));
    assert_eq!(fixture.store.entries(game).unwrap().len(), 1);
}
