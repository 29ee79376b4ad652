//! What happened, entry by entry, as a viewer may see it.

use uuid::Uuid;

use super::{
    event_item::{EventItem, Outline},
    page::Items,
};
use crate::{
    engine::Viewer,
    service::{Service, ServiceError, game::Player},
};

impl Service {
    /// What happened after an entry, as the caller may see it.
    pub async fn events(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        after: Option<u64>,
        limit: u32,
    ) -> Result<Items<EventItem>, ServiceError> {
        let first = after.map_or(0, |after| after.saturating_add(1));
        let (_, items) = self.events_from(uuid, caller, first, limit.into(), Ok).await?;
        Ok(Items { items })
    }

    /// What is made of all that happened from an entry on, and as whom the caller sees it.
    pub(in crate::service) async fn events_from<T: Send + 'static>(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        first: u64,
        limit: u64,
        make: impl Fn(EventItem) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<(Viewer, Vec<T>), ServiceError> {
        let locked = self.visible(uuid, caller).await?;
        let live = locked.game()?;
        let (key, viewer, newest) = (live.facts.key, live.viewer(caller), live.game.seq());
        drop(locked);
        if first > newest {
            return Ok((viewer, Vec::new()));
        }
        let items = self.walk((uuid, key), first, limit, move |step| {
            let outline = Outline::of(step.game.setting.seats, step.entry.at, &step.entry.body);
            make(outline.fill(step.game.table.as_ref(), viewer, step.entry.seq))
        });
        Ok((viewer, items.await?))
    }
}
