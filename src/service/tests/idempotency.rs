//! An act under a key is done once, and its answer is made again from the log, to the byte.

use std::{future::poll_fn, task::Poll};

use serde_json::{Value, json};

use super::fixture::{Fixture, id, wait};
use crate::{
    ledger::{entry::PlainAct, seed::entropy_commitment},
    service::{
        request::Request as _,
        tables::{
            Act, IdempotencyKey,
            new_table::{JoinRequest, NewTable},
            play::Command,
            seat_control::SeatAct,
        },
    },
    words::PlayedBy,
};

fn promise(byte: u8) -> String {
    crate::ledger::encoding::hex(&entropy_commitment(&[byte; 32]))
}

#[test]
fn every_answer_is_the_same_when_the_game_has_gone_on() {
    wait(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (fixture.player("Ada").await, fixture.player("Bob").await);
        let new = json!({"ruleset": "industrial-waste", "seats": 2, "options": {"first_seat": 0},
            "clock": {"move_seconds": 60}, "visibility": "unlisted", "entropy_commit": promise(1)});
        let create = || Act::Create(Box::new(NewTable::read(&new).unwrap()));
        let created = fixture.act_under(&ada, &create(), "create").await.0;
        let created: Value = serde_json::from_slice(&created).unwrap();
        let game = id(&created);
        let sent = json!({"invite": created["invite"], "entropy_commit": promise(2)});
        let mut acts = vec![
            (&ada, create(), "create"),
            (&bob, Act::Join(game, JoinRequest::read(&sent).unwrap()), "join"),
            (&ada, Act::Reveal(game, [1; 32]), "reveal"),
            (&bob, Act::Reveal(game, [2; 32]), "reveal"),
        ];
        let mut answers = Vec::new();
        for (player, act, key) in &acts {
            answers.push(fixture.act_under(player, act, key).await.0);
        }
        let view: Value = serde_json::from_slice(answers.last().unwrap()).unwrap();
        let sent =
            json!({"expected_seq": view["seq"], "command": {"type": "choose_combination", "column": 0}});
        let command = Act::Play(
            game,
            Command::read(&sent).unwrap(),
            crate::service::reading::context::ViewOptions::default(),
        );
        answers.push(fixture.act_under(&ada, &command, "play").await.0);
        acts.push((&ada, command, "play"));
        // A player misses three deadlines in a row, takes the seat back, and resigns.
        let left = loop {
            fixture.clock.advance(61_000);
            fixture.service.tables.act_on_deadlines().await.unwrap();
            let view = fixture.service.reading.game(game, None).await.unwrap();
            if let Some(seat) = view.seats.iter().position(|seat| seat.control == PlayedBy::Autopilot) {
                break [&ada, &bob][seat];
            }
        };
        for (player, act, key) in [
            (left, Act::Seat(game, SeatAct::Plain(PlainAct::Resume, None)), "resume"),
            (left, Act::Seat(game, SeatAct::Plain(PlainAct::Resign, None)), "resign"),
        ] {
            answers.push(fixture.act_under(player, &act, key).await.0);
            acts.push((player, act, key));
        }
        fixture.clock.advance(61_000);
        fixture.service.tables.act_on_deadlines().await.unwrap();
        for ((player, act, key), first) in acts.iter().zip(&answers) {
            let (again, done_before) = fixture.act_under(player, act, key).await;
            assert!(done_before, "{key}");
            assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(first), "{key}");
        }
    });
}

/// The first client disconnects while its command is being written. The second request gets the result.
#[test]
fn a_second_request_is_told_what_became_of_a_first_that_nobody_waits_for() {
    wait(async {
        let fixture = Fixture::new().await;
        let ada = fixture.player("Ada").await;
        let new = || NewTable::read(&json!({"ruleset": "ecopolis", "seats": 2})).unwrap();
        let game = id(&fixture.act(&ada, Act::Create(Box::new(new()))).await);
        let bob = fixture.player("Bob").await;
        let join = Act::Join(game, JoinRequest::read(&json!({})).unwrap());
        let key = IdempotencyKey { text: "k".into(), fingerprint: [7; 16] };
        for _ in 0..3 {
            let mut sending = Box::pin(fixture.service.tables.carry_out(&bob, &join, Some(&key), |_| None));
            // Polled once, and dropped in any state.
            poll_fn(|context| Poll::Ready(sending.as_mut().poll(context).is_ready())).await;
        }
        let (answer, _) = fixture.act_under(&bob, &join, "k").await;
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        assert_eq!(
            (&answer["status"], &answer["seats"][1]["player"]["name"]),
            (&json!("running"), &json!("Bob"))
        );
    });
}
