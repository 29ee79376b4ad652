//! Which hook sends something next: when its time has come, one message at a time, and a few at once to each host.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    sync::Arc,
};

use crate::store::HookKey;

/// How many hooks send at once, and how many of them to one host.
const AT_ONCE: usize = 256;
const TO_ONE_HOST: usize = 4;

#[derive(Default)]
pub struct Schedule {
    /// Those whose time will come.
    times: BTreeSet<(u64, HookKey)>,
    known: HashMap<HookKey, Place>,
    hosts: HashMap<Arc<str>, Host>,
    /// Those whose time has come, and for whom their host has room now.
    admitted: VecDeque<HookKey>,
    under_way: usize,
}

struct Place {
    host: Arc<str>,
    /// When it is to send next; while it waits for its host or sends, what came for it meanwhile.
    due: Option<u64>,
    is_out: bool,
}

#[derive(Default)]
struct Host {
    busy: usize,
    waiting: VecDeque<HookKey>,
}

impl Schedule {
    /// The hook has something to send at this time.
    pub fn add(&mut self, hook: HookKey, host: &Arc<str>, due: u64) {
        let place = self.known.entry(hook).or_insert_with(|| Place {
            host: Arc::clone(host),
            due: None,
            is_out: false,
        });
        if place.due.is_some_and(|before| before <= due) {
            return;
        }
        let before = place.due.replace(due);
        if !place.is_out {
            if let Some(before) = before {
                self.times.remove(&(before, hook));
            }
            self.times.insert((due, hook));
        }
    }

    /// The next hook that may send now.
    pub fn next(&mut self, now: u64) -> Option<HookKey> {
        self.admit(now);
        if self.under_way >= AT_ONCE {
            return None;
        }
        let hook = self.admitted.pop_front()?;
        self.under_way += 1;
        Some(hook)
    }

    /// Lets those to whose time it has come go to their hosts.
    fn admit(&mut self, now: u64) {
        while let Some((due, hook)) = self.times.first().copied().filter(|(due, _)| *due <= now) {
            self.times.remove(&(due, hook));
            let Some(place) = self.known.get_mut(&hook) else { continue };
            (place.due, place.is_out) = (None, true);
            let host = self.hosts.entry(Arc::clone(&place.host)).or_default();
            if host.busy < TO_ONE_HOST {
                host.busy += 1;
                self.admitted.push_back(hook);
            } else {
                host.waiting.push_back(hook);
            }
        }
    }

    /// A hook has sent, and sends again at this time if there is more.
    pub fn done(&mut self, hook: HookKey, next: Option<u64>) {
        self.under_way = self.under_way.saturating_sub(1);
        let Some(place) = self.known.remove(&hook) else { return };
        if let Some(host) = self.hosts.get_mut(&place.host) {
            match host.waiting.pop_front() {
                Some(other) => self.admitted.push_back(other),
                None => host.busy -= 1,
            }
            if host.busy == 0 {
                self.hosts.remove(&place.host);
            }
        }
        for due in next.into_iter().chain(place.due) {
            self.add(hook, &place.host, due);
        }
    }

    /// When the next time comes.
    pub fn wakes_at(&self) -> Option<u64> {
        self.times.first().map(|(due, _)| *due)
    }

    /// How many have something to send, now or later.
    pub fn count(&self) -> usize {
        self.known.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(number: i64) -> HookKey {
        HookKey::of(number)
    }

    fn all(schedule: &mut Schedule, now: u64) -> Vec<HookKey> {
        std::iter::from_fn(|| schedule.next(now)).collect()
    }

    #[test]
    fn each_sends_at_its_time_and_once_at_a_time() {
        let (mut schedule, host) = (Schedule::default(), Arc::from("a.example"));
        schedule.add(hook(1), &host, 20);
        schedule.add(hook(2), &host, 10);
        schedule.add(hook(1), &host, 30);
        assert_eq!(schedule.wakes_at(), Some(10));
        assert_eq!(all(&mut schedule, 15), [hook(2)]);
        assert_eq!(all(&mut schedule, 25), [hook(1)]);
        schedule.add(hook(1), &host, 5);
        assert!(all(&mut schedule, 25).is_empty(), "it is sending");
        schedule.done(hook(1), None);
        assert_eq!(all(&mut schedule, 25), [hook(1)], "what came meanwhile is not forgotten");
        schedule.done(hook(1), Some(40));
        schedule.done(hook(2), None);
        assert_eq!((schedule.wakes_at(), schedule.count()), (Some(40), 1));
        schedule.add(hook(1), &host, 35);
        assert_eq!(all(&mut schedule, 39), [hook(1)], "the earlier time counts");
    }

    #[test]
    fn a_host_that_takes_its_time_keeps_no_other_waiting() {
        let (mut schedule, slow, fast) = (Schedule::default(), Arc::from("slow"), Arc::from("fast"));
        for number in 0..1_000 {
            schedule.add(hook(number), &slow, 1);
        }
        schedule.add(hook(5_000), &fast, 2);
        let first = all(&mut schedule, 3);
        assert_eq!(first.len(), TO_ONE_HOST + 1);
        assert!(first.contains(&hook(5_000)));
        schedule.done(hook(0), None);
        assert_eq!(all(&mut schedule, 3), [hook(4)], "who has waited longest comes next");
        let mut sent = 6;
        for number in 1..1_000 {
            schedule.done(hook(number), None);
            sent += all(&mut schedule, 3).len();
        }
        assert_eq!(sent, 1_001);
        schedule.done(hook(5_000), None);
        assert_eq!((schedule.count(), schedule.under_way, schedule.hosts.len()), (0, 0, 0));
    }

    #[test]
    fn no_more_send_at_once_than_may() {
        let mut schedule = Schedule::default();
        for number in 0..1_000 {
            schedule.add(hook(number), &format!("{number}.example").into(), 1);
        }
        assert_eq!(all(&mut schedule, 1).len(), AT_ONCE);
        schedule.done(hook(0), None);
        assert_eq!(all(&mut schedule, 1).len(), 1);
    }
}
