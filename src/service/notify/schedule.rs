//! The schedule of hooks: one message of a hook at a time, and a few at once to each host.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    sync::Arc,
};

use crate::store::HookKey;

/// Hooks that send at once, unconfirmed hooks that do, and hooks of one host that do.
const AT_ONCE: usize = 256;
const UNPROVED_AT_ONCE: usize = 64;
const TO_ONE_HOST: usize = 4;

#[derive(Default)]
pub struct Schedule {
    /// Hooks that are due later.
    times: BTreeSet<(u64, HookKey)>,
    known: HashMap<HookKey, DuePosition>,
    /// Hosts, apart for confirmed and unconfirmed hooks: unconfirmed hooks never delay confirmed ones.
    hosts: HashMap<(Arc<str>, bool), Host>,
    /// Due hooks whose host has room: confirmed, and unconfirmed.
    proved: Admitted,
    unproved: Admitted,
}

#[derive(Default)]
struct Admitted {
    waiting: VecDeque<HookKey>,
    under_way: usize,
}

struct DuePosition {
    host: Arc<str>,
    /// Whether the hook is confirmed.
    is_proved: bool,
    /// When the hook is due. While it waits for its host or sends: when it is due again.
    due: Option<u64>,
    is_out: bool,
}

#[derive(Default)]
struct Host {
    busy: usize,
    waiting: VecDeque<HookKey>,
}

impl Schedule {
    /// Notes that a hook has a message to send at this time.
    pub fn add(&mut self, hook: HookKey, host: &Arc<str>, is_proved: bool, due: u64) {
        let place = self.known.entry(hook).or_insert_with(|| DuePosition {
            host: Arc::clone(host),
            is_proved,
            due: None,
            is_out: false,
        });
        if !place.is_out {
            place.is_proved = is_proved;
        }
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

    /// Takes the next hook that may send now.
    pub fn next(&mut self, now: u64) -> Option<HookKey> {
        self.admit(now);
        self.proved.next(AT_ONCE - UNPROVED_AT_ONCE).or_else(|| self.unproved.next(UNPROVED_AT_ONCE))
    }

    fn admitted(&mut self, is_proved: bool) -> &mut Admitted {
        if is_proved { &mut self.proved } else { &mut self.unproved }
    }

    /// Moves due hooks to their hosts.
    fn admit(&mut self, now: u64) {
        while let Some((due, hook)) = self.times.first().copied().filter(|(due, _)| *due <= now) {
            self.times.remove(&(due, hook));
            let Some(place) = self.known.get_mut(&hook) else { continue };
            (place.due, place.is_out) = (None, true);
            let is_proved = place.is_proved;
            let host = self.hosts.entry((Arc::clone(&place.host), is_proved)).or_default();
            if host.busy < TO_ONE_HOST {
                host.busy += 1;
                self.admitted(is_proved).waiting.push_back(hook);
            } else {
                host.waiting.push_back(hook);
            }
        }
    }

    /// Notes that a hook has sent, and when it is due again.
    pub fn done(&mut self, hook: HookKey, next: Option<u64>) {
        let Some(place) = self.known.remove(&hook) else { return };
        let admitted = self.admitted(place.is_proved);
        admitted.under_way = admitted.under_way.saturating_sub(1);
        let at = (Arc::clone(&place.host), place.is_proved);
        if let Some(host) = self.hosts.get_mut(&at) {
            match host.waiting.pop_front() {
                Some(other) => self.admitted(place.is_proved).waiting.push_back(other),
                None if host.busy == 1 => drop(self.hosts.remove(&at)),
                None => host.busy -= 1,
            }
        }
        for due in next.into_iter().chain(place.due) {
            self.add(hook, &place.host, place.is_proved, due);
        }
    }

    /// Returns the time of the next due hook.
    pub fn wakes_at(&self) -> Option<u64> {
        self.times.first().map(|(due, _)| *due)
    }

    /// Returns the number of hooks with messages to send.
    pub fn count(&self) -> usize {
        self.known.len()
    }
}

impl Admitted {
    fn next(&mut self, at_once: usize) -> Option<HookKey> {
        if self.under_way >= at_once {
            return None;
        }
        let hook = self.waiting.pop_front()?;
        self.under_way += 1;
        Some(hook)
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
        schedule.add(hook(1), &host, true, 20);
        schedule.add(hook(2), &host, true, 10);
        schedule.add(hook(1), &host, true, 30);
        assert_eq!(schedule.wakes_at(), Some(10));
        assert_eq!(all(&mut schedule, 15), [hook(2)]);
        assert_eq!(all(&mut schedule, 25), [hook(1)]);
        schedule.add(hook(1), &host, true, 5);
        assert!(all(&mut schedule, 25).is_empty(), "it is sending");
        schedule.done(hook(1), None);
        assert_eq!(all(&mut schedule, 25), [hook(1)], "what came meanwhile is not forgotten");
        schedule.done(hook(1), Some(40));
        schedule.done(hook(2), None);
        assert_eq!((schedule.wakes_at(), schedule.count()), (Some(40), 1));
        schedule.add(hook(1), &host, true, 35);
        assert_eq!(all(&mut schedule, 39), [hook(1)], "the earlier time counts");
    }

    #[test]
    fn a_host_that_takes_its_time_keeps_no_other_waiting() {
        let (mut schedule, slow, fast) = (Schedule::default(), Arc::from("slow"), Arc::from("fast"));
        for number in 0..1_000 {
            schedule.add(hook(number), &slow, true, 1);
        }
        schedule.add(hook(5_000), &fast, true, 2);
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
        assert_eq!((schedule.count(), schedule.proved.under_way, schedule.hosts.len()), (0, 0, 0));
    }

    #[test]
    fn no_more_send_at_once_than_may() {
        let mut schedule = Schedule::default();
        for number in 0..1_000 {
            schedule.add(hook(number), &format!("{number}.example").into(), true, 1);
        }
        assert_eq!(all(&mut schedule, 1).len(), AT_ONCE - UNPROVED_AT_ONCE);
        schedule.done(hook(0), None);
        assert_eq!(all(&mut schedule, 1).len(), 1);
    }

    #[test]
    fn hooks_that_are_not_proved_leave_the_places_of_the_others_free() {
        let mut schedule = Schedule::default();
        for number in 0..1_000 {
            schedule.add(hook(number), &format!("{number}.example").into(), false, 1);
        }
        assert_eq!(all(&mut schedule, 1).len(), UNPROVED_AT_ONCE);
        schedule.add(hook(5_000), &"friend.example".into(), true, 1);
        assert_eq!(all(&mut schedule, 1), [hook(5_000)]);
        schedule.done(hook(0), None);
        assert_eq!(all(&mut schedule, 1), [hook(64)]);
        let shared: Arc<str> = "shared.example".into();
        for number in 6_000..6_010 {
            schedule.add(hook(number), &shared, false, 1);
        }
        assert!(all(&mut schedule, 1).is_empty());
        schedule.add(hook(7_000), &shared, true, 1);
        assert_eq!(all(&mut schedule, 1), [hook(7_000)], "nor do they keep a host from them");
    }
}
