//! Server-sent events, as a client reads them.

use std::io::{BufRead as _, BufReader, Read};

use serde_json::Value;

use super::database;

/// A stream of events being read.
pub struct Stream(BufReader<Box<dyn Read>>);

/// An event of a stream.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    pub id: String,
    pub kind: String,
    pub data: Value,
}

impl Stream {
    /// Opens a stream after its greeting.
    pub fn read(body: impl Read + 'static) -> Self {
        let mut stream = Self(BufReader::new(Box::new(body)));
        let greeting = stream.frame().unwrap();
        assert_eq!(greeting[..2], [": playledger", "retry: 1000"], "the greeting");
        // A stream opened by a ticket starts with an id.
        assert!(greeting[2..].iter().all(|line| line.starts_with("id: ")), "{greeting:?}");
        stream
    }

    /// Returns the lines of the next frame, or `None` at the end.
    fn frame(&mut self) -> Option<Vec<String>> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim_end_matches('\n') {
                "" => return Some(lines),
                line => lines.push(line.to_owned()),
            }
        }
    }

    /// Returns the next event, or `None` at the end.
    pub fn next(&mut self) -> Option<Event> {
        loop {
            let lines = self.frame()?;
            let field = |name: &str| {
                let found = lines.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
                found.unwrap_or_default().to_owned()
            };
            if !lines[0].starts_with(':') {
                let data = serde_json::from_str(&field("data")).unwrap();
                return Some(Event { id: field("id"), kind: field("event"), data });
            }
        }
    }

    /// Returns the next event of this kind. With several servers, older events may arrive late.
    pub fn next_of(&mut self, kind: &str) -> Event {
        loop {
            let event = self.next().expect("an event");
            if event.kind == kind || database::nodes() == 1 {
                assert_eq!(event.kind, kind, "{event:?}");
                return event;
            }
        }
    }

    pub fn take(&mut self, count: usize) -> Vec<Event> {
        (0..count).map(|_| self.next().expect("an event")).collect()
    }
}
