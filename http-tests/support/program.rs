//! The program as a process, which tests may kill.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use super::Server;

pub struct Program {
    child: Child,
    /// Its first output.
    pub said: Vec<String>,
}

impl Program {
    /// Starts the process, and waits for this number of lines.
    fn start(args: &[&str], lines: usize) -> Self {
        let mut child = program().args(args).stdout(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(child.stdout.take().unwrap()).lines().take(lines);
        let said = said.collect::<Result<_, _>>().unwrap();
        Self { child, said }
    }

    pub fn serve(database: &Path, flags: &[&str]) -> Self {
        let kept = super::database::flags(database);
        let mut args = vec!["--listen", "127.0.0.1:0", "--log-format", "off", "--workers", "1"];
        args.extend(kept.iter().map(String::as_str).chain(flags.iter().copied()));
        Self::start(&args, 1)
    }

    /// Starts a server with only these flags.
    pub fn serve_with(flags: &[&str]) -> Self {
        let own = ["--listen", "127.0.0.1:0", "--log-format", "off", "--workers", "1"];
        Self::start(&[&own, flags].concat(), 1)
    }

    /// Starts a witness of the log with this key.
    pub fn witness(database: &Path, keys: &[&str]) -> Self {
        let logs = keys.iter().map(|key| format!("--log={}={key}", key.split('+').next().unwrap()));
        let logs: Vec<String> = logs.collect();
        let mut args = vec!["witness", "--listen", "127.0.0.1:0", "--database", database.to_str().unwrap()];
        args.extend(logs.iter().map(String::as_str));
        Self::start(&args, 2)
    }

    pub fn server(&self) -> Server {
        let (_, address) = self.said[0].split_once("listens on http://").unwrap();
        Server::at(address.trim_end_matches('/').parse().unwrap())
    }

    /// Returns `URL=KEY`, for the flag of a server.
    pub fn as_witness(&self) -> &str {
        self.said[1].split_once("--witness ").unwrap().1
    }

    /// Stops (`STOP`) or continues (`CONT`) the process.
    pub fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("sh").args(["-c", "kill -$0 $1", signal, &id]).status().unwrap().success());
    }

    /// Stops the process in order, and waits for its end.
    pub fn stop(mut self) {
        self.signal("TERM");
        assert!(self.child.wait().unwrap().success());
    }

    /// Kills the process like a power loss.
    pub fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns the program, without the variables of the tests, which are no settings.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_playledger"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PLAYLEDGER_"))
    {
        command.env_remove(name);
    }
    command
}

/// Runs a command of the program in this folder to its end.
pub fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = program().current_dir(folder).args(args).output().unwrap();
    (status.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
}
