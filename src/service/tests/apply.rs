//! One meaning per entry: a live game, a loaded one, a past position and the rows never differ.

use serde_json::{Value, json};
use uuid::Uuid;

use super::fixture::{Fixture, id, wait};
use crate::{
    engine::Viewer,
    ledger::{entry::PlainAct, game::Game, seed::entropy_commitment},
    service::{
        Player,
        games::LiveGame,
        reading::{PastEntry, context::ViewOptions, game_view::GameView},
        request::Request as _,
        tables::{
            Act,
            new_table::{JoinRequest, NewTable},
            play::Command,
            seat_control::SeatAct,
        },
    },
    store::GameFilter,
    testing::TestDice,
    words::Status,
};

const PLAYERS: usize = 5;
/// More acts than such a short game needs.
const MOST_ACTS: usize = 2_000;

// A test per game, so that they run in parallel.

#[test]
fn games_of_industrial_waste_are_equal_live_loaded_walked_and_in_rows() {
    (0..6).for_each(|number| wait(play_at_random("industrial-waste", number)));
}

#[test]
fn games_of_ecopolis_are_equal_live_loaded_walked_and_in_rows() {
    (0..6).for_each(|number| wait(play_at_random("ecopolis", number)));
}

/// Plays a random game with all kinds of acts, and compares after each.
async fn play_at_random(ruleset: &str, number: u64) {
    let fixture = Fixture::new().await;
    let mut dice = TestDice::new(number);
    let mut players = Vec::new();
    for number in 0..PLAYERS {
        players.push(fixture.player(&format!("player {number}")).await);
    }
    let seats = 2 + dice.below(3);
    let mut new = json!({"ruleset": ruleset, "seats": seats, "options": {"max_rounds": 3},
        "clock": {"move_seconds": 60, "bank_seconds": 30}, "takebacks": true, "substitutes": true});
    if dice.often() {
        new["entropy_commit"] = promise(0);
    }
    let game = id(&fixture.act(&players[0], Act::Create(Box::new(NewTable::read(&new).unwrap()))).await);
    compare(&fixture, game).await;
    let mut status = Status::Open;
    for _ in 0..MOST_ACTS {
        if matches!(status, Status::Finished | Status::Void) {
            break;
        }
        act_at_random(&fixture, game, &players, status, &mut dice).await;
        status = compare(&fixture, game).await;
    }
    assert!(matches!(status, Status::Finished | Status::Void), "{ruleset} {number} comes to an end");
    compare_every_seq(&fixture, game).await;
}

fn bytes(player: usize) -> [u8; 32] {
    [u8::try_from(player).unwrap() + 1; 32]
}

fn promise(player: usize) -> Value {
    crate::ledger::encoding::hex(&entropy_commitment(&bytes(player))).into()
}

/// Adds a random act, or a deadline. Refused acts change nothing.
async fn act_at_random(
    fixture: &Fixture,
    game: Uuid,
    players: &[Player],
    status: Status,
    dice: &mut TestDice,
) {
    let who = usize::try_from(dice.below(PLAYERS as u64)).unwrap();
    let act = match (status, dice.below(40)) {
        (_, 0) => {
            fixture.clock.advance(61_000);
            fixture.service.tables.act_on_deadlines().await.unwrap();
            return;
        }
        (Status::Open, 1..5) => Act::Leave(game),
        (Status::Open, _) => {
            let sent = if dice.often() { json!({"entropy_commit": promise(who)}) } else { json!({}) };
            Act::Join(game, JoinRequest::read(&sent).unwrap())
        }
        (Status::Sealed, _) => Act::Reveal(game, bytes(who)),
        (_, 1) => Act::Seat(game, SeatAct::Plain(PlainAct::Resume, None)),
        (_, 3) => Act::Seat(game, SeatAct::Plain(PlainAct::Pause, None)),
        (_, 5..8) => Act::Seat(game, SeatAct::Plain(PlainAct::Continue, None)),
        (_, 8..11) => return take_back(fixture, game, &players[who], dice).await,
        (_, 11) => Act::Join(game, JoinRequest::read(&json!({})).unwrap()),
        (_, 2) if dice.below(20) == 0 => Act::Seat(game, SeatAct::Plain(PlainAct::Resign, None)),
        _ => match command(fixture, game, &players[who], dice).await {
            Some(command) => Act::Play(game, command, ViewOptions::default()),
            None => return,
        },
    };
    let _ = fixture.try_act(&players[who], &act).await;
}

