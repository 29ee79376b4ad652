//! What the machine does besides.

use std::{fs, io, time::Duration};

/// What Linux counts processors' time in.
const TICK_MICROSECONDS: f64 = 10_000.0;
/// A machine is at rest that does less than a twentieth of one processor's work.
const LOOK: Duration = Duration::from_millis(200);
const AT_REST: f64 = 10_000.0;

/// For how long all processors of this machine have been busy, in microseconds.
pub fn busy() -> io::Result<f64> {
    let counted = fs::read_to_string("/proc/stat")?;
    let ticks: Vec<f64> =
        counted.lines().next().unwrap_or_default().split(' ').filter_map(|word| word.parse().ok()).collect();
    // User, nice, system, idle, waiting, and what interrupts take.
    let idle: f64 = ticks.iter().skip(3).take(2).sum();
    Ok((ticks.iter().take(8).sum::<f64>() - idle) * TICK_MICROSECONDS)
}

/// Waits until all is done that a round has left to be done (sweeping, checkpoints): it belongs to this round, not to the next.
pub fn rest() -> io::Result<()> {
    loop {
        let before = busy()?;
        std::thread::sleep(LOOK);
        if busy()? - before <= AT_REST {
            return Ok(());
        }
    }
}
