//! News for players and watchers: only durable entries, in the order of their commits.

mod game_feed;
mod hub;
mod inbox;
mod listening;
mod note;
mod notice;
mod peer_message;
mod presence;
mod remote;
mod rendered_entry;
mod slice;
mod span;
mod stream;
mod warnings;

pub use hub::{CommitNews, Hub, Ring, Said, Warning, Watched};
pub use inbox::{Heard, Inbox};
pub use listening::{Lobby, Wait, Watching};
pub use note::{
    AccountNotice, DeadlineNotice, InvitationNotice, MessageNotice, Note, RematchNotice, SubstitutionNotice,
    WebhookNotice,
};
pub use notice::{GameNotice, Notice, NoticeKind, Position, SeatChange, SeatNotice, TurnNotice, addressed};
pub use peer_message::PeerMessage;
pub use rendered_entry::RenderedEntry;
pub use span::Span;
pub use stream::{Next, Stream, StreamStart};

use std::sync::Arc;

use super::{
    Base,
    games::{Games, TakeIn},
    ports::Clock,
    reading::Reading,
};
use crate::store::Store;

/// Streams and notices for players and watchers connected to this server.
pub struct Feed {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    games: Arc<Games>,
    reading: Arc<Reading>,
    pub(in crate::service) hub: Arc<Hub>,
}

impl Feed {
    pub fn new(base: &Base, games: &Arc<Games>, reading: &Arc<Reading>, hub: Arc<Hub>) -> Self {
        Self {
            store: Arc::clone(&base.store),
            clock: Arc::clone(&base.clock),
            games: Arc::clone(games),
            reading: Arc::clone(reading),
            hub,
        }
    }
}

/// Returns the callback by which [`Games`] applies entries of other servers.
pub fn taking_in(base: &Base, hub: &Arc<Hub>) -> TakeIn {
    let (hub, clock, reveal_ms) = (Arc::clone(hub), Arc::clone(&base.clock), base.limits.reveal_ms);
    Box::new(move |live, news| remote::take_in(&hub, (clock.now(), reveal_ms), live, news))
}
