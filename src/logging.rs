//! The server's log: one line an event, to standard error.
//!
//! Requests never wait for the log. Each thread gathers its lines, and a thread of the log's own writes them.
//! If they are not read, lines are dropped and counted, and the count is logged once there is room again.

use std::{
    cell::OnceCell,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, SystemTime},
};

use serde_json::{Map, Value, json};

use crate::config::{LogFormat, LogLevel};

/// The longest field of a line, in bytes.
const LONGEST: usize = 500;
/// Most bytes of a thread's unwritten lines. Further lines are dropped.
const MOST_GATHERED: usize = 256 << 10;
/// Time for which lines are collected before they are written.
const GATHER: Duration = Duration::from_millis(20);
/// Longest wait for the log at the end of the program.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// Least level of events that are written.
static LEAST: OnceLock<LogLevel> = OnceLock::new();

/// Sets the least level of events that are written, once.
pub fn set_level(level: LogLevel) {
    let _ = LEAST.set(level);
}

/// Logs an event. Returns at once.
pub fn write(format: LogFormat, event: &str, fields: impl FnOnce() -> Value) {
    let line = match format {
        LogFormat::Off => return,
        LogFormat::Json => in_json,
        LogFormat::Text => in_text,
        LogFormat::Journal => in_journal,
    };
    let fields = fields();
    let level = level_of(event, &fields);
    if LEAST.get().is_none_or(|least| level >= *least) {
        let now = SystemTime::now();
        Log::the().gather(now, line(&Event { at: &stamp(now), level, name: event }, fields), line);
    }
}

/// Returns the level of an event.
fn level_of(event: &str, fields: &Value) -> LogLevel {
    match event {
        "damaged" | "chore" => LogLevel::Error,
        "request" if fields["status"].as_u64().is_some_and(|status| status >= 500) => LogLevel::Error,
        "clock" | "disk" | "slow_commit" | "untrusted_proxy" | "log_lines_dropped" => LogLevel::Warning,
        "database" if fields.get("refuses_writes").is_some() => LogLevel::Warning,
        _ => LogLevel::Info,
    }
}

/// The beginning of a line.
struct Event<'e> {
    at: &'e str,
    level: LogLevel,
    name: &'e str,
}

/// Waits until all lines are written, at most a second.
pub fn flush() {
    if let Some(log) = LOG.get() {
        log.flush();
    }
}

static LOG: OnceLock<Arc<Log>> = OnceLock::new();

thread_local! {
    static GATHERED: OnceCell<Arc<Mutex<Gathered>>> = const { OnceCell::new() };
}

/// A format of lines.
type LineFormat = fn(&Event, Value) -> String;

/// Unwritten lines of a thread.
#[derive(Default)]
struct Gathered {
    lines: Vec<(SystemTime, String)>,
    bytes: usize,
    /// Number of dropped lines, and the format of their report.
    dropped: u64,
    line: Option<LineFormat>,
}

#[derive(Default)]
struct Log {
    threads: Mutex<Vec<Arc<Mutex<Gathered>>>>,
    /// Whether there are unwritten lines.
    is_due: AtomicBool,
    is_writing: Mutex<bool>,
    changed: Condvar,
}

impl Log {
    fn the() -> &'static Arc<Self> {
        LOG.get_or_init(|| {
            let log = Arc::<Self>::default();
            let writer = Arc::clone(&log);
            // Without the thread, lines are written by the flush at the end.
            let _ = thread::Builder::new().name("log".to_owned()).spawn(move || {
                loop {
                    writer.write_next(&mut std::io::stderr());
                }
            });
            log
        })
    }

    fn gather(&self, at: SystemTime, text: String, line: LineFormat) {
        let has_room = GATHERED.with(|own| {
            let own = own.get_or_init(|| {
                let gathered = Arc::default();
                lock(&self.threads).push(Arc::clone(&gathered));
                gathered
            });
            lock(own).take(at, text, line)
        });
        if has_room {
            self.call_writer();
        }
    }

    fn call_writer(&self) {
        // The writer clears the flag before it collects, so a set flag means that the writer will see this
        // line.
        if !self.is_due.load(Ordering::SeqCst) && !self.is_due.swap(true, Ordering::SeqCst) {
            drop(lock(&self.is_writing));
            self.changed.notify_all();
        }
    }

    /// Waits for lines, lets more gather for a moment, and writes them.
    fn write_next(&self, to: &mut impl std::io::Write) {
        let is_idle = |_: &mut bool| !self.is_due.load(Ordering::SeqCst);
        drop(self.changed.wait_while(lock(&self.is_writing), is_idle));
        thread::sleep(GATHER);
        self.write_gathered(to);
    }

    fn write_gathered(&self, to: &mut impl std::io::Write) {
        *lock(&self.is_writing) = true;
        self.is_due.store(false, Ordering::SeqCst);
        let _ = to.write_all(self.gathered().as_bytes());
        *lock(&self.is_writing) = false;
        self.changed.notify_all();
    }

    /// Returns the unwritten lines of all threads, in order of time.
    fn gathered(&self) -> String {
        let mut threads = lock(&self.threads);
        let mut lines = Vec::new();
        for thread in threads.iter() {
            lines.append(&mut lock(thread).give());
        }
        // Forget threads that have ended.
        threads.retain(|thread| Arc::strong_count(thread) > 1);
        drop(threads);
        lines.sort_by_key(|(at, _)| *at);
        lines.into_iter().map(|(_, line)| line).collect()
    }

    fn flush(&self) {
        self.call_writer();
        let is_behind = |is_writing: &mut bool| *is_writing || self.is_due.load(Ordering::SeqCst);
        let waited = self.changed.wait_timeout_while(lock(&self.is_writing), LAST_WAIT, is_behind);
        if waited.is_ok_and(|(is_writing, waited)| waited.timed_out() && !*is_writing) {
            // Without a writing thread, write at once.
            self.write_gathered(&mut std::io::stderr());
        }
    }
}

