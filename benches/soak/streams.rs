//! Whoever is told: follows a stream at any server, and goes on at another where that one is lost.

use std::{
    io::{BufRead as _, BufReader},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::world::World;

/// That what was missed is too much to be told.
pub const RESET: &str = "reset";

/// An event of a stream, as far as it is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub id: String,
    pub kind: String,
    pub game: String,
}

/// All that a stream has told so far.
#[derive(Clone, Default)]
pub struct Heard(Arc<Mutex<Vec<Told>>>);

impl Heard {
    /// Follows from here on, until it tells its end or nobody plays any more and `is_enough` of it.
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

    /// Tells once more all that came after an event, up to another one; nothing, if the first lies too far back.
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

    /// Follows until the connection is lost; says whether that was all.
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
