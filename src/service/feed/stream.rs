//! Streams: the entries of a game from now on, or after a known entry.

use std::sync::Arc;

use uuid::Uuid;

use super::{Lobby, RenderedEntry, Wait, Watched, Watching, slice};
use crate::{
    engine::Viewer,
    service::{
        Feed, ServiceError,
        games::{Player, access::seat_of},
        reading::{
            context::ViewOptions,
            events::{From, Happened},
        },
    },
    words::Status,
};

/// Entries that a stream reads from the log at once.
const PAGE: u64 = 100;

/// A stream of one game.
pub struct Stream {
    game: Uuid,
    caller: Option<Player>,
    viewer: Viewer,
    wish: ViewOptions,
    next: u64,
    /// Status of a finished game whose entries were all sent.
    ended: Option<Status>,
    watching: Watching,
}

/// Where a stream begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamStart {
    Entry(u64),
    /// At the first entry.
    Nothing,
    /// After the newest entry.
    Newest,
    /// After the newest entry of the caller's own seat.
    Mine,
}

/// An entry as its viewer may see it.
pub struct StreamLine {
    pub seq: u64,
    pub text: Arc<str>,
    /// Status of the game, if this is the last entry.
    end: Option<Status>,
}

/// The next item of a stream.
pub enum Next {
    Lines(Vec<StreamLine>),
    /// A message at the table.
    Said(String),
    /// The game has ended; no item follows.
    End {
        seq: u64,
        status: Status,
    },
}

impl Feed {
    /// Watches a game for any change.
    pub async fn watch(&self, game: Uuid, caller: Option<&Player>) -> Result<Watching, ServiceError> {
        let locked = self.games.visible(game, caller).await?;
        Ok(self.hub.watch(game, locked.game()?.game.seq(), Watched::Plainly))
    }

    /// Watches the list of tables.
    pub fn watch_lobby(&self) -> Lobby {
        self.hub.watch_lobby()
    }

    /// Follows a game, after the entry that `after` names.
    pub async fn stream(
        &self,
        game: Uuid,
        caller: Option<Player>,
        after: StreamStart,
        wish: ViewOptions,
    ) -> Result<Stream, ServiceError> {
        let locked = self.games.visible(game, caller.as_ref()).await?;
        let live = locked.game()?;
        let newest = live.game.seq();
        let next = match after {
            StreamStart::Entry(seq) => seq.saturating_add(1),
            StreamStart::Nothing => 0,
            StreamStart::Newest => newest + 1,
            StreamStart::Mine => {
                let seat = seat_of(live, caller.as_ref().ok_or(ServiceError::NotSeated)?)?;
                live.sitting(seat).map_or(0, |sitting| sitting.acted + 1)
            }
        };
        let viewer = live.viewer(caller.as_ref());
        let is_over = next > newest && matches!(live.game.status(), Status::Finished | Status::Void);
        let ended = is_over.then(|| live.game.status());
        // A client that claims to have more than the log gets the end of the game.
        let next = if is_over { newest + 1 } else { next };
        let watched = if wish == ViewOptions::default() { Watched::Plainly } else { Watched::WithWishes };
        let watching = self.hub.watch(game, newest, watched);
        Ok(Stream { game, caller, viewer, wish, next, ended, watching })
    }

    /// Waits for the next item. Returns `None` when the server stops, and an error when the caller may no
    /// longer see the game.
    pub async fn next(&self, stream: &mut Stream) -> Result<Option<Next>, ServiceError> {
        let mut _place = None;
        loop {
            if let Some(status) = stream.ended {
                return Ok(Some(Next::End { seq: stream.next.saturating_sub(1), status }));
            }
            let newest = stream.watching.newest();
            let recent = stream.watching.recent(stream.next);
            let lines = match told(&recent, stream) {
                Some(lines) if !lines.is_empty() => lines,
                // Boxed: rare, keeps the future small.
                _ if newest >= stream.next => Box::pin(self.read_on(stream)).await?,
                _ => Vec::new(),
            };
            if let Some(last) = lines.last() {
                stream.next = last.seq + 1;
                stream.ended = last.end;
                return Ok(Some(Next::Lines(lines)));
            }
            while let Some(said) = stream.watching.said() {
                if stream.caller.as_ref().is_some_and(|caller| said.heard_by.contains(&caller.key)) {
                    return Ok(Some(Next::Said(said.text.clone())));
                }
            }
            _place = None;
            if stream.watching.woken().await == Wait::Closed {
                return Ok(None);
            }
            _place = slice::enter().await;
        }
    }

    /// Reads the log, and checks again what the caller may see.
    async fn read_on(&self, stream: &mut Stream) -> Result<Vec<StreamLine>, ServiceError> {
        let line = |Happened { item, end }| Ok(StreamLine { seq: item.seq, text: item.text()?, end });
        let (caller, from) = (stream.caller.as_ref(), From::Entry(stream.next));
        let (viewer, lines) =
            self.reading.events_from(stream.game, caller, from, PAGE, stream.wish, line).await?;
        stream.viewer = viewer;
        Ok(lines)
    }
}

impl Stream {
    /// Returns whether the game is over and all entries were sent.
    pub const fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    /// Returns the `seq` of the last sent entry.
    pub const fn last(&self) -> Option<u64> {
        self.next.checked_sub(1)
    }
}

/// Returns the recent entries for this stream. `None` if an entry is not rendered in its form, or if seats
/// may have changed.
fn told(recent: &[Arc<RenderedEntry>], stream: &Stream) -> Option<Vec<StreamLine>> {
    if recent.iter().any(|told| told.seating) {
        return None;
    }
    let line = |told: &Arc<RenderedEntry>| {
        let text = told.text(stream.viewer, stream.wish)?;
        Some(StreamLine { seq: told.seq, text, end: told.end })
    };
    Some(recent.iter().map_while(line).collect())
}
