//! Messages between servers, by `NOTIFY`. A message may be lost; the receiver searches for changes from time
//! to time.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::mpsc::{self, UnboundedReceiver, UnboundedSender},
    time::sleep,
};
use tokio_postgres::AsyncMessage;
use uuid::Uuid;

use super::{
    link::{PooledLine, in_time},
    target::Target,
};
use crate::store::{PeerEvent, StoreError};

/// Minimum time between notifications. Messages meanwhile share the next one.
const PAUSE: Duration = Duration::from_millis(5);
/// Interval of searches where notifications are not possible.
const POLL: Duration = Duration::from_millis(100);
/// PostgreSQL accepts less than 8,000 bytes.
const MOST_BYTES: usize = 7_900;
const AGAIN: Duration = Duration::from_millis(500);
/// After this silence, the connection is tested.
const STILL_THERE: Duration = Duration::from_secs(5);

/// The channel, and the id of this server.
#[derive(Clone)]
pub struct Circle {
    pub channel: String,
    pub node: Uuid,
    /// Whether servers search instead of listening.
    pub is_polling: bool,
}

/// Starts the task that sends messages, and returns its queue.
pub fn ringer(target: &Arc<Target>, circle: Circle) -> UnboundedSender<String> {
    let (ring, mut lines) = mpsc::unbounded_channel::<String>();
    let line = PooledLine::new(target);
    target.runtime.spawn(async move {
        let mut gathered = Vec::new();
        while lines.recv_many(&mut gathered, 1_024).await > 0 {
            let lines = std::mem::take(&mut gathered);
            if circle.is_polling {
                continue;
            }
            for payload in payloads(&circle.node.simple().to_string(), lines) {
                // A lost message is allowed.
                let _ = ring_once(&line, &circle.channel, &payload).await;
            }
            sleep(PAUSE).await;
        }
    });
    ring
}

/// Sends a notification. Its commit need not be durable, because a notification does not outlive a crash.
async fn ring_once(line: &PooledLine, channel: &str, payload: &str) -> Result<(), StoreError> {
    let link = line.link().await?;
    let ring = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";
    let rung = in_time(link.query(ring, &[&channel, &payload])).await;
    if rung.is_err() {
        line.drop_link(&link).await;
    }
    rung.map(|_| ())
}

/// Packs messages into as few notifications as possible. A message that is too long is dropped.
fn payloads(node: &str, lines: Vec<String>) -> Vec<String> {
    let mut payloads: Vec<String> = Vec::new();
    for line in lines.into_iter().filter(|line| node.len() + 1 + line.len() <= MOST_BYTES) {
        match payloads.last_mut().filter(|payload| payload.len() + 1 + line.len() <= MOST_BYTES) {
            Some(payload) => {
                payload.push('\n');
                payload.push_str(&line);
            }
            None => payloads.push(format!("{node}\n{line}")),
        }
    }
    payloads
}

/// Starts the listening task, and returns its notifications.
pub fn ear(target: &Arc<Target>, circle: Circle) -> UnboundedReceiver<PeerEvent> {
    let (tell, heard) = mpsc::unbounded_channel();
    let target_here = Arc::clone(target);
    target.runtime.spawn(async move {
        while !tell.is_closed() {
            if circle.is_polling {
                sleep(POLL).await;
                let _ = tell.send(PeerEvent::Missed);
            } else if listen(&target_here, &circle, &tell).await.is_err() {
                sleep(AGAIN).await;
            }
        }
    });
    heard
}

/// Listens until the connection is lost.
async fn listen(
    target: &Arc<Target>,
    circle: &Circle,
    tell: &UnboundedSender<PeerEvent>,
) -> Result<(), StoreError> {
    let (sender, mut messages) = mpsc::unbounded_channel();
    let link = target.connect(Some(sender)).await?;
    link.run(&format!("LISTEN \"{}\"", circle.channel)).await?;
    // Earlier messages may be lost.
    let _ = tell.send(PeerEvent::Missed);
    let own = circle.node.simple().to_string();
    loop {
        tokio::select! {
            message = messages.recv() => match message {
                Some(AsyncMessage::Notification(bell)) => {
                    let (node, lines) = bell.payload().split_once('\n').unwrap_or_default();
                    if node != own {
                        for line in lines.lines() {
                            let _ = tell.send(PeerEvent::Line(line.to_owned()));
                        }
                    }
                }
                Some(_) => {}
                None => return Ok(()),
            },
            () = sleep(STILL_THERE) => {
                let asked = tokio::time::timeout(STILL_THERE, link.run("SELECT 1")).await;
                asked.map_err(|_| super::link::late())??;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bell_carries_what_fits() {
        let line = |length: usize| "x".repeat(length);
        let payloads = payloads("n", vec![line(4_000), line(3_000), line(1_000), line(9_000), line(2)]);
        let lengths: Vec<usize> = payloads.iter().map(String::len).collect();
        assert_eq!(lengths, [7_003, 1_005]);
    }
}
