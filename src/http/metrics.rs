//! Numbers for the operator, in the text format of Prometheus.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crate::service::Load;

/// Upper bounds of the buckets of durations, in seconds.
const BUCKETS: [(f64, &str); 8] = [
    (0.0005, "0.0005"),
    (0.001, "0.001"),
    (0.005, "0.005"),
    (0.025, "0.025"),
    (0.1, "0.1"),
    (0.5, "0.5"),
    (2.5, "2.5"),
    (10.0, "10"),
];

#[derive(Default)]
pub struct Metrics {
    /// Requests by route. Routes are patterns, so that there are few.
    requests: Mutex<BTreeMap<String, Vec<Counted>>>,
    /// How many took no longer than the bound and longer than the one before; the last is of those beyond all bounds.
    buckets: [AtomicU64; BUCKETS.len() + 1],
    micros: AtomicU64,
}

struct Counted {
    method: &'static str,
    status: u16,
    count: u64,
}

impl Metrics {
    pub fn note(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        self.count_request(method, route, status);
        // One number is changed and not all that it is within: the threads that serve share them.
        let seconds = took.as_secs_f64();
        let bucket = BUCKETS.iter().position(|(bound, _)| seconds <= *bound).unwrap_or(BUCKETS.len());
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn count_request(&self, method: &'static str, route: &str, status: u16) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        // Nothing is allocated for what has been counted before, which is nearly always so.
        if !requests.contains_key(route) {
            requests.insert(route.to_owned(), Vec::new());
        }
        let Some(counted) = requests.get_mut(route) else { return };
        match counted.iter_mut().find(|counted| counted.method == method && counted.status == status) {
            Some(counted) => counted.count += 1,
            None => counted.push(Counted { method, status, count: 1 }),
        }
    }

    /// The text, with how busy the service is.
    pub fn text(&self, load: Load, connections: usize) -> String {
        let mut text = String::from("# TYPE playledger_requests_total counter\n");
        for (route, counted) in self.requests.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            for Counted { method, status, count } in counted {
                let _ = writeln!(
                    text,
                    "playledger_requests_total{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}} {count}"
                );
            }
        }
        text.push_str("# TYPE playledger_request_seconds histogram\n");
        let bounds = BUCKETS.iter().map(|(_, bound)| *bound).chain(["+Inf"]);
        let mut count = 0;
        for (bucket, bound) in self.buckets.iter().zip(bounds) {
            count += bucket.load(Ordering::Relaxed);
            let _ = writeln!(text, "playledger_request_seconds_bucket{{le=\"{bound}\"}} {count}");
        }
        let seconds = Duration::from_micros(self.micros.load(Ordering::Relaxed)).as_secs_f64();
        let _ = writeln!(text, "playledger_request_seconds_sum {seconds}");
        let _ = writeln!(text, "playledger_request_seconds_count {count}");
        let Load { waiting, live, listeners, damaged, thinking, sending, silent, copies } = load;
        for (name, number) in [
            ("writes_waiting", waiting),
            ("live_games", live),
            ("listeners", listeners),
            ("connections", connections),
            ("damaged_games", damaged),
            ("games_thought_over", thinking),
            ("hooks_with_messages", sending),
            ("silent_witnesses", silent),
            ("durable_copies", usize::try_from(copies).unwrap_or(usize::MAX)),
        ] {
            let _ = writeln!(text, "# TYPE playledger_{name} gauge\nplayledger_{name} {number}");
        }
        text
    }
}
