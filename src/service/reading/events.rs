//! Events, entry by entry, as a viewer may see them.

use uuid::Uuid;

use super::{
    context::ViewOptions,
    event_item::{EventItem, Outline},
    page::Page,
};
use crate::{
    engine::Viewer,
    service::{
        Reading, ServiceError,
        games::{Player, access::seat_of},
    },
    words::Status,
};

/// Where a list of events begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// At this entry.
    Entry(u64),
    /// After the newest entry of the caller's own seat.
    Mine,
}

/// An entry, and the status of the game if it was the last.
pub struct Happened {
    pub item: EventItem,
    pub end: Option<Status>,
}

impl Reading {
    /// Returns the events from an entry on, as the caller may see them.
    pub async fn events(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        from: From,
        limit: u32,
        wish: ViewOptions,
    ) -> Result<Page<EventItem>, ServiceError> {
        let (_, items) =
            self.events_from(uuid, caller, from, limit.into(), wish, |happened| Ok(happened.item)).await?;
        // The cursor of a page is the number of its last entry.
        let newest = self.games.visible(uuid, caller).await?.game()?.game.seq();
        let last = items.last().map(|item: &EventItem| item.seq).filter(|seq| *seq < newest);
        Ok(Page { items, next_cursor: last.map(|seq| seq.to_string()) })
    }

    /// Maps the entries from `from` on, as the caller may see them.
    pub(in crate::service) async fn events_from<T: Send + 'static>(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        from: From,
        limit: u64,
        wish: ViewOptions,
        make: impl Fn(Happened) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<(Viewer, Vec<T>), ServiceError> {
        let locked = self.games.visible(uuid, caller).await?;
        let live = locked.game()?;
        let (key, viewer, newest) = (live.facts.key, live.viewer(caller), live.game.seq());
        let first = match from {
            From::Entry(seq) => seq,
            From::Mine => {
                let seat = seat_of(live, caller.ok_or(ServiceError::NotSeated)?)?;
                live.sitting(seat).map_or(0, |sitting| sitting.acted + 1)
            }
        };
        let context = self.context(live, wish);
        drop(locked);
        if first > newest {
            return Ok((viewer, Vec::new()));
        }
        let items = self.walk((uuid, key), first, limit, move |step| {
            let outline = Outline::of(step.game, step.entry.at, &step.entry.body);
            make(Happened { item: outline.fill(&context, step.game, viewer), end: outline.end })
        });
        Ok((viewer, items.await?))
    }
}
