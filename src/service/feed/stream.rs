//! Following a game: what happens from now on, or from where one left off.

use std::sync::Arc;

use uuid::Uuid;

use super::{Told, Wait, Watching};
use crate::{
    engine::Viewer,
    service::{Service, ServiceError, game::Player, read::event_item::EventItem},
};

/// How many entries a follower who is behind reads from the log at once.
const PAGE: u64 = 100;

/// A follower of a game, entry by entry.
pub struct Stream {
    game: Uuid,
    caller: Option<Player>,
    viewer: Viewer,
    next: u64,
    watching: Watching,
}

/// From where a game is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    Entry(u64),
    /// From the first entry on.
    Nothing,
    /// From the next entry on.
    Newest,
}

/// An entry that is told, as its viewer may see it.
pub struct Line {
    pub seq: u64,
    pub text: Arc<str>,
}

impl Service {
    /// Watches a game without being told what happens, only that something does.
    pub async fn watch(&self, game: Uuid, caller: Option<&Player>) -> Result<Watching, ServiceError> {
        let locked = self.visible(game, caller).await?;
        Ok(self.hub.watch(game, locked.game()?.game.seq()))
    }

    /// Follows a game: what happens after this entry, or else from the next one on.
    pub async fn stream(
        &self,
        game: Uuid,
        caller: Option<Player>,
        after: After,
    ) -> Result<Stream, ServiceError> {
        let locked = self.visible(game, caller.as_ref()).await?;
        let live = locked.game()?;
        let newest = live.game.seq();
        let next = match after {
            After::Entry(seq) => seq.saturating_add(1),
            After::Nothing => 0,
            After::Newest => newest + 1,
        };
        let viewer = live.viewer(caller.as_ref());
        Ok(Stream { game, caller, viewer, next, watching: self.hub.watch(game, newest) })
    }

    /// What happened next, as soon as it has. Nothing when the server stops; an error when the game is no longer there
    /// for this caller.
    pub async fn next(&self, stream: &mut Stream) -> Result<Option<Vec<Line>>, ServiceError> {
        loop {
            let newest = stream.watching.newest();
            let recent = stream.watching.recent(stream.next);
            let lines = if !recent.is_empty() && recent.iter().all(|told| !told.seating) {
                let line =
                    |told: &Arc<Told>| told.text(stream.viewer).map(|text| Line { seq: told.seq, text });
                recent.iter().filter_map(line).collect()
            } else if newest >= stream.next {
                self.read_on(stream).await?
            } else {
                Vec::new()
            };
            if let Some(last) = lines.last() {
                stream.next = last.seq + 1;
                return Ok(Some(lines));
            }
            if stream.watching.changed().await == Wait::Closed {
                return Ok(None);
            }
        }
    }

    /// Reads the log, and looks again who the caller is at this game.
    async fn read_on(&self, stream: &mut Stream) -> Result<Vec<Line>, ServiceError> {
        let line = |item: EventItem| Ok(Line { seq: item.seq, text: item.text()? });
        let (viewer, lines) =
            self.events_from(stream.game, stream.caller.as_ref(), stream.next, PAGE, line).await?;
        stream.viewer = viewer;
        Ok(lines)
    }
}