impl Gathered {
    /// Adds a line, or drops it if the buffer is full.
    fn take(&mut self, at: SystemTime, text: String, line: LineFormat) -> bool {
        self.line = Some(line);
        if self.bytes + text.len() > MOST_GATHERED {
            self.dropped += 1;
            return false;
        }
        self.bytes += text.len();
        self.lines.push((at, text));
        true
    }

    /// Returns the lines, and a report of dropped ones.
    fn give(&mut self) -> Vec<(SystemTime, String)> {
        self.bytes = 0;
        let dropped = std::mem::take(&mut self.dropped);
        let mut lines = std::mem::take(&mut self.lines);
        if let (1.., Some(line)) = (dropped, self.line) {
            let now = SystemTime::now();
            let (name, level) = ("log_lines_dropped", LogLevel::Warning);
            lines.push((now, line(&Event { at: &stamp(now), level, name }, json!({"lines": dropped}))));
        }
        lines
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stamp(at: SystemTime) -> String {
    chrono::DateTime::<chrono::Utc>::from(at).to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

fn in_json(Event { at, level, name }: &Event, fields: Value) -> String {
    let mut line = json!({"at": at, "level": level.word(), "event": name});
    if let Some(line) = line.as_object_mut() {
        line.extend(clipped(fields));
    }
    format!("{line}\n")
}

fn in_text(Event { at, level, name }: &Event, fields: Value) -> String {
    format!("{at} {} {name} {}\n", level.word(), shown(fields))
}

/// journald has its own times, and reads the priority from the beginning of a line.
fn in_journal(Event { level, name, .. }: &Event, fields: Value) -> String {
    format!("<{}>{name} {}\n", level.priority(), shown(fields))
}

fn shown(fields: Value) -> String {
    let shown = clipped(fields).map(|(name, value)| match value {
        Value::String(text) => format!("{name}={}", text.escape_debug()),
        other => format!("{name}={other}"),
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Returns the fields of a line, none of them too long.
fn clipped(fields: Value) -> impl Iterator<Item = (String, Value)> {
    let fields = if let Value::Object(fields) = fields { fields } else { Map::new() };
    fields.into_iter().map(|(name, value)| match value {
        Value::String(text) if text.len() > LONGEST => {
            (name, text.chars().take(LONGEST).chain(['…']).collect::<String>().into())
        }
        other => (name, other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::needless_pass_by_value, reason = "as lines are written")]
    fn line(event: &Event, fields: Value) -> String {
        format!("{} {}\n", event.name, fields["lines"])
    }

    #[test]
    fn lines_of_all_threads_are_written_in_the_order_of_time() {
        let log = Log::default();
        let at = |millis| SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
        for times in [[1, 4], [2, 3]] {
            let mut gathered = Gathered::default();
            for time in times {
                assert!(gathered.take(at(time), format!("{time}\n"), line));
            }
            lock(&log.threads).push(Arc::new(Mutex::new(gathered)));
        }
        let mut written = Vec::new();
        log.write_gathered(&mut written);
        assert_eq!(String::from_utf8(written).unwrap(), "1\n2\n3\n4\n");
        assert!(lock(&log.threads).is_empty(), "threads that have ended are forgotten");
    }

    #[test]
    fn a_line_has_its_level() {
        let event = |name, fields: &Value| Event { at: "T", level: level_of(name, fields), name };
        let fault = json!({"status": 503});
        assert_eq!(in_text(&event("request", &fault), fault.clone()), "T error request status=503\n");
        assert_eq!(in_journal(&event("request", &fault), fault.clone()), "<3>request status=503\n");
        let fine = json!({"status": 200});
        let told: Value = serde_json::from_str(&in_json(&event("request", &fine), fine)).unwrap();
        assert_eq!(told, json!({"at": "T", "level": "info", "event": "request", "status": 200}));
        assert_eq!(level_of("clock", &Value::Null), LogLevel::Warning);
    }

    #[test]
    fn lines_that_nobody_reads_are_dropped_and_counted() {
        let mut gathered = Gathered::default();
        let long = "x".repeat(MOST_GATHERED / 4);
        let taken = (0..10).filter(|_| gathered.take(SystemTime::now(), long.clone(), line)).count();
        assert_eq!(taken, 4);
        let lines = gathered.give();
        assert_eq!((lines.len(), lines[4].1.as_str()), (5, "log_lines_dropped 6\n"));
        assert!(gathered.take(SystemTime::now(), long, line), "there is room again");
        assert_eq!(gathered.give().len(), 1);
    }
}
