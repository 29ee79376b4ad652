//! Listeners: they follow a stream on any server, and continue on another after a failure.

use std::{
    io::{BufRead as _, BufReader},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::world::World;

/// The event that says that too many events were missed.
pub const RESET: &str = "reset";

/// An event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub id: String,
    pub kind: String,
    pub game: String,
}

/// All events of a stream so far.
#[derive(Clone, Default)]
pub struct Heard(Arc<Mutex<Vec<Told>>>);

impl Heard {
    /// Follows a stream until its end, or until play has stopped and `is_enough` holds.
    pub fn follow(world: &Arc<World>, path: &str, token: &str) -> Self {
        let heard = Self::default();
        let (here, world) = (heard.clone(), Arc::clone(world));
        let (path, token) = (path.to_owned(), token.to_owned());
        thread::spawn(move || {
            while !here.follow_on(&world, &path, &token, None) {
                thread::sleep(Duration::from_millis(20));
            }
        });
        heard
    }

    /// Returns the events after one event up to another, or none if the first is too old.
    pub fn again(world: &World, path: &str, token: &str, after: &str, upto: &str) -> Option<Vec<Told>> {
        let heard = Self::default();
        heard.0.lock().unwrap().push(Told { id: after.into(), kind: String::new(), game: String::new() });
        crate::eventually("a stream tells again what it told", || {
            heard.follow_on(world, path, token, Some(upto)).then_some(())
        });
        let told = heard.all().split_off(1);
        told.iter().all(|told| told.kind != RESET).then_some(told)
    }

    pub fn all(&self) -> Vec<Told> {
        self.0.lock().unwrap().clone()
    }

    /// Follows until the connection is lost. Returns whether the stream is complete.
    fn follow_on(&self, world: &World, path: &str, token: &str, upto: Option<&str>) -> bool {
        let agent: ureq::Agent =
            ureq::Agent::config_builder().timeout_recv_response(Some(Duration::from_secs(20))).build().into();
        let mut request =
            agent.get(format!("http://{}{path}", world.any())).header("Accept", "text/event-stream");
        if !token.is_empty() {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let last = self.0.lock().unwrap().last().map(|told| told.id.clone());
        if let Some(last) = last {
            request = request.header("Last-Event-ID", last);
        }
        let Ok(answer) = request.call() else { return false };
        let (mut id, mut kind) = (String::new(), String::new());
        for line in BufReader::new(answer.into_body().into_reader()).lines().map_while(Result::ok) {
            let Some((field, value)) = line.split_once(": ") else { continue };
            match field {
                "id" => value.clone_into(&mut id),
                "event" => value.clone_into(&mut kind),
                "data" if kind == "end" => return true,
                "data" if !id.is_empty() => {
                    let id = std::mem::take(&mut id);
                    let is_last = upto.is_some_and(|upto| upto == id || kind == RESET);
                    self.take(Told { id, kind: kind.clone(), game: game_of(value) });
                    if is_last {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn take(&self, told: Told) {
        let mut all = self.0.lock().unwrap();
        // Another server may tell the last half minute again, under the same ids.
        if !all.iter().rev().take(500).any(|known| known.id == told.id) {
            all.push(told);
        }
    }
}

fn game_of(data: &str) -> String {
    let data: Value = serde_json::from_str(data).unwrap();
    data["game"].as_str().unwrap_or_default().to_owned()
}
