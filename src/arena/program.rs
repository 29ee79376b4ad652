//! A playing program: one line of JSON in, one out.

use std::{
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, sync_channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::Foul;

/// Bytes of the longest answer.
const LONGEST: u64 = 64 << 10;
/// Additional time for the first answer.
const TO_BEGIN: Duration = Duration::from_secs(10);

/// A running program. It is started again after a failure.
pub struct Program {
    words: Vec<String>,
    patience: Duration,
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Option<Vec<u8>>>,
    has_answered: bool,
}

impl Program {
    pub fn begin(words: &[String], patience: Duration) -> io::Result<Self> {
        let running = Some(Running::begin(words)?);
        Ok(Self { words: words.to_vec(), patience, running })
    }

    /// Asks the program and waits for its answer. A program that exits or is too late is stopped.
    pub fn ask(&mut self, asked: &Value) -> Result<Value, Foul> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::begin(&self.words).map_err(|error| Foul::BrokenOff(error.to_string()))?,
        };
        let answer = running.ask(asked, self.patience)?;
        self.running = Some(running);
        Ok(answer)
    }
}

impl Running {
    fn begin(words: &[String]) -> io::Result<Self> {
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", words[0])))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("a program without input and output"));
        };
        Ok(Self { child, input, lines: lines(output), has_answered: false })
    }

    fn ask(&mut self, asked: &Value, patience: Duration) -> Result<Value, Foul> {
        let broken = |error: io::Error| Foul::BrokenOff(error.to_string());
        writeln!(self.input, "{asked}").and_then(|()| self.input.flush()).map_err(broken)?;
        let patience = if self.has_answered { patience } else { patience + TO_BEGIN };
        let until = Instant::now() + patience;
        let line = match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Some(line)) => line,
            Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                return Err(Foul::BrokenOff("the program has ended".into()));
            }
            Err(RecvTimeoutError::Timeout) => return Err(Foul::TooLate),
        };
        self.has_answered = true;
        serde_json::from_slice(&line).map_err(|error| Foul::Illegal(format!("invalid JSON: {error}")))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The program may have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the output of a program, line by line; `None` at its end.
fn lines(output: ChildStdout) -> Receiver<Option<Vec<u8>>> {
    let (sender, lines) = sync_channel(1);
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let read = output.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            let line = matches!(read, Ok(1..)).then_some(line);
            let is_end = line.is_none();
            if sender.send(line).is_err() || is_end {
                return;
            }
        }
    });
    lines
}
