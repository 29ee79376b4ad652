//! Suppression: no message about a page that the player looks at, and none in quiet hours.

use std::collections::BTreeMap;

use super::{
    quiet,
    sender::{LATE, is_test},
};
use crate::{
    service::{Notifier, ServiceError},
    store::{DeliveryKey, DeliveryRow, Fate, HookRow},
};

/// A page that was open for this long was seen: dead connections are known by then.
const SEEN: u64 = 90_000;

impl Notifier {
    /// Returns the messages to send now, without those that are suppressed.
    pub(super) async fn unless_unwelcome(
        &self,
        row: &HookRow,
        due: Vec<DeliveryRow>,
        now: u64,
    ) -> Result<Vec<DeliveryRow>, ServiceError> {
        let (tests, news): (Vec<_>, Vec<_>) = due.into_iter().partition(is_test);
        let keys = || news.iter().map(|delivery| delivery.key).collect();
        if news.is_empty() {
            return Ok(tests);
        }
        if self.feed.hub.is_present(row.player) {
            self.put_off(&news, now).await?;
            return Ok(tests);
        }
        match quiet::until(&self.store.quiet(row.player).await?, now) {
            Some(later) => {
                self.settle(keys(), Some(later), Fate::default()).await?;
                Ok(tests)
            }
            None => Ok(tests.into_iter().chain(news).collect()),
        }
    }

    /// Delays news about a page that seems to be open: a page that was just closed, or a phone without a
    /// signal, looks open for a while. A page that stays open long enough was seen.
    async fn put_off(&self, news: &[DeliveryRow], now: u64) -> Result<(), ServiceError> {
        let (mut seen, mut later) = (Vec::new(), BTreeMap::<u64, Vec<DeliveryKey>>::new());
        for one in news {
            match [LATE, SEEN].into_iter().map(|pause| one.at.saturating_add(pause)).find(|look| now < *look)
            {
                Some(look) => later.entry(look).or_default().push(one.key),
                None => seen.push(one.key),
            }
        }
        self.drop_deliveries(seen).await?;
        for (look, keys) in later {
            self.settle(keys, Some(look), Fate::default()).await?;
        }
        Ok(())
    }
}
