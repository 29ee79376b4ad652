//! PostgreSQL servers of a test's own: on disk, with fsync, and stopped as a loss of power would stop them.

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    process::{self, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

pub struct Postgres {
    folder: PathBuf,
    pub port: u16,
}

/// Where PostgreSQL's programs are.
fn programs() -> PathBuf {
    let versions =
        fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL is installed: .ci/postgres does it");
    let newest = versions.map(|entry| entry.unwrap().path()).max().unwrap();
    newest.join("bin")
}

/// Returns a command of PostgreSQL, run as a user that it accepts.
fn command(program: &str, args: &[&str]) -> Command {
    let program = programs().join(program);
    let mut command = if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.args(args).current_dir("/").stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn run(program: &str, args: &[&str]) {
    let mut command = command(program, args);
    assert!(command.status().unwrap().success(), "{command:?}");
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().unwrap().stdout.starts_with(b"0\n")
}

/// Returns a port to which a server can return. The system assigns it to no other connection.
fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut ports = (0..10_000).map(|_| {
        let place = (process::id() + NEXT.fetch_add(1, Ordering::Relaxed)) % 10_000;
        20_000 + u16::try_from(place).unwrap()
    });
    ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).expect("a port is free")
}

/// Makes a folder that only the PostgreSQL user can read.
fn make(folder: &Path) {
    fs::DirBuilder::new().mode(0o700).create(folder).unwrap();
    if is_root() {
        for path in [folder.parent().unwrap(), folder] {
            Command::new("chown").arg("postgres").arg(path).status().unwrap();
        }
    }
}

impl Postgres {
    /// Starts a new, empty database.
    pub fn start(folder: &Path) -> Self {
        let one = Self { folder: folder.join("primary"), port: free_port() };
        make(&one.folder);
        run("initdb", &["-A", "trust", "-U", "playledger", "-D", one.data()]);
        let settings = "listen_addresses = '127.0.0.1'\nmax_connections = 200\nshared_buffers = '64MB'\n";
        fs::write(one.folder.join("postgresql.auto.conf"), settings).unwrap();
        one.go();
        one
    }

    /// Starts a standby, for which commits wait from now on.
    pub fn standby(&self, folder: &Path, name: &str) -> Self {
        let other = Self { folder: folder.join(name), port: free_port() };
        let port = self.port.to_string();
        make(&other.folder);
        let from =
            ["-h", "127.0.0.1", "-p", &port, "-U", "playledger", "-X", "stream", "-c", "fast", "-R", "-D"];
        run("pg_basebackup", &[&from[..], &[other.data()]].concat());
        other.go();
        self.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
        self.sql("SELECT pg_reload_conf()");
        other
    }

    fn data(&self) -> &str {
        self.folder.to_str().unwrap()
    }

    pub fn go(&self) {
        let options = format!("-p {} -k {}", self.port, self.data());
        let log = self.folder.join("log");
        run("pg_ctl", &["-D", self.data(), "-o", &options, "-l", log.to_str().unwrap(), "-w", "start"]);
    }

    /// Stops the database abruptly.
    pub fn crash(&self) {
        run("pg_ctl", &["-D", self.data(), "-m", "immediate", "-w", "stop"]);
    }

    pub fn promote(&self) {
        run("pg_ctl", &["-D", self.data(), "-w", "promote"]);
    }

    pub fn sql(&self, sql: &str) {
        super::super::support::database::run(&address(&[self.port]), sql);
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // The database may be stopped already.
        let _ = command("pg_ctl", &["-D", self.data(), "-m", "immediate", "stop"]).status();
    }
}

/// Returns the address of a database with several hosts.
pub fn address(ports: &[u16]) -> String {
    let hosts: Vec<String> = ports.iter().map(|port| format!("127.0.0.1:{port}")).collect();
    format!("postgres://playledger@{}/postgres?sslmode=disable", hosts.join(","))
}
