use std::{
    io::{self, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    process::ExitCode,
    time::Duration,
};

use clap::Args;

use super::client::reached;

/// Check a running server (for a container's health check)
#[derive(Args)]
pub struct Health {
    /// Address that the server listens on
    #[arg(long, env = "PLAYLEDGER_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
}

/// Longer answers are cut.
const MOST: u64 = 4096;

impl Health {
    /// Containers are healthy with exit code 0 and unhealthy with 1. Other codes are reserved.
    pub fn run(&self) -> ExitCode {
        let complaint = match self.ask() {
            Ok(answer) if answer.starts_with("HTTP/1.0 200") => return ExitCode::SUCCESS,
            Ok(answer) => answer.split_once("\r\n\r\n").map_or(answer.clone(), |(_, body)| body.to_owned()),
            Err(error) => format!("{} does not answer: {error}", self.listen),
        };
        eprintln!("playledger: {complaint}");
        ExitCode::FAILURE
    }

    fn ask(&self) -> io::Result<String> {
        let patience = Duration::from_secs(2);
        let mut stream = TcpStream::connect_timeout(&reached(self.listen), patience)?;
        stream.set_read_timeout(Some(patience))?;
        stream.write_all(b"GET /health/ready HTTP/1.0\r\n\r\n")?;
        let mut answer = String::new();
        match stream.take(MOST).read_to_string(&mut answer)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(answer),
        }
    }
}
