//! Attempts to deliver notifications, counted for the operator.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::words::Way;

const CHANNELS: [&str; 3] = ["webhook", "mail", "push"];
const OUTCOMES: [&str; 2] = ["delivered", "failed"];

/// Attempts by channel and outcome.
#[derive(Default)]
pub struct DeliveryCounts([[AtomicU64; OUTCOMES.len()]; CHANNELS.len()]);

impl DeliveryCounts {
    /// Counts an attempt that was successful or not.
    pub fn note(&self, way: Way, is_delivered: bool) {
        let channel = match way {
            Way::Mail => 1,
            Way::Push => 2,
            Way::Standard | Way::Discord | Way::Slack | Way::Ntfy => 0,
        };
        self.0[channel][usize::from(!is_delivered)].fetch_add(1, Ordering::Relaxed);
    }

    /// Returns channel, outcome and number.
    pub fn list(&self) -> Vec<(&'static str, &'static str, u64)> {
        let of_channel = |(channel, counts): (&'static str, &[AtomicU64; OUTCOMES.len()])| {
            let counted = OUTCOMES.into_iter().zip(counts);
            counted
                .map(|(outcome, count)| (channel, outcome, count.load(Ordering::Relaxed)))
                .collect::<Vec<_>>()
        };
        CHANNELS.into_iter().zip(&self.0).flat_map(of_channel).collect()
    }
}
