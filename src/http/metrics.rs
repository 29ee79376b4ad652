//! Numbers for the operator, in the text format of Prometheus.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
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

/// The counts of all threads that serve.
#[derive(Default)]
pub struct Metrics(Mutex<Vec<Arc<AnswerCounts>>>);

/// Answers of one thread. Separate counters avoid memory shared by all threads.
#[derive(Default)]
pub struct AnswerCounts {
    /// Requests by route pattern, which are few.
    requests: Mutex<BTreeMap<String, Vec<Counted>>>,
    /// Requests by duration: up to each bound and above the one before; the last bucket is above all bounds.
    buckets: [AtomicU64; BUCKETS.len() + 1],
    micros: AtomicU64,
}

struct Counted {
    method: &'static str,
    status: u16,
    count: u64,
}

impl AnswerCounts {
    pub fn note(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        self.count_request(method, route, status);
        // Increases one bucket, not all that include it.
        let seconds = took.as_secs_f64();
        let bucket = BUCKETS.iter().position(|(bound, _)| seconds <= *bound).unwrap_or(BUCKETS.len());
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn count_request(&self, method: &'static str, route: &str, status: u16) {
        let mut requests = self.requests();
        // A counted route needs no allocation.
        if !requests.contains_key(route) {
            requests.insert(route.to_owned(), Vec::new());
        }
        let Some(counted) = requests.get_mut(route) else { return };
        match counted.iter_mut().find(|counted| counted.method == method && counted.status == status) {
            Some(counted) => counted.count += 1,
            None => counted.push(Counted { method, status, count: 1 }),
        }
    }

    fn requests(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Counted>>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Metrics {
    /// Returns counters for another thread.
    pub fn of_thread(&self) -> Arc<AnswerCounts> {
        let counts = Arc::default();
        self.threads().push(Arc::clone(&counts));
        counts
    }

    fn threads(&self) -> MutexGuard<'_, Vec<Arc<AnswerCounts>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns all metrics as text.
    pub fn text(&self, load: Load, connections: usize) -> String {
        let threads = self.threads().clone();
        let mut requests: BTreeMap<(String, &str, u16), u64> = BTreeMap::new();
        for counts in &threads {
            for (route, counted) in counts.requests().iter() {
                for Counted { method, status, count } in counted {
                    *requests.entry((route.clone(), method, *status)).or_default() += count;
                }
            }
        }
        let mut text = String::from("# TYPE playledger_requests_total counter\n");
        for ((route, method, status), count) in requests {
            let _ = writeln!(
                text,
                "playledger_requests_total{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}} {count}"
            );
        }
        text.push_str("# TYPE playledger_request_seconds histogram\n");
        let bounds = BUCKETS.iter().map(|(_, bound)| *bound).chain(["+Inf"]);
        let mut count = 0;
        for (place, bound) in bounds.enumerate() {
            count += threads.iter().map(|counts| counts.buckets[place].load(Ordering::Relaxed)).sum::<u64>();
            let _ = writeln!(text, "playledger_request_seconds_bucket{{le=\"{bound}\"}} {count}");
        }
        let micros = threads.iter().map(|counts| counts.micros.load(Ordering::Relaxed)).sum();
        let seconds = Duration::from_micros(micros).as_secs_f64();
        let _ = writeln!(text, "playledger_request_seconds_sum {seconds}");
        let _ = writeln!(text, "playledger_request_seconds_count {count}");
        let Load {
            waiting,
            live,
            listeners,
            damaged,
            thinking,
            sending,
            silent,
            copies,
            slowest_commit,
            free_bytes,
        } = load;
        let longest = slowest_commit.as_secs_f64();
        let _ = writeln!(
            text,
            "# TYPE playledger_slowest_commit_seconds gauge\nplayledger_slowest_commit_seconds {longest}"
        );
        if let Some(free) = free_bytes {
            let _ = writeln!(text, "# TYPE playledger_free_bytes gauge\nplayledger_free_bytes {free}");
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_thread_counts_is_told_as_one() {
        let metrics = Metrics::default();
        for (status, millis) in [(200, 1), (200, 3), (404, 3)] {
            metrics.of_thread().note("GET", "/", status, Duration::from_millis(millis));
        }
        let load = Load {
            waiting: 0,
            live: 0,
            listeners: 0,
            damaged: 0,
            thinking: 0,
            sending: 0,
            silent: 0,
            copies: 1,
            slowest_commit: Duration::from_millis(1_500),
            free_bytes: Some(7),
        };
        let text = metrics.text(load, 0);
        for line in [
            r#"playledger_requests_total{method="GET",route="/",status="200"} 2"#,
            r#"playledger_requests_total{method="GET",route="/",status="404"} 1"#,
            r#"playledger_request_seconds_bucket{le="0.001"} 1"#,
            r#"playledger_request_seconds_bucket{le="0.005"} 3"#,
            "playledger_request_seconds_sum 0.007",
            "playledger_slowest_commit_seconds 1.5",
            "playledger_free_bytes 7",
            "playledger_request_seconds_count 3",
        ] {
            assert!(text.lines().any(|told| told == line), "{line} is missing in\n{text}");
        }
    }
}
