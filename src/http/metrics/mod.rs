//! Numbers for the operator, in the text format of Prometheus.

mod process;
mod text;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crate::service::{Census, Load};
use process::Process;
use text::MetricText;

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

/// Answers of one thread, by route pattern, which are few. Separate counters avoid memory shared by all
/// threads.
#[derive(Default)]
pub struct AnswerCounts(Mutex<BTreeMap<String, RouteCounts>>);

/// Answers of a route.
#[derive(Clone, Default)]
struct RouteCounts {
    answers: Vec<Counted>,
    /// Answers by duration: up to each bound and above the one before; the last bucket is above all bounds.
    buckets: [u64; BUCKETS.len() + 1],
    micros: u64,
}

#[derive(Clone)]
struct Counted {
    method: &'static str,
    status: u16,
    count: u64,
}

/// An answer to count.
pub struct Answered<'a> {
    pub method: &'static str,
    pub route: &'a str,
    pub status: u16,
    /// How long it took. `None` for streams and polls, which wait for others.
    pub took: Option<Duration>,
}

impl AnswerCounts {
    pub fn note(&self, answered: &Answered) {
        let mut routes = self.routes();
        // A counted route needs no allocation.
        if !routes.contains_key(answered.route) {
            routes.insert(answered.route.to_owned(), RouteCounts::default());
        }
        if let Some(counts) = routes.get_mut(answered.route) {
            counts.note(answered);
        }
    }

    fn routes(&self) -> MutexGuard<'_, BTreeMap<String, RouteCounts>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RouteCounts {
    fn note(&mut self, Answered { method, status, took, .. }: &Answered) {
        self.add(method, *status, 1);
        if let Some(took) = took {
            let seconds = took.as_secs_f64();
            let bucket = BUCKETS.iter().position(|(bound, _)| seconds <= *bound).unwrap_or(BUCKETS.len());
            self.buckets[bucket] += 1;
            self.micros += u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        }
    }

    fn add(&mut self, method: &'static str, status: u16, more: u64) {
        let is_it = |counted: &&mut Counted| counted.method == method && counted.status == status;
        match self.answers.iter_mut().find(is_it) {
            Some(counted) => counted.count += more,
            None => self.answers.push(Counted { method, status, count: more }),
        }
    }

    fn join(&mut self, other: &Self) {
        for Counted { method, status, count } in &other.answers {
            self.add(method, *status, *count);
        }
        for (bucket, more) in self.buckets.iter_mut().zip(other.buckets) {
            *bucket += more;
        }
        self.micros += other.micros;
    }
}

/// Numbers of the server besides its answers.
pub struct Report {
    pub load: Load,
    pub census: Census,
    pub connections: usize,
    pub is_ready: bool,
    pub is_shared: bool,
    /// Bytes of the database file and of its write-ahead log.
    pub database_bytes: Option<u64>,
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
    pub fn text(&self, report: &Report) -> String {
        let mut text = MetricText::default();
        self.tell_answers(&mut text);
        tell_load(&mut text, report);
        tell_census(&mut text, &report.census);
        tell_process(&mut text);
        text.finish()
    }

