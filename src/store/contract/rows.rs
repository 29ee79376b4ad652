//! Players, games and seats.

use super::Contract;
use crate::{
    store::{
        AccountChange, Change, GameFacts, GameFilter, NewToken, PlayerKey, StoreError, TokenOfPlayer, Write,
        testing::{add, new_game, new_token},
    },
    words::{Ending, PlayedBy, Share, Status, Visibility},
};

#[test]
fn a_player_is_found_by_its_token_only_as_long_as_it_is_valid() {
    let fixture = Contract::new();
    let key = fixture.player(1);
    let TokenOfPlayer { token, player, .. } = fixture.ask(fixture.store.token(&[1; 32])).unwrap();
    assert_eq!((player.key, player.name.as_deref(), player.created_at), (key, Some("player 1"), 5));
    assert_eq!(fixture.ask(fixture.store.player(player.uuid)), Some(player));
    // Several replacements are created. The first use of one ends the token and the other replacements.
    let heir = |byte| NewToken { is_pending: true, replaces: Some(token.key), ..new_token(key, byte) };
    for byte in 2..12 {
        fixture.write(Write::of(add(heir(byte)))).unwrap();
    }
    assert_eq!(fixture.ask(fixture.store.token(&[3; 32])), None, "there are only so many");
    assert!(fixture.ask(fixture.store.token(&[1; 32])).is_some(), "it lives until then");
    let used = fixture.ask(fixture.store.token(&[7; 32])).unwrap().token;
    let settle = AccountChange::SettleToken { player: key, token: used.key };
    fixture.write(Write::of(Change::Account(settle))).unwrap();
    assert_eq!(fixture.ask(fixture.store.token(&[1; 32])), None);
    assert_eq!(fixture.ask(fixture.store.tokens(key)).len(), 1);
    let late = fixture.write(Write::of(add(heir(12))));
    assert!(matches!(late, Err(StoreError::Gone)), "what it is to replace has ended");
    let asked = |by| Write::of(Change::Account(AccountChange::By(by))).and(add(new_token(key, 13)));
    assert!(matches!(fixture.write(asked(token.key)), Err(StoreError::Gone)), "who asks for it has ended");
    assert_eq!(fixture.ask(fixture.store.token(&[13; 32])), None);
    fixture.write(asked(used.key)).unwrap();
    assert!(fixture.ask(fixture.store.token(&[13; 32])).is_some());
}

#[test]
fn a_recovery_code_counts_until_the_next_one_does() {
    let fixture = Contract::new();
    let key = fixture.player(1);
    let change = |change| fixture.write(Write::of(Change::Account(change)));
    let knows = |code: u8| fixture.ask(fixture.store.player_by_code(&[code; 32])).is_some();
    let recover = |used: u8, next: u8| {
        change(AccountChange::Recover { player: key, used: [used; 32], next: [next; 32], nonce: [used; 32] })
    };
    recover(1, 3).unwrap();
    assert!(knows(1) && knows(3), "the answer may have been lost");
    assert_eq!(fixture.ask(fixture.store.player_by_code(&[1; 32])).unwrap().1, Some([1; 32]));
    assert!(matches!(recover(1, 2), Err(StoreError::Gone)), "it has begun");
    let token = fixture.ask(fixture.store.token(&[1; 32])).unwrap().token;
    change(AccountChange::SettleToken { player: key, token: token.key }).unwrap();
    assert!(!knows(1) && knows(3));
    assert!(matches!(recover(1, 4), Err(StoreError::Gone)));
    recover(3, 4).unwrap();
    recover(4, 5).unwrap();
    assert!(!knows(3) && knows(4) && knows(5), "the use of a code settles as well");
}

#[test]
fn a_game_lives_from_open_to_its_end_and_no_further() {
    let fixture = Contract::new();
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

/// A column missing from a statement comes back with another value.
#[test]
fn a_game_comes_back_as_it_was_written() {
    let fixture = Contract::new();
    let player = fixture.player(1);
    let before = fixture.game(player);
    let new = GameFacts {
        version: 7,
        seats: 3,
        options: "{\"max_rounds\":4}".into(),
        title: Some("Friday".into()),
        visibility: Visibility::Unlisted,
        invite: Some("invite".into()),
        move_seconds: Some(90),
        bank_seconds: 30,
        takebacks: true,
        substitutes: false,
        rated: false,
        server_seed: [8; 32],
        created_at: 70,
        rematch_of: Some(before),
        ..new_game(fixture.store.new_game_key(), player)
    };
    fixture.write(Write::of(Change::AddGame(Box::new(new.clone())))).unwrap();
    let opening = fixture.ask(fixture.store.opening(new.uuid)).unwrap();
    assert!(opening.facts == new, "of a game that is opened");
    let filter = GameFilter { limit: 1, rulesets: vec![new.ruleset.clone()], ..GameFilter::default() };
    assert!(fixture.ask(fixture.store.games(filter))[0].row.facts == new, "of a game in a list");
}

#[test]
fn a_seat_is_taken_once_and_a_player_sits_once() {
    let fixture = Contract::new();
    let (one, two) = (fixture.player(1), fixture.player(2));
    let game = fixture.game(one);
    let take = |seat, player: PlayerKey| {
        fixture.write(Write::of(Change::TakeSeat { game, seat, player, share: Share::Promised }))
    };
    take(0, one).unwrap();
    assert!(take(0, two).is_err(), "the seat is taken");
    assert!(take(1, one).is_err(), "the player sits already");
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
    let fixture = Contract::new();
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
        let games = fixture.ask(fixture.store.games(filter));
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

#[test]
fn a_plan_is_its_players_alone_and_is_not_printed() {
    let fixture = Contract::new();
    let (ada, bob) = (fixture.player(1), fixture.player(2));
    let game = fixture.game(ada);
    let take = Change::TakeSeat { game, seat: 0, player: ada, share: Share::None };
    let opening = |planner: PlayerKey| {
        let plan = Some((planner, "a plan".to_owned()));
        fixture.write(Write::of(Change::SetPlan { game, seat: 0, plan })).unwrap();
        fixture.ask(fixture.store.opening(fixture.newest_game().row.facts.uuid)).unwrap()
    };
    fixture.write(Write::of(take)).unwrap();
    let own = opening(ada);
    assert_eq!(own.plans, [(0, "a plan".to_owned())]);
    assert!(!format!("{own:?}").contains("a plan"));
    assert_eq!(opening(bob).plans, [], "who has no seat there plans nothing for it");
}
