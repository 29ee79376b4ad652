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
    /// From the start of the process to the first line that it prints, which comes when it listens.
    pub started_in: Duration,
    database: PathBuf,
}

impl Server {
    /// Starts it without limits.
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
            // An earlier build does not know these.
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
        // At the start a server packs what clients will ask for, beside its work.
        while server.threads("packing").next().is_some() {
            thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    /// Stops it where it stands, until it is let go on.
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

    /// How long the threads of the process have run whose names begin like this, or nothing where the system does not tell.
    pub fn ran(&self, name: &str) -> Duration {
        let ran = self.threads(name).filter_map(|thread| {
            let stat = fs::read_to_string(thread.join("schedstat")).ok()?;
            stat.split(' ').next()?.parse().ok().map(Duration::from_nanos)
        });
        ran.sum()
    }

    /// The threads of the process whose names begin like this, as folders of the system.
    fn threads(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        let all = fs::read_dir(format!("/proc/{}/task", self.child.id())).into_iter().flatten().flatten();
        let is_named = move |thread: &PathBuf| {
            fs::read_to_string(thread.join("comm")).is_ok_and(|comm| comm.starts_with(name))
        };
        all.map(|thread| thread.path()).filter(is_named)
    }

    /// The memory of the process in KiB, or nothing where the system does not tell.
    pub fn memory(&self) -> Option<f64> {
        self.status("VmRSS:")
    }

    /// The most that it ever had.
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
