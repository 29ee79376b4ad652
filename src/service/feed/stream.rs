//! Following a game: what happens from now on, or from where one left off.

use std::sync::Arc;

use uuid::Uuid;

use super::{Lobby, Told, Wait, Watched, Watching, slice};
use crate::{
    engine::Viewer,
    service::{
        Service, ServiceError,
        game::{Player, access::seat_of},
        read::{
            events::{From, Happened},
            sight::Wish,
        },
    },
    words::Status,
};

/// How many entries a follower who is behind reads from the log at once.
const PAGE: u64 = 100;

/// A follower of a game, entry by entry.
pub struct Stream {
    game: Uuid,
    caller: Option<Player>,
    viewer: Viewer,
    wish: Wish,
    next: u64,
    /// Whether the game is over and all of it was told.
    ended: Option<Status>,
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
    /// After the newest entry that the caller's own seat caused.
    Mine,
}

/// An entry that is told, as its viewer may see it.
pub struct Line {
    pub seq: u64,
    pub text: Arc<str>,
    /// How it has left the game, if nothing comes after it.
    end: Option<Status>,
}

/// What comes next.
pub enum Next {
    Lines(Vec<Line>),
    /// Something was said at the table.
    Said(String),
    /// The game has ended, and nothing more comes.
    End {
        seq: u64,
        status: Status,
    },
}

impl Service {
    /// Watches a game without being told what happens, only that something does.
    pub async fn watch(&self, game: Uuid, caller: Option<&Player>) -> Result<Watching, ServiceError> {
        let locked = self.visible(game, caller).await?;
        Ok(self.hub.watch(game, locked.game()?.game.seq(), Watched::Plainly))
    }

    /// Watches for tables that open, fill, begin and end.
    pub fn watch_lobby(&self) -> Lobby {
        self.hub.watch_lobby()
    }

    /// Follows a game: what happens after this entry, or else from the next one on.
    pub async fn stream(
        &self,
        game: Uuid,
        caller: Option<Player>,
        after: After,
        wish: Wish,
    ) -> Result<Stream, ServiceError> {
        let locked = self.visible(game, caller.as_ref()).await?;
        let live = locked.game()?;
        let newest = live.game.seq();
        let next = match after {
            After::Entry(seq) => seq.saturating_add(1),
            After::Nothing => 0,
            After::Newest => newest + 1,
            After::Mine => {
                let seat = seat_of(live, caller.as_ref().ok_or(ServiceError::NotSeated)?)?;
                live.sitting(seat).map_or(0, |sitting| sitting.acted + 1)
            }
        };
        let viewer = live.viewer(caller.as_ref());
        let is_over = next > newest && matches!(live.game.status(), Status::Finished | Status::Void);
        let ended = is_over.then(|| live.game.status());
        // Whoever claims to have seen more than there is hears where it ended.
        let next = if is_over { newest + 1 } else { next };
        let watched = if wish == Wish::default() { Watched::Plainly } else { Watched::WithWishes };
        let watching = self.hub.watch(game, newest, watched);
        Ok(Stream { game, caller, viewer, wish, next, ended, watching })
    }

    /// What happened next, as soon as it has. Nothing when the server stops; an error when the game is no
    /// longer there for this caller.
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
                // Rare, and every stream would have room in itself for it.
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

    /// Reads the log, and looks again who the caller is at this game.
    async fn read_on(&self, stream: &mut Stream) -> Result<Vec<Line>, ServiceError> {
        let line = |Happened { item, end }| Ok(Line { seq: item.seq, text: item.text()?, end });
        let (caller, from) = (stream.caller.as_ref(), From::Entry(stream.next));
        let (viewer, lines) = self.events_from(stream.game, caller, from, PAGE, stream.wish, line).await?;
        stream.viewer = viewer;
        Ok(lines)
    }
}

impl Stream {
    /// Returns whether the game is over and everything was told before.
    pub const fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    /// Returns the seq of the last entry that was told.
    pub const fn last(&self) -> Option<u64> {
        self.next.checked_sub(1)
    }
}

/// Those of the recent entries that are written out as the stream wants them; nothing, if somebody may have
/// come or gone.
fn told(recent: &[Arc<Told>], stream: &Stream) -> Option<Vec<Line>> {
    if recent.iter().any(|told| told.seating) {
        return None;
    }
    let line = |told: &Arc<Told>| {
        let text = told.text(stream.viewer, stream.wish)?;
        Some(Line { seq: told.seq, text, end: told.end })
    };
    Some(recent.iter().map_while(line).collect())
}
