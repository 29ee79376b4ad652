//! The release server, as a process of its own.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::client::Failure;

/// The flags of a server without limits.
pub const UNLIMITED: [&str; 8] = [
    "--requests-per-second",
    "0",
    "--players-of-client",
    "0",
    "--games-a-day",
    "0",
    "--games-of-player",
    "1000000",
];

pub struct Server {
    child: Child,
    pub address: SocketAddr,
    /// Time from the start of the process to its first line, printed when it listens.
    pub started_in: Duration,
    database: PathBuf,
}

impl Server {
    /// Starts a server without limits.
    pub fn start(database: &Path) -> Result<Self, Failure> {
        Self::start_with(database, &UNLIMITED)
    }

    pub fn start_with(database: &Path, flags: &[&str]) -> Result<Self, Failure> {
        Self::start_program(env!("CARGO_BIN_EXE_playledger"), database, flags)
    }

    /// Starts another build of the server.
    pub fn start_program(program: &str, database: &Path, flags: &[&str]) -> Result<Self, Failure> {
        let begin = Instant::now();
        let mut child = Command::new(program)
            .args(["--listen", "127.0.0.1:0", "--log-format", "off"])
            // Earlier builds do not know these flags.
            .envs([("PLAYLEDGER_STREAMS_OF_CLIENT", "0"), ("PLAYLEDGER_BOT_STEP_MS", "0")])
            .args(flags)
            .arg("--database")
            .arg(database)
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take().ok_or("the server says nothing")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let started_in = begin.elapsed();
        let address = line.trim().rsplit('/').nth(1).ok_or("the server does not listen")?.parse()?;
        let server = Self { child, address, started_in, database: database.to_owned() };
        // At its start a server compresses files in the background.
        while server.threads("packing").next().is_some() {
            thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    /// Stops the process until it is continued.
    pub fn halt(&self) -> Result<(), Failure> {
        self.signal("-STOP")
    }

    pub fn go_on(&self) -> Result<(), Failure> {
        self.signal("-CONT")
    }

    fn signal(&self, name: &str) -> Result<(), Failure> {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status()?;
        if sent.success() { Ok(()) } else { Err(format!("kill {name} failed").into()) }
    }

    /// Returns the processor time of threads with this prefix, where the system reports it.
    pub fn ran(&self, name: &str) -> Duration {
        let ran = self.threads(name).filter_map(|thread| {
            let stat = fs::read_to_string(thread.join("schedstat")).ok()?;
            stat.split(' ').next()?.parse().ok().map(Duration::from_nanos)
        });
        ran.sum()
    }

    /// Returns the folders in `/proc` of threads with this prefix.
    fn threads(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        let all = fs::read_dir(format!("/proc/{}/task", self.child.id())).into_iter().flatten().flatten();
        let is_named = move |thread: &PathBuf| {
            fs::read_to_string(thread.join("comm")).is_ok_and(|comm| comm.starts_with(name))
        };
        all.map(|thread| thread.path()).filter(is_named)
    }

    /// Returns the memory of the process in KiB, where the system reports it.
    pub fn memory(&self) -> Option<f64> {
        self.status("VmRSS:")
    }

    /// Returns the peak memory of the process.
    pub fn peak(&self) -> Option<f64> {
        self.status("VmHWM:")
    }

    fn status(&self, name: &str) -> Option<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// The size of the database on disk, in KiB.
    pub fn size(&self) -> f64 {
        let wal = PathBuf::from(format!("{}-wal", self.database.display()));
        let files = [&self.database, &wal];
        let bytes = files.iter().filter_map(|path| fs::metadata(path).ok()).map(|file| file.len());
        f64::from(u32::try_from(bytes.sum::<u64>() / 1_024).unwrap_or(u32::MAX))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