/// Takes a move back, if possible.
async fn take_back(fixture: &Fixture, game: Uuid, player: &Player, dice: &mut TestDice) {
    let locked = fixture.service.games.lock(game).await.unwrap();
    let live = locked.game().unwrap();
    let reached = live.seat_of(player).map_or(0..0, |seat| live.game.takebacks(seat));
    let expected_seq = live.game.seq();
    drop(locked);
    if !reached.is_empty() {
        let to = reached.start + dice.below(reached.end - reached.start);
        let act = Act::Seat(game, SeatAct::Takeback { expected_seq, to, signed: None });
        let _ = fixture.try_act(player, &act).await;
    }
}

/// Returns a legal command of the player's seat.
async fn command(fixture: &Fixture, game: Uuid, player: &Player, dice: &mut TestDice) -> Option<Command> {
    let options = ViewOptions { legal: true, ..ViewOptions::default() };
    let view = fixture.view(game, Some(player), None, options).await;
    let legal = view["legal"]["commands"].as_array().filter(|legal| !legal.is_empty())?;
    let choice = dice.pick(legal);
    let mut command = choice["command"].clone();
    if let (Some(field), Some(min), Some(max)) =
        (choice["vary"]["field"].as_str(), choice["vary"]["min"].as_u64(), choice["vary"]["max"].as_u64())
    {
        command[field] = (min + dice.below(max - min + 1)).into();
    }
    Some(Command::read(&json!({"expected_seq": view["seq"], "command": command})).unwrap())
}

/// Returns the visible state of a game.
fn shown(game: &Game) -> Value {
    let views =
        game.table.iter().flat_map(|table| Viewer::all(game.setting.seats).map(|viewer| table.view(viewer)));
    let views: Vec<_> = views.collect();
    json!({
        "standing": format!("{:?}", game.standing),
        "chain": format!("{:?}", game.chain),
        "times": format!("{:?} {:?} {:?}", game.times, game.turn(), game.clocks),
        "takebacks": format!("{:?}", game.setting.seats.iter().map(|seat| game.takebacks(seat)).collect::<Vec<_>>()),
        "views": serde_json::to_value(views).unwrap(),
        "next": format!("{:?}", game.to_act()),
    })
}

/// Returns the events of the newest entry for each viewer.
fn done(game: &Game) -> Vec<Value> {
    let events = game
        .table
        .iter()
        .flat_map(|table| Viewer::all(game.setting.seats).map(|viewer| table.events(viewer)));
    events.map(|events| serde_json::to_value(events).unwrap()).collect()
}

/// Compares a live game with a loaded one, with a replayed one, and with its rows.
async fn compare(fixture: &Fixture, uuid: Uuid) -> Status {
    let service = &fixture.service;
    let opening = service.base.store.opening(uuid).await.unwrap().unwrap();
    let loaded = LiveGame::load(opening).unwrap();
    let locked = service.games.lock(uuid).await.unwrap();
    let live = locked.game().unwrap();
    assert_eq!(shown(&live.game), shown(&loaded.game));
    for waiting in [&live.game, &loaded.game] {
        assert!(
            done(waiting).iter().all(|events| *events == json!([])),
            "what is told takes no room any more"
        );
        assert!(waiting.table.iter().all(|table| table.draws().is_empty()));
    }
    assert_eq!((live.noted_deadline, &live.facts), (loaded.noted_deadline, &loaded.facts));
    let listed = {
        let rulesets = ["industrial-waste", "ecopolis"].map(str::to_owned).to_vec();
        service.base.store.games(GameFilter { limit: 1, rulesets, ..GameFilter::default() }).await.unwrap()
    };
    let row = &listed[0].row;
    assert_eq!(row.status, live.game.status());
    if let Some(newest) = row.newest.filter(|_| row.status != Status::Running) {
        assert_eq!(GameView::of_rows(&listed[0], newest, None).unwrap(), GameView::of(live, None));
    }
    assert!(row.newest.is_some(), "a row says where the log ends");
    let (status, seq) = (live.game.status(), live.game.seq());
    let (key, expected) = (live.facts.key, shown(&live.game));
    drop(locked);
    let walked = service.reading.walk((uuid, key), seq, 1, |step| Ok(shown(step.game))).await.unwrap();
    assert_eq!(walked, [expected]);
    status
}

/// Compares replays from kept positions with a replay from the beginning, at every entry.
async fn compare_every_seq(fixture: &Fixture, uuid: Uuid) {
    let service = &fixture.service;
    let key = service.games.lock(uuid).await.unwrap().game().unwrap().facts.key;
    let all = |step: PastEntry| Ok((shown(step.game), done(step.game)));
    let whole = service.reading.walk((uuid, key), 0, u64::MAX, all).await.unwrap();
    for (seq, expected) in (0..).zip(&whole) {
        let alone = service.reading.walk((uuid, key), seq, 1, all).await.unwrap();
        assert_eq!(&alone[0], expected, "at seq {seq}");
    }
}
