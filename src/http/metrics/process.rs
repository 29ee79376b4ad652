//! Numbers of the process, from the system.

/// Processor time, memory and files of this process.
#[derive(Default)]
pub struct Process {
    pub cpu_seconds: f64,
    pub resident_bytes: u64,
    pub threads: u64,
    pub open_files: u64,
    /// Seconds since 1970.
    pub started_at: f64,
}

#[cfg(target_os = "linux")]
impl Process {
    /// Reads the numbers, or returns `None` where `/proc` is not readable.
    pub fn read() -> Option<Self> {
        use std::fs;

        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        // The name of the program may contain spaces and ends with a parenthesis.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
        let ticks = rustix::param::clock_ticks_per_second();
        let seconds = |ticked: u64| to_float(ticked) / to_float(ticks.max(1));
        let boot = fs::read_to_string("/proc/stat").ok()?;
        let boot = boot.lines().find_map(|line| line.strip_prefix("btime "))?.parse::<u64>().ok()?;
        let pages = u64::try_from(rustix::param::page_size()).ok()?;
        Some(Self {
            cpu_seconds: seconds(number(11)? + number(12)?),
            threads: number(17)?,
            started_at: to_float(boot) + seconds(number(19)?),
            resident_bytes: number(21)?.saturating_mul(pages),
            open_files: fs::read_dir("/proc/self/fd").ok()?.count() as u64,
        })
    }
}

#[cfg(not(target_os = "linux"))]
impl Process {
    pub const fn read() -> Option<Self> {
        None
    }
}

#[cfg(target_os = "linux")]
#[allow(clippy::cast_precision_loss, reason = "these numbers are far below 2^52")]
const fn to_float(number: u64) -> f64 {
    number as f64
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_threads_memory_and_files() {
        let process = Process::read().unwrap();
        assert!(process.threads >= 1 && process.resident_bytes > 1 << 20 && process.open_files > 2);
        assert!(process.started_at > 1.6e9 && process.cpu_seconds >= 0.0);
    }
}
