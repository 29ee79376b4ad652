//! Load of the machine by other processes.

use std::{fs, io, time::Duration};

/// Length of a clock tick of Linux.
const TICK_MICROSECONDS: f64 = 10_000.0;
/// A machine at rest uses less than a twentieth of a processor.
const LOOK: Duration = Duration::from_millis(200);
const AT_REST: f64 = 10_000.0;

/// Returns the busy time of all processors, in microseconds.
pub fn busy() -> io::Result<f64> {
    let counted = fs::read_to_string("/proc/stat")?;
    let ticks: Vec<f64> =
        counted.lines().next().unwrap_or_default().split(' ').filter_map(|word| word.parse().ok()).collect();
    // User, nice, system, idle, I/O wait, interrupts.
    let idle: f64 = ticks.iter().skip(3).take(2).sum();
    Ok((ticks.iter().take(8).sum::<f64>() - idle) * TICK_MICROSECONDS)
}

/// Waits for background work of a round (compaction, checkpoints), which must not burden the next one.
pub fn rest() -> io::Result<()> {
    loop {
        let before = busy()?;
        std::thread::sleep(LOOK);
        if busy()? - before <= AT_REST {
            return Ok(());
        }
    }
}