    fn tell_answers(&self, text: &mut MetricText) {
        let mut routes: BTreeMap<String, RouteCounts> = BTreeMap::new();
        for counts in self.threads().iter() {
            for (route, counted) in counts.routes().iter() {
                routes.entry(route.clone()).or_default().join(counted);
            }
        }
        text.family("playledger_requests_total", "counter", "Answered requests.");
        for (route, counts) in &routes {
            for Counted { method, status, count } in &counts.answers {
                let labels = format!(r#"method="{method}",route="{route}",status="{status}""#);
                text.line("playledger_requests_total", &labels, count);
            }
        }
        let help = "Time to answer, without streams and polls.";
        text.family("playledger_request_seconds", "histogram", help);
        for (route, counts) in routes.iter().filter(|(_, counts)| counts.buckets.iter().any(|more| *more > 0))
        {
            let mut count = 0;
            let bounds = BUCKETS.iter().map(|(_, bound)| *bound).chain(["+Inf"]);
            for (bound, more) in bounds.zip(counts.buckets) {
                count += more;
                let labels = format!(r#"route="{route}",le="{bound}""#);
                text.line("playledger_request_seconds_bucket", &labels, count);
            }
            let labels = format!(r#"route="{route}""#);
            let seconds = Duration::from_micros(counts.micros).as_secs_f64();
            text.line("playledger_request_seconds_sum", &labels, seconds);
            text.line("playledger_request_seconds_count", &labels, count);
        }
    }
}

fn tell_load(text: &mut MetricText, report: &Report) {
    let Load { deliveries, entries, checkpoint_age, slowest_commit, free_bytes, .. } = &report.load;
    let load = &report.load;
    let is = u8::from;
    text.gauge("playledger_ready", "1 if moves can be saved.", is(report.is_ready));
    text.gauge("playledger_shared_database", "1 if the database is PostgreSQL.", is(report.is_shared));
    text.family("playledger_entries_total", "counter", "Entries written to logs of games.");
    text.line("playledger_entries_total", "", entries);
    text.family("playledger_deliveries_total", "counter", "Attempts to deliver a notification.");
    for (channel, outcome, count) in deliveries {
        let labels = format!(r#"channel="{channel}",outcome="{outcome}""#);
        text.line("playledger_deliveries_total", &labels, count);
    }
    if let Some(age) = checkpoint_age {
        let help = "Time since the public tree was last published, or found to be current.";
        text.gauge("playledger_checkpoint_age_seconds", help, age.as_secs());
    }
    let help = "The longest commit since the start.";
    text.gauge("playledger_slowest_commit_seconds", help, slowest_commit.as_secs_f64());
    if let Some(free) = free_bytes {
        text.gauge("playledger_free_bytes", "Free space for the database.", free);
    }
    if let Some(bytes) = report.database_bytes {
        text.gauge("playledger_database_bytes", "Size of the database with its write-ahead log.", bytes);
    }
    let copies = usize::try_from(load.copies).unwrap_or(usize::MAX);
    for (name, number, help) in [
        ("playledger_writes_waiting", load.waiting, "Writes that wait."),
        ("playledger_live_games", load.live, "Games in memory."),
        ("playledger_listeners", load.listeners, "Streams and long polls."),
        ("playledger_connections", report.connections, "Open connections."),
        ("playledger_damaged_games", load.damaged, "Games that cannot be read."),
        ("playledger_games_thought_over", load.thinking, "Games that wait for a bot."),
        ("playledger_hooks_with_messages", load.sending, "Webhooks and addresses with messages to send."),
        ("playledger_silent_witnesses", load.silent, "Witnesses that have not signed the newest checkpoint."),
        ("playledger_durable_copies", copies, "Machines with a copy of an acknowledged write."),
    ] {
        text.gauge(name, help, number);
    }
}

fn tell_census(text: &mut MetricText, census: &Census) {
    text.family("playledger_games", "gauge", "Games by status.");
    for (status, count) in &census.games {
        text.line("playledger_games", &format!(r#"status="{status}""#), count);
    }
    text.gauge("playledger_players", "Accounts, without built-in bots.", census.players);
    text.gauge("playledger_active_players", "Accounts that were used within a day.", census.active_players);
    text.gauge("playledger_open_reports", "Reports that no operator has closed.", census.open_reports);
}

fn tell_process(text: &mut MetricText) {
    text.family("playledger_build_info", "gauge", "The version of the program.");
    text.line("playledger_build_info", concat!(r#"version=""#, env!("CARGO_PKG_VERSION"), r#"""#), 1);
    let Some(process) = Process::read() else { return };
    text.family("process_cpu_seconds_total", "counter", "Processor time.");
    text.line("process_cpu_seconds_total", "", process.cpu_seconds);
    text.gauge("process_resident_memory_bytes", "Memory in use.", process.resident_bytes);
    text.gauge("process_threads", "Threads.", process.threads);
    text.gauge("process_open_fds", "Open files and connections.", process.open_files);
    text.gauge("process_start_time_seconds", "Start of the process, since 1970.", process.started_at);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_thread_counts_is_told_as_one() {
        let metrics = Metrics::default();
        for (status, millis) in [(200, Some(1)), (200, Some(3)), (404, Some(3)), (200, None)] {
            let took = millis.map(Duration::from_millis);
            metrics.of_thread().note(&Answered { method: "GET", route: "/", status, took });
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
            entries: 5,
            deliveries: vec![("mail", "failed", 2)],
            checkpoint_age: Some(Duration::from_secs(9)),
        };
        let census = Census { games: vec![("open".into(), 3)], ..Census::default() };
        let (connections, is_ready, is_shared, database_bytes) = (0, true, false, Some(11));
        let text = metrics.text(&Report { load, census, connections, is_ready, is_shared, database_bytes });
        for line in [
            "# HELP playledger_requests_total Answered requests.",
            r#"playledger_requests_total{method="GET",route="/",status="200"} 3"#,
            r#"playledger_requests_total{method="GET",route="/",status="404"} 1"#,
            r#"playledger_request_seconds_bucket{route="/",le="0.001"} 1"#,
            r#"playledger_request_seconds_bucket{route="/",le="0.005"} 3"#,
            r#"playledger_request_seconds_sum{route="/"} 0.007"#,
            r#"playledger_request_seconds_count{route="/"} 3"#,
            "playledger_slowest_commit_seconds 1.5",
            "playledger_free_bytes 7",
            "playledger_database_bytes 11",
            "playledger_ready 1",
            "playledger_checkpoint_age_seconds 9",
            r#"playledger_deliveries_total{channel="mail",outcome="failed"} 2"#,
            r#"playledger_games{status="open"} 3"#,
        ] {
            assert!(text.lines().any(|told| told == line), "{line} is missing in\n{text}");
        }
    }
}
